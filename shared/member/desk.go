package member

import (
	"context"
	"errors"
	"time"

	"earshot/shared/parallel"
	"earshot/shared/port/identity"
)

// Fanout lets many people into many workspaces of an agency at once. A person with an account becomes a member of each
// workspace. Any other person is invited to each and sent one mail: see Lead. A call may be repeated, at once and in
// another order: it returns what is done already as it stands, and does what is left.
type Fanout struct {
	Desk
	Roster Roster
	Nudges Nudges
}

// Nudges schedules a later check whether the people of invitations have an account by then.
type Nudges interface {
	// Nudge takes the invitations of each person. The schedule makes up for what is lost.
	Nudge(ctx context.Context, people [][]InvitationKey) error
}

// Call is the request to a Fanout.
type Call struct {
	By         Inviter
	Workspaces []string // of the agency's, each once, in the order of the answer
	Emails     []string // each once, whatever the case of its letters
	Role       Role
}

// Answer is the result for one person in one workspace.
type Answer struct {
	WorkspaceID string
	Email       string
	Action      Action // empty: it failed
	// Err is why it failed: ErrFull, ErrDaily, ErrUnmailable, ErrNoTime, ErrDirectory, ErrUntold, ErrUnsettled, mail.ErrRefused,
	// mail.ErrThrottled, ErrUnsure, the store's own for a workspace that is gone, or that of a part that did not do its work, which has been
	// logged.
	Err  error
	Lead InvitationKey // of ErrUnsure and ErrUnsettled: the invitation whose mail it is
}

// Errors of one person in one workspace.
var (
	// ErrNoTime means that nothing was begun.
	ErrNoTime = errors.New("member: there was no time left")
	// ErrDirectory means that nobody knows whether the person has an account, because the directory did not respond.
	// Nothing was begun.
	ErrDirectory = errors.New("member: the directory did not answer")
)

// How a fan-out uses the time of its request, for which API Gateway waits 29 s. Whatever one begins ends within some seconds.
const (
	lookTime    = 8 * time.Second  // within which accounts are looked up: a slow directory leaves time to let some people in
	fanoutTime  = 20 * time.Second // within which everything is begun
	fanoutSpare = 6 * time.Second  // before the context's own end, in which nothing is begun
)

// How much a fan-out does at the same time.
const (
	peopleAtOnce     = 8 // accounts and mails: see pace
	workspacesAtOnce = 4 // all of which read and check the same leads: a transaction that meets another at a row is repeated
)

// Invite lets people in, and returns a result for each person in each workspace: the workspaces of the first person, in
// their order, then those of the next. With an error nothing has happened.
func (f Fanout) Invite(ctx context.Context, call Call) ([]Answer, error) {
	begins, cancel := context.WithTimeout(ctx, fanoutTime)
	defer cancel()
	if end, bounded := ctx.Deadline(); bounded {
		begins, cancel = context.WithDeadline(begins, end.Add(-fanoutSpare))
		defer cancel()
	}
	run := &fanoutRun{Fanout: f, call: call, begins: begins, people: make([]*invitee, len(call.Emails))}
	for i, email := range call.Emails {
		run.people[i] = &invitee{email: email, answers: make([]Answer, len(call.Workspaces)), seats: make([]Seat, len(call.Workspaces))}
		for n, workspaceID := range call.Workspaces {
			run.people[i].answers[n] = Answer{WorkspaceID: workspaceID, Email: email}
		}
	}
	run.lookUp()
	if err := run.readLeads(ctx); err != nil {
		return nil, err
	}
	run.seat(ctx)
	run.tell(ctx)
	run.judge(ctx)
	run.follow(ctx)
	answers := make([]Answer, 0, len(call.Emails)*len(call.Workspaces))
	for _, person := range run.people {
		answers = append(answers, person.answers...)
	}
	return answers, nil
}

// A fanoutRun is one Call under way.
type fanoutRun struct {
	Fanout
	call   Call
	begins context.Context // ends when nothing more is to be begun
	people []*invitee
}

// late reports whether the time to start work is over.
func (r *fanoutRun) late() bool { return r.begins.Err() != nil }

// An invitee is one person of a call.
type invitee struct {
	email   string
	account identity.Account
	known   bool // has an account

	answers []Answer // by the call's workspaces
	seats   []Seat
	asked   int // how many of the answers are there, or on their way: they are asked for in their order

	lead  Lead // as far as it was read; its mail is due when its invitation says so
	led   bool // there is a lead, that or another
	fresh bool // an invitation was made now
	told  bool // what became of the lead's mail is part of the answers
}

// fail answers everything of the person that has no answer yet.
func (p *invitee) fail(err error) {
	for ; p.asked < len(p.answers); p.asked++ {
		p.answers[p.asked].Err = err
	}
}

// each does something for several people at the same time.
func each(people []*invitee, do func(*invitee)) {
	parallel.Few(peopleAtOnce, len(people), func(i int) { do(people[i]) })
}

// lookUp finds the people's accounts.
func (r *fanoutRun) lookUp() {
	looks, cancel := context.WithTimeout(r.begins, lookTime)
	defer cancel()
	turn := newPace(lookPace)
	defer turn.end()
	each(r.people, func(p *invitee) {
		err := turn.wait(looks)
		if err == nil {
			p.account, p.known, err = r.account(looks, p.email)
		}
		switch {
		case err == nil:
		case looks.Err() != nil:
			p.fail(ErrNoTime)
		default:
			r.note(looks, "an account could not be looked up", "", err)
			p.fail(ErrDirectory)
		}
	})
}

// readLeads reads by what the people without an account are told.
func (r *fanoutRun) readLeads(ctx context.Context) error {
	var people []*invitee
	var emails []string
	for _, p := range r.people {
		if !p.known && p.asked == 0 {
			people, emails = append(people, p), append(emails, p.email)
		}
	}
	if len(people) == 0 {
		return nil
	}
	leads, err := r.Roster.Leads(ctx, r.call.By, emails)
	for i, lead := range leads {
		people[i].lead, people[i].led = lead, lead.Stands
	}
	return err
}
