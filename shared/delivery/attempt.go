package delivery

import "time"

// waits are the times before each attempt, from the one before it: 75 h 35 min in all, so that nothing is lost while a
// receiver is down for three days.
var waits = [...]time.Duration{
	0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour,
	20 * time.Hour, 24 * time.Hour,
}

const (
	// Attempts is how often a delivery is tried at most, unless a person resends it.
	Attempts = len(waits)
	// MaxRetryAfter bounds the wait that a receiver may ask for.
	MaxRetryAfter = 24 * time.Hour
	// jitter is the share of a wait that is added to it at most, so that what failed together is not tried together.
	jitter = 0.1
)

// A Status is how far a delivery is.
type Status string

// The statuses. Only Pending has a next attempt.
const (
	Pending   Status = "pending"
	Delivered Status = "delivered"
	Failed    Status = "failed"   // after the last attempt
	Disabled  Status = "disabled" // its destination was given up, or its people want none
)

// An Outcome is what one attempt came to.
type Outcome struct {
	At         time.Time     // when it ended
	Took       time.Duration // from its beginning
	Status     int           // of the response; 0 without one
	Ended      bool          // whether the receiver is gone for good, whatever its status
	Unwanted   bool          // whether its people do not want the event: it ends, and the receiver stays in use
	Ours       bool          // whether it failed on our side: it says nothing about the receiver
	TimedOut   bool          // whether the receiver took too long
	RetryAfter time.Duration // that the receiver asked for; 0 for none
	Reason     string        // why the receiver, or which part of it, did not take the event, in our own words; or empty
	Response   string        // how the response begins, at most MaxResponse bytes; a stranger wrote it
}

// MaxResponse is how many bytes of a response are kept.
const MaxResponse = 1 << 10

// OK reports whether the receiver took the event: a status from 200 to 299. A redirect is a failure.
func (o Outcome) OK() bool { return o.Status >= 200 && o.Status <= 299 }

// Gone reports whether the receiver wants no more events.
func (o Outcome) Gone() bool { return o.Status == 410 || o.Ended }

// State is what is known of a delivery. The zero State is one that was never tried.
type State struct {
	Status Status // empty is Pending
	Tried  int    // attempts that ended
	Due    time.Time
}

// First returns the state of a new event.
func First(now time.Time) State { return State{Status: Pending, Due: now} }

// After returns the state after an attempt. random is from 0 to 1: it lengthens the wait by up to a tenth, and nothing
// shortens it. A state that is not Pending stays.
func (s State) After(o Outcome, random float64) State {
	if s.Status != Pending && s.Status != "" {
		return s
	}
	s.Tried++
	s.Due = time.Time{}
	switch {
	case o.OK():
		s.Status = Delivered
	case o.Gone(), o.Unwanted:
		s.Status = Disabled
	case s.Tried >= Attempts:
		s.Status = Failed
	default:
		wait := waits[s.Tried]
		wait += time.Duration(float64(wait) * jitter * min(max(random, 0), 1))
		s.Status, s.Due = Pending, o.At.Add(max(wait, min(o.RetryAfter, MaxRetryAfter)))
	}
	return s
}
