package fault_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"earshot/shared/embedded/fault"
	"earshot/shared/port/table"
)

// write puts a row by this name, and returns the error or the crash.
func write(rows table.Table, name string) error {
	return crashing(func() error {
		return rows.Put(context.Background(), table.Put{Table: "t", Item: table.Item{"pk": name}})
	})
}

func TestHooks_CalledOnceInTheirPlace(t *testing.T) {
	for _, c := range []struct {
		name string
		hook func(operation string, nth int, call func()) fault.Hook
		want string // what the other writer sees
	}{
		{"before", fault.Before, "1"},
		{"after", fault.After, "2"},
	} {
		inner, seen := &memory{}, ""
		rows := fault.Table(inner, fault.Around(c.hook("put", 2, func() { seen += inner.put["pk"].(string) })))
		for n := range 4 {
			if err := write(rows, fmt.Sprint(n+1)); err != nil {
				t.Fatal(err)
			}
		}
		if seen != c.want {
			t.Errorf("%s the second put: the other writer saw %q, want %q", c.name, seen, c.want)
		}
		other := fault.Table(inner, fault.Around(c.hook("update", 1, func() { t.Errorf("%s: called at a put", c.name) })))
		if err := write(other, "x"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAround_ErrorOfTheHook(t *testing.T) {
	inner, failed := &memory{}, errors.New("failed")
	rows := fault.Table(inner, fault.Around(func(port, operation string, do func() error) error {
		if port != fault.TablePort || operation != "put" {
			t.Errorf("the hook got %s.%s, want table.put", port, operation)
		}
		return errors.Join(do(), failed)
	}))
	if err := write(rows, "a"); !errors.Is(err, failed) || inner.put["pk"] != "a" {
		t.Errorf("Put = %v with the row %v, want the hook's error and the row", err, inner.put)
	}
}

func TestLife_DeadFromTheNthOn(t *testing.T) {
	failed := errors.New("dead")
	for _, c := range []struct {
		after bool
		err   error
		last  string // the last row that is written
	}{
		{true, nil, "2"}, {true, failed, "2"}, {false, nil, "1"}, {false, failed, "1"},
	} {
		inner, life := &memory{}, &fault.Life{Counts: fault.IsWrite, Err: c.err}
		life.DieAt(2, c.after)
		rows := fault.Table(inner, life.Set())
		for n := range 3 {
			err, want := write(rows, fmt.Sprint(n+1)), error(nil)
			if n > 0 {
				want = c.err
				if want == nil {
					want = fault.Crashed{Port: fault.TablePort, Operation: "put"}
				}
			}
			if !errors.Is(err, want) {
				t.Errorf("after %v: write %d = %v, want %v", c.after, n+1, err, want)
			}
		}
		if inner.put["pk"] != c.last {
			t.Errorf("after %v: the last row is %v, want %s", c.after, inner.put["pk"], c.last)
		}
		if !life.Died() || !life.Revive() || life.Died() {
			t.Errorf("after %v: the process is not dead, or not revived", c.after)
		}
		if err := write(rows, "4"); err != nil || inner.put["pk"] != "4" {
			t.Errorf("after %v: the revived process wrote %v, %v", c.after, inner.put["pk"], err)
		}
	}
}

func TestLife_ReadsOfADeadProcess(t *testing.T) {
	life := &fault.Life{Counts: fault.IsWrite, Err: errors.New("dead")}
	life.DieAt(1, true)
	read := func() (string, error) {
		row := func() (string, error) { return "row", nil }
		return fault.Do(t.Context(), life.Set(), fault.TablePort, "get", nil, nil, row)
	}
	if row, err := read(); row != "row" || err != nil {
		t.Errorf("a read before the death = %q, %v", row, err)
	}
	if err := write(fault.Table(&memory{}, life.Set()), "a"); !errors.Is(err, life.Err) {
		t.Errorf("the write = %v, want the death", err)
	}
	if row, err := read(); row != "" || !errors.Is(err, life.Err) {
		t.Errorf("a read after the death = %q, %v", row, err)
	}
}

// Of operations at once exactly so many are done as come before the death.
func TestLife_AtOnce(t *testing.T) {
	life := &fault.Life{Err: errors.New("dead")}
	life.DieAt(5, true)
	set := life.Set()
	var done atomic.Int64
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			fault.Do(t.Context(), set, fault.QueuePort, "send", nil, nil, func() (int64, error) { return done.Add(1), nil })
		})
	}
	group.Wait()
	if done.Load() != 5 {
		t.Errorf("%d operations are done, want 5", done.Load())
	}
}

func TestHooked_NextTransactionOnly(t *testing.T) {
	rows, calls := &fault.Hooked{Table: transacted{}}, 0
	transact := func(want int) {
		t.Helper()
		if err := rows.Transact(t.Context(), table.Transaction{}); err != nil || calls != want || rows.Before != nil {
			t.Errorf("Transact = %v after %d calls, want %d and none left", err, calls, want)
		}
	}
	transact(0)
	for n := range 2 {
		rows.Before = func() { calls++ }
		transact(n + 1)
		transact(n + 1)
	}
}

// transacted is a table whose transactions succeed.
type transacted struct{ table.Table }

func (transacted) Transact(context.Context, table.Transaction) error { return nil }
