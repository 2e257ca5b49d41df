package sqliteidentity_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

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
		directory := open(t, filepath.Join(t.TempDir(), "identity.db"), clock.System{})
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
		}
	}, identitytest.Options{})
}

// Who signs up again has the account of before, as it was.
func TestSignUpAgain(t *testing.T) {
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
		if account, created, err := directory.SignUp(t.Context(), email, ""); !errors.Is(err, sqliteidentity.ErrInvalid) || created || account.ID != "" {
			t.Errorf("%q: %+v, %v, %v", email, account, created, err)
		}
	}
}

// Many sign up with one address, through several handles on the file: one account.
func TestSignUpAtOnce(t *testing.T) {
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
		{Account: accounts[3]}, {Account: accounts[2], Groups: []string{"org_a", "org_b"}}, {Account: accounts[1], Groups: []string{"org_b"}},
	}
	if err != nil || fmt.Sprint(people) != fmt.Sprint(want) {
		t.Fatalf("%v, %v\nwant %v", people, err, want)
	}
}
