package agency_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"earshot/functions/agency"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

func (d desk) create(t testing.TB, body string, header ...string) worldtest.Answer {
	t.Helper()
	return d.Post(t, "/api/v2/agency/workspaces", body, header...)
}

func (d desk) created(t testing.TB, body string, header ...string) (made agency.AgencyWorkspace) {
	t.Helper()
	d.create(t, body, header...).OK(t, &made)
	return made
}

func TestCreate(t *testing.T) {
	d := newDesk(t)
	made := d.created(t, `{"name":" Client GmbH ","domain":"BÜCHER.example."}`)
	if made.Name != "Client GmbH" || made.Domain.OrZero() != "xn--bcher-kva.example" || made.Plan != "free_trial" ||
		made.Anchor || made.Flex.Enabled || made.CreatedAt != "2026-11-20T10:15:00.000Z" ||
		!workspace.ValidID(workspace.PrefixWorkspace, made.ID) {
		t.Errorf("%+v", made)
	}
	w, err := d.Store.Workspace(t.Context(), made.ID)
	if err != nil || w.AgencyID != d.Agency.ID || w.Name != "Client GmbH" || len(w.Secret) != 32 ||
		w.Plan != workspace.FreeTrial ||
		len(w.Flags) != 0 {
		t.Errorf("%+v, %v", w, err)
	}
	c, err := d.Store.Company(t.Context(), made.ID)
	if err != nil || c.Name != "Client GmbH" || c.Domain != "xn--bcher-kva.example" || c.UpdatedAt.IsZero() {
		t.Errorf("%+v, %v", c, err)
	}
	if people, there := d.group(made.ID); !there || len(people) > 0 {
		t.Errorf("the group: %v, %v", people, there)
	}
	d.isWhole(t, made.ID, "company")
	if all, err := d.Store.Workspaces(t.Context(), "", 100); err != nil || len(all) != 6 {
		t.Errorf("%d workspaces are in the directory, %v", len(all), err)
	}
	// The workspace is one like any other: it can have keys and a changed profile, and the agency reaches it.
	if err := d.Store.CreateKey(t.Context(),
		workspace.Key{ID: workspace.NewID(workspace.PrefixKey, w.CreatedAt), Workspace: &w}); err != nil {
		t.Error(err)
	}
	changed, err := d.Store.ChangeCompany(t.Context(), made.ID,
		func(c *workspace.Company) error { c.Audience = "readers"; return nil })
	if err != nil || changed.Domain != "xn--bcher-kva.example" || changed.Revision != 2 {
		t.Errorf("%+v, %v", changed, err)
	}
	for i, plan := range workspace.Plans() {
		made := d.created(t, fmt.Sprintf(`{"name":"Client %d","plan":%q}`, i, plan))
		if workspace.Plan(made.Plan) != plan || made.Limits.Mentions != plan.Limits().Mentions ||
			made.Limits.Keywords != plan.Limits().Keywords || made.Domain.Value != nil {
			t.Errorf("%+v", made)
		}
		if c, err := d.Store.Company(t.Context(), made.ID); err != nil || !c.UpdatedAt.IsZero() {
			t.Errorf("%+v, %v", c, err)
		}
	}
	if found := d.agency(t); found.Workspaces.Count != 8 || len(d.list(t)) != 8 {
		t.Errorf("%+v", found)
	}
}

// isWhole holds that a workspace was made with all its rows, and that nothing of its making is left but what else names.
func (d desk) isWhole(t testing.TB, id string, others ...string) {
	t.Helper()
	want := map[string]bool{"+core " + id + " workspace": true, "+core workspaces " + id: true,
		"+core " + d.Agency.ID + " workspace#" + id: true}
	for _, sort := range others {
		want["+core "+id+" "+sort] = true
	}
	for _, row := range d.rows.changed(t) {
		if strings.Contains(row, id) && !want[row] {
			t.Errorf("there is %s", row)
		}
		delete(want, row)
	}
	for row := range want {
		t.Errorf("there is no %s", row)
	}
	key := table.Key{Partition: d.Agency.ID, Sort: "workspace#" + id}
	listing, err := d.Table.Get(t.Context(), table.Get{Table: rows.CoreTable, Key: key})
	if err != nil || len(listing) != 3 || listing["createdAt"] == nil {
		t.Errorf("%v, %v", listing, err)
	}
}

func TestFlexible(t *testing.T) {
	d := newDesk(t)
	body := func(flex string) string { return `{"name":"Client","plan":"pro","flex":` + flex + `}` }
	d.create(t, body(`{"enabled":true}`)).Is(t, 400, "FLEX_REQUIRES_CAP")
	d.create(t, body(`{"enabled":true,"budgetCents":100}`)).Is(t, 400, "FLEX_REQUIRES_CAP")
	d.create(t, body(`{"enabled":true,"capMentions":100}`)).Is(t, 400, "FLEX_REQUIRES_BUDGET")
	// The Agents plan's quota is a wall.
	d.create(t, `{"name":"Client","plan":"agents","flex":{"enabled":true,"capMentions":100,"budgetCents":100}}`).
		Is(t, 400, "INVALID_INPUT")
	d.create(t, body(`{"enabled":true,"capMentions":100,"budgetCents":100}`)).Is(t, 400, "AGENCY_BILLING_NOT_CONFIGURED")
	if made := d.created(t, body(`{"enabled":false}`)); made.Flex.Enabled || made.Limits.Mentions != 25_000 {
		t.Errorf("%+v", made)
	}
	d.change(t, func(a *workspace.Agency) { a.FlexPrice = 200 })
	for _, c := range []struct{ cap, budget, want int }{
		{10_000, 5_000, 10_000}, {10_000, 1_000, 5_000}, {1, 1, 1}, {100_000_000, 100_000_000, 100_000_000},
	} {
		made := d.created(t, body(fmt.Sprintf(`{"enabled":true,"capMentions":%d,"budgetCents":%d}`, c.cap, c.budget)))
		if !made.Flex.Enabled || made.Flex.CapMentions.OrZero() != c.cap || made.Flex.BudgetCents.OrZero() != c.budget ||
			made.Limits.Mentions != 25_000+c.want || made.Limits.Keywords != 20 {
			t.Errorf("%+v: %+v", c, made)
		}
		// What it may take is what the collection is held to, and every key of it tells so.
		w, err := d.Store.Workspace(t.Context(), made.ID)
		if err != nil {
			t.Fatal(err)
		}
		if usage, err := d.Store.Usage(t.Context(), w); err != nil || usage.Limit != 25_000+c.want {
			t.Errorf("%+v, %v", usage, err)
		}
	}
	// A price that changes later is that of later workspaces.
	before := d.list(t)
	d.change(t, func(a *workspace.Agency) { a.FlexPrice = 0 })
	for i, w := range d.list(t) {
		if fmt.Sprint(shown(w)) != fmt.Sprint(shown(before[i])) {
			t.Errorf("%+v was %+v", w, before[i])
		}
	}
	d.create(t, body(`{"enabled":true,"capMentions":1,"budgetCents":1}`)).Is(t, 400, "AGENCY_BILLING_NOT_CONFIGURED")
}

func TestCreationsThatAreRefused(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct{ body, want string }{
		{`{}`, "[name required]"},
		{`[]`, "[body type]"},
		{`{"name":""}`, "[name min_length]"},
		{`{"name":"   "}`, "[name min_length]"},
		{`{"name":"a\u0000b"}`, "[name pattern]"},
		{`{"name":"a\r\nb"}`, "[name pattern]"},
		{`{"name":"` + strings.Repeat("ä", 101) + `"}`, "[name max_length]"},
		{`{"name":7,"plan":"gold","domain":7}`, "[domain type name type plan enum]"},
		{`{"name":"a","plan":null}`, "[plan type]"},
		{`{"name":"a","domain":null}`, "[domain type]"},
		{`{"name":"a","agencyId":"agc_1","id":"org_1"}`, "[agencyId unknown id unknown]"},
		{"{\"name\":\"\u200b\"}", "[name min_length]"}, // no character that can be seen
		{`{"name":"a","flex":true}`, "[flex type]"},
		{`{"name":"a","flex":{}}`, "[flex.enabled required]"},
		{`{"name":"a","flex":{"capMentions":1}}`, "[flex.capMentions unexpected flex.enabled required]"},
		{`{"name":"a","flex":{"enabled":false,"capMentions":1,"budgetCents":1}}`,
			"[flex.budgetCents unexpected flex.capMentions unexpected]"},
		{`{"name":"a","flex":{"enabled":true,"capMentions":0,"budgetCents":-1}}`,
			"[flex.budgetCents minimum flex.capMentions minimum]"},
		{`{"name":"a","flex":{"enabled":true,"capMentions":100000001,"budgetCents":100000001}}`,
			"[flex.budgetCents maximum flex.capMentions maximum]"},
		{`{"name":"a","flex":{"enabled":true,"capMentions":99999999999999999999}}`, "[flex.capMentions range]"},
		{`{"name":"a","flex":{"enabled":true,"capMentions":1.5,"price":1}}`, "[flex.capMentions type flex.price unknown]"},
	} {
		var got []string
		for _, detail := range d.create(t, c.body).Is(t, 400, "VALIDATION_ERROR").Details {
			got = append(got, detail.Path+" "+detail.Code)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.body, got, c.want)
		}
	}
	// One after the other: the domain, what is flexible, the room.
	d.change(t, func(a *workspace.Agency) { a.WorkspaceLimit = 2 })
	d.create(t, `{"name":"a","domain":"","flex":{"enabled":true}}`).Is(t, 400, "INVALID_DOMAIN")
	d.create(t, `{"name":"a","domain":"https://northwind.example/about"}`).Is(t, 400, "INVALID_DOMAIN")
	d.create(t, `{"name":"a","domain":"northwind.example","flex":{"enabled":true}}`).Is(t, 400, "FLEX_REQUIRES_CAP")
	full := d.create(t, `{"name":"a","domain":"northwind.example"}`).Is(t, 400, "AGENCY_WORKSPACE_LIMIT")
	if !strings.Contains(full.Message, "GET /api/v2/agency") {
		t.Error(full.Message)
	}
	if made := d.rows.changed(t); len(made) > 0 || len(d.groupNames()) > 0 {
		t.Errorf("%v, groups %v", made, d.groupNames())
	}
}

// However many create at once, there is never one workspace more than there is room for, and never one less.
func TestRoomIsExact(t *testing.T) {
	d := newDesk(t)
	d.change(t, func(a *workspace.Agency) { a.WorkspaceLimit = 2 + 3 })
	answers := make([]worldtest.Answer, 20)
	var group sync.WaitGroup
	for n := range answers {
		group.Go(func() { answers[n] = d.create(t, fmt.Sprintf(`{"name":"Client %d"}`, n)) })
	}
	group.Wait()
	ids := map[string]bool{}
	for _, answer := range answers {
		if answer.Status != http.StatusOK {
			answer.Is(t, 400, "AGENCY_WORKSPACE_LIMIT")
			continue
		}
		var made agency.AgencyWorkspace
		answer.OK(t, &made)
		ids[made.ID] = true
	}
	if len(ids) != 3 || len(d.list(t)) != 5 || d.agency(t).Workspaces.Count != 5 || len(d.groupNames()) != 3 {
		t.Errorf("%d were made, %d are listed, groups %v", len(ids), len(d.list(t)), d.groupNames())
	}
	for id := range ids {
		d.isWhole(t, id)
	}
}

// The answer to a request is kept, and the same name of a key of another agency is another's request.
func TestCreateAgain(t *testing.T) {
	d := newDesk(t)
	_, master, _ := d.another(t)
	first := d.created(t, `{"name":"Client"}`, "Idempotency-Key", "k")
	again := d.create(t, `{"name":"Client"}`, "Idempotency-Key", "k")
	var same agency.AgencyWorkspace
	if again.OK(t, &same); same.ID != first.ID || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%+v", same)
	}
	d.create(t, `{"name":"Other"}`, "Idempotency-Key", "k").Is(t, 422, "IDEMPOTENCY_KEY_REUSED")
	if theirs := d.as(master).created(t, `{"name":"Client"}`, "Idempotency-Key", "k"); theirs.ID == first.ID {
		t.Errorf("%+v", theirs)
	}
	if len(d.list(t)) != 3 || len(d.as(master).list(t)) != 4 {
		t.Error("not one for each")
	}
}

// Invitation mails quote a workspace's name: it has no address. A name that was stored before is quoted without.
func TestCreate_NameWithAnAddress(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"Payroll: confirm at https://evil.example/x", "evil.com", "pay@evil.com", "a\u202Eb", "\u200B"} {
		refused := d.Post(t, "/api/v2/agency/workspaces", fmt.Sprintf(`{"name":%q}`, name)).Is(t, 400, "VALIDATION_ERROR")
		if len(refused.Details) != 1 || refused.Details[0].Path != "name" {
			t.Errorf("create(%q) = %+v, want one fault of the name", name, refused.Details)
		}
	}
	must(t, d.Store.ChangeWorkspace(t.Context(), d.Member.ID, func(w *workspace.Workspace) error {
		w.Name = "Payroll: confirm at https://evil.example/x"
		return nil
	}))
	said(t, d.invites(t, []string{d.Member.ID}, []string{"new@harbour.example"}, "org:member"), "invited")
	if got, want := d.mails.Sent[0].Subject,
		"Harbour Agency invites you to Payroll: confirm at … on Earshot"; got != want {
		t.Errorf("the subject is %q, want %q", got, want)
	}
}
