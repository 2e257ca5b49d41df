package analytics

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

const oneDay = 24 * time.Hour

// dayForm is how the timestamp of a row begins: its day of UTC.
const dayForm = "2006-01-02"

// The cells of a workspace or of a keyword on a day of UTC.
type dayCells struct {
	counts   []cellCount // by cell
	set      *cellSet    // that the kinds of counts are of
	cells    []mention.Volume
	hash     []byte // the stamp; nil if it is that of cells
	number   int    // of cells
	mentions int64
	sum      int64
	summed   bool // sum is of all mentions
	changed  bool // a cell changed since cells have sums
}

// stamp returns a hash of the day's cells. It differs after every change of what a summary holds of a mention.
//
// Proof: A mention is counted in one cell of its day, and the cell's sum has the mention's filter.Row.Sum, which covers
// all that a summary holds. Each change of a mention takes its old sum from its old cell and adds its new sum to its
// new cell, in the transaction that changes the mention. So the same cells with the same sums have the same mentions,
// unless sums of 40 bits collide, which happens to one of 10^12 changes. A mention that was counted before cells had
// sums is not in the sum, but a change of it is. A cell without mentions is left out: it has nothing to differ in.
func (d *dayCells) stamp() []byte {
	if d == nil {
		return nil
	}
	if d.hash != nil {
		return d.hash
	}
	hash := sha256.New()
	hash.Write([]byte{summaryVersion})
	for _, v := range d.cells {
		score := -1
		if v.Score != nil {
			score = int(*v.Score)
		}
		fmt.Fprintf(hash, "%q %q %d %q %q %d %d\n", v.Source, v.Sentiment, score, v.Language, v.Tags, v.Mentions, v.Sum)
	}
	return hash.Sum(nil)[:stampBytes]
}

const stampBytes = 16

// settled reports whether rows that agree with the day's cells can be stored as its summary. The sums show that an
// index lags, even if as many mentions are in each cell. Cells without sums cannot show it. But if none of them changed
// since cells have sums, no index lags behind them any more.
func (d *dayCells) settled() bool { return d.summed || !d.changed }

// A checkKey is what cells and rows both know of a mention, except its tags.
type checkKey struct {
	hour              string
	source, sentiment string
	score             int
	language          string
	tags              int // how many
}

// A checked counts the rows of a day as cells count them.
type checked struct {
	counts map[checkKey]int64
	sum    int64
}

func (c *checked) add(row *filter.Row) {
	tags := len(slices.Compact(slices.Sorted(slices.Values(row.Tags))))
	c.counts[checkKey{row.Timestamp[:len(hourForm)], strings.ToLower(row.Source), string(row.Sentiment), row.Score,
		row.Language, tags}]++
	c.sum += row.Sum()
}

// hourForm is how the timestamp of a row begins: its hour of UTC.
const hourForm = "2006-01-02 15"

// agrees reports whether the rows of a day are those that its cells count, in the hours between start and end that the
// window holds whole. c is nil if no row was seen, and d if there are no cells.
func (c *checked) agrees(d *dayCells, day, start, end time.Time) bool {
	left := map[checkKey]int64{}
	whole := func(hour time.Time) bool { return !hour.Before(start) && !hour.Add(time.Hour).After(end) }
	if d != nil {
		for _, c := range d.counts {
			if hour := day.Add(time.Duration(c.hour) * time.Hour); whole(hour) {
				k := &d.set.kinds[c.kind]
				left[checkKey{hour.Format(hourForm), k.source, string(k.sentiment), k.score, k.language, len(k.tags)}] += c.mentions
			}
		}
	}
	if c != nil {
		for key, n := range c.counts {
			hour, err := time.Parse(hourForm, key.hour)
			if err != nil {
				return false // no row has such a time
			}
			if whole(hour) {
				left[key] -= n
			}
		}
	}
	for _, n := range left {
		if n != 0 {
			return false
		}
	}
	if d == nil || c == nil || !d.summed || day.Before(start) || day.Add(oneDay).After(end) {
		return true
	}
	return c.sum == d.sum
}
