package survey

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"earshot/shared/post"
	"earshot/shared/proposal"
)

const (
	// quarters is into how many equal stretches a window is cut of which only the newest posts are shown.
	quarters = 4
	// sliceMost is how many posts are asked for of each: more than a sample takes of one, since a search finds what
	// does not match.
	sliceMost = 50
	// sampleMost is the largest sample. A quarter that has its part of it is not asked for by itself, however many posts
	// are wanted: more of them are worth no request.
	sampleMost = mostPosts / 2
)

// Posts are at most want posts of a source that the candidate's text matches bare, clipped, newest first, each once.
// They are spread over the longest window that the source reaches back for. When Count saw all of it, from the same
// page and in equal distances, so that the share of anything among them is that of the window; else from the newest
// posts of each quarter of the window, in equal numbers.
//
// What was found is answered without an error, though some of the quarters failed. Errors: as Count's.
func (s *Survey) Posts(ctx context.Context, sourceName string, c proposal.Candidate, want int) ([]post.Post, error) {
	a, err := s.asking(ctx, sourceName)
	if err != nil {
		return nil, err
	}
	return a.posts(ctx, c, want)
}

func (a *asking) posts(ctx context.Context, c proposal.Candidate, want int) ([]post.Post, error) {
	t, err := a.target(c)
	if err != nil || want <= 0 {
		return nil, err
	}
	w := a.windows()[0]
	whole, err := a.page(ctx, t, a.last(w), a.about.Max)
	if err != nil {
		return nil, err
	}
	if !whole.Capped {
		return spread([][]post.Post{whole.Posts}, want), nil
	}
	groups := make([][]post.Post, quarters)
	each := whole.Until.Sub(whole.Since) / quarters
	for i := range groups {
		until := whole.Until.Add(-time.Duration(i) * each)
		over := span{name: fmt.Sprintf("%s %d of %d", w, i+1, quarters), since: until.Add(-each), until: until}
		for _, p := range whole.Posts {
			if !p.PostedAt.Before(over.since) && p.PostedAt.Before(over.until) {
				groups[i] = append(groups[i], p)
			}
		}
		// The page is of the newest posts: it has what there is to have of the newest quarter.
		if i == 0 || err != nil || len(groups[i])*quarters >= min(want, sampleMost) {
			continue
		}
		var got page
		if got, err = a.page(ctx, t, over, min(sliceMost, a.about.Max)); err == nil {
			groups[i] = append(groups[i], got.Posts...)
		}
	}
	found := spread(groups, want)
	if len(found) > 0 {
		err = nil
	}
	return found, err
}

// spread takes want posts of all groups: of each as many as of the others, as far as it has them, and those in equal
// distances.
func spread(groups [][]post.Post, want int) []post.Post {
	seen := map[string]bool{}
	left := 0
	for i, group := range groups {
		group = slices.DeleteFunc(slices.Clone(group), func(p post.Post) bool {
			twice := seen[p.SourceID]
			seen[p.SourceID] = true
			return twice
		})
		slices.SortFunc(group, newestFirst)
		groups[i], left = group, left+len(group)
	}
	quotas := make([]int, len(groups))
	for left = min(left, want); left > 0; {
		for i, group := range groups {
			if left > 0 && quotas[i] < len(group) {
				quotas[i], left = quotas[i]+1, left-1
			}
		}
	}
	taken := []post.Post{}
	for i, group := range groups {
		taken = append(taken, evenly(group, quotas[i])...)
	}
	slices.SortFunc(taken, newestFirst)
	return taken
}

// evenly takes at most n posts in equal distances.
func evenly(posts []post.Post, n int) []post.Post {
	if len(posts) <= n {
		return posts
	}
	taken := make([]post.Post, n)
	for i := range taken {
		taken[i] = posts[(2*i+1)*len(posts)/(2*n)]
	}
	return taken
}

func newestFirst(a, b post.Post) int {
	return cmp.Or(b.PostedAt.Compare(a.PostedAt), cmp.Compare(a.SourceID, b.SourceID))
}
