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
	at     int // its position among the person's answers; -1: of the lead, which the agency takes over and is none of them
}

// seat lets everybody in. A person without an account first enters one workspace, whose invitation leads, and then the
// others. If the first has no room, the next leads.
func (r *fanoutRun) seat(ctx context.Context) {
	for {
		turns := map[string][]turn{}
		var workspaces []string
		for _, p := range r.people {
			for _, next := range p.next() {
				workspaceID := p.lead.WorkspaceID
				if next.at >= 0 {
					workspaceID = p.answers[next.at].WorkspaceID
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
		seats := make([][]Seat, len(workspaces))
		parallel.Few(workspacesAtOnce, len(workspaces), func(i int) { seats[i] = r.seatIn(ctx, workspaces[i], turns[workspaces[i]]) })
		for i, workspaceID := range workspaces {
			for n, t := range turns[workspaceID] {
				t.person.seated(r.call.By, t.at, seats[i][n])
			}
		}
	}
}

// next returns the turns that a person can take now.
func (p *invitee) next() (turns []turn) {
	if p.asked == len(p.answers) {
		return nil
	}
	if !p.known && !p.led && p.lead.WorkspaceID != "" {
		return []turn{{p, -1}}
	}
	for p.asked < len(p.answers) {
		turns = append(turns, turn{p, p.asked})
		p.asked++
		if !p.known && !p.led {
			break
		}
	}
	return turns
}

// seatIn lets people into one workspace.
func (r *fanoutRun) seatIn(ctx context.Context, workspaceID string, turns []turn) []Seat {
	if r.late() {
		seats := make([]Seat, len(turns))
		for i := range seats {
			seats[i].Err = ErrNoTime
		}
		return seats
	}
	asks := make([]Ask, len(turns))
	for i, t := range turns {
		asks[i] = Ask{Email: t.person.email, AccountID: t.person.account.ID, Name: t.person.account.Name}
		if t.at >= 0 {
			asks[i].Role = r.call.Role
		}
	}
	seats := r.Roster.Seat(ctx, r.call.By, workspaceID, asks)
	for _, seat := range seats {
		if seat.Err != nil && !errors.Is(seat.Err, ErrFull) {
			r.note(ctx, "people were not let in", workspaceID, seat.Err)
			break
		}
	}
	return seats
}

// seated stores the result of a turn.
func (p *invitee) seated(by Inviter, at int, seat Seat) {
	p.fresh = p.fresh || seat.New
	if at < 0 {
		p.takeOver(by, seat)
		return
	}
	p.seats[at] = seat
	p.answers[at].Action, p.answers[at].Err = seat.Action, seat.Err
	if seat.Action != Invited && seat.Action != Queued {
		return
	}
	p.led = true
	if seat.Action == Invited && seat.Invitation.Agency != by.ID && seat.Invitation.Mail != MailSent {
		p.answers[at].Action = Queued // its own mail was not handed over, and the lead's tells the person
	}
	if seat.Invitation.Agency == by.ID {
		p.lead = Lead{WorkspaceID: p.answers[at].WorkspaceID, Stands: true, Invitation: seat.Invitation}
	}
}

// takeOver stores the result of making a workspace's own invitation the agency's lead. Even if that failed, the person
// has been told, and no other invitation is to lead.
func (p *invitee) takeOver(by Inviter, seat Seat) {
	switch {
	case errors.Is(seat.Err, ErrNoTime):
		p.fail(seat.Err)
	case seat.Err != nil:
		p.fail(fmt.Errorf("member: take an invitation over: %v", seat.Err)) // of another workspace than those that are asked for
	case seat.Action == Invited && seat.Invitation.Agency != by.ID:
		p.led, p.lead = true, Lead{} // another has come to lead since, and whoever made it so sees to its mail
	case seat.Action == Invited:
		p.led, p.lead = true, Lead{WorkspaceID: p.lead.WorkspaceID, Stands: true, Invitation: seat.Invitation}
	default:
		p.lead = Lead{} // it is over since it was read
	}
}
