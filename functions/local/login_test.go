package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/infra/exit"
)

// A process is the program in a process of its own.
type process struct {
	*exec.Cmd
	stdin          io.WriteCloser
	stdout, stderr output
}

// launch starts the program with this environment alone. It is killed with the test at the latest.
func launch(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.CommandContext(t.Context(), os.Args[0], args...)}
	p.Env = append([]string{childVariable + "=1"}, env...)
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	var err error
	if p.stdin, err = p.StdinPipe(); err == nil {
		err = p.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// status waits for the end of the process.
func (p *process) status(t *testing.T) int {
	t.Helper()
	timer := time.AfterFunc(patience, func() { _ = p.Process.Kill() })
	defer timer.Stop()
	_ = p.Wait() // the status says more
	return p.ProcessState.ExitCode()
}

// find waits until the process has written something to standard error.
func (p *process) find(t *testing.T, pattern string) string {
	t.Helper()
	for began := time.Now(); time.Since(began) < patience; time.Sleep(2 * time.Millisecond) {
		if found := regexp.MustCompile(pattern).FindStringSubmatch(p.stderr.String()); found != nil {
			return found[len(found)-1]
		}
	}
	t.Fatalf("it does not say %s: %s", pattern, &p.stderr)
	return ""
}

const loginLink = `(?m)^  (http\S+)$`

// allow has a member allow what a login asks for, and returns where the browser is sent.
func (b *bench) allow(t *testing.T, link, scope string) string {
	t.Helper()
	var sent struct{ RedirectTo string }
	b.ask(t, "POST", "/_local/consent",
		fmt.Sprintf(`{"authorizeUrl":%q,"email":"owner@northwind.example","workspace":%q,"scopes":[%q]}`,
			link, b.demo.Workspaces["northwind"], scope)).ok(t, &sent)
	if !strings.HasPrefix(sent.RedirectTo, "http://127.0.0.1") {
		t.Fatalf("the browser is sent to %q", sent.RedirectTo)
	}
	return sent.RedirectTo
}

// visit opens an address as a browser does.
func visit(t *testing.T, address string) (status int, page string) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(content)
}

// signIn logs in by the loopback address.
func (b *bench) signIn(t *testing.T, env []string, scope string, args ...string) {
	t.Helper()
	p := launch(t, env, append([]string{"login", "--no-browser", "--base-url", b.url}, args...)...)
	to := b.allow(t, p.find(t, loginLink), scope)
	if status, page := visit(t, to); status != http.StatusOK || !strings.Contains(page, "You are logged in") {
		t.Errorf("the browser shows %d %s", status, page)
	}
	if status := p.status(t); status != exit.Done {
		t.Fatalf("login = status %d, %s", status, &p.stderr)
	}
	if p.stdout.String() != "" || strings.Contains(p.stderr.String(), "eat_") ||
		strings.Contains(p.stderr.String(), "ert_") {
		t.Errorf("login prints %s%s", &p.stdout, &p.stderr)
	}
}

// A loginFile is the part of a login's file that tests read and change.
type loginFile map[string]any

// logins reads the files of a folder of logins, by their resources.
func logins(t *testing.T, folder string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, name := range names {
		found[readLogin(t, name)["resource"].(string)] = name
	}
	return found
}

func readLogin(t *testing.T, name string) (f loginFile) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(content, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// expire makes a login's access token look expired.
func expire(t *testing.T, name string) {
	t.Helper()
	f := readLogin(t, name)
	f["expiresAt"] = "2026-01-01T00:00:00Z"
	content, err := json.Marshal(f)
	if err == nil {
		err = os.WriteFile(name, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A person logs in, asks, and logs out. A key comes first.
func TestLoginStory(t *testing.T) {
	b := begin(t)
	folder := filepath.Join(t.TempDir(), "config")
	env := []string{"EARSHOT_BASE_URL=" + b.url + "/", "EARSHOT_CONFIG=" + folder, "LANG=C.UTF-8"}
	if _, stderr, status := earshot(t, env, "analytics", "--json"); status != exit.Key ||
		!strings.Contains(stderr, "no key and no login for "+b.url+". Run earshot login --base-url "+b.url) {
		t.Fatalf("analytics before = status %d, %s", status, stderr)
	}
	b.signIn(t, env, "read")
	if _, stderr, status := earshot(t, env, "analytics", "--json"); status != exit.Done {
		t.Fatalf("analytics = status %d, %s", status, stderr)
	}
	if _, stderr, status := earshot(t, append(env, "EARSHOT_API_KEY=es_key_x"), "analytics"); status != exit.Key {
		t.Errorf("analytics with a wrong key = status %d, %s", status, stderr)
	}
	if _, stderr, status := earshot(t, env, "analytics", "--api-key", "es_key_x"); status != exit.Key {
		t.Errorf("analytics with a wrong --api-key = status %d, %s", status, stderr)
	}
	name := logins(t, folder)["/api/v2"]
	for path, want := range map[string]os.FileMode{folder: 0o700, name: 0o600, name + ".lock": 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want the mode %o", path, info.Mode(), err, want)
		}
	}
	before := readLogin(t, name)
	expire(t, name)
	if _, stderr, status := earshot(t, env, "analytics", "--json"); status != exit.Done {
		t.Fatalf("analytics after an hour = status %d, %s", status, stderr)
	}
	after := readLogin(t, name)
	if after["accessToken"] == before["accessToken"] || after["refreshToken"] == before["refreshToken"] {
		t.Error("the tokens were not refreshed")
	}
	b.signIn(t, env, "read") // the login before it ends
	b.keyed(t, "GET", "/api/v2/keywords", after["accessToken"].(string), "").is(t, 401, "UNAUTHORIZED")
	token := readLogin(t, name)["accessToken"].(string)
	b.keyed(t, "GET", "/api/v2/keywords", token, "").ok(t, nil)
	for _, want := range []string{"You are logged out", "You were not logged in"} {
		if _, stderr, status := earshot(t, env, "logout"); status != exit.Done || !strings.Contains(stderr, want) {
			t.Errorf("logout = status %d, %s, want %s", status, stderr, want)
		}
	}
	b.keyed(t, "GET", "/api/v2/keywords", token, "").is(t, 401, "UNAUTHORIZED")
	if left := logins(t, folder); len(left) > 0 {
		t.Errorf("logout leaves %v", left)
	}
}

// Twelve processes with an expired token refresh it once among them: a second use of the refresh token would end the
// login.
func TestLogin_AtOnce(t *testing.T) {
	b := begin(t)
	folder := t.TempDir()
	env := []string{"EARSHOT_BASE_URL=" + b.url, "EARSHOT_CONFIG=" + folder, "LANG=C.UTF-8"}
	b.signIn(t, env, "read")
	name := logins(t, folder)["/api/v2"]
	for range 2 {
		expire(t, name)
		var all sync.WaitGroup
		for range 12 {
			all.Go(func() {
				if _, stderr, status := earshot(t, env, "analytics", "--json"); status != exit.Done {
					t.Errorf("analytics = status %d, %s", status, stderr)
				}
			})
		}
		all.Wait()
	}
}

// A process that was killed between writing the next tokens and putting them in place has not lost the login. What it
// did not write to the end is ignored.
func TestLogin_KilledMidway(t *testing.T) {
	b := begin(t)
	folder := t.TempDir()
	env := []string{"EARSHOT_BASE_URL=" + b.url, "EARSHOT_CONFIG=" + folder, "LANG=C.UTF-8"}
	b.signIn(t, env, "read")
	name := logins(t, folder)["/api/v2"]
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name+".next", old[:len(old)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	expire(t, name)
	if _, stderr, status := earshot(t, env, "analytics", "--json"); status != exit.Done {
		t.Fatalf("analytics after a torn file = status %d, %s", status, stderr)
	}
	if err := os.Rename(name, name+".next"); err != nil { // the refresh token of old is spent by now
		t.Fatal(err)
	}
	if err := os.WriteFile(name, old, 0o600); err != nil {
		t.Fatal(err)
	}
	expire(t, name)
	if _, stderr, status := earshot(t, env, "analytics", "--json"); status != exit.Done {
		t.Errorf("analytics after a kill = status %d, %s", status, stderr)
	}
}

// A login that an admin ended, or that the clock outran, says what to do.
func TestLogin_Ended(t *testing.T) {
	b := begin(t)
	folder := t.TempDir()
	env := []string{"EARSHOT_BASE_URL=" + b.url, "EARSHOT_CONFIG=" + folder, "LANG=C.UTF-8"}
	b.signIn(t, env, "read")
	b.ask(t, "POST", "/_local/clock", fmt.Sprintf(`{"now":%q}`, time.Now().Add(2*time.Hour).UTC().Format(time.RFC3339))).
		ok(t, nil)
	if _, stderr, status := earshot(t, env, "analytics"); status != exit.Key ||
		!strings.Contains(stderr, "has been renewed: run the command again") {
		t.Errorf("analytics with a token that the server calls old = status %d, %s", status, stderr)
	}
	if _, stderr, status := earshot(t, env, "analytics", "--json"); status != exit.Done {
		t.Errorf("analytics again = status %d, %s", status, stderr)
	}
	var grants struct {
		Data []struct{ ID string }
	}
	b.keyed(t, "GET", "/api/v2/org/grants", b.demo.Keys.Admin, "").ok(t, &grants)
	if len(grants.Data) != 1 {
		t.Fatalf("%d grants, want 1", len(grants.Data))
	}
	if gone := b.keyed(t, "DELETE", "/api/v2/org/grants/"+grants.Data[0].ID, b.demo.Keys.Admin, ""); gone.StatusCode/100 != 2 {
		t.Fatalf("%d %s", gone.StatusCode, gone.body)
	}
	for _, want := range []string{"has ended. Run earshot login --base-url " + b.url, "no key and no login"} {
		if _, stderr, status := earshot(t, env, "analytics"); status != exit.Key || !strings.Contains(stderr, want) {
			t.Errorf("analytics without a grant = status %d, %s, want %s", status, stderr, want)
		}
	}
}

// With --paste the address is carried over from another machine. An address of another login, of another server, or in
// part is refused.
func TestLogin_Paste(t *testing.T) {
	b := begin(t)
	folder := t.TempDir()
	env := []string{"EARSHOT_BASE_URL=" + b.url, "EARSHOT_CONFIG=" + folder, "LANG=C.UTF-8"}
	for _, c := range []struct {
		name   string
		change func(*url.URL, url.Values)
		status int
		says   string
	}{
		{"another state", func(_ *url.URL, q url.Values) { q.Set("state", "x") }, exit.Refused, "not of this login"},
		{"another issuer", func(_ *url.URL, q url.Values) { q.Set("iss", "https://evil.example") }, exit.Refused,
			"another authorization server"},
		{"no issuer", func(_ *url.URL, q url.Values) { q.Del("iss") }, exit.Refused, "another authorization server"},
		{"the code alone", func(u *url.URL, q url.Values) { u.Scheme, u.Host, u.Path = "", "", q.Get("code"); clear(q) },
			exit.Misuse, "paste all"},
		{"another code", func(_ *url.URL, q url.Values) { q.Set("code", q.Get("code")+"x") }, exit.Refused, "invalid_grant"},
		{"declined", func(_ *url.URL, q url.Values) { q.Del("code"); q.Set("error", "access_denied") }, exit.Key, "declined"},
		{"good", func(*url.URL, url.Values) {}, exit.Done, "You are logged in"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := launch(t, env, "login", "--paste")
			to, err := url.Parse(b.allow(t, p.find(t, loginLink), "write"))
			if err != nil {
				t.Fatal(err)
			}
			q := to.Query()
			c.change(to, q)
			to.RawQuery = q.Encode()
			fmt.Fprintln(p.stdin, to)
			if status := p.status(t); status != c.status || !strings.Contains(p.stderr.String(), c.says) {
				t.Errorf("login = status %d, %s, want %d and %q", status, &p.stderr, c.status, c.says)
			}
			if kept := len(logins(t, folder)) == 1; kept != (c.status == exit.Done) {
				t.Errorf("a login is kept: %t", kept)
			}
		})
	}
}

// Strangers on the loopback port get no login and end none. BROWSER names the program that opens the address.
func TestLogin_Loopback(t *testing.T) {
	b := begin(t)
	folder := t.TempDir()
	opened := filepath.Join(folder, "opened")
	browser := filepath.Join(folder, "browser")
	if err := os.WriteFile(browser, []byte("#!/bin/sh\necho noise\nprintf %s \"$1\" > "+opened+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{"EARSHOT_BASE_URL=" + b.url, "EARSHOT_CONFIG=" + folder, "BROWSER=" + browser}
	p := launch(t, env, "login")
	to := b.allow(t, p.find(t, loginLink), "write")
	for _, address := range []string{strings.Replace(to, "state=", "state=x", 1), strings.Replace(to, "/callback", "/x", 1),
		strings.Split(to, "?")[0], strings.Replace(to, "127.0.0.1", "localhost", 1)} {
		if status, page := visit(t, address); status != http.StatusBadRequest && status != http.StatusNotFound {
			t.Errorf("%s: %d %s", address, status, page)
		}
	}
	visit(t, to)
	if status := p.status(t); status != exit.Done {
		t.Errorf("login = status %d, %s", status, &p.stderr)
	}
	link, err := os.ReadFile(opened)
	if err != nil || !bytes.HasPrefix(link, []byte(b.url+"/oauth/authorize?")) || p.stdout.String() != "" {
		t.Errorf("the browser got %q, %v, and standard output %q", link, err, &p.stdout)
	}
}

// What cannot be logged in to is refused with the remedy.
func TestLogin_Refused(t *testing.T) {
	b := begin(t)
	env := []string{"EARSHOT_CONFIG=" + t.TempDir()}
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"login"}, exit.Nowhere, "name the deployment"},
		{[]string{"logout"}, exit.Nowhere, "name the deployment"},
		{[]string{"login", "--base-url", "http://api.example.com"}, exit.Misuse, "Use https"},
		{[]string{"login", "--base-url", "http://127.0.0.1:1"}, exit.Nowhere, "no Earshot answers"},
		{[]string{"login", "--base-url", b.url, "--scope", "all"}, exit.Misuse, "--scope"},
	} {
		if _, stderr, status := earshot(t, env, c.args...); status != c.status || !strings.Contains(stderr, c.says) {
			t.Errorf("%q = status %d, %s, want %d and %q", c.args, status, stderr, c.status, c.says)
		}
	}
}
