// Package accountcreated lets a person who has just signed up into all workspaces that invite them. Cognito calls it as
// its post-confirmation trigger, and the person waits for it. It therefore works for a short time only. The message
// that it sends first does what is left. A failure of it never fails the sign-up.
package accountcreated

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"earshot/events/message/nudge"
	"earshot/shared/member"
	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
	"earshot/shared/port/queue"
	"earshot/shared/worker"
)

// Group names the function and its folder.
const Group = "accountcreated"

// Store is what the function asks of the store.
type Store interface {
	member.Store
	// Person names the invitations of an address, and the workspaces that it is a member of.
	Person(ctx context.Context, email string) (invited []member.InvitationKey, memberOf []string, err error)
}

// Options configure the function.
type Options struct {
	Store     Store
	Directory identity.Directory
	Queue     queue.Queue
	Clock     clock.Clock
	Log       *slog.Logger // of what went wrong and is made up for later
}

const (
	// patience is how long one sign-up is worked at, by the machine's clock. Cognito waits for 5 s, and calls again
	// after that.
	patience = 3 * time.Second
	// partTime is how long of it the queue may take for the message, and the directory to say who a person is: neither
	// is needed to let somebody in.
	partTime = time.Second
	// nudgeDelay is how long the message takes: by then the trigger has done what it can, and usually left nothing to
	// do.
	nudgeDelay = 10 * time.Second
)

// confirmed is the event of a sign-up. Cognito calls the trigger also when somebody has set a new password.
const confirmed = "PostConfirmation_ConfirmSignUp"

// OfPool hands each event to the handler of the user pool that it comes from. The function learns of its pool by the
// event and not by its environment: a pool that names the function and a function that names the pool could not be
// made, each would have to be there first. An event without a pool goes to the handler of the empty id.
func OfPool(handler func(poolID string) worker.TriggerHandler) worker.TriggerHandler {
	return func(ctx context.Context, event json.RawMessage) (json.RawMessage, error) {
		var of struct {
			UserPoolID string `json:"userPoolId"`
		}
		_ = json.Unmarshal(event, &of) // the handler itself reports what cannot be read
		return handler(of.UserPoolID)(ctx, event)
	}
}

// Handler answers Cognito. It looks at sign-ups by which the person has shown the address to be theirs; of all others
// the schedule finds out once they have.
func Handler(on worker.Options, o Options) worker.TriggerHandler {
	return worker.Trigger(
		on,
		told,
		func(ctx context.Context, event events.CognitoEventUserPoolsPostConfirmation) error {
			of := event.Request.UserAttributes
			if event.TriggerSource != confirmed || of["email_verified"] != "true" || event.UserName == "" ||
				!identity.CanBeEmail(of["email"]) {
				worker.Count(ctx, "ignored", 1)
				return nil
			}
			_, err := Run(ctx, o, identity.Account{ID: event.UserName, Email: of["email"], Name: of["name"]})
			return err
		},
	)
}

// told names the account by its id: of the attributes none goes into the log.
func told(event events.CognitoEventUserPoolsPostConfirmation) []slog.Attr {
	return []slog.Attr{slog.String("trigger", event.TriggerSource), slog.String("account", event.UserName)}
}

// Run lets an account in wherever its address is invited, as far as it comes, and answers the workspaces that were
// granted now. An error leaves something to do, which the message does that was sent, or the schedule.
func Run(ctx context.Context, o Options, account identity.Account) (granted []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	invited, workspaces, unread := o.Store.Person(ctx, account.Email)
	unsent := o.nudge(ctx, invited)
	for _, invitation := range invited {
		workspaces = append(workspaces, invitation.WorkspaceID)
	}
	account, unknown := o.first(ctx, account)
	desk := member.Desk{Store: o.Store, Directory: o.Directory, Clock: o.Clock, Log: o.Log}
	granted, moved, left := desk.Welcome(ctx, account, workspaces...)
	worker.Count(ctx, "granted", len(granted))
	worker.Count(ctx, "moved", moved)
	return granted, errors.Join(unread, unsent, unknown, left)
}

// nudge has the invitations of a person looked at shortly.
func (o Options) nudge(ctx context.Context, invited []member.InvitationKey) error {
	messages, err := nudge.FromInvitations(invited)
	if err != nil || len(messages) == 0 {
		return err
	}
	for i := range messages {
		messages[i].Delay = nudgeDelay
	}
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	if err := o.Queue.Send(ctx, queue.Invitations, messages...); err != nil {
		return fmt.Errorf("send a nudge: %w", err)
	}
	worker.Count(ctx, "nudged", len(invited))
	return nil
}

// first is the account that the directory takes for the person's where one address has several, as it has when somebody
// comes by another provider: who is let in is the same then, whichever of message and trigger does it. What the
// directory does not know yet is taken as it came.
func (o Options) first(ctx context.Context, created identity.Account) (identity.Account, error) {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	known, err := o.Directory.Account(ctx, created.Email)
	switch {
	case errors.Is(err, identity.ErrNoAccount):
		return created, nil
	case err != nil:
		return created, fmt.Errorf("look an account up: %w", err)
	}
	return known, nil
}
