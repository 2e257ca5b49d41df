// Package faulttest has the loops of tests about processes that die and about callers that meet. EachStep takes an
// operation apart: Step.Die kills it at each of its steps, and Step.Come has another caller come there. AtOnce runs
// callers at the same moment. Only tests import it.
package faulttest

import (
	"fmt"
	"sync"
	"testing"

	"earshot/shared/embedded/fault"
)

// A Step is one operation on a port within what a trial runs, counted by the life that the trial runs it in.
type Step struct {
	n     int
	after bool
	ran   bool
	Met   bool // the step was reached: the process died there, or the other caller came
}

func (s *Step) String() string {
	if s.after {
		return fmt.Sprint("after ", s.n)
	}
	return fmt.Sprint("before ", s.n)
}

// most is how many steps a trial has at most: one that never ends is a trial that does not run in its life.
const most = 10_000

// EachStep makes a trial of each step, before it takes effect and after it, until a trial does not reach its step. A
// trial builds its world, calls Die or Come once, and checks what must hold. EachStep fails the test if there are fewer
// than so many steps, for then the trial no longer reaches what it is about.
func EachStep(t *testing.T, steps int, trial func(t *testing.T, step *Step)) {
	t.Helper()
	for _, after := range []bool{false, true} {
		for n := 1; ; n++ {
			step := &Step{n: n, after: after}
			t.Run(step.String(), func(t *testing.T) { trial(t, step) })
			switch {
			case !step.ran:
				t.Fatalf("%v: the trial ran nothing", step)
			case n > most:
				t.Fatalf("%v: the trial does not end", step)
			}
			if step.Met {
				continue
			}
			if n <= steps {
				t.Errorf("%d steps, want at least %d", n-1, steps)
			}
			break
		}
	}
}

// Die runs an operation in a life that ends at the step, and revives the process. It returns what killed the operation:
// the error that it returned, or the crash. Die fails the test if the operation fails although the process lives.
func (s *Step) Die(t *testing.T, life *fault.Life, operation func() error) (err error) {
	t.Helper()
	s.ran = true
	life.DieAt(s.n, s.after)
	err = Crashing(operation)
	if s.Met = life.Revive(); !s.Met && err != nil {
		t.Errorf("%v: the operation failed although its process lived: %v", s, err)
	}
	return err
}

// Come runs an operation, and another caller's at the step: the first waits until the other is done. Without the step
// the other comes last. Come returns the error of each. The other stands for another process: if it needs a lock that
// the first holds in memory, both wait for ever.
func (s *Step) Come(life *fault.Life, operation, other func() error) (err, otherErr error) {
	s.ran = true
	life.CallAt(s.n, s.after, func() { s.Met, otherErr = true, other() })
	err = operation()
	life.Revive()
	if !s.Met {
		otherErr = other()
	}
	return err, otherErr
}

// Crashing runs an operation and returns its error, or the crash that it died of. Other panics go on.
func Crashing(operation func() error) (err error) {
	defer func() {
		value := recover()
		crashed, died := value.(fault.Crashed)
		switch {
		case died:
			err = crashed
		case value != nil:
			panic(value)
		}
	}()
	return operation()
}

// AtOnce runs each of the calls n times, all at the same moment, and waits for them. A call gets its number of n.
func AtOnce(n int, calls ...func(n int)) {
	var group sync.WaitGroup
	begin := make(chan struct{})
	for i := range n {
		for _, call := range calls {
			group.Go(func() {
				<-begin
				call(i)
			})
		}
	}
	close(begin)
	group.Wait()
}

// Nth adds a fault of the nth operation that it matches, from 1. The operations before it are well: they are slow, by no
// time at all in a set without a wait.
func Nth(t testing.TB, set *fault.Set, n int, f fault.Fault) {
	t.Helper()
	if n > 1 {
		well := f
		well.Fault, well.Times = fault.Slow, n-1
		Nth(t, set, 1, well)
	}
	if err := set.Add(f); err != nil {
		t.Fatal(err)
	}
}
