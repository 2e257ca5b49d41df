package member

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"earshot/shared/parallel"
	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
	"earshot/shared/workspace"
)

// Desk lets people into workspaces.
type Desk struct {
	Store     Store
	Directory identity.Directory
	Mailer    mail.Mailer // nil: the deployment has no address to send from, and no address can be mailed
	SignUpURL string      // see letter
	// Nudge schedules a later check whether the people of an agency's queued invitations have an account by then. It
	// takes the invitations of each person. The schedule makes up for what is lost.
	Nudge func(ctx context.Context, people [][]InvitationKey) error
	// Stopped hears of each mail that a fault of the sender stopped (mail.ErrSender). Nil: nobody does.
	Stopped func(ctx context.Context)
	Clock   clock.Clock  // of LetIn
	Log     *slog.Logger // of what went wrong and is made up for later
}

// Inviter is the agency or the workspace that invites.
type Inviter struct {
	AgencyID, Agency string                // the agency's id and name; empty: the workspace invites by itself
	KeyID            string                // of the API key
	Workspaces       []workspace.Workspace // all that the agency has, oldest first, or the one that invites
	Request          string                // see Store.Invite; empty: not to be repeated, as an agency's are
}

// Workspace returns one of the inviter's workspaces. ok is false if the inviter does not have it.
func (by Inviter) Workspace(id string) (w workspace.Workspace, ok bool) {
	for _, w := range by.Workspaces {
		if w.ID == id {
			return w, true
		}
	}
	return workspace.Workspace{}, false
}

// alone reports whether a workspace invites by itself.
func (by Inviter) alone() bool { return by.AgencyID == "" }

// Action is the result of inviting a person into a workspace.
type Action string

// The actions.
const (
	Granted Action = "granted" // a member, without a mail
	Invited Action = "invited" // to become a member by signing up, as a mail says
	Queued  Action = "queued"  // the same without a mail of its own: that of another workspace tells the person
)

// Result is what came of inviting one person into one workspace.
type Result struct {
	WorkspaceID string
	Email       string
	Action      Action // empty: it failed
	// Err is why it failed: ErrFull, ErrDaily, ErrUnmailable, ErrNoTime, ErrDirectory, ErrUntold, ErrUnsettled,
	// ErrUnsure, mail.ErrRefused, mail.ErrThrottled, or the store's own for a workspace that is gone. For a workspace
	// that invites by itself also ErrExists, ErrRemoved, ErrGone and ErrAgencyMail. Any other error comes from a part
	// that failed, and has been logged. The same call again continues where this one ended.
	Err        error
	Member     *Member       // of Granted, if a workspace invites by itself
	Invitation Invitation    // of Invited and Queued, and of errors with which the invitation stands
	New        bool          // the invitation was made now, or has become the agency's lead now
	Lead       InvitationKey // of ErrUnsure and ErrUnsettled: the invitation whose mail it is
}

// Errors of one person in one workspace.
var (
	// ErrNoTime means that nothing was begun.
	ErrNoTime = errors.New("member: there was no time left")
	// ErrDirectory means that nobody knows whether the person has an account, because the directory did not respond.
	// Nothing was begun.
	ErrDirectory = errors.New("member: the directory did not answer")
)

// How an agency's call uses the time of its request, for which API Gateway waits 29 s. Whatever one begins ends within
// some seconds.
const (
	lookTime  = 8 * time.Second  // within which accounts are looked up: a slow directory leaves time to let some people in
	callTime  = 20 * time.Second // within which everything is begun
	callSpare = 6 * time.Second  // before the context's own end, in which nothing is begun
)

// How much a call does at the same time.
const (
	peopleAtOnce = 8 // accounts and mails
	// workspacesAtOnce all read and check the same leads. A transaction that meets another at a row is repeated.
	workspacesAtOnce = 4
)

// Invite lets people into workspaces of the inviter. It returns a result for each person in each workspace: the
// workspaces of the first person, in their order, then those of the next. Workspaces and emails are each given once,
// whatever the case of the letters. A workspace that invites by itself does so for one person.
//
// A person with an account becomes a member of each workspace. Any other person is invited to each, and sent one mail
// (see Lead). A call may be repeated, at once and in another order: it returns what is done already as it stands, and
// does what is left. With an error nothing has happened.
func (d Desk) Invite(ctx context.Context, by Inviter, workspaces, emails []string, role Role) ([]Result, error) {
	call := &call{Desk: d, by: by, role: role, begins: ctx, looks: ctx, people: make([]*invitee, len(emails))}
	if !by.alone() {
		defer call.limit(ctx)()
	}
	for i, email := range emails {
		call.people[i] = &invitee{email: email, results: make([]Result, len(workspaces))}
		for n, workspaceID := range workspaces {
			call.people[i].results[n] = Result{WorkspaceID: workspaceID, Email: email}
		}
	}
	call.lookUp()
	if err := call.readLeads(ctx); err != nil {
		return nil, err
	}
	call.admit(ctx)
	call.tell(ctx)
	call.judge(ctx)
	call.follow(ctx)
	results := make([]Result, 0, len(workspaces)*len(emails))
	for _, person := range call.people {
		results = append(results, person.results...)
	}
	return results, nil
}

// A call is one Invite under way.
type call struct {
	Desk
	by     Inviter
	role   Role
	begins context.Context // ends when nothing more is to be begun
	looks  context.Context // ends when accounts are no longer looked up before anything else
	people []*invitee
}

// limit bounds the time of a call. Call its result at the end.
func (c *call) limit(ctx context.Context) (end func()) {
	until := time.Now().Add(callTime) // the machine's clock, as deadlines are
	if end, bounded := ctx.Deadline(); bounded && end.Add(-callSpare).Before(until) {
		until = end.Add(-callSpare)
	}
	begins, endBegins := context.WithDeadline(ctx, until)
	looks, endLooks := context.WithTimeout(begins, lookTime)
	c.begins, c.looks = begins, looks
	return func() { endLooks(); endBegins() }
}

// late reports whether the time to start work is over.
func (c *call) late() bool { return c.begins.Err() != nil }

// An invitee is one person of a call.
type invitee struct {
	email   string
	account identity.Account
	known   bool // has an account

	results []Result // by the call's workspaces
	asked   int      // how many of the results are there, or on their way: they are asked for in their order

	lead  Lead // as far as it was read; its mail is due when its invitation says so
	led   bool // there is a lead, that or another
	fresh bool // an invitation was made now
	told  bool // what became of the lead's mail is part of the results
}

// fail ends everything of the person that has no result yet.
func (p *invitee) fail(err error) {
	for ; p.asked < len(p.results); p.asked++ {
		p.results[p.asked].Err = err
	}
}

// each does something for several people at the same time.
func each(people []*invitee, do func(*invitee)) {
	parallel.Few(peopleAtOnce, len(people), func(i int) { do(people[i]) })
}

// lookUp finds the people's accounts.
func (c *call) lookUp() {
	each(c.people, func(p *invitee) {
		var err error
		p.account, p.known, err = c.account(c.looks, p.email)
		switch {
		case err == nil:
		case c.looks.Err() != nil, errors.Is(err, context.DeadlineExceeded): // a directory may have a pace of its own
			p.fail(fmt.Errorf("%w: %w", ErrNoTime, err))
		default:
			c.note(c.looks, "an account could not be looked up", "", err)
			p.fail(fmt.Errorf("%w: %w", ErrDirectory, err))
		}
	})
}

// account looks up the account with an address. known is false if there is none.
func (d Desk) account(ctx context.Context, email string) (account identity.Account, known bool, err error) {
	if err := ctx.Err(); err != nil {
		return account, false, fmt.Errorf("look an account up: %w", err)
	}
	account, err = d.Directory.Account(ctx, email)
	switch {
	case errors.Is(err, identity.ErrNoAccount):
		return account, false, nil
	case err != nil:
		return account, false, fmt.Errorf("look an account up: %w", err)
	}
	return account, true, nil
}

// readLeads reads the agency's leads for the people without an account.
func (c *call) readLeads(ctx context.Context) error {
	var people []*invitee
	var emails []string
	for _, p := range c.people {
		if !c.by.alone() && !p.known && p.asked == 0 {
			people, emails = append(people, p), append(emails, p.email)
		}
	}
	if len(people) == 0 {
		return nil
	}
	leads, err := c.Store.Leads(ctx, c.by, emails)
	for i, lead := range leads {
		people[i].lead, people[i].led = lead, lead.Stands
	}
	return err
}

// note logs what went wrong, if anything did.
func (d Desk) note(ctx context.Context, what, workspaceID string, err error) {
	if err != nil {
		d.Log.ErrorContext(ctx, what, "workspace", workspaceID, "cause", err)
	}
}
