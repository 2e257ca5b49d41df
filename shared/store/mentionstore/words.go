package mentionstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// A list whose filter asks for a text that few mentions have passes over days without reading their rows. It reads the
// terms of many days at once (terms.go), and leaps over the days that lack the filter's.
//
// Of other days it reads the words, which lists before it have stored. A day's mentions are cut into blocks of
// neighbours. Each block has the set of its mentions' words, and the list leaps over blocks that lack the filter's.
//
// Ingest writes nothing for that. A list that walks over all rows of a day stores the day's words. They are valid until
// the day has another version: a mention came, or its verdict or its texts changed. An index may lag behind its table
// when it is walked, so words are stored only of rows that agree with the day's cells, in number and in sum.

const (
	blockRows = 128 // mentions of a block
	fewRows   = 100 // days with fewer mentions have no words: their rows are read as fast
	// wordsMost bounds the words of a day in bytes. A day that has more has none.
	wordsMost = 300 << 10
	// How many days' words are read at once: from few to many, while they refuse.
	firstWords = 4
	mostWords  = 64
	// How many rows of terms are read at once: from few to many, while they refuse.
	firstTerms = 4
	mostTerms  = 256
)

// A wordBlock is a part of a day in the order of a list.
type wordBlock struct {
	above string // its mentions are below this moment
	down  string // the moment of its oldest mention, or the day's begin
	words []byte // filter.WordSet; empty if it says nothing
}

// A dayWords is the words of a day, or of its newer part.
type dayWords struct {
	version int64
	reached string // the oldest moment of an unfinished day; empty if the day is whole
	count   int64
	sum     int64  // of filter.Row.Sum of the mentions
	blocks  []byte // as appendBlock writes them
}

func appendBlock(to []byte, down string, words []byte) []byte {
	to = append(binary.AppendUvarint(to, uint64(len(down))), down...)
	return append(binary.AppendUvarint(to, uint64(len(words))), words...)
}

// eachBlock calls each with the blocks of a day, the newest first. above is the moment below which the day begins.
// Returns false if the blocks are not as appendBlock writes them.
func (d dayWords) eachBlock(above string, each func(wordBlock)) bool {
	rest := d.blocks
	next := func() (part []byte, ok bool) {
		length, n := binary.Uvarint(rest)
		if n <= 0 || length > uint64(len(rest)-n) {
			return nil, false
		}
		part, rest = rest[n:n+int(length)], rest[n+int(length):]
		return part, true
	}
	for len(rest) > 0 {
		down, ok := next()
		words, also := next()
		if !ok || !also || string(down) >= above {
			return false
		}
		each(wordBlock{above, string(down), words})
		above = string(down)
	}
	return true
}

// wordWalk is what a walk knows of the words of the days that it comes to.
type wordWalk struct {
	s        *Store
	org      string
	list     string // "relevant" or "all"
	filter   *filter.Predicate
	versions mention.DayVersions
	bottom   time.Time // the first day with a version

	terms    termWalk
	loaded   time.Time // terms and words of days from this one on are known; zero if none are
	ahead    int       // days of the next read of words
	unbilled int       // bytes that were read since they were last counted
	days     map[string]dayWords
	leaps    []wordBlock // the blocks, newest first, that hold nothing the filter takes

	seen  string // the day of the row passed last
	day   string // the day that is being gathered, empty if none is
	made  dayWords
	set   filter.WordSet
	inSet int    // mentions in set
	last  string // the moment gathered last
}

// newWords returns the words for a walk, or nil if they cannot help: the filter may take a mention whatever its words
// are, or the list is not one of days.
func (s *Store) newWords(ctx context.Context, q MentionsQuery) (*wordWalk, error) {
	if q.Filter == nil || q.Author != nil || !q.Filter.Decides() {
		return nil, nil
	}
	if err := s.storeTerms(ctx, q.WorkspaceID); err != nil {
		return nil, err
	}
	until := s.Clock.Now()
	versions, err := s.DayVersions(ctx, q.WorkspaceID, q.Start, until)
	if err != nil || versions.Settled.IsZero() {
		return nil, err
	}
	x := &wordWalk{s: s, org: q.WorkspaceID, list: "relevant", filter: q.Filter, versions: versions, ahead: firstWords}
	if q.All {
		x.list = "all"
	}
	for day := range versions.Of {
		if x.bottom.IsZero() || day.Before(x.bottom) {
			x.bottom = day
		}
	}
	if x.bottom.IsZero() {
		return nil, nil // no day has words
	}
	x.days, x.terms = map[string]dayWords{}, termWalk{ahead: firstTerms, refused: map[time.Time]bool{}}
	return x, nil
}

func dayOf(moment string) (time.Time, bool) {
	if len(moment) < len(rows.DayForm) {
		return time.Time{}, false
	}
	day, err := time.Parse(rows.DayForm, moment[:len(rows.DayForm)])
	return day, err == nil
}

// load reads the terms of the day just below a moment and of days before it, unless they are known. It reads the words
// of the first days whose terms do not refuse them.
func (x *wordWalk) load(ctx context.Context, moment string) error {
	newest := x.s.Today()
	if !x.loaded.IsZero() {
		newest = x.loaded.AddDate(0, 0, -1)
	}
	// A moment that is a day's start is above the day before.
	at, ok := dayOf(moment)
	if len(moment) == len(rows.DayForm) {
		at = at.AddDate(0, 0, -1)
	}
	if ok && at.Before(newest) {
		newest = at
	}
	if !x.loaded.IsZero() && moment > x.loaded.Format(rows.DayForm) || newest.Before(x.bottom) {
		return nil
	}
	if x.terms.from.IsZero() || newest.Before(x.terms.from) {
		if err := x.loadTerms(ctx, newest); err != nil {
			return err
		}
	}
	x.loaded = newest
	for !x.loaded.Before(x.terms.from) && x.terms.refused[x.loaded] {
		x.loaded = x.loaded.AddDate(0, 0, -1)
	}
	newest = x.loaded
	if newest.Before(x.terms.from) {
		x.loaded = x.terms.from
		return nil
	}
	for before := newest; !before.Before(x.terms.from) && !x.terms.refused[before]; before = before.AddDate(0, 0, -1) {
		x.loaded = before
	}
	if !newest.Before(x.versions.Settled) {
		newest = x.versions.Settled.AddDate(0, 0, -1) // later days have no words
	}
	if newest.Before(x.loaded) {
		return nil
	}
	return x.loadWords(ctx, newest)
}

// loadWords reads the words of a day and of days before it, down to loaded, or sets loaded to where it ended.
func (x *wordWalk) loadWords(ctx context.Context, newest time.Time) error {
	page, err := x.s.Table.Query(ctx, table.Query{
		Table:      rows.CountersTable,
		Partition:  x.org,
		From:       x.prefix() + x.loaded.Format(rows.DayForm),
		To:         x.prefix() + newest.Format(rows.DayForm),
		Descending: true,
		Limit:      x.ahead,
	})
	if err != nil {
		return fmt.Errorf("read words of days: %w", err)
	}
	x.ahead = min(2*x.ahead, mostWords)
	if page.Next != nil {
		if at, ok := dayOf(page.Next.Key.Sort[len(x.prefix()):]); ok {
			x.loaded = at
		}
	}
	for _, item := range page.Items {
		x.unbilled += table.Size(item)
		x.know(item)
	}
	x.sortLeaps()
	return nil
}

// sortLeaps puts the newest first. No two have a moment in common.
func (x *wordWalk) sortLeaps() {
	slices.SortFunc(x.leaps, func(a, b wordBlock) int { return strings.Compare(b.above, a.above) })
}

func (x *wordWalk) prefix() string { return rows.SortWords + x.list + "#" }

// know takes over a row of words, if it is valid.
func (x *wordWalk) know(item table.Item) {
	key := table.KeyOf(item).Sort[len(x.prefix()):]
	day, err := time.Parse(rows.DayForm, key)
	known := dayWords{
		version: rows.Integer(item, "version"),
		reached: rows.Text(item, rows.AttrReached),
		count:   rows.Integer(item, "count"),
		sum:     rows.Integer(item, attrSum),
		blocks:  rows.Bytes(item, "content"),
	}
	if err != nil || known.version != x.versions.Of[day] {
		return
	}
	if known.reached != "" {
		x.days[key] = known // to be continued
		return
	}
	var refused []wordBlock
	oldest := "" // the end of the last block
	whole := known.eachBlock(endOf(day), func(b wordBlock) {
		oldest = b.down
		if len(b.words) > 0 && !x.filter.Words(b.words) {
			refused = append(refused, b)
		}
	})
	if !whole {
		return
	}
	x.days[key] = known
	if n := len(refused); n > 0 && refused[n-1].down == oldest {
		refused[n-1].down = key // nothing more is of the day, so that the next day's leap follows
	}
	x.leaps = append(x.leaps, refused...)
}

// endOf returns the moment below which all mentions of a day are.
func endOf(day time.Time) string { return day.AddDate(0, 0, 1).Format(rows.DayForm) }

// leap returns the moment down to which nothing below last is taken: last itself if a row has to be read. next is the
// moment down to which rows have to be read before there may be another leap; empty is all of them.
func (x *wordWalk) leap(last string) (to, next string) {
	for ; len(x.leaps) > 0; x.leaps = x.leaps[1:] {
		switch b := x.leaps[0]; {
		case b.down >= last: // it lies behind
		case b.above >= last:
			last = b.down
		default:
			return last, b.above
		}
	}
	if x.loaded.After(x.bottom) {
		next = x.loaded.Format(rows.DayForm)
	}
	return last, next
}

// gather adds the row that a walk passes to the words of its day. before is the moment of the row before it, or of the
// walk's begin.
func (x *wordWalk) gather(ctx context.Context, row *filter.Row, moment, before string) error {
	day := moment[:len(rows.DayForm)]
	if day != x.seen {
		x.seen = day
		if err := x.finish(ctx); err != nil {
			return err
		}
		if err := x.load(ctx, moment); err != nil {
			return err
		}
		x.begin(day, before)
	}
	if x.day == "" {
		return nil
	}
	x.made.count++
	x.made.sum += row.Sum()
	telling := filter.Telling(row.Words)
	if !telling || x.inSet >= blockRows {
		x.closeBlock()
	}
	if telling {
		x.set.Add(row.Words)
		x.inSet++
	} else {
		x.made.blocks = appendBlock(x.made.blocks, moment, nil)
	}
	x.last = moment
	return nil
}

func (x *wordWalk) closeBlock() {
	if x.inSet > 0 {
		x.made.blocks = appendBlock(x.made.blocks, x.last, x.set.Append(nil))
		x.set, x.inSet = filter.WordSet{}, 0
	}
}

// begin starts to gather a day, or goes on where an earlier list stopped.
func (x *wordWalk) begin(day, before string) {
	x.abandon()
	at, ok := dayOf(day)
	if !ok || !at.Before(x.versions.Settled) {
		return
	}
	known, has := x.days[day]
	_, counted := x.versions.Of[at]
	switch {
	case !counted:
		return // it is not among the days that load reads
	case has && known.reached == "":
		return // it has its words
	case has && known.reached == before:
		x.made = known
	case before >= endOf(at):
		x.made = dayWords{version: x.versions.Of[at]}
	default:
		return
	}
	x.day = day
}

// abandon forgets the day that is being gathered.
func (x *wordWalk) abandon() {
	x.day, x.made = "", dayWords{}
	if x.inSet > 0 {
		x.set, x.inSet = filter.WordSet{}, 0
	}
}

// finish stores the words of the day that was gathered, if the walk has passed all of its rows.
func (x *wordWalk) finish(ctx context.Context) error {
	defer x.abandon()
	if x.day == "" || x.made.count < fewRows {
		return nil
	}
	day, _ := dayOf(x.day)
	x.closeBlock()
	cells, err := x.s.Volumes(ctx, x.org, 0, day, day.AddDate(0, 0, 1))
	if err != nil {
		return err
	}
	var count, sum int64
	for _, cell := range cells {
		if x.list == "relevant" && cell.Score != nil && !cell.Score.Relevant() {
			continue
		}
		if cell.Summed != cell.Mentions || x.list == "relevant" && cell.Score == nil {
			return nil // what is relevant of it, or its sum, is not known
		}
		count, sum = count+cell.Mentions, sum+cell.Sum
	}
	if count != x.made.count || sum != x.made.sum {
		return nil // the index lags
	}
	x.made.reached = ""
	return x.put(ctx)
}

// passed tells that the walk is past all rows from a moment on.
func (x *wordWalk) passed(ctx context.Context, moment string) error {
	if x.day == "" || moment > x.day {
		return nil
	}
	return x.finish(ctx)
}

// pause stores what was gathered of a day when a page ends within it, so that the next page goes on.
func (x *wordWalk) pause(ctx context.Context) error {
	defer x.abandon()
	if x.day == "" || x.made.count == 0 {
		return nil
	}
	x.closeBlock()
	x.made.reached = x.last
	return x.put(ctx)
}

func (x *wordWalk) put(ctx context.Context) error {
	if len(x.made.blocks) > wordsMost {
		return nil
	}
	set := map[string]any{
		"version":             x.made.version,
		"count":               x.made.count,
		attrSum:               x.made.sum,
		"content":             x.made.blocks,
		table.ExpiryAttribute: x.s.Clock.Now().Add(summariesKept).Unix(),
	}
	update := table.Update{
		Table: rows.CountersTable,
		Key:   table.Key{Partition: x.org, Sort: x.prefix() + x.day},
		Set:   set,
	}
	if x.made.reached != "" {
		set[rows.AttrReached] = x.made.reached
	} else {
		update.Remove = []string{rows.AttrReached}
	}
	if _, err := x.s.Table.Update(ctx, update); err != nil && !errors.Is(err, table.ErrTooLarge) {
		return fmt.Errorf("store words of a day: %w", err)
	}
	return nil
}
