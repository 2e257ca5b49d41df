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

// How often people who wait are looked after, and how often the rest of deleted workspaces is taken away.
const (
	cleanupTime = 15 * time.Minute
	purgeTime   = 10 * time.Minute
)

// Arrived does what the directory's trigger does once somebody has signed up, and answers the workspaces that let them in. An error leaves
// something for later, and is none of the sign-up.
func Arrived(p Parts) func(context.Context, identity.Account) (granted []string, err error) {
	return func(ctx context.Context, account identity.Account) ([]string, error) {
		return accountcreated.Run(ctx, accountcreated.Options{Store: p.Store, Directory: p.Identity, Queue: p.Queue, Clock: p.Clock, Log: p.Log}, account)
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
	return purge.Handler(p.options(purge.Group), purge.Options{Store: p.Store, Files: p.Blob, Directory: p.Identity, Log: p.Log})
}
