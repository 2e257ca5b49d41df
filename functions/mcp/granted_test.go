package mcp_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"earshot/shared/grant"
	"earshot/shared/member"
	"earshot/shared/store/authstore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// access returns an access token that a member of the main workspace granted.
func (s service) access(t *testing.T, resource string, scope workspace.Scope) string {
	t.Helper()
	now := s.world.Clock.Now()
	person, err := s.world.Store.AddMember(t.Context(), s.world.Main.ID, member.Member{
		Email: strings.ToLower(t.Name()) + "@northwind.example", Role: member.Ordinary,
	})
	worldtest.Must(t, err)
	g := grant.Grant{
		ID: grant.NewID(now), WorkspaceID: s.world.Main.ID, MemberID: person.ID, ClientID: "https://client.example/id",
		Scope: scope, Resource: resource, CreatedAt: now,
	}
	code := grant.NewToken(grant.AuthorizationCode, g)
	worldtest.Must(t, s.world.Store.PutRequest(t.Context(), g.ID, authstore.Request{ExpiresAt: now.Add(time.Minute)}))
	worldtest.Must(t, s.world.Store.Approve(t.Context(), g.ID, g, grant.Code{ExpiresAt: now.Add(time.Minute)}, code))
	tokens, err := s.world.Store.Exchange(t.Context(), code, func(grant.Grant, grant.Code) error { return nil })
	worldtest.Must(t, err)
	return tokens.Access.Reveal()
}

// An access token for this server calls tools, as far as its scope goes.
func TestToken_OfThisServer(t *testing.T) {
	s := serve(t)
	token := s.access(t, grant.ResourceMCP, workspace.Read)
	if response, text := s.post(t, token, callOf("get_workspace", `{}`)); response.StatusCode != http.StatusOK ||
		!strings.Contains(text, "Northwind") {
		t.Errorf("get_workspace = %d %s", response.StatusCode, text)
	}
	response, text := s.post(t, token, callOf("add_keyword", `{"keyword":"Tidewater"}`))
	if got := response.Header.Get("WWW-Authenticate"); response.StatusCode != http.StatusForbidden ||
		!strings.Contains(got, `error="insufficient_scope"`) || !strings.Contains(got, `scope="read write"`) {
		t.Errorf("add_keyword = %d %s with WWW-Authenticate %s", response.StatusCode, text, got)
	}
}

// An access token for the REST API is no key to this server.
func TestToken_OfREST(t *testing.T) {
	s := serve(t)
	response, text := s.post(t, s.access(t, grant.ResourceAPI, workspace.Write), callOf("get_workspace", `{}`))
	if got := response.Header.Values("WWW-Authenticate"); response.StatusCode != http.StatusUnauthorized ||
		len(got) != 1 ||
		!strings.Contains(got[0], `error="invalid_token"`) {
		t.Errorf("get_workspace = %d %s with WWW-Authenticate %q", response.StatusCode, text, got)
	}
}
