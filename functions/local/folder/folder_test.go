package folder_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"earshot/functions/local/folder"
)

func TestMake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b")
	for range 2 {
		if err := folder.Make(path); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(path); err != nil || len(left) != 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}

func TestMakeWhereNothingCanBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(file, "below")} {
		err := folder.Make(path)
		if err == nil || !strings.Contains(err.Error(), "cannot be written") || !strings.Contains(err.Error(), "DATA=") {
			t.Errorf("%v", err)
		}
	}
}

func TestLock(t *testing.T) {
	path := t.TempDir()
	release, err := folder.Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := folder.Lock(path); err == nil ||
		!strings.Contains(err.Error(), "process "+strconv.Itoa(os.Getpid())+")") {
		t.Errorf("a second lock: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	again, err := folder.Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again(); err != nil {
		t.Fatal(err)
	}
}
