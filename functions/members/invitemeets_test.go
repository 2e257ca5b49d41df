package members_test

import (
	"context"
	"errors"
	"testing"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/member"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A workspace's call that meets another call at any of its steps sends the mail itself if the other has not claimed it.
// The client is not told of an internal error, and the person is sent one mail.
func TestInvite_MeetsAnother(t *testing.T) {
	const email = "new@x.io"
	for name, c := range map[string]struct {
		other   func(ctx context.Context, d desk) error
		ofLead  bool // the invitation is the agency's lead at the end
		resends bool // the call is a resend of a mail that is due
	}{
		"invite/agency takes over": {takesOver, true, false},
		"resend/agency takes over": {takesOver, true, true},
		"invite/mailer refuses":    {isRefused, false, false},
		"resend/mailer refuses":    {isRefused, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			faulttest.EachStep(t, 4, func(t *testing.T, step *faulttest.Step) {
				d := newDesk(t)
				d = d.as(d.Master)
				in := []string{"x-earshot-organization-id", d.Anchor.ID}
				call := func() worldtest.Answer { return d.invite(t, email, "org:member", in...) }
				if c.resends {
					invited := worldtest.InviteOne(t.Context(), d.Store, d.Anchor.ID,
						member.Member{Email: email, Role: member.Ordinary}, "")
					if invited.Err != nil {
						t.Fatal(invited.Err)
					}
					call = func() worldtest.Answer { return d.resend(t, invited.Invitation.ID, in...) }
				}
				var answer worldtest.Answer
				_, err := step.Come(d.life, func() error {
					answer = call()
					return nil
				}, func() error { return c.other(t.Context(), d) })
				if err != nil {
					t.Fatal(err)
				}
				answer.OK(t, nil)
				if n := d.mails.To(email); n != 1 {
					t.Errorf("%s was sent %d mails, want 1", email, n)
				}
				listed, err := d.Store.Invitations(t.Context(), d.Anchor.ID)
				if err != nil || len(listed) != 1 || listed[0].Mail != member.MailSent {
					t.Fatalf("Invitations = %+v, %v, want one whose mail is sent", listed, err)
				}
				if leads := listed[0].Agency == d.Agency.ID; leads != c.ofLead {
					t.Errorf("the invitation is the agency's lead: %v, want %v", leads, c.ofLead)
				}
			})
		})
	}
}

// takesOver is an agency's call up to its claim on the mail: it makes the invitation, or makes it the agency's lead.
func takesOver(ctx context.Context, d desk) error {
	by := member.Inviter{
		AgencyID:   d.Agency.ID,
		Agency:     d.Agency.Name,
		KeyID:      "key_1",
		Workspaces: []workspace.Workspace{{ID: d.Anchor.ID}, {ID: d.Member.ID}},
	}
	person := member.Member{Email: "new@x.io", Role: member.Ordinary}
	return d.Store.Invite(ctx, by, d.Anchor.ID, []member.Member{person})[0].Err
}

// isRefused is a call that claims the mail, if it is due, and whose mailer does not take it.
func isRefused(ctx context.Context, d desk) error {
	listed, err := d.Store.Invitations(ctx, d.Anchor.ID)
	if err != nil || len(listed) == 0 {
		return err
	}
	mine, err := d.Store.ClaimMail(ctx, d.Anchor.ID, listed[0], "other")
	if err != nil || !mine {
		return err
	}
	return errors.Join(err, d.Store.SettleMail(ctx, d.Anchor.ID, listed[0], "other", member.MailDue))
}
