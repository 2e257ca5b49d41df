package analytics

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

// A Sampler is the part of the store that Read uses.
type Sampler interface {
	Store
	// Sample reads at most `most` of the mentions that f selects in windows of time, each with the same chance, and
	// counts all that f selects there. A window has its start and not its end. It calls all for every row of the
	// windows. complete is false if it would read more than budget bytes.
	Sample(
		ctx context.Context, orgID string, f *filter.Predicate, windows [][2]time.Time, budget, most int,
		all func(*filter.Row),
	) (found []mention.Mention, selected int64, complete bool, err error)
}

// Texts are mentions that were read whole.
type Texts struct {
	Mentions []mention.Mention // all that were selected, or an unbiased sample of them, in no order
	Selected int64             // how many mentions were selected; an estimate if Why says so
	Scanned  int64             // rows that were read to select them
	Why      string            // why Selected may not be exact; empty if it is
}

// Bounds of the rows that select mentions.
const (
	sampleRows  = 100_000 // a row has some 320 bytes, so that about half of ScanBudget is read
	sampleParts = 256     // of a period that has more rows
)

// Read reads mentions that a query selects by its period and filter: all of them, or a sample of `most`. The same
// mentions give the same sample.
//
// If the period has far more rows than a scan reads, Read takes the rows of parts of the period that a hash chooses,
// and Selected is an estimate. Returns ErrBudget if it would still read more than ScanBudget bytes.
func Read(ctx context.Context, s Sampler, q Query, most int) (Texts, error) {
	return read(ctx, s, q, most, sampleRows)
}

func read(ctx context.Context, s Sampler, q Query, most int, mostRows int64) (texts Texts, err error) {
	a := newAccumulator(q)
	if !a.start.Before(a.end) {
		return texts, nil
	}
	from, to := a.start.UTC().Truncate(oneDay), a.end.UTC().Add(oneDay-1).Truncate(oneDay)
	cells, err := keptWithin(s, usual).cells(ctx, q.WorkspaceID, 0, from, to)
	if err != nil {
		return texts, err
	}
	total := a.total(cells)
	windows, chosen := [][2]time.Time{{a.start, a.end}}, int64(sampleParts)
	if total > mostRows {
		chosen = max(1, sampleParts*mostRows/total)
		windows = parts(a.start, a.end, int(chosen))
	}
	seen, complete := map[string]*checked{}, false
	texts.Mentions, texts.Selected, complete, err = s.Sample(
		ctx, q.WorkspaceID, a.predicate, windows, ScanBudget, most,
		func(row *filter.Row) {
			texts.Scanned++
			day := row.Timestamp[:len(dayForm)]
			if seen[day] == nil {
				seen[day] = &checked{counts: map[checkKey]int64{}}
			}
			seen[day].add(row)
		},
	)
	switch {
	case err != nil:
		return texts, fmt.Errorf("sample mentions: %w", err)
	case !complete:
		return texts, ErrBudget
	}
	if chosen < sampleParts {
		texts.Why = fmt.Sprintf(
			"The period has some %d mentions, too many to select from: %d of %d parts of its time were read.",
			total, chosen, sampleParts,
		)
		texts.Selected = texts.Selected * sampleParts / chosen
		return texts, nil
	}
	days := cells.byName()
	for day := from; day.Before(to); day = day.Add(oneDay) {
		if name := day.Format(dayForm); !seen[name].agrees(days[name], day, a.start, a.end) {
			texts.Why = lagging
		}
	}
	if int64(len(texts.Mentions)) < min(texts.Selected, int64(most)) {
		texts.Why = lagging
	}
	return texts, nil
}

// total counts the mentions of cells in the hours that the window touches.
func (a *accumulator) total(cells *cellSet) (n int64) {
	for day, of := range cells.days {
		for _, c := range of.counts {
			if hour := day.Add(time.Duration(c.hour) * time.Hour); hour.Before(a.end) && hour.Add(time.Hour).After(a.start) {
				n += c.mentions
			}
		}
	}
	return n
}

// parts returns n of sampleParts equal parts of a time, in its order. A hash of where a part begins chooses, so that
// each has the same chance.
func parts(start, end time.Time, n int) [][2]time.Time {
	edge := func(i int) time.Time {
		return start.Add(end.Sub(start) / sampleParts * time.Duration(i)).Truncate(time.Millisecond)
	}
	all := make([][2]time.Time, sampleParts)
	for i := range all {
		all[i] = [2]time.Time{edge(i), edge(i + 1)}
	}
	all[0][0], all[sampleParts-1][1] = start, end
	slices.SortFunc(all, func(a, b [2]time.Time) int { return cmp.Compare(spread(a[0]), spread(b[0])) })
	all = all[:min(n, len(all))]
	slices.SortFunc(all, func(a, b [2]time.Time) int { return a[0].Compare(b[0]) })
	return slices.DeleteFunc(all, func(part [2]time.Time) bool { return !part[0].Before(part[1]) })
}

// spread returns a number that differs much for moments that differ little (SplitMix64).
func spread(t time.Time) uint64 {
	h := uint64(t.UnixMilli()) + 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
