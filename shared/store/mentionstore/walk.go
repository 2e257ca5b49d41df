package mentionstore

import (
	"context"
	"fmt"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// walk goes through the index rows that make up a list, newest first: of relevant mentions, of others, and of the
// archive from where it begins. A moment is unique, so it alone is a position in all of them.
type walk struct {
	s      *Store
	q      MentionsQuery
	open   []*stream
	old    bool   // the archive's streams are open
	chunk  int    // rows of the next read of an index
	spent  int    // bytes that were read
	budget int    // bytes that may be read
	last   string // the moment of the row that was taken last; the query's After before that
	cutoff string
	row    filter.Row
}

// stream is one partition of an index, read in chunks.
type stream struct {
	query table.Query
	rows  []table.Item
	over  bool // no row follows

	unbilled int // bytes that were read since they were last counted
}

// How many rows of an index are read at once when a filter or a story leaves some out: from few to many, while it does.
const (
	firstFiltered = 100
	mostFiltered  = 4_000
)

func (s *Store) newWalk(q MentionsQuery) *walk {
	// One more than a page, to see whether it is the last, and one at the position itself, which is not wanted.
	w := &walk{s: s, q: q, chunk: q.Limit + 2, last: q.After, cutoff: s.archiveCutoff(), budget: PageBudget}
	if q.Filter != nil {
		w.chunk = max(w.chunk, firstFiltered)
	}
	w.add(rows.MentionsTable, "")
	return w
}

// add opens a table's streams, up to a moment or, if that is empty, up to the newest row.
func (w *walk) add(from, to string) {
	lower := func(bound string) {
		if bound != "" && (to == "" || bound < to) {
			to = bound
		}
	}
	lower(w.last)
	start := ""
	if !w.q.Start.IsZero() {
		start = mention.Timestamp(w.q.Start)
	}
	if !w.q.End.IsZero() {
		lower(mention.Timestamp(w.q.End)) // a moment is longer, so that no row has this one
	}
	index, partitions := rows.MentionsByTime, []string{w.q.WorkspaceID + rows.StreamRelevant}
	switch {
	case w.q.Author != nil:
		index, partitions = rows.MentionsByAuthor, []string{w.q.authorKey()}
	case w.q.All:
		partitions = append(partitions, w.q.WorkspaceID+rows.StreamOther)
	}
	for _, partition := range partitions {
		w.open = append(
			w.open,
			&stream{
				query: table.Query{
					Table:      from,
					Index:      index,
					Partition:  partition,
					From:       start,
					To:         to,
					Descending: true,
				},
			},
		)
	}
}

// candidates takes rows that the filter does not refuse, at most want, whose mentions have room bytes in all. full
// means that the next one does not fit. It returns fewer at the end of the list or of the budget.
func (w *walk) candidates(ctx context.Context, want, room int) (places []place, full bool, err error) {
	for len(places) < want {
		next, err := w.fill(ctx)
		if err != nil || next == nil {
			return places, false, err
		}
		row := next.rows[0]
		taken := place{from: next.query.Table, row: row, moment: rows.Text(row, rows.AttrMoment)}
		if w.q.Filter != nil {
			toRow(row, &w.row)
			if !w.q.Filter.Row(&w.row) {
				w.pass(taken.moment)
				continue
			}
		}
		if room -= int(rows.Integer(row, rows.AttrBytes)); room < 0 {
			return places, true, nil
		}
		places = append(places, taken)
		w.pass(taken.moment)
	}
	return places, false, nil
}

// more reports whether rows are left behind the last one taken.
func (w *walk) more(ctx context.Context) (bool, error) {
	next, err := w.fill(ctx)
	return next != nil || !w.over(), err
}

// over reports whether every stream has ended.
func (w *walk) over() bool {
	for _, stream := range w.open {
		if !stream.over || len(stream.rows) > 0 {
			return false
		}
	}
	return w.old
}

// fill reads until the newest remaining row is known, and returns its stream. Returns nil if there is none, or if
// reading on could exceed the budget.
func (w *walk) fill(ctx context.Context) (*stream, error) {
	for {
		var reads []func() error
		for _, stream := range w.open {
			if len(stream.rows) == 0 && !stream.over {
				reads = append(reads, func() error { return w.read(ctx, stream) })
			}
		}
		newest := w.newest()
		switch {
		case len(reads) > 0 && w.spent > 0 && w.spent+len(reads)*table.MaxPageBytes > w.budget:
			return nil, nil
		case len(reads) > 0:
			if err := parallel.Together(reads...); err != nil {
				return nil, fmt.Errorf("list mentions by time: %w", err)
			}
			for _, stream := range w.open {
				w.spent += stream.unbilled
				stream.unbilled = 0
			}
			if w.q.Filter != nil || w.q.Collapse {
				w.chunk = min(2*w.chunk, mostFiltered)
			}
		case w.needsArchive(newest):
			w.old = true
			w.add(rows.ArchiveTable, w.cutoff)
		default:
			return newest, nil
		}
	}
}

// read reads a stream's next chunk.
func (w *walk) read(ctx context.Context, s *stream) error {
	s.query.Limit = w.chunk
	page, err := w.s.Table.Query(ctx, s.query)
	if err != nil {
		return err
	}
	for _, row := range page.Items {
		s.unbilled += table.Size(row)
		if w.last == "" || rows.Text(row, rows.AttrMoment) < w.last {
			s.rows = append(s.rows, row)
		}
	}
	s.query.After, s.over = page.Next, page.Next == nil
	return nil
}

// needsArchive reports whether the archive may hold the next row. Nothing in the archive is as new as the cutoff.
func (w *walk) needsArchive(newest *stream) bool {
	if w.old || !w.q.Start.IsZero() && mention.Timestamp(w.q.Start) >= w.cutoff {
		w.old = true
		return false
	}
	return newest == nil || rows.Text(newest.rows[0], rows.AttrMoment) < w.cutoff
}

// newest returns the stream whose next row is the newest, or nil if no row is at hand.
func (w *walk) newest() *stream {
	var newest *stream
	for _, stream := range w.open {
		if len(stream.rows) > 0 &&
			(newest == nil || rows.Text(stream.rows[0], rows.AttrMoment) > rows.Text(newest.rows[0], rows.AttrMoment)) {
			newest = stream
		}
	}
	return newest
}

// pass goes past a row, and past rows of the same mention in other streams. A mention that has just changed its
// relevance, or is moving to the archive, may be in two.
func (w *walk) pass(moment string) {
	w.last = moment
	for _, stream := range w.open {
		if len(stream.rows) > 0 && rows.Text(stream.rows[0], rows.AttrMoment) == moment {
			stream.rows = stream.rows[1:]
		}
	}
}

// toRow fills a filter's row from an index row.
func toRow(item table.Item, row *filter.Row) {
	row.Reset()
	// A moment begins with the timestamp, which is as long always.
	row.Timestamp = rows.Text(item, rows.AttrMoment)[:len(timestampForm)]
	row.Source, row.Language, row.Author = rows.Text(item, "source"), rows.Text(
		item, "language",
	), rows.Text(item, "author")
	row.Sentiment = mention.Sentiment(rows.Text(item, "sentiment"))
	row.IsReply, row.Engaged = rows.Boolean(item, "isReply"), rows.Boolean(item, "engaged")
	row.Rating, row.Words = number(item, "reviewRating"), rows.Bytes(item, rows.AttrWords)
	if score, ok := item["relevanceScore"].(int64); ok {
		row.Score = int(score)
	}
	if followers, ok := item["authorFollowers"].(int64); ok {
		row.Followers = followers
	}
	for _, tag := range rows.List(item, "tags") {
		text, _ := tag.(string)
		row.Tags = append(row.Tags, text)
	}
	for _, id := range rows.List(item, "keywordIds") {
		number, _ := id.(int64)
		row.KeywordIDs = append(row.KeywordIDs, number)
	}
	if metrics, ok := item["engagementMetrics"].(map[string]any); ok {
		for metric, count := range metrics {
			number, _ := count.(int64)
			row.Engagement = append(row.Engagement, filter.Counter{Metric: metric, Count: number})
		}
	}
}

// timestampForm is as long as every timestamp of the years 1970 to 9999.
const timestampForm = "2006-01-02 15:04:05.000"
