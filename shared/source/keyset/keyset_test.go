package keyset_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/post"
	"earshot/shared/source/keyset"
)

// A platform that shows only the newest few of a window is read whole by going back, as long as no unit holds more than a page.
func TestBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]time.Duration{time.Millisecond, time.Second, 15 * time.Minute}).Draw(t, "unit")
		const page = 5
		start := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC).Truncate(unit)
		var stored []post.Post
		for i, n := range rapid.SliceOfN(rapid.IntRange(0, page), 0, 12).Draw(t, "posts of each unit") {
			for j := range n {
				stored = append(stored, post.Post{SourceID: time.Duration(len(stored)).String(),
					PostedAt: start.Add(time.Duration(i)*unit + time.Duration(j)*unit/10)})
			}
		}
		slices.Reverse(stored)
		seen := map[string]bool{}
		until := start.Add(time.Hour * 24)
		for range len(stored) + 1 {
			var shown []post.Post
			for _, p := range stored {
				if p.PostedAt.Before(until) && len(shown) < page {
					shown = append(shown, p)
				}
			}
			full := len(shown) == page
			if full {
				shown, until = keyset.Back(shown, unit)
			}
			for _, p := range shown {
				if seen[p.SourceID] {
					t.Fatalf("%s comes twice", p.SourceID)
				}
				seen[p.SourceID] = true
			}
			if !full {
				break
			}
		}
		if len(seen) != len(stored) {
			t.Fatalf("%d of %d posts were read", len(seen), len(stored))
		}
	})
}

func TestEdges(t *testing.T) {
	if kept, until := keyset.Back(nil, time.Second); kept != nil || !until.IsZero() {
		t.Errorf("nothing leads to %v, %s", kept, until)
	}
	second := time.Unix(1_777_600_000, 0)
	if keyset.Ceil(second) != 1_777_600_000 || keyset.Ceil(second.Add(1)) != 1_777_600_001 {
		t.Error("Ceil is not the next whole second")
	}
}
