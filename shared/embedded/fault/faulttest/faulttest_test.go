package faulttest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
)

// A ledger is written to through a port of a life.
type ledger struct {
	life    fault.Life
	written []string
}

func (l *ledger) write(text string) error {
	_, err := fault.Do(context.Background(), l.life.Set(), fault.QueuePort, "send", nil, nil, func() (int, error) {
		l.written = append(l.written, text)
		return 0, nil
	})
	return err
}

func (l *ledger) writeAll(texts ...string) error {
	for _, text := range texts {
		if err := l.write(text); err != nil {
			return err
		}
	}
	return nil
}

func TestDie_EachStepOnBothSides(t *testing.T) {
	for _, dead := range []error{nil, errors.New("dead")} {
		var left []string
		faulttest.EachStep(t, 2, func(t *testing.T, step *faulttest.Step) {
			l := ledger{life: fault.Life{Err: dead}}
			err := step.Die(t, &l.life, func() error { return l.writeAll("a", "b") })
			if step.Met != (err != nil) || dead != nil && err != nil && !errors.Is(err, dead) {
				t.Errorf("Die = %v in a process that died: %v", err, step.Met)
			}
			left = append(left, fmt.Sprintf("%v%v", step, l.written))
			if err := l.write("again"); err != nil {
				t.Errorf("write of the revived process = %v", err)
			}
		})
		want := []string{"before 1[]", "before 2[a]", "before 3[a b]", "after 1[a]", "after 2[a b]", "after 3[a b]"}
		if !slices.Equal(left, want) {
			t.Errorf("EachStep left %q, want %q", left, want)
		}
	}
}

func TestCome_EachStepOnBothSides(t *testing.T) {
	var left []string
	failed := errors.New("failed")
	faulttest.EachStep(t, 2, func(t *testing.T, step *faulttest.Step) {
		l := ledger{}
		err, otherErr := step.Come(&l.life, func() error { return l.writeAll("a", "b") },
			func() error { return errors.Join(l.write("other"), failed) })
		if err != nil || !errors.Is(otherErr, failed) {
			t.Errorf("Come = %v, %v, want the other's error", err, otherErr)
		}
		left = append(left, fmt.Sprint(l.written))
	})
	want := []string{"[other a b]", "[a other b]", "[a b other]", "[a other b]", "[a b other]", "[a b other]"}
	if !slices.Equal(left, want) {
		t.Errorf("EachStep left %q, want %q", left, want)
	}
}

func TestCrashing_OtherPanic(t *testing.T) {
	defer func() {
		if value := recover(); value != "other" {
			t.Errorf("the panic is %v, want the operation's", value)
		}
	}()
	_ = faulttest.Crashing(func() error { panic("other") })
}

func TestAtOnce_EachCallOfEach(t *testing.T) {
	var first, second atomic.Int64
	faulttest.AtOnce(10, func(n int) { first.Add(int64(n)) }, func(int) { second.Add(1) })
	if first.Load() != 45 || second.Load() != 10 {
		t.Errorf("AtOnce made %d and %d, want 45 and 10", first.Load(), second.Load())
	}
}
