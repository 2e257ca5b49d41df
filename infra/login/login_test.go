package login_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"earshot/infra/exit"
	"earshot/infra/login"
)

// A deployment is an authorization server with one login, which can fail.
type deployment struct {
	*httptest.Server
	root      string // how it names itself; empty: its address
	refreshes int
	revoked   []string
	fault     func(w http.ResponseWriter) bool // of the token endpoint and the revocation endpoint; true if it responded
}

func deploy(t *testing.T) *deployment {
	t.Helper()
	d := &deployment{}
	mux := http.NewServeMux()
	send := func(w http.ResponseWriter, body any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(body)
	}
	mux.HandleFunc("/.well-known/oauth-protected-resource/api/v2", func(w http.ResponseWriter, _ *http.Request) {
		root := d.root
		if root == "" {
			root = d.URL
		}
		send(w, map[string]any{"resource": root + "/api/v2", "authorization_servers": []string{d.URL}})
	})
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		send(w, map[string]any{"issuer": d.URL, "authorization_endpoint": d.URL + "/authorize",
			"token_endpoint":        d.URL + "/token",
			"registration_endpoint": d.URL + "/register", "revocation_endpoint": d.URL + "/revoke"})
	})
	mux.HandleFunc("/register",
		func(w http.ResponseWriter, _ *http.Request) { send(w, map[string]any{"client_id": "clt_1"}) })
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("grant_type") == "refresh_token" {
			d.refreshes++
		}
		if d.fault != nil && d.fault(w) {
			return
		}
		send(w, map[string]any{"access_token": fmt.Sprint("eat_", d.refreshes),
			"refresh_token": fmt.Sprint("ert_", d.refreshes),
			"token_type":    "Bearer", "expires_in": 3600, "scope": "read"})
	})
	mux.HandleFunc("/revoke", func(w http.ResponseWriter, r *http.Request) {
		if d.fault != nil && d.fault(w) {
			return
		}
		d.revoked = append(d.revoked, r.FormValue("token"))
		send(w, map[string]any{})
	})
	d.Server = httptest.NewServer(mux)
	t.Cleanup(d.Close)
	return d
}

// A pasted reader answers the address that Login prints, as a person does.
type person struct {
	d       *deployment
	printed strings.Builder
	read    chan string
}

func (p *person) Write(text []byte) (int, error) {
	p.printed.Write(text)
	if link := regexp.MustCompile(`state=(\w+)`).FindStringSubmatch(string(text)); link != nil {
		p.read <- "http://127.0.0.1/callback?" +
			url.Values{"code": {"eac_1"}, "state": {link[1]}, "iss": {p.d.URL}}.Encode() + "\n"
	}
	return len(text), nil
}

func (p *person) Read(to []byte) (int, error) { return copy(to, <-p.read), nil }

func (d *deployment) login(t *testing.T, s *login.Store) error {
	t.Helper()
	p := &person{d: d, read: make(chan string, 1)}
	_, err := s.Login(t.Context(), login.Options{
		Base: d.URL, Resource: login.API, Scope: "read", Name: "A test", Paste: p, Tell: p,
	})
	return err
}

// loggedIn returns a store with a login, and its folder.
func (d *deployment) loggedIn(t *testing.T) (*login.Store, string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "config")
	s := login.New(folder)
	if err := d.login(t, s); err != nil {
		t.Fatal(err)
	}
	return s, folder
}

// A failure of the server or of the network leaves the login, and the next try succeeds.
func TestToken_ServerFails(t *testing.T) {
	for _, status := range []int{500, 503, 429, 302} {
		d := deploy(t)
		s, _ := d.loggedIn(t)
		d.fault = func(w http.ResponseWriter) bool { w.WriteHeader(status); return true }
		if token, err := s.Token(t.Context(), d.URL, login.API, "eat_0"); err == nil || exit.StatusOf(err) != exit.Failed {
			t.Errorf("status %d: Token = %q, %v", status, token, err)
		}
		d.fault = nil
		if token, err := s.Token(t.Context(), d.URL, login.API, "eat_0"); err != nil || token != "eat_2" {
			t.Errorf("after status %d: Token = %q, %v", status, token, err)
		}
	}
	d := deploy(t)
	s, _ := d.loggedIn(t)
	d.CloseClientConnections()
	d.Close()
	if _, err := s.Token(t.Context(), d.URL, login.API, "eat_0"); exit.StatusOf(err) != exit.Nowhere ||
		!strings.Contains(err.Error(), "does not answer") || strings.Contains(err.Error(), "ert_") {
		t.Errorf("without a server: %v", err)
	}
	if token, err := s.Token(t.Context(), d.URL, login.API, ""); err != nil || token != "eat_0" {
		t.Errorf("the token that is good: %q, %v", token, err)
	}
}

// A signal between two commands does not end a refresh midway, and one before it spends no refresh token.
func TestToken_Interrupted(t *testing.T) {
	d := deploy(t)
	s, _ := d.loggedIn(t)
	ctx, cancel := context.WithCancel(t.Context())
	d.fault = func(http.ResponseWriter) bool { cancel(); return false }
	if token, err := s.Token(ctx, d.URL, login.API, "eat_0"); err != nil || token != "eat_1" {
		t.Errorf("interrupted midway: Token = %q, %v", token, err)
	}
	if _, err := s.Token(ctx, d.URL, login.API, "eat_1"); !errors.Is(err, context.Canceled) || d.refreshes != 1 {
		t.Errorf("interrupted before: %v after %d refreshes", err, d.refreshes)
	}
}

// A refresh token is not spent if the next one cannot be kept.
func TestToken_CannotBeKept(t *testing.T) {
	d := deploy(t)
	s, folder := d.loggedIn(t)
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	if err := os.Mkdir(names[0]+".next", 0o700); err != nil { // no file can be made there
		t.Fatal(err)
	}
	if _, err := s.Token(t.Context(), d.URL, login.API, "eat_0"); err == nil || d.refreshes != 0 ||
		!strings.Contains(err.Error(), "cannot be kept") {
		t.Errorf("Token = %v after %d refreshes", err, d.refreshes)
	}
}

// A grant that has ended takes the file with it. A file that is no login says so.
func TestToken_Ended(t *testing.T) {
	d := deploy(t)
	s, folder := d.loggedIn(t)
	d.fault = func(w http.ResponseWriter) bool {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"x"}`)
		return true
	}
	if _, err := s.Token(t.Context(), d.URL, login.API, "eat_0"); exit.StatusOf(err) != exit.Key ||
		!strings.Contains(err.Error(), "Run earshot login --base-url "+d.URL) {
		t.Errorf("Token = %v", err)
	}
	if _, err := s.Token(t.Context(), d.URL, login.API, ""); !errors.Is(err, login.ErrNone) {
		t.Errorf("Token again = %v, want %v", err, login.ErrNone)
	}
	d.fault = nil
	if err := d.login(t, s); err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	if err := os.WriteFile(names[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Token(t.Context(), d.URL, login.API, ""); exit.StatusOf(err) != exit.Key ||
		!strings.Contains(err.Error(), "holds no login") {
		t.Errorf("Token of a torn file = %v", err)
	}
	if err := d.login(t, s); err != nil {
		t.Errorf("Login over a torn file = %v", err)
	}
}

// Logging in again ends the login before. Logging out while the server fails leaves the login.
func TestLogout_ServerFails(t *testing.T) {
	d := deploy(t)
	s, _ := d.loggedIn(t)
	if err := d.login(t, s); err != nil || len(d.revoked) != 1 || d.revoked[0] != "ert_0" {
		t.Errorf("Login again = %v, revoked %q", err, d.revoked)
	}
	d.fault = func(w http.ResponseWriter) bool { w.WriteHeader(500); return true }
	if err := s.Logout(t.Context(), d.URL, login.API); err == nil || !strings.Contains(err.Error(), "The login stays") {
		t.Errorf("Logout = %v", err)
	}
	d.fault = nil
	if err := s.Logout(t.Context(), d.URL, login.API); err != nil || len(d.revoked) != 2 {
		t.Errorf("Logout again = %v, revoked %q", err, d.revoked)
	}
	if err := s.Logout(t.Context(), d.URL, login.API); !errors.Is(err, login.ErrNone) {
		t.Errorf("Logout a third time = %v, want %v", err, login.ErrNone)
	}
}

// A deployment with another name is not asked for a token: its tokens would be for that name.
func TestLogin_OtherName(t *testing.T) {
	d := deploy(t)
	d.root = "https://api.example.com"
	err := d.login(t, login.New(t.TempDir()))
	if exit.StatusOf(err) != exit.Nowhere ||
		!strings.Contains(err.Error(), "Log in there: earshot login --base-url https://api.example.com") {
		t.Errorf("Login = %v", err)
	}
}

// A login whose tokens cannot be kept is ended at the server, or not begun.
func TestLogin_CannotBeKept(t *testing.T) {
	d := deploy(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := d.login(t, login.New(file)); err == nil || !strings.Contains(err.Error(), "EARSHOT_CONFIG") {
		t.Errorf("Login = %v", err)
	}
}

// Nobody who logs in keeps a login waiting for ever.
func TestLogin_Interrupted(t *testing.T) {
	d := deploy(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := login.New(t.TempDir()).Login(ctx,
		login.Options{Base: d.URL, Resource: login.API, Scope: "read", Tell: io.Discard})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Login = %v, want %v", err, context.DeadlineExceeded)
	}
}
