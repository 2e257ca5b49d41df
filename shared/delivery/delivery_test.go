package delivery_test

import (
	"regexp"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/delivery"
)

var now = time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)

// An event's ID is the same each time, and another one when any part differs, wherever one part ends.
func TestID(t *testing.T) {
	form := regexp.MustCompile(`^evt_[0-9A-HJKMNP-TV-Z]{26}$`)
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.StringMatching(`[ab\x00]{0,3}`)
		draw := func(name string) [4]string {
			return [4]string{part.Draw(t, name), part.Draw(t, name), part.Draw(t, name), part.Draw(t, name)}
		}
		of := func(p [4]string) string { return delivery.ID(now, p[0], p[1], delivery.Type(p[2]), p[3]) }
		x, y := draw("x"), draw("y")
		if rapid.Bool().Draw(t, "equal") {
			y = x
		}
		if !form.MatchString(of(x)) || (of(x) == of(y)) != (x == y) {
			t.Fatalf("%q has the ID %s, and %q has %s", x, of(x), y, of(y))
		}
		later := delivery.ID(now.Add(time.Millisecond), y[0], y[1], delivery.Type(y[2]), y[3])
		if of(x) >= later || of(x) < delivery.Since(now) || later < delivery.Since(now.Add(time.Millisecond)) {
			t.Fatalf("%s and then %s: they do not sort by time", of(x), later)
		}
	})
}

// A receiver that is down is asked ten times within 75 h 35 min and a tenth more. Jitter only lengthens.
func TestState_Attempts(t *testing.T) {
	const least = 75*time.Hour + 35*time.Minute + 5*time.Second
	if delivery.Attempts != 10 {
		t.Errorf("there are %d attempts, want 10", delivery.Attempts)
	}
	rapid.Check(t, func(t *rapid.T) {
		state, tries := delivery.First(now), 0
		last := now
		for state.Status == delivery.Pending {
			if state.Due.Before(last) {
				t.Fatalf("attempt %d is due at %v, before %v", tries+1, state.Due, last)
			}
			last = state.Due
			status := rapid.SampledFrom([]int{0, 301, 400, 404, 429, 500, 503}).Draw(t, "status")
			state = state.After(delivery.Outcome{At: last, Status: status}, rapid.Float64Range(-1, 2).Draw(t, "random"))
			if tries++; tries > 20 {
				t.Fatal("it does not end")
			}
		}
		took := last.Sub(now)
		inTime := least <= took && took <= least*11/10+time.Second
		if tries != delivery.Attempts || state.Status != delivery.Failed || !inTime {
			t.Fatalf("%d attempts within %v, then %s", tries, took, state.Status)
		}
		if again := state.After(delivery.Outcome{At: last, Status: 200}, 0); again != state {
			t.Fatalf("after its end it became %+v", again)
		}
	})
}

func TestState_After(t *testing.T) {
	for name, c := range map[string]struct {
		outcome delivery.Outcome
		want    delivery.Status
		wait    time.Duration
	}{
		"taken":              {delivery.Outcome{Status: 200}, delivery.Delivered, 0},
		"taken without body": {delivery.Outcome{Status: 204}, delivery.Delivered, 0},
		"gone":               {delivery.Outcome{Status: 410, RetryAfter: time.Hour}, delivery.Disabled, 0},
		"moved":              {delivery.Outcome{Status: 301}, delivery.Pending, 5 * time.Second},
		"no response":        {delivery.Outcome{TimedOut: true}, delivery.Pending, 5 * time.Second},
		"asks for an hour":   {delivery.Outcome{Status: 429, RetryAfter: time.Hour}, delivery.Pending, time.Hour},
		"asks for a second":  {delivery.Outcome{Status: 503, RetryAfter: time.Second}, delivery.Pending, 5 * time.Second},
		"asks for a long time": {delivery.Outcome{Status: 429, RetryAfter: 900 * time.Hour}, delivery.Pending,
			24 * time.Hour},
	} {
		c.outcome.At = now
		got := delivery.First(now).After(c.outcome, 0)
		var due time.Time
		if c.want == delivery.Pending {
			due = now.Add(c.wait)
		}
		if got.Status != c.want || got.Tried != 1 || !got.Due.Equal(due) {
			t.Errorf("%s: %+v, want %s, due %v", name, got, c.want, due)
		}
	}
}

// Five days without a success disable an endpoint. One success in between begins the days anew.
func TestHealth_GivenUp(t *testing.T) {
	fails := func(h delivery.Health, after time.Duration) delivery.Health {
		return h.After(delivery.Outcome{At: now.Add(after), Status: 500})
	}
	const day = 24 * time.Hour
	h := fails(fails(delivery.Health{}, 0), 5*day-time.Second)
	if _, ok := h.Next(now.Add(5 * day)); !ok {
		t.Error("it is disabled before five days")
	}
	recovered := fails(h.After(delivery.Outcome{At: now.Add(5*day - time.Millisecond), Status: 200}), 5*day)
	if _, ok := recovered.Next(now.Add(5 * day)); !ok {
		t.Error("it is disabled right after a success")
	}
	h = fails(h, 5*day)
	if _, ok := h.Next(now.Add(6 * day)); ok || h.Gone || !h.DisabledAt.Equal(now.Add(5*day)) {
		t.Errorf("after five days it is %+v", h)
	}
	if again := h.After(delivery.Outcome{At: now.Add(7 * day), Status: 200}); again.DisabledAt.IsZero() {
		t.Error("a late success brought it back")
	}
	if _, ok := h.Enabled().Next(now); !ok {
		t.Error("a person cannot bring it back")
	}
	gone := delivery.Health{}.After(delivery.Outcome{At: now, Status: 410})
	if _, ok := gone.Next(now); ok || !gone.Gone {
		t.Errorf("after 410 it is %+v", gone)
	}
}

// After five time-outs in a row there is one attempt a minute, until one ends in time.
func TestHealth_Breaker(t *testing.T) {
	h := delivery.Health{}
	for n := range 7 {
		if at, ok := h.Next(now); !ok || (n < 5) != at.Equal(now) {
			t.Errorf("after %d time-outs the next attempt is at %v", n, at)
		}
		h = h.After(delivery.Outcome{At: now, TimedOut: true})
	}
	if at, _ := h.Next(now.Add(time.Second)); !at.Equal(now.Add(time.Minute)) {
		t.Errorf("the probe is at %v, want a minute after the last attempt", at)
	}
	if at, _ := h.Next(now.Add(time.Hour)); !at.Equal(now.Add(time.Hour)) {
		t.Errorf("after an hour the probe is at %v, want at once", at)
	}
	h = h.After(delivery.Outcome{At: now.Add(time.Minute), Status: 500})
	if at, _ := h.Next(now.Add(time.Minute)); !at.Equal(now.Add(time.Minute)) {
		t.Errorf("after a response the next attempt is at %v", at)
	}
}
