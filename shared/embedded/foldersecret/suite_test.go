package foldersecret_test

import (
	"os"
	"path/filepath"
	"testing"

	"earshot/shared/embedded/foldersecret"
	"earshot/shared/port/secret"
	"earshot/shared/port/secret/secrettest"
)

func TestSuite(t *testing.T) {
	secrettest.Run(t, func(t *testing.T, secrets map[string]string) secret.Store {
		store := foldersecret.New(filepath.Join(t.TempDir(), "secrets"))
		for name, value := range secrets {
			if err := store.Put(t.Context(), name, value); err != nil {
				t.Fatal(err)
			}
		}
		return store
	})
	secrettest.RunWriter(t, func(t *testing.T) secrettest.Keeper {
		return foldersecret.New(filepath.Join(t.TempDir(), "secrets"))
	})
}

func TestPut_OwnerOnly(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "secrets")
	if err := foldersecret.New(folder).Put(t.Context(), "slack/x", "a token"); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{folder: 0o700, filepath.Join(folder, "slack.x"): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode().Perm(), err, want)
		}
	}
}
