package members_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/functions/members"
	"earshot/shared/member"
	"earshot/shared/port/mail"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// accepts lets a person in wherever they are invited, and returns the workspaces.
func (d desk) accepts(t testing.TB, email string) []string {
	t.Helper()
	d.signUp(email, "account-"+email, "")
	granted, err := d.Store.AcceptInvitations(t.Context(), email, "account-"+email, "")
	if err != nil {
		t.Fatal(err)
	}
	return granted
}

func TestRevoke(t *testing.T) {
	d := newDesk(t)
	typo := d.invited(t, "typo@x.io", "org:admin")
	theirs := d.as(d.OtherKey).invited(t, "typo@x.io", "org:admin")
	d.as(d.Write).remove(t, typo.ID).Is(t, 403, "FORBIDDEN")
	unused := d.remove(t, "inv_01K9Q4T1YV6M3R8Z5B7C2D4E6F")
	unused.Is(t, 404, "NOT_FOUND")
	if other := d.remove(t, theirs.ID); string(other.Body) != string(unused.Body) {
		t.Errorf("another workspace's = %s, want %s", other.Body, unused.Body)
	}
	for range 2 {
		var done members.MemberRemoved
		d.remove(t, typo.ID, "Idempotency-Key", "k").OK(t, &done)
		if !done.OK || len(d.invitations(t)) > 0 {
			t.Errorf("%+v, %v", done, d.invitations(t))
		}
	}
	d.remove(t, typo.ID).Is(t, 404, "NOT_FOUND")
	d.resend(t, typo.ID).Is(t, 404, "NOT_FOUND")
	if granted := d.accepts(t, "typo@x.io"); len(granted) != 1 || granted[0] != d.Other.ID {
		t.Errorf("a revoked invitation lets somebody into %v", granted)
	}
	// Whoever is invited anew is told anew.
	first := d.invited(t, "first@x.io", "org:member")
	d.remove(t, first.ID).OK(t, nil)
	if again := d.invited(t, "first@x.io", "org:member"); again.ID == first.ID || d.mails.To("first@x.io") != 2 {
		t.Errorf("%+v, %d mails", again, d.mails.To("first@x.io"))
	}
}

// An agency's invitations are revoked with its key and the workspace's name.
func TestRevoke_MasterKey(t *testing.T) {
	d := newDesk(t)
	d = d.as(d.Master)
	in := []string{"x-earshot-organization-id", d.Member.ID}
	var result members.InviteResult
	d.invite(t, "new@x.io", "org:admin", in...).OK(t, &result)
	id := result.Invitation.Value.ID
	var list members.InvitationList
	d.Get(t, "/api/v2/org/members/invitations", in...).OK(t, &list)
	if len(list.Data) != 1 || list.Data[0].ID != id {
		t.Errorf("invitations of the named workspace = %+v, want %s", list.Data, id)
	}
	d.invite(t, "new@x.io", "org:admin", "x-earshot-organization-id", d.Main.ID).Is(t, 403, "FORBIDDEN_ORGANIZATION")
	d.remove(t, id, "x-earshot-organization-id", d.Anchor.ID).Is(t, 404, "NOT_FOUND")
	d.remove(t, id, "x-earshot-organization-id", d.Main.ID).Is(t, 403, "FORBIDDEN_ORGANIZATION")
	d.remove(t, id, in...).OK(t, nil)
	if granted := d.accepts(t, "new@x.io"); len(granted) > 0 {
		t.Errorf("a revoked invitation lets somebody into %v", granted)
	}
}

func TestResend(t *testing.T) {
	d := newDesk(t)
	first := d.invited(t, "new@x.io", "org:admin")
	d.as(d.Write).resend(t, first.ID).Is(t, 403, "FORBIDDEN")
	d.as(d.OtherKey).resend(t, first.ID).Is(t, 404, "NOT_FOUND")
	d.resend(t, "x").Is(t, 404, "NOT_FOUND")
	var result members.InviteResult
	d.resend(t, first.ID).OK(t, &result)
	if result.Action != "invited" || result.Invitation.Value.ID != first.ID || len(d.mails.Sent) != 1 {
		t.Errorf("%+v, %d mails: it was handed over a moment ago", result, len(d.mails.Sent))
	}
	d.World.Clock.Freeze(worldtest.Now.Add(time.Hour))
	for range 2 {
		d.resend(t, first.ID, "Idempotency-Key", "k").OK(t, &result)
		if result.Invitation.Value.ExpiresAt != first.ExpiresAt || d.mails.To("new@x.io") != 2 {
			t.Errorf("%+v, %d mails", result, d.mails.To("new@x.io"))
		}
	}
	// However many ask at once, one mail goes out.
	d.World.Clock.Freeze(worldtest.Now.Add(2 * time.Hour))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if answer := d.resend(t, first.ID); answer.Status != http.StatusOK {
				answer.Is(t, 400, "INVALID_INPUT")
			}
		})
	}
	group.Wait()
	if n := d.mails.To("new@x.io"); n != 3 {
		t.Errorf("%d mails", n)
	}
	// Who has signed up meanwhile is let in, without a mail.
	d.World.Clock.Freeze(worldtest.Now.Add(3 * time.Hour))
	d.signUp("new@x.io", "account-new", "Nia")
	d.resend(t, first.ID).OK(t, &result)
	if result.Action != "granted" || result.Member.Value == nil || result.Member.Value.Role != "org:admin" ||
		d.mails.To("new@x.io") != 3 ||
		!d.in(d.Main.ID, "account-new") {
		t.Errorf("%+v", result)
	}
	expired := d.invited(t, "late@x.io", "org:member")
	d.World.Clock.Freeze(worldtest.Now.Add(member.InvitationLife + 4*time.Hour))
	if p := d.resend(t, expired.ID).Is(t, 404, "NOT_FOUND"); !strings.Contains(p.Message, "invite the person again") {
		t.Errorf("the resend of an expired invitation says %q, want it to say what helps", p.Message)
	}
}

// Whatever the mailer says to a mail that is sent again, the invitation stands, unless there is no mailing to the
// person at all.
func TestResend_MailerFails(t *testing.T) {
	for _, c := range []struct {
		failure error
		status  int
		stands  bool
	}{{mail.ErrRefused, 500, true}, {mail.ErrThrottled, 500, true}, {mail.ErrUnavailable, 500, true}, {mail.ErrInvalid,
		400, false}} {
		t.Run(c.failure.Error(), func(t *testing.T) {
			d := newDesk(t)
			i := d.invited(t, "new@x.io", "org:member")
			d.World.Clock.Freeze(worldtest.Now.Add(time.Hour))
			d.mails.Refuse(c.failure)
			if answer := d.resend(t, i.ID, "Idempotency-Key", "k"); answer.Status != c.status {
				t.Errorf("%d %s, want %d", answer.Status, answer.Body, c.status)
			}
			d.mails.Refuse(nil)
			if stands := len(d.invitations(t)) == 1; stands != c.stands {
				t.Fatalf("the invitation stands: %v", stands)
			}
			if !c.stands {
				return
			}
			if c.failure == mail.ErrUnavailable { // the repeat of one request sends no second mail, a new request does
				d.resend(t, i.ID, "Idempotency-Key", "k").Is(t, 400, "INVALID_INPUT")
				d.resend(t, i.ID).OK(t, nil)
			} else {
				d.resend(t, i.ID, "Idempotency-Key", "k").OK(t, nil)
			}
			if n := d.mails.To("new@x.io"); n != 2 {
				t.Errorf("%d mails", n)
			}
		})
	}
}

// The agency tells a person by one mail: it is sent again for the invitation that it is of, in the agency's name.
func TestResend_Agency(t *testing.T) {
	d := newDesk(t)
	d = d.as(d.Master)
	by := member.Inviter{
		AgencyID:   d.Agency.ID,
		Agency:     d.Agency.Name,
		KeyID:      "key_1",
		Workspaces: []workspace.Workspace{{ID: d.Anchor.ID}, {ID: d.Member.ID}},
	}
	lead := d.Store.Invite(t.Context(), by, d.Anchor.ID,
		[]member.Member{{Email: "new@x.io", Role: member.Ordinary}})[0].Invitation
	queued := d.Store.Invite(t.Context(), by, d.Member.ID,
		[]member.Member{{Email: "new@x.io", Role: member.Ordinary}})[0].Invitation
	anchor, client := []string{"x-earshot-organization-id", d.Anchor.ID},
		[]string{"x-earshot-organization-id", d.Member.ID}
	d.resend(t, queued.ID, client...).Is(t, 400, "INVALID_INPUT")
	d.invite(t, "new@x.io", "org:member", client...).Is(t, 400, "INVALID_INPUT") // the agency's mail is still due
	d.resend(t, lead.ID, anchor...).OK(t, nil)
	// The agency's mail is sent, so nothing may say that this is unknown.
	if p := d.resend(t, queued.ID, client...).Is(t, 400, "INVALID_INPUT"); strings.Contains(p.Message, "unknown") {
		t.Errorf("the resend of a queued invitation says %q", p.Message)
	}
	if len(d.mails.Sent) != 1 ||
		d.mails.Sent[0].Subject != fmt.Sprintf("%s invites you to %s on Earshot", d.Agency.Name, d.Anchor.Name) {
		t.Errorf("%+v", d.mails.Sent)
	}
	d.invite(t, "new@x.io", "org:member", client...).OK(t, nil)
	d.remove(t, lead.ID, anchor...).OK(t, nil)
	d.resend(t, queued.ID, client...).OK(t, nil) // which has its place: it was handed over a moment ago
	d.World.Clock.Freeze(worldtest.Now.Add(time.Hour))
	d.resend(t, queued.ID, client...).OK(t, nil)
	if n := len(d.mails.Sent); n != 2 {
		t.Errorf("%d mails", n)
	}
	if granted := d.accepts(t, "new@x.io"); len(granted) != 1 || granted[0] != d.Member.ID {
		t.Errorf("let into %v, want the client alone", granted)
	}
}

func TestInvite_DayIsFull(t *testing.T) {
	d := newDesk(t)
	for n := range member.MostMailsADay {
		if err := worldtest.InviteOne(t.Context(), d.Store, d.Main.ID,
			member.Member{Email: fmt.Sprintf("p%d@x.io", n), Role: member.Ordinary}, "").Err; err != nil {
			t.Fatal(err)
		}
	}
	want := "A workspace sends at most 200 invitation mails in a day of UTC. Invite further people after 00:00 UTC."
	if got := d.invite(t, "new@x.io", "org:member").Is(t, 400, "INVALID_INPUT").Message; got != want {
		t.Errorf("invite = %q, want %q", got, want)
	}
	d.invited(t, "p0@x.io", "org:member") // is invited already
	d.signUp("known@x.io", "account-known", "")
	d.granted(t, "known@x.io", "org:member")
	d.World.Clock.Freeze(worldtest.Now.Add(24 * time.Hour))
	d.invited(t, "new@x.io", "org:member")
}
