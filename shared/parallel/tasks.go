// Package parallel runs functions at the same time. A panic in one becomes a panic of the caller.
//
// Any package that works on several things at once imports it.
package parallel

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
)

// Together runs tasks at the same time and waits for all of them. A panic in one is a panic of the caller's, where it
// can be recovered.
func Together(tasks ...func() error) error {
	errs, panics := make([]error, len(tasks)), make([]any, len(tasks))
	run := func(i int) {
		defer func() { panics[i] = recover() }()
		errs[i] = tasks[i]()
	}
	var wait sync.WaitGroup
	for i := range tasks {
		if i == len(tasks)-1 {
			run(i) // here, where the stack has grown already
			break
		}
		wait.Go(func() {
			growStack()
			run(i)
		})
	}
	wait.Wait()
	for _, caught := range panics {
		if caught != nil {
			panic(caught)
		}
	}
	return errors.Join(errs...)
}

// growStack gives a new goroutine a stack of 32 KB at once, as growstack of CockroachDB does. A request of the SDK
// needs it. Otherwise the stack of 2 KB grows four times on the way, and all frames are copied each time.
//
//go:noinline
func growStack() {
	var frame [16 << 10]byte
	runtime.KeepAlive(&frame)
}

// Few runs a task for each number below count, at most so many at the same time, and waits for all of them. Which
// goroutine begins with which task does not depend on the scheduler: the caller begins with the last of the first ones.
// A panic in one is a panic of the caller's, as with Together, and keeps none of the others from being run, as long as
// fewer panic than run at the same time.
func Few(most, count int, task func(i int)) {
	turns := make([]func() error, min(most, count))
	var next atomic.Int64
	next.Store(int64(len(turns)))
	for i := range turns {
		turns[i] = func() error {
			for n := i; n < count; n = int(next.Add(1)) - 1 {
				task(n)
			}
			return nil
		}
	}
	Together(turns...)
}
