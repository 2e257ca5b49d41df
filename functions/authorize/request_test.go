package authorize_test

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"earshot/shared/grant"
	"earshot/shared/port/identity"
	"earshot/shared/worldtest"
)

// The browser is not sent anywhere while client or redirect URI are in doubt.
func TestAuthorize_NotSentBack(t *testing.T) {
	d := newDesk(t)
	d.documents["https://client.example/impostor"] = document(clientID, "Notebook", back)
	d.documents["https://client.example/none"] = document("https://client.example/none", "Notebook")
	d.documents["https://client.example/script"] = document("https://client.example/script", "Notebook", "javascript:alert(1)")
	d.documents["https://client.example/page"] = "<html>"
	d.documents["https://client.example/secret"] = strings.Replace(
		document("https://client.example/secret", "Notebook", back), "{",
		`{"token_endpoint_auth_method":"client_secret_post",`, 1)
	for name, changes := range map[string][]string{
		"no client":             {"client_id", ""},
		"unknown client":        {"client_id", "notebook"},
		"unknown registration":  {"client_id", "clt_01KAGT3E5Z7N0Q4W8R2M6Y9XJC"},
		"http document":         {"client_id", "http://client.example/id.json"},
		"missing document":      {"client_id", "https://client.example/missing"},
		"document of another":   {"client_id", "https://client.example/impostor"},
		"no redirects":          {"client_id", "https://client.example/none"},
		"script":                {"client_id", "https://client.example/script"},
		"no JSON":               {"client_id", "https://client.example/page"},
		"client with a secret":  {"client_id", "https://client.example/secret"},
		"two clients":           {"client_id", clientID, "client_id", "https://client.example/none"},
		"no redirect":           {"redirect_uri", ""},
		"another redirect":      {"redirect_uri", "https://evil.example/back"},
		"one character more":    {"redirect_uri", back + "/"},
		"one character less":    {"redirect_uri", back[:len(back)-1]},
		"upper case":            {"redirect_uri", strings.ToUpper(back)},
		"a query":               {"redirect_uri", back + "?a=b"},
		"a fragment":            {"redirect_uri", back + "#"},
		"another host in front": {"redirect_uri", "https://client.example@evil.example/back"},
		"two redirects":         {"redirect_uri", back, "redirect_uri", "https://evil.example/back"},
		"loopback, other path":  {"redirect_uri", "http://127.0.0.1:8123/other"},
	} {
		answer := d.visit("/oauth/authorize?" + asked(changes...).Encode())
		if answer.Status != 400 || answer.Header.Get("Location") != "" || !strings.Contains(string(answer.Body), "<h1>") {
			t.Errorf("%s: %d, sent to %q", name, answer.Status, answer.Header.Get("Location"))
		}
	}
}

func TestAuthorize_SentBackWithError(t *testing.T) {
	d := newDesk(t)
	for want, cases := range map[string][][]string{
		"unsupported_response_type": {{"response_type", ""}, {"response_type", "token"}},
		"invalid_request": {{"code_challenge", ""}, {"code_challenge_method", ""}, {"code_challenge_method", "plain"},
			{"response_mode", "fragment"}, {"response_mode", "form_post"}, {"code_challenge", verifier},
			{"state", strings.Repeat("s", 2049)}, {"state", "\x83"}, {"scope", "read", "scope", "admin"},
			{"resource", root + "/api/v2", "resource", root + "/api/mcp/v2"}},
		"invalid_target": {{"resource", ""}, {"resource", "https://other.example/api/v2"}, {"resource", root},
			{"resource", root + "/api/v2/"}},
		"invalid_scope": {{"scope", "everything"}},
	} {
		for _, changes := range cases {
			request := asked(append(changes, "redirect_uri", "http://127.0.0.1:7/back")...)
			told := d.location(d.visit("/oauth/authorize?" + request.Encode()))
			q := told.Query()
			if q.Get("error") != want || q.Get("iss") != root || !strings.HasPrefix(told.String(), "http://127.0.0.1:7/back?") {
				t.Errorf("%v: sent to %s, want %s", changes, told, want)
			}
			d.linked(fmt.Sprint(changes), d.visit("/oauth/authorize?"+asked(changes...).Encode()), want)
		}
	}
}

var backLink = regexp.MustCompile(`<a href="([^"]+)">Go back to client.example</a>`)

// linked fails the test unless a response is a page with a link back to the client, with this error. Nobody has signed
// in, so the browser is not redirected.
func (d *desk) linked(what string, a worldtest.Answer, want string) {
	d.t.Helper()
	found := backLink.FindSubmatch(a.Body)
	if a.Status != 400 || a.Header.Get("Location") != "" || found == nil {
		d.t.Errorf("%s: got %d %s, want a page with a link", what, a.Status, a.Body)
		return
	}
	to, err := url.Parse(html.UnescapeString(string(found[1])))
	if err != nil || to.Query().Get("error") != want || to.Query().Get("iss") != root ||
		!strings.HasPrefix(to.String(), back+"?") {
		d.t.Errorf("%s: the link leads to %s, want %s", what, to, want)
	}
}

// A client of a scheme of its own has a link too.
func TestAuthorize_LinkOfOwnScheme(t *testing.T) {
	d := newDesk(t)
	d.documents[clientID] = document(clientID, "Notebook", "cursor://notebook/back")
	shown := d.visit("/oauth/authorize?" + asked("redirect_uri", "cursor://notebook/back", "scope", "all").Encode())
	if shown.Status != 400 ||
		!strings.Contains(string(shown.Body), `<a href="cursor://notebook/back?error=invalid_scope`) {
		t.Errorf("got %d %s", shown.Status, shown.Body)
	}
}

// A sign-in that fails is told to the client: by a link, and by redirect on the person's own machine.
func TestCallback_Failed(t *testing.T) {
	d := newDesk(t)
	for name, q := range map[string]url.Values{
		"canceled":        {"error": {"access_denied"}},
		"no code":         {},
		"an unknown code": {"code": {"unknown"}},
	} {
		for _, redirect := range []string{back, "http://127.0.0.1:7/back"} {
			begun := d.location(d.visit("/oauth/authorize?" + asked("redirect_uri", redirect).Encode()))
			q.Set("state", begun.Query().Get("state"))
			answer := d.visit("/oauth/callback?" + q.Encode())
			if redirect == back {
				d.linked(name, answer, "access_denied")
			} else if to := d.location(answer); to.Host != "127.0.0.1:7" || to.Query().Get("error") != "access_denied" ||
				to.Query().Get("state") != "a state" {
				t.Errorf("%s: sent to %s", name, to)
			}
		}
	}
}

// The address of the callback can be opened again: the directory's code is spent, and the person has signed in.
func TestCallback_Repeated(t *testing.T) {
	d := newDesk(t)
	state := d.location(d.visit("/oauth/authorize?" + asked().Encode())).Query().Get("state")
	code := d.signIn.Choose(identity.Account{ID: "account", Email: d.member.Email}, state)
	sent := "/oauth/callback?" + url.Values{"state": {state}, "code": {code}}.Encode()
	first, second := d.location(d.visit(sent)).String(), d.location(d.visit(sent)).String()
	if first != second {
		t.Errorf("sent to %s, then to %s", first, second)
	}
	if shown := d.visit(second); shown.Status != 200 || !strings.Contains(string(shown.Body), d.member.Email) {
		t.Errorf("the consent page: %d %s", shown.Status, shown.Body)
	}
}

func TestAuthorize_LoopbackPort(t *testing.T) {
	d := newDesk(t)
	request := asked("redirect_uri", "http://127.0.0.1:50123/back")
	_, shown := d.consent(d.member.Email, request)
	policy := shown.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "form-action 'self' http://127.0.0.1:50123;") {
		t.Errorf("the policy is %s", policy)
	}
	if !strings.Contains(string(shown.Body), "a program on this computer") {
		t.Errorf("the page does not say that the app is on this computer: %s", shown.Body)
	}
}

func TestConsent_Page(t *testing.T) {
	d := newDesk(t)
	hostile := "<script>alert(1)</script>\u202e\n\"'&{{.}}" + strings.Repeat("x", 500)
	d.documents[clientID] = document(clientID, hostile, back)
	_, shown := d.consent(d.member.Email, asked())
	text := string(shown.Body)
	for _, want := range []string{"client.example", d.Main.Name, d.member.Email, "the MCP server", "no admin here",
		html.EscapeString("<script>alert(1)</script>")} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q: %s", want, text)
		}
	}
	for _, never := range []string{
		"<script", "\u202e", strings.Repeat("x", grant.MaxName), d.Other.Name, "http://", "<img", "<link",
	} {
		if strings.Contains(text, never) {
			t.Errorf("the page has %q: %s", never, text)
		}
	}
	for name, want := range map[string]string{
		"Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY", "Cache-Control": "no-store",
	} {
		if got := shown.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	policy := shown.Header.Get("Content-Security-Policy")
	for _, want := range []string{
		"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self' https://client.example;",
	} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %s lacks %s", policy, want)
		}
	}
}

func TestConsent_NoWorkspace(t *testing.T) {
	d := newDesk(t)
	form, shown := d.consent("stranger@people.example", asked())
	text := string(shown.Body)
	if !strings.Contains(text, "not a member of any workspace") || strings.Contains(text, "Approve</button>") {
		t.Errorf("the page is %s", text)
	}
	changed(form, "decision", "approve", "workspace", d.Main.ID, "scope", "read")
	if answer := d.post("/oauth/authorize", form, "Cookie", d.cookie); answer.Status != 400 {
		t.Errorf("a stranger approved: %d", answer.Status)
	}
}

// A consent that is forged on another site, or shown in another browser, grants nothing.
func TestConsent_Forged(t *testing.T) {
	d := newDesk(t)
	form, _ := d.consent(d.member.Email, asked())
	changed(form, "decision", "approve", "workspace", d.Main.ID, "scope", "write")
	mine := d.cookie
	d.cookie = ""
	d.visit("/oauth/authorize?" + asked().Encode())
	other := d.cookie
	for name, c := range map[string]struct {
		changes []string
		header  []string
	}{
		"no cookie":           {nil, nil},
		"another browser":     {nil, []string{"Cookie", other}},
		"no token":            {[]string{"csrf", ""}, []string{"Cookie", mine}},
		"wrong token":         {[]string{"csrf", strings.Repeat("A", 43)}, []string{"Cookie", mine}},
		"another site":        {nil, []string{"Cookie", mine, "Sec-Fetch-Site", "cross-site"}},
		"a sibling site":      {nil, []string{"Cookie", mine, "Sec-Fetch-Site", "same-site"}},
		"another request":     {[]string{"request", strings.Repeat("a", 52)}, []string{"Cookie", mine}},
		"another's workspace": {[]string{"workspace", d.Other.ID}, []string{"Cookie", mine}},
		"no such scope":       {[]string{"scope", "all"}, []string{"Cookie", mine}},
	} {
		sent, _ := url.ParseQuery(form.Encode())
		if answer := d.post("/oauth/authorize", changed(sent, c.changes...), c.header...); answer.Status != 400 {
			t.Errorf("%s: got %d, sent to %q", name, answer.Status, answer.Header.Get("Location"))
		}
	}
	if answer := d.post("/oauth/authorize", form, "Cookie", mine); answer.Status != 303 {
		t.Errorf("the person's own: %d %s", answer.Status, answer.Body)
	}
}

// Who signs in elsewhere cannot be made to finish another's request, and the other way round.
func TestCallback_Foreign(t *testing.T) {
	d := newDesk(t)
	state := d.location(d.visit("/oauth/authorize?" + asked().Encode())).Query().Get("state")
	mine, account := d.cookie, identity.Account{ID: "account", Email: d.member.Email}
	for name, c := range map[string]struct{ state, code, cookie string }{
		"no browser":      {state, d.signIn.Choose(account, state), ""},
		"another code":    {state, d.signIn.Choose(account, "another state"), mine},
		"an unknown code": {state, "code", mine},
		"no code":         {state, "", mine},
		"no request":      {strings.Repeat("a", 52), d.signIn.Choose(account, state), mine},
	} {
		d.cookie = c.cookie
		q := changed(url.Values{}, "state", c.state, "code", c.code)
		if answer := d.visit("/oauth/callback?" + q.Encode()); answer.Status != 400 {
			t.Errorf("%s: %d", name, answer.Status)
		}
	}
	d.cookie = mine
	if answer := d.visit("/oauth/authorize?request=" + state); answer.Status != 400 {
		t.Errorf("consent without a sign-in: %d", answer.Status)
	}
	d.Clock.Freeze(worldtest.Now.Add(grant.RequestGood))
	late := fmt.Sprintf("/oauth/callback?state=%s&code=%s", state, d.signIn.Choose(account, state))
	if answer := d.visit(late); answer.Status != 400 {
		t.Errorf("a late sign-in: %d", answer.Status)
	}
}

func TestBrowserCookie(t *testing.T) {
	d := newDesk(t)
	set := d.visit("/oauth/authorize?" + asked().Encode()).Header.Get("Set-Cookie")
	for _, want := range []string{"__Host-earshot=", "Path=/", "HttpOnly", "Secure", "SameSite=Lax"} {
		if !strings.Contains(set, want) {
			t.Errorf("the cookie %s lacks %s", set, want)
		}
	}
}
