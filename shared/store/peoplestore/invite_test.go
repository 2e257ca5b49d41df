package peoplestore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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

// inviter is the World's agency.
func (p people) inviter() member.Inviter {
	return member.Inviter{
		AgencyID:   p.Agency.ID,
		Agency:     p.Agency.Name,
		KeyID:      "key_1",
		Workspaces: []workspace.Workspace{{ID: p.Anchor.ID, Name: "Harbour"}, {ID: p.Member.ID, Name: "Client"}},
	}
}

// seat lets addresses into a workspace, those with an account by "address=account", and answers what came of them.
func (p people) seat(orgID string, role member.Role, who ...string) (seats []member.Result) {
	p.Helper()
	return p.seatBy(p.Store, orgID, role, who...)
}

func (p people) seatBy(s *allstores.Store, orgID string, role member.Role, who ...string) (seats []member.Result) {
	p.Helper()
	var asks []member.Member
	for _, one := range who {
		email, account, _ := strings.Cut(one, "=")
		asks = append(asks, member.Member{Email: email, Role: role, AccountID: account})
	}
	return s.Invite(p.Context(), p.inviter(), orgID, asks)
}

// lead is the row of the agency's lead to an address: "<workspace> <invitation>", and whether it was mailed; empty: none.
func (p people) lead(email string) string {
	p.Helper()
	row, err := p.Table.Get(p.Context(),
		table.Get{Table: rows.CoreTable, Key: table.Key{Partition: p.Agency.ID, Sort: "invitee#" + email}, Consistent: true})
	if err != nil {
		p.Fatal(err)
	}
	if row == nil {
		return ""
	}
	said := fmt.Sprint(row["org"], " ", row["invitation"])
	if row["mailed"] != nil {
		said += " mailed"
	}
	return said
}

// leadsHold holds the leads to the invitations: each that is open has its row, and each row its invitation.
func (p people) leadsHold(emails ...string) {
	p.Helper()
	now := p.Clock.Now()
	for _, orgID := range []string{p.Anchor.ID, p.Member.ID} {
		p.consistent(orgID)
		invitations, err := p.Store.Invitations(p.Context(), orgID)
		if err != nil {
			p.Fatal(err)
		}
		for _, i := range invitations {
			row := p.lead(member.Fold(i.Email))
			if i.Open(now) && i.Agency != "" &&
				(!strings.HasPrefix(row, orgID+" "+i.ID) || (i.Mail != member.MailDue) != strings.HasSuffix(row,
					" mailed")) {
				p.Errorf("%+v leads, and the row is %q", i, row)
			}
		}
	}
	for _, email := range emails {
		row := p.lead(email)
		if row == "" {
			continue
		}
		orgID, rest, _ := strings.Cut(row, " ")
		id, _, _ := strings.Cut(rest, " ")
		invitations, _ := p.Store.Invitations(p.Context(), orgID)
		if !slices.ContainsFunc(invitations, func(i member.Invitation) bool { return i.ID == id && i.Agency == p.Agency.ID }) {
			p.Errorf("the row %q names nothing", row)
		}
	}
}

// A lead's row comes and goes with its invitation, whatever ends it.
func TestLead_Ends(t *testing.T) {
	const email = "new@x.io"
	for name, end := range map[string]func(p people, i member.Invitation) error{
		"withdrawn": func(p people, i member.Invitation) error { return p.Store.Withdraw(t.Context(), p.Anchor.ID, i.ID) },
		"accepted": func(p people, i member.Invitation) error {
			_, err := p.Store.AcceptInvitations(t.Context(), email, "account-1", "")
			return err
		},
		"granted by the workspace": func(p people, i member.Invitation) error {
			_, err := p.Store.AddMember(t.Context(), p.Anchor.ID,
				member.Member{Email: email, Role: member.Admin, AccountID: "account-1"})
			return err
		},
		"granted by the agency": func(p people, i member.Invitation) error {
			return p.seat(p.Anchor.ID, member.Ordinary, email+"=account-1")[0].Err
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			lead := p.seat(p.Anchor.ID, member.Ordinary, email)[0]
			queued := p.seat(p.Member.ID, member.Ordinary, "NEW@x.io")[0]
			if lead.Action != member.Invited || !lead.New || lead.Invitation.Mail != member.MailDue ||
				lead.Invitation.Agency != p.Agency.ID || lead.Invitation.InvitedBy != "key_1" ||
				queued.Action != member.Queued || !queued.New || queued.Invitation.Mail != member.MailQueued ||
				!queued.Invitation.ExpiresAt.Equal(lead.Invitation.ExpiresAt) {
				t.Fatalf("%+v, %+v", lead, queued)
			}
			if want := p.Anchor.ID + " " + lead.Invitation.ID; p.lead(email) != want {
				t.Errorf("%q, want %q", p.lead(email), want)
			}
			p.leadsHold(email)
			if err := end(p, lead.Invitation); err != nil {
				t.Fatal(err)
			}
			if p.lead(email) != "" {
				t.Errorf("the row %q stays", p.lead(email))
			}
			if name == "withdrawn" { // what was queued went with it
				seat := p.seat(p.Member.ID, member.Admin, email)[0]
				if seat.Action != member.Invited || !seat.New || seat.Invitation.ID == queued.Invitation.ID ||
					seat.Invitation.Role != member.Admin {
					t.Errorf("%+v", seat)
				}
			}
			p.leadsHold(email)
		})
	}
}

// What became of a lead's mail is known of the agency too.
func TestSettleMail_Lead(t *testing.T) {
	p := newPeople(t)
	const email = "new@x.io"
	lead := p.seat(p.Anchor.ID, member.Ordinary, email)[0].Invitation
	claim := func(i member.Invitation, name string) bool {
		t.Helper()
		mine, err := p.Store.ClaimMail(t.Context(), p.Anchor.ID, i, name)
		if err != nil {
			t.Fatal(err)
		}
		return mine
	}
	settle := func(name string, to member.MailState) {
		t.Helper()
		if err := p.Store.SettleMail(t.Context(), p.Anchor.ID, lead, name, to); err != nil {
			t.Fatal(err)
		}
	}
	stranger := lead
	stranger.Agency = ""
	if claim(stranger, "by who does not know that it leads") || !claim(lead, "one") || claim(lead, "two") {
		t.Fatal("not one has claimed it")
	}
	p.leadsHold(email)
	settle("another's", member.MailDue)
	if !strings.HasSuffix(p.lead(email), " mailed") {
		t.Error("another's claim was settled")
	}
	settle("one", member.MailDue)
	p.leadsHold(email)
	again := p.seat(p.Anchor.ID, member.Ordinary, email)[0]
	if again.New || again.Invitation.Mail != member.MailDue || again.Invitation.Claims != 1 ||
		!claim(again.Invitation, "three") {
		t.Errorf("%+v", again)
	}
	settle("three", member.MailSent)
	p.leadsHold(email)
	if leads, err := p.Store.Leads(t.Context(), p.inviter(), []string{"somebody@x.io", "NEW@x.io"}); err != nil ||
		leads[0] != (member.Lead{}) ||
		!leads[1].Stands || leads[1].Invitation.WorkspaceID != p.Anchor.ID || leads[1].Mail() != member.MailSent ||
		leads[1].Invitation.ID != lead.ID {
		t.Errorf("%+v %v", leads, err)
	}
}

// An invitation that a workspace has sent by itself becomes the lead as it is then, whatever its mail is about to become.
func TestInvite_TakesLeadOver(t *testing.T) {
	p := newPeople(t)
	const email = "new@x.io"
	own := p.invite(p.Member.ID, email, member.Ordinary)
	if leads, err := p.Store.Leads(t.Context(), p.inviter(), []string{email}); err != nil || leads[0].Stands ||
		leads[0].Invitation.WorkspaceID != p.Member.ID || leads[0].Invitation.ID != own.ID {
		t.Errorf("%+v %v", leads, err)
	}
	if mine, err := p.Store.ClaimMail(t.Context(), p.Member.ID, own, "the workspace's"); err != nil || !mine {
		t.Fatal(mine, err)
	}
	if seat := p.seat(p.Anchor.ID, "", email)[0]; seat.Action != "" || seat.Err != nil {
		t.Errorf("there is nothing to take over: %+v", seat)
	}
	seat := p.seat(p.Member.ID, "", email)[0]
	if seat.Action != member.Invited || !seat.New || seat.Invitation.ID != own.ID ||
		seat.Invitation.Role != member.Ordinary ||
		seat.Invitation.Agency != p.Agency.ID {
		t.Fatalf("%+v", seat)
	}
	p.leadsHold(email)
	if seat := p.seat(p.Anchor.ID, member.Admin, email)[0]; seat.Action != member.Queued {
		t.Errorf("%+v", seat)
	}
	// The workspace's mailer was too busy: the agency's mail is due.
	if err := p.Store.SettleMail(t.Context(), p.Member.ID, own, "the workspace's", member.MailDue); err != nil {
		t.Fatal(err)
	}
	p.leadsHold(email)
	leads, err := p.Store.Leads(t.Context(), p.inviter(), []string{email})
	if err != nil || !leads[0].Stands || leads[0].Invitation.Mail != member.MailDue {
		t.Fatalf("%+v %v", leads, err)
	}
	// Who read it before it was taken over does not send its mail.
	if mine, err := p.Store.ClaimMail(t.Context(), p.Member.ID, member.Invitation{ID: own.ID, Email: email, Claims: 1},
		"late"); err != nil || mine {
		t.Error(mine, err)
	}
	if mine, err := p.Store.ClaimMail(t.Context(), p.Member.ID, leads[0].Invitation, "the agency's"); err != nil || !mine {
		t.Error(mine, err)
	}
	p.leadsHold(email)
}

// Whatever changes between what is read and what is written, what is written fits what there is.
func TestInvite_ChangedMeanwhile(t *testing.T) {
	const email = "new@x.io"
	for name, c := range map[string]struct {
		before, between func(p people)
		role            member.Role
		who             string
		want            string // the action, and the mail of the invitation
	}{
		"the lead goes": {
			before:  func(p people) { p.seat(p.Anchor.ID, member.Ordinary, email) },
			between: func(p people) { p.withdrawAll(p.Anchor.ID) }, role: member.Ordinary, who: email, want: "invited due"},
		"another leads": {
			between: func(p people) { p.seat(p.Anchor.ID, member.Ordinary, email) },
			role:    member.Ordinary,
			who:     email,
			want:    "queued queued",
		},
		"invited by the workspace": {
			between: func(p people) { p.invite(p.Member.ID, email, member.Ordinary) },
			role:    member.Admin,
			who:     email,
			want:    "invited due",
		},
		"a member meanwhile": {
			between: func(p people) { p.add(p.Member.ID, email, member.Ordinary, false) },
			role:    member.Admin,
			who:     email,
			want:    "granted ",
		},
		"accepted meanwhile": {
			before: func(p people) { p.seat(p.Member.ID, member.Ordinary, email) },
			between: func(p people) {
				if _, err := p.Store.AcceptInvitations(t.Context(), email, "account-1", ""); err != nil {
					t.Error(err)
				}
			}, role: member.Admin, who: email, want: "granted "},
		"invited meanwhile, with an account": {
			between: func(p people) { p.seat(p.Member.ID, member.Ordinary, email) },
			role:    member.Admin,
			who:     email + "=account-1",
			want:    "granted ",
		},
		"taken over, and withdrawn meanwhile": {
			before:  func(p people) { p.invite(p.Member.ID, email, member.Ordinary) },
			between: func(p people) { p.withdrawAll(p.Member.ID) }, role: "", who: email, want: " "},
		"taken over, and claimed meanwhile": {
			before: func(p people) { p.invite(p.Member.ID, email, member.Ordinary) },
			between: func(p people) {
				i, err := p.Store.Invitations(t.Context(), p.Member.ID)
				if err != nil {
					t.Fatal(err)
				}
				if mine, err := p.Store.ClaimMail(t.Context(), p.Member.ID, i[0], "c"); err != nil || !mine {
					t.Error(mine, err)
				}
			}, role: "", who: email, want: "invited sending"},
		"the workspace goes": {
			between: func(p people) {
				if err := p.Store.DeleteWorkspace(t.Context(), p.Member.ID); err != nil {
					t.Error(err)
				}
			}, role: member.Ordinary, who: email, want: "gone"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			if c.before != nil {
				c.before(p)
			}
			among := allstores.New(&fault.Hooked{Table: p.Table, Before: func() { c.between(p) }}, p.Clock)
			seats := p.seatBy(among, p.Member.ID, c.role, "first@x.io", c.who, "last@x.io=account-2")
			got := fmt.Sprint(string(seats[1].Action), " ", seats[1].Invitation.Mail)
			if errors.Is(seats[1].Err, store.ErrNotFound) {
				got = "gone"
			} else if seats[1].Err != nil {
				t.Error(seats[1].Err)
			} else if c.role != "" && (seats[0].Action != member.Invited || seats[2].Action != member.Granted) {
				t.Errorf("the others: %+v", seats)
			}
			if got != c.want {
				t.Errorf("%q, want %q: %+v", got, c.want, seats[1])
			}
			if got != "gone" {
				p.leadsHold(email, "first@x.io")
			}
		})
	}
}

// Whoever ends an invitation ends the lead that it has become since they read it.
func TestLead_TakenOverMeanwhile(t *testing.T) {
	const email = "new@x.io"
	for name, end := range map[string]func(s *allstores.Store, orgID, id string) error{
		"accepted": func(s *allstores.Store, _, _ string) error {
			_, err := s.AcceptInvitations(t.Context(), email, "account-1", "")
			return err
		},
		"withdrawn": func(s *allstores.Store, orgID, id string) error { return s.Withdraw(t.Context(), orgID, id) },
		"granted": func(s *allstores.Store, orgID, _ string) error {
			_, err := s.AddMember(t.Context(), orgID, member.Member{Email: email, Role: member.Admin})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			own := p.invite(p.Member.ID, email, member.Ordinary)
			among := allstores.New(&fault.Hooked{Table: p.Table, Before: func() { p.seat(p.Member.ID, "", email) }}, p.Clock)
			if err := end(among, p.Member.ID, own.ID); err != nil {
				t.Fatal(err)
			}
			if p.lead(email) != "" || len(p.invitations(p.Member.ID)) > 0 {
				t.Errorf("left: %q, %v", p.lead(email), p.invitations(p.Member.ID))
			}
			p.consistent(p.Member.ID)
		})
	}
}

// Who grants what has become a lead between two reads ends the lead.
func TestInvite_LeadTakenOverBetweenReads(t *testing.T) {
	const email = "new@x.io"
	p := newPeople(t)
	p.invite(p.Member.ID, email, member.Ordinary)
	between := fault.Around(fault.Before("batchGet", 2, func() { p.seat(p.Member.ID, "", email) }))
	among := allstores.New(fault.Table(p.Table, between), p.Clock)
	if seats := p.seatBy(among, p.Member.ID, member.Ordinary, email+"=account-1"); seats[0].Action != member.Granted {
		t.Errorf("%+v", seats)
	}
	if p.lead(email) != "" {
		t.Errorf("left: %q", p.lead(email))
	}
	p.consistent(p.Member.ID)
}

// Who hands a mail of a workspace's own back to be sent tells the agency that has taken the invitation over meanwhile.
func TestSettleMail_LeadTakenOverMeanwhile(t *testing.T) {
	const email = "new@x.io"
	p := newPeople(t)
	own := p.invite(p.Member.ID, email, member.Ordinary)
	if mine, err := p.Store.ClaimMail(t.Context(), p.Member.ID, own, "c"); err != nil || !mine {
		t.Fatal(mine, err)
	}
	among := allstores.New(&fault.Hooked{Table: p.Table, Before: func() { p.seat(p.Member.ID, "", email) }}, p.Clock)
	if err := among.SettleMail(t.Context(), p.Member.ID, own, "c", member.MailDue); err != nil {
		t.Fatal(err)
	}
	p.leadsHold(email)
	if want := p.Member.ID + " " + own.ID; p.lead(email) != want {
		t.Errorf("%q, want %q", p.lead(email), want)
	}
}

func (p people) withdrawAll(orgID string) {
	p.Helper()
	invitations, err := p.Store.Invitations(p.Context(), orgID)
	if err != nil {
		p.Fatal(err)
	}
	for _, i := range invitations {
		if err := p.Store.Withdraw(p.Context(), orgID, i.ID); err != nil {
			p.Fatal(err)
		}
	}
}

// As many as there is room for are let in, in their order, in a few transactions.
func TestInvite_MoreThanFit(t *testing.T) {
	p := newPeople(t)
	var who []string
	for n := range 120 {
		one := fmt.Sprintf("p%d@x.io", n)
		if n%2 == 0 {
			one += fmt.Sprint("=account-", n)
		}
		who = append(who, one)
	}
	for n := range 400 {
		p.add(p.Anchor.ID, fmt.Sprintf("m%d@x.io", n), member.Ordinary, false)
	}
	for n := range 10 {
		p.invite(p.Anchor.ID, fmt.Sprintf("i%d@x.io", n), member.Ordinary)
	}
	p.Clock.Freeze(worldtest.Now.Add(member.InvitationLife)) // of which ten are over
	ctx, meter := table.WithMeter(t.Context())
	let := people{p.World, contextTB{t, ctx}}
	for round := range 2 {
		full, seats := 0, let.seat(p.Anchor.ID, member.Admin, who...)
		for i, seat := range seats {
			switch {
			case i >= 100:
				if full++; !errors.Is(seat.Err, member.ErrFull) {
					t.Errorf("%d: %+v", i, seat)
				}
			case seat.Err != nil || seat.Action != []member.Action{member.Granted, member.Invited}[i%2] ||
				seat.New != (round == 0 && i%2 == 1):
				t.Errorf("%d: %+v", i, seat)
			}
		}
		if full != 20 {
			t.Errorf("%d were refused", full)
		}
	}
	// The first round fills three transactions, finds no room, sweeps, and goes on; the last one is refused again for
	// want of room.
	if got := meter.Total(); got.Writes > 12 || got.Reads > 24 {
		t.Errorf("%+v", got)
	}
	p.leadsHold()
	p.consistent(p.Anchor.ID)
}

// contextTB is a test whose context is another.
type contextTB struct {
	testing.TB
	ctx context.Context
}

func (c contextTB) Context() context.Context { return c.ctx }

// Whatever comes at once to the same people, at the end they are one in each workspace, and their leads have their rows.
func TestInvite_EverythingAtOnce(t *testing.T) {
	p := newPeople(t)
	emails := []string{"a@x.io", "b@x.io", "c@x.io"}
	for round := range 12 {
		var group sync.WaitGroup
		for n := range 10 {
			random := rand.New(rand.NewPCG(uint64(round), uint64(n)))
			email := emails[random.IntN(len(emails))]
			orgID := []string{p.Anchor.ID, p.Member.ID}[random.IntN(2)]
			group.Go(func() {
				var err error
				switch random.IntN(8) {
				case 0, 1:
					for _, seat := range p.seat(orgID, member.Admin, emails...) {
						err = errors.Join(err, seat.Err)
					}
				case 2:
					err = p.seat(orgID, "", email)[0].Err
				case 3:
					err = worldtest.InviteOne(t.Context(), p.Store, orgID, member.Member{Email: email, Role: member.Ordinary}, "").Err
				case 4:
					_, err = p.Store.AcceptInvitations(t.Context(), email, "account-"+email, "")
				case 5:
					var invitations []member.Invitation
					invitations, err = p.Store.Invitations(t.Context(), orgID)
					for _, i := range invitations {
						if _, failure := p.Store.ClaimMail(t.Context(), orgID, i, fmt.Sprint(n)); failure == nil {
							failure = p.Store.SettleMail(t.Context(), orgID, i, fmt.Sprint(n),
								[]member.MailState{member.MailDue, member.MailSent}[n%2])
							err = errors.Join(err, failure)
						}
					}
				case 6:
					var invitations []member.Invitation
					invitations, err = p.Store.Invitations(t.Context(), orgID)
					for _, i := range invitations {
						if failure := p.Store.RevokeInvitation(t.Context(), orgID, i.ID, ""); !errors.Is(failure, store.ErrNotFound) {
							err = errors.Join(err, failure)
						}
					}
				case 7:
					var members []member.Member
					members, _, err = p.Store.Members(t.Context(), orgID)
					for _, m := range members {
						if failure := p.Store.RemoveMember(t.Context(), orgID, m.ID, ""); !errors.Is(failure, member.ErrLastAdmin) &&
							!errors.Is(failure,
								store.ErrNotFound) {
							err = errors.Join(err, failure)
						}
					}
				}
				if err != nil && !errors.Is(err, member.ErrExists) {
					t.Error(err)
				}
			})
		}
		group.Wait()
		p.leadsHold(emails...)
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
		p.Clock.Freeze(p.Clock.Now().Add(5 * 24 * time.Hour))
	}
}

// No mail can be sent to the person at all: what waits for the lead's mail goes with it.
func TestWithdraw_Lead(t *testing.T) {
	p := newPeople(t)
	p.seat(p.Anchor.ID, member.Ordinary, "a@x.io", "b@x.io")
	p.seat(p.Member.ID, member.Ordinary, "a@x.io", "b@x.io")
	other := p.invite(p.Other.ID, "a@x.io", member.Ordinary)
	_, id, _ := strings.Cut(p.lead("a@x.io"), " ")
	for range 2 {
		if err := p.Store.Withdraw(t.Context(), p.Anchor.ID, id); err != nil {
			t.Fatal(err)
		}
	}
	for _, orgID := range []string{p.Anchor.ID, p.Member.ID} {
		if got := p.invitations(orgID); !slices.Equal(got, []string{"b@x.io"}) {
			t.Errorf("invitations(%s) = %v, want b@x.io alone", orgID, got)
		}
	}
	if list, err := p.Store.Invitations(t.Context(), p.Other.ID); err != nil || len(list) != 1 || list[0].ID != other.ID {
		t.Error(list, err)
	}
	p.leadsHold("a@x.io", "b@x.io")
}

func TestMovesLeft(t *testing.T) {
	p := newPeople(t)
	p.seat(p.Anchor.ID, member.Ordinary, "a@x.io=a", "b@x.io=b")
	among := []member.Move{{WorkspaceID: p.Anchor.ID, AccountID: "a"}, {WorkspaceID: p.Member.ID, AccountID: "a"},
		{WorkspaceID: p.Anchor.ID, AccountID: "b"}}
	left, err := p.Store.MovesLeft(t.Context(), among)
	if err != nil || !slices.Equal(left, []member.Move{among[0], among[2]}) {
		t.Error(left, err)
	}
	if left, err := p.Store.MovesLeft(t.Context(), nil); err != nil || left != nil {
		t.Error(left, err)
	}
}

// A lead whose workspace is gone leads on only if its mail was handed over: no other can be.
func TestInvite_WorkspaceOfLeadDeleted(t *testing.T) {
	const email = "new@x.io"
	for state, want := range map[member.MailState]member.Action{
		member.MailDue:     member.Invited,
		member.MailSending: member.Invited,
		member.MailUnknown: member.Invited,
		member.MailSent:    member.Queued,
	} {
		t.Run(string(state), func(t *testing.T) {
			p := newPeople(t)
			lead := p.seat(p.Member.ID, member.Ordinary, email)[0].Invitation
			if state != member.MailDue {
				p.claim(p.Member.ID, lead, state)
			}
			if err := p.Store.DeleteWorkspace(t.Context(), p.Member.ID); err != nil {
				t.Fatal(err)
			}
			by := p.inviter()
			by.Workspaces = by.Workspaces[:1]
			got := p.Store.Invite(t.Context(), by, p.Anchor.ID, []member.Member{{Email: email, Role: member.Ordinary}})[0]
			if got.Err != nil || got.Action != want {
				t.Errorf("Invite(%s) = %+v, want %s", email, got, want)
			}
			leads, err := p.Store.Leads(t.Context(), by, []string{email})
			if wantMail := map[member.Action]member.MailState{member.Invited: member.MailDue,
				member.Queued: member.MailSent}[want]; err != nil ||
				!leads[0].Stands || leads[0].Mail() != wantMail {
				t.Errorf("Leads(%s) = %+v, %v, want its mail %s", email, leads, err, wantMail)
			}
		})
	}
}

// What was queued beside a lead that is over ends with the next one: the person has as long as the mail says.
func TestInvite_QueuedBehindNextLead(t *testing.T) {
	p := newPeople(t)
	const email = "new@x.io"
	first := p.seat(p.Anchor.ID, member.Ordinary, email)[0].Invitation
	queued := p.seat(p.Member.ID, member.Ordinary, email)[0].Invitation
	added := p.seat(p.Anchor.ID, member.Ordinary, email+"=account-1")[0].Member // ends the lead
	if err := p.Store.RemoveMember(t.Context(), p.Anchor.ID, added.ID, ""); err != nil || p.lead(email) != "" ||
		first.ID == "" {
		t.Fatal(err, p.lead(email))
	}
	p.Clock.Freeze(p.Clock.Now().Add(10 * 24 * time.Hour))
	next := p.seat(p.Anchor.ID, member.Ordinary, email)[0].Invitation
	for range 2 {
		seat := p.seat(p.Member.ID, member.Ordinary, email)[0]
		if seat.Action != member.Queued || seat.Invitation.ID != queued.ID ||
			!seat.Invitation.ExpiresAt.Equal(next.ExpiresAt) {
			t.Fatalf("%+v, of a lead until %v", seat, next.ExpiresAt)
		}
	}
	there, err := p.Store.Invitations(t.Context(), p.Member.ID)
	if err != nil || len(there) != 1 || !there[0].ExpiresAt.Equal(next.ExpiresAt) {
		t.Errorf("%+v, %v", there, err)
	}
	p.leadsHold(email)
}
