package web

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"earshot/shared/web/problem"
)

// limiter counts requests by workspace and UTC hour in the store. It only remembers, for this instance, which windows
// are spent, so that further requests of such a workspace cost no write. Requests of one workspace in one instance are
// counted one after the other, so that a flood finds out by a single write. A Lambda instance has one request at a time
// and never waits here.
type limiter struct {
	windows Windows

	mu   sync.Mutex
	hour time.Time
	seen map[string]*window // of the current hour, by workspace
}

type window struct {
	mu    sync.Mutex
	spent bool
}

// allowance is a workspace's state in the window after a request.
type allowance struct {
	remaining int
	reset     time.Time // when the next window opens
	wait      time.Duration
}

// take counts a request. It returns false if the window is spent.
func (l *limiter) take(ctx context.Context, orgID string, now time.Time) (allowance, bool, error) {
	start := now.Truncate(time.Hour)
	standing := allowance{reset: start.Add(time.Hour), wait: start.Add(time.Hour).Sub(now)}
	w := l.window(orgID, start)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.spent {
		return standing, false, nil
	}
	taken, ok, err := l.windows.Take(ctx, orgID, start, HourlyLimit)
	if err != nil {
		return allowance{}, false, fmt.Errorf("count a request: %w", err)
	}
	w.spent = !ok || taken >= HourlyLimit
	standing.remaining = max(0, HourlyLimit-taken)
	return standing, ok, nil
}

// window returns the state of a workspace in the hour that began at start. A clock that was set to another hour, even
// an earlier one, starts anew.
func (l *limiter) window(orgID string, start time.Time) *window {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.hour.Equal(start) {
		l.hour, l.seen = start, map[string]*window{}
	}
	w := l.seen[orgID]
	if w == nil {
		w = &window{}
		l.seen[orgID] = w
	}
	return w
}

// limit counts the request against the workspace's allowance.
func (api *API) limit(ctx context.Context, orgID string, record *record) error {
	standing, ok, err := api.limiter.take(ctx, orgID, api.clock.Now())
	if err != nil {
		return err
	}
	record.allowance = &standing
	if !ok {
		return problem.New(
			problem.RateLimited,
			"The workspace has used its %d requests of this hour. Send the request again after %s.", HourlyLimit,
			standing.reset.Format(time.RFC3339),
		)
	}
	return nil
}

// The remaining-count headers of the search routes ("Limits" in the description).
const (
	searchesRemaining = "x-earshot-searches-remaining"
	mentionsRemaining = "x-earshot-mentions-remaining"
)

// RemainingHeaders names the remaining-count headers, for Operation.Headers.
func RemainingHeaders() []string { return []string{searchesRemaining, mentionsRemaining} }

// SetRemaining sets the remaining-count headers: what the workspace has left of its searches for life, and of the
// month's mentions. Without a number of searches for life, the first header has the requests left in the hour, which
// bound searches too. Negative numbers count as 0.
func SetRemaining(ctx context.Context, searches *int, mentions int) {
	record := recordOf(ctx)
	if record == nil {
		return
	}
	left := 0
	switch {
	case searches != nil:
		left = *searches
	case record.allowance != nil:
		left = record.allowance.remaining
	}
	record.setHeader(searchesRemaining, strconv.Itoa(max(0, left)))
	record.setHeader(mentionsRemaining, strconv.Itoa(max(0, mentions)))
}

// UpgradeRequired makes the problem of the Agents plan's walls, with the ways out.
func UpgradeRequired(ctx context.Context, message string) *problem.Problem {
	return problem.New(problem.UpgradeRequired, "%s", message).
		With("upgradeUrl", BaseURL(ctx)+"/upgrade").With("upgradeCommand", upgradeCommand)
}

// write sets the headers of the allowance: the description's and the IETF draft's
// (draft-ietf-httpapi-ratelimit-headers).
func (a allowance) write(set func(name, value string), limited bool) {
	const limit = "500" // HourlyLimit, which no request has to write again
	seconds := strconv.Itoa(max(1, int(math.Ceil(a.wait.Seconds()))))
	remaining := strconv.Itoa(a.remaining)
	set("X-RateLimit-Limit", limit)
	set("X-RateLimit-Remaining", remaining)
	set("X-RateLimit-Reset", strconv.FormatInt(a.reset.Unix(), 10))
	set("RateLimit-Policy", `"hour";q=`+limit+`;w=3600`)
	set("RateLimit", `"hour";r=`+remaining+`;t=`+seconds)
	if limited {
		set("Retry-After", seconds)
	}
}
