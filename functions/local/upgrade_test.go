package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"earshot/infra/exit"
)

// The wall of the Agents plan names a command. A shell runs it exactly as it stands there, with the key that met the
// wall, and gets a link to a page that offers a plan.
func TestUpgradeCommand(t *testing.T) {
	need(t, "sh")
	b := begin(t)
	wall := b.keyed(t, "POST", "/api/v2/mentions", b.demo.Keys.AgentsPlan, `{}`)
	var refused struct {
		Error struct{ Code, UpgradeCommand string }
	}
	if err := json.Unmarshal([]byte(wall.body), &refused); err != nil || refused.Error.Code != "UPGRADE_REQUIRED" {
		t.Fatalf("the wall is %s", wall.body)
	}
	programs := t.TempDir()
	if err := os.Symlink(self(t), filepath.Join(programs, "earshot")); err != nil {
		t.Fatal(err)
	}
	for _, env := range [][]string{
		{"EARSHOT_BASE_URL=" + b.url, "EARSHOT_API_KEY=" + b.demo.Keys.AgentsPlan},
		{"EARSHOT_BASE_URL=" + b.url + "/api/v2", "EARSHOT_API_KEY=" + b.demo.Keys.AgentsPlan},
		{"DATA=" + b.folder, "EARSHOT_API_KEY=" + b.demo.Keys.AgentsPlan},
		{"DATA=" + b.folder},
	} {
		command := exec.Command("sh", "-c", refused.Error.UpgradeCommand)
		command.Env = append(env, childVariable+"=1", "PATH="+programs+":"+os.Getenv("PATH"))
		out, err := command.Output()
		link, isLine := strings.CutSuffix(string(out), "\n")
		if err != nil || !isLine || strings.ContainsAny(link, " \n") {
			t.Fatalf("%s with %q = %q, %v, want a link on one line", refused.Error.UpgradeCommand, env, out, err)
		}
		page, err := http.Get(link)
		if err != nil {
			t.Fatal(err)
		}
		defer page.Body.Close()
		html, err := io.ReadAll(page.Body)
		if err != nil || page.StatusCode != http.StatusOK || !strings.Contains(string(html), "<form") ||
			!strings.Contains(string(html), "plan=pro") {
			t.Errorf("GET %s = %d, %v, want a page that offers pro\n%s", link, page.StatusCode, err, html)
		}
	}
	document, _, _ := earshot(t, []string{"DATA=" + b.folder}, "upgrade", "--json")
	var link struct{ URL, ExpiresAt string }
	if err := json.Unmarshal([]byte(document), &link); err != nil ||
		!strings.HasPrefix(link.URL, b.url+"/upgrade?token=") || link.ExpiresAt == "" {
		t.Errorf("upgrade --json = %q, %v", document, err)
	}
}

// The statuses that scripts rely on are the same for each word.
func TestStatuses(t *testing.T) {
	b := begin(t)
	here, elsewhere := []string{"DATA=" + b.folder}, []string{"DATA=" + filepath.Join(t.TempDir(), "data")}
	at := func(base, key string) []string {
		return append([]string{"EARSHOT_BASE_URL=" + base, "EARSHOT_API_KEY=" + key}, elsewhere...)
	}
	const nowhere, remedy = "http://127.0.0.1:1", "EARSHOT_API_KEY"
	for _, c := range []struct {
		env    []string
		args   string
		status int
		says   string
	}{
		{here, "", exit.Done, ""},
		{here, "--help", exit.Done, ""},
		{here, "nonsense", exit.Misuse, "nonsense"},
		{append(here, "ADDR=0.0.0.0:8080"), "serve", exit.Other, "other machines"},

		{here, "upgrade", exit.Done, ""},
		{here, "upgrade now", exit.Misuse, "unexpected argument now"},
		{elsewhere, "upgrade", exit.Nowhere, "earshot serve"},
		{at(nowhere, "x"), "upgrade", exit.Nowhere, nowhere},
		{at(b.url, ""), "upgrade", exit.Key, remedy},
		{at(b.url, "x"), "upgrade", exit.Key, "UNAUTHORIZED"},
		{append(here, "EARSHOT_API_KEY=x"), "upgrade", exit.Key, "EARSHOT_BASE_URL"},
		{at(b.url, b.demo.Keys.Read), "upgrade", exit.Key, "FORBIDDEN"},
		{at(b.url, b.demo.Keys.AgencyMaster), "upgrade", exit.Refused, "ORGANIZATION_REQUIRED"},
		{at(b.url, b.demo.Keys.AgencyMaster), "upgrade --workspace " + b.demo.Workspaces["harbour"], exit.Done, ""},
		{at("http://api.example.com", "x"), "upgrade", exit.Misuse, "https"},

		{here, "analytics", exit.Done, ""},
		{at(nowhere, "x"), "analytics", exit.Nowhere, nowhere},
		{at(b.url, ""), "analytics", exit.Key, remedy},
		{at(b.url, b.demo.Keys.AgentsPlan), "analytics", exit.Key, "earshot upgrade"},
		{here, "analytics --timezone local", exit.Refused, "INVALID_TIMEZONE"},

		{here, "search", exit.Misuse, "give a query"},
		{here, "search x --id srch_1", exit.Misuse, "give a query"},
		{here, "search x --limit 501", exit.Misuse, "501"},
		{here, "search x --limit 0", exit.Misuse, "not 0"},
		{here, "search x --window 2d", exit.Misuse, "--window"},
		{here, "search x -surf", exit.Misuse, "-s"},
		{elsewhere, "search x", exit.Nowhere, "earshot serve"},
		{at(nowhere, "x"), "search x", exit.Nowhere, nowhere},
		{at(b.url, ""), "search x", exit.Key, remedy},
		{at("http://api.example.com", "x"), "search x", exit.Misuse, "https"},

		{here, "propose acme.com --tier quick", exit.Misuse, "--tier"},
		{at(nowhere, "x"), "propose acme.com", exit.Nowhere, nowhere},
		{at(b.url, ""), "propose acme.com", exit.Key, remedy},
		{at(b.url, "x"), "propose acme.com", exit.Key, "UNAUTHORIZED"},
		{here, "propose nonsense", exit.Refused, "INVALID_DOMAIN"},

		{here, "operate workspace list", exit.Done, ""},
		{here, "operate workspace", exit.Misuse, "expected one of"},
		{here, "operate --stage NO workspace list", exit.Misuse, "no stage"},
		{here, "operate key list org_x", exit.Refused, "workspace list"},
		{[]string{"AWS_CONFIG_FILE=" + os.DevNull}, "operate --stage dev workspace list", exit.Nowhere, "AWS_REGION"},
	} {
		stdout, stderr, status := earshot(t, c.env, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(stderr, c.says) || (status == exit.Done) != (stdout != "") {
			t.Errorf("earshot %s with %q = status %d, %q, want %d and %q", c.args, c.env, status, stderr, c.status, c.says)
		}
	}
}

// self returns the path of this program.
func self(t *testing.T) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return program
}
