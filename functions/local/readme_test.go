package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	b := begin(t)
	programs := t.TempDir()
	operate, local := filepath.Join(programs, "operate"), filepath.Join(programs, "local")
	for program, from := range map[string]string{operate: "../../infra/operate", local: "."} {
		if out, err := exec.Command("go", "build", "-o", program, from).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	script := "set -e\n"
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(readme, -1) {
		// make stands at the top of the repository, and this is another folder.
		text := regexp.MustCompile(`make operate ARGS="(.*)"`).ReplaceAllString(string(block[1]), operate+" $1")
		text = regexp.MustCompile(`make propose DOMAIN=(\S+)`).ReplaceAllString(text, local+" propose $1")
		if !strings.Contains(text, "make ") {
			script += text
		}
	}
	if strings.Count(script, "curl")+strings.Count(script, "\nlist ")+strings.Count(script, "ask ") < 40 {
		t.Fatalf("the README has few requests left:\n%s", script)
	}
	folder := t.TempDir()
	if err := os.Symlink(b.folder, filepath.Join(folder, ".earshot")); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("sh", "-c", strings.ReplaceAll(script, "http://127.0.0.1:8080", b.url))
	command.Dir = folder
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text := string(out)
	for wanted, times := range map[string]int{
		`"data":[{`: 13, `"stored":1,"duplicates":0,"unmatched":0`: 1, `"stored":0,"duplicates":1,"unmatched":0`: 1, `{"ok":true}`: 1,
		"id,sourceId,timestamp,source": 1, `"engagementMetrics":{`: 1, "HTTP/1.1 400 Bad Request": 1, `"path":"Cursor"`: 1, `"path":"limit"`: 1,
		`"path":"query.page"`: 1, `"stored":1`: 1, `"rejected":[]`: 1, "2026-12-24T18:00:00": 1,
		`"scopes":["read","write"]`: 1, `"excludeWords":["surf"]`: 1, `"suggestion":"wave barn"`: 1, `"stored":3,"duplicates":0`: 1, `{"last7d":3,"last30d":3}`: 1,
		"\nnot_relevant\n": 1, `"keyword":"Wavebarn","totalFeedback":1,"relevantCount":0,"notRelevantCount":1,"falsePositiveRate":1}`: 1,
		`"type":"add_exclude_words"`: 1, `"isDefault":true`: 1, "FEED_FILTER_WRITE_CONFLICT": 1, `"change":"text_instead"`: 1,
		`"action":"invited"`: 1, `"subject":"Northwind invites you to Earshot"`: 1, `"granted":["org_`: 1, `"email":"newcomer@example.com","name":null,"role":"org:member"`: 1,
		"baker@bakery.example invited; baker@bakery.example queued; barista@cafe.example invited; ":   2,
		"mail to baker@bakery.example: Harbour Agency invites you to Bakery on Earshot\n":             1,
		"mail to barista@cafe.example: Harbour Agency invites you to Bakery on Earshot\n":             1,
		"mail to late@cafe.example: Harbour Agency invites you to Bakery on Earshot\n":                1,
		"2 workspaces have let in baker@bakery.example\nbaker@bakery.example\nbaker@bakery.example\n": 1,
		"late@cafe.example expired": 1, "barista@cafe.example expired": 1, "{\"data\":[]}\n": 1, `{"success":true,"cognitoOrgDeleted":true}`: 1,
		"WORKSPACE_NOT_IN_AGENCY": 1, `"workspaces":{"count":4,"limit":25}`: 1,
		`"stored":12,"duplicates":0,"unmatched":0`: 1, `"keyword":"Berthlane","created":true`: 1, `"status":"applied"`: 1,
		`"company":"Berthlane","description":"Berthlane plans berths, pilots and tugs for harbours.","products":[],"audience":"Harbour masters"`: 1,
		"candidates  ok  ": 1, "measure  ok  ": 1, "sample  ok  ": 1, "agent  skipped  ": 1, "validate  ok  ": 1,
		"  K1: Your own name is always tracked.": 1, "  K2: “Berthlane” alone: 12 of 12 sampled posts are relevant (100%).": 1,
		`"sourceId":"hackernews_story_49000001"`: 1, `"status":"none","items":[]`: 1, `"flags":["setup_onboarding"]`: 1,
		`"stopped":false`: 1, "The key is shown this once. It is for ": 1, "pro                                     ": 1, "workspace create --name": 1,
	} {
		if got := strings.Count(text, wanted); got < times {
			t.Errorf("%s stands %d times in what the README's commands print:\n%s", wanted, got, text)
		}
	}
	if os.Getenv("SHOW") != "" {
		t.Log(text)
	}
	if mails := strings.Count(text, "mail to "); mails != 3 {
		t.Errorf("%d mails have gone to three people:\n%s", mails, text)
	}
	if problems := strings.Count(text, `{"error":`); problems != 4 {
		t.Errorf("%d requests of the README fail, and four are meant to:\n%s", problems, text)
	}
}
