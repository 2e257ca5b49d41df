package member

import (
	"context"
	"errors"
	"sync/atomic"

	"earshot/shared/parallel"
	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
)

// tell sends the mails that are due. Before that it lets in people who signed up before their invitations were there:
// they could not accept them. People who sign up from now on can.
func (r *fanoutRun) tell(ctx context.Context) {
	var people []*invitee
	for _, p := range r.people {
		if p.mailDue() || p.fresh {
			people = append(people, p)
		}
	}
	looks, mails := newPace(lookPace), newPace(mailPace)
	defer looks.end()
	defer mails.end()
	each(people, func(p *invitee) {
		var account identity.Account
		known, err := false, looks.wait(r.begins)
		if err == nil {
			account, known, err = r.account(r.begins, p.email)
		}
		if err == nil && known {
			r.welcome(ctx, p, account)
			return
		}
		if err == nil && p.mailDue() {
			err = mails.wait(r.begins)
		}
		switch {
		case err != nil:
			r.note(ctx, "it is left to others to look whether somebody has signed up, or to tell them", p.lead.WorkspaceID, err)
			if p.mailDue() {
				p.untold(ErrUntold)
			}
		case p.mailDue():
			r.mail(ctx, p)
		}
	})
}

func (p *invitee) mailDue() bool { return p.led && p.lead.Invitation.Mail == MailDue }

// untold fails the lead or, if the lead is none of the answers, the first answer that waits for it.
func (p *invitee) untold(err error) {
	p.told = true
	first := -1
	for i := range p.answers {
		if p.answers[i].Action == Queued && first < 0 || p.answers[i].WorkspaceID == p.lead.WorkspaceID && p.answers[i].Action == Invited {
			first = i
		}
	}
	if first >= 0 {
		p.answers[first].Action, p.answers[first].Err, p.answers[first].Lead = "", err, p.lead.Key()
	}
}

// waits reports whether only the lead tells the person of any workspace whose answer is Invited or Queued.
func (p *invitee) waits(by Inviter) bool {
	for i, answer := range p.answers {
		if answer.Action == Queued || answer.Action == Invited && p.seats[i].Invitation.Agency == by.ID {
			return true
		}
	}
	return false
}

// judge fails the answers that wait for a mail which was not handed over, as far as is known, by an earlier call or by
// one at the same time.
func (r *fanoutRun) judge(ctx context.Context) {
	var people []*invitee
	var emails []string
	for _, p := range r.people {
		if !p.told && !p.known && p.waits(r.call.By) && !(p.lead.Stands && p.lead.Mail() == MailSent) {
			people, emails = append(people, p), append(emails, p.email)
		}
	}
	if len(people) == 0 {
		return
	}
	leads, err := r.Roster.Leads(ctx, r.call.By, emails)
	if err != nil {
		r.note(ctx, "what became of mails could not be read", "", err)
		for _, p := range people {
			p.untold(err)
		}
		return
	}
	for i, p := range people {
		p.lead = Lead{}
		if leads[i].Stands {
			p.lead = leads[i]
		}
		err := settled(p.lead.Mail())
		if errors.Is(err, ErrGone) {
			err = r.arrived(ctx, p)
		}
		if err != nil {
			p.untold(err)
		}
	}
}

// arrived makes members of a person whose lead is gone because they have signed up. Returns ErrUntold if they have not:
// then the lead was revoked.
func (r *fanoutRun) arrived(ctx context.Context, p *invitee) error {
	account, known, err := r.account(ctx, p.email)
	switch {
	case err != nil:
		return err
	case !known:
		return ErrUntold
	}
	r.welcome(ctx, p, account)
	return nil
}

// welcome makes a member of a person who has signed up meanwhile.
func (r *fanoutRun) welcome(ctx context.Context, p *invitee, account identity.Account) {
	granted, err := r.Roster.AcceptInvitations(ctx, p.email, account.ID, account.Name)
	r.note(ctx, "not all invitations were accepted", p.lead.WorkspaceID, err)
	p.account, p.known = account, true
	in := map[string]bool{}
	for _, workspaceID := range granted {
		in[workspaceID] = true
	}
	for i := range p.answers {
		if answer := &p.answers[i]; answer.Action == Invited || answer.Action == Queued {
			if answer.Action = Granted; err != nil && !in[answer.WorkspaceID] {
				answer.Action, answer.Err = "", err
			}
		}
	}
}

// mail sends the lead's mail.
func (r *fanoutRun) mail(ctx context.Context, p *invitee) {
	place, _ := r.call.By.Place(p.lead.WorkspaceID)
	err := r.send(ctx, place.ID, Letter{Agency: r.call.By.Name, Workspace: place.Name, Invitation: p.lead.Invitation},
		func(claim string) (bool, error) { return r.Ledger.ClaimMail(ctx, place.ID, p.lead.Invitation, claim) })
	switch {
	case err == nil:
		p.told = true
		return
	case errors.Is(err, ErrGone): // it was accepted or revoked at this moment, and another may lead: see judge
		return
	case errors.Is(err, ErrUnmailable):
		p.told = true
		for i := range p.answers {
			if p.answers[i].Action == Queued || p.answers[i].Action == Invited && p.seats[i].Invitation.Agency == r.call.By.ID {
				p.answers[i].Action, p.answers[i].Err = "", ErrUnmailable
			}
		}
		return
	case !errors.Is(err, mail.ErrRefused) && !errors.Is(err, mail.ErrThrottled) && !errors.Is(err, ErrUnsettled) && !errors.Is(err, ErrUntold):
		r.note(ctx, "a mail was not sent", place.ID, err)
	}
	p.untold(err)
}

// follow makes the directory's groups follow the memberships, and schedules checks for the other people. The schedule
// does what follow leaves undone.
func (r *fanoutRun) follow(ctx context.Context) {
	var waiting [][]InvitationKey
	var moves []DueMove
	for _, p := range r.people {
		var queued []InvitationKey
		for i, answer := range p.answers {
			switch {
			case answer.Action == Queued:
				queued = append(queued, InvitationKey{answer.WorkspaceID, p.seats[i].Invitation.ID})
			case answer.Action == Granted && p.known:
				moves = append(moves, DueMove{answer.WorkspaceID, p.account.ID})
			}
		}
		if len(queued) > 0 {
			waiting = append(waiting, queued)
		}
	}
	if r.late() {
		return
	}
	parallel.Together(func() error {
		if len(waiting) > 0 {
			r.note(ctx, "nobody was told of invitations that wait", "", r.Nudges.Nudge(ctx, waiting))
		}
		return nil
	}, func() error {
		r.move(ctx, moves)
		return nil
	})
}

// move makes those of the moves that are due.
func (r *fanoutRun) move(ctx context.Context, among []DueMove) {
	left, err := r.Roster.MovesLeft(ctx, among)
	r.note(ctx, "what is due in the directory could not be read", "", err)
	turn := newPace(movePace)
	defer turn.end()
	var failures atomic.Int64
	parallel.Few(peopleAtOnce, len(left), func(i int) {
		if failures.Load() >= enoughFailures || turn.wait(r.begins) != nil {
			return
		}
		if _, err := r.Move(ctx, left[i].WorkspaceID, left[i].AccountID); err != nil {
			failures.Add(1)
			r.note(ctx, "the directory's group does not follow yet", left[i].WorkspaceID, err)
		}
	})
}
