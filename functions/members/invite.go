package members

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/member"
	"earshot/shared/port/clock"
	"earshot/shared/port/mail"
	"earshot/shared/web"
	"earshot/shared/web/memberwire"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

type invite struct {
	desk  member.Desk
	clock clock.Clock
}

func registerInvite(api *web.API, i invite) {
	web.Register(api, web.Operation{
		ID: "inviteMember", Method: http.MethodPost, Path: "/api/v2/org/members/invite", Group: Group, Scope: workspace.Admin,
		Summary: "Make a person a member, or invite them",
		Description: "Who has an account becomes a member at once and is sent no mail: `action` is `granted`. Anybody else is sent one mail, " +
			"and becomes a member by signing up with that address within 30 days: `action` is `invited`. While an invitation is open, " +
			"inviting the person again sends no second mail: it answers the same invitation, with the role that was asked for last. So it does when the " +
			"workspace's agency has invited the person to it: the agency's mail tells them.\n\nWho is a " +
			"member already is ITEM_EXISTS. INVALID_INPUT when no mail can be sent to the address, and when the workspace would have more than " +
			fmt.Sprint(member.MostPeople) + " members and open invitations.\n\nWhen the mail could not be handed over, the answer is a " +
			"500, the invitation stands, and the same request again sends the mail; but not where nobody knows whether it was handed over.",
		Codes:   []problem.Code{problem.ItemExists},
		Example: InviteResult{Action: invited, Invitation: web.Some(exampleInvitation)},
	}, i.invite)
}

// InviteMember asks a person into the workspace.
type InviteMember struct {
	Email memberwire.Email `json:"email"`
	Role  memberwire.Role  `json:"role"`
}

// Resolve reports what the pattern of an address cannot say.
func (m InviteMember) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	return memberwire.EmailFaults(at, "email", m.Email)
}

// InviteInput is the request.
type InviteInput struct{ Body InviteMember }

// InviteAction says what came of an invite.
type InviteAction string

// The values.
const (
	granted InviteAction = "granted"
	invited InviteAction = "invited"
)

// Schema lists its values.
func (InviteAction) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{string(granted), string(invited)},
		Description: "granted: the person is a member. invited: the person is one after signing up."}
}

// InviteResult is what came of an invite.
type InviteResult struct {
	Action     InviteAction         `json:"action"`
	Member     web.Null[Member]     `json:"member" doc:"Of a person who has an account; else null."`
	Invitation web.Null[Invitation] `json:"invitation" doc:"Of a person who has none yet; else null."`
}

func (i invite) invite(ctx context.Context, in *InviteInput) (*InviteResult, error) {
	caller := web.CallerOf(ctx)
	outcome, err := i.desk.Invite(ctx, member.Invite{
		WorkspaceID: caller.Workspace.ID, Workspace: caller.Workspace.Name, Email: string(in.Body.Email), Role: member.Role(in.Body.Role),
		InvitedBy: caller.Key.ID, Request: web.Repeated(ctx),
	})
	i.desk.CatchUp(ctx, caller.Workspace.ID)
	switch {
	case err != nil:
		return nil, refused(err)
	case outcome.Member != nil:
		return &InviteResult{Action: granted, Member: web.Some(fromMember(*outcome.Member))}, nil
	}
	return &InviteResult{Action: invited, Invitation: web.Some(fromInvitation(*outcome.Invitation, i.clock.Now()))}, nil
}

// refused is the answer to an invite that came to nothing.
func refused(err error) error {
	switch {
	case errors.Is(err, member.ErrExists):
		return problem.New(problem.ItemExists, "A person with this address is a member of the workspace already.")
	case errors.Is(err, member.ErrFull):
		return problem.New(problem.InvalidInput, "A workspace has at most %d members and open invitations. Remove a member first.", member.MostPeople)
	case errors.Is(err, member.ErrUnmailable):
		return problem.New(problem.InvalidInput, "No mail can be sent to this address: look for a typing error in it. If there is none, "+
			"ask the deployment's operator whether it sends mail at all.")
	case errors.Is(err, member.ErrRemoved):
		return problem.New(problem.InvalidInput, "This request was done before, and what it made has been removed since. "+
			"Use a new Idempotency-Key for a new request.")
	case errors.Is(err, mail.ErrRefused):
		return problem.New(problem.InternalError, "The mail service refuses to send the invitation to this address now. The invitation stands: "+
			"send the request again later to have the mail sent, or tell the person to sign up with this address.").Because(err)
	case errors.Is(err, member.ErrUnsure):
		return problem.New(problem.InternalError, "It is not known whether the mail service took the invitation's mail, so that it is not sent again. "+
			"The invitation stands: the person becomes a member by signing up with this address.").Because(err)
	case errors.Is(err, mail.ErrThrottled):
		return problem.New(problem.InternalError, "The invitation's mail could not be handed over. The invitation stands: send the request again "+
			"to have the mail sent.").Because(err)
	}
	return err
}
