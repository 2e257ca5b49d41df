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

func TestKeysOfAnOwner(t *testing.T) {
	w := worldtest.NewWorld(t)
	for i := range 3 {
		w.Clock.Freeze(worldtest.Now.Add(time.Duration(i+1) * time.Minute))
		if err := w.Store.CreateKey(t.Context(), worldtest.NewKey(w, &w.Member)); err != nil {
			t.Fatal(err)
		}
	}
	keys, err := w.Store.Keys(t.Context(), w.Member.ID)
	if err != nil || len(keys) != 3 || !keys[0].CreatedAt.After(keys[1].CreatedAt) ||
		!keys[1].CreatedAt.After(keys[2].CreatedAt) {
		t.Errorf("%+v, %v", keys, err)
	}
	for _, key := range keys {
		if key.Master() || key.Workspace.Name != "Harbour client" || key.Scope != workspace.Read {
			t.Errorf("%+v", key)
		}
	}
	masters, err := w.Store.Keys(t.Context(), w.Agency.ID)
	if err != nil || len(masters) != 1 || !masters[0].Master() {
		t.Errorf("%+v, %v", masters, err)
	}
	if none, err := w.Store.Keys(t.Context(), w.Anchor.ID); err != nil || none == nil || len(none) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
	for _, id := range []string{"org_none", "agc_none"} {
		if _, err := w.Store.Keys(t.Context(), id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
	// Only the owner's own keys can be ended by it, each once.
	for owner, id := range map[string]string{w.Main.ID: keys[0].ID, w.Anchor.ID: keys[0].ID, w.Agency.ID: keys[0].ID,
		w.Member.ID: masters[0].ID, "org_none": keys[0].ID} {
		if err := w.Store.RevokeKey(t.Context(), owner, id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s ends %s: %v", owner, id, err)
		}
	}
	for owner, id := range map[string]string{w.Member.ID: keys[1].ID, w.Agency.ID: masters[0].ID} {
		if err := w.Store.RevokeKey(t.Context(), owner, id); err != nil {
			t.Error(err)
		}
		if key, _, err := w.Store.Credentials(t.Context(), id, ""); err != nil || key != nil {
			t.Errorf("%+v, %v", key, err)
		}
		if err := w.Store.RevokeKey(t.Context(), owner, id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s again: %v", id, err)
		}
	}
	left, err := w.Store.Keys(t.Context(), w.Member.ID)
	if err != nil || len(left) != 2 || left[0].ID != keys[0].ID || left[1].ID != keys[2].ID {
		t.Errorf("%+v, %v", left, err)
	}
	if masters, err = w.Store.Keys(t.Context(), w.Agency.ID); err != nil || len(masters) != 0 {
		t.Errorf("%+v, %v", masters, err)
	}
}

// A revoked key does not come back with a change of its owner.
func TestChangesLeaveRevokedKeysAlone(t *testing.T) {
	w := worldtest.NewWorld(t)
	token, _ := workspace.ParseToken(w.Read)
	if err := w.Store.RevokeKey(t.Context(), w.Main.ID, token.KeyID); err != nil {
		t.Fatal(err)
	}
	if err := w.Store.ChangeWorkspace(t.Context(), w.Main.ID,
		func(org *workspace.Workspace) error { org.Name = "x"; return nil }); err != nil {
		t.Fatal(err)
	}
	if key, _, err := w.Store.Credentials(t.Context(), token.KeyID, ""); err != nil || key != nil {
		t.Errorf("%+v, %v", key, err)
	}
}

// Nor with one that had read its owner before it was revoked.
func TestKeysRevokedWhileTheirOwnerChanges(t *testing.T) {
	w := worldtest.NewWorld(t)
	token, _ := workspace.ParseToken(w.Read)
	master, _ := workspace.ParseToken(w.Master)
	calls := 0
	revoke := func(owner, id string) {
		if calls++; calls%2 == 1 {
			if err := w.Store.RevokeKey(t.Context(), owner, id); err != nil {
				t.Error(err)
			}
		}
	}
	for id, err := range map[string]error{
		token.KeyID: w.Store.ChangeWorkspace(t.Context(), w.Main.ID,
			func(*workspace.Workspace) error { revoke(w.Main.ID, token.KeyID); return nil }),
		master.KeyID: w.Store.ChangeAgency(t.Context(), w.Agency.ID,
			func(*workspace.Agency) error { revoke(w.Agency.ID, master.KeyID); return nil }),
	} {
		if key, _, failure := w.Store.Credentials(t.Context(), id, ""); err != nil || failure != nil || key != nil {
			t.Errorf("%+v, %v, %v", key, err, failure)
		}
	}
	if calls != 4 {
		t.Errorf("the changes were called %d times", calls)
	}
}

// An agency's workspace with as many keys as can be, and a wish, changes its plan and ends in one transaction.
func TestTheLargestOwner(t *testing.T) {
	w := worldtest.NewWorld(t)
	for range workspacestore.MaxKeys {
		if err := w.Store.CreateKey(t.Context(), worldtest.NewKey(w, &w.Member)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Store.CreateKey(t.Context(), worldtest.NewKey(w, &w.Member)); !errors.Is(err, workspacestore.ErrTooManyKeys) {
		t.Errorf("one more: %v", err)
	}
	wish(t, w, w.Member.ID, workspace.Scale)
	if err := w.Store.ChangeWorkspace(t.Context(), w.Member.ID,
		func(org *workspace.Workspace) error { org.Plan = workspace.Scale; return nil }); err != nil {
		t.Error(err)
	}
	wish(t, w, w.Member.ID, workspace.Enterprise)
	if err := w.Store.DeleteWorkspace(t.Context(), w.Member.ID); err != nil {
		t.Error(err)
	}
	if wishes, err := w.Store.UpgradeWishes(t.Context()); err != nil || len(wishes) != 0 {
		t.Errorf("a wish outlives its workspace: %+v, %v", wishes, err)
	}
}

// A request that is repeated makes one key, and ends one.
func TestKeysOfARepeatedRequest(t *testing.T) {
	w := worldtest.NewWorld(t)
	first, err := w.Store.CreateKeyOnce(t.Context(), worldtest.NewKey(w, &w.Main), "a")
	if err != nil {
		t.Fatal(err)
	}
	again, err := w.Store.CreateKeyOnce(t.Context(), worldtest.NewKey(w, &w.Main), "a")
	if err != nil || again.ID != first.ID || again.Digest != first.Digest {
		t.Errorf("%+v, %v", again, err)
	}
	other, err := w.Store.CreateKeyOnce(t.Context(), worldtest.NewKey(w, &w.Main), "b")
	if err != nil || other.ID == first.ID {
		t.Errorf("%+v, %v", other, err)
	}
	for range 2 {
		if err := w.Store.RevokeKeyOnce(t.Context(), w.Main.ID, first.ID, "c"); err != nil {
			t.Error(err)
		}
	}
	if err := w.Store.RevokeKeyOnce(t.Context(), w.Main.ID, other.ID+"x", "c"); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	if _, err := w.Store.CreateKeyOnce(t.Context(), worldtest.NewKey(w, &w.Main), "a"); !errors.Is(err,
		workspacestore.ErrKeyRevoked) {
		t.Error(err)
	}
	if keys, err := w.Store.Keys(t.Context(), w.Main.ID); err != nil || len(keys) != 3+1 {
		t.Errorf("%d, %v", len(keys), err)
	}
}
