package fault

import "sync"

// A Life is the life of a process, which can be killed at one of its operations on any port. From then on the process
// does nothing: no operation is done until it is revived. A panic alone would be too kind, because deferred calls and
// other goroutines would still write. Instead of its death, another process can come at the operation. Safe for
// concurrent use.
type Life struct {
	Counts func(operation string) bool // selects the operations that count, for example IsWrite; nil counts all
	Err    error                       // the error of a dead process's operations; nil: they panic with Crashed

	mu    sync.Mutex
	made  int // counted operations since DieAt or Revive
	last  int // 0: the process does not die
	after bool
	call  func() // called in place of the death; nil: the process dies
	dead  bool
}

// Set makes the set for the ports of the process. All sets of one life count together.
func (l *Life) Set() *Set { return Around(l.run) }

// DieAt revives the process and kills it at its nth counted operation from now on, the first being 1: after the
// operation is done, or before. With 0 it lives on.
func (l *Life) DieAt(n int, after bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made, l.last, l.after, l.call, l.dead = 0, n, after, nil, false
}

// CallAt revives the process. At its nth counted operation from now on, the first being 1, another writer is called:
// after the operation is done, or before.
func (l *Life) CallAt(n int, after bool, call func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made, l.last, l.after, l.call, l.dead = 0, n, after, call, false
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

// turn is what comes of an operation.
type turn struct {
	skip   bool   // the operation is not done
	dead   bool   // the process is dead after it
	before func() // called before the operation; nil: nothing
	behind func() // called after the operation; nil: nothing
}

// next counts an operation.
func (l *Life) next(operation string) turn {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead {
		return turn{skip: true, dead: true}
	}
	if l.Counts != nil && !l.Counts(operation) {
		return turn{}
	}
	l.made++
	switch {
	case l.made != l.last:
		return turn{}
	case l.call != nil && l.after:
		return turn{behind: l.call}
	case l.call != nil:
		return turn{before: l.call}
	}
	l.dead = true
	return turn{skip: !l.after, dead: true}
}

func (l *Life) run(port, operation string, do func() error) (err error) {
	now := l.next(operation)
	if now.before != nil {
		now.before()
	}
	if !now.skip {
		err = do()
	}
	switch {
	case now.behind != nil:
		now.behind()
	case now.dead && l.Err != nil:
		return l.Err
	case now.dead:
		panic(Crashed{Port: port, Operation: operation})
	}
	return err
}
