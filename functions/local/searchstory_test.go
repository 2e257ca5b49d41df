package main

import (
	"encoding/json"
	"strings"
	"testing"

	"earshot/infra/exit"
)

// The Agents plan from the terminal: its key searches, sees what is left fall, and meets a wall that names a command
// that runs.
func TestSearchStory(t *testing.T) {
	b := begin(t)
	env := []string{"EARSHOT_BASE_URL=" + b.url, "EARSHOT_API_KEY=" + b.demo.Keys.AgentsPlan, "LANG=C.UTF-8"}
	stdout, stderr, status := earshot(t, env, "search", "northwind OR lanternpage", "--limit", "2")
	if status != exit.Done || !strings.HasPrefix(stdout, "2 results for northwind OR lanternpage in the last 7d: ") ||
		!strings.HasSuffix(stdout, "Remaining: 49 searches, 4,998 mentions.\n") {
		t.Fatalf("search = status %d, %s\n%s", status, stdout, stderr)
	}
	document, _, status := earshot(t, env, "search", "northwind OR lanternpage", "--limit", "2", "--json")
	var shown struct {
		SearchID, Status string
		Mentions         []struct{ URL string }
	}
	if err := json.Unmarshal([]byte(document), &shown); err != nil || status != exit.Done || shown.Status != "completed" ||
		len(shown.Mentions) != 2 {
		t.Fatalf("search --json = status %d, %v, %s", status, err, document)
	}
	again, _, status := earshot(t, env, "search", "--id", shown.SearchID)
	if status != exit.Done || !strings.Contains(again, shown.Mentions[1].URL) {
		t.Errorf("search --id = status %d, %s", status, again)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"search", `"open`}, "query: "}, {[]string{"search", "--id", "srch_x"}, "SEARCH_NOT_FOUND"},
		{[]string{"search", "x", "--source", "nowhere"}, "sources[0]: "},
	} {
		if _, stderr, status := earshot(t, env, c.args...); status != exit.Refused || !strings.Contains(stderr, c.says) {
			t.Errorf("%q = status %d, %s, want %d and %q", c.args, status, stderr, exit.Refused, c.says)
		}
	}
	for searches := 2; searches < 50; searches++ {
		if _, stderr, status := earshot(t, env, "search", "nothinglikethis"); status != exit.Done {
			t.Fatalf("search %d = status %d, %s", searches, status, stderr)
		}
	}
	if _, stderr, status := earshot(t, env, "search", "northwind"); status != exit.Key ||
		!strings.Contains(stderr, "Run earshot upgrade, or open "+b.url+"/upgrade") {
		t.Errorf("search 51 = status %d, %s", status, stderr)
	}
	if link, _, status := earshot(t, env, "upgrade"); status != exit.Done ||
		!strings.HasPrefix(link, b.url+"/upgrade?token=") {
		t.Errorf("upgrade = status %d, %s", status, link)
	}
}
