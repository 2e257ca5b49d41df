package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// onBoth plays a story on the file and, where TABLE_ENDPOINT names a server that speaks DynamoDB, there too.
func onBoth(t *testing.T, story func(t *testing.T, settings ...string)) {
	t.Run("file", func(t *testing.T) { story(t) })
	t.Run("server", func(t *testing.T) {
		endpoint := os.Getenv("TABLE_ENDPOINT")
		if endpoint == "" {
			t.Skip("TABLE_ENDPOINT names no server that speaks DynamoDB")
		}
		story(t, "TABLE_ENDPOINT="+endpoint)
	})
}

// A list is what POST /api/v2/mentions answers.
type list struct {
	Data []struct {
		ID       int64
		SourceID string
		Body     *string
	}
	Pagination struct{ NextCursor *string }
}

func TestRequestsOfEveryKind(t *testing.T) {
	onBoth(t, func(t *testing.T, settings ...string) {
		b := begin(t, settings...)
		keys := b.demo.Keys
		var page list
		first := b.keyed(t, "POST", "/api/v2/mentions", keys.Read, `{"limit":3}`)
		first.ok(t, &page)
		if len(page.Data) != 3 || page.Pagination.NextCursor == nil || first.Header.Get("X-RateLimit-Remaining") != "499" {
			t.Errorf("%s", first.body)
		}
		b.keyed(t, "GET", "/api/v2/mentions/reddit_post_1kq3x9", keys.Write, "").ok(t, nil)
		hostile := "github_discussion_harbourworks/alert-bridge!../%2e%2e/88"
		var found struct{ SourceID string }
		b.keyed(t, "GET", "/api/v2/mentions/by-id?id="+url.QueryEscape(hostile), keys.Admin, "").ok(t, &found)
		if found.SourceID != hostile {
			t.Errorf("%+v", found)
		}
		b.keyed(t, "POST", "/api/v2/mentions", keys.Read, `{"limit":0,"x":1}`).is(t, 400, "VALIDATION_ERROR")
		b.keyed(t, "POST", "/api/v2/mentions", keys.Read, `{"cursor":"abc"}`).is(t, 400, "INVALID_INPUT")
		b.keyed(t, "POST", "/api/v2/mentions", keys.Read+"x", `{}`).is(t, 401, "UNAUTHORIZED")
		b.ask(t, "POST", "/api/v2/mentions", `{}`).is(t, 401, "UNAUTHORIZED")
		b.keyed(t, "POST", "/api/v2/mentions", keys.AgencyMaster, `{}`).is(t, 400, "ORGANIZATION_REQUIRED")
		b.keyed(t, "POST", "/api/v2/mentions", keys.AgentsPlan, `{}`).is(t, 403, "UPGRADE_REQUIRED")
		b.ask(t, "POST", "/api/v2/mentions", `{}`, "Authorization", "Bearer "+keys.Read, "x-earshot-organization-id",
			b.demo.Workspaces["harbour"]).
			is(t, 403, "FORBIDDEN_ORGANIZATION")
		b.ask(t, "POST", "/api/v2/mentions", `{"limit":1}`, "Authorization", "Bearer "+keys.AgencyMaster, "Content-Type",
			"application/json",
			"x-earshot-organization-id", b.demo.Workspaces["northwind"]).ok(t, nil)
		b.keyed(t, "GET", "/api/v2/mentions/reddit_post_1kq3x9", keys.OtherWorkspace, "").is(t, 404, "MENTION_NOT_FOUND")
		for _, target := range []string{"/", "/api/v2/", "/api/v2//mentions", "/API/v2/mentions", "/api/v2/nothing", "/_localx"} {
			b.keyed(t, "POST", target, keys.Read, `{}`).is(t, 404, "NOT_FOUND")
		}
		b.keyed(t, "GET", "/api/v1/mentions", keys.Read, "").is(t, 404, "not_found")
		deleted := b.keyed(t, "DELETE", "/api/v2/mentions", keys.Read, "")
		deleted.is(t, 404, "NOT_FOUND")
		if deleted.Header.Get("Allow") != "POST" {
			t.Errorf("Allow is %q", deleted.Header.Get("Allow"))
		}
		for _, target := range []string{"/api/v2/openapi.json", "/api/v2/docs", "/llms.txt",
			"/.well-known/oauth-protected-resource/api/v2"} {
			public := b.ask(t, "GET", target, "")
			public.ok(t, nil)
			if target != "/api/v2/docs" && !strings.Contains(public.body, b.url) {
				t.Errorf("%s does not name %s", target, b.url)
			}
		}
		if b.stderr.String() != "" {
			t.Errorf("it complains: %s", b.stderr)
		}
	})
}

func TestRateLimitAndClock(t *testing.T) {
	onBoth(t, func(t *testing.T, settings ...string) {
		b := begin(t, settings...)
		now := time.Now().UTC().Truncate(time.Hour).Add(90 * time.Minute) // in the middle of an hour, so that it does not turn
		var shown struct{ Now time.Time }
		b.ask(t, "POST", "/_local/clock", fmt.Sprintf(`{"now":%q}`, now.Format(time.RFC3339))).ok(t, &shown)
		if shown.Now.Before(now) || shown.Now.After(now.Add(time.Minute)) {
			t.Errorf("the clock shows %s", shown.Now)
		}
		for range 500 {
			b.keyed(t, "GET", "/api/v2/mentions/1042", b.demo.Keys.OtherWorkspace, "").is(t, 404, "MENTION_NOT_FOUND")
		}
		spent := b.keyed(t, "GET", "/api/v2/mentions/1042", b.demo.Keys.OtherWorkspace, "")
		spent.is(t, 429, "RATE_LIMITED")
		if spent.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		b.keyed(t, "GET", "/api/v2/mentions/1042", b.demo.Keys.Read, "").ok(t, nil) // another workspace's hour
		b.ask(t, "POST", "/_local/clock", fmt.Sprintf(`{"now":%q}`, now.Add(time.Hour).Format(time.RFC3339))).ok(t, nil)
		b.keyed(t, "GET", "/api/v2/mentions/1042", b.demo.Keys.OtherWorkspace, "").is(t, 404, "MENTION_NOT_FOUND")
		b.ask(t, "POST", "/_local/clock", `{"now":null}`).ok(t, &shown)
		if off := time.Since(shown.Now).Abs(); off > time.Minute {
			t.Errorf("the clock is off by %s after null", off)
		}
	})
}

func TestMentionsPutInAreServed(t *testing.T) {
	onBoth(t, func(t *testing.T, settings ...string) {
		b := begin(t, settings...)
		var lines strings.Builder
		for i := range 300 {
			fmt.Fprintf(&lines, `{"id":%d,"sourceId":"news_article_%d","url":"","title":null,"body":"No. %d","source":"news","timestamp":"2031-01-01 00:00:%02d.000","relevance":"relevant","language":"english"}`+"\n",
				900001+i, i, i, i%60)
		}
		var report struct{ Received, Stored, RejectedCount int }
		b.ask(t, "POST", "/_local/mentions?workspace="+b.demo.Workspaces["harbour"], lines.String()+"\n{\n").ok(t, &report)
		if report.Received != 301 || report.Stored != 300 || report.RejectedCount != 1 {
			t.Errorf("%+v", report)
		}
		seen := b.walk(t, b.demo.Keys.OtherWorkspace)
		for i := range 300 {
			if !seen[fmt.Sprintf("news_article_%d", i)] {
				t.Fatalf("number %d is not in the list of %d", i, len(seen))
			}
		}
		b.ask(t, "POST", "/_local/mentions?workspace=org_x", "{}").is(t, 404, "ORG_NOT_FOUND")
	})
}

// walk reads a workspace's whole list.
func (b *bench) walk(t *testing.T, key string) map[string]bool {
	t.Helper()
	seen, cursor := map[string]bool{}, ""
	for {
		var page list
		b.keyed(t, "POST", "/api/v2/mentions", key, `{"limit":100,"includeAll":true`+cursor+`}`).ok(t, &page)
		for _, m := range page.Data {
			seen[m.SourceID] = true
		}
		if page.Pagination.NextCursor == nil {
			return seen
		}
		cursor = fmt.Sprintf(`,"cursor":%q`, *page.Pagination.NextCursor)
	}
}

// A fault that is asked for is met by the next request, as the envelope, and by stderr; then all is well again.
func TestFaults(t *testing.T) {
	onBoth(t, func(t *testing.T, settings ...string) {
		b := begin(t, settings...)
		read := func() answer { return b.keyed(t, "GET", "/api/v2/mentions/1042", b.demo.Keys.Read, "") }
		for _, kind := range []string{"throttle", "error", "crash"} {
			times := map[string]int{"throttle": 4, "error": 4, "crash": 1}[kind] // the table is asked again when it may help
			b.ask(t, "POST", "/_local/faults",
				fmt.Sprintf(`{"port":"table","operation":"get","fault":%q,"times":%d}`, kind, times)).ok(t, nil)
			read().is(t, 500, "INTERNAL_ERROR")
			read().ok(t, nil)
		}
		if !strings.Contains(b.stderr.String(), "injected") {
			t.Errorf("stderr says %q", b.stderr)
		}
		b.ask(t, "POST", "/_local/faults", `{"port":"table","operation":"*","fault":"error","times":0}`).ok(t, nil)
		read().is(t, 500, "INTERNAL_ERROR")
		var left struct{ Faults []json.RawMessage }
		b.ask(t, "GET", "/_local/faults", "").ok(t, &left)
		if len(left.Faults) != 1 {
			t.Errorf("%s", left.Faults)
		}
		b.ask(t, "DELETE", "/_local/faults", "").ok(t, nil)
		read().ok(t, nil)
	})
}

// What is started again on its data is as it was: keys, mentions, flags, counts; only the address follows ADDR.
func TestStartingAgainKeepsEverything(t *testing.T) {
	onBoth(t, func(t *testing.T, settings ...string) {
		first := begin(t, settings...)
		settings = append(settings, "DATA="+first.folder)
		line := `{"id":5,"sourceId":"mine","source":"news","timestamp":"2026-11-01 00:00:00.000"}`
		first.ask(t, "POST", "/_local/mentions?workspace="+first.demo.Workspaces["northwind"], line).ok(t, nil)
		before := first.walk(t, first.demo.Keys.Read)
		if err := first.stop(); err != nil {
			t.Fatal(err)
		}
		again := begin(t, settings...)
		if again.demo.Keys != first.demo.Keys || fmt.Sprint(again.demo.Workspaces) != fmt.Sprint(first.demo.Workspaces) {
			t.Errorf("%+v\n%+v", first.demo, again.demo)
		}
		if again.demo.BaseURL != again.url {
			t.Errorf("demo.json names %s, it listens on %s", again.demo.BaseURL, again.url)
		}
		if after := again.walk(t, again.demo.Keys.Read); len(before) != 73 || fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("%d mentions, then %d", len(before), len(after))
		}
	})
}

// need skips a test whose tools are not on this machine. In CI they must be: .ci/run installs them.
func need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err == nil {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("there is no %s on this machine, and CI is to have it", tool)
		}
		t.Skipf("there is no %s on this machine", tool)
	}
}

// The first request that the banner shows works as it is copied.
func TestTheShownCommandWorks(t *testing.T) {
	b := begin(t)
	shown := regexp.MustCompile(`(?m)^  (curl .*)$`).FindStringSubmatch(b.stdout.String())
	if shown == nil {
		t.Fatalf("%s", b.stdout)
	}
	need(t, "sh", "curl")
	out, err := exec.Command("sh", "-c", shown[1]).Output()
	var page list
	if err != nil || json.Unmarshal(out, &page) != nil || len(page.Data) != 3 {
		t.Errorf("%s\n%s %v", shown[1], out, err)
	}
}

func TestWithoutDemo(t *testing.T) {
	b := begin(t, "DEMO=off")
	if _, err := os.Stat(b.folder + "/demo.json"); !os.IsNotExist(err) {
		t.Errorf("there is a demo.json: %v", err)
	}
	b.ask(t, "GET", "/api/v2/openapi.json", "").ok(t, nil)
	b.ask(t, http.MethodPost, "/api/v2/mentions", "{}").is(t, 401, "UNAUTHORIZED")
}
