package sample

import "testing"

func TestLineOf_FewPosts(t *testing.T) {
	for want, c := range map[string]struct{ posts, relevant int }{
		"Found no posts to read":                                  {0, 0},
		"Read and judged 1 post: 1 is about you or your market":   {1, 1},
		"Read and judged 9 posts: 0 are about you or your market": {9, 0},
	} {
		if got := lineOf(c.posts, c.relevant); got != want {
			t.Errorf("lineOf(%d, %d) = %q, want %q", c.posts, c.relevant, got, want)
		}
	}
}
