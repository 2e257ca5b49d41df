// Package identitytest is the suite that every adapter of the port identity passes. It tests what the port's comments
// promise.
//
// Only tests of adapters and decorators import it.
package identitytest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"earshot/shared/port/identity"
)

// A Medium is an adapter, with the access to its directory that the suite needs.
type Medium struct {
	Directory identity.Directory

	// SignUp makes an account with an address in lower case, and returns its id. name may be empty.
	SignUp func(ctx context.Context, email, name string) (id string, err error)

	// Members returns the ids of a group's members, in any order; none for a missing group.
	Members func(ctx context.Context, group string) ([]string, error)

	// Groups returns the names of all groups, in any order, including empty ones.
	Groups func(ctx context.Context) ([]string, error)

	// Pretend makes users who have no account: each function begins a sign-up with the address in another way. Nil if
	// the directory has no such users.
	Pretend map[string]func(ctx context.Context, email string) error
}

// Options list what an adapter, or the server behind it, cannot do.
type Options struct {
	Skip map[string]string // the reason for each skipped test, by its name
}

// Run runs the suite. open makes an empty directory, which the test's cleanup takes away.
func Run(t *testing.T, open func(t *testing.T) Medium, options Options) {
	for _, test := range []struct {
		name string
		run  func(e *env)
	}{
		{"Account", testAccount},
		{"Case", testCase},
		{"Similar", testSimilar},
		{"NoAddress", testNoAddress},
		{"Pretenders", testPretenders},
		{"Join", testJoin},
		{"JoinNobody", testJoinNobody},
		{"JoinAtOnce", testJoinAtOnce},
		{"Leave", testLeave},
		{"CreateGroup", testCreateGroup},
		{"CreateGroupAtOnce", testCreateGroupAtOnce},
		{"DeleteGroup", testDeleteGroup},
		{"DeleteGroupAtOnce", testDeleteGroupAtOnce},
		{"NoName", testNoName},
		{"Canceled", testCanceled},
	} {
		t.Run(test.name, func(t *testing.T) {
			if reason, skip := options.Skip[test.name]; skip {
				t.Skip(reason)
			}
			test.run(&env{t, open(t)})
		})
	}
}

// An env is one test with its medium.
type env struct {
	*testing.T
	Medium
}

func (e *env) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

func (e *env) signUp(email, name string) (id string) {
	e.Helper()
	id, err := e.SignUp(e.Context(), email, name)
	e.must(err)
	if id == "" {
		e.Fatal("an account without an id")
	}
	return id
}

func (e *env) join(group, id string) {
	e.Helper()
	e.must(e.Directory.Join(e.Context(), group, id))
}

func (e *env) leave(group, id string) {
	e.Helper()
	e.must(e.Directory.Leave(e.Context(), group, id))
}

func (e *env) create(group string) {
	e.Helper()
	e.must(e.Directory.CreateGroup(e.Context(), group))
}

func (e *env) delete(group string) {
	e.Helper()
	e.must(e.Directory.DeleteGroup(e.Context(), group))
}

// finds fails the test unless the address has this account.
func (e *env) finds(email string, want identity.Account) {
	e.Helper()
	if got, err := e.Directory.Account(e.Context(), email); err != nil || got != want {
		e.Errorf("%q: %+v, %v; want %+v", email, got, err, want)
	}
}

// findsNobody fails the test if the address has an account.
func (e *env) findsNobody(email string) {
	e.Helper()
	got, err := e.Directory.Account(e.Context(), email)
	if !errors.Is(err, identity.ErrNoAccount) || errors.Is(err, identity.ErrUnavailable) ||
		got != (identity.Account{}) {
		e.Errorf("%.100q: %+v, %v", email, got, err)
	}
}

// members compares the members of a group.
func (e *env) members(group string, want ...string) {
	e.Helper()
	got, err := e.Members(e.Context(), group)
	e.must(err)
	e.same("members of "+group, got, want)
}

// groups compares the groups that there are.
func (e *env) groups(want ...string) {
	e.Helper()
	got, err := e.Groups(e.Context())
	e.must(err)
	e.same("groups", got, want)
}

// same compares names in any order. Each must appear once.
func (e *env) same(what string, got, want []string) {
	e.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		e.Errorf("%s: %q, want %q", what, got, want)
	}
}
