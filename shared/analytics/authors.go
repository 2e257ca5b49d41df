package analytics

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/axiomhq/hyperloglog"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

// Queries about authors need rows: cells do not know authors. A scan of a year of 100,000 mentions reads 5,000 units.
// So the first query that scans a whole day of UTC stores a summary of it, and later ones read that instead. A summary
// is valid while the day's cells have its stamp. Nothing is written when a mention comes: its cells, which are written
// in any case, have the sum that the stamp is made of.
//
// A summary lists the day's mentions without their texts: hour, source, sentiment, score, language, tags, keywords,
// author and followers. So it answers everything exactly but conditions on other properties and sums of counters. A
// list takes about 15 bytes a mention, with the authors' handles. Hashes of 64 bits would take as many bytes, collide,
// and name no author.
//
// A day with more than 5,000 authors has sketches instead, so that those of a year fit into memory and the budget: one
// by source and score, and one by keyword and score, because those are what queries filter by most. Each has 2^14
// registers, which is a standard error of 1.04/sqrt(2^14), 0.8 %. Reach and names need a scan then.

// limits bound a run. Tests have lower ones.
type limits struct {
	budget   int   // bytes of rows
	mentions int64 // fewer in all whole days are scanned, because that costs less than summaries do
	authors  int   // of a list
	content  int   // bytes of a summary
	held     int   // authors in memory, of all rows of a query
	digested int   // fewer cells of past days are read again by the next query, because that costs less than a digest
}

// usual are the limits of Run. Summaries of a longest period are at most 46 MiB, which is within the budget.
var usual = limits{
	budget:   ScanBudget,
	mentions: 2_000,
	authors:  5_000,
	content:  128 << 10,
	held:     MaxAuthors,
	digested: 100,
}

// Why figures are not exact.
const (
	lagging   = "Mentions changed while they were counted. Ask again."
	estimated = "Numbers of authors are about right: so many are estimated, with a standard error of 0.8 %."
)

// An OverBudget is the error of queries that would read more rows than they may. It is ErrBudget.
type OverBudget struct {
	Kept int // days that were read and will not be read again by the next query about them
}

// Error says what happened.
func (e OverBudget) Error() string {
	return fmt.Sprintf("%v: %d days were kept", ErrBudget, e.Kept)
}

// Unwrap returns ErrBudget.
func (e OverBudget) Unwrap() error { return ErrBudget }

// byList reports whether lists can answer the query for whole days. They know no counters, and count whole hours of
// UTC.
func (q Query) byList(buckets []Bucket) bool {
	for _, key := range q.Filter.Keys() {
		switch key {
		case filter.Source, filter.Sentiment, filter.Language, filter.Tag, filter.Relevance, filter.Keyword, filter.Author:
		default:
			return false
		}
	}
	return !slices.Contains(q.Aggregates, Engagement) && !slices.ContainsFunc(buckets, func(b Bucket) bool {
		return !b.Label.Truncate(time.Hour).Equal(b.Label)
	})
}

// bySketch reports whether sketches can answer the query for a day that is in one bucket, and for which keywords. No
// keywords stand for the sketches by source.
func (q Query) bySketch() (keywords []int64, ok bool) {
	other := Source // what the sketches have besides the score
	keywords, ok = q.separated()
	if keywords != nil {
		other = Keyword
	}
	for _, a := range q.Aggregates {
		ok = ok && a != Reach && a != Engagement
	}
	for _, d := range q.Dimensions {
		ok = ok && (d == Relevance || d == other)
	}
	for _, key := range q.Filter.Keys() {
		ok = ok && (key == filter.Relevance || string(key) == string(other))
	}
	return keywords, ok
}

// A rowCount counts the rows of a window for several queries about the same mentions: by summaries of whole days where
// there are any, and by scans.
type rowCount struct {
	limits
	store Store
	all   []*accumulator
	first *accumulator
	days  map[string]*dayCells

	spent   int
	scanned int64
	agree   bool
	kept    int // summaries that were stored

	scanning string // the day of the rows that come
	seen     map[string]*checked
	known    map[string]bool  // days without a summary to come: not over, or with a valid one that does not answer
	lists    map[string]*list // of the other days that are scanned; nil if no summaries are used
}

// scanRows counts the rows of mentions for several queries about the same mentions.
//
// The index of rows may lag behind the table. The workspace's cells do not: they are read consistently. So a scan also
// counts what the cells count, and its figures are exact only if both agree. A summary is stored only then.
func scanRows(ctx context.Context, s *KeptCells, l limits, all []*accumulator) error {
	r := &rowCount{limits: l, store: s, all: all, first: all[0], agree: true}
	from, to := utcDay(r.first.start), utcDay(r.first.end.Add(oneDay-1))
	cells, err := s.cells(ctx, r.first.query.WorkspaceID, 0, from, to)
	if err != nil {
		return err
	}
	r.days = cells.byName()
	summaries, err := r.read(ctx, from, to)
	if err != nil {
		return err
	}
	packed := unpacker{}
	// The newest day first, because numbers of followers are those of an author's newest mention.
	end := to // of the days that are to be scanned
	for day := to.AddDate(0, 0, -1); !day.Before(from); day = day.AddDate(0, 0, -1) {
		content, ok := summaries[day.Format(dayForm)]
		if !ok {
			continue
		}
		found, err := packed.unpack(content)
		if err != nil {
			continue // it is made anew
		}
		if err := r.scan(ctx, day.Add(oneDay), end); err != nil {
			return err
		}
		r.addSummary(day, found)
		for _, a := range all {
			if err := a.holdAuthors(l.held); err != nil {
				return err
			}
		}
		end = day
	}
	if err := r.scan(ctx, from, end); err != nil {
		return err
	}
	for _, a := range all {
		a.scanned += r.scanned
		if !r.agree {
			a.why = lagging
		}
	}
	return nil
}

func utcDay(t time.Time) time.Time { return t.UTC().Truncate(oneDay) }

// whole reports whether the window has all of a day of UTC.
func (r *rowCount) whole(day time.Time) bool {
	return !day.Before(r.first.start) && !day.Add(oneDay).After(r.first.end)
}

// mostExpected bounds the authors for which memory is reserved before they are counted.
const mostExpected = 1 << 15

// read reads the contents of the valid summaries of the window's whole days that answer all queries. There are none if
// a query needs more than summaries have, or if the days have too few mentions to make summaries worth it.
func (r *rowCount) read(ctx context.Context, from, to time.Time) (map[string][]byte, error) {
	mentions := int64(0)
	for day := from; day.Before(to); day = day.AddDate(0, 0, 1) {
		if cells := r.days[day.Format(dayForm)]; cells != nil && r.whole(day) {
			mentions += cells.mentions
		}
	}
	listable := !slices.ContainsFunc(r.all, func(a *accumulator) bool { return !a.query.byList(a.buckets) })
	if mentions < max(1, r.mentions) || !listable {
		return nil, nil
	}
	r.lists, r.known = map[string]*list{}, map[string]bool{}
	stored, err := r.store.Summaries(ctx, r.first.query.WorkspaceID, from, to)
	if err != nil {
		return nil, err
	}
	for day := to.AddDate(0, 0, -1); !day.Before(from) && !r.store.IsOver(day); day = day.AddDate(0, 0, -1) {
		r.known[day.Format(dayForm)] = true
	}
	for _, a := range r.all {
		if a.alone && len(a.tallies) == 0 {
			a.tallies = make(map[string]*tally, min(mentions/4, mostExpected))
		}
	}
	valid, packed := map[string][]byte{}, unpacker{}
	for _, one := range stored {
		name := one.Day.Format(dayForm)
		r.spent += len(one.Content)
		if cells := r.days[name]; cells == nil || !r.whole(one.Day) || string(one.Stamp) != string(cells.stamp()) {
			continue
		}
		if r.usable(one) {
			valid[name] = one.Content
		} else if _, err := packed.unpack(one.Content); err == nil { // a malformed one is made anew
			r.known[name] = true
		}
	}
	return valid, nil
}

// usable reports whether a summary answers all queries.
func (r *rowCount) usable(one mention.Summary) bool {
	if len(one.Content) == 0 || one.Content[0] != sketched {
		return true
	}
	day := one.Day
	return !slices.ContainsFunc(r.all, func(a *accumulator) bool {
		_, ok := a.query.bySketch()
		return !ok || a.buckets != nil && bucketAt(a.buckets, day) != bucketAt(a.buckets, day.Add(oneDay-1))
	})
}

// scan counts the rows of days, and stores the summaries of those that are whole. Between summaries it leaves out days
// without cells at both ends: they have no mentions.
func (r *rowCount) scan(ctx context.Context, from, to time.Time) error {
	for r.lists != nil && from.Before(to) && r.days[from.Format(dayForm)] == nil {
		from = from.AddDate(0, 0, 1)
	}
	for r.lists != nil && from.Before(to) && r.days[to.AddDate(0, 0, -1).Format(dayForm)] == nil {
		to = to.AddDate(0, 0, -1)
	}
	start, end := latest(from, r.first.start), earliest(to, r.first.end)
	if !start.Before(end) {
		return nil
	}
	if r.spent >= r.budget {
		return OverBudget{r.kept}
	}
	r.seen, r.scanning = map[string]*checked{}, ""
	spent, complete, err := r.store.Scan(
		ctx, r.first.query.WorkspaceID, r.first.predicate, start, end, r.budget-r.spent, r.see,
		func(row *filter.Row) {
			for _, a := range r.all {
				a.addRow(row)
			}
		},
	)
	r.spent += spent
	if err != nil {
		return fmt.Errorf("scan mentions: %w", err)
	}
	var made []mention.Summary
	for day := from; day.Before(to); day = day.AddDate(0, 0, 1) {
		name := day.Format(dayForm)
		if !complete && (r.scanning == "" || name <= r.scanning) {
			continue // rows of the day may be left
		}
		cells, seen := r.days[name], r.seen[name]
		if !seen.agrees(cells, day, start, end) {
			r.agree = false
			continue
		}
		if one := r.lists[name]; one != nil && cells != nil && cells.settled() && r.whole(day) {
			content, err := r.pack(one)
			if err != nil {
				return err
			}
			if len(content) <= r.content {
				made = append(made, mention.Summary{Day: day, Stamp: cells.stamp(), Content: content})
			}
		}
		delete(r.lists, name)
	}
	stored, err := r.store.PutSummaries(ctx, r.first.query.WorkspaceID, made)
	r.kept += stored
	if err == nil && !complete {
		return OverBudget{r.kept}
	}
	return err
}

// see counts a row as cells count it, and lists it.
func (r *rowCount) see(row *filter.Row) {
	r.scanned++
	day := row.Timestamp[:len(dayForm)]
	r.scanning = day
	seen := r.seen[day]
	if seen == nil {
		seen = &checked{counts: map[checkKey]int64{}}
		r.seen[day] = seen
	}
	seen.add(row)
	if r.lists == nil || r.known[day] {
		return
	}
	if r.lists[day] == nil {
		r.lists[day] = newList()
	}
	r.lists[day].add(row)
}

// pack returns the content of a day's summary: the list, unless it has too many authors or is too long.
func (r *rowCount) pack(of *list) ([]byte, error) {
	if len(of.authors) <= r.authors {
		if content, err := of.pack(); err != nil || len(content) <= r.content {
			return content, err
		}
	}
	return packSketches(of.sketches())
}

// addSummary counts the mentions of a day by its summary.
func (r *rowCount) addSummary(day time.Time, found summary) {
	r.scanned++
	for _, a := range r.all {
		if found.list != nil {
			a.addList(day, found.list)
		} else {
			a.addSketches(day, found.groups)
		}
	}
}

// cleared returns a slice of n zeros, in the memory of another one if that has room.
func cleared[T any](of []T, n int) []T {
	of = slices.Grow(of[:0], n)[:n]
	clear(of)
	return of
}

// addList counts the mentions of a day.
func (a *accumulator) addList(day time.Time, of *list) {
	var buckets [24]int
	for hour := range buckets {
		if a.buckets != nil {
			buckets[hour] = bucketAt(a.buckets, day.Add(time.Duration(hour)*time.Hour))
		}
	}
	byAuthor, ofAuthor := slices.Contains(a.query.Dimensions, Author),
		slices.Contains(a.query.Filter.Keys(), filter.Author)
	authorsAlone := a.alone && !ofAuthor
	a.states, a.ofAuthors = cleared(a.states, len(of.kinds)), cleared(a.ofAuthors, len(of.authors))
	states, authors := a.states, a.ofAuthors
	row := filter.Row{Timestamp: day.Format(dayForm) + " 00:00:00.000"}
	fill := func(k *kind, author string) {
		row.Source, row.Sentiment, row.Score, row.Language = k.source, mention.Sentiment(k.sentiment), k.score, k.language
		row.Tags, row.KeywordIDs, row.Author = k.tags, k.keywords, ""
		if author != "" {
			row.Author = "@" + author[len(k.source)+1:] // mention.Handle takes one @ away
		}
	}
	var one [1]*tally
	for _, e := range of.entries {
		k, author, bucket := &of.kinds[e.kind], "", buckets[e.hour]
		if e.author >= 0 {
			author = of.authors[e.author]
		}
		state := states[e.kind]
		if state == nil {
			if state = a.listed[k.packed]; state == nil {
				fill(k, "")
				state = &kindState{selected: !ofAuthor && a.predicate.Row(&row)}
				a.listed[k.packed] = state
			}
			states[e.kind] = state
		}
		selected := state.selected
		if ofAuthor {
			fill(k, author)
			selected = a.predicate.Row(&row)
		}
		if !selected {
			continue
		}
		tallies := state.tallies
		switch {
		case authorsAlone && e.author >= 0:
			if authors[e.author] == nil {
				authors[e.author] = a.ofAuthor(author, k.source)
			}
			one[0] = authors[e.author]
			tallies = one[:]
		case byAuthor || ofAuthor:
			fill(k, author)
			tallies = a.talliesOf(&row, bucket)
		case !state.known || state.bucket != bucket:
			fill(k, "")
			tallies = a.talliesOf(&row, bucket)
			state.known, state.bucket, state.tallies = true, bucket, tallies
		}
		if !a.tracks {
			author = ""
		}
		for _, t := range tallies {
			if t.add(mention.Sentiment(k.sentiment), author, e.followers) {
				a.authors++
			}
		}
	}
}

// A kindState is what an accumulator knows of a kind: whether its predicate selects it, and the tallies of the last
// bucket. Neither is known if authors matter to it.
type kindState struct {
	selected bool
	known    bool // whether bucket and tallies are
	bucket   int
	tallies  []*tally
}

// holdAuthors keeps the authors in memory below a bound. It estimates their numbers if the query asks for nothing else
// of them. Otherwise it returns ErrTooManyAuthors.
func (a *accumulator) holdAuthors(most int) error {
	if a.authors <= most {
		return nil
	}
	if slices.Contains(a.query.Dimensions, Author) || slices.Contains(a.query.Aggregates, Reach) {
		return ErrTooManyAuthors
	}
	for t := range maps.Values(a.tallies) {
		if t.author == "" {
			continue
		}
		if t.sketch == nil {
			t.sketch = hyperloglog.New14()
		}
		t.estimate()
		t.author, t.first, t.followers = "", 0, nil
	}
	a.authors, a.estimated = 0, true
	return nil
}

// addSketches counts the mentions of a day that is in one bucket.
func (a *accumulator) addSketches(day time.Time, groups []group) {
	bucket := 0
	if a.buckets != nil {
		bucket = bucketAt(a.buckets, day)
	}
	keywords, _ := a.query.bySketch()
	for i := range groups {
		g := &groups[i]
		row := filter.Row{Timestamp: day.Format(dayForm) + " 00:00:00.000", Source: g.source, Score: g.score, Followers: -1}
		if g.keyword != 0 {
			row.KeywordIDs = []int64{g.keyword}
		}
		asked := keywords == nil && g.keyword == 0 || slices.Contains(keywords, g.keyword)
		if !asked || !a.predicate.Row(&row) {
			continue
		}
		for _, t := range a.talliesOf(&row, bucket) {
			t.Mentions += g.mentions
			t.Negative += g.negative
			t.Judged += g.judged
			if !slices.Contains(a.query.Aggregates, Authors) {
				continue
			}
			a.estimated = true
			if t.sketch == nil {
				t.sketch = hyperloglog.New14()
			}
			// All sketches have the same precision.
			_ = t.sketch.Merge(g.authors)
		}
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
