// Package clock is the port to the time of day. Any package that reads the time takes a Clock, so that tests and the
// workbench can turn it. Only mains name System.
package clock

import (
	"sync"
	"time"
)

// A Clock tells the time in UTC. Implementations are safe for concurrent use.
type Clock interface {
	Now() time.Time
}

// System is the machine's clock.
type System struct{}

// Now returns the machine's time in UTC.
func (System) Now() time.Time { return time.Now().UTC() }

// Adjustable is a clock that can be set and runs on from there. Until it is set, it shows the machine's time. The zero
// value is ready.
type Adjustable struct {
	mu     sync.RWMutex
	offset time.Duration
	frozen time.Time
}

// Now returns the adjusted time in UTC.
func (c *Adjustable) Now() time.Time {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if !c.frozen.IsZero() {
		return c.frozen
	}
	return time.Now().UTC().Add(c.offset)
}

// Set sets the clock, which runs on from there. The zero time returns it to the machine's time.
func (c *Adjustable) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frozen, c.offset = time.Time{}, 0
	if !now.IsZero() {
		c.offset = time.Until(now)
	}
}

// Freeze makes now the present and keeps it so until the next Set or Freeze.
func (c *Adjustable) Freeze(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frozen = now.UTC()
}
