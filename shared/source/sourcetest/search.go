package sourcetest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/port/secret"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
)

const mostPages = 50

func about(t *testing.T, o Options) {
	got := open(t, o, "http://127.0.0.1:1", fetch.Options{})
	a := got.About()
	if !slices.Contains(keyword.Platforms(), a.Name) {
		t.Errorf("About().Name = %q, want one of keyword.Platforms", a.Name)
	}
	if a.Max < 1 || a.Pace < 0 || a.Reach < 0 {
		t.Errorf("About() = %+v, want Max of at least 1, and Pace and Reach of at least 0", a)
	}
	_, observes := got.(source.Observer)
	if observes != (a.Observes > 0) {
		t.Errorf("About().Observes = %d, but being an Observer is %v", a.Observes, observes)
	}
	for _, credential := range a.Credentials {
		if err := secret.CheckNames(credential.Name); err != nil || !strings.Contains(credential.Name, "/") {
			t.Errorf("About().Credentials has %q, want <platform>/<name> (%v)", credential.Name, err)
		}
	}
}

// read reads all pages of a search.
func read(t *testing.T, o Options, from source.Source, q source.Query) (pages []source.Page) {
	t.Helper()
	after := map[string]bool{"": true}
	for len(pages) < mostPages {
		page, err := from.Search(t.Context(), q)
		if err != nil {
			t.Fatalf("page %d: %v", len(pages)+1, err)
		}
		check(t, o, from.About(), q, page)
		pages = append(pages, page)
		if page.Next == "" {
			return pages
		}
		if after[page.Next] {
			t.Fatalf("Next of page %d repeats %q", len(pages), page.Next)
		}
		after[page.Next], q.After = true, page.Next
	}
	t.Fatalf("Search has a Next after %d pages", mostPages)
	return nil
}

func search(t *testing.T, o Options, c Case) {
	server := serve(t, o)
	pages := read(t, o, open(t, o, server.URL, fetch.Options{}), c.Query)
	seen := map[string]bool{}
	for _, page := range pages {
		for _, one := range page.Posts {
			if seen[one.SourceID] {
				t.Errorf("Search returns %s twice", one.SourceID)
			}
			seen[one.SourceID] = true
		}
	}
	if len(seen) != c.Posts {
		t.Errorf("Search() = %d posts in %d pages, want %d", len(seen), len(pages), c.Posts)
	}
	requests := server.requests()
	shown := pretty(t, struct {
		Requests []asked
		Pages    []source.Page
	}{requests, pages})
	for _, secret := range o.Secrets {
		if bytes.Contains(shown, []byte(secret)) {
			t.Errorf("requests or posts contain a secret")
		}
	}
	if len(o.Secrets) > 0 && !bytes.Contains(shown, []byte(mask)) {
		t.Error("no request carries a secret: are the credentials used?")
	}
	golden(t, o.Golden+c.Name, shown)
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name+".json")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got differs from %s (%v); -update rewrites it. got:\n%s", file, err, got)
	}
}

// shape is the pattern of native ids. A platform chooses them freely, but without white space and control characters.
var shape = regexp.MustCompile(`^[a-z]+_[^\s\x00-\x1f]+$`)

// check checks a page against the promises of every page.
func check(t testing.TB, o Options, a source.About, q source.Query, page source.Page) {
	t.Helper()
	if most := q.Limit(a); len(page.Posts) > most {
		t.Errorf("Search() = %d posts, want at most %d", len(page.Posts), most)
	}
	for _, one := range page.Posts {
		if err := fits(o, a, q, one); err != nil {
			t.Errorf("%s: %v", one.SourceID, err)
		}
	}
}

func fits(o Options, a source.About, q source.Query, one post.Post) error {
	native, found := strings.CutPrefix(one.SourceID, a.Name+"_")
	switch {
	case one.Source != a.Name:
		return fmt.Errorf("its source is %q, not %q", one.Source, a.Name)
	case !found || !shape.MatchString(native):
		return fmt.Errorf("its id is not %s_<kind>_<native id>", a.Name)
	case !q.Holds(one.PostedAt):
		return fmt.Errorf("its time %s is outside of the window", one.PostedAt)
	case one.PostedAt.Location() != time.UTC:
		return fmt.Errorf("its time is not in UTC")
	}
	for what, address := range map[string]*string{"URL": &one.URL, "AuthorURL": one.AuthorURL,
		"AuthorAvatar": one.AuthorAvatar, "ImageURL": &one.ImageURL} {
		if address != nil && (what != "ImageURL" || *address != "") && post.Web(*address) == "" {
			return fmt.Errorf("its %s is no address on the web: %q", what, *address)
		}
	}
	return one.Clean(o.Now)
}

// bounds repeats the first case's search with narrower bounds.
func bounds(t *testing.T, o Options) {
	q := o.Cases[0].Query
	server := serve(t, o)
	from := open(t, o, server.URL, fetch.Options{})
	for name, narrow := range map[string]func(q *source.Query){
		"one post":       func(q *source.Query) { q.Max = 1 },
		"one nanosecond": func(q *source.Query) { q.Until = q.Since.Add(1) },
		"no time":        func(q *source.Query) { q.Until = q.Since },
	} {
		narrowed := q
		narrow(&narrowed)
		page, err := from.Search(t.Context(), narrowed)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		check(t, o, from.About(), narrowed, page)
	}
}

// together searches concurrently. Each search returns what a single one returns.
func together(t *testing.T, o Options) {
	server := serve(t, o)
	from := open(t, o, server.URL, fetch.Options{})
	want, err := from.Search(t.Context(), o.Cases[0].Query)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got, err := from.Search(t.Context(), o.Cases[0].Query); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("concurrent Search() differs from a single one (%v)", err)
			}
		})
	}
	all.Wait()
}
