package sqlitearchive_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"earshot/shared/embedded/sqlitearchive"
	"earshot/shared/post"
	"earshot/shared/source"
)

var now = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

func open(t *testing.T) *sqlitearchive.Archive {
	t.Helper()
	archive, err := sqlitearchive.Open(filepath.Join(t.TempDir(), "archive.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { archive.Close() })
	return archive
}

func made(n int, platform string, reply bool, at time.Time, text string) post.Post {
	return post.Post{Source: platform, SourceID: fmt.Sprintf("%s_post_%d", platform, n), URL: "https://example.com/p", PostedAt: at, Body: &text, IsReply: reply}
}

func found(t *testing.T, s *sqlitearchive.Source, q source.Query) (ids []string) {
	t.Helper()
	if q.Until.IsZero() {
		q.Since, q.Until = now.Add(-30*24*time.Hour), now.Add(time.Hour)
	}
	for {
		page, err := s.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range page.Posts {
			ids = append(ids, p.SourceID)
		}
		if q.After = page.Next; q.After == "" {
			return ids
		}
	}
}

func TestSearch(t *testing.T) {
	archive := open(t)
	texts := []string{"We use Box at work", "boxes and Boxing", "a wave barn", "wavebarn is down", "the barn wave", "see acme-cloud.io for more", "100% of it",
		"素晴らしいノースウィンドの製品", "Größe zählt", "C++ and \"quotes\" _under_", "box's lid"}
	var posts []post.Post
	for i, text := range texts {
		posts = append(posts, made(i, "hackernews", false, now.Add(-time.Duration(i)*time.Hour), text))
	}
	for range 2 { // what is there stays, and is there once
		if err := archive.Add(t.Context(), posts); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		text  string
		exact bool
		want  []int
	}{
		{"box", true, []int{0, 10}},
		{"BOX", false, []int{0, 1, 10}},
		{"Wave Barn", true, []int{2, 3}},
		{"acme-cloud.io", true, []int{5}},
		{"Acme Cloud", true, []int{5}},
		{"100%", false, []int{6}},
		{"_", false, []int{9}},
		{"ノースウィンド", true, []int{7}},
		{"größe", true, []int{8}},
		{"grosse", true, nil},
		{`"quotes"`, false, []int{9}},
		{`") OR text:("box`, true, nil},
		{"++", true, []int{9}},
		{"", true, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
	} {
		var want []string
		for _, n := range c.want {
			want = append(want, posts[n].SourceID)
		}
		for _, most := range []int{0, 1, 3} {
			if got := found(t, archive.Source("hackernews"), source.Query{Text: c.text, Exact: c.exact, Max: most}); !slices.Equal(got, want) {
				t.Errorf("%q exact %v, %d a page: %v, want %v", c.text, c.exact, most, got, want)
			}
		}
	}
	if got := found(t, archive.Source("reddit"), source.Query{Text: "box", Exact: true}); len(got) != 0 {
		t.Errorf("another platform has %v", got)
	}
	window := source.Query{Text: "box", Exact: true, Since: posts[10].PostedAt, Until: posts[0].PostedAt}
	if got := found(t, archive.Source("hackernews"), window); !slices.Equal(got, []string{posts[10].SourceID}) {
		t.Errorf("a window begins with its first moment and ends before its last: %v", got)
	}
	if _, err := archive.Source("hackernews").Search(t.Context(), source.Query{Text: "box", After: "nonsense"}); err == nil {
		t.Error("nonsense is a page's Next")
	}
	page, err := archive.Source("hackernews").Search(t.Context(), source.Query{Text: "größe", Exact: true, Since: window.Since.Add(-time.Hour), Until: now.Add(time.Hour)})
	if err != nil || len(page.Posts) != 1 || *page.Posts[0].Body != texts[8] || !page.Posts[0].PostedAt.Equal(posts[8].PostedAt) {
		t.Errorf("%+v %v", page.Posts, err)
	}
}

// Comments on Reddit are a platform of their own, and Bluesky's two ways are one.
func TestPlatforms(t *testing.T) {
	archive := open(t)
	if err := archive.Add(t.Context(), []post.Post{
		made(1, "reddit", false, now, "lantern"), made(2, "reddit", true, now, "lantern"),
		made(3, "bluesky", false, now, "lantern"), made(4, "firehose", false, now, "lantern"), made(5, "trustpilot", false, now, "lantern"),
	}); err != nil {
		t.Fatal(err)
	}
	platforms, err := archive.Platforms(t.Context())
	if want := []string{"bluesky", "reddit", "reddit_comment", "trustpilot"}; err != nil || !slices.Equal(platforms, want) {
		t.Errorf("%v %v, want %v", platforms, err, want)
	}
	for platform, want := range map[string]int{"reddit": 1, "reddit_comment": 1, "bluesky": 2, "firehose": 0} {
		if got := found(t, archive.Source(platform), source.Query{Text: "lantern", Exact: true}); len(got) != want {
			t.Errorf("%s has %v", platform, got)
		}
	}
}

// A frozen file and some posts of today: the archive ends where the file does, until today's are more than stragglers.
func TestNewest(t *testing.T) {
	archive := open(t)
	hackernews := archive.Source("hackernews")
	if end, err := hackernews.Newest(t.Context()); err != nil || !end.IsZero() {
		t.Errorf("%v %v", end, err)
	}
	frozen := time.Date(2016, 9, 26, 3, 0, 0, 0, time.UTC)
	add := func(from, n int, until time.Time) {
		t.Helper()
		var posts []post.Post
		for i := range n {
			posts = append(posts, made(from+i, "hackernews", false, until.Add(-time.Duration(i)*time.Hour), "text"))
		}
		if err := archive.Add(t.Context(), posts); err != nil {
			t.Fatal(err)
		}
	}
	add(0, 100, frozen)
	for _, c := range []struct {
		add  int
		want time.Time
	}{{0, frozen}, {4, frozen}, {5, now}} {
		add(1000*(c.add+1), c.add, now)
		if end, err := hackernews.Newest(t.Context()); err != nil || !end.Equal(c.want) {
			t.Errorf("%d more: %v %v, want %v", c.add, end, err, c.want)
		}
	}
}
