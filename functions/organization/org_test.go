package organization_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"earshot/functions/discovery"
	"earshot/functions/organization"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

const header = "x-earshot-organization-id"

func TestAuth(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	expiring := w.Key(t, workspace.Key{
		Name:      "Report",
		Scope:     workspace.Read,
		Workspace: &w.Member,
		ExpiresAt: worldtest.Now.Add(time.Hour),
	})
	for _, c := range []struct {
		token, org, scopes, name, plan, agency string
		header                                 []string
	}{
		{w.Read, w.Main.ID, "[read]", "Northwind", "pro", "", nil},
		{w.Read, w.Main.ID, "[read]", "Northwind", "pro", "", []string{header, w.Main.ID}},
		{w.Write, w.Main.ID, "[read write]", "Northwind", "pro", "", nil},
		{w.Admin, w.Main.ID, "[read write admin]", "Northwind", "pro", "", nil},
		{w.AgentsKey, w.Agents.ID, "[read write admin]", "Robots", "agents", "", nil},
		{expiring, w.Member.ID, "[read]", "Harbour client", "pro", w.Agency.ID, nil},
		{w.Master, w.Member.ID, "[read write admin]", "Harbour client", "pro", w.Agency.ID, []string{header, w.Member.ID}},
		{w.Master, w.Anchor.ID, "[read write admin]", "Harbour", "scale", w.Agency.ID, []string{header, w.Anchor.ID}},
	} {
		var got organization.Auth
		client.As(c.token).Get(t, "/api/v2/auth", c.header...).OK(t, &got)
		if got.Key.ID != idOf(c.token) || fmt.Sprint(got.Key.Scopes) != c.scopes ||
			got.Key.Scopes[len(got.Key.Scopes)-1] != got.Key.Scope ||
			got.Key.Master != (c.token == w.Master) || got.Key.CreatedAt != "2026-11-20T10:15:00.000Z" {
			t.Errorf("%+v", got.Key)
		}
		if got.Workspace.ID != c.org || got.Workspace.Name != c.name || string(got.Workspace.Plan) != c.plan ||
			got.Agency.OrZero().ID != c.agency ||
			(c.agency != "") != (got.Agency.OrZero().Name == "Harbour Agency") {
			t.Errorf("%+v of %+v", got.Workspace, got.Agency.OrZero())
		}
		if ends := got.Key.ExpiresAt.OrZero(); (c.token == expiring) != (ends == "2026-11-20T11:15:00.000Z") ||
			c.token != expiring && ends != "" {
			t.Errorf("it ends %q", ends)
		}
	}
	client.As(w.Master).Get(t, "/api/v2/auth", header, w.Main.ID).Is(t, 403, "FORBIDDEN_ORGANIZATION")
	client.As(w.Read).Get(t, "/api/v2/auth", header, w.Other.ID).Is(t, 403, "FORBIDDEN_ORGANIZATION")
	w.Clock.Freeze(worldtest.Now.Add(time.Hour))
	client.As(expiring).Get(t, "/api/v2/auth").Is(t, 401, "UNAUTHORIZED")
}

func TestOrganization(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	var got organization.Organization
	answer := client.As(w.Read).Get(t, "/api/v2/org")
	answer.OK(t, &got)
	if got.ID != w.Main.ID || got.Name != "Northwind" || got.Plan != "pro" || got.AgencyID.Value != nil ||
		got.CreatedAt != "2026-11-20T10:15:00.000Z" ||
		got.Limits.Keywords != 20 || got.Limits.Mentions != 25_000 || got.Limits.Searches.Value != nil ||
		len(got.Flags) != 0 {
		t.Errorf("%+v", got)
	}
	client.As(w.AgentsKey).Get(t, "/api/v2/org").OK(t, &got)
	if got.Limits.Searches.OrZero() != 50 || got.Limits.Keywords != 0 {
		t.Errorf("%+v", got.Limits)
	}
	client.As(w.Master).Get(t, "/api/v2/org", header, w.Member.ID).OK(t, &got)
	if got.AgencyID.OrZero() != w.Agency.ID {
		t.Errorf("%+v", got)
	}
	if again := client.As(w.Read).Get(t, "/api/v2/org", "If-None-Match", answer.Header.Get("ETag")); again.Status != 304 {
		t.Errorf("%d", again.Status)
	}
	must(w.Store.ChangeWorkspace(t.Context(), w.Main.ID,
		func(org *workspace.Workspace) error { org.Flags = []string{"setup_onboarding"}; return nil }))
	client.As(w.Read).Get(t, "/api/v2/org", "If-None-Match", answer.Header.Get("ETag")).OK(t, &got)
	if fmt.Sprint(got.Flags) != "[setup_onboarding]" {
		t.Errorf("%+v", got)
	}
}

func TestRename(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	var got organization.Organization
	answer := client.Patch(t, "/api/v2/org", `{"name":"  Nørthwind \u0026 <Söhne> 🔥 "}`)
	answer.OK(t, &got)
	if got.Name != "Nørthwind & <Söhne> 🔥" || got.ID != w.Main.ID || got.Plan != "pro" {
		t.Errorf("%+v", got)
	}
	// Every key tells of it at once, with the validator of the change.
	for _, token := range []string{w.Read, w.Write, w.Admin} {
		if read := client.As(token).Get(t, "/api/v2/org"); string(read.Body) != string(answer.Body) ||
			read.Header.Get("ETag") != answer.Header.Get("ETag") {
			t.Errorf("%s", read.Body)
		}
	}
	for _, body := range []string{`{}`, `{"name":"Nørthwind & <Söhne> 🔥"}`} { // nothing to write
		if same := client.Patch(t, "/api/v2/org", body); string(same.Body) != string(answer.Body) {
			t.Errorf("%s: %s", body, same.Body)
		}
	}
	client.As(w.Master).Patch(t, "/api/v2/org", `{"name":"By the agency"}`, header, w.Member.ID).OK(t, &got)
	if got.Name != "By the agency" || got.AgencyID.OrZero() != w.Agency.ID {
		t.Errorf("%+v", got)
	}
	other, err := w.Store.Workspace(t.Context(), w.Other.ID)
	if err != nil || other.Name != "Southwind" {
		t.Errorf("%+v, %v", other, err)
	}
	for body, want := range map[string]string{
		`{"name":""}`: "[name min_length]", `{"name":"   "}`: "[name min_length]",
		`{"name":"\u00a0\u2003"}`: "[name min_length]",
		`{"name":null}`:           "[name type]", `{"name":7}`: "[name type]", `{"name":"a\nb"}`: "[name pattern]",
		`{"name":"a\u0000b"}`:                         "[name pattern]",
		`{"name":"` + strings.Repeat("é", 101) + `"}`: "[name max_length]",
		`{"name":"x","plan":"enterprise"}`:            "[plan unknown]",
		`{"Name":"x"}`:                                "[Name unknown]", `{"name":"x","name":"y"}`: "[name duplicate]",
		`[]`: "[body type]",
		``:   "[body required]",
	} {
		if faults := faultsOf(t, client.Patch(t, "/api/v2/org", body)); faults != want {
			t.Errorf("%s: %s", body, faults)
		}
	}
	client.Patch(t, "/api/v2/org", `{"name":"`+strings.Repeat("é", 100)+`"}`).OK(t, &got)
}

// Of many names at once one stands, whole, on the workspace and on all its keys.
func TestRenamesAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	faulttest.AtOnce(12, func(i int) {
		if answer := client.Patch(t, "/api/v2/org", fmt.Sprintf(`{"name":"name %d"}`, i)); answer.Status != http.StatusOK {
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
	})
	stored, err := w.Store.Workspace(t.Context(), w.Main.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{w.Read, w.Write, w.Admin} {
		var got organization.Organization
		client.As(token).Get(t, "/api/v2/org").OK(t, &got)
		if got.Name != stored.Name {
			t.Errorf("%q, %q", got.Name, stored.Name)
		}
	}
}

func TestUsage(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	count := func(orgID, sort, attribute string, n int64) {
		t.Helper()
		_, err := w.Table.Update(t.Context(),
			table.Update{
				Table: rows.CountersTable,
				Key:   table.Key{Partition: orgID, Sort: sort},
				Add:   map[string]int64{attribute: n},
			})
		must(err)
	}
	usage := func(token string) (got organization.OrganizationUsage) {
		t.Helper()
		client.As(token).Get(t, "/api/v2/org/usage").OK(t, &got)
		return got
	}
	got := usage(w.Read)
	if got.Plan != "pro" || got.Mentions != (organization.MentionUsage{Count: 0, Limit: 25_000,
		ResetAt: "2026-12-01T00:00:00.000Z"}) ||
		got.Keywords != (organization.KeywordUsage{Count: 0, Limit: 20}) || got.Searches != nil {
		t.Errorf("%+v", got)
	}
	if got.AI.Date != "2026-11-20" || got.AI.InputTokens != 0 || len(got.AI.Kinds) != 4 || got.AI.Limit.Value != nil {
		t.Errorf("without a model ai is %+v, want nothing used and no limit", got.AI)
	}
	for n, kind := range workspacestore.ModelKinds() {
		must(workspacestore.ModelBudget{Store: w.Store.Kernel, Kind: kind}.Count(t.Context(), w.Main.ID, 100*(n+1), n+1))
	}
	got = usage(w.Read)
	if got.AI.InputTokens != 1000 || got.AI.OutputTokens != 10 ||
		got.AI.Kinds[1] != (organization.AIKindUsage{Kind: "summary", InputTokens: 200, OutputTokens: 2}) {
		t.Errorf("ai is %+v, want 1000 in and 10 out, of which 200 and 2 for summaries", got.AI)
	}
	for i := range 3 {
		_, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, keyword.Keyword{Text: fmt.Sprint("k", i)}, 20)
		must(err)
	}
	count(w.Main.ID, "quota#2026-11", "stored", 24_999)
	count(w.Main.ID, "quota#2026-10", "stored", 7)
	if got = usage(w.Read); got.Keywords.Count != 3 || got.Mentions.Count != 24_999 || got.Mentions.Stopped {
		t.Errorf("%+v", got)
	}
	count(w.Main.ID, "quota#2026-11", "stored", 1)
	if got = usage(w.Read); !got.Mentions.Stopped {
		t.Errorf("%+v", got)
	}
	if theirs := usage(w.OtherKey); theirs.Mentions.Count != 0 || theirs.Keywords.Count != 0 {
		t.Errorf("%+v", theirs)
	}
	if got = usage(w.AgentsKey); got.Plan != "agents" ||
		*got.Searches != (organization.SearchUsage{Used: 0, Limit: 50, Remaining: 50}) || got.Mentions.Limit != 5_000 {
		t.Errorf("%+v", got)
	}
	count(w.Agents.ID, "searches", "used", 49)
	if got = usage(w.AgentsKey); *got.Searches != (organization.SearchUsage{Used: 49, Limit: 50, Remaining: 1}) {
		t.Errorf("%+v", got.Searches)
	}
	count(w.Agents.ID, "searches", "used", 4)
	if got = usage(w.AgentsKey); *got.Searches != (organization.SearchUsage{Used: 53, Limit: 50, Remaining: 0}) {
		t.Errorf("%+v", got.Searches)
	}
}

// With a model the limit is what the budgets of the judge, of the wizard and summaries, and of setup agents allow together.
func TestUsage_ModelLimit(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := worldtest.Serve(t, w, discovery.OpenAPI(), func(api *web.API) {
		organization.Register(api, organization.Options{Store: w.Store, Clock: w.Clock, ModelTokens: 700})
	})
	var got organization.OrganizationUsage
	client.As(w.Read).Get(t, "/api/v2/org/usage").OK(t, &got)
	if want := int64(700 + 700 + proposal.AgentDaily); got.AI.Limit.OrZero() != want {
		t.Errorf("the limit is %d, want %d", got.AI.Limit.OrZero(), want)
	}
}
