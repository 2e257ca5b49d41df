package authorize_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"earshot/shared/grant"
	"earshot/shared/worldtest"
)

func TestToken_Refused(t *testing.T) {
	d := newDesk(t)
	code := d.code()
	for name, c := range map[string]struct {
		changes []string
		want    string
	}{
		"no grant type":        {[]string{"grant_type", ""}, "invalid_request"},
		"password":             {[]string{"grant_type", "password"}, "unsupported_grant_type"},
		"no client":            {[]string{"client_id", ""}, "invalid_request"},
		"another client":       {[]string{"client_id", "https://client.example/other"}, "invalid_grant"},
		"no code":              {[]string{"code", ""}, "invalid_request"},
		"an unknown code":      {[]string{"code", code[:len(code)-8] + "aaaaaaaa"}, "invalid_grant"},
		"an API key":           {[]string{"code", d.Admin}, "invalid_grant"},
		"no verifier":          {[]string{"code_verifier", ""}, "invalid_request"},
		"wrong verifier":       {[]string{"code_verifier", strings.ToUpper(verifier)}, "invalid_grant"},
		"challenge for itself": {[]string{"code_verifier", grant.Challenge(verifier)}, "invalid_grant"},
		"another redirect":     {[]string{"redirect_uri", "http://127.0.0.1/back"}, "invalid_grant"},
		"another resource":     {[]string{"resource", root + "/api/v2"}, "invalid_target"},
		"two codes":            {[]string{"code", code, "code", code}, "invalid_request"},
		"a secret":             {[]string{"client_secret", "x"}, "invalid_client"},
	} {
		status := http.StatusBadRequest
		if c.want == "invalid_client" {
			status = http.StatusUnauthorized
		}
		d.refused(name, d.post("/oauth/token", exchange(code, c.changes...)), status, c.want)
	}
	d.refused("JSON", d.Post(t, "/oauth/token", `{}`), 400, "invalid_request")
	d.tokens(exchange(code)) // no refusal has spent the code
}

// Some clients try HTTP Basic first, and then send the same code again.
func TestToken_BasicSpendsNothing(t *testing.T) {
	d := newDesk(t)
	code := d.code()
	basic := d.post("/oauth/token", exchange(code), "Authorization", "Basic Y2xpZW50Og==")
	d.refused("Basic", basic, http.StatusUnauthorized, "invalid_client")
	if got := basic.Header.Get("WWW-Authenticate"); !strings.HasPrefix(got, "Basic ") {
		t.Errorf("WWW-Authenticate is %q", got)
	}
	d.tokens(exchange(code))
}

func refreshing(token string, changes ...string) url.Values {
	return changed(url.Values{"grant_type": {"refresh_token"}, "client_id": {clientID}, "refresh_token": {token}}, changes...)
}

func TestToken_CodeReused(t *testing.T) {
	d := newDesk(t)
	code := d.code()
	first := d.tokens(exchange(code))
	d.refused("the code again", d.post("/oauth/token", exchange(code)), 400, "invalid_grant")
	d.refused("the first's refresh", d.post("/oauth/token", refreshing(first.Refresh)), 400, "invalid_grant")
}

func TestToken_CodeLate(t *testing.T) {
	d := newDesk(t)
	code := d.code()
	d.Clock.Freeze(worldtest.Now.Add(grant.CodeGood))
	d.refused("a late code", d.post("/oauth/token", exchange(code)), 400, "invalid_grant")
}

func TestToken_MemberRemoved(t *testing.T) {
	d := newDesk(t)
	code, first := d.code(), d.tokens(exchange(d.code()))
	worldtest.Must(t, d.Store.RemoveMember(t.Context(), d.Main.ID, d.member.ID, ""))
	d.refused("code", d.post("/oauth/token", exchange(code)), 400, "invalid_grant")
	d.refused("refresh", d.post("/oauth/token", refreshing(first.Refresh)), 400, "invalid_grant")
}

func TestRefresh(t *testing.T) {
	d := newDesk(t)
	first := d.tokens(exchange(d.code()))
	for name, c := range map[string]struct {
		changes []string
		want    string
	}{
		"no token":         {[]string{"refresh_token", ""}, "invalid_request"},
		"an access token":  {[]string{"refresh_token", first.Access}, "invalid_grant"},
		"another client":   {[]string{"client_id", "https://client.example/other"}, "invalid_grant"},
		"a wider scope":    {[]string{"scope", "admin"}, "invalid_scope"},
		"another resource": {[]string{"resource", root + "/api/v2"}, "invalid_target"},
	} {
		d.refused(name, d.post("/oauth/token", refreshing(first.Refresh, c.changes...)), 400, c.want)
	}
	second := d.tokens(refreshing(first.Refresh, "scope", "read", "resource", root+"/api/mcp/v2"))
	if second.Access == first.Access || second.Refresh == first.Refresh || second.Scope != "read write" {
		t.Errorf("refreshed %+v to %+v", first, second)
	}
	d.refused("the old token", d.post("/oauth/token", refreshing(first.Refresh)), 400, "invalid_grant")
	d.refused("its family", d.post("/oauth/token", refreshing(second.Refresh)), 400, "invalid_grant")
}

func TestRevoke(t *testing.T) {
	d := newDesk(t)
	tokens := d.tokens(exchange(d.code()))
	d.refused("no token", d.post("/oauth/revoke", url.Values{}), 400, "invalid_request")
	for _, token := range []string{"nothing", d.Admin, tokens.Refresh[:len(tokens.Refresh)-8] + "aaaaaaaa", tokens.Access} {
		if answer := d.post("/oauth/revoke", url.Values{"token": {token}, "client_id": {clientID}}); answer.Status != 200 {
			t.Errorf("revoke: %d %s", answer.Status, answer.Body)
		}
	}
	d.refused("refresh", d.post("/oauth/token", refreshing(tokens.Refresh)), 400, "invalid_grant")
}
