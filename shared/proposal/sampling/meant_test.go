package sampling_test

import (
	"testing"

	"earshot/shared/post"
	"earshot/shared/proposal/sampling"
)

// Where all that is said means the name, there is nothing to hold words against: those of several posts are offered all the same.
func TestAnchorsWithoutNoise(t *testing.T) {
	var posts []post.Post
	for n := range 10 {
		posts = append(posts, code(n))
	}
	seen := sampling.New(newJudge(t), brew, "java.example").Look(java, posts, 60)
	if seen.Relevant != 10 || len(seen.Posts) != 10 {
		t.Fatalf("%d of %d relevant", seen.Relevant, len(seen.Posts))
	}
	if f, ok := find(seen.Anchors, "libraries"); !ok || f.Relevant != 10 {
		t.Errorf("anchors %v", seen.Anchors)
	}
	for _, f := range seen.Anchors {
		if f.Relevant == 1 {
			t.Errorf("%q of one post is offered", f.Term)
		}
	}
}

// Two posts of noise among many that are meant leave a rare word out of a common word's, and of a name that is none
// nothing: what the judge calls noise there says little else.
func TestExcludesOfANameThatIsMeant(t *testing.T) {
	posts := []post.Post{island(1), island(2)}
	for n := range 12 {
		posts = append(posts, code(n))
	}
	sampler := sampling.New(newJudge(t), brew, "java.example")
	for _, common := range []bool{true, false} {
		candidate := java
		candidate.Common = common
		seen := sampler.Look(candidate, posts, 60)
		if seen.Relevant != 12 || len(seen.Posts) != 14 {
			t.Fatalf("%d of %d relevant", seen.Relevant, len(seen.Posts))
		}
		if _, ok := find(seen.Excludes, "sumatra"); ok != common {
			t.Errorf("common %v: excludes %v", common, seen.Excludes)
		}
	}
}
