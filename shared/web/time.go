package web

import "time"

// FormatTime returns a time as the contract writes it (section 2): RFC 3339 in UTC, with milliseconds. It returns ""
// for the zero time.
func FormatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}
