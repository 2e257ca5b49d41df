// Package fault injects faults into the ports of the local program and of tests. A Set holds the faults, and a
// decorator of each port asks it before every operation.
//
// Only the workbench, tools and tests import it. It never runs in a Lambda.
package fault

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Kind is a way to fail.
type Kind string

// The kinds, as Kinds lists them.
const (
	Throttle Kind = "throttle" // turned away, not done
	Error    Kind = "error"    // not done, and fails
	Lost     Kind = "lost"     // done, but the caller gets an error
	Slow     Kind = "slow"     // done, after a wait
	Crash    Kind = "crash"    // done, and then the caller dies by a panic with a Crashed, before it learns of it
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Throttle, Error, Lost, Slow, Crash} }

// A Fault is a failure to inject. An empty Operation or "*" means any operation of the port.
type Fault struct {
	Port      string `json:"port"`
	Operation string `json:"operation"`
	Fault     Kind   `json:"fault"`
	Times     int    `json:"times"` // how often; 0 means until cleared
}

// Crashed is the value of the panic of a crash.
type Crashed struct{ Port, Operation string }

func (c Crashed) Error() string {
	return fmt.Sprintf("fault: injected crash after %s of the %s", c.Operation, c.Port)
}

// A Set holds faults. Safe for concurrent use.
type Set struct {
	ports map[string][]string // operations by port
	wait  time.Duration
	hook  Hook // nil for none

	mu     sync.Mutex
	faults []Fault
}

// DefaultWait is how long a slow operation waits by default: longer than any healthy one.
const DefaultWait = 2 * time.Second

// NewSet makes an empty set. ports names the operations of each decorated port, such as TablePort with TableOperations.
// wait is how long a slow operation waits.
func NewSet(ports map[string][]string, wait time.Duration) *Set {
	return &Set{ports: ports, wait: wait}
}

// Add appends a fault. Its error lists the allowed values. Of several faults that match an operation, the first
// happens.
func (s *Set) Add(fault Fault) error {
	operations, ok := s.ports[fault.Port]
	if !ok {
		return fmt.Errorf("fault: port %q: must be one of %s", fault.Port, strings.Join(s.portNames(), ", "))
	}
	if fault.Operation == "*" {
		fault.Operation = ""
	}
	known := slices.IndexFunc(operations, func(name string) bool { return strings.EqualFold(name, fault.Operation) })
	switch {
	case known >= 0:
		fault.Operation = operations[known] // people write Get as well as get
	case fault.Operation != "":
		return fmt.Errorf("fault: operation %q of port %s: must be * or one of %s",
			fault.Operation, fault.Port, strings.Join(operations, ", "))
	}
	if kinds := Kinds(); !slices.Contains(kinds, fault.Fault) {
		names := make([]string, len(kinds))
		for i, kind := range kinds {
			names[i] = string(kind)
		}
		return fmt.Errorf("fault: fault %q: must be one of %s", fault.Fault, strings.Join(names, ", "))
	}
	if fault.Times < 0 {
		return fmt.Errorf("fault: times %d: must be 0 or more", fault.Times)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fault)
	return nil
}

func (s *Set) portNames() []string {
	names := make([]string, 0, len(s.ports))
	for name := range s.ports {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Clear takes every fault out.
func (s *Set) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// List returns the faults that are left, with the times that are left.
func (s *Set) List() []Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.faults)
}

// Take counts down one fault for this operation and returns its kind; empty if there is none.
func (s *Set) Take(port, operation string) Kind {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, fault := range s.faults {
		if fault.Port != port || (fault.Operation != "" && fault.Operation != operation) {
			continue
		}
		if fault.Times == 1 {
			s.faults = slices.Delete(s.faults, i, i+1)
		} else if fault.Times > 1 {
			s.faults[i].Times--
		}
		return fault.Fault
	}
	return ""
}

// Wait waits as long as a slow operation does. It returns the context's error if the context ends first.
func (s *Set) Wait(ctx context.Context) error {
	timer := time.NewTimer(s.wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Do runs one operation of a port under the set, in its hook if it has one. throttled and unavailable are the port's
// errors for those faults.
func Do[T any](
	ctx context.Context, set *Set, port, operation string, throttled, unavailable error, do func() (T, error),
) (T, error) {
	var none T
	if set.hook != nil {
		var answer T
		err := set.hook(port, operation, func() (err error) {
			answer, err = do()
			return err
		})
		return answer, err
	}
	kind := set.Take(port, operation)
	switch kind {
	case Throttle:
		return none, fmt.Errorf("fault: injected into %s of the %s: %w", operation, port, throttled)
	case Error:
		return none, fmt.Errorf("fault: injected into %s of the %s: %w", operation, port, unavailable)
	case Slow:
		if err := set.Wait(ctx); err != nil {
			return none, err
		}
	}
	answer, err := do()
	switch {
	case kind == Crash:
		panic(Crashed{port, operation})
	case kind == Lost && ctx.Err() == nil: // whatever its result was
		return none, fmt.Errorf("fault: lost the response to %s of the %s: %w", operation, port, unavailable)
	}
	return answer, err
}
