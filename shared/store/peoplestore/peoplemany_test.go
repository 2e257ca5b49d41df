package peoplestore_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"earshot/shared/member"
	"earshot/shared/store"
	"earshot/shared/worldtest"
)

// Ten admins remove each other at once, and one stays.
func TestRemoveMember_AllAdminsAtOnce(t *testing.T) {
	p := newPeople(t)
	var ids []string
	for n := range 10 {
		ids = append(ids, p.add(p.Main.ID, fmt.Sprintf("admin%d@x.io", n), member.Admin, false).ID)
	}
	p.add(p.Main.ID, "member@x.io", member.Ordinary, false)
	failures := make([]error, len(ids))
	var group sync.WaitGroup
	for n, id := range ids {
		group.Go(func() { failures[n] = p.Store.RemoveMember(t.Context(), p.Main.ID, id, "") })
	}
	group.Wait()
	refused := 0
	for _, err := range failures {
		switch {
		case errors.Is(err, member.ErrLastAdmin):
			refused++
		case err != nil:
			t.Error(err)
		}
	}
	if left := p.members(p.Main.ID); refused != 1 || len(left) != 2 {
		t.Errorf("%d were refused, %v are left", refused, left)
	}
	p.consistent(p.Main.ID)
}

func TestRemoveMember(t *testing.T) {
	p := newPeople(t)
	owner := p.add(p.Main.ID, "owner@x.io", member.Admin, true)
	first := p.add(p.Main.ID, "first@x.io", member.Ordinary, false)
	theirs := p.add(p.Other.ID, "first@x.io", member.Admin, false)
	for _, c := range []struct {
		id   string
		want error
	}{{owner.ID, member.ErrSuperadmin}, {theirs.ID, store.ErrNotFound}, {"mem_none", store.ErrNotFound}, {first.ID,
		nil}, {first.ID, store.ErrNotFound}} {
		if err := p.Store.RemoveMember(t.Context(), p.Main.ID, c.id, ""); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.id, err, c.want)
		}
	}
	if err := p.Store.RemoveMember(t.Context(), p.Other.ID, theirs.ID, ""); !errors.Is(err, member.ErrLastAdmin) {
		t.Error(err)
	}
	p.add(p.Other.ID, "second@x.io", member.Admin, false)
	for range 2 {
		if err := p.Store.RemoveMember(t.Context(), p.Other.ID, theirs.ID, "a request"); err != nil {
			t.Errorf("a repeat of the request: %v", err)
		}
	}
	p.add(p.Main.ID, "first@x.io", member.Ordinary, false)
	p.consistent(p.Main.ID)
	p.consistent(p.Other.ID)
}

// One person is let in once, by whatever ways at once.
func TestInvite_OnePersonAtOnce(t *testing.T) {
	p := newPeople(t)
	p.invite(p.Main.ID, "first@x.io", member.Ordinary)
	var group sync.WaitGroup
	var mu sync.Mutex
	became := 0
	count := func(n int) { mu.Lock(); defer mu.Unlock(); became += n }
	for range 6 {
		group.Go(func() {
			granted, err := p.Store.AcceptInvitations(t.Context(), "first@x.io", "account-1", "The first")
			if err != nil {
				t.Error(err)
			}
			count(len(granted))
		})
		group.Go(func() {
			_, err := p.Store.AddMember(t.Context(), p.Main.ID,
				member.Member{Email: "First@x.io", Role: member.Ordinary, AccountID: "account-1"})
			if err == nil {
				count(1)
			} else if !errors.Is(err, member.ErrExists) {
				t.Error(err)
			}
		})
		group.Go(func() {
			if err := worldtest.InviteOne(t.Context(), p.Store, p.Main.ID,
				member.Member{Email: "FIRST@x.io", Role: member.Admin}, "").Err; err != nil && !errors.Is(err, member.ErrExists) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := p.members(p.Main.ID); became != 1 || len(got) != 1 || len(p.invitations(p.Main.ID)) != 0 {
		t.Errorf("became a member %d times: %v", became, got)
	}
	p.consistent(p.Main.ID)
}

// A workspace has 500 people, however many come at once; expired invitations make room.
func TestInvite_FullAtOnce(t *testing.T) {
	p := newPeople(t)
	for n := range member.MostPeople - 60 {
		p.add(p.Main.ID, fmt.Sprintf("member%d@x.io", n), member.Ordinary, false)
	}
	for n := range 55 {
		p.invite(p.Main.ID, fmt.Sprintf("old%d@x.io", n), member.Ordinary)
	}
	p.Clock.Freeze(worldtest.Now.Add(time.Hour))
	let := func(from, n int) (in int) {
		var group sync.WaitGroup
		var mu sync.Mutex
		for k := range n {
			group.Go(func() {
				var err error
				if email := fmt.Sprintf("new%d@x.io", from+k); k%2 == 0 {
					_, err = p.Store.AddMember(t.Context(), p.Main.ID, member.Member{Email: email, Role: member.Ordinary})
				} else {
					err = worldtest.InviteOne(t.Context(), p.Store, p.Main.ID, member.Member{Email: email, Role: member.Ordinary}, "").
						Err
				}
				if err == nil {
					mu.Lock()
					defer mu.Unlock()
					in++
				} else if !errors.Is(err, member.ErrFull) {
					t.Error(err)
				}
			})
		}
		group.Wait()
		return in
	}
	if in := let(0, 12); in != 5 {
		t.Errorf("%d came in for 5", in)
	}
	p.consistent(p.Main.ID)
	if err := worldtest.InviteOne(t.Context(), p.Store, p.Main.ID, member.Member{Email: "old3@x.io", Role: member.Admin},
		"").Err; err != nil {
		t.Errorf("who is invited already needs no room: %v", err)
	}
	if m := p.add(p.Main.ID, "old4@x.io", member.Ordinary, false); m.ID == "" {
		t.Error("nor to become a member")
	}
	p.Clock.Freeze(worldtest.Now.Add(member.InvitationLife))
	if in := let(100, 8); in != 8 {
		t.Errorf("%d came in for the 54 whose invitations expired", in)
	}
	p.consistent(p.Main.ID)
	if in := let(200, 60); in != 54-8 {
		t.Errorf("%d came in", in)
	}
	if got := len(p.members(p.Main.ID)) + len(p.invitations(p.Main.ID)); got != member.MostPeople {
		t.Errorf("there are %d", got)
	}
	p.consistent(p.Main.ID)
}

// What is due in the directory is made by one at a time, in the order in which it became due.
func TestMoves(t *testing.T) {
	p := newPeople(t)
	m, err := p.Store.AddMember(t.Context(), p.Main.ID,
		member.Member{Email: "a@x.io", Role: member.Ordinary, AccountID: "a"})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.moves(p.Main.ID); !slices.Equal(got, []string{"a true"}) {
		t.Fatal(got)
	}
	claim := func(name string) (member.Move, bool) {
		t.Helper()
		due, mine, err := p.Store.ClaimMove(t.Context(), p.Main.ID, "a", name)
		if err != nil {
			t.Fatal(err)
		}
		return due, mine
	}
	join, mine := claim("one")
	if !mine || !join.In {
		t.Fatal(join, mine)
	}
	if _, also := claim("two"); also {
		t.Fatal("two have claimed it")
	}
	if err := p.Store.RemoveMember(t.Context(), p.Main.ID, m.ID, ""); err != nil {
		t.Fatal(err)
	}
	leave, more, err := p.Store.FinishMove(t.Context(), p.Main.ID, join)
	if err != nil || !more || leave.In {
		t.Fatal(leave, more, err)
	}
	if err := p.Store.ReleaseMove(t.Context(), p.Main.ID, leave); err != nil {
		t.Fatal(err)
	}
	leave, mine = claim("two")
	if !mine || leave.In {
		t.Fatal(leave, mine)
	}
	p.Clock.Freeze(worldtest.Now.Add(2 * time.Minute)) // the second has died
	third, mine := claim("three")
	if !mine {
		t.Fatal("a claim has no end")
	}
	if _, more, err := p.Store.FinishMove(t.Context(), p.Main.ID, leave); err != nil || more {
		t.Fatal("the second goes on:", more, err)
	}
	if _, more, err := p.Store.FinishMove(t.Context(), p.Main.ID, third); err != nil || more {
		t.Fatal(more, err)
	}
	if got := p.moves(p.Main.ID); got != nil {
		t.Error(got)
	}
	if _, mine := claim("four"); mine {
		t.Error("there is nothing to claim")
	}
	if err := p.Store.ReleaseMove(t.Context(), p.Main.ID, third); err != nil {
		t.Error(err)
	}
	if got := p.moves(p.Main.ID); got != nil {
		t.Error("a release made a move:", got)
	}
}
