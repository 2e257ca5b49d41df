package web

import "time"

// FormatTime writes a time as the contract does (section 2): RFC 3339 in UTC, with milliseconds; empty for the zero time.
func FormatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}
