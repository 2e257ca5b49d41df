package parallel_test

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"earshot/shared/parallel"
)

func TestTogether(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	met := make(chan bool)
	err := parallel.Together(func() error { met <- true; return first }, func() error { <-met; return second },
		func() error { return nil })
	if !errors.Is(err, first) || !errors.Is(err, second) {
		t.Error(err)
	}
	if err := parallel.Together(); err != nil {
		t.Error(err)
	}
	ended := false
	defer func() {
		if caught := recover(); caught != "a mistake" || !ended {
			t.Errorf("caught %v, the other ended: %v", caught, ended)
		}
	}()
	parallel.Together(func() error { panic("a mistake") }, func() error { ended = true; return nil })
}

func TestFew(t *testing.T) {
	var mu sync.Mutex
	running, most, done := 0, 0, map[int]int{}
	count := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		running += n
		most = max(most, running)
	}
	few := func(atOnce, number int, task func(int)) (caught any) {
		running, most, done = 0, 0, map[int]int{}
		synctest.Test(t, func(*testing.T) {
			defer func() { caught = recover() }()
			parallel.Few(atOnce, number, func(i int) {
				count(1)
				defer count(-1)
				time.Sleep(time.Second)
				mu.Lock()
				done[i]++
				mu.Unlock()
				task(i)
			})
		})
		return caught
	}
	for _, c := range []struct{ atOnce, number, want int }{{8, 0, 0}, {8, 3, 3}, {3, 20, 3}, {1, 2, 1}} {
		few(c.atOnce, c.number, func(int) {})
		if most != c.want || len(done) != c.number {
			t.Errorf("%v: at most %d at once, done %v", c, most, done)
		}
	}
	if caught := few(3, 9, func(i int) {
		if i == 1 {
			panic("a mistake")
		}
	}); caught != "a mistake" || len(done) != 9 {
		t.Errorf("caught %v, done %v", caught, done)
	}
}
