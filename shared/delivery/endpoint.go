package delivery

import "time"

const (
	// InFlight is how many attempts at one endpoint run at the same time, so that a slow one holds up nobody else.
	InFlight = 10
	// GivenUpAfter is how long an endpoint may fail without a success before it is disabled.
	GivenUpAfter = 5 * 24 * time.Hour
	// brokenAt is after how many time-outs in a row an endpoint gets one attempt each probeEvery.
	brokenAt   = 5
	probeEvery = time.Minute
)

// A Health is what is known of an endpoint. The zero Health is that of a new one.
type Health struct {
	FailingSince time.Time // the end of the first attempt that failed since the last success; zero if none did
	TimeOuts     int       // in a row, up to now
	LastTry      time.Time // when the last attempt ended
	DisabledAt   time.Time // zero while it is in use
	Gone         bool      // whether it was disabled by its receiver, with 410
}

// After returns the health after an attempt. Attempts may be told of in another order than they ended in. Only a person
// brings a disabled endpoint back. An attempt at people who want no mail, and one that failed on our side, say nothing
// about the endpoint.
func (h Health) After(o Outcome) Health {
	if o.Unwanted || o.Ours {
		return h
	}
	if o.At.After(h.LastTry) {
		h.LastTry = o.At
	}
	if o.TimedOut {
		h.TimeOuts++
	} else {
		h.TimeOuts = 0
	}
	if o.OK() {
		h.FailingSince = time.Time{}
		return h
	}
	if h.FailingSince.IsZero() || o.At.Before(h.FailingSince) {
		h.FailingSince = o.At
	}
	if h.DisabledAt.IsZero() && (o.Gone() || o.At.Sub(h.FailingSince) >= GivenUpAfter) {
		h.DisabledAt, h.Gone = o.At, o.Gone()
	}
	return h
}

// Next returns the earliest moment of the next attempt, from now on: at once, or a minute after the last one where
// attempts timed out. ok is false if the endpoint is disabled.
func (h Health) Next(now time.Time) (at time.Time, ok bool) {
	if !h.DisabledAt.IsZero() {
		return time.Time{}, false
	}
	if probe := h.LastTry.Add(probeEvery); h.TimeOuts >= brokenAt && probe.After(now) {
		return probe, true
	}
	return now, true
}

// Enabled returns the health of an endpoint that a person brings back: that of a new one.
func (h Health) Enabled() Health { return Health{} }

// AtOnce returns how many attempts may be made at the same time: one where attempts timed out.
func (h Health) AtOnce() int {
	if h.TimeOuts >= brokenAt {
		return 1
	}
	return InFlight
}
