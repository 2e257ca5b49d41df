package memflow_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/embedded/memflow"
	"earshot/shared/port/flow"
	"earshot/shared/proposal"
)

// Close aborts what runs and what waits for its turn, tells of each, and returns when nothing runs any more.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		ended, calls, running := map[string]string{}, 0, 0
		f := memflow.New(memflow.Options{
			Stages: []proposal.StageSpec{{Name: "x", Limit: time.Hour, Attempts: 5, Pause: time.Minute},
				{Name: "y", Limit: time.Hour, Attempts: 1}},
			AtOnce: 2,
			Call: func(ctx context.Context, _ proposal.StageSpec, _ []byte) error {
				mu.Lock()
				calls++
				running++
				mu.Unlock()
				<-ctx.Done()
				time.Sleep(time.Second) // what it has in hand
				mu.Lock()
				running--
				mu.Unlock()
				return ctx.Err()
			},
			Ended: func(ctx context.Context, input []byte, status string) {
				if err := ctx.Err(); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Second) // settling what was aborted
				if err := ctx.Err(); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				ended[string(input)] = status
				panic("after all was done")
			},
		})
		want := map[string]string{}
		for i := range 3 {
			input := fmt.Sprint(i)
			want[input] = flow.Aborted
			if err := f.Start(t.Context(), "n"+input, []byte(input)); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		var group sync.WaitGroup
		for range 2 {
			group.Go(f.Close)
		}
		group.Wait()
		if !maps.Equal(ended, want) || calls != 2 || running != 0 {
			t.Errorf("ended %v after %d calls, of which %d run", ended, calls, running)
		}
		for _, name := range []string{"n0", "another"} {
			if err := f.Start(t.Context(), name, []byte(`0`)); !errors.Is(err, flow.ErrUnavailable) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// Executions take turns, and the limit of one begins with its turn.
func TestAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		ends := make(chan string, 5)
		f := memflow.New(memflow.Options{
			Stages: []proposal.StageSpec{{Name: "x", Limit: time.Hour, Attempts: 1}}, AtOnce: 2, Limit: 90 * time.Second,
			Call:  func(context.Context, proposal.StageSpec, []byte) error { time.Sleep(time.Minute); return nil },
			Ended: func(_ context.Context, _ []byte, status string) { ends <- fmt.Sprint(status, " ", time.Since(begun)) },
		})
		defer f.Close()
		for i := range 5 {
			if err := f.Start(t.Context(), fmt.Sprint("n", i), []byte(`{}`)); err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range []string{"1m0s", "1m0s", "2m0s", "2m0s", "3m0s"} {
			if got := <-ends; got != flow.Succeeded+" "+want {
				t.Errorf("%s, want after %s", got, want)
			}
		}
	})
}

// One execution for fifty starts, in what is called too.
func TestStart_OneExecution(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		calls := 0
		f := memflow.New(memflow.Options{
			Stages: []proposal.StageSpec{{Name: "x", Limit: time.Hour, Attempts: 1}},
			Call: func(context.Context, proposal.StageSpec, []byte) error {
				mu.Lock()
				defer mu.Unlock()
				calls++
				return nil
			},
		})
		faulttest.AtOnce(50, func(int) {
			if err := f.Start(t.Context(), "one", []byte(`{}`)); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		if err := f.Start(t.Context(), "one", []byte(`{}`)); err != nil { // when it has ended
			t.Error(err)
		}
		f.Close()
		if calls != 1 {
			t.Errorf("%d calls", calls)
		}
	})
}
