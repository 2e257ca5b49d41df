package fault_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/port/table/tabletest"
)

func newSet() *fault.Set {
	return fault.NewSet(map[string][]string{fault.TablePort: fault.TableOperations()}, fault.DefaultWait)
}

func TestAdd_Invalid(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault fault.Fault
		want  string // "" for none
	}{
		{"any operation", fault.Fault{Port: "table", Fault: fault.Error}, ""},
		{"star", fault.Fault{Port: "table", Operation: "*", Fault: fault.Slow, Times: 3}, ""},
		{"one operation", fault.Fault{Port: "table", Operation: "put", Fault: fault.Crash}, ""},
		{"port", fault.Fault{Port: "tabel", Fault: fault.Error}, "one of table"},
		{"operation", fault.Fault{Port: "table", Operation: "set", Fault: fault.Error}, "one of get, batchGet"},
		{"kind", fault.Fault{Port: "table", Fault: "explode"}, "one of throttle, error, lost, slow, crash"},
		{"times", fault.Fault{Port: "table", Fault: fault.Error, Times: -1}, "0 or more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := newSet().Add(c.fault)
			if (err == nil) != (c.want == "") || (err != nil && !strings.Contains(err.Error(), c.want)) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestTimes_CountDown(t *testing.T) {
	set := newSet()
	if err := set.Add(fault.Fault{Port: "table", Operation: "get", Fault: fault.Throttle, Times: 100}); err != nil {
		t.Fatal(err)
	}
	var taken atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if set.Take("table", "get") != "" {
					taken.Add(1)
				}
				if kind := set.Take("table", "put"); kind != "" {
					t.Error("another operation failed too:", kind)
				}
			}
		})
	}
	group.Wait()
	if taken.Load() != 100 || len(set.List()) != 0 {
		t.Fatalf("taken %d times, left %v", taken.Load(), set.List())
	}
}

func TestFault_UntilCleared(t *testing.T) {
	set := newSet()
	if err := set.Add(fault.Fault{Port: "table", Fault: fault.Error}); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if set.Take("table", "query") != fault.Error {
			t.Fatal("it stopped")
		}
	}
	set.Clear()
	if set.Take("table", "query") != "" {
		t.Fatal("it goes on")
	}
}

// memory is a table that remembers the last put.
type memory struct {
	table.Table
	put table.Item
}

func (m *memory) Put(_ context.Context, put table.Put) error {
	m.put = put.Item
	return nil
}

func TestTableFaults(t *testing.T) {
	put := table.Put{Table: "t", Item: table.Item{"pk": "a", "sk": "b"}}
	for _, c := range []struct {
		kind fault.Kind
		want error
		done bool
	}{
		{fault.Throttle, table.ErrThrottled, false}, {fault.Error, table.ErrUnavailable, false},
		{fault.Lost, table.ErrUnavailable, true}, {fault.Slow, nil, true},
	} {
		t.Run(string(c.kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				set, inner := newSet(), &memory{}
				if err := set.Add(fault.Fault{Port: "table", Fault: c.kind, Times: 1}); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				if err := fault.Table(inner, set).Put(t.Context(), put); !errors.Is(err, c.want) {
					t.Fatalf("got %v, want %v", err, c.want)
				}
				if (inner.put != nil) != c.done {
					t.Fatalf("done: %v", inner.put != nil)
				}
				if waited := time.Since(began); (c.kind == fault.Slow) != (waited == fault.DefaultWait) {
					t.Fatalf("waited %v", waited)
				}
			})
		})
	}
}

func TestSlow_ContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set, inner := newSet(), &memory{}
		if err := set.Add(fault.Fault{Port: "table", Fault: fault.Slow}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := fault.Table(inner, set).Put(ctx, table.Put{Table: "t"})
		if !errors.Is(err, context.DeadlineExceeded) || inner.put != nil {
			t.Fatalf("Put() = %v, stored %v, want the deadline's error and no write", err, inner.put)
		}
	})
}

func TestCrash_AfterWrite(t *testing.T) {
	set, inner := newSet(), &memory{}
	if err := set.Add(fault.Fault{Port: "table", Operation: "put", Fault: fault.Crash, Times: 1}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		crashed, ok := recover().(fault.Crashed)
		if !ok || crashed.Operation != "put" || inner.put == nil {
			t.Fatal("no crash after the write:", crashed, inner.put)
		}
	}()
	_ = fault.Table(inner, set).Put(t.Context(), table.Put{Table: "t", Item: table.Item{"pk": "a"}})
}

// A table with an empty set is the table.
func TestSuite(t *testing.T) {
	now := &clock.Adjustable{}
	tabletest.Run(t, func(t *testing.T, schemas []table.Schema) table.Table {
		inner, err := sqlitetable.Open(filepath.Join(t.TempDir(), "t.db"), schemas, sqlitetable.Options{Clock: now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := inner.Close(); err != nil {
				t.Error(err)
			}
		})
		return fault.Table(inner, newSet())
	}, tabletest.Options{Clock: now})
}
