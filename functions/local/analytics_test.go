package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"earshot/infra/exit"
)

// A stranger's first minute: the program draws the demo's figures, and each figure is the one that the API returns.
func TestAnalyticsStory(t *testing.T) {
	b := begin(t)
	program := func(env []string, args ...string) (stdout, stderr string, status int) {
		t.Helper()
		return earshot(t, append([]string{"DATA=" + b.folder, "LANG=C.UTF-8"}, env...),
			append([]string{"analytics"}, args...)...)
	}
	stdout, stderr, status := program([]string{"COLUMNS=72"})
	if status != 0 || stderr != "" {
		t.Fatalf("analytics = status %d, %s", status, stderr)
	}
	mustSay(t, stdout, "Every figure is exact.", "\nVolume  by day\n", "█", "\nSentiment\n", "\n  Positive ",
		"\nPlatforms\n", "\n  reddit ", "\nTopics ",
		"\nShare of voice ", "\n  Northwind ", "\n  lanternpage ")
	var sources struct {
		Data []struct {
			Source string
			Count  int
		}
	}
	b.keyed(t, "GET", "/api/v2/analytics/sources", b.demo.Keys.Read, "").ok(t, &sources)
	total := 0
	for i, row := range sources.Data {
		if total += row.Count; i < 12 &&
			!regexp.MustCompile(fmt.Sprintf(`(?m)^  %s +%d  `, row.Source, row.Count)).MatchString(stdout) {
			t.Errorf("analytics does not draw %d of %s", row.Count, row.Source)
		}
	}
	mustSay(t, stdout, fmt.Sprintf("%d mentions, ", total))
	if days := strings.Count(stdout, " 20"); total < 40 || days < 10 {
		t.Errorf("the demo has %d mentions on %d days, want a picture that is worth a look", total, days)
	}
	plain, _, _ := program([]string{"LC_ALL=C"}, "--keyword", "lanternpage", "--granularity", "week")
	if strings.ContainsFunc(plain, func(r rune) bool { return r > '~' }) || !strings.Contains(plain, "###") {
		t.Errorf("analytics draws other letters than ASCII: %q", plain)
	}
	document, _, _ := program(nil, "--json", "--source", "reddit")
	var parts map[string]struct{ Exact bool }
	if err := json.Unmarshal([]byte(document), &parts); err != nil || len(parts) != 5 || !parts["shareOfVoice"].Exact ||
		strings.Count(document, "\n") != 1 {
		t.Errorf("analytics --json = %.200s, %v", document, err)
	}
	for _, c := range []struct {
		env    []string
		args   []string
		status int
		says   string
	}{
		{nil, []string{"--granularity", "minute"}, exit.Misuse, "--granularity"},
		{nil, []string{"extra"}, exit.Misuse, "extra"},
		{nil, []string{"--base-url", b.url}, exit.Key, "EARSHOT_API_KEY"},
		{[]string{"EARSHOT_BASE_URL=http://api.example.com", "EARSHOT_API_KEY=x"}, nil, exit.Misuse, "https"},
		{nil, []string{"--base-url", "http://127.0.0.1:1", "--api-key", "x"}, exit.Nowhere,
			"no Earshot answers at http://127.0.0.1:1"},
		{[]string{"EARSHOT_BASE_URL=" + b.url, "EARSHOT_API_KEY=x"}, nil, exit.Key, "UNAUTHORIZED"},
		{nil, []string{"--api-key", b.demo.Keys.AgentsPlan}, exit.Key, "UPGRADE_REQUIRED"},
		{nil, []string{"--api-key", b.demo.Keys.AgencyMaster}, exit.Refused, "ORGANIZATION_REQUIRED"},
		{nil, []string{"--api-key", b.demo.Keys.AgencyMaster, "--workspace", b.demo.Workspaces["harbour"]}, 0, ""},
		{nil, []string{"--base-url", b.url + "/nowhere", "--api-key", b.demo.Keys.Read}, exit.Nowhere, "root of an API"},
		{nil, []string{"--timezone", "local"}, exit.Refused, "INVALID_TIMEZONE"},
		{nil, []string{"--start", "2026-11-02", "--end", "2026-11-01"}, exit.Refused, "query.endDate: "},
		{nil, []string{"--tag", "unheard"}, exit.Refused, "query.tag: "},
		{nil, []string{"--keyword", "unheard"}, exit.Refused, "northwind"},
		{nil, []string{"--keyword", "99"}, exit.Refused, "KEYWORDS_NOT_FOUND"},
		{nil, []string{"--source", "nosuch"}, exit.Refused, `"nosuch". Platforms are dev, github, hackernews, `},
		{nil, []string{"--source", "reddit", "--source", "nosuch", "--json"}, exit.Refused, `"nosuch"`},
		{nil, []string{"--source", "LinkedIn"}, 0, ""},
		{nil, []string{"--source", ""}, exit.Misuse, "--source: a value is empty"},
		{nil, []string{"--source", "reddit,,dev"}, exit.Misuse, "--source: a value is empty"},
		{nil, []string{"--keyword", " "}, exit.Misuse, "--keyword: a value is empty"},
		{nil, []string{"--tag", ""}, exit.Misuse, "--tag: a value is empty"},
		{nil, []string{"--sentiment="}, exit.Misuse, "--sentiment: a value is empty"},
		{nil, []string{"--relevance", ""}, exit.Misuse, "--relevance: a value is empty"},
		{nil, []string{"--relevance", "0,1", "--relevance", "2"}, 0, ""},
		{nil, []string{"--start", "2026-02-30"}, exit.Refused, "query.startDate: "},
	} {
		stdout, stderr, status := program(c.env, c.args...)
		if status != c.status || !strings.Contains(stderr, c.says) || (status == 0) != (stdout != "") {
			t.Errorf("analytics %q = status %d, %q, want %d and %q", c.args, status, stderr, c.status, c.says)
		}
	}
}

// Where no workbench runs, one is started for the command.
func TestAnalyticsByItself(t *testing.T) {
	got := commanded(t, []string{"DATA=" + filepath.Join(t.TempDir(), "data")}, "analytics")
	if got.err != nil {
		t.Fatal(got.err)
	}
	mustSay(t, got.stderr, "No workbench is running")
	mustSay(t, got.stdout, "Every figure is exact.")
}

func TestStyleOf(t *testing.T) {
	for _, c := range []struct {
		env   []string
		ascii bool
	}{
		{nil, false}, {[]string{"LANG=C"}, true}, {[]string{"LANG=de_DE.UTF-8"}, false},
		{[]string{"LANG=de_DE.utf8", "LC_ALL=POSIX"}, true},
		{[]string{"LANG=C", "LC_CTYPE=C.UTF-8"}, false}, {[]string{"LANG=en_US.ISO-8859-1"}, true},
	} {
		if got := styleOf(environment(c.env), &bytes.Buffer{}, false); got.ASCII != c.ascii || got.Color {
			t.Errorf("styleOf(%q) = %+v, want ASCII %v and no colours", c.env, got, c.ascii)
		}
	}
	if got := styleOf(environment([]string{"COLUMNS=99"}), &bytes.Buffer{}, true); !got.ASCII || got.Columns != 99 {
		t.Errorf("styleOf = %+v", got)
	}
}
