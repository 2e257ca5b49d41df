package apigateway

import "time"

// A crew is goroutines that run functions one after another. A new goroutine has a small stack, and the store's
// statements need a deep one: to let it grow in every request takes a tenth of the request's processor time.
type crew struct {
	idle chan func()   // is received from by each goroutine that waits
	kept chan struct{} // has an element for each of them
}

// crewKept is how many goroutines wait for a function, at most, and crewPatience how long.
const (
	crewKept     = 4
	crewPatience = 10 * time.Second
)

func newCrew() crew { return crew{make(chan func()), make(chan struct{}, crewKept)} }

// do runs a function on a goroutine that waits, or on a new one.
func (c crew) do(function func()) {
	select {
	case c.idle <- function:
	default:
		go c.work(function)
	}
}

func (c crew) work(function func()) {
	patience := time.NewTimer(crewPatience)
	defer patience.Stop()
	for function != nil {
		function()
		function = c.next(patience)
	}
}

// next waits for a function. Returns nil if enough goroutines wait already, or none comes.
func (c crew) next(patience *time.Timer) func() {
	select {
	case c.kept <- struct{}{}:
	default:
		return nil
	}
	defer func() { <-c.kept }()
	patience.Reset(crewPatience)
	select {
	case function := <-c.idle:
		return function
	case <-patience.C:
		return nil
	}
}
