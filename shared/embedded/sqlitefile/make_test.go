package sqlitefile_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/embedded/sqlitefile"
)

// contents are the files of a folder, by their names.
func contents(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, entry := range entries {
		if files[entry.Name()], err = os.ReadFile(filepath.Join(folder, entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// filled makes a file with a table of many pages, and closes it.
func filled(t *testing.T, path string) {
	t.Helper()
	db, err := sqlitefile.OpenLayout(path, 0, first)
	if err != nil {
		t.Fatal(err)
	}
	const many = "INSERT INTO words SELECT hex(randomblob(1000)) FROM words, words a, words b, words c, words d"
	if _, err := db.ExecContext(t.Context(), many); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// A file that was emptied, cut, overwritten or taken away beside its log is refused with what to do, and stays as it
// is.
func TestOpenLayout_Damaged(t *testing.T) {
	write := func(content string) func(path string) error {
		return func(path string) error { return os.WriteFile(path, []byte(content), 0o600) }
	}
	for name, damage := range map[string]func(path string) error{
		"emptied":               func(path string) error { return os.Truncate(path, 0) },
		"cut within its header": func(path string) error { return os.Truncate(path, 50) },
		"cut":                   func(path string) error { return os.Truncate(path, 8192) },
		"cut within a page":     func(path string) error { return os.Truncate(path, 10_000) },
		"text":                  write(strings.Repeat("a text\n", 2000)),
		"short text":            write("x"),
		"zeros":                 write(strings.Repeat("\x00", 4096)),
		"emptied, with its log": func(path string) error {
			return errors.Join(os.WriteFile(path+"-wal", []byte("log"), 0o600), os.Truncate(path, 0))
		},
		"missing, with its log": func(path string) error {
			return errors.Join(os.WriteFile(path+"-wal", []byte("log"), 0o600), os.Remove(path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, "x.db")
			filled(t, path)
			if err := damage(path); err != nil {
				t.Fatal(err)
			}
			before := contents(t, folder)
			_, err := open(t, path, first)
			var damaged *sqlitefile.ErrDamaged
			if !errors.As(err, &damaged) || damaged.Path != path {
				t.Fatalf("OpenLayout = %v, want ErrDamaged", err)
			}
			for _, part := range []string{path, "Nothing was changed", "Put back a copy of the folder " + folder} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q lacks %q", err, part)
				}
			}
			after := contents(t, folder)
			for name, content := range before {
				if !bytes.Equal(after[name], content) {
					t.Errorf("%s was changed", name)
				}
			}
			for name := range after {
				if _, there := before[name]; !there && strings.HasPrefix(name, ".new-") {
					t.Errorf("%s is left", name)
				}
			}
		})
	}
}

// Many meet a missing file at once: it is made once, for nobody else to read, and nothing is left beside it.
func TestMake_AtOnce(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "x.db")
	faulttest.AtOnce(12, func(int) {
		if err := sqlitefile.Make(path, 7); err != nil {
			t.Error(err)
		}
	})
	files := contents(t, folder)
	if len(files) != 1 || len(files["x.db"]) == 0 {
		t.Errorf("%d files, the one of %d bytes", len(files), len(files["x.db"]))
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

// A process that died once the file was in its place, before any table, left a file for the next to go on with; so did
// programs of before, whose files named no application yet.
func TestOpenLayout_MadeOnly(t *testing.T) {
	for name, application := range map[string]uint32{"made": first.Application, "of before": 0} {
		path := filepath.Join(t.TempDir(), "x.db")
		if err := sqlitefile.Make(path, 7); err != nil {
			t.Fatal(err)
		}
		db, err := sqlitefile.Open(path, 0, true, "journal_mode(WAL)")
		if err != nil {
			t.Fatal(err)
		}
		if application == 0 {
			if _, err := db.ExecContext(t.Context(), "PRAGMA application_id = 0"); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := open(t, path, first)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		holds(t, again, "SELECT count(*) FROM words", 2)
	}
}

func TestMake_NoFolder(t *testing.T) {
	if err := sqlitefile.Make(filepath.Join(t.TempDir(), "none", "x.db"), 7); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Make = %v, want ErrNotExist", err)
	}
}
