package workspacestore_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/workspacestore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// What a keyed request costs before its handler: one read, however its workspace is found, and one write.
func TestAdmissionCostsOneReadAndOneWrite(t *testing.T) {
	w := worldtest.NewWorld(t)
	for name, c := range map[string]struct {
		key, org  string
		readUnits float64
	}{
		"a workspace's key":                  {w.Read, "", 1},
		"a master key with its workspace":    {w.Master, w.Member.ID, 2},
		"a key that does not exist":          {workspace.NewToken(worldtest.Now).Reveal(), "", 1},
		"a master key with an unused id":     {w.Master, workspace.NewID(workspace.PrefixWorkspace, worldtest.Now), 2},
		"a master key, another's workspace ": {w.Master, w.Main.ID, 2},
	} {
		ctx, meter := table.WithMeter(t.Context())
		token, _ := workspace.ParseToken(c.key)
		if _, _, err := w.Store.Credentials(ctx, token.KeyID, c.org); err != nil {
			t.Fatal(err)
		}
		if got := meter.Total(); got.Reads != 1 || got.Writes != 0 || got.ReadUnits != c.readUnits {
			t.Errorf("%s: %+v", name, got)
		}
	}
	ctx, meter := table.WithMeter(t.Context())
	if _, _, err := w.Store.Take(ctx, w.Main.ID, worldtest.Now, 500); err != nil {
		t.Fatal(err)
	}
	if got := meter.Total(); got.Reads != 0 || got.Writes != 1 || got.WriteUnits != 1 {
		t.Errorf("counting a request: %+v", got)
	}
}

func TestCredentialsCarryTheirOwner(t *testing.T) {
	w := worldtest.NewWorld(t)
	token, _ := workspace.ParseToken(w.Write)
	key, org, err := w.Store.Credentials(t.Context(), token.KeyID, "")
	if err != nil || org != nil || key == nil {
		t.Fatal(key, org, err)
	}
	if !token.Opens(*key) || key.Master() || key.Scope != workspace.Write || key.Workspace.ID != w.Main.ID ||
		len(key.Workspace.Secret) != 32 {
		t.Errorf("%+v of %+v", key, key.Workspace)
	}
	token, _ = workspace.ParseToken(w.Master)
	key, org, err = w.Store.Credentials(t.Context(), token.KeyID, w.Member.ID)
	if err != nil || org == nil || key == nil {
		t.Fatal(key, org, err)
	}
	if !key.Master() || key.Agency.AnchorID != w.Anchor.ID || org.ID != w.Member.ID || org.AgencyID != w.Agency.ID {
		t.Errorf("%+v of %+v, %+v", key, key.Agency, org)
	}
}

// Keys are made while their workspace changes: in the end each of them carries the workspace as it is.
func TestKeysAndTheirOwnerNeverDiffer(t *testing.T) {
	w := worldtest.NewWorld(t)
	var wait sync.WaitGroup
	var mu sync.Mutex
	var ids []string
	for i := range 6 {
		wait.Go(func() {
			token := workspace.NewToken(worldtest.Now)
			key := workspace.Key{ID: token.KeyID, Digest: token.Digest(), Scope: workspace.Read, Workspace: &w.Main}
			for {
				err := w.Store.CreateKey(t.Context(), key)
				if err == nil {
					break
				}
				if !errors.Is(err, store.ErrConflict) {
					t.Error(err)
					return
				}
			}
			mu.Lock()
			defer mu.Unlock()
			ids = append(ids, token.KeyID)
		})
		wait.Go(func() {
			for {
				err := w.Store.ChangeWorkspace(t.Context(), w.Main.ID, func(org *workspace.Workspace) error {
					org.Flags = append(org.Flags, fmt.Sprint("flag", i))
					return nil
				})
				if err == nil {
					return
				}
				if !errors.Is(err, store.ErrConflict) {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	org, err := w.Store.Workspace(t.Context(), w.Main.ID)
	if err != nil || len(org.Flags) != 6 {
		t.Fatalf("flags %v, %v: an update was lost", org.Flags, err)
	}
	for _, id := range ids {
		key, _, err := w.Store.Credentials(t.Context(), id, "")
		if err != nil || key == nil {
			t.Fatal(key, err)
		}
		if fmt.Sprint(key.Workspace.Flags) != fmt.Sprint(org.Flags) {
			t.Errorf("a key has %v, its workspace %v", key.Workspace.Flags, org.Flags)
		}
	}
}

func TestKeysHaveABound(t *testing.T) {
	w := worldtest.NewWorld(t)
	for i := 0; ; i++ {
		token := workspace.NewToken(worldtest.Now)
		err := w.Store.CreateKey(t.Context(),
			workspace.Key{ID: token.KeyID, Digest: token.Digest(), Scope: workspace.Read, Workspace: &w.Other})
		if err == nil {
			continue
		}
		if !errors.Is(err, workspacestore.ErrTooManyKeys) || i != workspacestore.MaxKeys-1 { // one was there
			t.Errorf("key %d: %v", i, err)
		}
		break
	}
	// As many as there can be still change, and end, together.
	if err := w.Store.ChangeWorkspace(t.Context(), w.Other.ID,
		func(org *workspace.Workspace) error { org.Name = "x"; return nil }); err != nil {
		t.Error(err)
	}
	if err := w.Store.DeleteWorkspace(t.Context(), w.Other.ID); err != nil {
		t.Error(err)
	}
	token, _ := workspace.ParseToken(w.OtherKey)
	if key, _, err := w.Store.Credentials(t.Context(), token.KeyID, ""); err != nil || key != nil {
		t.Errorf("a key outlives its workspace: %v, %v", key, err)
	}
}

func TestWorkspacesOfAnAgency(t *testing.T) {
	w := worldtest.NewWorld(t)
	ids, err := w.Store.AgencyWorkspaces(t.Context(), w.Agency.ID)
	if err != nil || len(ids) != 2 {
		t.Fatal(ids, err)
	}
	for range 2 { // a second delete does nothing
		if err := w.Store.DeleteWorkspace(t.Context(), w.Member.ID); err != nil {
			t.Fatal(err)
		}
	}
	if ids, _ = w.Store.AgencyWorkspaces(t.Context(), w.Agency.ID); len(ids) != 1 || ids[0] != w.Anchor.ID {
		t.Error(ids)
	}
	stray := workspace.Workspace{
		ID:       workspace.NewID(workspace.PrefixWorkspace, worldtest.Now),
		AgencyID: workspace.NewID(workspace.PrefixAgency, worldtest.Now),
	}
	if err := w.Store.CreateWorkspace(t.Context(), stray); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a workspace of no agency: %v", err)
	}
	if err := w.Store.CreateWorkspace(t.Context(), w.Main); !errors.Is(err, store.ErrConflict) {
		t.Errorf("a workspace twice: %v", err)
	}
	if _, err := w.Store.Workspace(t.Context(), w.Member.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a deleted workspace: %v", err)
	}
}

func TestOwnersThatAreNotThere(t *testing.T) {
	w := worldtest.NewWorld(t)
	none := workspace.Workspace{ID: workspace.NewID(workspace.PrefixWorkspace, worldtest.Now)}
	token := workspace.NewToken(worldtest.Now)
	for name, err := range map[string]error{
		"key":       w.Store.CreateKey(t.Context(), workspace.Key{ID: token.KeyID, Workspace: &none}),
		"revoked":   w.Store.RevokeKey(t.Context(), w.Main.ID, token.KeyID),
		"workspace": w.Store.ChangeWorkspace(t.Context(), none.ID, func(*workspace.Workspace) error { return nil }),
		"agency":    w.Store.ChangeAgency(t.Context(), "agc_", func(*workspace.Agency) error { return nil }),
	} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
