package member

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"earshot/shared/parallel"
	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
)

// tell sends the mails that are due. Before that it lets in people who signed up before their invitations were there:
// they could not accept them. People who sign up from now on can.
func (c *call) tell(ctx context.Context) {
	var people []*invitee
	for _, p := range c.people {
		if p.mailDue() || p.fresh {
			people = append(people, p)
		}
	}
	each(people, func(p *invitee) {
		account, known, err := c.account(c.begins, p.email)
		if err == nil && known {
			c.welcome(ctx, p, account)
			return
		}
		if err == nil && p.mailDue() {
			err = c.begins.Err()
		}
		switch {
		case err != nil:
			const left = "it is left to others to look whether somebody has signed up, or to tell them"
			c.note(ctx, left, p.lead.Invitation.WorkspaceID, err)
			if !c.by.alone() {
				err = ErrUntold
			}
			if p.mailDue() {
				p.untold(err)
			}
		case p.mailDue():
			c.mail(ctx, p)
		}
	})
}

func (p *invitee) mailDue() bool { return p.led && p.lead.Invitation.Mail == MailDue }

// untold fails the lead or, if the lead is none of the results, the first result that waits for it.
func (p *invitee) untold(err error) {
	p.told = true
	first := -1
	for i, result := range p.results {
		ofLead := result.WorkspaceID == p.lead.Invitation.WorkspaceID
		if result.Action == Queued && first < 0 || result.Action == Invited && ofLead {
			first = i
		}
	}
	if first >= 0 {
		p.results[first].Action, p.results[first].Err, p.results[first].Lead = "", err, p.lead.Invitation.Key()
	}
}

// waits reports whether only the lead's mail tells the person of the workspace of a result.
func (c *call) waits(result Result) bool {
	ofLead := c.by.alone() || result.Invitation.Agency == c.by.AgencyID
	return result.Action == Queued || result.Action == Invited && ofLead
}

// judge fails the results that wait for a mail which was not handed over, as far as is known, by an earlier call or by
// one at the same time.
func (c *call) judge(ctx context.Context) {
	if c.by.alone() {
		for _, p := range c.people {
			c.judgeAlone(ctx, p)
		}
		return
	}
	var people []*invitee
	var emails []string
	for _, p := range c.people {
		if !p.told && !p.known && slices.ContainsFunc(p.results, c.waits) &&
			!(p.lead.Stands && p.lead.Mail() == MailSent) {
			people, emails = append(people, p), append(emails, p.email)
		}
	}
	if len(people) == 0 {
		return
	}
	leads, err := c.Store.Leads(ctx, c.by, emails)
	if err != nil {
		c.note(ctx, "what became of mails could not be read", "", err)
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
			err = c.arrived(ctx, p)
		}
		if err != nil {
			p.untold(err)
		}
	}
}

// judgeAlone is judge for a workspace that invites by itself. It may have found its person queued behind its agency's
// lead, of which it knows nothing else.
func (c *call) judgeAlone(ctx context.Context, p *invitee) {
	result := &p.results[0]
	if p.told || !c.waits(*result) {
		return
	}
	switch err := settled(result.Invitation.Mail); {
	case result.Invitation.Mail == MailDue: // it was accepted or revoked before its mail could be claimed
		*result = c.accepted(ctx, result.Invitation)
	case result.Invitation.Mail == MailQueued:
		if err = c.fate(ctx, result.Invitation); err != nil {
			p.untold(fmt.Errorf("%w: %w", ErrAgencyMail, err))
		}
	case err != nil:
		p.untold(err)
	}
}

// accepted returns the result for an invitation that is gone: Granted if it has become a member. It fails with ErrGone
// if it has become none.
func (d Desk) accepted(ctx context.Context, i Invitation) Result {
	result := Result{WorkspaceID: i.WorkspaceID, Email: i.Email}
	m, is, err := d.Store.MemberOf(ctx, i.WorkspaceID, i.Email)
	switch {
	case err != nil:
		result.Err = err
	case !is:
		result.Err = ErrGone
	default:
		result.Action, result.Member = Granted, &m
	}
	return result
}

// arrived makes members of a person whose lead is gone because they have signed up. Returns ErrUntold if they have not:
// then the lead was revoked.
func (c *call) arrived(ctx context.Context, p *invitee) error {
	account, known, err := c.account(ctx, p.email)
	switch {
	case err != nil:
		return err
	case !known:
		return ErrUntold
	}
	c.welcome(ctx, p, account)
	return nil
}

// welcome makes a member of a person who has signed up meanwhile.
func (c *call) welcome(ctx context.Context, p *invitee, account identity.Account) {
	granted, err := c.Store.AcceptInvitations(ctx, p.email, account.ID, account.Name)
	c.note(ctx, "not all invitations were accepted", p.lead.Invitation.WorkspaceID, err)
	p.account, p.known = account, true
	in := map[string]bool{}
	for _, workspaceID := range granted {
		in[workspaceID] = true
	}
	for i := range p.results {
		if result := &p.results[i]; result.Action == Invited || result.Action == Queued {
			if result.Action = Granted; err != nil && !in[result.WorkspaceID] {
				result.Action, result.Err = "", err
			} else if c.by.alone() {
				*result = c.accepted(ctx, result.Invitation)
			}
		}
	}
}

// mail sends the lead's mail.
func (c *call) mail(ctx context.Context, p *invitee) {
	in, _ := c.by.Workspace(p.lead.Invitation.WorkspaceID)
	err := c.send(ctx, letter{Agency: c.by.Agency, Workspace: in.Name, Invitation: p.lead.Invitation},
		func(i Invitation, claim string) (bool, error) { return c.Store.ClaimMail(ctx, in.ID, i, claim) })
	switch {
	case err == nil:
		p.told = true
		return
	case errors.Is(err, ErrGone): // it was accepted or revoked at this moment, and another may lead: see judge
		return
	case errors.Is(err, ErrUnmailable):
		p.told = true
		for i := range p.results {
			if c.waits(p.results[i]) {
				p.results[i].Action, p.results[i].Err = "", ErrUnmailable
			}
		}
		return
	case c.by.alone(): // the API logs the error of a workspace's call itself
	case errors.Is(err, mail.ErrSender), !errors.Is(err, mail.ErrRefused) && !errors.Is(err, mail.ErrThrottled) &&
		!errors.Is(err, ErrUnsettled) && !errors.Is(err, ErrUntold):
		c.note(ctx, "a mail was not sent", in.ID, err)
	}
	p.untold(err)
}

// follow makes the directory's groups follow the memberships, and schedules checks for the other people. The schedule
// does what follow leaves undone.
func (c *call) follow(ctx context.Context) {
	if c.by.alone() {
		for _, w := range c.by.Workspaces {
			c.CatchUp(ctx, w.ID)
		}
		return
	}
	var waiting [][]InvitationKey
	var moves []Move
	for _, p := range c.people {
		var queued []InvitationKey
		for _, result := range p.results {
			switch {
			case result.Action == Queued:
				queued = append(queued, result.Invitation.Key())
			case result.Action == Granted && p.known:
				moves = append(moves, Move{WorkspaceID: result.WorkspaceID, AccountID: p.account.ID})
			}
		}
		if len(queued) > 0 {
			waiting = append(waiting, queued)
		}
	}
	if c.late() {
		return
	}
	parallel.Together(func() error {
		if len(waiting) > 0 {
			c.note(ctx, "nobody was told of invitations that wait", "", c.Nudge(ctx, waiting))
		}
		return nil
	}, func() error {
		c.makeMoves(ctx, moves)
		return nil
	})
}

// makeMoves makes those of the moves that are due.
func (c *call) makeMoves(ctx context.Context, among []Move) {
	left, err := c.Store.MovesLeft(ctx, among)
	c.note(ctx, "what is due in the directory could not be read", "", err)
	var failures atomic.Int64
	parallel.Few(peopleAtOnce, len(left), func(i int) {
		if failures.Load() >= enoughFailures || c.late() {
			return
		}
		if _, err := c.MakeMove(ctx, left[i].WorkspaceID, left[i].AccountID); err != nil {
			failures.Add(1)
			c.note(ctx, "the directory's group does not follow yet", left[i].WorkspaceID, err)
		}
	})
}
