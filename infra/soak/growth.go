package main

import (
	"fmt"
	"math"
	"slices"
)

// usage is what the workbench's process uses, as its controls report.
type usage struct {
	Working       int // functions of queues and schedules that run
	Goroutines    int
	HeapBytes     int64
	ResidentBytes *int64
	OpenFiles     *int
}

// A sample is what an idle process uses right after a garbage collection: no request is under way, no connection is
// open, and the queues' and schedules' goroutines wait.
type sample struct {
	usage
	life int // which process, from 0
	age  int // requests that the process has answered
	data int // requests that all processes have answered: the data grows with them
}

// The bounds of growth. They leave room for what comes and goes by itself: a pool that fills, a table that grows by
// doubling, one connection to the database more or less.
const (
	fewGoroutines = 11 // four that wait to run functions, and those of connections that receivers keep open
	fewFiles      = 8
	heapShare     = 0.10    // of an idle heap
	heapLeast     = 6 << 20 // bytes: of a small one
)

// growth is what is judged. The rules:
//
// Goroutines and files. In every process, the idle ones at the end of its life are as many as when it had just started,
// but for a few. One that leaks one in a hundred requests is over that within a minute.
//
// Heap at equal data. The last process, which has lived through a good part of the soak, is idle and measured; then it
// is ended and started again on the same data, asked the same (a post of every client, and the check of every ledger),
// and measured. What the data explains, and what a process that works keeps of it, is in both. The long life may take
// more by heapShare, or heapLeast.
//
// Heap over all lives. Idle heaps are measured again and again, each time after the process has worked; each is, by
// least squares, a base, and so much for each request that this process has answered (a leak), and so much for each
// that any has (the data). The two are told apart by the kills, which end the one and not the other. The leak times the
// longest life may be no more than the same bound. A process that has answered few requests is left out: what it reads
// once, at the first request of a kind, is no leak. With few samples, or without a kill, this rule says nothing.
type growth struct {
	idle        []sample // in the order of time
	long, fresh sample   // at equal data
}

// judge returns what has grown.
func (g growth) judge() (wrong []string) {
	firsts, lasts := map[int]sample{}, map[int]sample{}
	for _, s := range g.idle {
		if _, found := firsts[s.life]; !found {
			firsts[s.life] = s
		}
		lasts[s.life] = s
	}
	for life, last := range lasts {
		first := firsts[life]
		if last.Goroutines > first.Goroutines+fewGoroutines {
			wrong = append(
				wrong,
				fmt.Sprintf(
					"process %d has %d goroutines when idle after %d requests, and had %d at its start", life,
					last.Goroutines, last.age, first.Goroutines,
				),
			)
		}
		if last.OpenFiles != nil && first.OpenFiles != nil && *last.OpenFiles > *first.OpenFiles+fewFiles {
			wrong = append(
				wrong,
				fmt.Sprintf(
					"process %d has %d open files when idle after %d requests, and had %d at its start", life,
					*last.OpenFiles, last.age, *first.OpenFiles,
				),
			)
		}
	}
	slices.Sort(wrong)
	if g.fresh.HeapBytes > 0 && g.long.HeapBytes > g.fresh.HeapBytes+bound(g.fresh.HeapBytes) {
		wrong = append(
			wrong,
			fmt.Sprintf(
				"after %d requests the idle heap is %s, and that of a new process on the same data is %s", g.long.age,
				megabytes(g.long.HeapBytes), megabytes(g.fresh.HeapBytes),
			),
		)
	}
	if leak, longest, known := g.leak(); known {
		if grown := int64(leak * float64(longest)); grown > bound(g.median()) {
			wrong = append(
				wrong,
				fmt.Sprintf(
					"the idle heap grows by %.0f bytes a request beside what the data explains: %s in a life of %d requests",
					leak, megabytes(grown), longest,
				),
			)
		}
	}
	return wrong
}

// bound returns by how much a heap may be larger.
func bound(heap int64) int64 { return max(int64(heapShare*float64(heap)), heapLeast) }

func (g growth) median() int64 {
	heaps := make([]int64, len(g.idle))
	for n, s := range g.idle {
		heaps[n] = s.HeapBytes
	}
	slices.Sort(heaps)
	return heaps[len(heaps)/2]
}

const (
	fewSamples  = 8     // too few for three unknowns and noise
	fewRequests = 1_000 // after so many most kinds have come
)

// leak returns by how many bytes a request enlarges the heap of its process, by least squares over base, age and
// data, and the age of the oldest process. known reports whether the samples suffice.
func (g growth) leak() (bytes float64, oldest int, known bool) {
	lives := map[int]bool{}
	var worked []sample
	for n, s := range g.idle {
		if n == 0 || g.idle[n-1].life != s.life || s.age < fewRequests {
			continue
		}
		lives[s.life], oldest, worked = true, max(oldest, s.age), append(worked, s)
	}
	if len(worked) < fewSamples || len(lives) < 2 {
		return 0, oldest, false
	}
	// The normal equations, with means subtracted: [aa ad; ad dd] (leak, data) = (ah, dh).
	var n, ma, md, mh float64
	for _, s := range worked {
		n, ma, md, mh = n+1, ma+float64(s.age), md+float64(s.data), mh+float64(s.HeapBytes)
	}
	ma, md, mh = ma/n, md/n, mh/n
	var aa, ad, dd, ah, dh float64
	for _, s := range worked {
		a, d, h := float64(s.age)-ma, float64(s.data)-md, float64(s.HeapBytes)-mh
		aa, ad, dd, ah, dh = aa+a*a, ad+a*d, dd+d*d, ah+a*h, dh+d*h
	}
	determinant := aa*dd - ad*ad
	if determinant <= 1e-6*aa*dd || math.IsNaN(determinant) {
		return 0, oldest, false // age and data are one line: no kill has told them apart
	}
	return (ah*dd - dh*ad) / determinant, oldest, true
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20)) }

// The bounds of the log: one record a request, some more for a function that fails, and the stack of one that
// crashes.
const (
	logOfRequest = 3 << 10
	logOfFault   = 48 << 10
	logAtRest    = 1 << 10 // a second, when nobody asks anything: the schedules' records
)

// judgeLog returns a finding if the log has grown beyond what the requests explain.
func judgeLog(bytes int64, requests, faults int) (wrong []string) {
	if most := int64(requests)*logOfRequest + int64(faults)*logOfFault + 1<<20; bytes > most {
		wrong = append(
			wrong, fmt.Sprintf("the log has %s after %d requests and %d faults", megabytes(bytes), requests, faults),
		)
	}
	return wrong
}
