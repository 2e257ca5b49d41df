package keyword

import "time"

// LookBack is how far a new keyword looks back. The mentions of these days are free of the month's quota.
const LookBack = 7 * 24 * time.Hour

// LookedBack reports whether a post is of the days that a new keyword looks back: one of the keywords that match it was
// made at most LookBack after it was posted, and none of them was there before.
func LookedBack(posted time.Time, matched []*Keyword) (looked bool) {
	for _, k := range matched {
		age := k.CreatedAt.Sub(posted)
		if age <= 0 {
			return false
		}
		looked = looked || age <= LookBack
	}
	return looked
}
