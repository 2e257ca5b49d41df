package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"earshot/functions/local/demo"
	"earshot/infra/exit"
	"earshot/shared/embedded/sqlitefile"
)

// A said is what a command wrote, and what came of it.
type said struct {
	stdout, stderr string
	err            error
}

// earshot runs the program in a process of its own, with this environment alone.
func earshot(t *testing.T, env []string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	command := exec.CommandContext(ctx, os.Args[0], args...)
	command.Env = append([]string{childVariable + "=1"}, env...)
	var out, failed bytes.Buffer
	command.Stdout, command.Stderr = &out, &failed
	if err := command.Run(); err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), failed.String(), command.ProcessState.ExitCode()
}

func commanded(t *testing.T, settings []string, args ...string) said {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	var stdout, stderr output
	err := command(ctx, args, environment(settings), &stdout, &stderr)
	return said{stdout.String(), stderr.String(), err}
}

// At a workbench that runs: the demo's company, from its page to a table, and from there to keywords.
func TestPropose(t *testing.T) {
	b := begin(t)
	at := []string{"DATA=" + b.folder}
	b.ask(t, "POST", "/_local/flags",
		`{"workspace":"`+b.demo.Workspaces["northwind"]+`","flag":"setup_onboarding","on":false}`).ok(t, nil)
	got := commanded(t, at, "propose", demo.Domain)
	if got.err != nil {
		t.Fatalf("%v\n%s", got.err, got.stderr)
	}
	mustSay(t, got.stderr, "setup_onboarding is switched on", "Scanning northwind.example",
		"Northwind: Northwind pages the right person", "@northwind-alerts on github",
		"✓ candidates", "✓ measure", "✓ sample", "– agent", "✓ validate")
	mustSay(t, got.stdout, "KEYWORD", "A MONTH", "\n+  northwind.exam", "own_brand", "\nWhy\n", "\nFeeds\n",
		"Listening on ", "curl -s -X POST '"+b.url)
	for _, line := range strings.Split(got.stdout, "\n") {
		if len([]rune(line)) > 80 && !strings.Contains(line, "curl") {
			t.Errorf("a line of %d: %s", len([]rune(line)), line)
		}
	}
	again := commanded(t, at, "propose", demo.Domain, "--json")
	var status struct {
		Status   string
		Proposal struct{ Keywords []struct{ Ref string } }
	}
	if err := json.Unmarshal([]byte(again.stdout), &status); err != nil || again.err != nil || status.Status != "ready" ||
		len(status.Proposal.Keywords) == 0 ||
		strings.Count(again.stdout, "\n") != 1 {
		t.Errorf("%v %v\n%.300s", err, again.err, again.stdout)
	}
	if strings.Contains(again.stderr, "switched on") {
		t.Error("it is switched on twice")
	}
	made := commanded(t, at, "propose", demo.Domain, "--apply", "--tier", "thorough")
	if made.err != nil {
		t.Fatal(made.err)
	}
	mustSay(t, made.stdout, "\nApplied\n", "keyword ")
	both := commanded(t, at, "propose", demo.Domain, "--apply", "--json")
	if lines := strings.Split(strings.TrimSpace(both.stdout), "\n"); both.err != nil || len(lines) != 2 ||
		!strings.Contains(lines[1], `"status":"applied"`) {
		t.Errorf("%v\n%s", both.err, both.stdout)
	}
	if b.stderr.String() != "" {
		t.Errorf("the workbench complains: %s", b.stderr)
	}
}

// Where none runs, one is started for the command, and says nothing of itself on stdout. What was made is there for the next one.
func TestProposeByItself(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	page := filepath.Join(t.TempDir(), "page.html")
	hostile := "<title>Lanternpage | On-call alerting for small teams</title><a href='/products/relay'>Relay\x1b[2J\u202eevil</a><a href='/compare/globex'>Globex</a>" +
		"<meta name=keywords content='on-call \x9b1A alerting'>"
	if err := os.WriteFile(page, []byte(hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second finds demo.json with an address that nobody serves any more
		got := commanded(t, []string{"DATA=" + folder, "COLUMNS=40"}, "propose", "lanternpage.com", "--page", page)
		if got.err != nil {
			t.Fatalf("%v\n%s", got.err, got.stderr)
		}
		mustSay(t, got.stderr, "No workbench is running", "Lanternpage: On-call alerting")
		mustSay(t, got.stdout, "+ lanternpage", "own_brand", "a month", "Globex")
		if strings.Contains(got.stdout, "Earshot listens") || strings.Contains(got.stdout+got.stderr, "level=") {
			t.Errorf("%s\n%s", got.stdout, got.stderr)
		}
		for _, text := range []string{got.stdout, got.stderr} {
			if strings.ContainsAny(text, "\x1b\u009b\u202e\r") {
				t.Errorf("a stranger moves the cursor: %q", text)
			}
		}
	}
	raw := commanded(t, []string{"DATA=" + folder}, "propose", "lanternpage.com", "--json")
	if raw.err != nil || strings.ContainsAny(raw.stdout, "\x1b\u009b\u202e") || !json.Valid([]byte(raw.stdout)) {
		t.Errorf("%v %q", raw.err, raw.stdout)
	}
}

// Its port may have been taken by another workbench since, which knows nothing of the demo.
func TestAnotherWorkbenchOnThePort(t *testing.T) {
	other, folder := begin(t), filepath.Join(t.TempDir(), "data")
	mine := begin(t, "DATA="+folder)
	if err := mine.stop(); err != nil {
		t.Fatal(err)
	}
	mine.demo.BaseURL = other.url
	content, err := json.Marshal(mine.demo)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(demo.Path(folder), content, 0o600); err != nil {
		t.Fatal(err)
	}
	got := commanded(t, []string{"DATA=" + folder}, "propose", demo.Domain)
	if got.err != nil {
		t.Fatal(got.err)
	}
	mustSay(t, got.stderr, "No workbench is running")
}

// What cannot be done ends with a sentence that has the remedy.
func TestProposeRefused(t *testing.T) {
	b := begin(t)
	before := net.DefaultResolver
	t.Cleanup(func() { net.DefaultResolver = before })
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}
	}}
	at := []string{"DATA=" + b.folder}
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{"propose", "lanternpage.com"}, []string{"no network", "--page FILE"}},
		{[]string{"propose", "https://acme.com/x"}, []string{"more than a domain", "acme.com alone", "INVALID_DOMAIN"}},
		{[]string{"propose", "nonsense"}, []string{"not a domain"}},
		{[]string{"propose", "acme.com", "--page", "/nowhere.html"}, []string{"nowhere.html"}},
		{[]string{"propose", "acme.com", "--page", t.TempDir()}, []string{"directory"}},
		{[]string{"propose"}, []string{"<domain>"}},
		{[]string{"propose", "acme.com", "--tier", "quick"}, []string{"--tier", "balanced"}},
		{[]string{"propose", "acme.com", "extra"}, []string{"unexpected argument extra"}},
		{[]string{"propose", "acme.com", "--nonsense"}, []string{"--nonsense"}},
		{[]string{"nonsense"}, []string{"unexpected argument nonsense"}},
	} {
		got := commanded(t, at, c.args...)
		if got.err == nil || got.stdout != "" || strings.HasSuffix(got.err.Error(), ".") {
			t.Errorf("%v: %v\n%s", c.args, got.err, got.stdout)
			continue
		}
		mustSay(t, got.err.Error(), c.says...)
		if strings.Contains(got.err.Error(), "argument") {
			mustSay(t, got.stderr, "Usage: earshot")
		}
	}
	without := commanded(t, []string{"DEMO=off", "DATA=" + filepath.Join(t.TempDir(), "data")}, "propose", "acme.com")
	if without.err == nil {
		t.Error("it proposes without a key")
	} else {
		mustSay(t, without.err.Error(), "DEMO=off", "Run it without")
	}
	if err := os.Remove(demo.Path(b.folder)); err != nil { // a workbench that runs without a demo holds the folder
		t.Fatal(err)
	}
	held := commanded(t, at, "propose", "acme.com")
	if held.err == nil {
		t.Error("two workbenches use one folder")
	} else {
		mustSay(t, held.err.Error(), "another workbench", "DATA=")
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{nil, {"--help"}, {"propose", "--help"}} {
		got := commanded(t, []string{"DATA=" + filepath.Join(t.TempDir(), "data")}, args...)
		if got.err != nil || got.stderr != "" {
			t.Errorf("%v: %v %s", args, got.err, got.stderr)
		}
		mustSay(t, got.stdout, "Usage: earshot", "propose", "130 interrupted")
	}
	for word, says := range map[string][]string{
		"operate": {"workspace create", "--stage"}, "serve": {"ADDR=127.0.0.1:8080", "ANALYTICS_FILES"},
		"upgrade": {"EARSHOT_API_KEY", "EARSHOT_BASE_URL"},
	} {
		got := commanded(t, nil, word, "--help")
		if got.err != nil || got.stderr != "" {
			t.Errorf("%s --help: %v %s", word, got.err, got.stderr)
		}
		mustSay(t, got.stdout, append(says, "Usage: earshot "+word)...)
	}
}

// A page that was put under a domain is what a draft's scan finds; others are looked for on the internet.
func TestSitesStory(t *testing.T) {
	onBoth(t, func(t *testing.T, settings ...string) {
		b := begin(t, settings...)
		key := b.demo.Keys.Write
		b.ask(t, "POST", "/_local/flags",
			`{"workspace":"`+b.demo.Workspaces["northwind"]+`","flag":"setup_onboarding","on":true}`).ok(t, nil)
		for _, html := range []string{"<title>Old</title>", "<title>Lanternpage | On-call alerting for small teams</title>"} {
			body, err := json.Marshal(map[string]string{"domain": "LanternPage.com", "html": html})
			if err != nil {
				t.Fatal(err)
			}
			var kept struct{ Domain string }
			if b.ask(t, "POST", "/_local/sites", string(body)).ok(t, &kept); kept.Domain != "lanternpage.com" {
				t.Errorf("it is kept under %s", kept.Domain)
			}
		}
		var draft struct {
			DraftID, Status string
			Profile         *struct{ Company, Audience string }
		}
		made := b.keyed(t, "POST", "/api/v2/setup/drafts", key, `{"domain":"lanternpage.com"}`)
		if err := json.Unmarshal([]byte(made.body), &draft); err != nil || made.StatusCode != 202 {
			t.Fatalf("%d %s", made.StatusCode, made.body)
		}
		for began := time.Now(); draft.Status == "scanning" &&
			time.Since(began) < patience; time.Sleep(20 * time.Millisecond) {
			b.keyed(t, "GET", "/api/v2/setup/drafts/"+draft.DraftID, key, "").ok(t, &draft)
		}
		if draft.Status != "scanned" || draft.Profile.Company != "Lanternpage" || draft.Profile.Audience != "small teams" {
			t.Errorf("%+v %+v", draft, draft.Profile)
		}
		for _, fault := range []string{`{"port":"source","operation":"search","fault":"error","times":1}`,
			`{"port":"flow","operation":"start","fault":"crash","times":1}`} {
			b.ask(t, "POST", "/_local/faults", fault).ok(t, nil)
		}
		b.ask(t, "DELETE", "/_local/faults", "").ok(t, nil)
	})
}

// The help of serve names each setting that the README does.
func TestServe_HelpNamesSettings(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, paragraph, _ := strings.Cut(string(readme), "`make run` takes ")
	paragraph, _, _ = strings.Cut(paragraph, "\n\n")
	settings := regexp.MustCompile(`[A-Z_]+=`).FindAllString(paragraph, -1)
	if len(settings) < 8 {
		t.Fatalf("the README names the settings %q", settings)
	}
	help := commanded(t, nil, "serve", "--help")
	for _, setting := range settings {
		if !strings.Contains(help.stdout, setting) {
			t.Errorf("earshot serve --help has no %s: %s", setting, help.stdout)
		}
	}
}

// full is a file on a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A help that cannot be written is no mistake on the command line.
func TestHelp_NotWritten(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"search", "--help"}, {}} {
		err := command(t.Context(), args, environment(nil), full{}, io.Discard)
		if got := exit.StatusOf(err); got != exit.Other || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("earshot %q = status %d, %v, want %d and %v", args, got, err, exit.Other, syscall.ENOSPC)
		}
	}
}

// With another character set than UTF-8, neither the results nor the progress have letters outside of ASCII.
func TestASCII_Implied(t *testing.T) {
	b := begin(t)
	for _, args := range [][]string{{"propose", demo.Domain}, {"search", "northwind"}, {"analytics"}} {
		got := commanded(t, []string{"DATA=" + b.folder, "LC_ALL=C"}, args...)
		if got.err != nil {
			t.Errorf("earshot %q: %v", args, got.err)
		}
		for _, line := range strings.Split(got.stdout+got.stderr, "\n") {
			if strings.ContainsFunc(line, func(r rune) bool { return r > '~' }) {
				t.Errorf("earshot %q writes %q", args, line)
			}
		}
	}
}

// A full disk is told with the folder and the remedy, in one line.
func TestCommand_FullDisk(t *testing.T) {
	db, err := sqlitefile.Open(filepath.Join(t.TempDir(), "small.db"), time.Second, true, "max_page_count(2)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	_, cause := db.Exec("CREATE TABLE a (a); CREATE TABLE b (b); CREATE TABLE c (c)")
	err = withRemedy(fmt.Errorf("fill in the demo: %w", errors.Join(cause, errors.New("roll back"))),
		environment([]string{"DATA=here"}))
	want := "the disk of the data folder here is full. Make room, or choose another folder with DATA=<folder>"
	if err == nil || err.Error() != want || exit.StatusOf(err) != exit.Other {
		t.Errorf("withRemedy(%v) = %v, want %s", cause, err, want)
	}
	other := errors.New("another failure")
	if got := withRemedy(other, environment(nil)); got != other {
		t.Errorf("withRemedy(%v) = %v", other, got)
	}
}
