package workspacestore_test

import (
	"errors"
	"fmt"
	"testing"

	"earshot/shared/store"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// The directory lists every workspace and agency as it is, through all of its life.
func TestDirectory(t *testing.T) {
	w := worldtest.NewWorld(t)
	listed := func(limit int) (all []workspace.Workspace) {
		t.Helper()
		for after := ""; ; after = all[len(all)-1].ID {
			page, err := w.Store.Workspaces(t.Context(), after, limit)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, page...)
			if len(page) < limit {
				return all
			}
		}
	}
	check := func(want ...workspace.Workspace) {
		t.Helper()
		byID := map[string]workspace.Workspace{}
		for _, org := range want {
			stored, err := w.Store.Workspace(t.Context(), org.ID)
			if err != nil {
				t.Fatal(err)
			}
			stored.Secret = nil
			byID[org.ID] = stored
		}
		for _, limit := range []int{1, 2, len(want), 100} {
			all := listed(limit)
			if len(all) != len(want) {
				t.Errorf("limit %d: %d listed, want %d", limit, len(all), len(want))
			}
			for i, org := range all {
				if i > 0 && all[i-1].ID >= org.ID {
					t.Errorf("limit %d: %s after %s", limit, org.ID, all[i-1].ID)
				}
				if fmt.Sprintf("%+v", org) != fmt.Sprintf("%+v", byID[org.ID]) {
					t.Errorf("limit %d: %+v, want %+v", limit, org, byID[org.ID])
				}
			}
		}
	}
	check(w.Main, w.Other, w.Agents, w.Anchor, w.Member)
	if err := w.Store.ChangeWorkspace(t.Context(), w.Member.ID, func(org *workspace.Workspace) error {
		org.Name, org.Plan, org.Flags = "Renamed", workspace.Scale, []string{"x"}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	check(w.Main, w.Other, w.Agents, w.Anchor, w.Member)
	if err := w.Store.DeleteWorkspace(t.Context(), w.Other.ID); err != nil {
		t.Fatal(err)
	}
	check(w.Main, w.Agents, w.Anchor, w.Member)
	if err := w.Store.CreateWorkspace(t.Context(), w.Main); !errors.Is(err, store.ErrConflict) {
		t.Error(err)
	}
	check(w.Main, w.Agents, w.Anchor, w.Member)
	if none, err := w.Store.Workspaces(t.Context(), "org_8", 10); err != nil || len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}

	if err := w.Store.ChangeAgency(t.Context(), w.Agency.ID,
		func(a *workspace.Agency) error { a.Active, a.WorkspaceLimit = false, 3; return nil }); err != nil {
		t.Fatal(err)
	}
	stored, err := w.Store.Agency(t.Context(), w.Agency.ID)
	if err != nil || stored.Active {
		t.Fatal(stored, err)
	}
	if agencies, err := w.Store.Agencies(t.Context()); err != nil || len(agencies) != 1 || agencies[0] != stored {
		t.Errorf("%+v, %v", agencies, err)
	}
}
