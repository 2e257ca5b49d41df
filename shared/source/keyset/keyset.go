// Package keyset pages by time where a platform does not page far enough by itself: it continues below the oldest post
// seen.
//
// Adapters below shared/source import it.
package keyset

import (
	"time"

	"earshot/shared/post"
)

// Back cuts a page that the platform filled, so that what follows neither repeats a post nor passes one over, and
// answers where the window of what follows ends, exclusively. unit is how finely the platform tells time: posts of the
// oldest unit may not all have found room, so they are left to the next page. Only when the whole page is of one unit
// it is kept, and what else there was in that unit is lost. Without posts there is nothing to go on from: the zero
// time.
func Back(posts []post.Post, unit time.Duration) (kept []post.Post, until time.Time) {
	if len(posts) == 0 {
		return nil, time.Time{}
	}
	oldest := posts[0].PostedAt
	for _, p := range posts {
		if p.PostedAt.Before(oldest) {
			oldest = p.PostedAt
		}
	}
	oldest = oldest.Truncate(unit)
	for _, p := range posts {
		if !p.PostedAt.Before(oldest.Add(unit)) {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return posts, oldest
	}
	return kept, oldest.Add(unit)
}

// Ceil is a time's next whole second, itself when it is one: where an exclusive bound is told in seconds.
func Ceil(at time.Time) int64 {
	if at.Nanosecond() > 0 {
		return at.Unix() + 1
	}
	return at.Unix()
}
