package mentionstore

import (
	"context"
	"errors"
	"fmt"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// ErrIDTaken means that another mention of the workspace has the numeric id.
var ErrIDTaken = errors.New("store: the id belongs to another mention")

// PositionOf returns the position of a mention of the page. A page After it begins behind the mention.
func (p MentionsPage) PositionOf(m mention.Mention) string {
	if p.began.stored > 0 {
		at := p.began
		at.last = moment(m)
		return at.String()
	}
	return moment(m)
}

func moment(m mention.Mention) string {
	return fmt.Sprintf("%s#%016d", mention.Timestamp(m.PostedAt), m.ID)
}

// Mention reads a mention by its sourceId, preferring recent mentions to archived ones. Returns ErrNotFound if there is
// none.
func (s *Store) Mention(ctx context.Context, orgID, sourceID string) (mention.Mention, error) {
	_, item, err := s.mentionRow(ctx, orgID, sourceID)
	if err != nil {
		return mention.Mention{}, err
	}
	return toMention(item), nil
}

// MentionByID reads a mention by its numeric id, preferring recent mentions to archived ones. Returns ErrNotFound if
// there is none.
func (s *Store) MentionByID(ctx context.Context, orgID string, id int64) (mention.Mention, error) {
	for _, from := range []string{rows.MentionsTable, rows.ArchiveTable} {
		sourceID, err := s.byID(ctx, from, orgID, id)
		if err != nil {
			return mention.Mention{}, err
		}
		if sourceID == "" {
			continue
		}
		item, err := s.Get(ctx, from, table.Key{Partition: orgID, Sort: sourceID})
		if err != nil {
			return mention.Mention{}, err
		}
		if item != nil && idIn(item) == id {
			return toMention(item), nil
		}
	}
	return mention.Mention{}, store.ErrNotFound
}

func (s *Store) byID(ctx context.Context, from, orgID string, id int64) (sourceID string, err error) {
	page, err := s.Table.Query(
		ctx,
		table.Query{
			Table:     from,
			Index:     rows.MentionsByID,
			Partition: orgID,
			From:      rows.IDKey(id),
			To:        rows.IDKey(id),
			Limit:     1,
		},
	)
	if err != nil {
		return "", fmt.Errorf("find a mention by its id: %w", err)
	}
	if len(page.Items) == 0 {
		return "", nil
	}
	return table.KeyOf(page.Items[0]).Sort, nil
}
