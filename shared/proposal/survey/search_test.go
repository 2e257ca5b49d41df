package survey_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/post"
	"earshot/shared/proposal/survey"
	"earshot/shared/source"
)

// said returns a post of a shelf.
func said(id, body string, age time.Duration) post.Post {
	return post.Post{Source: "hackernews", SourceID: id, Body: &body, PostedAt: now.Add(-age)}
}

func asked(texts ...string) survey.Question {
	q := survey.Question{
		Name:    strings.Join(texts, " "),
		Window:  7 * 24 * time.Hour,
		Matches: func(p *post.Post) bool { return !strings.Contains(*p.Body, "jobs") },
		Most:    100,
	}
	for _, text := range texts {
		q.Asks = append(q.Asks, source.Query{Text: text})
	}
	return q
}

func surveyOf(cache survey.Cache, most int, shelf source.Source) *survey.Survey {
	return survey.New(survey.Options{
		Sources: []source.Source{shelf}, Cache: cache, Most: most, Clock: still(),
	})
}

func found(posts []post.Post) (ids []string) {
	for _, p := range posts {
		ids = append(ids, p.SourceID)
	}
	return ids
}

func TestSearch_NewestOfAllTexts(t *testing.T) {
	shelf := newShelf("hackernews", 10,
		said("a", "acme alerts", 2*time.Hour), said("b", "beta", time.Hour), said("both", "acme and beta", 3*time.Hour),
		said("jobs", "acme jobs", time.Hour), said("now", "acme", 0), said("old", "acme", 8*24*time.Hour))
	s := surveyOf(nil, 0, shelf)
	posts, err := s.Search(t.Context(), "hackernews", asked("acme", "beta"))
	if want := []string{"now", "b", "a", "both"}; err != nil || !slices.Equal(found(posts), want) {
		t.Errorf("Search = %v, %v, want %v", found(posts), err, want)
	}
	q := asked("acme", "beta")
	q.Most = 2
	if posts, err = s.Search(t.Context(), "hackernews", q); err != nil || len(posts) != 2 || posts[0].SourceID != "now" {
		t.Errorf("Search of two = %v, %v", found(posts), err)
	}
	if _, err := s.Search(t.Context(), "reddit", q); !errors.Is(err, survey.ErrUnknown) {
		t.Errorf("Search of an unknown source = %v, want ErrUnknown", err)
	}
}

func TestSearch_Reach(t *testing.T) {
	shelf := newShelf("hackernews", 10, said("new", "acme", time.Hour), said("old", "acme", 2*24*time.Hour))
	shelf.about.Reach = 24 * time.Hour
	posts, err := surveyOf(nil, 0, shelf).Search(t.Context(), "hackernews", asked("acme"))
	if err != nil || !slices.Equal(found(posts), []string{"new"}) {
		t.Errorf("Search = %v, %v, want [new]", found(posts), err)
	}
}

// What was found before the requests ran out is returned, and the reason with it.
func TestSearch_Budget(t *testing.T) {
	shelf := newShelf("hackernews", 10, said("a", "acme", time.Hour), said("b", "beta", time.Hour))
	posts, err := surveyOf(nil, 1, shelf).Search(t.Context(), "hackernews", asked("acme", "beta"))
	if !errors.Is(err, survey.ErrBudget) || !slices.Equal(found(posts), []string{"a"}) || shelf.requests() != 1 {
		t.Errorf("Search = %v, %v after %d requests, want [a], ErrBudget after 1", found(posts), err, shelf.requests())
	}
	if reason := survey.Reason(err); !strings.Contains(reason, "used up") {
		t.Errorf("Reason(%v) = %q", err, reason)
	}
}

// Another search asks the platform again only once the stored response is too old.
func TestSearch_Cached(t *testing.T) {
	cache := newCache()
	var posts []post.Post
	for n := range 120 {
		posts = append(posts, said(fmt.Sprint(n), "acme "+strings.Repeat("x", 20_000), time.Duration(n)*time.Minute))
	}
	shelf := newShelf("hackernews", 100, posts...)
	first, err := surveyOf(cache, 0, shelf).Search(t.Context(), "hackernews", asked("acme"))
	if err != nil || len(first) != 100 {
		t.Fatalf("Search found %d, %v, want 100", len(first), err)
	}
	before := shelf.requests()
	again, err := surveyOf(cache, 0, shelf).Search(t.Context(), "hackernews", asked("acme"))
	if err != nil || !slices.Equal(found(again), found(first)) || shelf.requests() != before {
		t.Errorf("Search again found %d, %v after %d requests, want %d", len(again), err, shelf.requests(), before)
	}
}
