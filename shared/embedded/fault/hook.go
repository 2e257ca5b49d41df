package fault

import "sync"

// A Hook runs in place of an operation of a port. It calls do to run the operation, and its error is what the caller
// gets.
type Hook func(port, operation string, do func() error) error

// Around makes a set that runs hook in place of every operation. It holds no faults.
func Around(hook Hook) *Set { return &Set{hook: hook} }

// Before calls another writer once, before the nth operation of this name, counted from 1.
func Before(operation string, nth int, call func()) Hook {
	reached := counted(operation, nth)
	return func(_, name string, do func() error) error {
		if reached(name) {
			call()
		}
		return do()
	}
}

// After calls another writer once, after the nth operation of this name, counted from 1.
func After(operation string, nth int, call func()) Hook {
	reached := counted(operation, nth)
	return func(_, name string, do func() error) error {
		now := reached(name)
		err := do()
		if now {
			call()
		}
		return err
	}
}

// counted reports true once, at the nth operation of this name.
func counted(operation string, nth int) func(name string) bool {
	var mu sync.Mutex
	n := 0
	return func(name string) bool {
		if name != operation {
			return false
		}
		mu.Lock()
		defer mu.Unlock()
		n++
		return n == nth
	}
}

// IsWrite reports whether an operation of a port changes something.
func IsWrite(operation string) bool {
	switch operation {
	case "get", "getRange", "batchGet", "query", "link", "account", "search", "count":
		return false
	}
	return true
}
