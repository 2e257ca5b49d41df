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
	script := "set -e\n"
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(readme, -1) {
		if text := string(block[1]); !strings.Contains(text, "make ") {
			script += text
		}
	}
	if strings.Count(script, "curl")+strings.Count(script, "\nlist ") < 18 {
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
		`"data":[{`: 9, `"stored":1,"duplicates":0,"unmatched":0`: 1, `"stored":0,"duplicates":1,"unmatched":0`: 1, `{"ok":true}`: 1,
		"id,sourceId,timestamp,source": 1, `"engagementMetrics":{`: 1, "HTTP/1.1 400 Bad Request": 1, `"path":"Cursor"`: 1, `"path":"limit"`: 1,
		`"path":"query.page"`: 1, `"stored":1`: 1, `"rejected":[]`: 1, "2026-12-24T18:00:00": 1,
	} {
		if got := strings.Count(text, wanted); got < times {
			t.Errorf("%s stands %d times in what the README's commands print:\n%s", wanted, got, text)
		}
	}
	if problems := strings.Count(text, `{"error":`); problems != 1 {
		t.Errorf("%d requests of the README fail, and one is meant to:\n%s", problems, text)
	}
}
