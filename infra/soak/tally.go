package main

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// A tally counts what happens. Safe for concurrent use.
type tally struct {
	mu         sync.Mutex
	operations int            // that were due and begun
	requests   int            // sent; an operation is one or more
	classes    map[string]int // answers by class: 2xx, 3xx, 4xx, 429, 5xx, broken
	routes     map[string]int // requests by "METHOD template"
	replays    int            // answers that were given again for an Idempotency-Key
	exports    map[string]int // exports by what became of them
	lateness   []time.Duration
	latency    []time.Duration
}

func newTally() *tally {
	return &tally{classes: map[string]int{}, routes: map[string]int{}, exports: map[string]int{}}
}

func (t *tally) began(late time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.operations++
	t.lateness = append(t.lateness, max(late, 0))
}

func (t *tally) answered(route string, got answer, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests++
	t.routes[route]++
	t.classes[got.class()]++
	if !got.broken {
		t.latency = append(t.latency, took)
	}
	if got.Header.Get("Idempotent-Replayed") != "" {
		t.replays++
	}
}

func (t *tally) exported(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.exports[what]++
}

// quantile returns the q-th quantile of durations, which it sorts; 0 of none.
func quantile(of []time.Duration, q float64) time.Duration {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[min(int(q*float64(len(of))), len(of)-1)].Round(time.Millisecond)
}

// Findings collects what went wrong. It is safe for concurrent use.
type findings struct {
	mu    sync.Mutex
	count int
	first []string // mostFindings of them
}

// mostFindings bounds what is shown: the first findings cause the others.
const mostFindings = 40

func (f *findings) add(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count++; len(f.first) < mostFindings {
		f.first = append(f.first, fmt.Sprintf(format, args...))
	}
}

func (f *findings) none() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.count == 0
}

func (f *findings) shown() (count int, first []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.count, slices.Clone(f.first)
}
