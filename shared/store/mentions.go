package store

import (
	"context"
	"errors"
	"fmt"

	"earshot/shared/mention"
	"earshot/shared/port/table"
)

// Rows of the mentions and archive tables:
//
//	pk org_…  sk sourceId
//
// "rev" counts the row's changes. "moment" is the row's place in time, unique in its workspace: the timestamp and the numeric id. "stream" is the
// workspace and whether the mention is relevant, so that a list of relevant mentions reads no others. "idKey" is the
// numeric id, zero-padded.
const (
	streamRelevant = "#relevant"
	streamOther    = "#other"
)

// ErrIDTaken means that another mention of the workspace has the numeric id.
var ErrIDTaken = errors.New("store: the id belongs to another mention")

// PositionOf is where a mention stands in a list: a page After it goes on behind it.
func PositionOf(m mention.Mention) string { return moment(m) }

func moment(m mention.Mention) string {
	return fmt.Sprintf("%s#%016d", mention.Timestamp(m.PostedAt), m.ID)
}

func idKey(id int64) string { return fmt.Sprintf("%016d", id) }

// Mention reads a mention by its sourceId, recent ones before archived ones. Answers ErrNotFound.
func (s *Store) Mention(ctx context.Context, orgID, sourceID string) (mention.Mention, error) {
	_, item, err := s.mentionRow(ctx, orgID, sourceID)
	if err != nil {
		return mention.Mention{}, err
	}
	return toMention(item), nil
}

// MentionByID reads a mention by its numeric id, recent ones before archived ones. Answers ErrNotFound.
func (s *Store) MentionByID(ctx context.Context, orgID string, id int64) (mention.Mention, error) {
	for _, from := range []string{MentionsTable, ArchiveTable} {
		sourceID, err := s.byID(ctx, from, orgID, id)
		if err != nil {
			return mention.Mention{}, err
		}
		if sourceID == "" {
			continue
		}
		item, err := s.get(ctx, from, table.Key{Partition: orgID, Sort: sourceID})
		if err != nil {
			return mention.Mention{}, err
		}
		if item != nil && integer(item, "id") == id {
			return toMention(item), nil
		}
	}
	return mention.Mention{}, ErrNotFound
}

func (s *Store) byID(ctx context.Context, from, orgID string, id int64) (sourceID string, err error) {
	page, err := s.table.Query(ctx, table.Query{Table: from, Index: mentionsByID, Partition: orgID, From: idKey(id), To: idKey(id), Limit: 1})
	if err != nil {
		return "", fmt.Errorf("find a mention by its id: %w", err)
	}
	if len(page.Items) == 0 {
		return "", nil
	}
	return table.KeyOf(page.Items[0]).Sort, nil
}
