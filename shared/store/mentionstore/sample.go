package mentionstore

import (
	"container/heap"
	"context"
	"hash/fnv"
	"sync/atomic"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// sampleReads is how many pages of a sample are read at the same time.
const sampleReads = 4

// Sample reads at most `most` of the mentions of a workspace that f selects and that were posted from start on and
// before end, relevant or not. selected counts those. If there are more, each has the same chance to be read, and the
// same mentions are read each time: a hash of a mention's time and id decides. Mentions are in no order. Sample calls
// all for every row of that time, selected or not, newest first. all must not keep the row.
//
// Sample reads at most about budget bytes, as Scan does. complete is false if there is more to read.
func (s *Store) Sample(
	ctx context.Context, orgID string, f *filter.Predicate, start, end time.Time, budget, most int, all func(*filter.Row),
) (found []mention.Mention, selected int64, complete bool, err error) {
	q := MentionsQuery{WorkspaceID: orgID, All: true, Filter: f, Start: start, End: end, Limit: mostFiltered}
	w := s.newWalk(q)
	w.budget = budget
	kept := lowest{most: most}
	var undecided []place // rows whose texts decide
	decide := func() error {
		items, err := s.rowsAt(ctx, undecided, q.promises)
		if err != nil {
			return err
		}
		for i, item := range items {
			if item == nil {
				continue
			}
			w.spent += table.Size(item)
			if m := toMention(item); q.lists(&m) {
				selected++
				kept.add(undecided[i])
			}
		}
		undecided = undecided[:0]
		return nil
	}
	for {
		next, err := w.fill(ctx)
		if err != nil {
			return nil, 0, false, err
		}
		if next == nil {
			break
		}
		row := next.rows[0]
		toRow(row, &w.row)
		all(&w.row)
		if f.Row(&w.row) {
			taken := place{from: next.query.Table, row: row, moment: rows.Text(row, rows.AttrMoment)}
			if !f.NeedsText() {
				selected++
				kept.add(taken)
			} else if undecided = append(undecided, taken); len(undecided) == MaxMentionsPage {
				if err := decide(); err != nil || w.spent > budget {
					return nil, 0, false, err
				}
			}
		}
		w.pass(rows.Text(row, rows.AttrMoment))
	}
	if !w.over() {
		return nil, 0, false, nil
	}
	if err := decide(); err != nil {
		return nil, 0, false, err
	}
	found, complete, err = s.sampled(ctx, q, kept.places(), budget-w.spent)
	return found, selected, complete, err
}

// sampled reads the mentions at places. A mention that no longer is what its row said is left out. complete is false if
// they have more than budget bytes.
func (s *Store) sampled(ctx context.Context, q MentionsQuery, places []place, budget int) ([]mention.Mention, bool, error) {
	pages := (len(places) + MaxMentionsPage - 1) / MaxMentionsPage
	read, errs := make([][]mention.Mention, pages), make([]error, pages)
	var spent atomic.Int64
	parallel.Few(sampleReads, pages, func(i int) {
		if spent.Load() > int64(budget) {
			return
		}
		items, err := s.rowsAt(ctx, places[i*MaxMentionsPage:min(len(places), (i+1)*MaxMentionsPage)], q.promises)
		errs[i] = err
		for _, item := range items {
			if item == nil {
				continue
			}
			spent.Add(int64(table.Size(item)))
			if m := toMention(item); q.lists(&m) {
				read[i] = append(read[i], m)
			}
		}
	})
	var found []mention.Mention
	for i, page := range read {
		if errs[i] != nil {
			return nil, false, errs[i]
		}
		found = append(found, page...)
	}
	return found, spent.Load() <= int64(budget), nil
}

// lowest keeps the places whose hashes are the lowest (bottom-k sampling: Cohen and Kaplan 2007).
type lowest struct {
	most   int
	hashed []hashedPlace // a heap, the highest first
}

type hashedPlace struct {
	hash uint64
	place
}

func (l *lowest) add(p place) {
	one := hashedPlace{hashOf(p.moment), p}
	switch {
	case len(l.hashed) < l.most:
		heap.Push(l, one)
	case l.most > 0 && one.less(l.hashed[0]):
		l.hashed[0] = one
		heap.Fix(l, 0)
	}
}

func (l *lowest) places() []place {
	out := make([]place, len(l.hashed))
	for i, one := range l.hashed {
		out[i] = one.place
	}
	return out
}

func (h hashedPlace) less(other hashedPlace) bool {
	return h.hash < other.hash || h.hash == other.hash && h.moment < other.moment
}

// hashOf returns a hash of a moment. The last steps (SplitMix64) spread moments that differ in their last digits only.
func hashOf(moment string) uint64 {
	digest := fnv.New64a()
	digest.Write([]byte(moment))
	h := digest.Sum64()
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// Len, Less, Swap, Push and Pop make the places a heap.
func (l *lowest) Len() int           { return len(l.hashed) }
func (l *lowest) Less(i, j int) bool { return l.hashed[j].less(l.hashed[i]) }
func (l *lowest) Swap(i, j int)      { l.hashed[i], l.hashed[j] = l.hashed[j], l.hashed[i] }
func (l *lowest) Push(x any)         { l.hashed = append(l.hashed, x.(hashedPlace)) }
func (l *lowest) Pop() any {
	last := l.hashed[len(l.hashed)-1]
	l.hashed = l.hashed[:len(l.hashed)-1]
	return last
}
