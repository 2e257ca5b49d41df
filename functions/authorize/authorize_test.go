package authorize_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"earshot/functions/authorize"
	"earshot/functions/discovery"
	"earshot/functions/organization"
	"earshot/shared/embedded/chosensignin"
	"earshot/shared/grant"
	"earshot/shared/member"
	"earshot/shared/port/identity"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

const (
	root     = "https://" + worldtest.Domain + "/dev"
	clientID = "https://client.example/id.json"
	back     = "https://client.example/back"
	verifier = "a-verifier-of-at-least-forty-three-characters-0"
	page     = "https://pages.example/choose"
)

// documents are metadata documents by their URLs.
type documents map[string]string

func (d documents) Read(_ context.Context, url string) ([]byte, time.Duration, error) {
	if d[url] == "" {
		return nil, 0, errors.New("the server responded with 404, want 200")
	}
	return []byte(d[url]), time.Hour, nil
}

func document(id, name string, redirects ...string) string {
	text, _ := json.Marshal(authorize.ClientMetadata{ID: id, Name: name, RedirectURIs: redirects})
	return string(text)
}

// desk is the function, with a member and an admin of the main workspace.
type desk struct {
	worldtest.Desk
	t             testing.TB
	signIn        *chosensignin.Pages
	documents     documents
	member, admin member.Member
	cookie        string // of the browser
}

func newDesk(t testing.TB) *desk {
	d := &desk{t: t, documents: documents{clientID: document(clientID, "Notebook", back, "http://127.0.0.1/back")}}
	d.Desk = worldtest.NewDesk(t, discovery.OpenAPI(), func(api *web.API, w *worldtest.World) {
		d.signIn = chosensignin.New(page, w.Clock)
		organization.Register(api, organization.Options{Store: w.Store, Clock: w.Clock})
		authorize.Register(api, authorize.Options{Store: w.Store, SignIn: d.signIn, Documents: d.documents, Clock: w.Clock})
	})
	d.Token = ""
	d.member, d.admin = d.join("quiet@northwind.example", member.Ordinary), d.join("boss@northwind.example", member.Admin)
	return d
}

func (d *desk) join(email string, role member.Role) member.Member {
	m, err := d.Store.AddMember(d.t.Context(), d.Main.ID, member.Member{Email: email, Role: role})
	worldtest.Must(d.t, err)
	return m
}

// asked are the parameters of a good authorization request, with changes.
func asked(changes ...string) url.Values {
	q := url.Values{"client_id": {clientID}, "redirect_uri": {back}, "response_type": {"code"}, "state": {"a state"},
		"code_challenge": {grant.Challenge(verifier)}, "code_challenge_method": {"S256"}, "resource": {root + "/api/mcp/v2"},
		"scope": {"read write admin"}}
	return changed(q, changes...)
}

// changed sets parameters; an empty value takes one away, and a name that is given twice is sent twice.
func changed(q url.Values, changes ...string) url.Values {
	set := map[string]bool{}
	for i := 0; i+1 < len(changes); i += 2 {
		name, value := changes[i], changes[i+1]
		if value == "" {
			q.Del(name)
		} else if set[name] {
			q.Add(name, value)
		} else {
			q.Set(name, value)
		}
		set[name] = true
	}
	return q
}

// visit opens an address of the service in the browser.
func (d *desk) visit(target string, header ...string) worldtest.Answer {
	d.t.Helper()
	answer := d.Get(d.t, strings.TrimPrefix(target, root), append(header, "Cookie", d.cookie)...)
	if set := answer.Header.Get("Set-Cookie"); set != "" {
		d.cookie, _, _ = strings.Cut(set, ";")
	}
	return answer
}

// location is where a response sends the browser.
func (d *desk) location(a worldtest.Answer) *url.URL {
	d.t.Helper()
	if a.Status != http.StatusSeeOther {
		d.t.Fatalf("got %d %s, want a redirect", a.Status, a.Body)
	}
	to, err := url.Parse(a.Header.Get("Location"))
	worldtest.Must(d.t, err)
	return to
}

var field = regexp.MustCompile(`name="(request|csrf)" value="([^"]*)"`)

// consent goes to the consent page as a person, and returns the form's hidden fields.
func (d *desk) consent(person string, request url.Values) (url.Values, worldtest.Answer) {
	d.t.Helper()
	choose := d.location(d.visit("/oauth/authorize?" + request.Encode()))
	if !strings.HasPrefix(choose.String(), page) {
		d.t.Fatalf("the browser is sent to %s", choose)
	}
	state := choose.Query().Get("state")
	code := d.signIn.Choose(identity.Account{ID: "account", Email: person}, state)
	shown := d.visit(d.location(d.visit("/oauth/callback?" +
		url.Values{"state": {state}, "code": {code}}.Encode())).String())
	return hidden(shown), shown
}

// hidden returns the hidden fields of a consent page's form.
func hidden(shown worldtest.Answer) url.Values {
	form := url.Values{}
	for _, found := range field.FindAllStringSubmatch(string(shown.Body), -1) {
		form.Set(found[1], found[2])
	}
	return form
}

func (d *desk) post(path string, form url.Values, header ...string) worldtest.Answer {
	d.t.Helper()
	return d.Do(d.t, worldtest.Request{Method: http.MethodPost, Target: path, Body: form.Encode(),
		Header: append(header, "Content-Type", "application/x-www-form-urlencoded")})
}

// approve lets the client in, and returns what it is told.
func (d *desk) approve(person string, request url.Values, scope string) url.Values {
	d.t.Helper()
	form, _ := d.consent(person, request)
	changed(form, "decision", "approve", "workspace", d.Main.ID, "scope", scope)
	return d.location(d.post("/oauth/authorize", form, "Cookie", d.cookie, "Sec-Fetch-Site", "same-origin")).Query()
}

// exchange are the parameters of a good token request, with changes.
func exchange(code string, changes ...string) url.Values {
	return changed(url.Values{"grant_type": {"authorization_code"}, "client_id": {clientID}, "code": {code},
		"code_verifier": {verifier}, "redirect_uri": {back}, "resource": {root + "/api/mcp/v2"}}, changes...)
}

func (d *desk) code() string { return d.approve(d.member.Email, asked(), "write").Get("code") }

func (d *desk) tokens(form url.Values) (tokens authorize.OAuthTokens) {
	d.t.Helper()
	d.post("/oauth/token", form).OK(d.t, &tokens)
	return tokens
}

// refused fails the test unless a response is this error.
func (d *desk) refused(what string, a worldtest.Answer, status int, code string) {
	d.t.Helper()
	var got authorize.OAuthError
	if a.Status != status || json.Unmarshal(a.Body, &got) != nil || got.Code != code || got.Description == "" {
		d.t.Errorf("%s: got %d %s, want %d %s", what, a.Status, a.Body, status, code)
	}
}

func TestServerMetadata(t *testing.T) {
	d := newDesk(t)
	var got authorize.ServerMetadata
	d.visit("/.well-known/oauth-authorization-server").OK(t, &got)
	for _, endpoint := range []string{got.Authorization, got.Token, got.Revocation, got.Registration} {
		if !strings.HasPrefix(endpoint, root+"/oauth/") {
			t.Errorf("the endpoint %s is elsewhere", endpoint)
		}
	}
	if got.Issuer != root || fmt.Sprint(got.ChallengeMethods, got.TokenMethods) != "[S256] [none]" ||
		!got.IssuerInResponse {
		t.Errorf("metadata = %+v", got)
	}
}

func TestApprove_GrantsWhatPersonMay(t *testing.T) {
	for _, c := range []struct{ admin, wanted, chosen, granted string }{
		{"", "read write admin", "admin", "read write"},
		{"yes", "read write admin", "admin", "read write admin"},
		{"yes", "read", "admin", "read"},
		{"yes", "", "write", "read"},
		{"yes", "admin offline_access", "write", "read write"},
	} {
		d := newDesk(t)
		person := d.member.Email
		if c.admin != "" {
			person = d.admin.Email
		}
		told := d.approve(person, asked("scope", c.wanted), c.chosen)
		if told.Get("iss") != root || told.Get("state") != "a state" {
			t.Errorf("the client is told %v", told)
		}
		if got := d.tokens(exchange(told.Get("code"))); got.Scope != c.granted || got.ExpiresIn != 3600 ||
			got.Type != "Bearer" {
			t.Errorf("tokens for %+v = %s, %d", c, got.Scope, got.ExpiresIn)
		}
	}
}

func TestDeny(t *testing.T) {
	d := newDesk(t)
	form, _ := d.consent(d.member.Email, asked())
	told := d.location(d.post("/oauth/authorize", changed(form, "decision", "deny"), "Cookie", d.cookie)).Query()
	if told.Get("error") != "access_denied" || told.Get("state") != "a state" || told.Get("iss") != root ||
		told.Has("code") {
		t.Errorf("the client is told %v", told)
	}
}
