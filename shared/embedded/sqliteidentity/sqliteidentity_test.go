package sqliteidentity_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/sqlitefile"
	"earshot/shared/embedded/sqliteidentity"
	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
	"earshot/shared/port/identity/identitytest"
)

func open(t *testing.T, path string, now clock.Clock) *sqliteidentity.Directory {
	t.Helper()
	directory, err := sqliteidentity.Open(path, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := directory.Close(); err != nil {
			t.Error(err)
		}
	})
	return directory
}

func TestSuite(t *testing.T) {
	identitytest.Run(t, func(t *testing.T) identitytest.Medium {
		path := filepath.Join(t.TempDir(), "identity.db")
		directory := open(t, path, clock.System{})
		return identitytest.Medium{
			Directory: directory,
			SignUp: func(ctx context.Context, email, name string) (string, error) {
				account, created, err := directory.SignUp(ctx, email, name)
				if err == nil && !created {
					err = errors.New("there already")
				}
				return account.ID, err
			},
			Members: func(ctx context.Context, group string) (ids []string, err error) {
				people, err := directory.List(ctx, 1000)
				for _, person := range people {
					if slices.Contains(person.Groups, group) {
						ids = append(ids, person.ID)
					}
				}
				return ids, err
			},
			Groups: func(context.Context) ([]string, error) { return groups(t, path), nil },
		}
	}, identitytest.Options{})
}

// groups are those that the file has.
func groups(t *testing.T, path string) (names []string) {
	t.Helper()
	db := opened(t, path)
	rows, err := db.QueryContext(t.Context(), "SELECT name FROM groups ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return names
}

// opened is the file as another program has it.
func opened(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sqlitefile.Open(path, 5*time.Second, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// before is the file of a program that knew groups by their members only, with two people, of whom one is a member.
const before = `
PRAGMA application_id = 1161908809; PRAGMA user_version = 1; -- "EARI"
CREATE TABLE accounts (
	number INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of signing up
	id TEXT NOT NULL UNIQUE,
	folded TEXT NOT NULL UNIQUE, -- identity.Fold of the address
	email TEXT NOT NULL,
	name TEXT NOT NULL
);
CREATE TABLE members (
	member_group TEXT NOT NULL,
	account TEXT NOT NULL REFERENCES accounts (id),
	PRIMARY KEY (member_group, account)
) WITHOUT ROWID;
CREATE INDEX memberships ON members (account);
INSERT INTO accounts VALUES (1, 'first', 'first@northwind.example', 'First@northwind.example', 'The first');
INSERT INTO accounts VALUES (2, 'quiet', 'quietharbor@northwind.example', 'quietharbor@northwind.example', '');
INSERT INTO members VALUES ('org_a', 'first'), ('org_b', 'first');`

// joins is what such a program does when an account joins a group.
const joins = "INSERT INTO members SELECT ?, id FROM accounts WHERE id = ? ON CONFLICT DO UPDATE SET account = excluded.account"

// A file that was made before there was a table of groups goes on as it was, and the groups in it are known; also those that the
// program of then makes while it is open, or later.
func TestOpen_FileWithoutGroups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "identity.db")
	old := opened(t, path)
	if _, err := old.ExecContext(t.Context(), before); err != nil {
		t.Fatal(err)
	}
	directory := open(t, path, clock.System{})
	if got, err := directory.Account(t.Context(), "first@northwind.example"); err != nil || got.ID != "first" ||
		got.Name != "The first" {
		t.Fatalf("%+v, %v", got, err)
	}
	if got := groups(t, path); !slices.Equal(got, []string{"org_a", "org_b"}) {
		t.Fatalf("groups: %q", got)
	}
	for range 2 {
		if _, err := old.ExecContext(t.Context(), joins, "org_c", "quiet"); err != nil {
			t.Fatal(err)
		}
	}
	if err := directory.DeleteGroup(t.Context(), "org_a"); err != nil {
		t.Fatal(err)
	}
	again := open(t, path, clock.System{}) // and nothing comes back
	if got := groups(t, path); !slices.Equal(got, []string{"org_b", "org_c"}) {
		t.Fatalf("groups: %q", got)
	}
	people, err := again.List(t.Context(), 3)
	if want := "[{{quiet quietharbor@northwind.example } [org_c]} {{first First@northwind.example The first} [org_b]}]"; err != nil || fmt.Sprint(people) != want {
		t.Fatalf("%v, %v\nwant %v", people, err, want)
	}
}

// Who signs up again has the account of before, as it was.
func TestSignUp_Again(t *testing.T) {
	directory := open(t, filepath.Join(t.TempDir(), "identity.db"), clock.System{})
	first, created, err := directory.SignUp(t.Context(), "First@Northwind.example", "The first")
	if err != nil || !created || first.Email != "First@Northwind.example" || first.Name != "The first" {
		t.Fatalf("%+v, %v, %v", first, created, err)
	}
	again, created, err := directory.SignUp(t.Context(), "fIRST@northwind.EXAMPLE", "Somebody")
	if err != nil || created || again != first {
		t.Fatalf("%+v, %v, %v", again, created, err)
	}
	for _, email := range []string{"", "first", "first@x\n"} {
		if account, created, err := directory.SignUp(t.Context(), email, ""); !errors.Is(err, sqliteidentity.ErrInvalid) ||
			created || account.ID != "" {
			t.Errorf("%q: %+v, %v, %v", email, account, created, err)
		}
	}
}

// Many sign up with one address, through several handles on the file: one account.
func TestSignUp_AtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "identity.db")
	var group sync.WaitGroup
	var mu sync.Mutex
	ids, made := map[string]bool{}, 0
	for i := range 4 {
		directory := open(t, path, clock.System{})
		for range 3 {
			group.Go(func() {
				account, created, err := directory.SignUp(t.Context(), "first@northwind.example", fmt.Sprint(i))
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				ids[account.ID] = true
				if created {
					made++
				}
			})
		}
	}
	group.Wait()
	if len(ids) != 1 || made != 1 {
		t.Fatalf("%d ids, made %d times", len(ids), made)
	}
}

// Who signed up last is first, even where the clock was turned back.
func TestList(t *testing.T) {
	now := &clock.Adjustable{}
	now.Freeze(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	directory := open(t, filepath.Join(t.TempDir(), "identity.db"), now)
	var accounts []identity.Account
	for i := range 4 {
		now.Freeze(now.Now().Add(-time.Hour))
		account, _, err := directory.SignUp(t.Context(), fmt.Sprintf("%d@northwind.example", i), "")
		if err != nil {
			t.Fatal(err)
		}
		accounts = append(accounts, account)
		for _, group := range []string{"org_b", "org_a"}[:i%3] {
			if err := directory.Join(t.Context(), group, account.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	people, err := directory.List(t.Context(), 3)
	want := []sqliteidentity.Person{
		{Account: accounts[3]}, {Account: accounts[2], Groups: []string{"org_a", "org_b"}},
		{Account: accounts[1], Groups: []string{"org_b"}},
	}
	if err != nil || fmt.Sprint(people) != fmt.Sprint(want) {
		t.Fatalf("%v, %v\nwant %v", people, err, want)
	}
}
