package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The README's commands work as a stranger copies them: one after the other, against a workbench that has just started.
func TestReadme(t *testing.T) {
	need(t, "sh", "curl", "node")
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(readme), "\n"); lines > 200 {
		t.Errorf("the README has %d lines, want at most 200", lines)
	}
	b := begin(t)
	programs := t.TempDir()
	program := filepath.Join(programs, "earshot")
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	script := "set -e\n"
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(readme, -1) {
		// make stands at the top of the repository, and this is another folder.
		text := regexp.MustCompile(`make operate ARGS="(.*)"`).ReplaceAllString(string(block[1]), "earshot operate $1")
		text = regexp.MustCompile(`make propose DOMAIN=(\S+)`).ReplaceAllString(text, "earshot propose $1")
		if !strings.Contains(text, "make ") {
			script += text
		}
	}
	folder := t.TempDir()
	if err := os.Symlink(b.folder, filepath.Join(folder, ".earshot")); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("sh", "-c", strings.ReplaceAll(script, "http://127.0.0.1:8080", b.url))
	command.Dir = folder
	command.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"), "EARSHOT_BASE_URL=", "EARSHOT_API_KEY=")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	prints(t, string(out), 2, map[string]int{
		`"data":[{`:                                3,
		`"engagementMetrics":{`:                    1,
		"HTTP/1.1 400 Bad Request":                 1,
		`"path":"Cursor"`:                          1,
		`"verified":true`:                          1,
		`"path":"limit"`:                           1,
		`"path":"query.page"`:                      1,
		`"stored":1,"duplicates":0,"unmatched":0`:  1,
		`"granularity":"month","exact":true`:       1,
		`"suggestion":"wave barn"`:                 1,
		"The key is shown this once. It is for ":   1,
		"pro                                     ": 1,
		"workspace create --name":                  1,
		`"name":"Bakery"`:                          1,
		`"email":"owner@northwind.example"`:        1,
		"of this very proposal, by:":               1,
		`"draftId":"draft_`:                        1,
		"Volume  by week":                          1,
		"/upgrade?token=":                          1,
		"2026-12-24T18:00:00":                      1,
	})
}

// A tourPart is what a part of the tour prints when it runs on a workbench that has just started.
type tourPart struct {
	requests int            // shown, at least: each poll may be the last
	refusals int            // responses that are errors, exactly
	prints   map[string]int // text, and how often at least; # stands for a number that differs from run to run
}

var tour = map[string]tourPart{
	"listening": {requests: 19, prints: map[string]int{
		`"verified":true`:                          1,
		`"status":"delivered"`:                     1,
		`"stored":1,"duplicates":0,"unmatched":0`:  2, // the post, and the story of the dump
		`"stored":0,"duplicates":1,"unmatched":0`:  1,
		`"rejected":[]`:                            3,
		`{"queues":[{`:                             1,
		`{"sources":[{`:                            1,
		`"data":[{`:                                7,
		`"engagementMetrics":{`:                    1,
		"id,sourceId,timestamp,source":             1,
		`"sourceId":"hackernews_comment_48000001"`: 3, // in lists, and by itself
		`{"ok":true}`:                              2, // the schedule, and the correction
	}},
	"analytics": {requests: 11, refusals: 3, prints: map[string]int{
		"\nexact: true\n":               1,
		`"exact":true,"data":[{`:        1,
		"\nreddit ":                     1,
		"\ncustomer_testimonial ":       1,
		" authors, first quietharbor; ": 1,
		" Northwind ":                   2,
		`{"count":`:                     1,
		`"comparedTo":{"exact":true`:    1,
		`"path":"query.endDate"`:        1,
		"INVALID_TIMEZONE":              1,
		"UPGRADE_REQUIRED":              1,
	}},
	"deliveries": {requests: 11, prints: map[string]int{
		`"name":"Complaints"`:                               1,
		`"episodes":[{`:                                     1,
		`"stored":3,"duplicates":0`:                         1,
		`{"verified":true,"type":"mentions.digest","from":`: 1,
		"Alert “Complaints”: 3 mentions in ":                1,
		`"type":"alert.fired"`:                              1,
	}},
	"search": {requests: 10, refusals: 2, prints: map[string]int{
		`"status":"completed"`:               2, // the search, and the backfill
		"X-Earshot-Searches-Remaining: ":     1,
		"X-Earshot-Mentions-Remaining: ":     1,
		"\ncompleted, ":                      1,
		`"position":6`:                       1,
		"UPGRADE_REQUIRED":                   1,
		" matches, of ":                      1,
		`"status":"estimated","dryRun":true`: 1,
	}},
	"workspace": {requests: 22, refusals: 2, prints: map[string]int{
		`"scopes":["read","write"]`: 1,
		`"excludeWords":["surf"]`:   1,
		`"suggestion":"wave barn"`:  1,
		`"stored":3,"duplicates":0`: 1,
		`"data":[{`:                 4,
		`{"last7d":3,"last30d":3}`:  1,
		"\nnot_relevant\n":          1,
		`"keyword":"Wavebarn","totalFeedback":1,"relevantCount":0,"notRelevantCount":1,"falsePositiveRate":1}`: 1,
		`"type":"add_exclude_words"`:                   1,
		"ETag: \"":                                     1,
		`"isDefault":true`:                             1,
		"FEED_FILTER_WRITE_CONFLICT":                   1,
		`"change":"text_instead"`:                      1,
		`"action":"invited"`:                           2,
		`"subject":"Northwind invites you to Earshot"`: 1,
		`"granted":["org_`:                             1,
		`"email":"newcomer#@example.com","name":null,"role":"org:member"`: 1,
		`{"ok":true}`:     1, // the revoked invitation
		`"stopped":false`: 1,
	}},
	"agency": {requests: 17, refusals: 1, prints: map[string]int{
		"Bakery, free_trial; Cafe, pro\n": 1,
		"baker#@bakery.example invited; baker#@bakery.example queued; barista#@cafe.example invited; ": 2,
		"mail to ": 3,
		"mail to baker#@bakery.example: Harbour Agency invites you to Bakery on Earshot\n": 1,
		"mail to barista#@cafe.example: Harbour Agency invites you to Bakery on Earshot\n": 1,
		"mail to late#@cafe.example: Harbour Agency invites you to Bakery on Earshot\n":    1,
		"2 workspaces have let in baker#@bakery.example\n":                                 1,
		"\nbaker#@bakery.example\n":                 2,
		"late#@cafe.example expired":                1,
		"barista#@cafe.example expired":             1,
		"{\"data\":[]}\n":                           1,
		`{"success":true,"cognitoOrgDeleted":true}`: 1,
		"WORKSPACE_NOT_IN_AGENCY":                   1,
		`{"ok":true}`:                               2,
		`"workspaces":{"count":4,"limit":25}`:       1,
	}},
	"proposal": {requests: 38, prints: map[string]int{
		`"flags":["setup_onboarding"]`: 1,
		`"company":"Berthlane","description":"Berthlane plans berths, pilots and tugs for harbours.",` +
			`"products":[],"audience":"Harbour masters"`: 1,
		`"stored":0,"duplicates":0,"unmatched":12`: 1,
		"candidates  ok  ":                         1,
		"measure  ok  ":                            1,
		"sample  ok  ":                             1,
		"agent  skipped  ":                         1,
		"validate  ok  ":                           1,
		"  K1: Your own name is always tracked.":   1,
		"  K2: “Berthlane” alone: 12 of 12 sampled posts are relevant (100%).": 1,
		`"keyword":"Berthlane","created":true`:                                 1,
		`"status":"applied"`:                                                   1,
		`"stored":12,"duplicates":0,"unmatched":0`:                             1,
		`"data":[{`:                              1,
		`"sourceId":"hackernews_story_49000001"`: 1,
		`"wouldRemove": 6`:                       2,
		`"wouldRemoveRelevant": 0`:               2,
		`"setting":"excludeAuthors","terms":["tidewatch"]}],"skipped":[]`: 1,
	}},
	"workbench": {requests: 8, prints: map[string]int{
		`"stored":1`:    1,
		`"rejected":[]`: 1,
		`{"accounts":[`: 1,
		`{"mails":[`:    1,
		`{"faults":[{"port":"table","operation":"get","fault":"throttle","times":2}]}`: 1,
		`{"id":900001,"sourceId":"hackernews_story_900001"`:                            1,
		`"goroutines":`:       1,
		"2026-12-24T18:00:00": 2, // the request, and the response
	}},
}

// Each part of the tour shows what it says, by itself on a workbench that has just started. It can be run again.
func TestReadme_Tour(t *testing.T) {
	need(t, "bash", "curl", "node")
	scripts, err := filepath.Glob("../../infra/tour/*.sh")
	if err != nil {
		t.Fatal(err)
	}
	parts := []string{}
	for _, script := range scripts {
		if name := strings.TrimSuffix(filepath.Base(script), ".sh"); name != "lib" {
			parts = append(parts, name)
		}
	}
	if expected := slices.Sorted(maps.Keys(tour)); !slices.Equal(parts, expected) {
		t.Fatalf("the parts in infra/tour are %q, want %q", parts, expected)
	}
	for _, file := range []string{"../../README.md", "../../Makefile"} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if !regexp.MustCompile(`\b` + part + `\b`).Match(content) {
				t.Errorf("%s does not name the part %s", file, part)
			}
		}
	}
	for _, part := range parts {
		t.Run(part, func(t *testing.T) {
			b := begin(t)
			out := play(t, b, part)
			if got := strings.Count(out, "\n> "); got < tour[part].requests {
				t.Errorf("%d requests are shown, want at least %d:\n%s", got, tour[part].requests, out)
			}
			numbered := regexp.MustCompile(`(newcomer|baker|barista|late)\d+@`).ReplaceAllString(out, "$1#@")
			prints(t, numbered, tour[part].refusals, tour[part].prints)
			if mails := strings.Count(out, "mail to "); mails != tour[part].prints["mail to "] {
				t.Errorf("%d mails have gone out, want %d:\n%s", mails, tour[part].prints["mail to "], out)
			}
			play(t, b, part)
		})
	}
}

// A part of the tour ends at the first response that it does not expect, and says which.
func TestReadme_TourRequestFails(t *testing.T) {
	need(t, "bash", "curl", "node")
	lib, err := filepath.Abs("../../infra/tour/lib.sh")
	if err != nil {
		t.Fatal(err)
	}
	b := begin(t)
	for script, want := range map[string]string{
		`ask GET /mentions/none`:                      "GET /api/v2/mentions/none: the response is 404, want ok: ",
		`id=$(ask GET /mentions/none | pick a.id)`:    "GET /api/v2/mentions/none: the response is 404, want ok: ",
		`refused GONE GET /mentions/none`:             "GET /api/v2/mentions/none: the response is 404, want GONE: ",
		`refused MENTION_NOT_FOUND GET /auth`:         "GET /api/v2/auth: the response is 200, want MENTION_NOT_FOUND: ",
		`bench POST /clock '{"now": "never"}'`:        "POST /_local/clock: the response is 400, want ok: ",
		`await /mentions/none waiting`:                "GET /api/v2/mentions/none: the response is 404, want ok: ",
		`workbench=http://127.0.0.1:1; ask GET /auth`: "curl: ",
	} {
		text := fmt.Sprintf("set -euo pipefail\n. %q\nKEY=$(demo keys.read)\n%s\necho reached\n", lib, script)
		out, err := bash(b, "-c", text)
		if err == nil || strings.Contains(out, "reached") {
			t.Errorf("%s goes on: %v\n%s", script, err, out)
		}
		if !strings.Contains(out, want) {
			t.Errorf("%s prints\n%s\nwant %s", script, out, want)
		}
	}
}

// play runs a part of the tour and returns what it prints.
func play(t *testing.T, b *bench, part string) string {
	t.Helper()
	out, err := bash(b, "../../infra/tour/"+part+".sh")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if os.Getenv("SHOW") != "" {
		t.Log(out)
	}
	return out
}

// bash runs bash as a person does beside b, and returns what it prints.
func bash(b *bench, arguments ...string) (string, error) {
	command := exec.Command("bash", arguments...)
	command.Env = append(os.Environ(), "ADDR="+strings.TrimPrefix(b.url, "http://"), "DATA="+b.folder)
	out, err := command.CombinedOutput()
	return string(out), err
}

// prints checks that text has each wanted text as often as wanted says, and exactly so many responses that are errors.
func prints(t *testing.T, text string, refusals int, wanted map[string]int) {
	t.Helper()
	for wanted, times := range wanted {
		if got := strings.Count(text, wanted); got < times {
			t.Errorf("%s is printed %d times, want %d:\n%s", wanted, got, times, text)
		}
	}
	if got := strings.Count(text, `{"error":`); got != refusals {
		t.Errorf("%d requests fail, want %d:\n%s", got, refusals, text)
	}
}
