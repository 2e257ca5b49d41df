package peoplestore_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// people is a World with what its tests ask of it.
type people struct {
	*worldtest.World
	testing.TB
}

func newPeople(t *testing.T) people { return people{worldtest.NewWorld(t), t} }

func (p people) add(orgID, email string, role member.Role, superadmin bool) member.Member {
	p.Helper()
	m, err := p.Store.AddMember(p.Context(), orgID, member.Member{Email: email, Role: role, Superadmin: superadmin})
	if err != nil {
		p.Fatal(err)
	}
	return m
}

func (p people) invite(orgID, email string, role member.Role) member.Invitation {
	p.Helper()
	result := worldtest.InviteOne(p.Context(), p.Store, orgID, member.Member{Email: email, Role: role}, "")
	if result.Err != nil || result.Action == member.Granted {
		p.Fatalf("InviteOne(%s) = %+v, want an invitation", email, result)
	}
	return result.Invitation
}

func (p people) members(orgID string) (emails []string) {
	p.Helper()
	members, _, err := p.Store.Members(p.Context(), orgID)
	if err != nil {
		p.Fatal(err)
	}
	for _, m := range members {
		emails = append(emails, m.Email)
	}
	return emails
}

func (p people) invitations(orgID string) (emails []string) {
	p.Helper()
	invitations, err := p.Store.Invitations(p.Context(), orgID)
	if err != nil {
		p.Fatal(err)
	}
	for _, i := range invitations {
		emails = append(emails, i.Email)
	}
	return emails
}

func (p people) moves(orgID string) (moves []string) {
	p.Helper()
	due, err := p.Store.Moves(p.Context(), orgID)
	if err != nil {
		p.Fatal(err)
	}
	for _, m := range due {
		moves = append(moves, fmt.Sprint(m.AccountID, " ", m.In))
	}
	return moves
}

// consistent holds the rows of a workspace to each other: each person is one, and the counts are right.
func (p people) consistent(orgID string) {
	p.Helper()
	members, _, err := p.Store.Members(p.Context(), orgID)
	if err != nil {
		p.Fatal(err)
	}
	invitations, err := p.Store.Invitations(p.Context(), orgID)
	if err != nil {
		p.Fatal(err)
	}
	admins, named := int64(0), map[string]string{}
	for _, m := range members {
		if m.Role == member.Admin {
			admins++
		}
		named[member.Fold(m.Email)] += "member " + m.ID
	}
	for _, i := range invitations {
		named[member.Fold(i.Email)] += "invitation " + i.ID
	}
	for email, what := range named {
		row, err := p.Table.Get(p.Context(),
			table.Get{Table: rows.CoreTable, Key: table.Key{Partition: "person#" + email, Sort: orgID}, Consistent: true})
		if err != nil {
			p.Fatal(err)
		}
		of := ""
		for _, kind := range []string{"member", "invitation"} {
			if id, there := row[kind].(string); there {
				of += kind + " " + id
			}
		}
		if of != what {
			p.Errorf("%s is %q, and the rows say %q", email, of, what)
		}
	}
	counts, err := p.Table.Get(p.Context(),
		table.Get{Table: rows.CoreTable, Key: table.Key{Partition: orgID, Sort: "people"}, Consistent: true})
	if err != nil {
		p.Fatal(err)
	}
	if counts["admins"] != admins && (counts != nil || admins != 0) ||
		counts["people"] != int64(len(members)+len(invitations)) && counts != nil {
		p.Errorf("counted %v, there are %d admins of %d and %d", counts, admins, len(members), len(invitations))
	}
}

func TestInvite_MemberAlready(t *testing.T) {
	p := newPeople(t)
	first := p.add(p.Main.ID, "First@northwind.example", member.Ordinary, true)
	if first.Role != member.Admin || !first.Superadmin || first.ID[:4] != "mem_" ||
		!first.CreatedAt.Equal(worldtest.Now) || first.Revision != 1 {
		t.Errorf("%+v", first)
	}
	for _, email := range []string{"First@northwind.example", "first@NORTHWIND.example"} {
		if _, err := p.Store.AddMember(t.Context(), p.Main.ID,
			member.Member{Email: email, Role: member.Ordinary}); !errors.Is(err, member.ErrExists) {
			t.Errorf("%s: %v", email, err)
		}
		if err := worldtest.InviteOne(t.Context(), p.Store, p.Main.ID, member.Member{Email: email}, "").Err; !errors.Is(err,
			member.ErrExists) {
			t.Errorf("%s: %v", email, err)
		}
	}
	p.add(p.Other.ID, "first@northwind.example", member.Ordinary, false)
	if got := p.members(p.Main.ID); !slices.Equal(got, []string{"First@northwind.example"}) {
		t.Error(got)
	}
	if _, err := p.Store.AddMember(t.Context(), "org_00000000000000000000000000",
		member.Member{Email: "a@x.io"}); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	if err := worldtest.InviteOne(t.Context(), p.Store, "org_00000000000000000000000000", member.Member{Email: "a@x.io"},
		"").Err; !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	p.consistent(p.Main.ID)
	p.consistent(p.Other.ID)
}

func TestInvite_OpenAndExpired(t *testing.T) {
	p := newPeople(t)
	first := p.invite(p.Main.ID, "New@x.io", member.Ordinary)
	if first.ID[:4] != "inv_" || first.Mail != member.MailDue ||
		!first.ExpiresAt.Equal(worldtest.Now.Add(30*24*time.Hour)) || first.InvitedBy != "key_1" {
		t.Errorf("%+v", first)
	}
	p.Clock.Freeze(worldtest.Now.Add(time.Hour))
	p.invite(p.Main.ID, "second@x.io", member.Ordinary)
	if again := p.invite(p.Main.ID, "new@X.io", member.Admin); again.ID != first.ID || again.Role != member.Admin ||
		!again.CreatedAt.Equal(first.CreatedAt) || again.Email != "New@x.io" {
		t.Errorf("%+v", again)
	}
	if got := p.invitations(p.Main.ID); !slices.Equal(got, []string{"New@x.io", "second@x.io"}) {
		t.Error(got)
	}
	p.Clock.Freeze(first.ExpiresAt)
	if got := p.invite(p.Main.ID, "new@x.io", member.Ordinary); got.ID == first.ID || got.Mail != member.MailDue ||
		got.Role != member.Ordinary {
		t.Errorf("%+v", got)
	}
	if got := p.invitations(p.Main.ID); !slices.Equal(got, []string{"second@x.io", "new@x.io"}) {
		t.Error(got)
	}
	p.consistent(p.Main.ID)
	list, _ := p.Store.Invitations(t.Context(), p.Main.ID)
	for range 2 {
		if err := p.Store.Withdraw(t.Context(), p.Main.ID, list[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	p.consistent(p.Main.ID)
	joined := p.add(p.Main.ID, "NEW@x.io", member.Admin, false) // an invitation that is over
	if got := p.invitations(p.Main.ID); len(got) != 0 || joined.Role != member.Admin {
		t.Error(got, joined)
	}
	p.consistent(p.Main.ID)
}

func TestClaimMail_AtOnce(t *testing.T) {
	p := newPeople(t)
	i := p.invite(p.Main.ID, "new@x.io", member.Ordinary)
	var mine sync.Map
	var group sync.WaitGroup
	for n := range 20 {
		group.Go(func() {
			if ok, err := p.Store.ClaimMail(t.Context(), p.Main.ID, i, fmt.Sprint(n)); err != nil {
				t.Error(err)
			} else if ok {
				mine.Store(n, nil)
			}
		})
	}
	group.Wait()
	var winners []int
	mine.Range(func(n, _ any) bool { winners = append(winners, n.(int)); return true })
	if len(winners) != 1 {
		t.Fatalf("%d claims won", len(winners))
	}
	state := func() member.Invitation {
		t.Helper()
		list, err := p.Store.Invitations(t.Context(), p.Main.ID)
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		return list[0]
	}
	settle := func(claim string, to member.MailState) {
		t.Helper()
		if err := p.Store.SettleMail(t.Context(), p.Main.ID, i, claim, to); err != nil {
			t.Fatal(err)
		}
	}
	if state().Mail != member.MailSending {
		t.Error(state())
	}
	settle("another's", member.MailSent)
	if state().Mail != member.MailSending {
		t.Error("another's claim was settled")
	}
	settle(fmt.Sprint(winners[0]), member.MailDue)
	// Who read the invitation before the mailer failed has been answered that it is being sent.
	if ok, err := p.Store.ClaimMail(t.Context(), p.Main.ID, i, "late"); ok || err != nil {
		t.Error(ok, err)
	}
	if ok, err := p.Store.ClaimMail(t.Context(), p.Main.ID, state(), "repeat"); !ok || err != nil {
		t.Error(ok, err)
	}
	settle("repeat", member.MailSent)
	if ok, err := p.Store.ClaimMail(t.Context(), p.Main.ID, state(), "again"); ok || err != nil ||
		state().Mail != member.MailSent {
		t.Error(ok, err, state())
	}
	if ok, err := p.Store.ClaimMail(t.Context(), p.Main.ID, member.Invitation{ID: "inv_gone"}, "x"); ok || err != nil {
		t.Error(ok, err)
	}
}

func TestAcceptInvitations(t *testing.T) {
	p := newPeople(t)
	p.invite(p.Main.ID, "New@x.io", member.Admin)
	p.invite(p.Member.ID, "new@x.io", member.Ordinary)
	owner := p.add(p.Anchor.ID, "NEW@x.io", member.Admin, true) // by the operator, before the person had an account
	p.Clock.Freeze(worldtest.Now.Add(time.Hour))
	p.invite(p.Other.ID, "new@x.io", member.Ordinary)
	p.invite(p.Main.ID, "somebody@x.io", member.Ordinary)
	p.Clock.Freeze(worldtest.Now.Add(member.InvitationLife)) // the first two are expired
	p.invite(p.Member.ID, "new@x.io", member.Admin)
	want := []string{p.Other.ID, p.Member.ID}
	slices.Sort(want)
	for round, want := range [][]string{want, nil} {
		granted, err := p.Store.AcceptInvitations(t.Context(), "nEw@x.io", "account-1", " First\r\nL. ")
		if err != nil || !slices.Equal(granted, want) {
			t.Errorf("round %d: %v %v, want %v", round, granted, err, want)
		}
	}
	for _, orgID := range []string{p.Other.ID, p.Member.ID, p.Anchor.ID} {
		members, due, err := p.Store.Members(t.Context(), orgID)
		if err != nil || len(members) != 1 || members[0].AccountID != "account-1" || members[0].Name != "First L." ||
			len(due) != 1 || !due[0].In {
			t.Errorf("%+v %v %v", members, due, err)
		}
		p.consistent(orgID)
	}
	if got := p.members(p.Main.ID); len(got) != 0 {
		t.Errorf("an expired invitation let in %v", got)
	}
	if got := p.invitations(p.Main.ID); len(got) != 2 {
		t.Error(got)
	}
	anchor, _, _ := p.Store.Members(t.Context(), p.Anchor.ID)
	if anchor[0].ID != owner.ID || !anchor[0].Superadmin {
		t.Errorf("%+v", anchor[0])
	}
	// The person signs up anew: the memberships are the new account's.
	if granted, err := p.Store.AcceptInvitations(t.Context(), "new@x.io", "account-2", "Other"); err != nil ||
		granted != nil {
		t.Error(granted, err)
	}
	if members, _, _ := p.Store.Members(t.Context(), p.Other.ID); members[0].AccountID != "account-2" ||
		members[0].Name != "First L." {
		t.Errorf("%+v", members[0])
	}
	// A look-alike is nobody.
	if granted, err := p.Store.AcceptInvitations(t.Context(), "somebody@x.\u0131o", "account-3", ""); err != nil ||
		granted != nil {
		t.Error(granted, err)
	}
	// A workspace that is gone lets nobody in.
	if err := p.Store.DeleteWorkspace(t.Context(), p.Main.ID); err != nil {
		t.Fatal(err)
	}
	if granted, err := p.Store.AcceptInvitations(t.Context(), "somebody@x.io", "account-3", ""); err != nil ||
		granted != nil {
		t.Error(granted, err)
	}
	// Nor is there anything left to be moved in the directory.
	before := p.moves(p.Anchor.ID)
	if err := p.Store.DeleteWorkspace(t.Context(), p.Anchor.ID); err != nil {
		t.Fatal(err)
	}
	if granted, err := p.Store.AcceptInvitations(t.Context(), "new@x.io", "account-4", ""); err != nil || granted != nil ||
		!slices.Equal(p.moves(p.Anchor.ID), before) {
		t.Error(granted, err, p.moves(p.Anchor.ID))
	}
	if members, _, _ := p.Store.Members(t.Context(), p.Other.ID); members[0].AccountID != "account-4" {
		t.Errorf("%+v", members[0])
	}
}
