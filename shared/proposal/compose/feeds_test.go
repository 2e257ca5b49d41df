package compose_test

import (
	"fmt"
	"strings"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// The brand's feed is visible however quiet it is and however much of one subject. It is hidden only for noise, and
// only where another feed is visible.
func TestBrandFeed(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(w *world)
		visible bool
	}{
		"quiet": {func(w *world) {
			w.Measured.Volumes["brand"] = volume(w.Candidates.Candidates[0], map[string]int64{"hackernews": 1}, w.Measured)
		}, true},
		"of one subject": {func(w *world) {
			s := w.Sampled.Sightings["brand"]
			s.Clusters = []proposal.SightedCluster{{
				Cluster: proposal.Cluster{Label: "launch", Share: 1},
				Posts:   []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
			}}
			w.Sampled.Sightings["brand"] = s
		}, true},
		"unread": {func(w *world) { delete(w.Sampled.Sightings, "brand") }, true},
		"noise": {func(w *world) {
			var posts []proposal.SampledPost
			for i := range 8 {
				posts = append(posts, post(i, "hackernews", "ann", fmt.Sprintf("Acmely %d", i), i < 3))
			}
			w.sees("brand", posts, nil, nil, nil)
		}, false},
		"noise, and no other is visible": {func(w *world) {
			var posts []proposal.SampledPost
			for i := range 8 {
				posts = append(posts, post(i, "hackernews", "ann", fmt.Sprintf("Acmely %d", i), i < 3))
			}
			w.sees("brand", posts, nil, nil, nil)
			w.Candidates.Candidates = w.Candidates.Candidates[:1]
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := distinctive()
			c.prepare(w)
			_, p := made(t, w)
			if f := feedOf(t, p, proposal.ForBrand); f.Visible != c.visible {
				t.Errorf("visible %t, with %+v", f.Visible, f.Gate)
			}
		})
	}
}

// A source that failed is named in words and widens the range: what was not measured is not zero.
func TestFailedSource(t *testing.T) {
	w := newWorld()
	w.Candidates.Candidates = nil
	w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 0, 0)
	_, whole := made(t, w)
	w.Measured.Failed, w.Measured.Reasons["github"] = []string{"github"}, "it did not answer"
	c := w.Candidates.Candidates[0]
	w.Measured.Volumes["brand"] = volume(c, map[string]int64{}, w.Measured)
	_, p := made(t, w)
	before, after := keywordOf(t, whole, "brand"), keywordOf(t, p, "brand")
	if after.Volume.High <= before.Volume.High || after.Volume.Low != before.Volume.Low {
		t.Errorf("with a source that failed it is %v to %v, without %v to %v", after.Volume.Low, after.Volume.High,
			before.Volume.Low, before.Volume.High)
	}
	if !strings.Contains(after.Explanation, "GitHub could not be measured") ||
		strings.Contains(before.Explanation, "measured") {
		t.Errorf("%s\n%s", after.Explanation, before.Explanation)
	}
}
