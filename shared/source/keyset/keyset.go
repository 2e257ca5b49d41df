// Package keyset pages by time, for platforms whose own pages end too early: it continues below the oldest post seen.
//
// Adapters below shared/source import it.
package keyset

import (
	"time"

	"earshot/shared/post"
)

// Back cuts a full page so that the next page neither repeats nor skips a post. It returns the kept posts and where the
// next window ends, exclusively. unit is the precision of the platform's times. The page may lack posts of its oldest
// unit, so Back leaves that unit to the next page. If all posts are of one unit, Back keeps them, and the unit's other
// posts are lost. Without posts, until is the zero time.
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

// Ceil returns a time in seconds, rounded up. It is for platforms that take an exclusive bound in seconds.
func Ceil(at time.Time) int64 {
	if at.Nanosecond() > 0 {
		return at.Unix() + 1
	}
	return at.Unix()
}
