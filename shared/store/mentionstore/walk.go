package mentionstore

import (
	"context"
	"fmt"
	"slices"

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
	old    bool // the archive's streams are open
	stops  bool // candidates returns what it has where the archive begins: the caller reads on beside their rows
	chunk  int  // rows of the next read of an index, at most
	wanted int  // rows that the caller still wants, if it says so
	tested int  // rows that the filter has seen, and those that it took
	taken  int
	spent  int    // bytes that were read
	budget int    // bytes that may be read
	moved  bool   // rows were read or leapt over: a page makes some way, whatever it spends
	last   string // the moment of the row that was taken last; the query's After before that
	cutoff string
	row    filter.Row

	names   []string  // attributes of rows that are read; empty for all
	leaping bool      // whether words may help
	words   *wordWalk // nil: not now
	until   string    // where a leap may follow, with words: rows below are not read yet
}

// stream is one partition of an index, read in chunks.
type stream struct {
	query table.Query
	rows  []table.Item
	over  bool // no row follows

	bottom string // the lower bound of all parts
	part   bool   // the query ends where a leap may follow

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
				bottom: start,
				query: table.Query{
					Read:       w.names,
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
// means that the next one does not fit. It returns fewer at the end of the list or of the budget, and where it stops.
func (w *walk) candidates(ctx context.Context, want, room int) (places []place, full bool, err error) {
	for len(places) < want {
		w.wanted = want - len(places)
		if w.stops && len(places) > 0 && w.turns() {
			return places, false, nil
		}
		next, err := w.fill(ctx)
		if err != nil || next == nil {
			return places, false, err
		}
		row := next.rows[0]
		taken := place{from: next.query.Table, row: row, moment: rows.Text(row, rows.AttrMoment)}
		if w.q.Filter != nil {
			toRow(row, &w.row)
			w.tested++
			if !w.q.Filter.Row(&w.row) {
				if err := w.gather(ctx, taken.moment); err != nil {
					return nil, false, err
				}
				w.pass(taken.moment)
				continue
			}
		}
		if room -= bytesOf(row); room < 0 {
			return places, true, nil
		}
		if err := w.gather(ctx, taken.moment); err != nil {
			return nil, false, err
		}
		places = append(places, taken)
		w.taken++
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
func (w *walk) over() bool { return w.old && w.ended() }

// turns reports whether only the archive can hold the next row, which nothing but fill reads.
func (w *walk) turns() bool { return !w.old && w.words == nil && w.ended() }

// ended reports whether the open streams have ended.
func (w *walk) ended() bool {
	return !slices.ContainsFunc(w.open, func(s *stream) bool { return !s.over || len(s.rows) > 0 })
}

// fill reads until the newest remaining row is known, and returns its stream. Returns nil if there is none, or if
// reading on could exceed the budget.
func (w *walk) fill(ctx context.Context) (*stream, error) {
	for {
		if err := w.leap(ctx); err != nil {
			return nil, err
		}
		newest := w.newest()
		var reads []func() error
		for _, stream := range w.open {
			if len(stream.rows) == 0 && !stream.over && !w.waits(stream, newest) {
				reads = append(reads, func() error { return w.read(ctx, stream) })
			}
		}
		switch {
		case len(reads) > 0 && w.spent > 0 && (w.moved || w.words == nil) &&
			w.spent+len(reads)*table.MaxPageBytes > w.budget:
			return nil, nil
		case len(reads) > 0:
			if err := parallel.Together(reads...); err != nil {
				return nil, fmt.Errorf("list mentions by time: %w", err)
			}
			for _, stream := range w.open {
				w.spent += stream.unbilled
				w.moved = w.moved || stream.unbilled > 0
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
	s.query.Limit = min(w.chunk, w.enough())
	s.query.From, s.part = s.bottom, false
	if w.until > s.bottom {
		s.query.From, s.part = w.until, true
	}
	page, err := w.s.Table.Query(ctx, s.query)
	if err != nil {
		return err
	}
	s.unbilled += page.Bytes
	for _, row := range page.Items {
		if w.last == "" || rows.Text(row, rows.AttrMoment) < w.last {
			s.rows = append(s.rows, row)
		}
	}
	s.query.After, s.over = page.Next, page.Next == nil
	if s.over && s.part {
		s.query.To, s.over = s.query.From, false
	}
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

// attributesOf names the attributes that toRow reads of rows of old for conditions with a key.
func attributesOf(key filter.Key) []string {
	switch key {
	case filter.Keyword:
		return []string{"keywordIds"}
	case filter.Tag:
		return []string{"tags"}
	case filter.Relevance:
		return []string{"relevanceScore"}
	case filter.PostType:
		return []string{"isReply"}
	case filter.Text:
		return nil // AttrWords is read in any case
	case filter.Engagement:
		return []string{"source", "engagementMetrics"}
	case filter.MinXFollowers, filter.MaxXFollowers:
		return []string{"source", "authorFollowers"}
	}
	return []string{string(key)} // which has the attribute's name
}

// readFew reads only those attributes of rows that the filter needs, unless their words are gathered.
func (w *walk) readFew() {
	if w.leaping && w.q.Filter != nil && w.q.Filter.Decides() {
		return
	}
	w.names = []string{rows.AttrMoment, rows.AttrBytes}
	if w.q.Filter != nil {
		w.names = append(w.names, rows.AttrWords)
		for _, key := range w.q.Filter.Keys() {
			w.names = append(w.names, attributesOf(key)...)
		}
	}
	for _, stream := range w.open {
		stream.query.Read = w.names
	}
}

// enough returns how many rows most likely hold what a list still wants, by what its filter took so far.
func (w *walk) enough() int {
	if w.taken == 0 || w.wanted == 0 || w.q.Collapse {
		return w.chunk
	}
	const spare = 1.5
	return max(w.q.Limit+2, int(spare*float64(w.wanted+1)*float64(w.tested)/float64(w.taken)))
}

// top is above every moment.
const top = "~"

// position returns the moment at or below which all further rows of a stream are.
func (s *stream) position() string {
	switch {
	case s.query.After != nil:
		return s.query.After.IndexSort
	case s.query.To != "":
		return s.query.To
	}
	return top
}

// waits reports whether a stream need not be read yet, because all further rows of it are older than the next row of
// another stream, or than those up to the next leap.
func (w *walk) waits(s, newest *stream) bool {
	switch at := s.position(); {
	case w.words == nil:
		return false
	case newest == nil:
		return at <= w.until
	default:
		next := rows.Text(newest.rows[0], rows.AttrMoment)
		return at < next || at <= w.until && w.until <= next
	}
}

// reads reports whether a stream has to be read before the next row is known.
func (w *walk) reads(newest *stream) bool {
	return slices.ContainsFunc(w.open, func(s *stream) bool {
		return len(s.rows) == 0 && !s.over && !w.waits(s, newest)
	})
}

// leap goes past rows that the words of their days refuse, if more rows would have to be read otherwise.
func (w *walk) leap(ctx context.Context) (err error) {
	if w.leaping && w.words == nil && (w.spent > 0 || w.q.After != "") {
		w.leaping = false
		if w.words, err = w.s.newWords(ctx, w.q); err != nil {
			return err
		}
	}
	if newest := w.newest(); w.words == nil || newest != nil && !w.reads(newest) {
		return nil
	}
	last := w.horizon()
	if last < w.cutoff && w.needsArchive(nil) {
		w.old = true
		w.add(rows.ArchiveTable, w.cutoff)
		last = w.horizon()
	}
	from := last
	for last != "" && w.spent <= w.budget {
		if err := w.words.passed(ctx, last); err != nil {
			return err
		}
		if err := w.words.load(ctx, last); err != nil {
			return err
		}
		w.spent, w.words.unbilled = w.spent+w.words.unbilled, 0
		to, next := w.words.leap(last)
		if w.until = next; to == last {
			break
		}
		last = to
	}
	if last == from {
		return nil
	}
	w.last, w.moved = last, true
	for _, stream := range w.open {
		for len(stream.rows) > 0 && rows.Text(stream.rows[0], rows.AttrMoment) >= last {
			stream.rows = stream.rows[1:]
		}
		if len(stream.rows) == 0 && stream.position() > last {
			stream.query.After, stream.query.To = nil, last
			stream.over = stream.over || last < stream.bottom
		}
	}
	return nil
}

// horizon returns the moment at or below which all rows are that are not passed yet; empty if there are none.
func (w *walk) horizon() (last string) {
	for _, stream := range w.open {
		switch {
		case len(stream.rows) > 0:
			last = max(last, rows.Text(stream.rows[0], rows.AttrMoment)+top) // above the row, and below the one before it
		case !stream.over:
			last = max(last, stream.position())
		}
	}
	if w.last != "" {
		last = min(last, w.last)
	}
	return last
}

// gather adds the row that is about to be passed to the words of its day.
func (w *walk) gather(ctx context.Context, moment string) error {
	if w.words == nil {
		return nil
	}
	before := w.last
	if before == "" {
		before = top
		if !w.q.End.IsZero() {
			before = mention.Timestamp(w.q.End)
		}
	}
	return w.words.gather(ctx, &w.row, moment, before)
}

// settleWords stores what was gathered of the words of days. A page that is full stores no part of a day: its list goes
// on in small steps, and each would store the part again.
func (w *walk) settleWords(ctx context.Context, full bool) error {
	switch {
	case w.words == nil:
		return nil
	case w.over() && w.q.Start.IsZero():
		return w.words.finish(ctx)
	case full:
		return nil
	}
	return w.words.pause(ctx)
}

// toRow fills a filter's row from an index row of either form.
func toRow(item table.Item, row *filter.Row) {
	row.Reset()
	// A moment begins with the timestamp, which is as long always.
	row.Timestamp = rows.Text(item, rows.AttrMoment)[:len(timestampForm)]
	if packed(item) {
		unpackFacts(rows.Bytes(item, rows.AttrWords), row)
		return
	}
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
