// Package members is the function of a workspace's members and invitations ("members" in the contract). A person with
// an account becomes a member at once. Any other person is sent one mail. The package comment of shared/member has the
// states of an invitation. A member of another workspace is treated as one that does not exist.
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
	// Members lists a workspace's members, oldest first, and the moves that are due for them and for former members.
	Members(ctx context.Context, orgID string) ([]member.Member, []member.Move, error)
	// Invitations lists a workspace's invitations, oldest first, expired ones too.
	Invitations(ctx context.Context, orgID string) ([]member.Invitation, error)
	// RevokeInvitation ends an invitation. A repeat of the request returns nil. Returns store.ErrNotFound.
	RevokeInvitation(ctx context.Context, orgID, id, request string) error
	// Agency reads an agency.
	Agency(ctx context.Context, id string) (workspace.Agency, error)
	// RemoveMember deletes a membership. A repeat of the request returns nil. Returns store.ErrNotFound,
	// member.ErrSuperadmin and member.ErrLastAdmin.
	RemoveMember(ctx context.Context, orgID, id, request string) error
}

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store     Store
	Directory identity.Directory
	Mailer    mail.Mailer // see member.Desk
	SignUpURL string      // where people sign up; empty: a mail says to sign up where the operator said
	Clock     clock.Clock
	Log       *slog.Logger // of failures that later requests make up for; nil: none
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	desk := member.Desk{
		Store:     o.Store,
		Directory: o.Directory,
		Mailer:    o.Mailer,
		SignUpURL: o.SignUpURL,
		Stopped:   web.CountStoppedMail,
		Log:       o.Log,
	}
	registerLists(api, lists{o.Store, desk, o.Clock})
	registerInvite(api, invite{desk, o.Clock})
	registerResend(api, resend{o.Store, desk, o.Clock})
	registerRemove(api, remove{o.Store, desk})
}
