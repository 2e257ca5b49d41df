// Package agency is the function of an agency's workspaces and of the people in them ("agency" in the contract). Its
// operations take the agency's master key and reach only the agency's own workspaces. A workspace of another agency is
// treated as one that does not exist.
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

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store     Store
	Directory identity.Directory
	Mailer    mail.Mailer // see member.Desk
	Queue     queue.Queue
	SignUpURL string // where people sign up; empty: a mail says to sign up where the operator said
	Clock     clock.Clock
	Log       *slog.Logger // of failures that are made up for later; nil: none
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
