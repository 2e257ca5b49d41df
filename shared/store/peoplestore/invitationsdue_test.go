package peoplestore_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/worldtest"
)

// due are the invitations that are to be looked at now, of all pages.
func (p people) due(size int) (emails []string) {
	p.Helper()
	for page, err := range p.Store.DueInvitations(p.Context(), size) {
		if err != nil {
			p.Fatal(err)
		}
		if len(page) > size {
			p.Errorf("a page of %d", len(page))
		}
		for _, i := range page {
			emails = append(emails, i.Email)
		}
	}
	return emails
}

func (p people) dueMoves() (moves []member.Move) {
	p.Helper()
	for page, err := range p.Store.DueMoves(p.Context(), 2) {
		if err != nil {
			p.Fatal(err)
		}
		moves = append(moves, page...)
	}
	return moves
}

func (p people) after(d time.Duration) { p.Clock.Freeze(worldtest.Now.Add(d)) }

// An invitation is due a quarter of an hour after it was made, when it was said, and at its end; not before, and not
// when it is gone.
func TestDueInvitations(t *testing.T) {
	p := newPeople(t)
	first := p.invite(p.Main.ID, "first@x.io", member.Ordinary)
	p.after(time.Minute)
	second := p.invite(p.Other.ID, "second@x.io", member.Ordinary)
	third := p.invite(p.Main.ID, "third@x.io", member.Ordinary)
	p.after(15*time.Minute - time.Millisecond)
	if got := p.due(2); got != nil {
		t.Errorf("%v are due early", got)
	}
	p.after(15 * time.Minute)
	if got := p.due(2); !slices.Equal(got, []string{"first@x.io"}) {
		t.Error(got)
	}
	p.after(16 * time.Minute)
	for _, size := range []int{1, 2, 3, 100} {
		got := p.due(size)
		if slices.Sort(got[1:]); !slices.Equal(got, []string{"first@x.io", "second@x.io", "third@x.io"}) {
			t.Errorf("pages of %d: %v", size, got)
		}
	}
	later := worldtest.Now.Add(time.Hour)
	for range 2 {
		if err := p.Store.LookAgain(t.Context(), p.Main.ID, first.ID, later); err != nil {
			t.Fatal(err)
		}
	}
	// Nobody makes it sooner, nor anything of what is not there.
	for _, id := range []string{first.ID, "inv_gone"} {
		if err := p.Store.LookAgain(t.Context(), p.Main.ID, id, worldtest.Now); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Store.Withdraw(t.Context(), p.Main.ID, third.ID); err != nil {
		t.Fatal(err)
	}
	if got := p.due(2); !slices.Equal(got, []string{"second@x.io"}) {
		t.Error(got)
	}
	p.Clock.Freeze(later)
	if _, err := p.Store.AcceptInvitations(t.Context(), "second@x.io", "account-2", ""); err != nil {
		t.Fatal(err)
	}
	if got := p.due(2); !slices.Equal(got, []string{"first@x.io"}) || second.ID == first.ID {
		t.Error(got)
	}
	if got := p.invitations(p.Main.ID); len(got) != 1 {
		t.Errorf("a look made %v", got)
	}
	// What a workspace had that is gone is nobody's work but the purge's.
	if err := p.Store.DeleteWorkspace(t.Context(), p.Main.ID); err != nil {
		t.Fatal(err)
	}
	if got := p.due(2); got != nil {
		t.Error(got)
	}
}

// stale is a table whose index shows all that it was ever told of, as it was then.
type stale struct {
	table.Table
	rows []table.Item
}

func (s stale) Query(ctx context.Context, query table.Query) (table.Page, error) {
	if query.Index == "" {
		return s.Table.Query(ctx, query)
	}
	return table.Page{Items: s.rows}, nil
}

// An index that lags shows nobody what is over, or has been looked at.
func TestDueInvitations_IndexLags(t *testing.T) {
	p := newPeople(t)
	var rows []table.Item
	var made []member.Invitation
	for n := range 4 {
		i := p.invite(p.Main.ID, fmt.Sprintf("new%d@x.io", n), member.Ordinary)
		made = append(made, i)
		rows = append(rows, table.Item{"pk": p.Main.ID, "sk": "invitation#" + i.ID, "work": "invitations",
			"dueAt": "2026-11-20T10:15:00.000Z"})
	}
	p.after(20 * time.Minute)
	if err := p.Store.Withdraw(t.Context(), p.Main.ID, made[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := p.Store.LookAgain(t.Context(), p.Main.ID, made[1].ID, worldtest.Now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Store.AcceptInvitations(t.Context(), made[2].Email, "account", ""); err != nil {
		t.Fatal(err)
	}
	p.World.Store = allstores.New(stale{p.Table, rows}, p.Clock)
	if got := p.due(100); !slices.Equal(got, []string{made[3].Email}) {
		t.Error(got)
	}
}

// An invitation ends at its end, once, whoever ends it; then its person can be invited again.
func TestExpireInvitation(t *testing.T) {
	p := newPeople(t)
	i := p.invite(p.Main.ID, "new@x.io", member.Ordinary)
	expire := func(id string) bool {
		t.Helper()
		ended, err := p.Store.ExpireInvitation(t.Context(), p.Main.ID, id)
		if err != nil {
			t.Fatal(err)
		}
		return ended
	}
	p.Clock.Freeze(i.ExpiresAt.Add(-time.Millisecond))
	if expire(i.ID) || expire("inv_gone") {
		t.Error("it ended early")
	}
	p.Clock.Freeze(i.ExpiresAt)
	if granted, err := p.Store.AcceptInvitations(t.Context(), "new@x.io", "account", ""); err != nil || granted != nil {
		t.Error(granted, err)
	}
	var ends sync.Map
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			if ended, err := p.Store.ExpireInvitation(t.Context(), p.Main.ID, i.ID); err != nil {
				t.Error(err)
			} else if ended {
				ends.Store(n, nil)
			}
		})
	}
	group.Wait()
	count := 0
	ends.Range(func(any, any) bool { count++; return true })
	if count != 1 || p.invitations(p.Main.ID) != nil {
		t.Errorf("it ended %d times: %v", count, p.invitations(p.Main.ID))
	}
	p.consistent(p.Main.ID)
	again := p.invite(p.Main.ID, "New@x.io", member.Admin)
	if expire(i.ID) || expire(again.ID) || len(p.invitations(p.Main.ID)) != 1 {
		t.Error("the next one ended")
	}
	p.consistent(p.Main.ID)
}

// Those who end an invitation and those who send the next one at the same moment leave the next one.
func TestExpireInvitation_InvitedAtOnce(t *testing.T) {
	p := newPeople(t)
	for round := range 10 {
		email := fmt.Sprintf("new%d@x.io", round)
		old := p.invite(p.Main.ID, email, member.Ordinary)
		p.Clock.Freeze(old.ExpiresAt)
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				if _, err := p.Store.ExpireInvitation(t.Context(), p.Main.ID, old.ID); err != nil {
					t.Error(err)
				}
			})
			group.Go(func() {
				if err := worldtest.InviteOne(t.Context(), p.Store, p.Main.ID, member.Member{Email: email, Role: member.Ordinary},
					"").Err; err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if got := p.invitations(p.Main.ID); !slices.Equal(got, []string{email}) {
			t.Errorf("%v, want %s", got, email)
		}
		p.consistent(p.Main.ID)
		if _, err := p.Store.AcceptInvitations(t.Context(), email, "account", ""); err != nil {
			t.Fatal(err)
		}
	}
}

func TestInvitationsByKey(t *testing.T) {
	p := newPeople(t)
	var named []member.InvitationKey
	for n, orgID := range []string{p.Main.ID, p.Other.ID, p.Anchor.ID, p.Member.ID} {
		i := p.invite(orgID, fmt.Sprintf("new%d@x.io", n), member.Ordinary)
		named = append(named, member.InvitationKey{WorkspaceID: orgID, InvitationID: i.ID})
	}
	if err := p.Store.Withdraw(t.Context(), p.Other.ID, named[1].InvitationID); err != nil {
		t.Fatal(err)
	}
	for _, orgID := range []string{p.Anchor.ID, p.Member.ID} {
		if err := p.Store.DeleteWorkspace(t.Context(), orgID); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Store.Withdraw(t.Context(), p.Member.ID, named[3].InvitationID); err != nil {
		t.Fatal(err)
	}
	there, over, err := p.Store.InvitationsByKey(t.Context(), named)
	if err != nil || len(there) != 1 || there[0].Key() != named[0] || there[0].Email != "new0@x.io" ||
		!slices.Equal(over, []string{p.Other.ID}) {
		t.Errorf("%+v, %v, %v", there, over, err)
	}
	if there, over, err := p.Store.InvitationsByKey(t.Context(), nil); err != nil || len(there)+len(over) > 0 {
		t.Error(there, over, err)
	}
}

func TestPerson(t *testing.T) {
	p := newPeople(t)
	i := p.invite(p.Main.ID, "New@x.io", member.Ordinary)
	p.add(p.Other.ID, "nEw@x.io", member.Admin, false)
	p.invite(p.Main.ID, "another@x.io", member.Ordinary)
	invited, memberOf, err := p.Store.Person(t.Context(), "new@X.io")
	if err != nil || !slices.Equal(invited, []member.InvitationKey{{WorkspaceID: p.Main.ID, InvitationID: i.ID}}) ||
		!slices.Equal(memberOf, []string{p.Other.ID}) {
		t.Error(invited, memberOf, err)
	}
}

// A workspace that has as many people as it can lets in those whom it has invited, for they are counted already.
func TestAcceptInvitations_FullWorkspace(t *testing.T) {
	p := newPeople(t)
	p.invite(p.Main.ID, "new@x.io", member.Ordinary)
	for n := range member.MostPeople - 1 {
		p.add(p.Main.ID, fmt.Sprintf("member%d@x.io", n), member.Ordinary, false)
	}
	granted, err := p.Store.AcceptInvitations(t.Context(), "new@x.io", "account", "")
	if err != nil || !slices.Equal(granted, []string{p.Main.ID}) {
		t.Error(granted, err)
	}
	p.consistent(p.Main.ID)
}

// failing is a table that fails at the transactions of some workspaces.
type failing struct {
	table.Table
	at []string
}

func (f failing) Transact(ctx context.Context, tx table.Transaction) error {
	for _, write := range tx.Writes {
		if _, key, _ := table.TargetOf(write); slices.Contains(f.at, key.Partition) {
			return table.ErrUnavailable
		}
	}
	return f.Table.Transact(ctx, tx)
}

// A workspace that fails keeps the person out of no other; when several do, it is the table, and it is not asked on and on.
func TestAcceptInvitations_SomeWorkspacesFail(t *testing.T) {
	p := newPeople(t)
	all := []string{p.Main.ID, p.Other.ID, p.Anchor.ID, p.Member.ID}
	for _, orgID := range all {
		p.invite(orgID, "new@x.io", member.Ordinary)
	}
	slices.Sort(all)
	granted, err := allstores.New(failing{p.Table, all[:3]}, p.Clock).AcceptInvitations(t.Context(), "new@x.io", "account", "")
	if err == nil || granted != nil {
		t.Error(granted, err)
	}
	granted, err = allstores.New(failing{p.Table, all[1:2]}, p.Clock).AcceptInvitations(t.Context(), "new@x.io", "account", "")
	if err == nil || !slices.Equal(granted, []string{all[0], all[2], all[3]}) {
		t.Error(granted, err)
	}
	if granted, err = p.Store.AcceptInvitations(t.Context(), "new@x.io", "account", ""); err != nil ||
		!slices.Equal(granted, all[1:2]) {
		t.Error(granted, err)
	}
}

// A move is due a minute after it was written or claimed, and the later the more often it failed; until it is made.
func TestDueMoves(t *testing.T) {
	p := newPeople(t)
	for _, account := range []string{"a", "b", "c"} {
		m := member.Member{Email: account + "@x.io", Role: member.Ordinary, AccountID: account}
		if _, err := p.Store.AddMember(t.Context(), p.Main.ID, m); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Duration(0)
	due := func(after time.Duration, want ...string) {
		t.Helper()
		now += after
		p.after(now)
		var got []string
		for _, move := range p.dueMoves() {
			if got = append(got, move.AccountID); move.WorkspaceID != p.Main.ID {
				t.Error(move)
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("after %v: %v, want %v", now, got, want)
		}
	}
	claim := func(account string) member.Move {
		t.Helper()
		move, mine, err := p.Store.ClaimMove(t.Context(), p.Main.ID, account, fmt.Sprint("claim", now))
		if err != nil || !mine {
			t.Fatal(mine, err)
		}
		return move
	}
	due(59 * time.Second)
	due(time.Second, "a", "b", "c")
	claim("a")
	due(0, "b", "c")
	if _, more, err := p.Store.FinishMove(t.Context(), p.Main.ID, claim("b")); err != nil || more {
		t.Fatal(more, err)
	}
	due(0, "c")
	due(time.Minute, "a", "c") // whoever claimed it has died
	var claimed member.Move
	for _, minutes := range []time.Duration{5, 10, 20, 40, 80, 160, 320, 360, 360} {
		claimed = claim("a")
		for range 2 {
			if err := p.Store.ReleaseMove(t.Context(), p.Main.ID, claimed); err != nil {
				t.Fatal(err)
			}
		}
		due(minutes*time.Minute-time.Second, "c")
		due(time.Second, "a", "c")
	}
	// A new word on the account begins anew, and is due in a minute though another is at it.
	claimed = claim("a")
	if _, err := p.Store.AcceptInvitations(t.Context(), "c@x.io", "c2", ""); err != nil {
		t.Fatal(err)
	}
	members, _, err := p.Store.Members(t.Context(), p.Main.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range members {
		if m.AccountID == "a" {
			if err := p.Store.RemoveMember(t.Context(), p.Main.ID, m.ID, ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	next, more, err := p.Store.FinishMove(t.Context(), p.Main.ID, claimed)
	if err != nil || !more || next.In || next.Failures != 0 {
		t.Fatal(next, more, err)
	}
	due(time.Minute, "a", "c", "c2")
	if err := p.Store.DeleteWorkspace(t.Context(), p.Main.ID); err != nil {
		t.Fatal(err)
	}
	due(0) // it would make the group again
}
