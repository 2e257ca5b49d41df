package sqlitefile_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"earshot/shared/embedded/sqlitefile"
)

func TestFull(t *testing.T) {
	db, err := sqlitefile.Open(filepath.Join(t.TempDir(), "small.db"), time.Second, true, "max_page_count(4)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Exec("CREATE TABLE texts (text BLOB)"); err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("INSERT INTO texts VALUES (zeroblob(1000000))")
	if !sqlitefile.Full(fmt.Errorf("store: %w", err)) {
		t.Errorf("Full(%v) = false, want true", err)
	}
	if _, err := db.Exec("INSERT INTO nothing VALUES (1)"); sqlitefile.Full(err) || sqlitefile.Busy(err) {
		t.Errorf("Full(%v) = true, want false", err)
	}
	for _, other := range []error{nil, errors.New("full")} {
		if sqlitefile.Full(other) {
			t.Errorf("Full(%v) = true, want false", other)
		}
	}
}
