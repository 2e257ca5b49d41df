package sampling

import (
	"cmp"
	"slices"
	"strings"

	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/proposal"
)

// Spread takes at most n of the posts: as many of each source, as far as there are, and of each source alike over the
// time from its oldest to its newest post, whatever came in a burst. A text that was posted more than once counts once,
// by its oldest post. No author has more than proposal.AuthorMost of the n while others have posts that could be taken.
//
// The answer does not depend on the order of the posts, is the newest first, and is not nil. The posts stay as they
// are.
func Spread(posts []post.Post, n int) []post.Post {
	pointers := make([]*post.Post, len(posts))
	for i := range posts {
		pointers[i] = &posts[i]
	}
	picked := spread(pointers, n)
	out := make([]post.Post, len(picked))
	for i, p := range picked {
		out[i] = *p
	}
	return out
}

func spread(posts []*post.Post, n int) []*post.Post {
	if n <= 0 {
		return nil
	}
	all := originals(posts)
	picked, taken, capped := overSources(all, n), map[*post.Post]bool{}, map[string]bool{}
	// Each round makes room of what authors have beyond their share for others, of whom one may then have too much.
	for {
		first, further := ofAuthors(picked, max(1, int(proposal.AuthorMost*float64(n))))
		if len(further) == 0 {
			break
		}
		clear(taken)
		for _, p := range picked {
			taken[p] = true
		}
		for _, p := range further {
			capped[authorOf(p)] = true
		}
		others := except(all, func(p *post.Post) bool { return taken[p] || capped[authorOf(p)] })
		picked = append(first, overSources(others, len(further))...)
	}
	clear(taken)
	for _, p := range picked {
		taken[p] = true
	}
	picked = append(picked, overSources(except(all, func(p *post.Post) bool { return taken[p] }), n-len(picked))...)
	slices.SortFunc(picked, func(a, b *post.Post) int { return compare(b, a) })
	return picked
}

func except(posts []*post.Post, not func(p *post.Post) bool) []*post.Post {
	return slices.DeleteFunc(slices.Clone(posts), not)
}

// compare orders posts by their time and then by what tells them apart.
func compare(a, b *post.Post) int {
	return cmp.Or(
		a.PostedAt.Compare(b.PostedAt), strings.Compare(a.Source, b.Source), strings.Compare(a.SourceID, b.SourceID),
		strings.Compare(a.URL, b.URL), strings.Compare(of(a.Title), of(b.Title)),
		strings.Compare(of(a.Body), of(b.Body)), strings.Compare(of(a.Author), of(b.Author)),
	)
}

func of(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// authorOf is who wrote a post; empty when that is not known. Platforms write brackets for accounts that are gone.
func authorOf(p *post.Post) string {
	handle := mention.Handle(of(p.Author))
	if strings.HasPrefix(handle, "[") {
		return ""
	}
	return handle
}

// ofAuthors sets aside what authors have beyond most posts each.
func ofAuthors(posts []*post.Post, most int) (first, further []*post.Post) {
	posts = slices.SortedFunc(slices.Values(posts), compare)
	by := map[string][]*post.Post{}
	for _, p := range posts {
		if author := authorOf(p); author != "" {
			by[author] = append(by[author], p)
		}
	}
	beyond := map[*post.Post]bool{}
	for _, all := range by {
		if len(all) > most {
			_, left := overTime(all, most)
			for _, p := range left {
				beyond[p] = true
			}
		}
	}
	for _, p := range posts {
		if beyond[p] {
			further = append(further, p)
		} else {
			first = append(first, p)
		}
	}
	return first, further
}

// overSources takes n of posts that are in the order of time, as many of each source as there are.
func overSources(posts []*post.Post, n int) (picked []*post.Post) {
	by, names := map[string][]*post.Post{}, []string{}
	for _, p := range posts {
		if by[p.Source] == nil {
			names = append(names, p.Source)
		}
		by[p.Source] = append(by[p.Source], p)
	}
	// What does not divide is for those that have most to say.
	slices.SortFunc(
		names, func(a, b string) int { return cmp.Or(cmp.Compare(len(by[b]), len(by[a])), strings.Compare(a, b)) },
	)
	share := make([]int, len(names))
	for left := min(n, len(posts)); left > 0; {
		for i, name := range names {
			if left > 0 && share[i] < len(by[name]) {
				share[i]++
				left--
			}
		}
	}
	for i, name := range names {
		some, _ := overTime(by[name], share[i])
		picked = append(picked, some...)
	}
	return picked
}

// overTime takes n of posts that are in the order of time: their time is cut into n equal parts, and of each part that
// has posts its middle one is taken; the places of parts that have none are given out again among what is left.
func overTime(posts []*post.Post, n int) (picked, left []*post.Post) {
	for left = posts; n > len(picked) && len(left) > 0; {
		places := n - len(picked)
		if places >= len(left) {
			return append(picked, left...), nil
		}
		from := left[0].PostedAt
		span := float64(left[len(left)-1].PostedAt.Sub(from)) + 1
		part := func(i int) int {
			if span == 1 { // all at once: by their order
				return i * places / len(left)
			}
			return min(places-1, int(float64(left[i].PostedAt.Sub(from))/span*float64(places)))
		}
		var rest []*post.Post
		for i := 0; i < len(left); {
			end := i + 1
			for end < len(left) && part(end) == part(i) {
				end++
			}
			middle := i + (end-i)/2
			picked = append(picked, left[middle])
			rest = append(append(rest, left[i:middle]...), left[middle+1:end]...)
			i = end
		}
		left = rest
	}
	return picked, left
}
