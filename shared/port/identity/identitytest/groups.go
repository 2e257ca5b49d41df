package identitytest

import (
	"errors"
	"sync"

	"earshot/shared/port/identity"
)

// Groups of the tests are named as workspaces are.
const (
	northwind = "org_01JD4N5P6Q7R8S9TAVBWCXDYEZ"
	harbour   = "org_01JD4N5P6Q7R8S9TAVBWCXDYF0"
)

func testJoin(e *env) {
	first, quiet := e.signUp("first@northwind.example", ""), e.signUp("quietharbor@northwind.example", "")
	e.members(northwind)
	e.join(northwind, first)
	e.members(northwind, first)
	e.join(northwind, first) // a member already
	e.join(northwind, quiet)
	e.join(harbour, quiet)
	e.members(northwind, first, quiet)
	e.members(harbour, quiet)
}

// testJoinNobody: only an account can join, by its id.
func testJoinNobody(e *env) {
	id := e.signUp("first@northwind.example", "The first")
	e.join(harbour, id)
	for _, nobody := range []string{"", "nobody", id + "x", id[:len(id)-1], northwind} {
		for _, group := range []string{northwind, harbour} {
			if err := e.Directory.Join(e.Context(), group, nobody); !errors.Is(err, identity.ErrNoAccount) ||
				errors.Is(err, identity.ErrUnavailable) {
				e.Errorf("%q: %v", nobody, err)
			}
		}
	}
	e.members(northwind)
	e.members(harbour, id)
}

// several returns the ids of eight accounts.
func (e *env) several() (ids []string) {
	e.Helper()
	for _, letter := range "abcdefgh" {
		ids = append(ids, e.signUp(string(letter)+"@northwind.example", ""))
	}
	return ids
}

// testJoinAtOnce lets many join a missing group at the same time.
func testJoinAtOnce(e *env) {
	ids := e.several()
	var group sync.WaitGroup
	for _, id := range ids {
		for range 2 {
			group.Go(func() {
				if err := e.Directory.Join(e.Context(), northwind, id); err != nil {
					e.Error(err)
				}
			})
		}
	}
	group.Wait()
	e.members(northwind, ids...)
}

func testLeave(e *env) {
	first, quiet := e.signUp("first@northwind.example", ""), e.signUp("quietharbor@northwind.example", "")
	e.leave(northwind, first) // a missing group
	for _, id := range []string{first, quiet} {
		e.join(northwind, id)
		e.join(harbour, id)
	}
	e.leave(northwind, "nobody")
	e.leave(northwind, "")
	e.leave(northwind, first)
	e.leave(northwind, first) // no longer a member
	e.members(northwind, quiet)
	e.members(harbour, first, quiet)
	e.leave(northwind, quiet)
	e.members(northwind)
	e.join(northwind, first) // a group that everyone left
	e.members(northwind, first)
	e.finds("quietharbor@northwind.example", identity.Account{ID: quiet, Email: "quietharbor@northwind.example"})
}

func testCreateGroup(e *env) {
	first, quiet := e.signUp("first@northwind.example", ""), e.signUp("quietharbor@northwind.example", "")
	e.groups()
	e.create(northwind)
	e.groups(northwind)
	e.members(northwind)
	e.create(northwind) // an existing group
	e.join(northwind, first)
	e.create(northwind) // that has a member
	e.members(northwind, first)
	e.join(harbour, quiet)
	e.create(harbour) // that was made when its first member joined
	e.members(harbour, quiet)
	e.leave(northwind, first)
	e.leave(harbour, quiet)
	e.groups(northwind, harbour) // also when everyone has left
}

// testCreateGroupAtOnce: many make a group, and each has someone join it.
func testCreateGroupAtOnce(e *env) {
	ids := e.several()
	var group sync.WaitGroup
	for _, id := range ids {
		group.Go(func() {
			if err := errors.Join(
				e.Directory.CreateGroup(e.Context(), northwind), e.Directory.Join(e.Context(), northwind, id),
			); err != nil {
				e.Error(err)
			}
		})
	}
	group.Wait()
	e.groups(northwind)
	e.members(northwind, ids...)
}

func testDeleteGroup(e *env) {
	first, quiet := e.signUp("first@northwind.example", "The first"), e.signUp("quietharbor@northwind.example", "")
	e.delete(northwind) // a missing group
	for _, id := range []string{first, quiet} {
		e.join(northwind, id)
		e.join(harbour, id)
	}
	for range 2 { // the second time it no longer exists
		e.delete(northwind)
		e.groups(harbour)
		e.members(northwind)
		e.members(harbour, first, quiet)
	}
	e.finds("first@northwind.example", identity.Account{ID: first, Email: "first@northwind.example", Name: "The first"})
	e.finds("quietharbor@northwind.example", identity.Account{ID: quiet, Email: "quietharbor@northwind.example"})
	e.leave(northwind, first)
	e.join(northwind, first) // who was its only member
	e.groups(northwind, harbour)
	e.members(northwind, first)
	e.delete(northwind)
	e.create(northwind)
	e.groups(northwind, harbour)
	e.members(northwind)
	e.delete(northwind) // without members
	e.groups(harbour)
	e.members(harbour, first, quiet)
}

// testDeleteGroupAtOnce deletes a group again and again while many join it. A Join may fail and be repeated. In the
// end, the group is as the last call left it.
func testDeleteGroupAtOnce(e *env) {
	ids := e.several()
	e.join(harbour, ids[0])
	check := func(err error) {
		if err != nil && !errors.Is(err, identity.ErrUnavailable) {
			e.Error(err)
		}
	}
	var joining, deleting sync.WaitGroup
	joined := make(chan struct{})
	for range 2 {
		deleting.Go(func() {
			for {
				check(e.Directory.DeleteGroup(e.Context(), northwind))
				select {
				case <-joined:
					return
				default:
				}
			}
		})
	}
	for _, id := range ids {
		for range 2 {
			joining.Go(func() { check(e.Directory.Join(e.Context(), northwind, id)) })
		}
	}
	joining.Wait()
	close(joined)
	deleting.Wait()
	e.delete(northwind)
	e.groups(harbour)
	e.members(northwind)
	for _, id := range ids {
		e.join(northwind, id)
	}
	e.members(northwind, ids...)
	e.members(harbour, ids[0])
}

// testNoName: a group without a name cannot be made, and is never there.
func testNoName(e *env) {
	id := e.signUp("first@northwind.example", "")
	for name, err := range map[string]error{"join": e.Directory.Join(e.Context(), "", id),
		"create": e.Directory.CreateGroup(e.Context(), "")} {
		if err == nil || errors.Is(err, identity.ErrNoAccount) || errors.Is(err, identity.ErrUnavailable) {
			e.Errorf("%s: %v", name, err)
		}
	}
	e.leave("", id)
	e.delete("")
	e.groups()
}
