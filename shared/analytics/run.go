package analytics

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/axiomhq/hyperloglog"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

// Store is the part of the store that queries read.
type Store interface {
	// Volumes lists the cells of a workspace, or of one keyword, from the day of start up to, but not including, the
	// day of end.
	Volumes(
		ctx context.Context, orgID string, keywordID int64, start, end time.Time,
	) ([]mention.Volume, error)
	// Scan calls each for the row of every mention that f selects in a time, and all for every row of that time. complete
	// is false if it would read more than budget bytes, of which it has spent some.
	Scan(
		ctx context.Context, orgID string, f *filter.Predicate, start, end time.Time, budget int,
		all, each func(*filter.Row),
	) (spent int, complete bool, err error)
	// Summaries lists the stored summaries from the day of start up to, but not including, the day of end.
	Summaries(ctx context.Context, orgID string, start, end time.Time) ([]mention.Summary, error)
	// IsOver reports whether a day of UTC is over.
	IsOver(day time.Time) bool
	// PutSummaries stores summaries of days that are over, and returns how many those are.
	PutSummaries(ctx context.Context, orgID string, summaries []mention.Summary) (stored int, err error)
	// DayVersions tells states of the cells of days apart, read consistently.
	DayVersions(ctx context.Context, orgID string, start, end time.Time) (mention.DayVersions, error)
	// Digests lists the stored digests of a workspace, or of one keyword, whose first days are from start on and before
	// end.
	Digests(ctx context.Context, orgID string, keywordID int64, start, end time.Time) ([]mention.Digest, error)
	// PutDigests stores digests of a workspace, or of one keyword.
	PutDigests(ctx context.Context, orgID string, keywordID int64, digests []mention.Digest) error
}

// ErrBudget means that the query needs a scan that would read more than ScanBudget bytes.
var ErrBudget = errors.New("analytics: the query would read more than its budget")

// A NotInFiles is the error of an engine that cannot count a query exactly in day files. It is ErrBudget.
type NotInFiles struct {
	Part string // of the query that the engine cannot say, for people
}

// Error names the part of the query.
func (e NotInFiles) Error() string { return "analytics: day files cannot answer " + e.Part }

// Unwrap returns ErrBudget.
func (e NotInFiles) Unwrap() error { return ErrBudget }

// ErrTooManyRows means that the answer, divided by time, would have more than MaxRows rows.
var ErrTooManyRows = errors.New("analytics: the answer would have too many rows")

// ErrTooManyAuthors means that the query would compare more than MaxAuthors authors.
var ErrTooManyAuthors = errors.New("analytics: the query would compare too many authors")

// Run answers queries about the same mentions: those of the first query's workspace, period and filter. It reads cells
// and rows once for all of them. Returns an OverBudget, ErrTooManyRows or
// ErrTooManyAuthors if they ask for too much.
func Run(ctx context.Context, s Store, queries ...Query) ([]Answer, error) {
	return run(ctx, s, usual, queries...)
}

func run(ctx context.Context, s Store, l limits, queries ...Query) ([]Answer, error) {
	cells := keptWithin(s, l)
	all, scanned := make([]*accumulator, len(queries)), []*accumulator{}
	for i, q := range queries {
		q.WorkspaceID, q.Period, q.Filter = queries[0].WorkspaceID, queries[0].Period, queries[0].Filter
		a := newAccumulator(q)
		all[i] = a
		if !a.start.Before(a.end) {
			continue
		}
		keywords, byCells := q.cells(a.buckets)
		if !byCells {
			scanned = append(scanned, a)
			continue
		}
		if err := a.addKeywords(ctx, cells, keywords); err != nil {
			return nil, err
		}
	}
	if len(scanned) > 0 {
		files, _ := s.(DayFiles)
		if kept, is := s.(*KeptCells); is {
			files, _ = kept.Store.(DayFiles)
		}
		if err := countRows(ctx, cells, l, files, scanned); err != nil {
			return nil, err
		}
	}
	answers := make([]Answer, len(all))
	for i, a := range all {
		answers[i] = a.answer()
		if a.buckets != nil && len(answers[i].Rows) > MaxRows { // without buckets, callers keep the first rows
			return nil, ErrTooManyRows
		}
	}
	return answers, nil
}

// Kept returns a store that reads each keyword's cells of a window once, for queries that are answered together.
func Kept(s Store) *KeptCells { return keptWithin(s, usual) }

func keptWithin(s Store, l limits) *KeptCells {
	if keeper, is := s.(interface{ KeptCells() *KeptCells }); is {
		return keeper.KeptCells()
	}
	return &KeptCells{
		Store:    s,
		limits:   l,
		kept:     map[cellsRead]func() (*cellSet, error){},
		versions: map[cellsRead]func() (mention.DayVersions, error){},
	}
}

// KeptCells is a Store with the cells that it has read. A Store that wraps it has a method KeptCells that returns it.
type KeptCells struct {
	Store
	limits   limits
	reading  sync.Mutex
	kept     map[cellsRead]func() (*cellSet, error)
	versions map[cellsRead]func() (mention.DayVersions, error) // of the workspace's days
}

// A cellsRead names the cells of a keyword in a window.
type cellsRead struct {
	orgID      string
	keywordID  int64
	start, end int64 // Unix seconds: cells have whole days
}

// KeptCells returns k.
func (k *KeptCells) KeptCells() *KeptCells { return k }

// cells reads the cells, or returns those that it has read.
func (k *KeptCells) cells(
	ctx context.Context, orgID string, keywordID int64, start, end time.Time,
) (*cellSet, error) {
	wanted := cellsRead{orgID, keywordID, start.Unix(), end.Unix()}
	return once(k, k.kept, wanted, func() (*cellSet, error) {
		return k.readCells(ctx, orgID, keywordID, start, end)
	})
}

// firstVersions reads the versions of days, or returns those that it read first. Cells of all keywords are then read
// after them.
func (k *KeptCells) firstVersions(
	ctx context.Context, orgID string, start, end time.Time,
) (mention.DayVersions, error) {
	return once(k, k.versions, cellsRead{orgID, 0, start.Unix(), end.Unix()}, func() (mention.DayVersions, error) {
		return k.DayVersions(ctx, orgID, start, end)
	})
}

// once reads what is wanted, unless it was read.
func once[T any](
	k *KeptCells, all map[cellsRead]func() (T, error), wanted cellsRead, read func() (T, error),
) (T, error) {
	k.reading.Lock()
	known := all[wanted]
	if known == nil {
		known = sync.OnceValues(read)
		all[wanted] = known
	}
	k.reading.Unlock()
	return known()
}

// An accumulator collects the figures of a query.
type accumulator struct {
	query      Query
	start, end time.Time
	buckets    []Bucket
	groups     [][]int64
	predicate  *filter.Predicate
	tallies    map[string]*tally // by bucket and values
	scanned    int64
	why        string     // why the figures may not be exact
	estimated  bool       // whether numbers of authors are estimated
	row        filter.Row // of the cell that is being counted
	listed     map[string]*kindState
	key        []byte       // of the tally that is being looked up
	tracks     bool         // whether the query asks for authors, so that tallies hold them
	authors    int          // that the tallies hold
	alone      bool         // whether rows are by author alone: the key of a tally is then the author's own
	slabs      [][]tally    // all tallies; the last one has room for more
	values     []Value      // room for values of further tallies
	states     []*kindState // by kind, of the list that is being counted
	ofAuthors  []*tally     // by author, of the list that is being counted, in rows by author alone
}

func newAccumulator(q Query) *accumulator {
	a := &accumulator{
		query:     q,
		groups:    q.KeywordGroups(),
		tallies:   map[string]*tally{},
		listed:    map[string]*kindState{},
		predicate: filter.Compile(q.Filter.Undated()),
	}
	a.start, a.end = q.Window()
	a.alone = len(q.Dimensions) == 1 && q.Dimensions[0] == Author && q.Granularity == ""
	a.tracks = slices.Contains(q.Dimensions, Author) || slices.Contains(q.Aggregates, Authors) ||
		slices.Contains(q.Aggregates, Reach)
	if q.Granularity != "" {
		a.buckets = q.Period.Buckets(q.Granularity)
	}
	return a
}

// A tally is a row that is being counted.
type tally struct {
	Row
	author    string              // the first author, which is the only one in rows by author
	first     int64               // the author's followers
	followers map[string]int64    // by author, of the others
	sketch    *hyperloglog.Sketch // of authors that followers lacks; nil if there are none
}

// eachAuthor calls each for every author that the tally holds by name.
func (t *tally) eachAuthor(each func(author string, followers int64)) {
	if t.author != "" {
		each(t.author, t.first)
	}
	for author, followers := range t.followers {
		each(author, followers)
	}
}

// keyOf returns the key of a bucket and values, which is valid until its next call.
func (a *accumulator) keyOf(bucket int, values []Value) []byte {
	if a.alone && !values[0].Missing {
		a.key = append(append(append(a.key[:0], values[0].Source...), 0), values[0].Text...) // as authorOf
		return a.key
	}
	key := append(a.key[:0], byte(bucket), byte(bucket>>8))
	for _, v := range values {
		if v.Missing {
			key = append(key, "\x00-"...)
			continue
		}
		key = append(append(key, "\x00="...), v.Source...)
		key = append(append(key, 0), v.Text...)
	}
	a.key = key
	return key
}

// at returns the tally of a bucket and values.
func (a *accumulator) at(bucket int, values []Value) *tally {
	key := a.keyOf(bucket, values)
	t := a.tallies[string(key)]
	if t == nil {
		t = a.newTally(bucket, values)
		a.tallies[string(key)] = t
	}
	return t
}

// ofAuthor returns the tally of an author where rows are by author alone.
func (a *accumulator) ofAuthor(author, source string) *tally {
	t := a.tallies[author]
	if t == nil {
		t = a.newTally(0, []Value{{Text: author[len(source)+1:], Source: source}})
		a.tallies[author] = t
	}
	return t
}

// mostInSlab is how many tallies get their memory together.
const mostInSlab = 512

// newTally returns an empty tally. Tallies share few pieces of memory: a year has tens of thousands.
func (a *accumulator) newTally(bucket int, values []Value) *tally {
	last := len(a.slabs) - 1
	if last < 0 || len(a.slabs[last]) == cap(a.slabs[last]) {
		room := 8
		if last >= 0 {
			room = min(2*cap(a.slabs[last]), mostInSlab)
		}
		a.slabs = append(a.slabs, make([]tally, 0, room))
		last++
	}
	if cap(a.values)-len(a.values) < len(values) {
		a.values = make([]Value, 0, max(len(values), min(max(8, 2*cap(a.values)), mostInSlab)))
	}
	from := len(a.values)
	a.values = append(a.values, values...)
	slab := append(a.slabs[last], tally{Row: Row{Bucket: bucket, Values: a.values[from:len(a.values):len(a.values)]}})
	a.slabs[last] = slab
	return &slab[len(slab)-1]
}

func (a *accumulator) answer() Answer {
	if a.estimated {
		a.why = strings.TrimSpace(a.why + " " + estimated)
	}
	answer := Answer{Exact: a.why == "", Why: a.why, Scanned: a.scanned}
	kept := newKept(a.query.Top)
	for _, slab := range a.slabs {
		for i := range slab {
			t := &slab[i]
			if t.Mentions == 0 || a.query.Top > 0 && slices.ContainsFunc(t.Values, func(v Value) bool { return v.Missing }) {
				continue
			}
			t.Authors += t.countAuthors()
			t.eachAuthor(func(_ string, followers int64) { t.Reach += followers })
			answer.Total++
			kept.add(&t.Row)
		}
	}
	answer.Rows = kept.rows()
	return answer
}

// kept are the rows of an answer: all, or the n with the most mentions and the n with the most reach.
type kept struct {
	n                  int // 0 for all
	all                []Row
	mentioned, reached firstRows
}

func newKept(n int) *kept {
	return &kept{n: n, all: []Row{}, mentioned: firstRows{compare: compareRows}, reached: firstRows{compare: compareReach}}
}

func (k *kept) add(row *Row) {
	if k.n == 0 {
		k.all = append(k.all, *row)
		return
	}
	k.mentioned.add(k.n, row)
	k.reached.add(k.n, row)
}

// rows returns the rows in order.
func (k *kept) rows() []Row {
	if k.n > 0 {
		k.all = append(first(k.n, k.mentioned.rows, compareRows), first(k.n, k.reached.rows, compareReach)...)
	}
	slices.SortFunc(k.all, func(x, y Row) int { return compareRows(&x, &y) })
	return slices.CompactFunc(k.all, func(x, y Row) bool { return compareRows(&x, &y) == 0 })
}

// firstRows keeps the first n rows by an order, and some others.
type firstRows struct {
	compare func(x, y *Row) int
	rows    []Row
	full    bool // whether rows begins with n rows in order, which were the first ones when they were sorted
}

// keptAtOnce is how many times n rows are collected before those that are not among the n first are dropped.
const keptAtOnce = 4

func (f *firstRows) add(n int, row *Row) {
	if f.full && f.compare(&f.rows[n-1], row) < 0 {
		return // n others come before it
	}
	if f.rows = append(f.rows, *row); len(f.rows) >= keptAtOnce*n {
		f.rows, f.full = first(n, f.rows, f.compare), true
	}
}

// first returns the first n rows by an order.
func first(n int, rows []Row, compare func(x, y *Row) int) []Row {
	slices.SortFunc(rows, func(x, y Row) int { return compare(&x, &y) })
	return rows[:min(n, len(rows))]
}

// compareRows orders rows by their buckets, then the most mentions first.
func compareRows(x, y *Row) int {
	if by := cmp.Or(cmp.Compare(x.Bucket, y.Bucket), cmp.Compare(y.Mentions, x.Mentions)); by != 0 {
		return by
	}
	return slices.CompareFunc(x.Values, y.Values, compareValues)
}

// compareReach orders rows by their reach, the most first.
func compareReach(x, y *Row) int {
	if by := cmp.Compare(y.Reach, x.Reach); by != 0 {
		return by
	}
	return compareRows(x, y)
}

// countAuthors returns the number of different authors, estimated if some are in a sketch.
func (t *tally) countAuthors() int64 {
	t.estimate()
	if t.sketch != nil {
		return int64(t.sketch.Estimate())
	}
	n := int64(0)
	t.eachAuthor(func(string, int64) { n++ })
	return n
}

// estimate takes the tally's authors into its sketch, if it has one.
func (t *tally) estimate() {
	if t.sketch == nil || t.author == "" {
		return
	}
	t.sketch.Insert([]byte(t.author))
	for author := range t.followers {
		t.sketch.Insert([]byte(author))
	}
}

// compareValues orders values by their texts. A missing value is the last.
func compareValues(x, y Value) int {
	switch {
	case x.Missing != y.Missing && x.Missing:
		return 1
	case x.Missing != y.Missing:
		return -1
	}
	return cmp.Or(cmp.Compare(x.Text, y.Text), cmp.Compare(x.Source, y.Source))
}

// combinations calls each for every combination of one value a dimension.
func combinations(choices [][]Value, each func([]Value)) {
	chosen := make([]Value, len(choices))
	var choose func(int)
	choose = func(n int) {
		if n == len(choices) {
			each(chosen)
			return
		}
		for _, value := range choices[n] {
			chosen[n] = value
			choose(n + 1)
		}
	}
	choose(0)
}
