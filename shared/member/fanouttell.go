package member

import (
	"context"
	"errors"
	"sync/atomic"

	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
	"earshot/shared/tasks"
)

// tell sends the mails that are due. Whoever signed up before their invitations were there could not accept them, and whoever signs up from
// now on does.
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

// untold fails the lead or, when it is none of the answers, the first of those that wait for it.
func (p *invitee) untold(err error) {
	first := -1
	for i := range p.answers {
		if p.answers[i].Action == Queued && first < 0 || p.answers[i].WorkspaceID == p.lead.WorkspaceID && p.answers[i].Action == Invited {
			first = i
		}
	}
	if first >= 0 {
		p.answers[first].Action, p.answers[first].Err = "", err
	}
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
	err := r.send(ctx, place.ID, Letter{Agency: r.call.By.Name, Workspace: place.Name, Invitation: p.lead.Invitation})
	switch {
	case err == nil:
		return
	case errors.Is(err, ErrUnmailable):
		after, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
		defer cancel()
		r.note(ctx, "not all was taken back of an invitation of which no mail can be sent", place.ID,
			r.Roster.WithdrawQueued(after, r.call.By, p.email))
		for i := range p.answers {
			if p.answers[i].Action == Queued || p.answers[i].Action == Invited && p.seats[i].Invitation.Agency == r.call.By.ID {
				p.answers[i].Action, p.answers[i].Err = "", ErrUnmailable
			}
		}
		return
	case !errors.Is(err, mail.ErrRefused) && !errors.Is(err, mail.ErrThrottled):
		r.note(ctx, "a mail was not sent", place.ID, err)
	}
	p.untold(err)
}

// follow has the directory's groups follow the memberships, and the others looked after. What it leaves the schedule does.
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
	tasks.Together(func() error {
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
	tasks.Few(peopleAtOnce, len(left), func(i int) {
		if failures.Load() >= enoughFailures || turn.wait(r.begins) != nil {
			return
		}
		if _, err := r.Move(ctx, left[i].WorkspaceID, left[i].AccountID); err != nil {
			failures.Add(1)
			r.note(ctx, "the directory's group does not follow yet", left[i].WorkspaceID, err)
		}
	})
}
