package analytics

import (
	"context"
	"fmt"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

// A Sampler is the part of the store that Read uses.
type Sampler interface {
	Store
	// Sample reads at most `most` of the mentions that f selects in a time, each with the same chance, and counts all
	// that f selects. It calls all for every row of that time. complete is false if it would read more than budget
	// bytes.
	Sample(
		ctx context.Context, orgID string, f *filter.Predicate, start, end time.Time, budget, most int, all func(*filter.Row),
	) (found []mention.Mention, selected int64, complete bool, err error)
}

// Texts are mentions that were read whole.
type Texts struct {
	Mentions []mention.Mention // all that were selected, or an unbiased sample of them, in no order
	Selected int64             // how many mentions were selected
	Scanned  int64             // rows that were read to select them
	Why      string            // why Selected may not be exact; empty if it is
}

// Read reads mentions that a query selects by its period and filter: all of them, or a sample of `most`. The same
// mentions give the same sample. Returns ErrBudget if that would read more than ScanBudget bytes.
func Read(ctx context.Context, s Sampler, q Query, most int) (texts Texts, err error) {
	a := newAccumulator(q)
	if !a.start.Before(a.end) {
		return texts, nil
	}
	seen, complete := map[checkKey]int64{}, false
	texts.Mentions, texts.Selected, complete, err = s.Sample(
		ctx, q.WorkspaceID, a.predicate, a.start, a.end, ScanBudget, most,
		func(row *filter.Row) {
			texts.Scanned++
			seen[checkOf(row)]++
		},
	)
	switch {
	case err != nil:
		return texts, fmt.Errorf("sample mentions: %w", err)
	case !complete:
		return texts, ErrBudget
	}
	agree, err := a.agrees(ctx, s, seen)
	if !agree || int64(len(texts.Mentions)) < min(texts.Selected, int64(most)) {
		texts.Why = lagging
	}
	return texts, err
}
