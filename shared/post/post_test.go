package post

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"earshot/shared/mention"
)

var now = time.Date(2026, 11, 20, 10, 15, 0, 123_456_789, time.UTC)

func text(t string) *string { return &t }

// fit is a post that needs no cleaning.
func fit() Post {
	return Post{
		Source:   "reddit",
		SourceID: "reddit_post_1",
		URL:      "https://www.reddit.com/r/Go/comments/1/x/",
		PostedAt: now.Add(-time.Hour),
		Title:    text("A title"),
		Body:     text("A body"),
		Author:   text("quietharbor"),
	}
}

func TestClean(t *testing.T) {
	p := fit()
	p.Source, p.Author, p.AuthorURL = "Reddit", text(" @quietharbor "), text("javascript:alert(1)")
	p.Title, p.Body = text("bad \xff\x00 title"), text(strings.Repeat("é", MaxText))
	p.URL, p.ImageURL, p.AuthorAvatar = "data:text/html,x", "https://img.example/a.png", text("https://img.example/b.png")
	counters := map[string]int64{"score": -4, "points": 1 << 53}
	p.Engagement, p.EngagementObservedAt, p.AuthorFollowers = counters, now.Add(time.Hour), new(int64(-1))
	p.Review = &mention.Review{Rating: 4.5, RatingMax: 5, Response: "thank\xffs", TargetName: "App"}
	given := p.Review
	if err := p.Clean(now); err != nil {
		t.Fatal(err)
	}
	if p.Source != "reddit" || *p.Author != "quietharbor" || p.AuthorURL != nil || p.URL != "" || p.ImageURL == "" ||
		p.AuthorAvatar == nil {
		t.Errorf("%+v", p)
	}
	if *p.Title != "bad \uFFFD\uFFFD title" || len(*p.Body) > MaxText || !utf8.ValidString(*p.Body) {
		t.Errorf("%q, a body of %d bytes", *p.Title, len(*p.Body))
	}
	if len(p.Engagement) != 1 || len(counters) != 2 || p.AuthorFollowers != nil {
		t.Errorf("%v of %v, %v", p.Engagement, counters, p.AuthorFollowers)
	}
	if p.EngagementObservedAt.After(now) || p.PostedAt.Nanosecond()%1e6 != 0 {
		t.Errorf("%v %v", p.EngagementObservedAt, p.PostedAt)
	}
	if p.Review.Response != "thank\uFFFDs" || given.Response != "thank\xffs" {
		t.Errorf("%+v, and what was given %+v", p.Review, given)
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*Post)
		says  string
	}{
		"no source":       {func(p *Post) { p.Source = "" }, "source"},
		"no platform":     {func(p *Post) { p.Source = "reddit#x" }, "source"},
		"no id":           {func(p *Post) { p.SourceID = " " }, "sourceId"},
		"long id":         {func(p *Post) { p.SourceID = strings.Repeat("x", 1025) }, "sourceId"},
		"id no text":      {func(p *Post) { p.SourceID = "a\xff" }, "sourceId"},
		"no date":         {func(p *Post) { p.PostedAt = time.Time{} }, "timestamp: is required"},
		"1970":            {func(p *Post) { p.PostedAt = time.Unix(0, 0) }, "1995"},
		"next year":       {func(p *Post) { p.PostedAt = now.AddDate(1, 0, 0) }, "future"},
		"no text":         {func(p *Post) { p.Title, p.Body = nil, text(" \n") }, "title, body"},
		"many counters":   {func(p *Post) { p.Engagement = many(33) }, "engagementMetrics"},
		"unnamed counter": {func(p *Post) { p.Engagement = map[string]int64{"": 1} }, "engagementMetrics"},
		"rating NaN":      {func(p *Post) { p.Review = &mention.Review{Rating: math.NaN(), RatingMax: 5} }, "review"},
		"rating beyond":   {func(p *Post) { p.Review = &mention.Review{Rating: 9, RatingMax: 5} }, "review.rating"},
		"no rating":       {func(p *Post) { p.Review = &mention.Review{} }, "review.ratingMax"},
		"rating tiny":     {func(p *Post) { p.Review = &mention.Review{Rating: 1e-300, RatingMax: 5} }, "review"},
	} {
		p := fit()
		c.spoil(&p)
		if err := p.Clean(now); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, spoil := range map[string]func(*Post){
		"no title":      func(p *Post) { p.Title = nil },
		"no body":       func(p *Post) { p.Body = nil },
		"no author":     func(p *Post) { p.Author = nil },
		"empty author":  func(p *Post) { p.Author = text("@") },
		"a day ahead":   func(p *Post) { p.PostedAt = now.Add(MaxAhead) },
		"right to left": func(p *Post) { p.Body = text("\u202Ecba \u200Fx") },
	} {
		p := fit()
		spoil(&p)
		if err := p.Clean(now); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func many(n int) map[string]int64 {
	counters := map[string]int64{}
	for i := range n {
		counters[strings.Repeat("x", i+1)] = 1
	}
	return counters
}

func TestPlaces(t *testing.T) {
	for address, want := range map[string][2]string{
		"https://www.reddit.com/r/GoLang/comments/1/x/": {"golang", ""},
		"https://old.reddit.com/r/GoLang":               {"golang", ""},
		"https://reddit.com/user/x":                     {"", ""},
		"https://reddit.com.evil.example/r/x":           {"", ""},
		"https://github.com/Owner/Repo/issues/7":        {"", "owner/repo"},
		"https://github.com/Owner":                      {"", ""},
		"https://gist.github.com/a/b":                   {"", ""},
		"::":                                            {"", ""},
	} {
		p := Post{URL: address}
		if got := [2]string{p.Subreddit(), p.Repo()}; got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		title, body *string
		want        string
	}{{nil, nil, ""}, {text("a"), nil, "a"}, {nil, text("b"), "b"}, {text("a"), text("b"), "a\n\nb"}, {text(" "),
		text("b"), "b"}, {text("a"), text(""), "a"}} {
		if got := (&Post{Title: c.title, Body: c.body}).Text(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("reddit", "reddit_post_1", "https://x.example/", "title", "body", "author", int64(1_700_000_000))
	f.Fuzz(func(t *testing.T, source, id, address, title, body, author string, posted int64) {
		p := Post{
			Source:    source,
			SourceID:  id,
			URL:       address,
			Title:     &title,
			Body:      &body,
			Author:    &author,
			AuthorURL: &address,
			PostedAt:  time.Unix(posted, 0),
		}
		if p.Clean(now) != nil {
			return
		}
		m := mention.Mention{
			ID:       1,
			SourceID: p.SourceID,
			URL:      p.URL,
			Title:    p.Title,
			Body:     p.Body,
			Source:   p.Source,
			PostedAt: p.PostedAt,
			Author:   p.Author,
		}
		if err := m.Check(); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
		again := p
		if err := again.Clean(now); err != nil || again.Text() != p.Text() || again.URL != p.URL {
			t.Errorf("cleaned again it is another: %v", err)
		}
	})
}
