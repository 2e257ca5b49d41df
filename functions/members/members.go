// Package members is the function of the people of a workspace and who is invited ("members" in the contract). Who has an account becomes
// a member at once, all others are sent one mail; what a person may do is the store's word, which the directory's groups follow. Another
// workspace's member is treated exactly as one that does not exist.
package members

import (
	"context"
	"log/slog"

	"earshot/shared/member"
	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
	"earshot/shared/web"
	"earshot/shared/workspace"
)

// Group names the function, its tag and its folder.
const Group = "members"

// Store is what the function asks of the store.
type Store interface {
	member.Store
	// Members lists a workspace's members, oldest first, and what the directory does not know yet of them and of former ones.
	Members(ctx context.Context, orgID string) ([]member.Member, []member.Move, error)
	// Invitations lists a workspace's invitations, oldest first, expired ones too.
	Invitations(ctx context.Context, orgID string) ([]member.Invitation, error)
	// RevokeInvitation ends an invitation; a repeat of the request finds its work done. Answers store.ErrNotFound.
	RevokeInvitation(ctx context.Context, orgID, id, request string) error
	// Agency reads an agency.
	Agency(ctx context.Context, id string) (workspace.Agency, error)
	// RemoveMember takes a person's membership; a repeat of the request finds its work done. Answers store.ErrNotFound,
	// member.ErrSuperadmin and member.ErrLastAdmin.
	RemoveMember(ctx context.Context, orgID, id, request string) error
}

// Options are what the function works with. A document-only API needs none of it.
type Options struct {
	Store     Store
	Directory identity.Directory
	Mailer    mail.Mailer // nil: the deployment sends no mail, and inviting a person without an account fails
	SignUpURL string      // where people sign up; empty: invitations say to do it where the operator said
	Clock     clock.Clock
	Log       *slog.Logger // of what went wrong beside a request and is made up for by later ones; nil: none
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	desk := member.Desk{Store: o.Store, Directory: o.Directory, Mailer: o.Mailer, SignUpURL: o.SignUpURL, Log: o.Log}
	registerLists(api, lists{o.Store, desk, o.Clock})
	registerInvite(api, invite{desk, o.Clock})
	registerResend(api, resend{o.Store, desk, o.Clock})
	registerRemove(api, remove{o.Store, desk})
}
