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
	e.join(northwind, first) // who is there already
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
			if err := e.Directory.Join(e.Context(), group, nobody); !errors.Is(err, identity.ErrNoAccount) || errors.Is(err, identity.ErrUnavailable) {
				e.Errorf("%q: %v", nobody, err)
			}
		}
	}
	e.members(northwind)
	e.members(harbour, id)
}

// testJoinAtOnce: many join a group that is not there yet.
func testJoinAtOnce(e *env) {
	var ids []string
	for _, letter := range "abcdefgh" {
		ids = append(ids, e.signUp(string(letter)+"@northwind.example", ""))
	}
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
	leave := func(group, id string) {
		e.Helper()
		e.must(e.Directory.Leave(e.Context(), group, id))
	}
	first, quiet := e.signUp("first@northwind.example", ""), e.signUp("quietharbor@northwind.example", "")
	leave(northwind, first) // a group that is not there
	for _, id := range []string{first, quiet} {
		e.join(northwind, id)
		e.join(harbour, id)
	}
	leave(northwind, "nobody")
	leave(northwind, "")
	leave(northwind, first)
	leave(northwind, first) // who is not there any more
	e.members(northwind, quiet)
	e.members(harbour, first, quiet)
	leave(northwind, quiet)
	e.members(northwind)
	e.join(northwind, first) // a group that everyone left
	e.members(northwind, first)
	e.finds("quietharbor@northwind.example", identity.Account{ID: quiet, Email: "quietharbor@northwind.example"})
}
