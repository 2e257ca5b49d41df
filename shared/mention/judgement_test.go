package mention_test

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/mention"
)

// Whatever users judge, the judge's own comes back when they take it back.
func TestJudgementsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SampledFrom([]mention.Score{mention.High, mention.Medium, mention.Low})
		m := mention.Mention{RelevanceComment: rapid.SampledFrom([]string{"", "Names the product."}).Draw(t, "reason")}
		if rapid.Bool().Draw(t, "scored") {
			score := scores.Draw(t, "judged")
			m.RelevanceScore, m.Relevant = &score, score.Relevant()
		} else {
			m.Relevant = rapid.Bool().Draw(t, "relevant")
		}
		before := m
		for range rapid.IntRange(1, 4).Draw(t, "judgements") {
			score := scores.Draw(t, "score")
			m.Overrule(score)
			if !strings.Contains(m.RelevanceComment, map[bool]string{true: "as relevant", false: "as not relevant"}[score.Relevant()]) {
				t.Errorf("the reason is %q", m.RelevanceComment)
			}
			feedback := map[bool]int{true: 1, false: -1}[score.Relevant()]
			if *m.RelevanceScore != score || m.Relevant != score.Relevant() || *m.FeedbackRelevant != feedback {
				t.Fatalf("%d stands as %d, %v, %d", score, *m.RelevanceScore, m.Relevant, *m.FeedbackRelevant)
			}
			if m.Overrule(score) {
				t.Fatal("the same score changed something")
			}
		}
		if !m.Uphold() || !reflect.DeepEqual(m, before) {
			t.Fatalf("it was %+v and is %+v", before, m)
		}
		if m.Uphold() {
			t.Fatal("there was nothing left to take back")
		}
	})
}

// Feedback that came with the mention itself, whose score is the judge's.
func TestFeedbackThatWasImported(t *testing.T) {
	score, down := mention.Medium, -1
	m := mention.Mention{Relevant: true, RelevanceScore: &score, FeedbackRelevant: &down}
	m.Overrule(mention.Low)
	if !m.Uphold() || *m.RelevanceScore != mention.Medium || !m.Relevant || m.FeedbackRelevant != nil {
		t.Errorf("%+v", m)
	}
	m = mention.Mention{Relevant: true, RelevanceScore: &score, FeedbackRelevant: &down}
	if !m.Uphold() || *m.RelevanceScore != mention.Medium || m.FeedbackRelevant != nil {
		t.Errorf("%+v", m)
	}
}

// To add a case, write an address and "source handle", or nothing for one that is not read.
func TestProfiles(t *testing.T) {
	for address, want := range map[string]string{
		"https://x.com/QuietHarbor": "twitter QuietHarbor", "https://twitter.com/@quietharbor/": "twitter quietharbor",
		"http://mobile.twitter.com/a?s=20":   "twitter a",
		"https://www.reddit.com/user/a_b-c/": "reddit a_b-c", "old.reddit.com/u/a": "reddit a",
		"https://reddit.com/r/golang":             "",
		"https://news.ycombinator.com/user?id=pg": "hackernews pg", "https://news.ycombinator.com/item?id=1": "",
		"https://news.ycombinator.com/user": "",
		"https://github.com/tern-ops":       "github tern-ops", "https://github.com/tern-ops/bridge": "",
		"https://github.com/":                       "",
		"https://bsky.app/profile/vi.posts.example": "bluesky vi.posts.example", "https://dev.to/a": "dev a",
		"https://medium.com/@a": "medium a", "https://medium.com/a": "", "https://www.youtube.com/@a": "youtube a",
		"https://www.youtube.com/channel/UC1": "",
		"https://www.linkedin.com/in/a-b/":    "linkedin a-b", "https://www.linkedin.com/company/a": "",
		"https://www.producthunt.com/@a": "producthunt a",
		"https://www.tiktok.com/@a":      "tiktok a", "https://www.instagram.com/a/": "instagram a",
		"HTTPS://X.COM/a": "twitter a", "https://x.com/%C3%A9": "twitter é",
		"https://x.com/": "", "https://x.com/@": "", "https://x.com/a b": "", "https://x.com/%0a": "", "ftp://x.com/a": "",
		"https://u:p@x.com/a": "", "": "", "quietharbor": "",
		"https://x.com.evil.example/a": "", "https://evil.example/x.com/a": "", "javascript:alert(1)": "", "https://[::1": "",
	} {
		source, handle, ok := mention.ParseProfile(address)
		if got := source + " " + handle; ok != (want != "") || ok && got != want {
			t.Errorf("%q is read as %q, %v; want %q", address, got, ok, want)
		}
	}
	if len(mention.ProfileForms()) == 0 {
		t.Error("no forms")
	}
}
