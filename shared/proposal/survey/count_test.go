package survey_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/survey"
	"earshot/shared/source"
)

// How many requests a count takes, and what it answers, by how much there is and what the source can.
func TestCount(t *testing.T) {
	const text = "We moved to Quietharbor last week."
	of := func(n int, days float64) *shelf { return newShelf("hackernews", 100, posts(n, text, days, now)...) }
	week := of(150, 30)
	week.about.Reach = 7 * 24 * time.Hour
	hours := of(30, 30)
	hours.about.Reach = time.Hour
	half := newShelf("hackernews", 100,
		together(posts(200, text, 30, now), posts(200, "quietharborage is a word", 30, now))...)
	for _, tt := range []struct {
		name     string
		source   source.Source
		want     proposal.Count
		requests int
	}{
		{"nothing", of(0, 30), proposal.Count{Window: proposal.Month}, 1},
		{"a few", of(12, 30), proposal.Count{Posts: 12, Window: proposal.Month}, 1},
		{"as many as a page", of(100, 30), proposal.Count{Posts: 100, Window: proposal.Month}, 1},
		{"more than a page in a month", of(300, 30), proposal.Count{Posts: 70, Window: proposal.Week}, 2},
		{"more than a page in a week", of(1500, 30), proposal.Count{Posts: 50, Window: proposal.Day}, 3},
		{"more than a page in a day", of(9000, 30),
			proposal.Count{Posts: 100, Window: proposal.Day, Capped: true, Hours: 7.96}, 3},
		{"the source reaches a week back", week, proposal.Count{Posts: 35, Window: proposal.Week}, 1},
		{"the source reaches an hour back", hours, proposal.Count{Posts: 1, Window: proposal.Day}, 1},
		{"it knows the number", counting{of(9000, 30), true, nil},
			proposal.Count{Posts: 9000, Window: proposal.Month, Told: 9000, Read: 100, Matched: 100}, 2},
		{"it knows the number of what half matches", counting{half, true, nil},
			proposal.Count{Posts: 200, Window: proposal.Month, Told: 400, Read: 100, Matched: 50}, 2},
		{"it need not be asked for the number", counting{of(12, 30), true, nil},
			proposal.Count{Posts: 12, Window: proposal.Month}, 1},
		{"it estimates, and is asked no second time", counting{of(1500, 30), false, nil},
			proposal.Count{Posts: 50, Window: proposal.Day}, 4},
		{"it tells less than it shows", counting{of(300, 30), true, func(int64) int64 { return -7 }},
			proposal.Count{Posts: 100, Window: proposal.Month}, 2},
		{"it tells a number beyond reason", counting{of(300, 30), true, func(int64) int64 { return math.MaxInt64 }},
			proposal.Count{Posts: 1e12, Window: proposal.Month, Told: 1e12, Read: 100, Matched: 100}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := surveying(tt.source).Count(t.Context(), "hackernews", brand("quietharbor"))
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.Hours-tt.want.Hours) > 0.1 {
				t.Errorf("spans %v hours", got.Hours)
			}
			got.Hours = tt.want.Hours
			equal(t, "count", got, tt.want)
			asked := 0
			switch s := tt.source.(type) {
			case *shelf:
				asked = s.requests()
			case counting:
				asked = s.requests()
			}
			equal(t, "requests", asked, tt.requests)
		})
	}
}

// A platform answers what it likes: only what is of the window, each once, and really matches is counted; and it is not
// asked for ever.
func TestCountOfWhatALiarAnswers(t *testing.T) {
	const text = "Quietharbor again"
	old := posts(3, text, 1, now.Add(-90*24*time.Hour))
	for _, tt := range []struct {
		name     string
		lies     func(q source.Query, page source.Page) source.Page
		want     proposal.Count
		requests int
	}{
		{"posts that do not match", func(_ source.Query, page source.Page) source.Page {
			return source.Page{Posts: append(page.Posts, posts(40, "nothing of the kind", 30, now.Add(-time.Second))...)}
		}, proposal.Count{Posts: 20, Window: proposal.Month}, 1},
		{"posts of another time", func(_ source.Query, page source.Page) source.Page {
			return source.Page{Posts: append(page.Posts, old...)}
		}, proposal.Count{Posts: 20, Window: proposal.Month}, 1},
		{"posts twice", func(_ source.Query, page source.Page) source.Page {
			return source.Page{Posts: append(page.Posts, page.Posts...)}
		}, proposal.Count{Posts: 20, Window: proposal.Month}, 1},
		{"a next page without end", func(q source.Query, page source.Page) source.Page {
			return source.Page{Posts: page.Posts, Next: q.After + "0"}
		}, proposal.Count{Posts: 1, Window: proposal.Day, Capped: true, Hours: 18}, 9},
		{"the same next page again and again", func(_ source.Query, page source.Page) source.Page {
			return source.Page{Posts: page.Posts, Next: "0"}
		}, proposal.Count{Posts: 1, Window: proposal.Day, Capped: true, Hours: 18}, 6},
		{"nothing but a next page", func(q source.Query, _ source.Page) source.Page {
			return source.Page{Next: q.After + "0"}
		}, proposal.Count{Window: proposal.Day, Capped: true}, 9},
		{"a post without any text", func(_ source.Query, page source.Page) source.Page {
			return source.Page{Posts: append(page.Posts,
				post.Post{Source: "hackernews", SourceID: "hackernews_story_x", PostedAt: now.Add(-time.Hour)})}
		}, proposal.Count{Posts: 20, Window: proposal.Month}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShelf("hackernews", 100, posts(20, text, 30, now)...)
			s.lies = tt.lies
			got, err := surveying(s).Count(t.Context(), "hackernews", brand("Quietharbor"))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "count", got, tt.want)
			equal(t, "requests", s.requests(), tt.requests)
		})
	}
}

// Some platforms cut their pages as they like: a page that is less than half full is followed, and the window is seen whole.
func TestCountFollowsShortPages(t *testing.T) {
	s := newShelf("hackernews", 100, posts(60, "Quietharbor", 30, now)...)
	s.lies = func(q source.Query, page source.Page) source.Page {
		found := s.found(q)
		if q.After == "" {
			return source.Page{Posts: found[:4], Next: "4"}
		}
		return source.Page{Posts: found[4:]}
	}
	got, err := surveying(s).Count(t.Context(), "hackernews", brand("quietharbor"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "count", got, proposal.Count{Posts: 60, Window: proposal.Month})
	equal(t, "requests", s.requests(), 2)
}

// What matches is the matcher's to say, as the candidate is written; its anchors do not narrow what is counted.
func TestCountMatches(t *testing.T) {
	comment := posts(1, "reply: harbor", 1, now)[0]
	comment.IsReply, comment.Source = true, "reddit"
	story := posts(1, "harbor", 2, now)[0]
	story.Source = "reddit"
	for _, tt := range []struct {
		name  string
		c     proposal.Candidate
		posts []post.Post
		want  int64
	}{
		{"whole words", proposal.Candidate{Text: "harbor", Exact: true},
			together(posts(2, "a harbor", 9, now), posts(3, "harbors", 9, now)), 2},
		{"parts of words", proposal.Candidate{Text: "harbor"},
			together(posts(2, "a harbor", 9, now), posts(3, "harbors", 9, now)), 5},
		{"any case", proposal.Candidate{Text: "Harbor", Exact: true},
			together(posts(2, "HARBOR", 9, now), posts(3, "harbor", 9, now)), 5},
		{"its case", proposal.Candidate{Text: "HARBOR", Exact: true, Cased: true},
			together(posts(2, "HARBOR", 9, now), posts(3, "harbor", 9, now)), 2},
		{"no anchors", proposal.Candidate{Text: "harbor", Exact: true, Anchors: []string{"ships"}},
			posts(4, "the harbor of the moon", 9, now), 4},
		{"comments alone", proposal.Candidate{Text: "harbor", Exact: true, Platforms: []string{"reddit_comment"}},
			together([]post.Post{comment, story}), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShelf("reddit", 100, tt.posts...)
			got, err := surveying(s).Count(t.Context(), "reddit", tt.c)
			if err != nil || got.Posts != tt.want {
				t.Errorf("%d posts, not %d: %v", got.Posts, tt.want, err)
			}
		})
	}
}

func TestCountErrors(t *testing.T) {
	stream := newShelf("dev", 100)
	stream.about.Stream = true
	failing := newShelf("reddit", 100)
	failing.deny = func(int, source.Query) error { return source.ErrNoCredentials }
	broken := archive{newShelf("github", 100), errors.New("disk")}
	s := surveying(stream, failing, broken, newShelf("hackernews", 100))
	for _, tt := range []struct {
		name, source string
		c            proposal.Candidate
		want         error
	}{
		{"no such source", "myspace", brand("acme"), survey.ErrUnknown},
		{"a stream", "dev", brand("acme"), survey.ErrUnknown},
		{"not tracked there", "hackernews", proposal.Candidate{Text: "acme", Platforms: []string{"twitter"}},
			survey.ErrNotThere},
		{"without credentials", "reddit", brand("acme"), source.ErrNoCredentials},
		{"an archive that cannot be read", "github", brand("acme"), broken.err},
	} {
		if _, err := s.Count(t.Context(), tt.source, tt.c); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := s.Count(t.Context(), "hackernews", brand(" ")); err == nil ||
		!strings.Contains(err.Error(), "cannot be matched") {
		t.Errorf("a blank text: %v", err)
	}
	equal(t, "sources", strings.Join(s.Names(), " "), "github hackernews reddit")
}

// An archive is surveyed over its own last days, not over the calendar's; one that is ahead of the clock only until now.
func TestFrozen(t *testing.T) {
	for _, tt := range []struct {
		name  string
		until time.Time
		want  int64
	}{{"of years ago", now.AddDate(-3, 0, 0), 60}, {"ahead of the clock", now.Add(48 * time.Hour), 60}, {"empty", time.Time{}, 0}} {
		made := posts(120, "Quietharbor", 60, tt.until)
		if tt.until.IsZero() {
			made = nil
		}
		s := archive{newShelf("hackernews", 100, made...), nil}
		got, err := surveying(s).Count(t.Context(), "hackernews", brand("quietharbor"))
		if err != nil || got.Posts != tt.want {
			t.Errorf("%s: %d posts, not %d: %v", tt.name, got.Posts, tt.want, err)
		}
	}
}
