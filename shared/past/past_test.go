package past_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/past"
	"earshot/shared/post"
	"earshot/shared/source"
)

var now = time.Date(2026, 11, 20, 10, 15, 0, 0, time.UTC)

// A shelf is a platform whose posts are given, newest first. Its pages are as long as it says.
type shelf struct {
	name  string
	posts []post.Post
	page  int
	fails int // the page that fails, from 1; 0: none
	asked int
	ends  bool // it is Frozen
}

func (s *shelf) About() source.About { return source.About{Name: s.name, Max: s.page} }

func (s *shelf) Search(_ context.Context, q source.Query) (page source.Page, err error) {
	if s.asked++; s.asked == s.fails {
		return page, &source.Unavailable{Source: s.name, Reason: "it is down"}
	}
	from := 0
	if q.After != "" {
		fmt.Sscan(q.After, &from)
	}
	for at := from; at < len(s.posts); at++ {
		if p := s.posts[at]; q.Holds(p.PostedAt) {
			if len(page.Posts) == q.Max {
				page.Next = fmt.Sprint(at)
				break
			}
			page.Posts = append(page.Posts, p)
		}
	}
	return page, nil
}

type frozen struct{ *shelf }

func (f frozen) Newest(context.Context) (newest time.Time, err error) {
	if len(f.posts) > 0 {
		newest = f.posts[0].PostedAt
	}
	return newest, nil
}

func (s *shelf) source() source.Source {
	if s.ends {
		return frozen{s}
	}
	return s
}

// Whatever was read is counted once, the bound holds, and an answer that is whole has every match of the window.
func TestCount_Drawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var shelves []source.Source
		want := map[string]bool{}
		q := past.Question{
			Keyword: keyword.Keyword{Text: "northwind", ExactMatch: true, ExcludeWords: []string{"storm"}},
			Until:   now,
			Since:   now.Add(-10 * past.Day),
			Most:    rapid.IntRange(0, 60).Draw(t, "most"),
		}
		clean := true
		for _, name := range []string{"dev", "hackernews", "reddit"} {
			s := &shelf{
				name:  name,
				page:  rapid.IntRange(1, 7).Draw(t, "page"),
				fails: rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "fails"),
			}
			at := now.Add(time.Hour)
			for i := range rapid.IntRange(0, 20).Draw(t, "posts") {
				at = at.Add(-time.Duration(rapid.IntRange(0, 24).Draw(t, "hours")) * time.Hour)
				text := rapid.SampledFrom([]string{"northwind", "Northwind storm", "calm", "a NORTHWIND b"}).Draw(t, "text")
				p := post.Post{Source: name, SourceID: fmt.Sprintf("%s_a_%d", name, i), Body: &text, PostedAt: at}
				s.posts = append(s.posts, p)
				matches := text == "northwind" || text == "a NORTHWIND b"
				if matches && at.Before(now) && !at.Before(q.Since) {
					want[p.SourceID] = true
				}
			}
			shelves = append(shelves, s.source())
		}
		got, err := past.Count(t.Context(), shelves, q)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, m := range got.Matches {
			if seen[m.SourceID] || !want[m.SourceID] {
				t.Errorf("%s is counted twice, or does not match", m.SourceID)
			}
			seen[m.SourceID] = true
		}
		clean = len(got.Skipped) == 0
		switch {
		case got.Read > q.Most:
			t.Errorf("%d posts were read, want at most %d", got.Read, q.Most)
		case got.Whole && (!clean || len(seen) != len(want)):
			t.Errorf("Count() has %d of %d matches, and says that it is whole", len(seen), len(want))
		case !got.Whole && clean && q.Most >= 180:
			t.Error("Count() is not whole, and could have been")
		}
		if !slices.IsSortedFunc(got.Matches, func(a, b past.Match) int { return b.PostedAt.Compare(a.PostedAt) }) {
			t.Error("matches are not in order")
		}
	})
}

// An archive finds the beginnings of words, so that it may lack matches of a keyword without ExactMatch.
func TestCount_WithinWords(t *testing.T) {
	text := "outages"
	s := &shelf{
		name:  "dev",
		page:  10,
		posts: []post.Post{{Source: "dev", SourceID: "dev_a_1", Body: &text, PostedAt: now.Add(-time.Hour)}},
	}
	for _, exact := range []bool{true, false} {
		q := past.Question{Keyword: keyword.Keyword{Text: "outages", ExactMatch: exact}, Days: 90, Until: now, Most: 100}
		got, err := past.Count(t.Context(), []source.Source{s.source()}, q)
		if err != nil || len(got.Matches) != 1 || got.Whole != exact {
			t.Errorf("Count() with ExactMatch %v = %d matches, whole %v, %v, want 1, whole %v", exact, len(got.Matches),
				got.Whole, err, exact)
		}
	}
}

// An archive that ended is counted over its own last days.
func TestCount_Frozen(t *testing.T) {
	text := "northwind"
	old := now.Add(-400 * past.Day)
	s := &shelf{name: "dev", page: 10, ends: true, posts: []post.Post{
		{Source: "dev", SourceID: "dev_a_1", Body: &text, PostedAt: old},
		{Source: "dev", SourceID: "dev_a_2", Body: &text, PostedAt: old.Add(-29 * past.Day)},
		{Source: "dev", SourceID: "dev_a_3", Body: &text, PostedAt: old.Add(-91 * past.Day)},
	}}
	empty := &shelf{name: "reddit", page: 10, ends: true}
	q := past.Question{
		Keyword: keyword.Keyword{Text: text, ExactMatch: true, Paused: true},
		Days:    90,
		Until:   now,
		Most:    100,
	}
	got, err := past.Count(t.Context(), []source.Source{s.source(), empty.source()}, q)
	if err != nil || len(got.Matches) != 2 || !got.Whole || got.To.Sub(old) > time.Second {
		t.Fatalf("Count() = %+v, %v", got, err)
	}
	low, high, ok := past.Monthly(got, q.Keyword)
	if !ok || low > 2 || high < 2 || high > 12 {
		t.Errorf("Monthly() = %v to %v, %v, want a range around 2", low, high, ok)
	}
	if _, _, ok := past.Monthly(past.Answer{}, q.Keyword); ok {
		t.Error("Monthly() has a range, though nothing was read")
	}
}

// A keyword asks its own platforms alone, and an end of the context ends the count.
func TestCount_PlatformsContext(t *testing.T) {
	dev, reddit := &shelf{name: "dev", page: 1}, &shelf{name: "reddit", page: 1}
	q := past.Question{
		Keyword: keyword.Keyword{Text: "northwind", Platforms: []string{"dev"}}, Days: 90, Until: now, Most: 10,
	}
	if _, err := past.Count(t.Context(), []source.Source{dev, reddit}, q); err != nil || dev.asked != 1 ||
		reddit.asked != 0 {
		t.Errorf("Count() asked dev %d times and reddit %d times, %v", dev.asked, reddit.asked, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	dev.fails = dev.asked + 1
	if _, err := past.Count(ended, []source.Source{dev}, q); !errors.Is(err, context.Canceled) {
		t.Errorf("Count() = %v, want %v", err, context.Canceled)
	}
	q.Keyword.Text = ""
	if _, err := past.Count(t.Context(), nil, q); err == nil {
		t.Error("Count() takes a keyword without a text")
	}
}
