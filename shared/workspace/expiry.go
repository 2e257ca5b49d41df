package workspace

import "time"

// Expiry is how long a new key is good, by the contract's names.
type Expiry string

// The expiries.
const (
	In30Days Expiry = "30d"
	In90Days Expiry = "90d"
	InAYear  Expiry = "1y"
	Never    Expiry = "never"
)

// End returns when a key that is made now ends; the zero time for never. A year ends on the same day of the next year,
// whatever its length.
func (e Expiry) End(now time.Time) time.Time {
	switch e {
	case In30Days:
		return now.AddDate(0, 0, 30)
	case In90Days:
		return now.AddDate(0, 0, 90)
	case InAYear:
		return now.AddDate(1, 0, 0)
	}
	return time.Time{}
}
