// Package sqlitefile makes and opens the SQLite files of the embedded adapters, and sets how the driver waits when a
// file is busy.
//
// Only embedded adapters and the local tables import it.
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
)

// Open opens the file. patience is how long a statement waits for another process. Pragmas are as SQLite has them, "query_only(1)";
// synchronous is NORMAL: a power cut may lose the last writes, a killed process loses none. Transactions that begin as writers
// (immediate) do not turn into ones halfway, where they could not wait for another.
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
	// The path is escaped: it may hold what has a meaning in a URL.
	return sql.Open("sqlite", (&url.URL{Scheme: "file", Path: absolute, RawQuery: query.Encode()}).String())
}

// Busy says whether an error is that others were at the file.
func Busy(err error) bool {
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
		return false
	}
	code := failure.Code() & 0xff // without the extension that says why
	return code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED
}
