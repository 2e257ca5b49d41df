package firehose_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"earshot/shared/keyword"
	"earshot/shared/port/clock"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/source/bluesky"
	"earshot/shared/source/fetch"
	"earshot/shared/source/firehose"
)

var update = flag.Bool("update", false, "write the golden anew")

// start is the second in which the recorded events begin; they last for 600 ms.
var start = time.Unix(1778150000, 0).UTC()

var whole = source.Query{Since: start, Until: start.Add(time.Minute), Max: 100}

// jetstream plays events from the cursor on, and then stays silent, or does what then says.
type jetstream struct {
	t      *testing.T
	events []string
	then   func(ctx context.Context, conn *websocket.Conn)

	mu      sync.Mutex
	cursors []int64
}

func (j *jetstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	cursor, err := strconv.ParseInt(query.Get("cursor"), 10, 64)
	if err != nil || r.URL.Path != "/subscribe" || query.Get("wantedCollections") != "app.bsky.feed.post" ||
		query.Get("maxMessageSizeBytes") != "65536" {
		j.t.Errorf("asks %s", r.URL)
	}
	j.mu.Lock()
	j.cursors = append(j.cursors, cursor)
	j.mu.Unlock()
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer conn.CloseNow()
	for _, event := range j.events {
		var head struct {
			Time int64 `json:"time_us"`
		}
		if json.Unmarshal([]byte(event), &head) == nil && head.Time > 0 && head.Time < cursor {
			continue
		}
		if conn.Write(r.Context(), websocket.MessageText, []byte(event)) != nil {
			return
		}
	}
	if j.then != nil {
		j.then(r.Context(), conn)
		return
	}
	conn.Read(r.Context()) // until the reader hangs up
}

func recorded(t *testing.T) []string {
	content, err := os.ReadFile("testdata/events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(content)), "\n")
}

var huge = `{"x":"` + strings.Repeat("x", 300<<10) + `"}`

// later is an event that many seconds after start.
func later(seconds int) string {
	return fmt.Sprintf(`{"did":"did:plc:abc","time_us":%d,"kind":"identity"}`,
		start.Add(time.Duration(seconds)*time.Second).UnixMicro())
}

func open(t *testing.T, handler http.Handler, now time.Time, patience time.Duration) *firehose.Source {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	var frozen clock.Adjustable
	frozen.Freeze(now)
	return firehose.New(firehose.Options{
		Endpoint: "ws" + strings.TrimPrefix(server.URL, "http"),
		Patience: patience,
		Clock:    &frozen,
		AnyHost:  true,
	})
}

func search(t *testing.T, from source.Source, q source.Query) source.Page {
	t.Helper()
	page, err := from.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range page.Posts {
		if !q.Holds(p.PostedAt) || p.PostedAt.Location() != time.UTC || p.Clean(q.Until) != nil || post.Web(p.URL) == "" {
			t.Errorf("answers %+v", p)
		}
	}
	return page
}

func TestGolden(t *testing.T) {
	page := search(t, open(t, &jetstream{t: t, events: append(recorded(t), later(60))}, start.Add(time.Hour), time.Minute), whole)
	got, err := json.MarshalIndent(page, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	const file = "testdata/golden/week.json"
	if *update {
		if err := errors.Join(os.MkdirAll("testdata/golden", 0o755), os.WriteFile(file, got, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != string(got) {
		t.Errorf("not as %s has it (%v):\n%s", file, err, got)
	}
}

func TestAbout(t *testing.T) {
	about := firehose.New(firehose.Options{}).About()
	if !about.Stream || !about.Cursor || !keyword.Admits(about.Name, "bluesky", false) {
		t.Errorf("%+v", about)
	}
}

// Every way in which a Search ends, and where the next one goes on.
func TestEnds(t *testing.T) {
	past := start.Add(time.Hour)
	broken := func(_ context.Context, conn *websocket.Conn) { conn.CloseNow() }
	closed := func(_ context.Context, conn *websocket.Conn) { conn.Close(websocket.StatusGoingAway, "") }
	nonsense := []string{`{`, `[]`, `null`, `{"time_us":"x"}`, `{"time_us":-1}`, `{"time_us":9007199254740993}`, "\x00"}
	few := whole
	few.Max = 1
	for _, c := range []struct {
		name   string
		events []string
		then   func(context.Context, *websocket.Conn)
		now    time.Time
		query  source.Query
		wait   time.Duration
		posts  int
		next   int64 // microseconds after start
	}{
		{"the window's end", append(recorded(t), later(60)), nil, past, whole, time.Minute, 4, 60_000_000},
		{"the present", append(recorded(t), later(2), later(3)), nil, start.Add(time.Second), whole, time.Minute, 4,
			2_000_001},
		{"enough", recorded(t), nil, past, few, time.Minute, 1, 2},
		{"no more time", recorded(t), nil, past, whole, 300 * time.Millisecond, 4, 600_001},
		{"broken off", recorded(t), broken, past, whole, time.Minute, 4, 600_001},
		{"closed", recorded(t), closed, past, whole, time.Minute, 4, 600_001},
		{"too large", append(recorded(t), huge), nil, past, whole, time.Minute, 4, 600_001},
		{"nonsense between", slices.Concat(nonsense, recorded(t), nonsense, []string{later(60)}), nil, past, whole,
			time.Minute, 4, 60_000_000},
		{"far in the future", slices.Concat([]string{later(1e8)}, recorded(t), []string{later(60)}), nil, past, whole,
			time.Minute, 4, 60_000_000},
		{"ahead of the window", append(recorded(t), later(90)), nil, past, whole, time.Minute, 4, 60_000_000},
		{"back in time", []string{later(5), later(1), later(60)}, nil, past, whole, time.Minute, 0, 60_000_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := search(t, open(t, &jetstream{t: t, events: c.events, then: c.then}, c.now, c.wait), c.query)
			want := strconv.FormatInt(start.UnixMicro()+c.next, 10)
			if len(page.Posts) != c.posts || page.Next != want {
				t.Errorf("%d posts and Next %q, should be %d and %q", len(page.Posts), page.Next, c.posts, want)
			}
		})
	}
}

// Read in small pages, no post comes twice and none is left out.
func TestSearch_SmallPages(t *testing.T) {
	j := &jetstream{t: t, events: append(recorded(t), later(60))}
	from := open(t, j, start.Add(time.Hour), time.Minute)
	want := search(t, from, whole).Posts
	var got []post.Post
	q := whole
	for q.Max = 1; len(got) < 10; {
		page := search(t, from, q)
		got = append(got, page.Posts...)
		if q.After = page.Next; len(page.Posts) == 0 {
			break
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("answers %d posts, then %d", len(want), len(got))
	}
	if j.cursors[0] != start.UnixMicro() {
		t.Errorf("without After it begins at %d", j.cursors[0])
	}
}

// A reader that fell behind asks for a later window, and still gets what it has not read.
func TestSearch_ReaderFellBehind(t *testing.T) {
	from := open(t, &jetstream{t: t, events: append(recorded(t), later(60))}, start.Add(time.Hour), time.Minute)
	page, err := from.Search(t.Context(), source.Query{
		Since: start.Add(10 * time.Second), Until: whole.Until, Max: 100, After: strconv.FormatInt(start.UnixMicro()+2, 10),
	})
	if err != nil || len(page.Posts) != 3 {
		t.Errorf("answers %d posts, %v", len(page.Posts), err)
	}
}

func TestSearch_EmptyWindow(t *testing.T) {
	j := &jetstream{t: t}
	from := open(t, j, start, time.Minute)
	end := strconv.FormatInt(whole.Until.UnixMicro(), 10)
	for _, q := range []source.Query{{Since: start, Until: start}, {Since: start, Until: whole.Until, After: end}} {
		if page := search(t, from, q); len(page.Posts) > 0 || page.Next != q.After {
			t.Errorf("answers %+v", page)
		}
	}
	if _, err := from.Search(t.Context(), source.Query{Since: start, Until: whole.Until, After: "x"}); err == nil ||
		len(j.cursors) > 0 {
		t.Errorf("an After that is none: %v; asked %v", err, j.cursors)
	}
}

func TestFailures(t *testing.T) {
	closed := func(_ context.Context, conn *websocket.Conn) { conn.Close(websocket.StatusPolicyViolation, "canary") }
	status := func(code int, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(code)
			fmt.Fprint(w, "canary")
		}
	}
	for _, c := range []struct {
		name    string
		handler http.Handler
		want    source.Unavailable
	}{
		{"500", status(500), source.Unavailable{Reason: "answered 500 where a WebSocket was expected"}},
		{"200", status(200), source.Unavailable{Reason: "answered 200 where a WebSocket was expected"}},
		{"429", status(429, "Retry-After", "9"),
			source.Unavailable{Reason: "answered 429 where a WebSocket was expected", RetryAfter: 9 * time.Second}},
		{"302", status(302, "Location", "http://127.0.0.1:1/"),
			source.Unavailable{Reason: "answered 302 where a WebSocket was expected"}},
		{"still", &jetstream{t: t}, source.Unavailable{Reason: "sent nothing within 300ms", Network: true}},
		{"too large", &jetstream{t: t, events: []string{huge}},
			source.Unavailable{Reason: "sent an event of more than 262144 bytes"}},
		{"closed", &jetstream{t: t, then: closed},
			source.Unavailable{Reason: "closed the stream with status 1008"}},
		{"silent", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }),
			source.Unavailable{Reason: "sent nothing within 300ms", Network: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := open(t, c.handler, start.Add(time.Hour), 300*time.Millisecond).Search(t.Context(), whole)
			c.want.Source = "firehose"
			var failed *source.Unavailable
			if !errors.As(err, &failed) || *failed != c.want {
				t.Errorf("answers %+v, should be %+v", failed, c.want)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	from := open(t, &jetstream{t: t, then: func(ctx context.Context, conn *websocket.Conn) { cancel(); conn.Read(ctx) }},
		start, time.Minute)
	if _, err := from.Search(ctx, whole); !errors.Is(err, context.Canceled) {
		t.Errorf("answers %v", err)
	}
}

// Outside of tests, neither this machine nor its neighbours are connected to.
func TestPrivate(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it connects") }))
	defer server.Close()
	port := server.URL[strings.LastIndexByte(server.URL, ':'):]
	for _, endpoint := range []string{"ws://127.0.0.1" + port, "ws://localhost" + port, "ws://[::ffff:127.0.0.1]" + port,
		"ws://169.254.169.254"} {
		_, err := firehose.New(firehose.Options{Endpoint: endpoint}).Search(t.Context(), whole)
		var failed *source.Unavailable
		if !errors.As(err, &failed) || failed.Reason != "leads to an address that is not of the public internet" {
			t.Errorf("%s: answers %v", endpoint, err)
		}
	}
}

// A post that the search of Bluesky finds as well is the same one.
func TestPost_SameAsBluesky(t *testing.T) {
	streamed := search(t, open(t, &jetstream{t: t, events: append(recorded(t), later(60))}, start.Add(time.Hour),
		time.Minute), whole).Posts[0]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"posts":[{"uri":"at://did:plc:7quietharbor23456abcdefg/app.bsky.feed.post/3lolab234567a","cid":"bafyreia1",
			"author":{"did":"did:plc:7quietharbor23456abcdefg","handle":"quietharbor.example"},
			"record":{"$type":"app.bsky.feed.post","createdAt":"2026-05-07T10:33:18.500Z","langs":["en"],"text":"Lantern DB is out\nand <b>fast</b>"},
			"indexedAt":"2026-05-07T10:33:21.000Z"}]}`)
	}))
	defer server.Close()
	q := whole
	q.Text, q.Since = "lantern", start.Add(-time.Minute)
	found := search(t, bluesky.New(fetch.New(fetch.Options{AnyHost: true, Unpaced: true}), nil, server.URL), q).Posts[0]
	if streamed.SourceID != found.SourceID || streamed.Source != found.Source || streamed.URL != found.URL ||
		*streamed.Body != *found.Body || *streamed.AuthorURL != *found.AuthorURL {
		t.Errorf("streamed %+v, found %+v", streamed, found)
	}
}
