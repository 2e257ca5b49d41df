package preview_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/discovery"
	"earshot/functions/keywords"
	"earshot/functions/keywords/preview"
	"earshot/shared/archive/shards/shardstest"
	"earshot/shared/keyword"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

const path = "/api/v2/keywords/preview"

// A desk serves the keywords of a World that has an archive.
type desk struct {
	worldtest.Client
	*worldtest.World
	archive *shardstest.Archive
	sources []source.Source // in place of the archive's
	broken  error           // of the archive
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{World: worldtest.NewWorld(t)}
	d.archive = shardstest.New(t, d.World)
	d.Client = worldtest.Serve(t, d.World, discovery.OpenAPI(), func(api *web.API) {
		keywords.Register(api, keywords.Options{Store: d.Store})
		preview.Register(api, preview.Options{Store: d.Store, Archive: d.platforms, Clock: d.Clock})
	})
	return d
}

func (d *desk) platforms(ctx context.Context) ([]source.Source, error) {
	if d.sources != nil || d.broken != nil {
		return d.sources, d.broken
	}
	return d.archive.Sources(ctx)
}

// written returns a post of some hours ago.
func written(id, text, author string, hours int) post.Post {
	return post.Post{
		Source:   "hackernews",
		SourceID: "hackernews_comment_" + id,
		URL:      "https://news.example/" + id,
		Body:     &text,
		Author:   &author,
		PostedAt: worldtest.Now.Add(-time.Duration(hours) * time.Hour),
	}
}

func (d *desk) preview(t testing.TB, body string) (got preview.Preview) {
	t.Helper()
	d.Post(t, path, body).OK(t, &got)
	return got
}

// The figures are of the posts that the keyword would have matched, and of no others.
func TestPreview_Figures(t *testing.T) {
	d := newDesk(t)
	reddit := written("r", "the Northwind outage", "amber", 24*10)
	reddit.Source, reddit.SourceID = "reddit", "reddit_post_r"
	worldtest.Must(t, d.archive.Add(t.Context(), []post.Post{
		written("1", "I like northwind.", "amber", 1),
		written("2", "NORTHWIND's pager woke me", "birch", 2),
		written("3", "northwindow is a shop", "birch", 3),   // no whole word
		written("4", "northwind traders again", "birch", 4), // an excluded phrase
		written("5", "northwind, says the bot", "spam", 5),  // an excluded author
		written("6", "no such word here", "amber", 6),
		written("7", "northwind long ago", "amber", 24*91),
		reddit,
	}))
	got := d.preview(t, `{"keyword":" northwind ","excludeWords":["northwind traders"],"excludeAuthors":["@spam"],"paused":true}`)
	if got.Matches != 3 || !got.Complete || len(got.SkippedSources) != 0 {
		t.Fatalf("previewKeyword() = %+v, want 3 matches of all posts", got)
	}
	if want := []preview.SourceMatches{{Source: "hackernews", Matches: 2},
		{Source: "reddit", Matches: 1}}; !slices.Equal(got.BySource, want) {
		t.Errorf("bySource = %v, want %v", got.BySource, want)
	}
	weeks := map[string]int{}
	for i, w := range got.ByWeek {
		day, err := time.Parse(time.DateOnly, w.Week)
		if err != nil || day.Weekday() != time.Monday {
			t.Errorf("byWeek[%d] begins on %s", i, w.Week)
		}
		if w.Matches > 0 {
			weeks[w.Week] = w.Matches
		}
	}
	if want := map[string]int{"2026-11-16": 2, "2026-11-09": 1}; fmt.Sprint(weeks) != fmt.Sprint(want) {
		t.Errorf("byWeek = %v, want %v", weeks, want)
	}
	if first, last := got.ByWeek[0].Week, got.ByWeek[len(got.ByWeek)-1].Week; first != "2026-08-17" ||
		last != "2026-11-16" {
		t.Errorf("byWeek is of %s to %s", first, last)
	}
	var samples []string
	for _, s := range got.Samples {
		samples = append(samples, s.SourceID)
	}
	if want := []string{"hackernews_comment_1", "hackernews_comment_2", "reddit_post_r"}; !slices.Equal(samples, want) {
		t.Errorf("samples = %v, want %v", samples, want)
	}
	if m := got.Monthly.Value; m == nil || m.Low > 3 || m.High < 3 || m.Low >= m.High || m.High > 20 {
		t.Errorf("monthly = %+v, want a range around 3", m)
	}
}

// The workspace's global filters hold, and another workspace's do not.
func TestPreview_GlobalFilters(t *testing.T) {
	d := newDesk(t)
	worldtest.Must(t, d.archive.Add(t.Context(), []post.Post{
		written("1", "northwind storm", "amber", 1), written("2", "northwind calm", "birch", 2),
	}))
	worldtest.Must(t, d.Store.PutFilters(t.Context(), d.Main.ID, keyword.Filters{NegativeKeywords: []string{"storm"}}))
	if got := d.preview(t, `{"keyword":"northwind"}`); got.Matches != 1 {
		t.Errorf("previewKeyword() = %d matches, want 1", got.Matches)
	}
	var other preview.Preview
	d.As(d.OtherKey).Post(t, path, `{"keyword":"northwind"}`).OK(t, &other)
	if other.Matches != 2 {
		t.Errorf("previewKeyword() of another workspace = %d matches, want 2", other.Matches)
	}
}

// A keyword is refused as POST /keywords refuses it, and one that is there may be previewed.
func TestPreview_Refused(t *testing.T) {
	d := newDesk(t)
	d.Post(t, "/api/v2/keywords", `{"keyword":"northwind"}`).OK(t, nil)
	d.preview(t, `{"keyword":"Northwind"}`)
	for _, body := range []string{
		`{"keyword":"\"wave barn\" -surf OR wavebarn"}`, `{"keyword":""}`, `{"keyword":"+"}`, `{}`,
		`{"keyword":"a","context":"` + strings.Repeat("x", 201) + `"}`, `{"keyword":"a","platforms":[]}`,
		`{"keyword":"a","mood":1}`,
		`{"keyword":"a","additionalTerms":["-x"],"excludeAuthors":[""]}`, `{"keyword":"` + strings.Repeat("x", 101) + `"}`,
	} {
		refused, want := d.Post(t, path, body), d.Post(t, "/api/v2/keywords", body)
		if refused.Status != want.Status || refused.Status/100 != 4 || string(refused.Body) != string(want.Body) {
			t.Errorf("previewKeyword(%s) = %s\nwant %s", body, refused.Body, want.Body)
		}
	}
}

// Without an archive the response has the reason, and no figures.
func TestPreview_NoArchive(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := worldtest.Serve(t, w, discovery.OpenAPI(), func(api *web.API) {
		preview.Register(api, preview.Options{Store: w.Store, Clock: w.Clock})
	})
	var got preview.Preview
	c.As(w.Read).Post(t, path, `{"keyword":"northwind"}`).OK(t, &got)
	if got.Complete || got.Monthly.Value != nil || got.Matches != 0 || got.SkippedSources["archive"] == "" {
		t.Errorf("previewKeyword() = %+v", got)
	}
}

// What was not read is said: a failed platform, and posts beyond the bound.
func TestPreview_Incomplete(t *testing.T) {
	d := newDesk(t)
	d.sources = []source.Source{flood{"dev"}, failing{"reddit"}}
	got := d.preview(t, `{"keyword":"northwind"}`)
	if got.Complete || got.PostsRead > 20_000 || got.PostsRead < 10_000 || got.SkippedSources["reddit"] != "it is down" {
		t.Errorf("previewKeyword() = complete %v, %d read, skipped %v", got.Complete, got.PostsRead, got.SkippedSources)
	}
	if m := got.Monthly.Value; m == nil || m.Low < 100_000 {
		t.Errorf("monthly = %+v, want that of a flood", m)
	}
	d.broken = errors.New("no archive can be listed")
	d.Post(t, path, `{"keyword":"northwind"}`).Is(t, 500, "INTERNAL_ERROR")
}

// A flood is a platform with a matching post each second, for ever.
type flood struct{ name string }

func (f flood) About() source.About { return source.About{Name: f.name, Max: 500} }

func (f flood) Search(_ context.Context, q source.Query) (page source.Page, err error) {
	end := q.Until
	if q.After != "" {
		end, _ = time.Parse(time.RFC3339, q.After)
	}
	text := "northwind"
	for range q.Max {
		end = end.Add(-time.Second)
		id := fmt.Sprintf("dev_article_%d", end.Unix())
		page.Posts = append(page.Posts, post.Post{Source: f.name, SourceID: id, Body: &text, PostedAt: end})
	}
	page.Next = end.Format(time.RFC3339)
	return page, nil
}

type failing struct{ name string }

func (f failing) About() source.About { return source.About{Name: f.name, Max: 500} }

func (f failing) Search(context.Context, source.Query) (source.Page, error) {
	return source.Page{}, &source.Unavailable{Source: f.name, Reason: "it is down"}
}
