package source

import (
	"cmp"
	"slices"
	"strings"

	"earshot/shared/post"
)

// Collect returns the posts of a platform's items, in the items' order. It keeps posts in the query's window, each
// SourceID once, and at most limit. toPost reports false for an item that is not a post.
func Collect[T any](items []T, q Query, limit int, toPost func(T) (post.Post, bool)) []post.Post {
	var posts []post.Post
	seen := map[string]bool{}
	for _, item := range items {
		if len(posts) == limit {
			break
		}
		if p, ok := toPost(item); ok && q.Holds(p.PostedAt) && !seen[p.SourceID] {
			seen[p.SourceID] = true
			posts = append(posts, p)
		}
	}
	return posts
}

// SortNewest sorts posts from the newest to the oldest. Posts of the same time are in the order of their SourceIDs.
func SortNewest(posts []post.Post) {
	slices.SortFunc(posts, func(a, b post.Post) int {
		return cmp.Or(b.PostedAt.Compare(a.PostedAt), cmp.Compare(a.SourceID, b.SourceID))
	})
}

// Quote returns text in quotation marks, so that a platform searches it as a phrase. It serves platforms without an
// escape for quotation marks: those in text become blanks. Consecutive blanks become one.
func Quote(text string) string {
	return `"` + strings.Join(strings.Fields(strings.ReplaceAll(text, `"`, " ")), " ") + `"`
}

// Quoted returns the query's texts, each as by Quote, with a blank between. It serves platforms that find what has all
// of them.
func (q Query) Quoted() string {
	quoted := Quote(q.Text)
	for _, text := range q.Also {
		quoted += " " + Quote(text)
	}
	return quoted
}
