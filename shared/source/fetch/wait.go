package fetch

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"earshot/shared/post"
	"earshot/shared/source"
)

// longestWait bounds the wait that a platform can ask for. The platform may be mistaken or hostile.
const longestWait = 24 * time.Hour

// turn waits for the platform's pace. It returns an error at once if the turn would come after the context's deadline,
// or while the platform asked to wait.
func (c *Caller) turn(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	held := c.until.Sub(c.client.clock.Now())
	c.mu.Unlock()
	if held > 0 {
		return &source.Unavailable{
			Source:     c.platform.About.Name,
			Reason:     "asked to be left alone a while ago",
			RetryAfter: held,
		}
	}
	mine := c.pace.Reserve()
	wait := mine.Delay()
	if wait <= 0 {
		return nil
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait {
		mine.Cancel()
		return &source.Unavailable{
			Source:     c.platform.About.Name,
			Reason:     "its pace allows no request in the time left",
			RetryAfter: wait,
		}
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		mine.Cancel()
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Hold sends no requests for the given time, because the platform asked for it. A longer hold that is already in force
// stays.
func (c *Caller) Hold(wait time.Duration) {
	if wait <= 0 {
		return
	}
	until := c.client.clock.Now().Add(min(wait, longestWait))
	c.mu.Lock()
	defer c.mu.Unlock()
	if until.After(c.until) {
		c.until = until
	}
}

// RetryAfter returns how long a response asks to wait, in seconds or by an HTTP date (RFC 9110, section 10.2.3). It
// returns 0 if the header is missing or the time has passed.
func RetryAfter(header http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if value == "" {
		return 0
	}
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		return Seconds(seconds)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(0, at.Sub(now)), longestWait)
}

// Until reads a header that has the end of a limit in seconds since 1970, as X-RateLimit-Reset has at several
// platforms. It returns 0 if the header is missing or the time has passed.
func Until(header http.Header, name string, now time.Time) time.Duration {
	seconds, err := strconv.ParseInt(strings.TrimSpace(header.Get(name)), 10, 64)
	if err != nil {
		return 0
	}
	return Seconds(float64(seconds - now.Unix()))
}

// Unix returns the time of a number of seconds that a platform sent as JSON. It returns the zero time for anything
// else, and for a time that no post can have.
func Unix(value any) time.Time {
	seconds, ok := value.(float64)
	if !ok || !(seconds >= float64(post.Earliest.Unix())) || seconds > 1e11 {
		return time.Time{}
	}
	return time.Unix(int64(seconds), 0).UTC()
}

// Seconds converts a platform's number of seconds to a wait of at most a day. It returns 0 for a number that is not
// positive.
func Seconds(seconds float64) time.Duration {
	if !(seconds > 0) {
		return 0
	}
	if seconds > longestWait.Seconds() {
		return longestWait
	}
	return time.Duration(seconds * float64(time.Second))
}

// HoldUntil holds until the time in a header that Until can read.
func (c *Caller) HoldUntil(header http.Header, name string) {
	c.Hold(Until(header, name, c.client.clock.Now()))
}

// HoldUntilMidnight holds until the day ends in UTC, when daily quotas are renewed.
func (c *Caller) HoldUntilMidnight() {
	now := c.client.clock.Now().UTC()
	c.Hold(now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now))
}
