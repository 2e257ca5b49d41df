package authorize_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"earshot/functions/authorize"
	"earshot/functions/organization"
	"earshot/shared/grant"
	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// rest gets tokens for the REST API.
func (d *desk) rest(person, scope string) authorize.OAuthTokens {
	d.t.Helper()
	told := d.approve(person, asked("resource", root+"/api/v2"), scope)
	return d.tokens(exchange(told.Get("code"), "resource", root+"/api/v2"))
}

// unauthorized fails the test unless a token is refused with the challenge of RFC 6750.
func (d *desk) unauthorized(what, token string) {
	d.t.Helper()
	answer := d.As(token).Get(d.t, "/api/v2/auth")
	challenge := answer.Header.Get("WWW-Authenticate")
	if answer.Status != 401 || challenge != `Bearer error="invalid_token", resource_metadata="`+root+
		`/.well-known/oauth-protected-resource/api/v2", scope="read"` {
		d.t.Errorf("%s: %d, %s", what, answer.Status, challenge)
	}
}

// The token of a grant is a credential of the REST API, with two round trips before the operation.
func TestToken_OfRESTAPI(t *testing.T) {
	d := newDesk(t)
	tokens := d.rest(d.member.Email, "write")
	var auth organization.Auth
	d.As(tokens.Access).Get(t, "/api/v2/auth").OK(t, &auth)
	if auth.Key.Name != "Notebook" || auth.Key.Scope != "write" || auth.Workspace.ID != d.Main.ID {
		t.Errorf("GET /auth = %+v", auth)
	}
	if answer := d.As(tokens.Access).Get(t, "/api/v2/auth", "x-earshot-organization-id", d.Other.ID); answer.Status != 403 {
		t.Errorf("in another workspace: %d", answer.Status)
	}
	short := d.As(tokens.Access).Get(t, "/api/v2/org/keys")
	const challenge = `Bearer error="insufficient_scope", resource_metadata="` + root +
		`/.well-known/oauth-protected-resource/api/v2", scope="read write admin"`
	if got := short.Header.Get("WWW-Authenticate"); short.Status != 403 || got != challenge {
		t.Errorf("beyond the scope: %d, %s", short.Status, got)
	}
	d.unauthorized("a refresh token", tokens.Access[:len(tokens.Access)-8]+"aaaaaaaa")
	d.Clock.Freeze(worldtest.Now.Add(grant.AccessGood))
	d.unauthorized("an expired token", tokens.Access)
}

// Before its operation a request with a token reads once and writes once, as one with an API key does.
func TestToken_RoundTrips(t *testing.T) {
	d := newDesk(t)
	counted := func(token string) string {
		var log bytes.Buffer
		api := web.New(web.Options{
			Credentials: d.Store, Windows: d.Store, Clock: d.Clock, Log: slog.New(slog.NewJSONHandler(&log, nil)),
		})
		organization.Register(api, organization.Options{Store: d.Store, Clock: d.Clock})
		worldtest.Client{Handler: api.LambdaHandler(), Token: token}.Get(t, "/api/v2/auth").OK(t, nil)
		return regexp.MustCompile(`"reads":\d+,"writes":\d+`).FindString(log.String())
	}
	byKey, byToken := counted(d.Write), counted(d.rest(d.member.Email, "write").Access)
	if byKey != byToken || byKey == "" {
		t.Errorf("a request by a token makes %s, by a key %s", byToken, byKey)
	}
}

func TestToken_Resource(t *testing.T) {
	d := newDesk(t)
	d.unauthorized("a token of the MCP server", d.tokens(exchange(d.code())).Access)
}

// A role that shrinks, a member who goes and a workspace that is deleted count at the next request.
func TestToken_Role(t *testing.T) {
	d := newDesk(t)
	d.join("other-boss@northwind.example", member.Admin)
	tokens := d.rest(d.admin.Email, "admin")
	keys := func() int { return d.As(tokens.Access).Get(t, "/api/v2/org/keys").Status }
	if got := keys(); got != http.StatusOK {
		t.Fatalf("an admin: %d", got)
	}
	_, err := d.Table.Update(t.Context(), table.Update{Table: rows.CoreTable, Key: rows.MemberKey(d.Main.ID, d.admin.ID),
		Set: map[string]any{"role": string(member.Ordinary)}})
	worldtest.Must(t, err)
	if got := keys(); got != http.StatusForbidden {
		t.Errorf("no admin any more: %d", got)
	}
	worldtest.Must(t, d.Table.Delete(t.Context(),
		table.Delete{Table: rows.CoreTable, Key: rows.MemberKey(d.Main.ID, d.admin.ID)}))
	d.unauthorized("no member any more", tokens.Access)
	tokens = d.rest(d.member.Email, "read")
	worldtest.Must(t, d.Store.DeleteWorkspace(t.Context(), d.Main.ID))
	d.unauthorized("a deleted workspace", tokens.Access)
}

func TestGrants_ListAndEnd(t *testing.T) {
	d := newDesk(t)
	tokens := d.rest(d.member.Email, "write")
	var list organization.GrantList
	d.As(tokens.Access).Get(t, "/api/v2/org/grants").OK(t, &list)
	if len(list.Data) != 1 || list.Data[0].Client.ID != clientID || list.Data[0].Member.Email != d.member.Email ||
		list.Data[0].Scope != "write" {
		t.Fatalf("grants = %+v", list)
	}
	id := list.Data[0].ID
	d.As(d.OtherKey).Delete(t, "/api/v2/org/grants/"+id).Is(t, 404, "NOT_FOUND")
	d.As(tokens.Access).Delete(t, "/api/v2/org/grants/"+id).Is(t, 403, "FORBIDDEN")
	d.As(d.Admin).Delete(t, "/api/v2/org/grants/"+id).OK(t, nil)
	d.As(d.Admin).Delete(t, "/api/v2/org/grants/"+id).Is(t, 404, "NOT_FOUND")
	d.unauthorized("an ended grant", tokens.Access)
	d.refused("its refresh", d.post("/oauth/token", refreshing(tokens.Refresh)), 400, "invalid_grant")
}

// What a token asked for stands for its grant: a link outlives the token, and a sealed response opens with it alone.
func TestToken_LinksAndReplays(t *testing.T) {
	d := newDesk(t)
	tokens := d.rest(d.admin.Email, "admin")
	begin := func(access string) worldtest.Answer {
		return d.As(access).Post(t, "/api/v2/org/upgrade-link", "", "Idempotency-Key", "a-link")
	}
	var link organization.UpgradeLink
	begin(tokens.Access).OK(t, &link)
	fresh := d.tokens(refreshing(tokens.Refresh))
	begin(fresh.Access).Is(t, 422, "IDEMPOTENCY_KEY_REUSED")
	if page := d.visit(link.URL); page.Status != http.StatusOK {
		t.Errorf("the link: %d", page.Status)
	}
	worldtest.Must(t, d.Store.RemoveMember(t.Context(), d.Main.ID, d.member.ID, ""))
	if page := d.visit(link.URL); page.Status != http.StatusOK {
		t.Errorf("the link after another member left: %d", page.Status)
	}
	d.post("/oauth/revoke", url.Values{"token": {fresh.Refresh}})
	if page := d.visit(link.URL); page.Status != http.StatusNotFound {
		t.Errorf("the link of an ended grant: %d", page.Status)
	}
}

func TestRefresh_ReuseEndsAccess(t *testing.T) {
	d := newDesk(t)
	first := d.rest(d.member.Email, "read")
	second := d.tokens(refreshing(first.Refresh))
	for _, token := range []string{first.Access, second.Access} {
		d.As(token).Get(t, "/api/v2/auth").OK(t, nil)
	}
	d.refused("reuse", d.post("/oauth/token", refreshing(first.Refresh)), 400, "invalid_grant")
	d.unauthorized("the first", first.Access)
	d.unauthorized("the second", second.Access)
}

// No row has a code or a token.
func TestGrant_NoSecretsStored(t *testing.T) {
	d := newDesk(t)
	code := d.code()
	tokens := d.tokens(exchange(code))
	page, err := d.Table.Query(t.Context(), table.Query{Table: rows.CoreTable, Partition: d.Main.ID})
	worldtest.Must(t, err)
	stored := fmt.Sprint(page.Items)
	for _, secret := range []string{code, tokens.Access, tokens.Refresh} {
		if strings.Contains(stored, secret) || strings.Contains(stored, secret[len(secret)-52:]) {
			t.Errorf("a row has %s", secret[:8])
		}
	}
}

// The log names the operation and one code, and nothing that was sent.
func TestLog_NoSecrets(t *testing.T) {
	d := newDesk(t)
	var log bytes.Buffer
	api := web.New(web.Options{Clock: d.Clock, Log: slog.New(slog.NewJSONHandler(&log, nil))})
	authorize.Register(api, authorize.Options{Store: d.Store, SignIn: d.signIn, Documents: d.documents, Clock: d.Clock})
	d.Handler = api.LambdaHandler()
	code := d.code()
	tokens := d.tokens(exchange(code))
	d.post("/oauth/token", exchange(code))
	d.post("/oauth/token", url.Values{"grant_type": {"password"}, "client_id": {clientID}})
	d.visit("/oauth/authorize?" + asked("redirect_uri", "https://evil.example/").Encode())
	for _, want := range []string{
		`"code":"TOKEN_REUSED"`, `"code":"UNSUPPORTED_GRANT_TYPE"`, `"code":"INVALID_REQUEST"`, `"operation":"issueTokens"`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s: %s", want, &log)
		}
	}
	for _, never := range []string{
		code, tokens.Access, tokens.Refresh, verifier, d.member.Email, "client.example", "evil.example", "a state",
	} {
		if strings.Contains(log.String(), never) {
			t.Errorf("the log has %.12s", never)
		}
	}
}
