package deployment

import (
	"context"
	"time"

	"earshot/functions/members/accountcreated"
	"earshot/functions/members/invitations"
	"earshot/functions/members/invitecleanup"
	"earshot/functions/purge"
	"earshot/shared/member"
	"earshot/shared/port/identity"
	"earshot/shared/worker"
)

// How often waiting invitations are looked at, and how often deleted workspaces are purged.
const (
	cleanupTime = 15 * time.Minute
	purgeTime   = 10 * time.Minute
)

// Arrived does what the directory's trigger does after a sign-up, and returns the workspaces that the person joined.
// An error means that something is left for later; the sign-up itself did not fail.
func Arrived(p Parts) func(context.Context, identity.Account) (granted []string, err error) {
	return func(ctx context.Context, account identity.Account) ([]string, error) {
		return accountcreated.Run(
			ctx,
			accountcreated.Options{Store: p.Store, Directory: p.Identity, Queue: p.Queue, Clock: p.Clock, Log: p.Log},
			account,
		)
	}
}

func nudges(p Parts) worker.QueueHandler {
	return invitations.Handler(p.options(invitations.Group),
		member.Desk{Store: p.Store, Directory: p.Identity, Clock: p.Clock, Log: p.Log})
}

func cleanups(p Parts) worker.ScheduleHandler {
	return invitecleanup.Handler(p.options(invitecleanup.Group),
		invitecleanup.Options{Store: p.Store, Directory: p.Identity, Queue: p.Queue, Clock: p.Clock, Log: p.Log})
}

func purges(p Parts) worker.ScheduleHandler {
	return purge.Handler(
		p.options(purge.Group),
		purge.Options{
			Store: p.Store, Files: p.Blob, DayFiles: p.DayFiles, Directory: p.Identity, Slack: p.Slack, Log: p.Log,
		},
	)
}
