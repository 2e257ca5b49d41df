package agency_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"earshot/functions/agency"
	"earshot/shared/port/table"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

func (d desk) agency(t testing.TB) (found agency.Agency) {
	t.Helper()
	d.Get(t, "/api/v2/agency").OK(t, &found)
	return found
}

func (d desk) list(t testing.TB) []agency.AgencyWorkspace {
	t.Helper()
	var list agency.AgencyWorkspaceList
	d.Get(t, "/api/v2/agency/workspaces").OK(t, &list)
	return list.Data
}

// change is the operator's.
func (d desk) change(t testing.TB, change func(*workspace.Agency)) {
	t.Helper()
	if err := d.Store.ChangeAgency(t.Context(), d.Agency.ID, func(a *workspace.Agency) error { change(a); return nil }); err != nil {
		t.Fatal(err)
	}
}

func TestAgency(t *testing.T) {
	d := newDesk(t)
	found := d.agency(t)
	if found.ID != d.Agency.ID || found.Name != "Harbour Agency" || found.AnchorWorkspaceID != d.Anchor.ID ||
		!found.Active ||
		found.CreatedAt != "2026-11-20T10:15:00.000Z" || found.Workspaces != (agency.AgencyRoom{Count: 2, Limit: 25}) ||
		found.Billing.Configured || found.Billing.CentsPer1000Mentions.Value != nil {
		t.Errorf("%+v", found)
	}
	d.change(t, func(a *workspace.Agency) { a.FlexPrice, a.WorkspaceLimit = 250, 3 })
	if _, err := d.Store.ReserveWorkspace(t.Context(), d.Agency.ID, ""); err != nil {
		t.Fatal(err)
	}
	found = d.agency(t)
	if found.Workspaces != (agency.AgencyRoom{Count: 3, Limit: 3}) || !found.Billing.Configured ||
		found.Billing.CentsPer1000Mentions.OrZero() != 250 {
		t.Errorf("%+v", found)
	}
	if len(d.list(t)) != 2 {
		t.Error("a workspace is listed that is being made")
	}
	d.change(t, func(a *workspace.Agency) { a.Active = false })
	d.Get(t, "/api/v2/agency").Is(t, 403, "AGENCY_INACTIVE")
}

func TestAgencyThatIsGone(t *testing.T) {
	d := newDesk(t)
	gone := table.Delete{Table: "core", Key: table.Key{Partition: d.Agency.ID, Sort: "agency"}}
	if err := d.Table.Delete(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	d.Get(t, "/api/v2/agency").Is(t, 404, "AGENCY_NOT_FOUND")
	d.create(t, `{"name":"Client"}`).Is(t, 404, "AGENCY_NOT_FOUND")
	if made := d.rows.changed(t); len(made) > 0 || len(d.groupNames()) > 0 {
		t.Errorf("%v, groups %v", made, d.groupNames())
	}
}

func TestList(t *testing.T) {
	d := newDesk(t)
	d.change(t, func(a *workspace.Agency) { a.FlexPrice = 200 })
	d.World.Clock.Freeze(worldtest.Now.Add(time.Second))
	flexible := d.created(t, `{"name":"Flexible","plan":"scale","domain":"Flexible.Example",
		"flex":{"enabled":true,"capMentions":5000,"budgetCents":100}}`)
	d.World.Clock.Freeze(worldtest.Now.Add(2 * time.Second))
	plain := d.created(t, `{"name":"Plain"}`)
	list := d.list(t)
	if len(list) != 4 || fmt.Sprintf("%+v", shown(list[2])) != fmt.Sprintf("%+v", shown(flexible)) ||
		list[3].ID != plain.ID {
		t.Fatalf("%+v", list)
	}
	if f := list[2]; f.Domain.OrZero() != "flexible.example" || f.Plan != "scale" || !f.Flex.Enabled ||
		f.Flex.CapMentions.OrZero() != 5000 ||
		f.Flex.BudgetCents.OrZero() != 100 || f.Limits.Mentions != 100_500 || f.Limits.Keywords != 100 || f.Anchor ||
		f.CreatedAt != "2026-11-20T10:15:01.000Z" {
		t.Errorf("%+v", f)
	}
	if p := list[3]; p.Domain.Value != nil || p.Plan != "free_trial" || p.Flex.Enabled ||
		p.Flex.CapMentions.Value != nil ||
		p.Flex.BudgetCents.Value != nil || p.Limits.Mentions != 5_000 || p.Limits.Keywords != 5 {
		t.Errorf("%+v", p)
	}
	anchor := slices.IndexFunc(list, func(w agency.AgencyWorkspace) bool { return w.ID == d.Anchor.ID })
	for i, w := range list {
		if w.Anchor != (i == anchor) {
			t.Errorf("%+v", w)
		}
	}
	if anchor < 0 || anchor > 1 {
		t.Errorf("the anchor is at %d", anchor)
	}
}

// shown is a workspace without pointers, to be compared.
func shown(w agency.AgencyWorkspace) []any {
	return []any{w.ID, w.Name, w.Domain.OrZero(), w.Plan, w.Anchor, w.Flex.Enabled, w.Flex.CapMentions.OrZero(),
		w.Flex.BudgetCents.OrZero(),
		w.Limits, w.CreatedAt}
}

// What a list reads does not grow with what its workspaces hold: one query, and a batch for each fifty of them.
func TestListIsBounded(t *testing.T) {
	d := newDesk(t)
	for n := range 58 {
		err := d.Store.CreateWorkspace(t.Context(),
			workspace.Workspace{ID: workspace.NewID(workspace.PrefixWorkspace, worldtest.Now),
				AgencyID: d.Agency.ID, Name: fmt.Sprint("Client ", n), Plan: workspace.Pro, CreatedAt: worldtest.Now})
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, meter := table.WithMeter(t.Context())
	all, err := d.Store.AgencyWorkspacesInFull(ctx, d.Agency.ID)
	if err != nil || len(all) != 60 {
		t.Fatal(len(all), err)
	}
	if used := meter.Total(); used.Reads != 1+2 || used.Writes != 0 {
		t.Errorf("%+v", used)
	}
	if len(d.list(t)) != 60 {
		t.Error("not all are listed")
	}
}
