package mentionstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// pageBytes bounds the mentions of one page, so that a response stays below what a Lambda can send (6 MB).
const pageBytes = 3 << 20

// PageBudget is how many bytes a page reads at most to find its mentions: 512 capacity units, at half a unit for 4 KiB.
// It also reads pageBytes of mentions to return. What the budget did not reach comes with the next page.
const PageBudget = 4 << 20

// MaxMentionsPage is how many mentions a page has at most.
const MaxMentionsPage = table.MaxBatchGet

// MentionsQuery selects mentions of a workspace, newest first.
type MentionsQuery struct {
	WorkspaceID string
	All         bool              // include mentions that are not relevant
	Filter      *filter.Predicate // nil for all
	Start, End  time.Time         // posted from Start on and before End; zero is unbounded
	Author      *Author           // nil for all authors; otherwise the author's mentions, relevant or not
	Limit       int               // 1 to MaxMentionsPage
	After       string            // Next of the page before; empty for the newest
	Collapse    bool              // of each story only the newest mention; see stories.go. Not with Author.
}

// Author is the writer of mentions: a handle on a platform, in any case and with or without the @.
type Author struct{ Source, Handle string }

// MentionsPage is a part of a list.
type MentionsPage struct {
	Mentions []mention.Mention
	Next     string // empty at the end

	// Stories holds, for each mention of a collapsed list, how many mentions of its story the list selects. It is 0 where
	// counting would read too much.
	Stories []int

	began storyCursor // of a collapsed list, without a position
}

// Mentions reads a page. A page may be shorter than its limit, or empty, while more follow: its mentions are long, or
// PageBudget ended first. Only Next says whether more follow. A walk by Next returns each mention that was there at the
// start once, whatever is stored meanwhile.
func (s *Store) Mentions(ctx context.Context, q MentionsQuery) (MentionsPage, error) {
	if q.Collapse {
		return s.collapsed(ctx, q)
	}
	w := s.newWalk(q)
	w.leaping = true
	w.stops = q.Filter == nil || !q.Filter.Decides()
	w.readFew()
	page := MentionsPage{Mentions: []mention.Mention{}}
	for size, full := 0, false; len(page.Mentions) < q.Limit && !full; {
		room := pageBytes - size
		if len(page.Mentions) == 0 {
			room = table.MaxItemBytes + pageBytes // a page has room for one mention of any size
		}
		var places []place
		var err error
		if places, full, err = w.candidates(ctx, q.Limit-len(page.Mentions), room); err != nil {
			return MentionsPage{}, err
		}
		if len(places) == 0 {
			break
		}
		var items []table.Item
		reads := []func() error{func() (err error) { items, err = s.rowsAt(ctx, places, q.promises); return err }}
		if w.stops && w.turns() {
			reads = append(reads, func() error { _, err := w.fill(ctx); return err })
		}
		if err := parallel.Together(reads...); err != nil {
			return MentionsPage{}, err
		}
		page.Mentions = slices.Grow(page.Mentions, len(items))
		for _, item := range items {
			// The index may lag. A row that is gone or no longer in this list is left out, and so is one whose texts
			// the filter rejects.
			if m := toMention(item); item != nil && q.lists(&m) {
				page.Mentions = append(page.Mentions, m)
				size += table.Size(item)
			} else {
				w.spent += table.Size(item)
			}
		}
	}
	more, err := w.more(ctx)
	if err != nil {
		return MentionsPage{}, err
	}
	if more {
		page.Next = w.last
	}
	return page, w.settleWords(ctx, len(page.Mentions) == q.Limit)
}

// promises reports whether a mention's row still agrees with the list's index.
func (q MentionsQuery) promises(item table.Item) bool {
	switch {
	case item == nil:
		return false
	case q.Author != nil:
		return rows.Text(item, rows.AttrAuthorKey) == q.authorKey()
	case !q.All && rows.Text(item, rows.AttrStream) != q.WorkspaceID+rows.StreamRelevant:
		return false
	case q.Filter == nil:
		return true
	}
	var row filter.Row
	toRow(item, &row)
	return q.Filter.Row(&row)
}

// lists reports whether the mention belongs to the list. Its texts may decide that.
func (q MentionsQuery) lists(m *mention.Mention) bool {
	return q.Filter == nil || !q.Filter.NeedsText() || q.Filter.Mention(m)
}

func (q MentionsQuery) authorKey() string {
	return authorKey(q.WorkspaceID, q.Author.Source, mention.Handle(q.Author.Handle))
}

// place is a row of an index, and so the place of a mention.
type place struct {
	from   string // the table
	row    table.Item
	moment string
}

// rowsAt reads the mentions at places of an index, nil where the table no longer agrees with the index. It reads at
// half the price, eventually consistent. It reads a row that disagrees again, consistently, before it counts as
// changed. A mention on its way into the archive may be in both tables: the archive then has a copy that changes do not
// reach.
func (s *Store) rowsAt(ctx context.Context, places []place, promised func(table.Item) bool) ([]table.Item, error) {
	fits := func(p place, item table.Item) bool {
		return item != nil && rows.Text(item, rows.AttrMoment) == p.moment && promised(item)
	}
	items, err := s.read(ctx, places, false)
	if err != nil {
		return nil, err
	}
	var doubtful []place
	var at []int
	for i, item := range items {
		if !fits(places[i], item) {
			doubtful, at = append(
				doubtful, place{from: rows.ArchiveTable, row: places[i].row, moment: places[i].moment},
			), append(at, i)
		}
	}
	again, err := s.read(ctx, doubtful, true)
	if err != nil {
		return nil, err
	}
	for n, i := range at {
		if items[i] = again[n]; !fits(places[i], again[n]) {
			items[i] = nil
		}
	}
	return items, nil
}

// read reads the mentions at places. It reads those of the archive's index in both tables, and prefers the mentions'
// table.
func (s *Store) read(ctx context.Context, places []place, consistent bool) ([]table.Item, error) {
	gets := make([]table.Get, 0, len(places))
	// positions in gets, because no key may be read twice
	wanted := map[string]map[table.Key]int{
		rows.MentionsTable: make(map[table.Key]int, len(places)), rows.ArchiveTable: {},
	}
	want := func(from string, key table.Key) {
		if _, asked := wanted[from][key]; !asked {
			wanted[from][key] = len(gets)
			gets = append(gets, table.Get{Table: from, Key: key, Consistent: consistent})
		}
	}
	for _, place := range places {
		want(rows.MentionsTable, table.KeyOf(place.row))
		if place.from == rows.ArchiveTable {
			want(rows.ArchiveTable, table.KeyOf(place.row))
		}
	}
	found, err := table.GetAll(ctx, s.Table, gets)
	if err != nil {
		return nil, fmt.Errorf("read a page of mentions: %w", err)
	}
	items := make([]table.Item, len(places))
	for i, place := range places {
		key := table.KeyOf(place.row)
		if items[i] = found[wanted[rows.MentionsTable][key]]; items[i] == nil && place.from == rows.ArchiveTable {
			items[i] = found[wanted[rows.ArchiveTable][key]]
		}
	}
	return items, nil
}

// archiveCutoff returns the moment at which and after which the archive holds nothing.
func (s *Store) archiveCutoff() string { return mention.Timestamp(s.Clock.Now().Add(-archiveAfter)) }
