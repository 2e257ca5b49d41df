package fault

import "sync"

// A Life is the life of a process, which can be killed at one of its operations on any port. From then on the process
// does nothing: no operation is done until it is revived. A panic alone would be too kind, because deferred calls and
// other goroutines would still write. Safe for concurrent use.
type Life struct {
	Counts func(operation string) bool // the operations that are counted, such as IsWrite; nil: all
	Err    error                       // what a dead process's operations return; nil: they panic with Crashed

	mu    sync.Mutex
	made  int // counted operations since DieAt or Revive
	last  int // 0: the process does not die
	after bool
	dead  bool
}

// Set makes the set for the ports of the process. All sets of one life count together.
func (l *Life) Set() *Set { return Around(l.run) }

// DieAt revives the process and kills it at its nth counted operation from now on, the first being 1: after the
// operation is done, or before. With 0 it lives on.
func (l *Life) DieAt(n int, after bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made, l.last, l.after, l.dead = 0, n, after, false
}

// Revive begins another life, which does not end. It reports whether the last one did.
func (l *Life) Revive() (died bool) {
	died = l.Died()
	l.DieAt(0, false)
	return died
}

// Died reports whether the process is dead.
func (l *Life) Died() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dead
}

// step counts an operation. It reports whether that is done, and whether the process is dead after it.
func (l *Life) step(operation string) (done, dead bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead {
		return false, true
	}
	if l.Counts != nil && !l.Counts(operation) {
		return true, false
	}
	l.made++
	l.dead = l.made == l.last
	return !l.dead || l.after, l.dead
}

func (l *Life) run(port, operation string, do func() error) (err error) {
	done, dead := l.step(operation)
	if done {
		err = do()
	}
	switch {
	case dead && l.Err != nil:
		return l.Err
	case dead:
		panic(Crashed{Port: port, Operation: operation})
	}
	return err
}
