package sqlitefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	sqlite3 "modernc.org/sqlite/lib"
)

// ErrDamaged is the error of a file that exists, or existed, and is not a complete database. The file is untouched.
type ErrDamaged struct {
	Path  string
	What  string // is wrong, as the end of a sentence about the file
	cause error
}

func (e *ErrDamaged) Error() string {
	return fmt.Sprintf("the database file %s %s. Nothing was changed. Put back a copy of the folder %s, "+
		"or move the folder away to begin anew", e.Path, e.What, filepath.Dir(e.Path))
}

func (e *ErrDamaged) Unwrap() error { return e.cause }

// Explain returns *ErrDamaged for SQLite's errors about an incomplete database, and any other error unchanged.
func Explain(path string, err error) error {
	switch codeOf(err) {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return &ErrDamaged{Path: path, What: "is damaged or not a database", cause: err}
	}
	return err
}

// smallest is how many bytes the shortest database has: a page of the least size. SQLite takes files of 0 and 1 bytes
// for new ones.
const smallest = 512

// Make makes the file of an application if it is missing. Nobody else may read the file, because it holds people's
// data. Its folder must exist. The file appears with its first page or not at all, whenever the process dies and
// however many make it at once. An empty file was therefore never made here and is *ErrDamaged, as is a missing file
// whose log exists. SQLite would take both for new ones, and delete the log of the first.
func Make(path string, application uint32) error {
	if there, err := look(path); there || err != nil {
		return err
	}
	made, err := firstPage(filepath.Dir(path), application)
	if made != "" {
		defer os.Remove(made)
	}
	if err != nil {
		return fmt.Errorf("make a database file: %w", err)
	}
	if err := os.Link(made, path); errors.Is(err, fs.ErrExist) {
		_, err = look(path) // another process was faster
		return err
	} else if err != nil {
		return fmt.Errorf("make a database file: %w", err)
	}
	return nil
}

// look reports whether a file exists. Returns *ErrDamaged for a file that SQLite would wrongly take for new.
func look(path string) (there bool, err error) {
	found, err := os.Stat(path)
	if err == nil {
		if found.Size() < smallest {
			what := fmt.Sprintf("has %d bytes, and none that was made here is as short", found.Size())
			return false, &ErrDamaged{Path: path, What: what}
		}
		return true, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if log, err := os.Stat(path + "-wal"); err != nil || log.Size() == 0 {
		return false, nil
	}
	if _, err := os.Stat(path); err == nil {
		return true, nil // another process has made both since
	}
	return false, &ErrDamaged{Path: path, What: "is missing, and its log " + filepath.Base(path) + "-wal is there"}
}

// firstPage makes a database without tables in a temporary file of a folder. The caller removes the file, even after an
// error.
func firstPage(folder string, application uint32) (made string, err error) {
	file, err := os.CreateTemp(folder, ".new-*.db")
	if err != nil {
		return "", err
	}
	made = file.Name()
	if err := file.Close(); err != nil {
		return made, err
	}
	db, err := Open(made, 0, false, "journal_mode(MEMORY)")
	if err != nil {
		return made, err
	}
	_, err = db.Exec(fmt.Sprintf("PRAGMA application_id = %d", application))
	return made, errors.Join(err, db.Close())
}
