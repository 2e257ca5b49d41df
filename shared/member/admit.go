package member

import (
	"context"
	"errors"
	"fmt"

	"earshot/shared/parallel"
)

// turn is a person's turn to be let into a workspace.
type turn struct {
	person *invitee
	at     int // its position among the person's results; -1: of the lead, which the agency takes over
}

// admit lets everybody in. A person without an account first enters one workspace, whose invitation leads, and then the
// others. If the first has no room, the next leads.
func (c *call) admit(ctx context.Context) {
	for {
		turns := map[string][]turn{}
		var workspaces []string
		for _, p := range c.people {
			for _, next := range p.next() {
				workspaceID := p.lead.Invitation.WorkspaceID
				if next.at >= 0 {
					workspaceID = p.results[next.at].WorkspaceID
				}
				if turns[workspaceID] == nil {
					workspaces = append(workspaces, workspaceID)
				}
				turns[workspaceID] = append(turns[workspaceID], next)
			}
		}
		if len(workspaces) == 0 {
			return
		}
		results := make([][]Result, len(workspaces))
		parallel.Few(workspacesAtOnce, len(workspaces), func(i int) {
			results[i] = c.admitIn(ctx, workspaces[i], turns[workspaces[i]])
		})
		for i, workspaceID := range workspaces {
			for n, t := range turns[workspaceID] {
				t.person.admitted(c.by, t.at, results[i][n])
			}
		}
	}
}

// next returns the turns that a person can take now.
func (p *invitee) next() (turns []turn) {
	if p.asked == len(p.results) {
		return nil
	}
	if !p.known && !p.led && p.lead.Invitation.WorkspaceID != "" {
		return []turn{{p, -1}}
	}
	for p.asked < len(p.results) {
		turns = append(turns, turn{p, p.asked})
		p.asked++
		if !p.known && !p.led {
			break
		}
	}
	return turns
}

// admitIn lets people into one workspace.
func (c *call) admitIn(ctx context.Context, workspaceID string, turns []turn) []Result {
	if c.late() {
		results := make([]Result, len(turns))
		for i := range results {
			results[i] = Result{WorkspaceID: workspaceID, Email: turns[i].person.email, Err: ErrNoTime}
		}
		return results
	}
	people := make([]Member, len(turns))
	for i, t := range turns {
		people[i] = Member{Email: t.person.email, AccountID: t.person.account.ID, Name: t.person.account.Name}
		if t.at >= 0 {
			people[i].Role = c.role
		}
	}
	results := c.Store.Invite(ctx, c.by, workspaceID, people)
	for _, result := range results {
		if result.Err != nil && !c.by.alone() && !errors.Is(result.Err, ErrFull) {
			c.note(ctx, "people were not let in", workspaceID, result.Err)
			break
		}
	}
	return results
}

// admitted stores the result of a turn.
func (p *invitee) admitted(by Inviter, at int, result Result) {
	p.fresh = p.fresh || result.New
	if at < 0 {
		p.takeOver(by, result)
		return
	}
	p.results[at] = result
	if result.Action != Invited && result.Action != Queued {
		return
	}
	p.led = true
	if by.alone() {
		p.lead = Lead{Invitation: result.Invitation, Stands: true}
		return
	}
	if result.Action == Invited && result.Invitation.Agency != by.AgencyID && result.Invitation.Mail != MailSent {
		p.results[at].Action = Queued // its own mail was not handed over, and the lead's tells the person
	}
	if result.Invitation.Agency == by.AgencyID {
		p.lead = Lead{Invitation: result.Invitation, Stands: true}
	}
}

// takeOver stores the result of making a workspace's own invitation the agency's lead. Even if that failed, the person
// has been told, and no other invitation is to lead.
func (p *invitee) takeOver(by Inviter, result Result) {
	switch {
	case errors.Is(result.Err, ErrNoTime):
		p.fail(result.Err)
	case result.Err != nil:
		// The error is of another workspace than those that are asked for.
		p.fail(fmt.Errorf("member: take an invitation over: %v", result.Err))
	case result.Action == Invited && result.Invitation.Agency != by.AgencyID:
		p.led, p.lead = true, Lead{} // another has come to lead since, and whoever made it so sees to its mail
	case result.Action == Invited:
		p.led, p.lead = true, Lead{Invitation: result.Invitation, Stands: true}
	default:
		p.lead = Lead{} // it is over since it was read
	}
}
