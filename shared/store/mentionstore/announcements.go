package mentionstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// An Announcement lists mentions that feeds with destinations began to show. The transaction that stores or corrects the
// mentions writes it, so that none is lost and none is told of twice. It is deleted once its deliveries are stored.
type Announcement struct {
	WorkspaceID string
	ID          string // a ULID
	At          time.Time
	Told        []Told
	First       map[int64]int64 // by feed: the sequence number of the first mention that it shows; nil: see Number
}

// Told is a mention and the feeds that began to show it.
type Told struct {
	SourceID string
	Feeds    []int64
}

// announce notes in a mention the feeds that show it.
func (b Bill) announce(m *mention.Mention) {
	if b.Shows != nil {
		m.Announce(b.Shows(m))
	}
}

// toldOf returns the new mentions that some feed shows.
func toldOf(fresh []mention.Mention) (told []Told) {
	for i := range fresh {
		if len(fresh[i].Announced) > 0 {
			told = append(told, Told{fresh[i].SourceID, fresh[i].Announced})
		}
	}
	return told
}

// newlyTold returns the feeds that a change of a mention announced it to. A mention without an earlier state is an
// import, which nobody is told of.
func newlyTold(old *mention.Mention, m mention.Mention) Told {
	told := Told{SourceID: m.SourceID}
	if old == nil {
		return told
	}
	for _, id := range m.Announced {
		if !slices.Contains(old.Announced, id) {
			told.Feeds = append(told.Feeds, id)
		}
	}
	return told
}

// tellOf returns the write of an announcement, or none without mentions. It is due at once.
func (s *Store) tellOf(orgID string, told []Told) []table.Write {
	if len(told) == 0 {
		return nil
	}
	now := s.Instant()
	listed := make([]any, len(told))
	for i, one := range told {
		listed[i] = map[string]any{"sourceId": one.SourceID, "feeds": fromIDs(one.Feeds)}
	}
	return []table.Write{table.Put{Table: rows.CoreTable, Item: table.Item{
		table.PartitionAttribute: rows.Deliveries(orgID),
		table.SortAttribute:      workspace.NewID(rows.SortOutbox, now),
		rows.AttrWork:            rows.WorkAnnouncements,
		rows.AttrDueAt:           rows.FromTime(now),
		"org":                    orgID,
		"told":                   listed,
	}, If: table.Absent()}}
}

// Announcements lists a workspace's announcements, the oldest first, at most limit.
func (s *Store) Announcements(ctx context.Context, orgID string, limit int) ([]Announcement, error) {
	query := table.Query{
		Table:      rows.CoreTable,
		Partition:  rows.Deliveries(orgID),
		Prefix:     rows.SortOutbox,
		Consistent: true,
		Limit:      limit,
	}
	page, err := s.Table.Query(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("list announcements: %w", err)
	}
	found := make([]Announcement, len(page.Items))
	for i, item := range page.Items {
		found[i] = toAnnouncement(item)
	}
	return found, nil
}

// Announced names a workspace that has announcements.
type Announced struct {
	WorkspaceID string
	Since       time.Time // of the oldest
}

// Announcing lists the workspaces that have announcements, by the oldest, of the first so many announcements.
func (s *Store) Announcing(ctx context.Context, most int) (all []Announced, err error) {
	items, err := s.DueRows(ctx, rows.WorkAnnouncements, most)
	for _, item := range items {
		id := rows.Text(item, "org")
		if !slices.ContainsFunc(all, func(a Announced) bool { return a.WorkspaceID == id }) {
			all = append(all, Announced{id, rows.DueAt(item)})
		}
	}
	return all, err
}

// Number draws the sequence numbers of an announcement's mentions, for each feed its own, and stores them with it. A
// repeat returns the numbers that were stored first. Returns store.ErrNotFound if the announcement is gone.
func (s *Store) Number(ctx context.Context, a Announcement) (Announcement, error) {
	if a.First != nil {
		return a, nil
	}
	counts := map[int64]int{}
	for _, told := range a.Told {
		for _, id := range told.Feeds {
			counts[id]++
		}
	}
	first := map[string]any{}
	for id, n := range counts {
		drawn, err := s.Draw(ctx, a.WorkspaceID, rows.SequenceOfEvents(id), n)
		if err != nil {
			return a, err
		}
		first[rows.IDKey(id)] = drawn
	}
	item, err := s.Table.Update(ctx, table.Update{
		Table: rows.CoreTable,
		Key:   a.key(),
		If:    table.All(table.Present(), table.Missing("first")),
		Set:   map[string]any{"first": first},
	})
	var failed *table.ConditionFailed
	if errors.As(err, &failed) { // another one numbered it, or has done its work
		item, err = s.Row(ctx, a.key())
	}
	if errors.Is(err, store.ErrNotFound) {
		return a, err
	}
	if err != nil {
		return a, fmt.Errorf("number an announcement: %w", err)
	}
	return toAnnouncement(item), nil
}

// EndAnnouncement deletes an announcement, whose deliveries are stored.
func (s *Store) EndAnnouncement(ctx context.Context, a Announcement) error {
	if err := s.Table.Delete(ctx, table.Delete{Table: rows.CoreTable, Key: a.key()}); err != nil {
		return fmt.Errorf("end an announcement: %w", err)
	}
	return nil
}

func (a Announcement) key() table.Key {
	return table.Key{Partition: rows.Deliveries(a.WorkspaceID), Sort: rows.SortOutbox + a.ID}
}

func toAnnouncement(item table.Item) Announcement {
	a := Announcement{
		WorkspaceID: rows.Text(item, "org"),
		ID:          table.KeyOf(item).Sort[len(rows.SortOutbox):],
		At:          rows.ToTime(rows.Text(item, rows.AttrDueAt)),
	}
	for _, one := range rows.List(item, "told") {
		told, _ := one.(map[string]any)
		a.Told = append(a.Told, Told{rows.Text(told, "sourceId"), toIDs(rows.List(told, "feeds"))})
	}
	if first, ok := item["first"].(map[string]any); ok {
		a.First = map[int64]int64{}
		for _, told := range a.Told {
			for _, id := range told.Feeds {
				a.First[id], _ = first[rows.IDKey(id)].(int64)
			}
		}
	}
	return a
}

func fromIDs(ids []int64) []any {
	list := make([]any, len(ids))
	for i, id := range ids {
		list[i] = id
	}
	return list
}

func toIDs(list []any) (ids []int64) {
	for _, one := range list {
		if id, ok := one.(int64); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// ToldMentions reads the mentions of an announcement by their sourceIds, in that order. Those that are gone are left
// out.
func (s *Store) ToldMentions(ctx context.Context, orgID string, sourceIDs []string) ([]mention.Mention, error) {
	found := map[string]mention.Mention{}
	for _, from := range []string{rows.MentionsTable, rows.ArchiveTable} {
		var gets []table.Get
		for _, id := range sourceIDs {
			if _, has := found[id]; !has {
				key := table.Key{Partition: orgID, Sort: id}
				gets = append(gets, table.Get{Table: from, Key: key, Consistent: true})
			}
		}
		if len(gets) == 0 {
			break
		}
		items, err := table.GetAll(ctx, s.Table, gets)
		if err != nil {
			return nil, fmt.Errorf("read mentions: %w", err)
		}
		for _, item := range items {
			if item != nil {
				m := toMention(item)
				found[m.SourceID] = m
			}
		}
	}
	var all []mention.Mention
	for _, id := range sourceIDs {
		if m, has := found[id]; has {
			all = append(all, m)
		}
	}
	return all, nil
}
