package search

import (
	"cmp"
	"slices"
	"time"

	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/story"
)

// sameDay is how far apart posts of one text may be to count as one.
const sameDay = 24 * time.Hour

// Distinct returns the posts without repeats, oldest first. A post repeats another if it has the same SourceID, or if
// it says the same (package story) and was posted within a day of it. The oldest of them stays, so that the original is
// shown and not its copies. Posts of one moment are in the order of their SourceIDs. A text that people write by
// accident has no story and repeats no other post.
func Distinct(posts []post.Post) []post.Post {
	byID, told := map[string]bool{}, map[story.Fingerprint]time.Time{} // when the story's post that stays was posted
	kept := make([]post.Post, 0, len(posts))
	for _, p := range oldestFirst(posts) {
		if byID[p.SourceID] {
			continue
		}
		byID[p.SourceID] = true
		fingerprint := fingerprintOf(&p)
		if fingerprint != 0 {
			if at, known := told[fingerprint]; known && p.PostedAt.Sub(at) < sameDay {
				continue
			}
			told[fingerprint] = p.PostedAt
		}
		kept = append(kept, p)
	}
	return kept
}

// oldestFirst returns the posts in the order of time.
func oldestFirst(posts []post.Post) []post.Post {
	return slices.SortedStableFunc(slices.Values(posts), func(a, b post.Post) int {
		return cmp.Or(a.PostedAt.Compare(b.PostedAt), cmp.Compare(a.SourceID, b.SourceID))
	})
}

func fingerprintOf(p *post.Post) story.Fingerprint {
	m := mention.Mention{Title: p.Title, Body: p.Body, URL: p.URL, Review: p.Review}
	return story.OfMention(&m)
}

// compare orders mentions as Rank does.
func compare(a, b *mention.Mention) int {
	return cmp.Or(
		cmp.Compare(scoreOf(a), scoreOf(b)), b.PostedAt.Compare(a.PostedAt), cmp.Compare(a.SourceID, b.SourceID),
	)
}

func scoreOf(m *mention.Mention) mention.Score {
	if m.RelevanceScore == nil {
		return mention.Low
	}
	return *m.RelevanceScore
}
