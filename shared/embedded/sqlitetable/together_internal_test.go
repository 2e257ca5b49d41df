package sqlitetable

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"earshot/shared/embedded/sqlitefile"
)

// held returns a writer with a table of numbers, whose turn is held until release is called.
func held(t *testing.T) (w *writer, release func()) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "numbers.db")
	if err := sqlitefile.Make(path, applicationID); err != nil {
		t.Fatal(err)
	}
	w, err := newWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.close(); err != nil {
			t.Error(err)
		}
	})
	err = w.do(t.Context(), func(w *writer) error { return w.exec("CREATE TABLE numbers (n INTEGER)") })
	if err != nil {
		t.Fatal(err)
	}
	<-w.turn
	return w, func() { w.turn <- struct{}{} }
}

// queued waits until so many changes wait.
func (w *writer) queued(t *testing.T, n int) {
	t.Helper()
	for {
		w.mu.Lock()
		waiting := len(w.waiting)
		w.mu.Unlock()
		if waiting == n {
			return
		}
		if t.Context().Err() != nil {
			t.Fatal("the changes do not queue up")
		}
	}
}

func (w *writer) sum(t *testing.T) (sum int) {
	t.Helper()
	err := w.do(t.Context(), func(w *writer) (err error) {
		sum, err = w.number("SELECT COALESCE(SUM(n), 0) FROM numbers")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func insert(n int) func(*writer) error {
	return func(w *writer) error { return w.exec("INSERT INTO numbers VALUES (?)", n) }
}

// Of changes that are committed together, one that fails or panics undoes its own writes only, and its caller alone
// learns of it.
func TestDo_Together(t *testing.T) {
	w, release := held(t)
	wrong := errors.New("wrong")
	var group sync.WaitGroup
	for n := range 3 * maxTogether {
		group.Go(func() {
			defer func() {
				if caught := recover(); (caught != nil) != (n%3 == 2) {
					t.Errorf("change %d panicked with %v", n, caught)
				}
			}()
			err := w.do(t.Context(), func(w *writer) error {
				if err := insert(1)(w); err != nil {
					return err
				}
				switch n % 3 {
				case 1:
					return wrong
				case 2:
					panic(strconv.Itoa(n))
				}
				return nil
			})
			if errors.Is(err, wrong) != (n%3 == 1) {
				t.Errorf("change %d: %v", n, err)
			}
		})
	}
	w.queued(t, 3*maxTogether)
	release()
	group.Wait()
	if sum := w.sum(t); sum != maxTogether {
		t.Errorf("the sum is %d, want %d", sum, maxTogether)
	}
}

// A change whose caller has gone before its turn is not run.
func TestDo_CallerGone(t *testing.T) {
	w, release := held(t)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() { gone <- w.do(ctx, insert(1)) }()
	w.queued(t, 1)
	stays := make(chan error)
	go func() { stays <- w.do(t.Context(), insert(10)) }()
	w.queued(t, 2)
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("do = %v, want context.Canceled", err)
	}
	release()
	if err := <-stays; err != nil {
		t.Error(err)
	}
	if sum := w.sum(t); sum != 10 {
		t.Errorf("the sum is %d, want 10", sum)
	}
}

// If the transaction cannot be committed, every change in it fails.
func TestDo_CommitFails(t *testing.T) {
	w, release := held(t)
	var group sync.WaitGroup
	failures := make([]error, 3)
	for i := range failures {
		group.Go(func() {
			failures[i] = w.do(t.Context(), func(w *writer) error {
				if i == 0 {
					return w.exec("ROLLBACK") // the transaction is gone, as after a full disk
				}
				return insert(1)(w)
			})
		})
	}
	w.queued(t, len(failures))
	release()
	group.Wait()
	for i, err := range failures {
		if err == nil {
			t.Errorf("change %d succeeded", i)
		}
	}
}
