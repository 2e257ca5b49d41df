package workspacestore_test

import (
	"errors"
	"testing"
	"time"

	"earshot/shared/store"
	"earshot/shared/store/workspacestore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// wish has a workspace wish for a plan.
func wish(t *testing.T, w *worldtest.World, orgID string, plan workspace.Plan) {
	t.Helper()
	secret := workspace.NewLinkSecret()
	link := workspacestore.UpgradeLink{WorkspaceID: orgID, KeyID: "key_1", ExpiresAt: w.Clock.Now().Add(time.Minute)}
	if err := w.Store.CreateUpgradeLink(t.Context(), secret.Digest(), link); err != nil {
		t.Fatal(err)
	}
	if found, err := w.Store.UpgradeLink(t.Context(), secret.Digest()); err != nil || found != link {
		t.Fatalf("%+v, %v", found, err)
	}
	if err := w.Store.SpendUpgradeLink(t.Context(), secret.Digest(), link, plan); err != nil {
		t.Fatal(err)
	}
	want := link
	want.Wished = plan
	if found, err := w.Store.UpgradeLink(t.Context(), secret.Digest()); err != nil || found != want {
		t.Errorf("UpgradeLink of a spent link = %+v, %v, want %+v", found, err, want)
	}
	if err := w.Store.SpendUpgradeLink(t.Context(), secret.Digest(), link, plan); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a link is spent twice: %v", err)
	}
}

func TestUpgradeWishes(t *testing.T) {
	w := worldtest.NewWorld(t)
	wish(t, w, w.Main.ID, workspace.Scale)
	wish(t, w, w.Member.ID, workspace.Enterprise)
	w.Clock.Freeze(worldtest.Now.Add(time.Minute))
	wish(t, w, w.Main.ID, workspace.Enterprise)
	wishes, err := w.Store.UpgradeWishes(t.Context())
	if err != nil || len(wishes) != 2 {
		t.Fatal(wishes, err)
	}
	for _, found := range wishes {
		want := workspacestore.UpgradeWish{
			WorkspaceID: w.Main.ID,
			KeyID:       "key_1",
			Plan:        workspace.Enterprise,
			WishedAt:    worldtest.Now.Add(time.Minute),
		}
		if found.WorkspaceID == w.Member.ID {
			want.WorkspaceID, want.WishedAt = w.Member.ID, worldtest.Now
		}
		if found != want {
			t.Errorf("%+v, want %+v", found, want)
		}
	}
	// A wish ends with another plan, and with no other change.
	change := func(change func(*workspace.Workspace)) int {
		t.Helper()
		if err := w.Store.ChangeWorkspace(t.Context(), w.Main.ID,
			func(org *workspace.Workspace) error { change(org); return nil }); err != nil {
			t.Fatal(err)
		}
		wishes, err := w.Store.UpgradeWishes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(wishes)
	}
	if n := change(func(org *workspace.Workspace) { org.Name = "x" }); n != 2 {
		t.Errorf("%d wishes after a new name", n)
	}
	if n := change(func(org *workspace.Workspace) { org.Plan = workspace.Enterprise }); n != 1 {
		t.Errorf("%d wishes after a new plan", n)
	}
}

func TestLinksThatAreNotSpent(t *testing.T) {
	w := worldtest.NewWorld(t)
	for name, link := range map[string]workspacestore.UpgradeLink{
		"expired":      {WorkspaceID: w.Main.ID, ExpiresAt: worldtest.Now},
		"no workspace": {WorkspaceID: "org_none", ExpiresAt: worldtest.Now.Add(time.Hour)},
	} {
		digest := workspace.NewLinkSecret().Digest()
		if err := w.Store.CreateUpgradeLink(t.Context(), digest, link); err != nil {
			t.Fatal(err)
		}
		if err := w.Store.SpendUpgradeLink(t.Context(), digest, link, workspace.Scale); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.Store.SpendUpgradeLink(t.Context(), workspace.NewLinkSecret().Digest(),
		workspacestore.UpgradeLink{WorkspaceID: w.Main.ID}, workspace.Scale); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("unknown: %v", err)
	}
	if wishes, err := w.Store.UpgradeWishes(t.Context()); err != nil || len(wishes) != 0 {
		t.Errorf("%+v, %v", wishes, err)
	}
}
