package apigateway

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// Goroutines that have run a function run the next ones. No more of them wait than the crew keeps, and none for long.
// Functions that end their goroutine take nothing from the crew.
func TestCrew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		crew := newCrew()
		for _, c := range []struct {
			count         int
			function      func()
			waiting, left int // goroutines without a function, while count functions run and after that
		}{
			{1, func() {}, 0, 1},
			{1, func() {}, 0, 1},
			{3, func() {}, 0, 3},
			{2, func() {}, 1, 3},
			{2 * crewKept, func() {}, 0, crewKept},
			{crewKept - 1, runtime.Goexit, 1, 1},
			{2, func() {}, 0, 2},
		} {
			release := make(chan struct{})
			for range c.count {
				crew.do(func() {
					<-release
					c.function()
				})
				synctest.Wait()
			}
			waiting := len(crew.kept)
			close(release)
			synctest.Wait()
			if left := len(crew.kept); waiting != c.waiting || left != c.left {
				t.Errorf("%d at once: %d wait meanwhile and %d after it, want %d and %d",
					c.count, waiting, left, c.waiting, c.left)
			}
		}
		time.Sleep(crewPatience)
		synctest.Wait()
		if left := len(crew.kept); left != 0 {
			t.Errorf("%d goroutines wait after %s", left, crewPatience)
		}
	})
}
