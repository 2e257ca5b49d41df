package agency_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"earshot/functions/agency"
	"earshot/functions/discovery"
	"earshot/functions/organization"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/web"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// agencyWorkspace is a workspace on the wire.
type agencyWorkspace = agency.AgencyWorkspace

func (d desk) delete(t testing.TB, id string, header ...string) worldtest.Answer {
	t.Helper()
	return d.Delete(t, "/api/v2/agency/workspaces/"+id, header...)
}

func (d desk) deleted(t testing.TB, id string, header ...string) (done agency.AgencyWorkspaceDeleted) {
	t.Helper()
	d.delete(t, id, header...).OK(t, &done)
	return done
}

// refuses is a directory that does not answer.
func (d desk) refuses(context.Context, string) error { return errors.New("not now") }

func TestDelete(t *testing.T) {
	d := newDesk(t)
	own := d.Key(t, workspace.Key{Scope: workspace.Admin, Workspace: &d.Member})
	reaches := worldtest.Serve(t, d.World, discovery.OpenAPI(), func(api *web.API) {
		organization.Register(api, organization.Options{Store: d.Store, Clock: d.World.Clock})
	})
	naming := []string{"x-earshot-organization-id", d.Member.ID}
	reaches.As(own).Get(t, "/api/v2/auth").OK(t, nil)
	reaches.As(d.Master).Get(t, "/api/v2/auth", naming...).OK(t, nil)
	for _, group := range []string{d.Member.ID, d.Anchor.ID} {
		if err := d.CreateGroup(t.Context(), group); err != nil {
			t.Fatal(err)
		}
	}
	if done := d.deleted(t, d.Member.ID); !done.Success || !done.CognitoOrgDeleted {
		t.Errorf("%+v", done)
	}
	reaches.As(own).Get(t, "/api/v2/auth").Is(t, 401, "UNAUTHORIZED")
	reaches.As(d.Master).Get(t, "/api/v2/auth", naming...).Is(t, 403, "FORBIDDEN_ORGANIZATION")
	reaches.As(d.Master).Get(t, "/api/v2/auth", "x-earshot-organization-id", d.Anchor.ID).OK(t, nil)
	list, names := d.list(t), d.groupNames()
	if len(list) != 1 || !list[0].Anchor || d.agency(t).Workspaces.Count != 1 ||
		!slices.Equal(names, []string{d.Anchor.ID}) {
		t.Errorf("%+v, groups %v", list, names)
	}
	d.delete(t, d.Member.ID).Is(t, 404, "WORKSPACE_NOT_IN_AGENCY")
	if due, err := d.Store.Purges(t.Context(), 10); err != nil || !slices.Equal(due, []string{d.Member.ID}) {
		t.Errorf("%v, %v", due, err)
	}
	d.change(t, func(a *workspace.Agency) { a.WorkspaceLimit = 2 }) // the place is free at once
	d.created(t, `{"name":"Another"}`)
}

func TestDeletionsThatAreRefused(t *testing.T) {
	d := newDesk(t)
	_, _, theirs := d.another(t)
	reserved, err := d.Store.ReserveWorkspace(t.Context(), d.Agency.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	unknown := d.delete(t, "org_01K9Q4T1YV6M3R8Z5B7C2D4E6F")
	unknown.Is(t, 404, "WORKSPACE_NOT_IN_AGENCY")
	for _, id := range append(theirs, d.Main.ID, d.Agency.ID, reserved.WorkspaceID, "org_1", "0", strings.ToLower(d.Member.ID),
		d.Member.ID[4:], d.Member.ID+"0", "%2E%2E", "workspaces", strings.Repeat("x", 3000), d.Member.ID+"%00",
		"%20"+d.Member.ID) {
		if answer := d.delete(t, id); answer.Status != 404 || string(answer.Body) != string(unknown.Body) {
			t.Errorf("%s: %d %s", id, answer.Status, answer.Body)
		}
	}
	d.delete(t, d.Anchor.ID).Is(t, 400, "ANCHOR_WORKSPACE")
	if changed := d.rows.changed(t); len(changed) > 0 || len(d.list(t)) != 2 {
		t.Errorf("%v", changed)
	}
	if due, err := d.Store.Purges(t.Context(), 10); err != nil || len(due) > 0 {
		t.Errorf("%v, %v", due, err)
	}
}

// The provider's word changes nothing of it: the workspace is gone, and what is left of it there goes with the purge.
func TestDeleteWithoutTheProvider(t *testing.T) {
	d := newDesk(t)
	if err := d.CreateGroup(t.Context(), d.Member.ID); err != nil {
		t.Fatal(err)
	}
	faulttest.Nth(t, d.ports, 1, fault.Fault{Port: fault.IdentityPort, Fault: fault.Error})
	if done := d.deleted(t, d.Member.ID, "Idempotency-Key", "k"); !done.Success || done.CognitoOrgDeleted {
		t.Errorf("%+v", done)
	}
	if len(d.list(t)) != 1 || len(d.groupNames()) != 1 {
		t.Errorf("%+v, groups %v", d.list(t), d.groupNames())
	}
	d.delete(t, d.Member.ID).Is(t, 404, "WORKSPACE_NOT_IN_AGENCY")
	d.ports.Clear()
	if done := d.deleted(t, d.Member.ID, "Idempotency-Key", "k"); done.CognitoOrgDeleted { // the first answer again
		t.Errorf("%+v", done)
	}
	d.purged(t)
	if len(d.groupNames()) > 0 {
		t.Errorf("groups %v", d.groupNames())
	}
}

func TestDeletesAtOnce(t *testing.T) {
	for range 5 {
		d := newDesk(t)
		answers := make([]worldtest.Answer, 8)
		var group sync.WaitGroup
		for n := range answers {
			group.Go(func() { answers[n] = d.delete(t, d.Member.ID) })
		}
		group.Wait()
		done := 0
		for _, answer := range answers {
			if answer.Status == http.StatusOK {
				done++
			} else {
				answer.Is(t, 404, "WORKSPACE_NOT_IN_AGENCY")
			}
		}
		if done != 1 || d.agency(t).Workspaces.Count != 1 {
			t.Errorf("%d deleted it", done)
		}
	}
}

// A deletion that dies at any step, or meets an error at it, and is sent again is done.
func TestDeletionDies(t *testing.T) {
	everywhere(t, func(t *testing.T, x died) bool {
		d := newDesk(t)
		own := d.Key(t, workspace.Key{Scope: workspace.Admin, Workspace: &d.Member})
		if err := d.CreateGroup(t.Context(), d.Member.ID); err != nil {
			t.Fatal(err)
		}
		d.put(t, x)
		d.delete(t, d.Member.ID, "Idempotency-Key", "k") // whatever it answers
		met := d.met(x)
		d.ports.Clear()
		if done := d.deleted(t, d.Member.ID, "Idempotency-Key", "k"); !done.Success {
			t.Errorf("%+v", done)
		}
		d.delete(t, d.Member.ID, "Idempotency-Key", "other").Is(t, 404, "WORKSPACE_NOT_IN_AGENCY")
		d.as(own).Get(t, "/api/v2/agency").Is(t, 401, "UNAUTHORIZED")
		if len(d.list(t)) != 1 || d.agency(t).Workspaces.Count != 1 {
			t.Errorf("%+v", d.list(t))
		}
		d.purged(t)
		if len(d.groupNames()) > 0 {
			t.Errorf("groups %v", d.groupNames())
		}
		return met
	})
}

// Two agencies of three workspaces each: nothing of one can be reached, counted or guessed from the other.
func TestIsolation(t *testing.T) {
	d := newDesk(t)
	other, master, theirs := d.another(t)
	mine := d.created(t, `{"name":"Third"}`)
	them := d.as(master)
	if found := them.agency(t); found.ID != other.ID || found.Workspaces.Count != 3 || !found.Billing.Configured {
		t.Errorf("%+v", found)
	}
	if found := d.agency(t); found.ID != d.Agency.ID || found.Workspaces.Count != 3 || found.Billing.Configured {
		t.Errorf("%+v", found)
	}
	for _, w := range them.list(t) {
		if !slices.Contains(theirs, w.ID) || w.Anchor != (w.ID == other.AnchorID) {
			t.Errorf("%+v", w)
		}
	}
	for _, w := range d.list(t) {
		if slices.Contains(theirs, w.ID) {
			t.Errorf("%+v", w)
		}
	}
	unused := them.delete(t, "org_01K9Q4T1YV6M3R8Z5B7C2D4E6F")
	for _, id := range []string{mine.ID, d.Member.ID, d.Anchor.ID} {
		answer := them.delete(t, id)
		if answer.Is(t, 404, "WORKSPACE_NOT_IN_AGENCY"); string(answer.Body) != string(unused.Body) {
			t.Errorf("%s", answer.Body)
		}
	}
	if len(d.list(t)) != 3 || len(them.list(t)) != 3 {
		t.Error("one of them is gone")
	}
	// The room, the price and the name of a request are each agency's own.
	d.change(t, func(a *workspace.Agency) { a.WorkspaceLimit = 3 })
	d.create(t, `{"name":"Fourth"}`).Is(t, 400, "AGENCY_WORKSPACE_LIMIT")
	them.created(t, `{"name":"Fourth","flex":{"enabled":true,"capMentions":1,"budgetCents":1}}`)
}
