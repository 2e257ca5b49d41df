package hostiletest

import (
	"slices"
	"strings"
	"testing"
)

func TestPosts(t *testing.T) {
	posts := Posts()
	large := 0
	for i, p := range posts {
		if !strings.Contains(p, "Northwind") || slices.Index(posts, p) != i {
			t.Errorf("post %d = %.80q, want the name, and each post once", i, p)
		}
		if strings.Contains(p, "%!") {
			t.Errorf("post %d = %.80q, want no fault of a form", i, p)
		}
		for _, secret := range Secrets() {
			if strings.Contains(p, secret) {
				t.Errorf("post %d has a secret", i)
			}
		}
		if len(p) > 1<<20 {
			large++
		}
	}
	if len(posts) != Count || large != 4 || !slices.Equal(posts, Posts()) {
		t.Errorf("%d posts, %d of a megabyte, want %d and 4, the same each time", len(posts), large, Count)
	}
}
