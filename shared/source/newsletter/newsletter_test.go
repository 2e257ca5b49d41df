package newsletter_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/newsletter"
	"earshot/shared/source/sourcetest"
)

var week = source.Query{
	Max:   10,
	Since: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 8, 0, 0, 0, 0, time.UTC),
}

var now = time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC)

var silent = slog.New(slog.DiscardHandler)

// One feed at a time: several are read at once, and the goldens have the requests in their order.
func TestSource(t *testing.T) {
	for name, posts := range map[string]int{"harbor": 2, "tides": 2} {
		t.Run(name, func(t *testing.T) {
			sourcetest.Run(t, sourcetest.Options{
				New: func(client *fetch.Client, baseURL string) (source.Source, error) {
					return newsletter.New(client, []string{baseURL + "/" + name, baseURL + "/" + name}, silent), nil
				},
				Answers: os.DirFS("testdata"),
				Routes:  []sourcetest.Route{{Path: "/" + name, File: name + ".xml"}},
				Cases:   []sourcetest.Case{{Name: name, Query: week, Posts: posts}},
				Feed:    true,
				Now:     now,
			})
		})
	}
}

func open(t *testing.T, log *slog.Logger, answer http.HandlerFunc, paths ...string) source.Source {
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	client := fetch.New(fetch.Options{AnyHost: true, Unpaced: true})
	t.Cleanup(client.Close)
	var feeds []string
	for _, path := range paths {
		feeds = append(feeds, server.URL+path)
	}
	return newsletter.New(client, feeds, log)
}

func recorded(t *testing.T, name string) []byte {
	content, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func ids(t *testing.T, from source.Source, q source.Query) (ids []string) {
	t.Helper()
	for {
		page, err := from.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range page.Posts {
			ids = append(ids, p.SourceID)
		}
		if q.After = page.Next; q.After == "" || len(ids) > 100 {
			return ids
		}
	}
}

// One newsletter's failure is in the log, without its address, and costs the others nothing.
func TestSearch_OneFeedFails(t *testing.T) {
	var log bytes.Buffer
	tides := recorded(t, "tides.xml")
	from := open(t, slog.New(slog.NewTextHandler(&log, nil)), func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/paid") {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		w.Write(tides)
	}, "/paid/subscriber-key-1a2b?auth=subscriber-key-1a2b", "/tides.xml", "/paid:%zz")
	if got := ids(t, from, week); len(got) != 2 {
		t.Errorf("answers %v", got)
	}
	if strings.Count(log.String(), "feed failed") != 2 ||
		strings.Contains(log.String(), "subscriber") || strings.Contains(log.String(), "127.0.0.1") {
		t.Errorf("the log says %s", &log)
	}
}

// Pages are cut from what the feeds hold; none of it twice, none left out.
func TestPages(t *testing.T) {
	harbor, tides := recorded(t, "harbor.xml"), recorded(t, "tides.xml")
	together := "<rss><channel>"
	for i := range 3 {
		together += fmt.Sprintf(
			"<item><title>T</title><link>https://a.example/%d</link><pubDate>Mon, 04 May 2026 06:00:00 GMT</pubDate></item>", i)
	}
	from := open(t, silent, func(w http.ResponseWriter, r *http.Request) {
		w.Write(map[string][]byte{"/harbor": harbor, "/tides": tides,
			"/together": []byte(together + "</channel></rss>")}[r.URL.Path])
	}, "/harbor", "/tides", "/together")
	whole := ids(t, from, week)
	for most := 1; most < 9; most++ {
		q := week
		q.Max = most
		if got := ids(t, from, q); !reflect.DeepEqual(got, whole) || len(got) != 7 {
			t.Errorf("%d at once, it answers %v of %v", most, got, whole)
		}
	}
}

// What has not changed is not sent again, and still answered, for another window too; what is too long to keep is sent again.
func TestUnchanged(t *testing.T) {
	long := "<rss><channel><item><title>Long</title><link>https://a.example/1</link><pubDate>Thu, 07 May 2026 06:00:00 GMT</pubDate><description>" +
		strings.Repeat("long ", 60<<10) + "</description></item></channel></rss>"
	for _, c := range []struct {
		name        string
		body        string
		tag         http.Header
		whole, none int64
	}{
		{"by tag", string(recorded(t, "harbor.xml")), http.Header{"Etag": {`W/"12"`}}, 1, 2},
		{"by date", string(recorded(t, "harbor.xml")), http.Header{"Last-Modified": {"Thu, 07 May 2026 06:00:00 GMT"}}, 1, 2},
		{"by nothing", string(recorded(t, "harbor.xml")), nil, 3, 0},
		{"long", long, http.Header{"Etag": {`"long"`}}, 3, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var whole, none atomic.Int64
			from := open(t, silent, func(w http.ResponseWriter, r *http.Request) {
				for name, values := range c.tag {
					w.Header()[name] = values
				}
				if tag, date := r.Header.Get("If-None-Match"), r.Header.Get("If-Modified-Since"); tag+date != "" {
					if tag != c.tag.Get("ETag") || date != c.tag.Get("Last-Modified") {
						t.Errorf("asks for what is not %q, and newer than %q", tag, date)
					}
					none.Add(1)
					w.WriteHeader(http.StatusNotModified)
					return
				}
				whole.Add(1)
				fmt.Fprint(w, c.body)
			}, "/feed")
			first := ids(t, from, week)
			earlier := week
			earlier.Since = week.Since.Add(-7 * 24 * time.Hour)
			if again, more := ids(t, from, week), ids(t, from, earlier); !reflect.DeepEqual(first, again) || len(first) == 0 ||
				len(more) < len(first) {
				t.Errorf("answers %v, then %v and %v", first, again, more)
			}
			if whole.Load() != c.whole || none.Load() != c.none {
				t.Errorf("sent %d times whole and %d times not, should be %d and %d", whole.Load(), none.Load(), c.whole, c.none)
			}
		})
	}
}

// A 304 that nobody asked for is a failure, not an empty feed.
func TestUnasked(t *testing.T) {
	from := open(t, silent, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }, "/feed")
	if page, err := from.Search(t.Context(), week); err == nil {
		t.Errorf("answers %+v", page)
	}
}
