package fault_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/port/flow"
	"earshot/shared/source"
)

// searched is a source that counts its searches, and an archive when it says where it ends.
type searched struct{ n int }

func (s *searched) About() source.About { return source.About{Name: "hackernews"} }
func (s *searched) Search(context.Context, source.Query) (source.Page, error) {
	s.n++
	return source.Page{Next: "x"}, nil
}

type ending struct{ *searched }

func (ending) Newest(context.Context) (time.Time, error) { return time.Unix(7, 0), nil }
func (ending) Held(context.Context) (int64, error)       { return 7, nil }

type counted struct{ *searched }

func (c counted) Count(context.Context, source.Query) (source.Count, error) {
	c.n++
	return source.Count{Posts: 12, Exact: true}, nil
}

func (s *searched) Start(context.Context, string, []byte) error { s.n++; return nil }

func engineSet() *fault.Set {
	return fault.NewSet(map[string][]string{
		fault.SourcePort: fault.SourceOperations(),
		fault.FlowPort:   fault.FlowOperations(),
	}, fault.DefaultWait)
}

// A source and a flow go wrong as they are told, once, in their own port's words.
func TestSourceAndFlowFaults(t *testing.T) {
	for port, calls := range map[string]struct {
		operation string
		call      func(ctx context.Context, inner *searched, set *fault.Set) error
		throttled func(error) bool
		failed    func(error) bool
	}{
		fault.SourcePort: {"search", func(ctx context.Context, inner *searched, set *fault.Set) error {
			_, err := fault.Source(inner, set).Search(ctx, source.Query{})
			return err
		}, func(err error) bool {
			var gone *source.Unavailable
			return errors.As(err, &gone) && gone.Source == "hackernews" && gone.RetryAfter > 0
		}, func(err error) bool {
			var gone *source.Unavailable
			return errors.As(err, &gone) && gone.RetryAfter == 0
		}},
		fault.FlowPort: {"start", func(ctx context.Context, inner *searched, set *fault.Set) error {
			return fault.Flow(inner, set).Start(ctx, "n", nil)
		},
			func(err error) bool { return errors.Is(err, flow.ErrThrottled) },
			func(err error) bool { return errors.Is(err, flow.ErrUnavailable) }},
	} {
		for _, c := range []struct {
			kind fault.Kind
			is   func(error) bool
			done bool
		}{
			{fault.Throttle, calls.throttled, false}, {fault.Error, calls.failed, false}, {fault.Lost, calls.failed, true},
			{fault.Slow, func(err error) bool { return err == nil }, true},
			{fault.Crash, func(err error) bool { return errors.Is(err, fault.Crashed{Port: port, Operation: calls.operation}) },
				true},
		} {
			t.Run(port+"/"+string(c.kind), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					set, inner := engineSet(), &searched{}
					if err := set.Add(fault.Fault{Port: port, Operation: "*", Fault: c.kind, Times: 1}); err != nil {
						t.Fatal(err)
					}
					began := time.Now()
					err := crashing(func() error { return calls.call(t.Context(), inner, set) })
					if !c.is(err) || inner.n == 1 != c.done {
						t.Fatalf("%v, done %d times", err, inner.n)
					}
					if slow := time.Since(began) == fault.DefaultWait; slow != (c.kind == fault.Slow) {
						t.Errorf("it took %v", time.Since(began))
					}
					if err := calls.call(t.Context(), inner, set); err != nil {
						t.Errorf("the next one: %v", err)
					}
				})
			})
		}
	}
}

// A source that knows numbers tells them through its faults, and fails at them as it does at searches; another does not
// become one.
func TestSourceCounts(t *testing.T) {
	set, inner := engineSet(), &searched{}
	counter, is := fault.Source(counted{inner}, set).(source.Counter)
	if !is {
		t.Fatal("a source that counts does not any more")
	}
	if err := set.Add(fault.Fault{Port: fault.SourcePort, Operation: "count", Fault: fault.Error, Times: 1}); err != nil {
		t.Fatal(err)
	}
	var gone *source.Unavailable
	if _, err := counter.Count(t.Context(), source.Query{}); !errors.As(err, &gone) || gone.Source != "hackernews" ||
		inner.n != 0 {
		t.Errorf("%v, done %d times", err, inner.n)
	}
	if got, err := counter.Count(t.Context(), source.Query{}); err != nil ||
		got != (source.Count{Posts: 12, Exact: true}) || inner.n != 1 {
		t.Errorf("%v %v", got, err)
	}
	if _, is := fault.Source(inner, set).(source.Counter); is {
		t.Error("a source that does not count does")
	}
}

// An archive stays one behind its faults, and another source does not become one.
func TestSourceEnds(t *testing.T) {
	type archive interface {
		Newest(context.Context) (time.Time, error)
		Held(context.Context) (int64, error)
	}
	set := engineSet()
	if err := set.Add(fault.Fault{Port: fault.SourcePort, Fault: fault.Error}); err != nil {
		t.Fatal(err)
	}
	ends, is := fault.Source(ending{&searched{}}, set).(archive)
	if !is {
		t.Fatal("an archive has no end any more")
	}
	if at, err := ends.Newest(t.Context()); err != nil || !at.Equal(time.Unix(7, 0)) {
		t.Errorf("%v %v", at, err)
	}
	if held, err := ends.Held(t.Context()); err != nil || held != 7 {
		t.Errorf("%d %v", held, err)
	}
	if _, is := fault.Source(&searched{}, set).(archive); is {
		t.Error("a platform has an end")
	}
	if name := fault.Source(&searched{}, set).About().Name; name != "hackernews" {
		t.Errorf("it is called %q", name)
	}
}
