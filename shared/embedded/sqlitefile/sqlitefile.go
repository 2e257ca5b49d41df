// Package sqlitefile makes and opens the SQLite files of the embedded adapters, and sets how the driver waits when a
// file is busy.
//
// Only embedded adapters and the workbench import it.
package sqlitefile

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
	direct "zombiezen.com/go/sqlite"
)

// Open opens the file. patience is how long a statement waits for another process. Pragmas are written as in SQLite:
// "query_only(1)". synchronous is NORMAL: a power cut may lose the last writes, and a killed process loses none. With
// immediate, transactions begin as writers. They never become writers halfway, where they could not wait for another
// writer.
func Open(path string, patience time.Duration, immediate bool, pragmas ...string) (*sql.DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	query := url.Values{"_pragma": append([]string{
		fmt.Sprintf("busy_timeout(%d)", patience.Milliseconds()),
		"synchronous(NORMAL)",
	}, pragmas...)}
	if immediate {
		query.Set("_txlock", "immediate")
	}
	// The path is escaped, because its characters may have a meaning in a URL.
	return sql.Open("sqlite", (&url.URL{Scheme: "file", Path: absolute, RawQuery: query.Encode()}).String())
}

// Busy reports whether an error means that other connections use the file.
func Busy(err error) bool {
	code := codeOf(err)
	return code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED
}

// Full reports whether an error means that the disk has no room.
func Full(err error) bool { return codeOf(err) == sqlite3.SQLITE_FULL }

// codeOf returns SQLite's code of an error of either package that calls it, without the extended code, and SQLITE_ERROR
// for any other error.
func codeOf(err error) int {
	if failure := (*sqlite.Error)(nil); errors.As(err, &failure) {
		return failure.Code() & 0xff
	}
	return int(direct.ErrCode(err).ToPrimary())
}
