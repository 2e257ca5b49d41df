package main

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/source"
)

// A cost is what one proposal took, from propose to ready.
type cost struct {
	took  time.Duration
	cpu   map[proposal.Stage]time.Duration // of the whole process, the embedded table's and the archive's part included
	asked time.Duration                    // that the archive took to answer, which is no part of the engine
	usage table.Usage
	rows  int // that the run left behind
	bytes int
	calls int // of stages
}

// A stopwatch divides the process's time among stages, which run one after the other.
type stopwatch struct {
	mu    sync.Mutex
	last  time.Duration
	spent map[proposal.Stage]time.Duration
	calls int
}

func newStopwatch() *stopwatch {
	return &stopwatch{last: processorTime(), spent: map[proposal.Stage]time.Duration{}}
}

// at ends the current stage and begins the next: the time since the last call is the last stage's.
func (s *stopwatch) at(stage proposal.Stage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := processorTime()
	s.spent[stage] += now - s.last
	s.last = now
	s.calls++
}

// A timing is sources that record how long they took.
type timing struct {
	sources []source.Source
	mu      sync.Mutex
	sum     time.Duration
}

func newTimed(sources []source.Source) *timing {
	t := &timing{}
	for _, each := range sources {
		t.sources = append(t.sources, &timedSource{each.(*viewed), t})
	}
	return t
}

func (t *timing) took() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sum
}

type timedSource struct {
	*viewed
	to *timing
}

func (s *timedSource) Search(ctx context.Context, q source.Query) (source.Page, error) {
	began := time.Now()
	defer func() {
		s.to.mu.Lock()
		defer s.to.mu.Unlock()
		s.to.sum += time.Since(began)
	}()
	return s.viewed.Search(ctx, q)
}

// middle returns the median of values, and last the largest.
func middle[T cmp.Ordered](values []T) (median, most T) {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2], sorted[len(sorted)-1]
}
