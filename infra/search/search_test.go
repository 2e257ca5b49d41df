package search_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"earshot/infra/client"
	"earshot/infra/exit"
	"earshot/infra/search"
	"earshot/infra/terminal"
)

// A scripted server answers requests one after the other, and notes them.
type scripted struct {
	*httptest.Server
	steps []step
	asked []asked
}

// A step is an answer. Status 0 breaks the connection off.
type step struct {
	status int
	body   string
	header []string
}

type asked struct{ line, key, request, body string }

// serve serves steps below a path, which may be empty.
func serve(t testing.TB, below string, steps ...step) *scripted {
	t.Helper()
	s := &scripted{steps: steps}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		path, inside := strings.CutPrefix(r.URL.RequestURI(), below)
		s.asked = append(s.asked, asked{
			r.Method + " " + path, r.Header.Get("Authorization"), r.Header.Get("Idempotency-Key"), string(body),
		})
		if !inside || len(s.steps) == 0 {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		next := s.steps[0]
		s.steps = s.steps[1:]
		if next.status == 0 {
			panic(http.ErrAbortHandler)
		}
		for i := 0; i+1 < len(next.header); i += 2 {
			w.Header().Set(next.header[i], next.header[i+1])
		}
		w.WriteHeader(next.status)
		fmt.Fprint(w, strings.ReplaceAll(next.body, "{base}", s.URL+below))
	}))
	s.Config.SetKeepAlivesEnabled(false) // Go would send a request again by itself
	t.Cleanup(s.Close)
	return s
}

// A result is what a run wrote, how long it waited, and how it ended.
type result struct {
	stdout, stderr string
	waits          []time.Duration
	err            error
}

func ran(t testing.TB, base string, o search.Options) (got result) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	o.Target, o.To, o.Progress = client.Target{Base: base, Key: "key"}, &stdout, &stderr
	o.RequestKey = "request-1"
	if o.Query == "" && o.ID == "" {
		o.Query = "northwind"
	}
	if o.Sleep == nil {
		o.Sleep = func(_ context.Context, wait time.Duration) error {
			got.waits = append(got.waits, wait)
			return nil
		}
	}
	got.err = search.Run(t.Context(), o)
	got.stdout, got.stderr = stdout.String(), stderr.String()
	return got
}

const completed = `{"searchId":"srch_1","status":"completed","query":"\"wave barn\" -surf","timeWindow":"7d","sources":["reddit"],
 "startedAt":"2026-11-23T10:00:00.000Z","completedAt":"2026-11-23T10:00:04.000Z",
 "stats":{"rawMatches":1340,"afterDedup":120,"afterRelevance":2,"mentionsConsumed":1,"perSource":{"reddit":1200,"dev":140},
  "skippedSources":{"x":"It has no key.","news":"its budget of the hour is spent","youtube":"It has no key."}},
 "mentions":[
  {"id":1,"sourceId":"reddit_post_a","url":"https://reddit.example/a","title":"Outage","body":"Northwind woke me up\nin time.","source":"reddit",
   "timestamp":"2026-11-23 09:12:33.000","author":"quietharbor","sentiment":"Positive","relevance":"relevant","relevanceScore":0,"alreadyInWorkspace":true},
  {"id":2,"sourceId":"dev_post_b","url":"https://dev.example/b","title":null,"body":"素晴らしい","source":"DEV","timestamp":"2026-11-22 00:00:00.000",
   "author":null,"authorName":"Wave","sentiment":null,"relevance":"not_relevant"}]}`

var remaining = []string{"X-Earshot-Searches-Remaining", "49", "X-Earshot-Mentions-Remaining", "4988"}

func running(pollURL string, raw int, header ...string) step {
	return step{202, fmt.Sprintf(
		`{"status":"running","searchId":"srch_1","pollUrl":%q,"partialStats":{"rawMatches":%d,"afterDedup":4,"afterRelevance":1,"perSource":{"dev":0,"reddit":%[2]d}}}`,
		pollURL, raw), header}
}

func refused(status int, code, message string, header ...string) step {
	return step{status, fmt.Sprintf(`{"error":{"code":%q,"message":%q,"status":%d}}`, code, message, status), header}
}

func TestRun_AtOnce(t *testing.T) {
	server := serve(t, "", step{200, completed, remaining})
	got := ran(t, server.URL,
		search.Options{
			Query:      `"wave barn" -surf`,
			Window:     "7d",
			Sources:    []string{"reddit"},
			MaxResults: 20,
			Relevance:  "low",
		})
	if got.err != nil || len(got.waits) != 0 {
		t.Fatalf("Run = %v after %v", got.err, got.waits)
	}
	want := []asked{{"POST /api/v2/search", "Bearer key", "request-1",
		`{"query":"\"wave barn\" -surf","timeWindow":"7d","sources":["reddit"],"maxResults":20,"minRelevance":"low"}`}}
	if !slices.Equal(server.asked, want) {
		t.Errorf("Run asks %q, want %q", server.asked, want)
	}
	table := `2 results for "wave barn" -surf in the last 7d: 1,340 posts found, 120 without
      doubles, 2 relevant, 1 mention counted.

  FIT     WHEN              SOURCE          AUTHOR                      TONE
= high    2026-11-23 09:12  reddit          quietharbor                 Positive
    Outage: Northwind woke me up in time.
    https://reddit.example/a
  not_r…  2026-11-22 00:00  dev             Wave
    素晴らしい
    https://dev.example/b

= The workspace has this mention already, so that it is free.
Skipped: news. its budget of the hour is spent.
Skipped: x, youtube. It has no key.
Remaining: 49 searches, 4,988 mentions.
`
	if strings.ReplaceAll(got.stdout, "      doubles", "doubles") != strings.ReplaceAll(table, "      doubles", "doubles") {
		t.Errorf("Run writes\n%s\nwant\n%s", got.stdout, table)
	}
}

// One of a kind is named as one.
func TestRun_One(t *testing.T) {
	one := strings.NewReplacer(`"rawMatches":1340`, `"rawMatches":1`, `"afterDedup":120`, `"afterDedup":1`).Replace(completed)
	left := []string{"X-Earshot-Searches-Remaining", "1", "X-Earshot-Mentions-Remaining", "1"}
	server := serve(t, "", running("", 1), step{200, one, left})
	got := ran(t, server.URL, search.Options{})
	for _, said := range []string{"1 post found, 1 without", "Remaining: 1 search, 1 mention.\n"} {
		if !strings.Contains(got.stdout, said) {
			t.Errorf("Run writes\n%s\nwithout %q", got.stdout, said)
		}
	}
	if !strings.Contains(got.stderr, "  1 post found, 4 without doubles") {
		t.Errorf("Run shows %q", got.stderr)
	}
}

// A search that is running is asked for at its pollUrl, after the pause that the API names, with its progress.
func TestRun_Polled(t *testing.T) {
	for _, c := range []struct{ below, pollURL string }{
		{"", "/api/v2/search/srch_1"}, {"", "{base}/api/v2/search/srch_1"}, {"", ""}, {"/dev", "/dev/api/v2/search/srch_1"},
		{"/dev", "/api/v2/search/srch_1"}, {"/dev", "{base}/api/v2/search/srch_1"},
		{"", "https://elsewhere.example/api/v2/search/srch_2"},
		{"", "//elsewhere.example/api/v2/search/srch_2"},
	} {
		server := serve(t, c.below, running(c.pollURL, 7, "Retry-After", "2"), running(c.pollURL, 7, "Retry-After", "3"),
			running("", 9), step{200, completed, remaining})
		got := ran(t, server.URL+c.below, search.Options{})
		if got.err != nil {
			t.Fatalf("Run with pollUrl %s = %v", c.pollURL, got.err)
		}
		if want := []time.Duration{2 * time.Second, 3 * time.Second, 2 * time.Second}; !slices.Equal(got.waits, want) {
			t.Errorf("Run waits %v, want %v", got.waits, want)
		}
		for _, polled := range server.asked[1:] {
			if polled.line != "GET /api/v2/search/srch_1" || polled.key != "Bearer key" {
				t.Errorf("pollUrl %s is asked by %q", c.pollURL, polled)
			}
		}
		progress := "Searching …\n  7 posts found, 4 without doubles, 1 relevant (reddit 7)\n  9 posts found, 4 without doubles, 1 relevant (reddit 9)\n"
		if got.stderr != progress || !strings.Contains(got.stdout, "2 results for") {
			t.Errorf("Run shows %q, want %q", got.stderr, progress)
		}
	}
}

func TestRun_ByID(t *testing.T) {
	server := serve(t, "", step{200, completed, nil})
	if got := ran(t, server.URL, search.Options{ID: "srch_1"}); got.err != nil ||
		server.asked[0].line != "GET /api/v2/search/srch_1" ||
		!strings.Contains(got.stdout, "https://dev.example/b") || strings.Contains(got.stdout, "Remaining") {
		t.Errorf("Run(ID) = %v, %q, asked %q", got.err, got.stdout, server.asked)
	}
}

func TestRun_JSON(t *testing.T) {
	hostile := strings.Replace(completed, "Outage", `\u001b[2J\u202e`, 1)
	got := ran(t, serve(t, "", step{200, hostile, remaining}).URL, search.Options{JSON: true})
	var shown struct {
		Status   string
		Mentions []struct{ Title string }
	}
	if err := json.Unmarshal([]byte(got.stdout), &shown); err != nil || got.err != nil || len(shown.Mentions) != 2 ||
		shown.Mentions[0].Title != "\x1b[2J\u202e" ||
		strings.Count(got.stdout, "\n") != 1 || strings.ContainsAny(got.stdout, "\x1b\u202e") {
		t.Errorf("Run(JSON) = %v, %v, %q", got.err, err, got.stdout)
	}
	if !strings.HasSuffix(got.stderr, "Remaining: 49 searches, 4,988 mentions.\n") {
		t.Errorf("Run(JSON) shows %q", got.stderr)
	}
}

// An answer that is lost is asked for again with the same Idempotency-Key, so that the search is billed once.
func TestRun_Passing(t *testing.T) {
	down := refused(503, "SERVICE_UNAVAILABLE", "Soon.", "Retry-After", "4")
	server := serve(t, "", step{}, down, refused(409, "IDEMPOTENCY_KEY_IN_USE", "It runs."), running("", 1),
		refused(429, "RATE_LIMIT_EXCEEDED", "Enough.", "Retry-After", "9"), step{}, step{200, completed, nil})
	got := ran(t, server.URL, search.Options{})
	if got.err != nil || len(server.asked) != 7 {
		t.Fatalf("Run = %v after %d requests", got.err, len(server.asked))
	}
	for i, each := range server.asked {
		if i < 4 != (each.request == "request-1") {
			t.Errorf("request %d has the Idempotency-Key %q", i, each.request)
		}
	}
	want := []time.Duration{2 * time.Second, 4 * time.Second, 2 * time.Second, 2 * time.Second, 9 * time.Second,
		2 * time.Second}
	if !slices.Equal(got.waits, want) {
		t.Errorf("Run waits %v, want %v", got.waits, want)
	}
}

// What ends without results has a status, and a sentence with the remedy.
func TestRun_Statuses(t *testing.T) {
	long := []step{running("", 1)}
	for range 600 {
		long = append(long, running("", 1, "Retry-After", "5"))
	}
	down := refused(500, "INTERNAL_ERROR", "Oh.")
	for _, c := range []struct {
		steps  []step
		status int
		says   string
	}{
		{[]step{{400, `{"error":{"code":"INVALID_INPUT","message":"m","details":[{"path":"query","message":"A quote opens at character 5 and does not end."}]}}`, nil}},
			exit.Refused, "query: A quote opens at character 5 and does not end (INVALID_INPUT)"},
		{[]step{refused(401, "UNAUTHORIZED", "No key.")}, exit.Key, "No key"},
		{[]step{{403, `{"error":{"code":"UPGRADE_REQUIRED","message":"All 50 searches are used.","upgradeUrl":"https://a.example/upgrade","upgradeCommand":"earshot upgrade"}}`, nil}},
			exit.Key, "Run earshot upgrade, or open https://a.example/upgrade"},
		{[]step{refused(402, "QUOTA_EXCEEDED", "The month is spent.")}, exit.Refused, "The month is spent"},
		{[]step{refused(404, "SEARCH_NOT_FOUND", "No search.")}, exit.Refused, "No search"},
		{[]step{refused(404, "NOT_FOUND", "No path.")}, exit.Nowhere, "root of an API"},
		{[]step{refused(429, "RATE_LIMIT_EXCEEDED", "Enough.", "Retry-After", "1800")}, exit.Failed, "Ask again in 1800 s"},
		{[]step{down, down, down, down}, exit.Failed, "Oh (INTERNAL_ERROR)"},
		{[]step{{200, `{"searchId":"srch_1","status":"quota_exhausted"}`, nil}}, exit.Refused, "earshot upgrade"},
		{[]step{running("", 1), {200, `{"searchId":"srch_1","status":"failed","error":"No source answered."}`, nil}},
			exit.Failed, "No source answered"},
		{[]step{{200, `{"searchId":"srch_1","status":"failed"}`, nil}}, exit.Failed, "search again"},
		{[]step{{200, `{"searchId":"srch_1","status":"strange\u001b[2J"}`, nil}}, exit.Failed, "strange [2J"},
		{[]step{{202, `{"status":"running"}`, nil}}, exit.Failed, "no searchId"},
		{[]step{{200, `{"data":[]}`, nil}}, exit.Failed, "not the form"},
		{[]step{{200, `{"status":7}`, nil}}, exit.Failed, "not the form"},
		{[]step{{200, `<html>`, nil}}, exit.Nowhere, "does not answer JSON"},
		{[]step{running("", 1, "Retry-After", "3600")}, exit.Failed, "longer than this command waits"},
		{long, exit.Failed, "longer than this command waits"},
	} {
		got := ran(t, serve(t, "", c.steps...).URL, search.Options{})
		if exit.StatusOf(got.err) != c.status || got.err == nil || !strings.Contains(got.err.Error(), c.says) ||
			strings.HasSuffix(got.err.Error(), ".") || got.stdout != "" {
			t.Errorf("Run = %v, %q, want status %d and %q", got.err, got.stdout, c.status, c.says)
		}
		if strings.Contains(c.says, "longer") && !strings.Contains(got.stderr, "earshot search --id srch_1") {
			t.Errorf("Run shows %q, want how to read the search later", got.stderr)
		}
	}
	if got := ran(t, "http://127.0.0.1:1", search.Options{}); exit.StatusOf(got.err) != exit.Nowhere ||
		len(got.waits) != 0 {
		t.Errorf("Run at no server = %v after %v, want status %d at once", got.err, got.waits, exit.Nowhere)
	}
}

func TestRun_Interrupted(t *testing.T) {
	stopped := func(context.Context, time.Duration) error { return context.Canceled }
	got := ran(t, serve(t, "", running("", 1)).URL, search.Options{Sleep: stopped})
	if !errors.Is(got.err, context.Canceled) || exit.StatusOf(got.err) != exit.Interrupted ||
		!strings.Contains(got.stderr, "earshot search --id srch_1") {
		t.Errorf("Run = %v, %q, want status %d and how to read the search later", got.err, got.stderr, exit.Interrupted)
	}
}

func TestRun_Empty(t *testing.T) {
	none := `{"searchId":"srch_1","status":"completed","query":"x","timeWindow":"7d","stats":{"skippedSources":{"x":"no key"}},"mentions":[]}`
	got := ran(t, serve(t, "", step{200, none, nil}).URL, search.Options{})
	if got.err != nil || !strings.Contains(got.stdout, "Nothing was found") ||
		!strings.Contains(got.stdout, "Skipped: x. no key.") || strings.Contains(got.stdout, "FIT") {
		t.Errorf("Run = %v, %q", got.err, got.stdout)
	}
}

// Whatever strangers wrote, a line fits the terminal unless it is a URL, and nothing moves the cursor.
func TestRun_AnyText(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.Rune()), rapid.Just("a\x1b[2J\u202e\r\n"), rapid.Just("\xff\xfe"))
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string) string { return text.Draw(rt, name) }
		body, err := json.Marshal(map[string]any{
			"searchId": draw("id"), "status": "completed", "query": draw("query"), "timeWindow": draw("window"),
			"stats": map[string]any{"rawMatches": rapid.Int64().Draw(rt, "raw"),
				"skippedSources": map[string]string{draw("slug"): draw("reason")}},
			"mentions": []any{map[string]any{
				"url": "https://example.com/" + draw("url"), "title": draw("title"), "body": draw("body"), "source": draw("source"),
				"author":    draw("author"),
				"timestamp": draw("timestamp"), "sentiment": draw("sentiment"), "relevance": draw("relevance"),
				"relevanceScore": rapid.IntRange(-9, 9).Draw(rt, "score"), "alreadyInWorkspace": rapid.Bool().Draw(rt, "known"),
			}},
		})
		if err != nil {
			rt.Fatal(err)
		}
		ascii, wide := rapid.Bool().Draw(rt, "ascii"), rapid.IntRange(40, 120).Draw(rt, "wide")
		got := ran(t, serve(t, "", step{200, string(body), nil}).URL, search.Options{ASCII: ascii, Width: wide})
		if got.err != nil {
			rt.Fatal(got.err)
		}
		if strings.ContainsFunc(got.stdout, func(r rune) bool { return r != '\n' && !unicode.IsGraphic(r) }) {
			rt.Fatalf("Run writes %q", got.stdout)
		}
		for _, line := range strings.Split(got.stdout, "\n") {
			row := strings.HasPrefix(line, "  FIT") || strings.HasPrefix(line, "= ") || strings.HasPrefix(line, "    ")
			if row && !strings.HasPrefix(line, "    https://") && terminal.Width(line) > wide {
				rt.Fatalf("a line of %d columns, want at most %d: %q", terminal.Width(line), wide, line)
			}
			if row && ascii && !strings.Contains(line, "https://") &&
				strings.ContainsFunc(line, func(r rune) bool { return r > '~' }) {
				rt.Fatalf("a line in ASCII is %q", line)
			}
		}
	})
}
