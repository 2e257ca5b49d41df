package webhook

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter reads the header Retry-After: seconds, or a date (RFC 9110, 10.2.3). It returns 0 for none, for a malformed
// one, and for a date that is over; otherwise at most a year.
func RetryAfter(header string, now time.Time) time.Duration {
	const most = 365 * 24 * time.Hour
	header = strings.TrimSpace(header)
	if header != "" && strings.Trim(header, "0123456789") == "" {
		seconds, err := strconv.ParseInt(header, 10, 64)
		if err != nil || seconds > int64(most/time.Second) { // or more digits than a number can have
			return most
		}
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), most)
}
