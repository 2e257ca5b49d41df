package web_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

func TestLimiter_EveryRequestOfWindow(t *testing.T) {
	b := newBench(t)
	for i := range web.HourlyLimit {
		answer := b.Get(t, "/api/v2/who")
		answer.OK(t, nil)
		if got, want := answer.Header.Get("X-RateLimit-Remaining"), fmt.Sprint(web.HourlyLimit-1-i); got != want {
			t.Fatalf("remaining is %s after %d requests", got, i+1)
		}
	}
	b.Get(t, "/api/v2/who").Is(t, 429, "RATE_LIMITED")
}

// takeUntil takes requests from the window by the store alone, until so many are taken.
func takeUntil(t *testing.T, b *bench, until int) {
	t.Helper()
	for {
		taken, ok, err := b.Store.Take(t.Context(), b.Main.ID, worldtest.Now.Truncate(time.Hour), web.HourlyLimit)
		if err != nil || !ok {
			t.Fatalf("Take() = %d, %v, %v, want a request taken", taken, ok, err)
		}
		if taken == until {
			return
		}
	}
}

func TestLimiter_WindowSpentAndTurned(t *testing.T) {
	b := newBench(t)
	takeUntil(t, b, web.HourlyLimit-1)
	last := b.Get(t, "/api/v2/who")
	last.OK(t, nil)
	reset := worldtest.Now.Truncate(time.Hour).Add(time.Hour)
	for name, want := range map[string]string{
		"X-RateLimit-Limit": "500", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": fmt.Sprint(reset.Unix()),
		"RateLimit-Policy": `"hour";q=500;w=3600`, "RateLimit": `"hour";r=0;t=2700`, "Retry-After": "",
	} {
		if got := last.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	turned := b.Get(t, "/api/v2/who")
	turned.Is(t, 429, "RATE_LIMITED")
	if turned.Header.Get("Retry-After") != "2700" || turned.Header.Get("X-RateLimit-Remaining") != "0" ||
		turned.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", turned.Header)
	}
	b.as(b.Write).Get(t, "/api/v2/who").Is(t, 429, "RATE_LIMITED") // all keys of the workspace share it
	b.as(b.OtherKey).Get(t, "/api/v2/who").OK(t, nil)
	b.Clock.Freeze(reset.Add(-time.Nanosecond))
	if got := b.Get(t, "/api/v2/who").Header.Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After is %s a moment before the hour turns", got)
	}
	b.Clock.Freeze(reset)
	b.Get(t, "/api/v2/who").OK(t, nil)
}

// A clock that is set back counts the hour that it shows, even if the later hour is spent.
func TestLimit_ClockSetBack(t *testing.T) {
	b := newBench(t)
	takeUntil(t, b, web.HourlyLimit)
	b.Get(t, "/api/v2/who").Is(t, 429, "RATE_LIMITED")
	b.Clock.Freeze(worldtest.Now.Add(-time.Hour))
	b.Get(t, "/api/v2/who").OK(t, nil)
}

// A master key counts against the workspace that it names, an agency operation against the anchor.
func TestLimiter_MasterKey(t *testing.T) {
	b := newBench(t)
	master := b.as(b.Master)
	remaining := func(answer worldtest.Answer) string {
		answer.OK(t, nil)
		return answer.Header.Get("X-RateLimit-Remaining")
	}
	got := []string{
		remaining(master.Get(t, "/api/v2/who", "x-earshot-organization-id", b.Member.ID)),
		remaining(master.Get(t, "/api/v2/agency")),
		remaining(master.Get(t, "/api/v2/who", "x-earshot-organization-id", b.Anchor.ID)),
		remaining(master.Get(t, "/api/v2/who", "x-earshot-organization-id", b.Member.ID)),
	}
	if fmt.Sprint(got) != "[499 499 498 498]" {
		t.Errorf("remaining: %v", got)
	}
}

// The concurrency of one instance: never one too many.
func TestLimiter_ConcurrentRequests(t *testing.T) {
	b := newBench(t)
	takeUntil(t, b, web.HourlyLimit-50)
	var mu sync.Mutex
	counts := map[int]int{}
	faulttest.AtOnce(120, func(int) {
		answer := b.Get(t, "/api/v2/who")
		mu.Lock()
		defer mu.Unlock()
		counts[answer.Status]++
	})
	if counts[http.StatusOK] != 50 || counts[http.StatusTooManyRequests] != 70 {
		t.Errorf("%v", counts)
	}
}
