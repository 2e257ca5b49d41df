package web_test

import (
	"strings"
	"testing"
	"time"

	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// Each case fails several checks at once; the one that comes first in the contract's order answers.
func TestAdmit_OrderOfChecks(t *testing.T) {
	b := newBench(t)
	expired := b.Key(t, workspace.Key{
		Scope:     workspace.Admin,
		Workspace: &b.Main,
		ExpiresAt: worldtest.Now.Add(-time.Millisecond),
	})
	lasting := b.Key(t, workspace.Key{
		Scope:     workspace.Admin,
		Workspace: &b.Main,
		ExpiresAt: worldtest.Now.Add(time.Millisecond),
	})
	agentsRead := b.Key(t, workspace.Key{Scope: workspace.Read, Workspace: &b.Agents})
	masterRead := b.Key(t, workspace.Key{Scope: workspace.Read, Agency: &b.Agency})
	agentsMember := workspace.Workspace{
		ID:       workspace.NewID(workspace.PrefixWorkspace, worldtest.Now),
		Name:     "Robots of the agency",
		Plan:     workspace.Agents,
		AgencyID: b.Agency.ID,
		Secret:   make([]byte, 32),
	}
	if err := b.Store.CreateWorkspace(t.Context(), agentsMember); err != nil {
		t.Fatal(err)
	}
	const org = "x-earshot-organization-id"
	for _, c := range []struct {
		name   string
		key    string
		header []string
		method string
		target string
		body   string
		status int
		code   string
	}{
		{"no key, no scope, bad input", "-", nil, "POST", "/api/v2/things", "{", 401, "UNAUTHORIZED"},
		{"expired a millisecond ago", expired, nil, "GET", "/api/v2/who", "", 401, "UNAUTHORIZED"},
		{"expires in a millisecond", lasting, nil, "GET", "/api/v2/who", "", 200, ""},
		{"plan gate before scope", agentsRead, nil, "POST", "/api/v2/things", "{", 403, "UPGRADE_REQUIRED"},
		{"scope before input", b.Read, nil, "POST", "/api/v2/things", "{", 403, "FORBIDDEN"},
		{"scope before workspace", masterRead, nil, "POST", "/api/v2/things", "{", 403, "FORBIDDEN"},
		{"workspace before input", b.Master, nil, "POST", "/api/v2/things", "{", 400, "ORGANIZATION_REQUIRED"},
		{"workspace outside the agency", b.Master, []string{org, b.Main.ID}, "POST", "/api/v2/things", "{", 403,
			"FORBIDDEN_ORGANIZATION"},
		{"workspace that is none", b.Master, []string{org, "org_01"}, "POST", "/api/v2/things", "{", 403,
			"FORBIDDEN_ORGANIZATION"},
		{"workspace twice", b.Master, []string{org, b.Member.ID, org, b.Anchor.ID}, "GET", "/api/v2/who", "", 403,
			"FORBIDDEN_ORGANIZATION"},
		{"another's workspace by an ordinary key", b.Admin, []string{org, b.Other.ID}, "GET", "/api/v2/who", "", 403,
			"FORBIDDEN_ORGANIZATION"},
		{"its own workspace by an ordinary key", b.Admin, []string{org, b.Main.ID}, "GET", "/api/v2/who", "", 200, ""},
		{"a workspace of the agency", b.Master, []string{org, b.Member.ID}, "GET", "/api/v2/who", "", 200, ""},
		{"plan gate before input", b.AgentsKey, nil, "POST", "/api/v2/things", "{", 403, "UPGRADE_REQUIRED"},
		{"plan gate before workspace", b.AgentsKey, []string{org, b.Main.ID}, "GET", "/api/v2/who", "",
			403, "UPGRADE_REQUIRED"},
		{"plan gate of an agency's workspace before scope", masterRead, []string{org, agentsMember.ID},
			"POST", "/api/v2/things", "{", 403, "UPGRADE_REQUIRED"},
		{"plan gate before master key", b.AgentsKey, nil, "GET", "/api/v2/agency", "", 403, "UPGRADE_REQUIRED"},
		{"plan gate before master key and scope", agentsRead, nil, "GET", "/api/v2/agency", "",
			403, "UPGRADE_REQUIRED"},
		{"plan gate before flag", b.AgentsKey, nil, "POST", "/api/v2/beta", "{", 403, "UPGRADE_REQUIRED"},
		{"open to the Agents plan", b.AgentsKey, nil, "GET", "/api/v2/open", "", 200, ""},
		{"flag before input", b.Admin, nil, "POST", "/api/v2/beta", "{", 404, "FEATURE_DISABLED"},
		{"agency operation, ordinary key", b.Admin, nil, "GET", "/api/v2/agency", "", 403, "MASTER_KEY_REQUIRED"},
		{"agency operation, small scope", masterRead, nil, "GET", "/api/v2/agency", "", 403, "FORBIDDEN"},
		{"agency operation", b.Master, nil, "GET", "/api/v2/agency", "", 200, ""},
		{"agency operation, a workspace of the agency", b.Master, []string{org, b.Member.ID}, "GET", "/api/v2/agency", "",
			200, ""},
		{"agency operation, a workspace outside the agency", b.Master, []string{org, b.Main.ID}, "GET", "/api/v2/agency", "",
			403, "FORBIDDEN_ORGANIZATION"},
		{"agency operation, a workspace that is none", b.Master, []string{org, "org_01"}, "GET", "/api/v2/agency", "",
			403, "FORBIDDEN_ORGANIZATION"},
		{"agency operation, master key before workspace", b.Admin, []string{org, b.Other.ID}, "GET", "/api/v2/agency", "",
			403, "MASTER_KEY_REQUIRED"},
		{"input last", b.Admin, nil, "POST", "/api/v2/things", "{", 400, "VALIDATION_ERROR"},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := b.as(c.key)
			if c.key == "-" {
				client.Token = ""
			}
			answer := client.Do(t, worldtest.Request{Method: c.method, Target: c.target, Body: c.body, Header: c.header})
			if c.code == "" {
				answer.OK(t, nil)
				return
			}
			found := answer.Is(t, c.status, c.code)
			if strings.Contains(answer.Header.Get("Server-Timing"), "handler") { // each is turned away before the endpoint
				t.Errorf("Server-Timing is %s", answer.Header.Get("Server-Timing"))
			}
			challenge := answer.Header.Get("WWW-Authenticate")
			if c.status == 401 && (!strings.HasPrefix(challenge,
				`Bearer resource_metadata="https://`+worldtest.Domain+`/dev/.well-known/`) ||
				!strings.Contains(challenge, `", scope="read`)) {
				t.Errorf("WWW-Authenticate is %s", challenge)
			}
			if c.code == "UPGRADE_REQUIRED" &&
				(found.UpgradeCommand != "earshot upgrade" || !strings.HasSuffix(found.UpgradeURL, "/upgrade")) {
				t.Errorf("%+v", found)
			}
		})
	}
}

func TestAdmit_MalformedAuthorization(t *testing.T) {
	b := newBench(t)
	token := b.Admin
	for _, value := range []string{"", "Bearer", "Bearer ", "Basic " + token, token, "Bearer  " + token, "Bearer " + token + " ",
		"Bearer " + token[:len(token)-1], "Bearer " + token + "a", "Bearer " + strings.ToUpper(token), "Bearer es_key_x_y",
		"Bearer " + strings.Repeat("x", 8000), "Bearer \x00\xff", "Bearer " + strings.Replace(token, "es_", "ES_", 1)} {
		b.as("").Get(t, "/api/v2/who", "Authorization", value).Is(t, 401, "UNAUTHORIZED")
	}
	b.as("").Get(t, "/api/v2/who", "Authorization", "Bearer "+token, "Authorization", "Bearer "+token).
		Is(t, 401, "UNAUTHORIZED")
	b.as("").Get(t, "/api/v2/who", "authorization", "bEARER "+token).OK(t, nil)
}

// Whoever sends a key that is cut short does not hear that there is none.
func TestAdmit_SaysWhatIsWrongWithAKey(t *testing.T) {
	b := newBench(t)
	for value, want := range map[string]string{
		"":                        "The request has no API key.",
		"Basic " + b.Admin:        "The request has no API key.",
		"Bearer " + b.Admin[:40]:  "This is not a whole API key or access token.",
		"Bearer es_key_x":         "This is not a whole API key or access token.",
		"Bearer eat_cut_short":    "This is not a whole API key or access token.",
		"Bearer " + b.Admin + "a": "This is not a whole API key or access token.",
	} {
		told := b.as("").Get(t, "/api/v2/who", "Authorization", value).Is(t, 401, "UNAUTHORIZED")
		if !strings.HasPrefix(told.Message, want) {
			t.Errorf("Authorization: %s: %q, want %q", value, told.Message, want)
		}
	}
}

func TestKey_EndsAtOnce(t *testing.T) {
	b := newBench(t)
	b.Get(t, "/api/v2/who").OK(t, nil)
	token, _ := workspace.ParseToken(b.Read)
	if err := b.Store.RevokeKey(t.Context(), b.Main.ID, token.KeyID); err != nil {
		t.Fatal(err)
	}
	b.as(b.Read).Get(t, "/api/v2/who").Is(t, 401, "UNAUTHORIZED")
	if err := b.Store.DeleteWorkspace(t.Context(), b.Main.ID); err != nil {
		t.Fatal(err)
	}
	b.Get(t, "/api/v2/who").Is(t, 401, "UNAUTHORIZED")
	if err := b.Store.DeleteWorkspace(t.Context(), b.Member.ID); err != nil {
		t.Fatal(err)
	}
	foreign := b.as(b.Master).Get(t, "/api/v2/who", "x-earshot-organization-id", b.Member.ID).
		Is(t, 403, "FORBIDDEN_ORGANIZATION")
	if want := "GET /api/v2/agency/workspaces"; !strings.Contains(foreign.Message, want) {
		t.Errorf("FORBIDDEN_ORGANIZATION says %q, want it to name %s", foreign.Message, want)
	}
	if err := b.Store.ChangeAgency(t.Context(), b.Agency.ID,
		func(a *workspace.Agency) error { a.Active = false; return nil }); err != nil {
		t.Fatal(err)
	}
	b.as(b.Master).Get(t, "/api/v2/agency").Is(t, 403, "AGENCY_INACTIVE")
}

func TestFlagsAndPlans_ChangeAtOnce(t *testing.T) {
	b := newBench(t)
	change := func(id string, change func(*workspace.Workspace)) {
		t.Helper()
		if err := b.Store.ChangeWorkspace(t.Context(), id, func(w *workspace.Workspace) error { change(w); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	b.Post(t, "/api/v2/beta", `{"name":"abc"}`).Is(t, 404, "FEATURE_DISABLED")
	change(b.Main.ID, func(w *workspace.Workspace) { w.Flags = []string{workspace.FlagSetupOnboarding} })
	b.Post(t, "/api/v2/beta", `{"name":"abc"}`).OK(t, nil)
	change(b.Main.ID, func(w *workspace.Workspace) { w.Plan = workspace.Agents })
	b.Post(t, "/api/v2/beta", `{"name":"abc"}`).Is(t, 403, "UPGRADE_REQUIRED")
}
