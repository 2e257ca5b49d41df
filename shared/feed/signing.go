package feed

import "time"

// A Signing is what is stored of the secrets that sign what webhooks get of a notification, or of a feed. The secrets
// themselves are derived (package delivery), so that no row holds one.
type Signing struct {
	Rotations int64     // how often the secret was replaced
	RotatedAt time.Time // the last time; zero if it never was
}

// Rotated returns the signing after one more rotation.
func (s Signing) Rotated(now time.Time) Signing { return Signing{s.Rotations + 1, now} }
