package chart_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	_ "time/tzdata"
	"unicode"

	"pgregory.net/rapid"

	"earshot/infra/chart"
	"earshot/infra/client"
	"earshot/infra/exit"
	"earshot/infra/terminal"
)

var update = flag.Bool("update", false, "write the drawings in testdata anew")

// fixed answers each operation with the member of a document that has its name.
func fixed(t testing.TB, answers map[string]any) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, known := answers[path.Base(r.URL.Path)]
		if of, varies := answer.(func(*http.Request) any); varies {
			answer = of(r)
		}
		if !known || r.Header.Get("Authorization") != "Bearer key" {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(server.Close)
	return server
}

func document(t testing.TB, name string) (answers map[string]any) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(content, &members); err != nil {
		t.Fatal(err)
	}
	answers = map[string]any{}
	for name, member := range members {
		answers[name] = member
	}
	return answers
}

func drawn(t testing.TB, o chart.Options, answers map[string]any) string {
	t.Helper()
	var out bytes.Buffer
	o.Base, o.Key, o.To = fixed(t, answers).URL, "key", &out
	if err := chart.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The drawings of fixed answers stay as they are. -update writes them anew.
func TestRun_Drawings(t *testing.T) {
	for _, c := range []struct {
		name, answers string
		options       chart.Options
	}{
		{"month", "month", chart.Options{}},
		{"month-ascii", "month", chart.Options{Style: chart.Style{ASCII: true, Columns: 64}}},
		{"month-color", "month", chart.Options{Style: chart.Style{Color: true, Columns: 100}}},
		{"month-narrow", "month", chart.Options{Style: chart.Style{Columns: 12}}},
		{"hours", "hours", chart.Options{Timezone: "Asia/Kathmandu"}},
		{"empty", "empty", chart.Options{}},
		{"hostile", "hostile", chart.Options{}},
		{"hostile-ascii", "hostile", chart.Options{Style: chart.Style{ASCII: true}}},
	} {
		got := drawn(t, c.options, document(t, c.answers))
		file := filepath.Join("testdata", c.name+".golden")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is drawn as\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

// The period of weeks does not seem to end on the Monday on which the last week begins.
func TestRun_Weeks(t *testing.T) {
	answers := document(t, "empty")
	answers["volume"] = json.RawMessage(`{"granularity":"week","exact":true,"data":[` +
		`{"bucket":"2026-11-16","count":0},{"bucket":"2026-11-23","count":0}]}`)
	got, _, _ := strings.Cut(drawn(t, chart.Options{Granularity: "week"}, answers), "\n")
	if want := "0 mentions, the weeks of 2026-11-16 to 2026-11-23 in UTC. "; !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// Whatever stands in an answer, no line is longer than the terminal, and nothing moves its cursor.
func TestRun_HostileAnswers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Just("\x1b[2J\u009b1A\u202e\r\x07x"), rapid.StringOf(rapid.Rune()),
			rapid.Just("素晴らしい🚀🇩🇪"))
		count := rapid.OneOf(rapid.Int64Range(0, 9), rapid.Int64())
		rows := func(name string) any {
			return map[string]any{"exact": rapid.Bool().Draw(rt, "exact"), "why": text.Draw(rt, "why"),
				"granularity": text.Draw(rt, "granularity"),
				"data": rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) map[string]any {
					return map[string]any{
						name:         text.Draw(rt, name),
						"bucket":     text.Draw(rt, "bucket"),
						"count":      count.Draw(rt, "count"),
						"keywordIds": rapid.SliceOfN(rapid.Int64(), 0, 2).Draw(rt, "ids"),
					}
				}), 0, 20).Draw(rt, "rows")}
		}
		style := chart.Style{Columns: rapid.IntRange(40, 120).Draw(rt, "columns"), ASCII: rapid.Bool().Draw(rt, "ascii")}
		got := drawn(failing{t, rt}, chart.Options{Style: style}, map[string]any{
			"volume": rows("bucket"), "sentiment": rows("sentiment"), "sources": rows("source"), "tags": rows("tag"),
			"share-of-voice": rows("name"),
		})
		for line := range strings.SplitSeq(got, "\n") {
			if len(strings.Fields(line)) > 1 && terminal.Width(line) > style.Columns { // a single word may be longer
				rt.Fatalf("a line of %d columns, want at most %d: %q", terminal.Width(line), style.Columns, line)
			}
		}
		if strings.ContainsFunc(got, func(r rune) bool { return r != '\n' && !unicode.IsGraphic(r) || style.ASCII && r > '~' }) {
			rt.Fatalf("%q", got)
		}
	})
}

// failing fails the drawn test where a helper would fail the whole one.
type failing struct {
	testing.TB
	rt *rapid.T
}

func (f failing) Fatal(args ...any) { f.rt.Fatal(args...) }

func TestRun_JSON(t *testing.T) {
	got := drawn(t, chart.Options{JSON: true}, document(t, "hostile"))
	var shown map[string]any
	if err := json.Unmarshal([]byte(got), &shown); err != nil || strings.Count(got, "\n") != 1 ||
		strings.ContainsAny(got, "\x1b\u202e") {
		t.Errorf("Run(JSON) = %q, %v", got, err)
	}
	for _, name := range []string{"volume", "sentiment", "sources", "tags", "shareOfVoice"} {
		if shown[name] == nil {
			t.Errorf("Run(JSON) has no %s", name)
		}
	}
}

// Failures end with their exit statuses, and name what to do.
func TestRun_Statuses(t *testing.T) {
	var answer func(http.ResponseWriter)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w) }))
	t.Cleanup(server.Close)
	says := func(status int, body string, header ...string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			if len(header) > 0 {
				w.Header().Set(header[0], header[1])
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	envelope := func(code, message, details string) string {
		return fmt.Sprintf(`{"error":{"code":%q,"message":"%s","details":[%s]}}`, code, message, details)
	}
	two := `{"path":"query.tag","message":"Expected one of a, b."},{"path":"query.startDate","message":"Expected a day."}`
	for _, c := range []struct {
		answer func(http.ResponseWriter)
		status int
		want   string
	}{
		{says(401, envelope("UNAUTHORIZED", "No key.", "")), exit.Key, "No key (UNAUTHORIZED)"},
		{says(403, envelope("UPGRADE_REQUIRED", "The plan is small.", "")), exit.Key, "The plan is small (UPGRADE_REQUIRED)"},
		{says(400, envelope("VALIDATION_ERROR", "Two faults.", two)), exit.Refused,
			"query.tag: Expected one of a, b; query.startDate: Expected a day (VALIDATION_ERROR)"},
		{says(404, envelope("KEYWORDS_NOT_FOUND", "No keyword 9.", "")), exit.Refused, "No keyword 9"},
		{says(404, envelope("NOT_FOUND", "No path.", "")), exit.Nowhere, "root of an API"},
		{says(429, envelope("RATE_LIMIT_EXCEEDED", "Enough.", ""), "Retry-After", "17"), exit.Failed,
			"Enough. Ask again in 17 s"},
		{says(500, envelope("INTERNAL_ERROR", `Oh \u001b[2J.`, "")), exit.Failed, "Oh  [2J"},
		{says(502, "<html>"), exit.Failed, "answers 502"},
		{says(404, "<html>"), exit.Nowhere, "not as Earshot does"},
		{says(200, "<html>"), exit.Nowhere, "does not answer JSON"},
		{says(200, `{"data":7}`), exit.Failed, "form"},
		{says(200, `[]`), exit.Failed, "form"},
	} {
		answer = c.answer
		err := chart.Run(t.Context(), chart.Options{Target: client.Target{Base: server.URL, Key: "key"}, To: &bytes.Buffer{}})
		var failure *exit.Failure
		if !errors.As(err, &failure) || failure.Status != c.status || !strings.Contains(err.Error(), c.want) ||
			strings.HasSuffix(err.Error(), ".") {
			t.Errorf("Run = %v, want status %d and %q", err, c.status, c.want)
		}
	}
	answer = says(200, `{"exact":true,"data":[]}`)
	for base, status := range map[string]int{
		"http://127.0.0.1:1": exit.Nowhere, "http://api.example.com": exit.Misuse, "ftp://x": exit.Misuse,
		"nonsense":          exit.Misuse,
		"https://user@host": exit.Misuse, server.URL + "?x=1": exit.Misuse, server.URL + "/api/v2/": 0, server.URL + "/": 0,
	} {
		err := chart.Run(t.Context(), chart.Options{Target: client.Target{Base: base, Key: "key"}, To: &bytes.Buffer{}})
		var failure *exit.Failure
		if errors.As(err, &failure); status == 0 && err != nil ||
			status != 0 && (failure == nil || failure.Status != status) {
			t.Errorf("Run(%s) = %v, want status %d", base, err, status)
		}
	}
	server.Close()
	if err := chart.Run(t.Context(),
		chart.Options{Target: client.Target{Base: server.URL, Key: "secret-key"}}); err == nil ||
		strings.Contains(err.Error(), "secret") {
		t.Errorf("Run = %v, want an error without the key", err)
	}
}

// A platform that no keyword has is refused unless the workspace has its mentions, as it has those that were pushed in,
// in the period or at another time. A workspace without keywords says so.
func TestRun_Unknown(t *testing.T) {
	answers := document(t, "month")
	answers["keywords"] = json.RawMessage(`{"data":[]}`)
	answers["sources"] = json.RawMessage(`{"exact":true,"data":[{"source":"trustpilot","count":3}]}`)
	answers["mentions"] = func(r *http.Request) any {
		var asked struct {
			SimpleFilters struct{ Source []string }
			IncludeAll    bool
		}
		if json.NewDecoder(r.Body).Decode(&asked) != nil || r.Method != http.MethodPost || !asked.IncludeAll {
			return nil
		}
		page := map[string]any{"data": []any{}, "pagination": map[string]any{"nextCursor": nil}}
		if slices.Equal(asked.SimpleFilters.Source, []string{"earlier"}) {
			page["data"] = []any{map[string]any{"id": 7}}
		}
		return page
	}
	server := fixed(t, answers)
	for _, c := range []struct {
		sources, keywords []string
		want              string // of the error; empty: none
	}{
		{[]string{"nosuch"}, nil,
			`the workspace has no mention from a platform "nosuch". Platforms are dev, github, hackernews`},
		{[]string{"trustpilot", "GitHub", "nosuch"}, nil, `"nosuch"`},
		{[]string{"trustpilot", "GitHub", "linkedin"}, nil, ""},
		{[]string{"earlier"}, nil, ""},
		{nil, []string{"nosuch"}, "the workspace has no keywords yet. POST /api/v2/keywords adds one"},
	} {
		var out bytes.Buffer
		err := chart.Run(t.Context(), chart.Options{Target: client.Target{Base: server.URL, Key: "key"}, To: &out,
			Sources: c.sources, Keywords: c.keywords, JSON: true})
		var failure *exit.Failure
		switch {
		case c.want == "" && err != nil:
			t.Errorf("Run(%q, %q) = %v, want no error", c.sources, c.keywords, err)
		case c.want != "" && (!errors.As(err, &failure) || failure.Status != exit.Refused ||
			!strings.Contains(err.Error(), c.want)):
			t.Errorf("Run(%q, %q) = %v, want %q", c.sources, c.keywords, err, c.want)
		case c.want != "" && out.Len() > 0:
			t.Errorf("Run(%q, %q) wrote %s, want nothing beside the error", c.sources, c.keywords, &out)
		}
	}
}

// A selection is sent as the API takes it, and a keyword's text becomes its id.
func TestRun_Selection(t *testing.T) {
	asked := map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked[path.Base(r.URL.Path)] = r.URL.RawQuery + " " + r.Header.Get("x-earshot-organization-id")
		fmt.Fprint(w, `{"exact":true,"data":[{"id":7,"keyword":"Northwind"}]}`)
	}))
	t.Cleanup(server.Close)
	o := chart.Options{
		Target:      client.Target{Base: server.URL, Key: "key", Workspace: "org_1"},
		Start:       "2026-11-01",
		End:         "2026-11-08",
		Timezone:    "Europe/Berlin",
		Granularity: "week",
		Keywords:    []string{"northwind", "9"},
		Sources:     []string{"reddit", "dev"},
		Tags:        []string{"none"},
		Relevance:   []string{"0"},
		Sentiments:  []string{"positive"},
		To:          &bytes.Buffer{},
	}
	if err := chart.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	common := "endDate=2026-11-08&keywordIds=7&keywordIds=9&platforms=reddit&platforms=dev&relevance=0&sentiment=positive&startDate=2026-11-01&tag=none&timezone=Europe%2FBerlin"
	for name, want := range map[string]string{
		"keywords": "", "sources": common,
		"volume": strings.Replace(common, "&keyword", "&fill=true&granularity=week&keyword", 1),
	} {
		if asked[name] != want+" org_1" {
			t.Errorf("%s is asked by %q, want %q", name, asked[name], want)
		}
	}
	o.Keywords = []string{"southwind"}
	if err := chart.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), `"southwind"`) ||
		!strings.Contains(err.Error(), "Northwind") {
		t.Errorf("Run with an unknown keyword = %v", err)
	}
}
