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

// Sample reads at most `most` of the mentions of a workspace that f selects and that were posted in one of the windows,
// relevant or not. A window has its start and not its end; windows do not overlap. selected counts what f selects. If
// there are more, each has the same chance to be read, and the same mentions are read each time: a hash of a mention's
// time and id decides. Mentions are in no order. Sample calls all for every row of the windows, selected or not. all
// must not keep the row.
//
// Sample reads at most about budget bytes, as Scan does. complete is false if there is more to read.
func (s *Store) Sample(
	ctx context.Context, orgID string, f *filter.Predicate, windows [][2]time.Time, budget, most int,
	all func(*filter.Row),
) (found []mention.Mention, selected int64, complete bool, err error) {
	sample := sampling{store: s, filter: f, budget: budget, all: all, kept: lowest{most: most}}
	for _, window := range windows {
		complete, err := sample.window(
			ctx, MentionsQuery{WorkspaceID: orgID, All: true, Filter: f, Start: window[0], End: window[1], Limit: mostFiltered},
		)
		if err != nil || !complete {
			return nil, 0, false, err
		}
	}
	q := MentionsQuery{WorkspaceID: orgID, All: true, Filter: f}
	found, complete, err = s.sampled(ctx, q, sample.kept.places(), budget-sample.spent)
	return found, sample.selected, complete, err
}

// A sampling is a sample that is being drawn.
type sampling struct {
	store    *Store
	filter   *filter.Predicate
	budget   int
	spent    int // bytes that were read
	all      func(*filter.Row)
	kept     lowest
	selected int64
}

// window draws from the mentions of a window. complete is false if there is more to read.
func (sample *sampling) window(ctx context.Context, q MentionsQuery) (complete bool, err error) {
	w := sample.store.newWalk(q)
	w.budget, w.spent = sample.budget, sample.spent
	defer func() { sample.spent = w.spent }()
	var undecided []place // rows whose texts decide
	decide := func() error {
		items, err := sample.store.rowsAt(ctx, undecided, q.promises)
		for i, item := range items {
			if item == nil {
				continue
			}
			w.spent += table.Size(item)
			if m := toMention(item); q.lists(&m) {
				sample.add(undecided[i])
			}
		}
		undecided = undecided[:0]
		return err
	}
	for {
		next, err := w.fill(ctx)
		if err != nil {
			return false, err
		}
		if next == nil {
			break
		}
		row := next.rows[0]
		toRow(row, &w.row)
		sample.all(&w.row)
		if sample.filter.Row(&w.row) {
			taken := place{from: next.query.Table, row: row, moment: rows.Text(row, rows.AttrMoment)}
			if !sample.filter.NeedsText() {
				sample.add(taken)
			} else if undecided = append(undecided, taken); len(undecided) == MaxMentionsPage {
				if err := decide(); err != nil || w.spent > w.budget {
					return false, err
				}
			}
		}
		w.pass(rows.Text(row, rows.AttrMoment))
	}
	return w.over(), decide()
}

func (sample *sampling) add(p place) {
	sample.selected++
	sample.kept.add(p)
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
