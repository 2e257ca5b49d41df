package peoplestore_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// mailOf is the state of the mail of a workspace's only invitation; empty if it has none.
func (p people) mailOf(orgID string) member.Invitation {
	p.Helper()
	list, err := p.Store.Invitations(p.Context(), orgID)
	if err != nil || len(list) > 1 {
		p.Fatal(list, err)
	}
	if len(list) == 0 {
		return member.Invitation{}
	}
	return list[0]
}

func (p people) revoke(orgID, id string) error {
	p.Helper()
	return p.Store.RevokeInvitation(p.Context(), orgID, id, "")
}

// claim claims a mail, and settles it if a state is given.
func (p people) claim(orgID string, i member.Invitation, as member.MailState) {
	p.Helper()
	if mine, err := p.Store.ClaimMail(p.Context(), orgID, i, "c"); err != nil || !mine {
		p.Fatal(mine, err)
	}
	if as != member.MailSending {
		if err := p.Store.SettleMail(p.Context(), orgID, i, "c", as); err != nil {
			p.Fatal(err)
		}
	}
}

func TestRevokeInvitation(t *testing.T) {
	const email = "new@x.io"
	p := newPeople(t)
	own := p.invite(p.Main.ID, email, member.Admin)
	for range 2 {
		if err := p.Store.RevokeInvitation(t.Context(), p.Main.ID, own.ID, "request"); err != nil {
			t.Errorf("RevokeInvitation, sent twice = %v", err)
		}
	}
	if err := p.revoke(p.Main.ID, own.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("RevokeInvitation of a revoked one = %v, want ErrNotFound", err)
	}
	again := p.invite(p.Main.ID, email, member.Ordinary)
	if err := p.revoke(p.Other.ID, again.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("RevokeInvitation by another workspace = %v, want ErrNotFound", err)
	}
	if err := p.revoke(p.Main.ID, again.ID); err != nil {
		t.Fatal(err)
	}
	if granted, err := p.Store.AcceptInvitations(t.Context(), email, "account-1", ""); err != nil || len(granted) > 0 {
		t.Errorf("a revoked invitation lets somebody into %v, %v", granted, err)
	}
	p.consistent(p.Main.ID)
	expired := p.invite(p.Main.ID, "late@x.io", member.Ordinary)
	p.Clock.Freeze(expired.ExpiresAt)
	if err := p.revoke(p.Main.ID, expired.ID); err != nil || len(p.invitations(p.Main.ID)) > 0 {
		t.Errorf("RevokeInvitation of an expired one = %v", err)
	}
	p.consistent(p.Main.ID)
}

// Whatever became of the lead's mail, the next one has it, and the person is told of what is queued no less than
// before.
func TestRevokeInvitation_Lead(t *testing.T) {
	const email = "new@x.io"
	for _, state := range []member.MailState{member.MailDue, member.MailSending, member.MailUnknown, member.MailSent} {
		t.Run(string(state), func(t *testing.T) {
			p := newPeople(t)
			lead := p.seat(p.Anchor.ID, member.Ordinary, email)[0].Invitation
			queued := p.seat(p.Member.ID, member.Admin, email)[0].Invitation
			if state != member.MailDue {
				p.claim(p.Anchor.ID, lead, state)
			}
			if err := p.revoke(p.Anchor.ID, lead.ID); err != nil {
				t.Fatal(err)
			}
			next := p.mailOf(p.Member.ID)
			if next.ID != queued.ID || next.Mail != state || next.Agency != p.Agency.ID || next.Role != member.Admin ||
				len(p.invitations(p.Anchor.ID)) > 0 {
				t.Errorf("the next lead is %+v, want %s with the mail %s", next, queued.ID, state)
			}
			p.leadsHold(email)
			if leads, err := p.Store.Leads(t.Context(), p.inviter(), []string{email}); err != nil || !leads[0].Stands ||
				leads[0].Mail() != state {
				t.Errorf("Leads = %+v, %v, want the mail %s", leads, err, state)
			}
			// The sender of the revoked one's mail has nothing left to settle.
			if err := p.Store.SettleMail(t.Context(), p.Anchor.ID, lead, "c", member.MailDue); err != nil ||
				p.mailOf(p.Member.ID).Mail != state {
				t.Errorf("SettleMail of a revoked one = %v, and the next has %s", err, p.mailOf(p.Member.ID).Mail)
			}
			if again := p.seat(p.Anchor.ID, member.Ordinary, email)[0]; again.Action != member.Queued {
				t.Errorf("Invite where the lead was = %+v, want queued", again)
			}
			// Of the last one nothing is left, and the agency tells anew.
			for _, orgID := range []string{p.Anchor.ID, p.Member.ID} {
				if err := p.revoke(orgID, p.mailOf(orgID).ID); err != nil {
					t.Fatal(err)
				}
			}
			if p.lead(email) != "" {
				t.Errorf("the row %q stays", p.lead(email))
			}
			if anew := p.seat(p.Member.ID, member.Ordinary, email)[0]; anew.Action != member.Invited ||
				anew.Invitation.Mail != member.MailDue {
				t.Errorf("Invite after all were revoked = %+v, want invited", anew)
			}
			p.leadsHold(email)
		})
	}
}

// Of several queued invitations the oldest leads next, whatever the order of the workspaces.
func TestRevokeInvitation_LeadOfThree(t *testing.T) {
	const email = "new@x.io"
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}} {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			p := newPeople(t)
			made := p.Clock.Now()
			third := workspace.Workspace{
				ID:        workspace.NewID(workspace.PrefixWorkspace, made),
				Name:      "Third",
				Plan:      workspace.Pro,
				AgencyID:  p.Agency.ID,
				CreatedAt: made,
			}
			if err := p.Store.CreateWorkspace(t.Context(), third); err != nil {
				t.Fatal(err)
			}
			orgs := []string{p.Anchor.ID, p.Member.ID, third.ID}
			by := p.inviter()
			by.Workspaces = append(by.Workspaces, third)
			var invited []member.Invitation
			for _, n := range order {
				person := member.Member{Email: email, Role: member.Ordinary}
				invited = append(invited, p.Store.Invite(t.Context(), by, orgs[n], []member.Member{person})[0].Invitation)
				p.Clock.Freeze(p.Clock.Now().Add(time.Minute))
			}
			for n, lead := range invited {
				if got, want := p.lead(email), lead.WorkspaceID+" "+lead.ID; got != want {
					t.Fatalf("lead %d = %q, want %q", n, got, want)
				}
				if err := p.revoke(lead.WorkspaceID, lead.ID); err != nil {
					t.Fatal(err)
				}
			}
			if p.lead(email) != "" {
				t.Errorf("the row %q stays", p.lead(email))
			}
		})
	}
}

// What comes in between of a revocation's reads and its write is neither lost nor stranded.
func TestRevokeInvitation_AmongOthers(t *testing.T) {
	const email = "new@x.io"
	for name, c := range map[string]struct {
		between func(p people, lead member.Invitation)
		want    string // the error, and the mail of the other workspace's invitation
	}{
		"queued meanwhile": {func(p people, _ member.Invitation) { p.seat(p.Member.ID, member.Ordinary, email) },
			"<nil> due"},
		"claimed meanwhile": {func(p people, lead member.Invitation) {
			p.seat(p.Member.ID, member.Ordinary, email)
			p.claim(p.Anchor.ID, lead, member.MailSending)
		}, "<nil> sending"},
		"sent meanwhile": {func(p people, lead member.Invitation) {
			p.seat(p.Member.ID, member.Ordinary, email)
			p.claim(p.Anchor.ID, lead, member.MailSent)
		}, "<nil> sent"},
		"accepted meanwhile": {func(p people, _ member.Invitation) {
			if _, err := p.Store.AcceptInvitations(t.Context(), email, "account-1", ""); err != nil {
				t.Error(err)
			}
		}, "store: not found "},
		"revoked meanwhile": {func(p people, lead member.Invitation) {
			p.seat(p.Member.ID, member.Ordinary, email)
			if err := p.revoke(p.Anchor.ID, lead.ID); err != nil {
				t.Error(err)
			}
		}, "store: not found due"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			lead := p.seat(p.Anchor.ID, member.Ordinary, email)[0].Invitation
			among := allstores.New(&fault.Hooked{Table: p.Table, Before: func() { c.between(p, lead) }}, p.Clock)
			err := among.RevokeInvitation(t.Context(), p.Anchor.ID, lead.ID, "")
			if got := fmt.Sprint(err, " ", p.mailOf(p.Member.ID).Mail); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if len(p.invitations(p.Anchor.ID)) > 0 {
				t.Error("the invitation is still there")
			}
			p.leadsHold(email)
		})
	}
}

// An operator who adds the lead's person without an account leaves nobody queued behind nothing. With an account the
// person is let in everywhere, and nothing leads.
func TestAddMember_Lead(t *testing.T) {
	const email = "new@x.io"
	for _, c := range []struct {
		account string
		state   member.MailState
		queued  bool
		want    member.MailState // of the other workspace's invitation
	}{
		{"", member.MailDue, true, member.MailDue},
		{"", member.MailSent, true, member.MailSent},
		{"", member.MailSending, true, member.MailSending},
		{"", member.MailSent, false, ""},
		{"account-1", member.MailSent, true, member.MailQueued},
	} {
		t.Run(fmt.Sprintf("%q %s %v", c.account, c.state, c.queued), func(t *testing.T) {
			p := newPeople(t)
			lead := p.seat(p.Anchor.ID, member.Ordinary, email)[0].Invitation
			if c.queued {
				p.seat(p.Member.ID, member.Admin, email)
			}
			// The mail is claimed between the reads of AddMember and its write.
			among := allstores.New(&fault.Hooked{Table: p.Table, Before: func() {
				if c.state != member.MailDue {
					p.claim(p.Anchor.ID, lead, c.state)
				}
			}}, p.Clock)
			added, err := among.AddMember(t.Context(), p.Anchor.ID,
				member.Member{Email: email, Superadmin: true, AccountID: c.account})
			if err != nil || added.Role != member.Admin || added.ID == "" {
				t.Fatalf("AddMember(%s) = %+v, %v, want an admin", email, added, err)
			}
			if got := p.mailOf(p.Member.ID); got.Mail != c.want ||
				(got.Agency != "") != (c.want != "" && c.want != member.MailQueued) {
				t.Errorf("the other invitation is %+v, want its mail %s", got, c.want)
			}
			if led := p.lead(email) != ""; led != (c.queued && c.account == "") {
				t.Errorf("the row of the lead is %q", p.lead(email))
			}
			p.leadsHold(email)
		})
	}
}

// Of those who ask for a mail again at once one sends it, and nobody within a minute; a repeat of a request does not
// either.
func TestClaimResend(t *testing.T) {
	p := newPeople(t)
	i := p.invite(p.Main.ID, "new@x.io", member.Ordinary)
	resend := func(claim, request string) bool {
		t.Helper()
		now, _, err := p.Store.OpenInvitation(t.Context(), p.Main.ID, i.ID)
		if err != nil {
			t.Fatal(err)
		}
		mine, err := p.Store.ClaimResend(t.Context(), p.Main.ID, now, claim, request)
		if err != nil {
			t.Error(err)
		}
		return mine
	}
	settle := func(claim string, as member.MailState) {
		t.Helper()
		if err := p.Store.SettleMail(t.Context(), p.Main.ID, i, claim, as); err != nil {
			t.Fatal(err)
		}
	}
	p.claim(p.Main.ID, i, member.MailSending)
	if resend("early", "") {
		t.Error("a mail was claimed that is under way")
	}
	p.Clock.Freeze(p.Clock.Now().Add(time.Minute))
	var group sync.WaitGroup
	won := make([]bool, 8)
	for n := range won {
		group.Go(func() { won[n] = resend(fmt.Sprint(n), "") })
	}
	group.Wait()
	first := slices.Index(won, true)
	if first < 0 || slices.Index(won[first+1:], true) >= 0 {
		t.Fatalf("who has claimed it: %v", won)
	}
	settle(fmt.Sprint(first), member.MailUnknown)
	if !resend("unknown", "named") {
		t.Error("a mail of which nobody knows cannot be sent again")
	}
	settle("unknown", member.MailSent)
	if resend("at once", "") {
		t.Error("a mail was claimed that was just handed over")
	}
	p.Clock.Freeze(p.Clock.Now().Add(time.Minute))
	if resend("repeat", "named") {
		t.Error("a repeat of a request claims anew")
	}
	if !resend("later", "") {
		t.Error("a mail cannot be sent again")
	}
	settle("later", member.MailSent)
	// A mail that the mailer does not take leaves what was known: the one before was handed over, and nobody sends
	// another by themselves.
	p.Clock.Freeze(p.Clock.Now().Add(time.Minute))
	if !resend("refused", "second") {
		t.Error("a mail cannot be sent again")
	}
	before, _, _ := p.Store.OpenInvitation(t.Context(), p.Main.ID, i.ID)
	before.Mail = member.MailSent
	if err := p.Store.SettleMail(t.Context(), p.Main.ID, before, "refused", member.MailDue); err != nil {
		t.Fatal(err)
	}
	if now := p.mailOf(p.Main.ID); now.Mail != member.MailSent || !now.Refused {
		t.Errorf("after a mail that was refused: %+v, want it sent", now)
	}
	if !resend("repeat of the refused", "second") {
		t.Error("a repeat of a request whose mail was refused claims nothing")
	}
}

// A workspace sends as many mails in a day as it may, exactly, however many ask at once and in whatever way.
func TestInvitationMails_Bound(t *testing.T) {
	p := newPeople(t)
	counted := func() int64 {
		row, err := p.Table.Get(t.Context(), table.Get{Table: rows.CountersTable, Consistent: true,
			Key: table.Key{Partition: p.Member.ID, Sort: "invitations#" + p.Clock.Now().UTC().Format(time.DateOnly)}})
		if err != nil {
			t.Fatal(err)
		}
		hits, _ := row["hits"].(int64)
		return hits
	}
	var emails []string
	for n := range 50 {
		emails = append(emails, fmt.Sprintf("p%d@x.io", n))
	}
	for n := range 3 { // calls of 50 people
		for i := range emails {
			emails[i] = fmt.Sprintf("p%d-%d@x.io", n, i)
		}
		for _, seat := range p.seat(p.Member.ID, member.Ordinary, emails...) {
			if seat.Err != nil || seat.Action != member.Invited {
				t.Fatalf("%+v", seat)
			}
		}
	}
	p.seat(p.Member.ID, member.Ordinary, emails...) // invites nobody anew
	p.seat(p.Anchor.ID, member.Ordinary, emails...) // queued: without a mail
	if got := counted(); got != 150 {
		t.Fatalf("%d mails are counted, want 150", got)
	}
	var group sync.WaitGroup
	var mu sync.Mutex
	made, refused := 0, 0
	note := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			made++
		case errors.Is(err, member.ErrDaily):
			refused++
		default:
			t.Error(err)
		}
	}
	for n := range 10 {
		group.Go(func() {
			if n%2 == 0 {
				err := worldtest.InviteOne(t.Context(), p.Store, p.Member.ID,
					member.Member{Email: fmt.Sprintf("own%d@x.io", n), Role: member.Ordinary}, "").Err
				note(err)
				return
			}
			var some []string
			for i := range 12 {
				some = append(some, fmt.Sprintf("s%d-%d@x.io", n, i))
			}
			for _, seat := range p.seat(p.Member.ID, member.Ordinary, some...) {
				note(seat.Err)
			}
		})
	}
	group.Wait()
	if made != member.MostMailsADay-150 || refused != 5+5*12-made || counted() != member.MostMailsADay {
		t.Errorf("%d were invited, %d refused, %d counted", made, refused, counted())
	}
	i := p.mails()[0]
	p.claim(p.Member.ID, i, member.MailUnknown)
	i, _, _ = p.Store.OpenInvitation(t.Context(), p.Member.ID, i.ID)
	if mine, err := p.Store.ClaimResend(t.Context(), p.Member.ID, i, "c", ""); mine || !errors.Is(err, member.ErrDaily) {
		t.Errorf("ClaimResend = %v, %v, want ErrDaily", mine, err)
	}
	if seat := p.seat(p.Member.ID, member.Ordinary, "known@x.io=account-1")[0]; seat.Action != member.Granted {
		t.Errorf("Invite of a person with an account = %+v, want granted", seat)
	}
	p.Clock.Freeze(p.Clock.Now().Add(24 * time.Hour))
	if mine, err := p.Store.ClaimResend(t.Context(), p.Member.ID, i, "c", ""); !mine || err != nil {
		t.Errorf("ClaimResend on the next day = %v, %v", mine, err)
	}
	p.consistent(p.Member.ID)
}

// mails are the invitations of the agency's client whose mail is due.
func (p people) mails() []member.Invitation {
	p.Helper()
	list, err := p.Store.Invitations(p.Context(), p.Member.ID)
	if err != nil {
		p.Fatal(err)
	}
	return slices.DeleteFunc(list, func(i member.Invitation) bool { return i.Mail != member.MailDue })
}
