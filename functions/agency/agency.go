// Package agency is the function of an agency's workspaces and of who is let into them ("agency" in the contract): its operations take
// the agency's master key, and reach the agency's own workspaces alone. Another agency's workspace is treated exactly as one that does
// not exist.
package agency

import (
	"log/slog"

	"earshot/shared/member"
	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
	"earshot/shared/port/queue"
	"earshot/shared/web"
)

// Group names the function, its tag and its folder.
const Group = "agency"

// Store is what the function asks of the store.
type Store interface {
	Workspaces
	member.Store
}

// Options are what the function works with. A document-only API needs none of it.
type Options struct {
	Store     Store
	Directory identity.Directory
	Mailer    mail.Mailer // nil: the deployment sends no mail, and inviting a person without an account fails
	Queue     queue.Queue
	SignUpURL string // where people sign up; empty: invitations say to do it where the operator said
	Clock     clock.Clock
	Log       *slog.Logger // of what went wrong beside a request and is made up for later; nil: none
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	registerRead(api, o)
	registerCreate(api, o)
	registerDelete(api, o)
	registerInvite(api, o)
}
