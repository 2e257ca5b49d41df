package mcp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"earshot/functions/mcp"
	"earshot/shared/grant"
	"earshot/shared/member"
	"earshot/shared/store/authstore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A caller is one credential as both servers take it: a key is the same at both, and a grant has a token for each.
type caller struct {
	name      string
	mcp, rest string
	header    []string
}

// grantOf returns a new grant's tokens, by a member with a role.
func (s service) grantOf(t *testing.T, role member.Role, scope workspace.Scope) caller {
	t.Helper()
	name := fmt.Sprintf("grant of %s by %s", scope, role)
	now := s.world.Clock.Now()
	person, err := s.world.Store.AddMember(t.Context(), s.world.Main.ID, member.Member{
		Email: strings.NewReplacer(" ", "-", ":", "-").Replace(name) + "@northwind.example", Role: role,
	})
	worldtest.Must(t, err)
	token := func(resource string) string {
		g := grant.Grant{
			ID: grant.NewID(now), WorkspaceID: s.world.Main.ID, MemberID: person.ID, ClientID: "https://client.example/id",
			Scope: scope, Resource: resource, CreatedAt: now,
		}
		code := grant.NewToken(grant.AuthorizationCode, g)
		until := now.Add(time.Minute)
		worldtest.Must(t, s.world.Store.PutRequest(t.Context(), g.ID, authstore.Request{ExpiresAt: until}))
		worldtest.Must(t, s.world.Store.Approve(t.Context(), g.ID, g, grant.Code{ExpiresAt: until}, code))
		tokens, err := s.world.Store.Exchange(t.Context(), code, func(grant.Grant, grant.Code) error { return nil })
		worldtest.Must(t, err)
		return tokens.Access.Reveal()
	}
	return caller{name: name, mcp: token(grant.ResourceMCP), rest: token(grant.ResourceAPI)}
}

// rest sends a request to the REST API and returns the code of the error; empty if it was admitted.
func (s service) rest(t *testing.T, by caller, method, target string, body []byte) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+target, strings.NewReader(string(body)))
	worldtest.Must(t, err)
	request.Header.Set("Authorization", "Bearer "+by.rest)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(by.header); i += 2 {
		request.Header.Set(by.header[i], by.header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	worldtest.Must(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	worldtest.Must(t, err)
	return refusal(string(text))
}

// turnedAway are the codes of callers whom an operation does not admit. All others come after the admission.
var turnedAway = []string{
	"UNAUTHORIZED", "FORBIDDEN_ORGANIZATION", "FORBIDDEN", "UPGRADE_REQUIRED", "ORGANIZATION_REQUIRED",
	"MASTER_KEY_REQUIRED",
	"FEATURE_DISABLED", "RATE_LIMITED",
}

// refusal returns the code by which a response turns its caller away; empty if it does not.
func refusal(text string) string {
	for _, code := range turnedAway {
		if strings.Contains(strings.ReplaceAll(text, `\"`, `"`), `"code":"`+code+`"`) {
			return code
		}
	}
	return ""
}

// decisive is the operation that decides about a tool's caller, for tools that call one of several.
var decisive = map[string]string{
	"get_mention": "getMention", "search": "createSearch", "propose_setup": "createSetupDraft",
	"add_feed_destination": "updateFeed", "remove_feed_destination": "updateFeed",
}

// Every tool admits and refuses the callers that its operation of REST does, with the same code: keys of each scope, on
// another plan and of an agency, and grants of each scope by members of each role.
func TestTools_CallersAreThoseOfREST(t *testing.T) {
	s := serve(t)
	key := func(name, token string, header ...string) func() caller {
		return func() caller { return caller{name: name, mcp: token, rest: token, header: header} }
	}
	organization := "X-Earshot-Organization-Id"
	callers := []func() caller{
		key("no key", "nothing"),
		key("read key", s.world.Read),
		key("write key", s.world.Write),
		key("admin key", s.world.Admin),
		key("Agents key", s.world.AgentsKey),
		key("master key", s.world.Master),
		key("master key in a workspace", s.world.Master, organization, s.world.Main.ID),
		// The endpoint looks at the workspace before it knows the tool: with a smaller key, REST looks at the scope first.
		key("admin key in another's workspace", s.world.Admin, organization, s.world.Other.ID),
	}
	for _, role := range []member.Role{member.Ordinary, member.Admin} {
		for _, scope := range []workspace.Scope{workspace.Read, workspace.Write, workspace.Admin} {
			callers = append(callers, func() caller { return s.grantOf(t, role, scope) })
		}
	}
	seen := map[string]int{}
	for n, call := range callers {
		s.world.Clock.Freeze(worldtest.Now.Add(time.Duration(n) * 2 * time.Hour)) // of another hourly limit
		by := call()
		for _, tool := range mcp.Tools() {
			id := decisive[tool.Name]
			if id == "" && len(tool.Operations) == 1 {
				id = tool.Operations[0]
			}
			method, target, body, err := mcp.RequestOf(id, tool.Example)
			if err != nil {
				t.Fatalf("%s: %v", tool.Name, err)
			}
			want := s.rest(t, by, method, target, body)
			_, text := s.post(t, by.mcp, callOf(tool.Name, tool.Example), by.header...)
			if got := refusal(text); got != want || !json.Valid([]byte(text)) {
				t.Errorf("%s with %s = %q, and %s is %q: %s", tool.Name, by.name, got, id, want, text)
			}
			seen[want]++
		}
	}
	for _, code := range []string{"", "UNAUTHORIZED", "FORBIDDEN", "UPGRADE_REQUIRED", "ORGANIZATION_REQUIRED",
		"FORBIDDEN_ORGANIZATION"} {
		if seen[code] == 0 {
			t.Errorf("no caller was answered %q: %v", code, seen)
		}
	}
}
