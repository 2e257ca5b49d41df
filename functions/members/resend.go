package members

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"earshot/shared/member"
	"earshot/shared/port/clock"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

type resend struct {
	store Store
	desk  member.Desk
	clock clock.Clock
}

func registerResend(api *web.API, r resend) {
	web.Register(api, web.Operation{
		ID: "resendInvitation", Method: http.MethodPost, Path: "/api/v2/org/members/invitations/{id}/resend", Group: Group,
		Scope: workspace.Admin, Summary: "Send an invitation's mail again",
		Description: "Sends the mail of an open invitation, also if it is not known whether an earlier one was handed over: the person may get two " +
			"then. `action` is `invited` when the mail was handed over. A mail that was handed over within the last minute is not sent a second " +
			"time, nor is one that another request is sending at this moment. The invitation ends when it would have. A person who has " +
			"signed up meanwhile becomes a member: `granted`.\n\nNOT_FOUND when the workspace has no such open invitation. INVALID_INPUT " +
			"for an invitation that its agency's mail to the same address tells of, which is to be sent again for the invitation that it is of; " +
			"and when the workspace has sent " + fmt.Sprint(member.MostMailsADay) + " invitation mails in this day of UTC. When the mail could " +
			"not be handed over, the response is a 500, and the invitation stands. Send an Idempotency-Key, and a request whose answer was " +
			"lost can be repeated without a further mail.",
		Codes:   []problem.Code{problem.NotFound},
		Example: InviteResult{Action: invited, Invitation: web.Some(exampleInvitation)},
	}, r.resend)
}

// ResendInvitationInput names an invitation.
type ResendInvitationInput struct {
	ID string `path:"id" maxLength:"64" doc:"The invitation's id." example:"inv_01K9Q4T1YV6M3R8Z5B7C2D4E6F"`
}

func (r resend) resend(ctx context.Context, in *ResendInvitationInput) (*InviteResult, error) {
	caller := web.CallerOf(ctx)
	outcome, err := member.Outcome{}, member.ErrGone
	if workspace.ValidID(member.PrefixInvitation, in.ID) {
		outcome, err = r.desk.Resend(ctx, member.Resend{
			WorkspaceID: caller.Workspace.ID, Workspace: caller.Workspace.Name, InvitationID: in.ID, Request: web.Repeated(ctx), Agency: r.agency,
		})
	}
	r.desk.CatchUp(ctx, caller.Workspace.ID)
	switch {
	case errors.Is(err, member.ErrGone):
		return nil, problem.New(problem.NotFound, "The workspace has no open invitation with this id. GET /api/v2/org/members/invitations lists "+
			"those that it has.")
	case err != nil:
		return nil, refused(outcome, err)
	}
	return fromOutcome(outcome, r.clock.Now()), nil
}

// agency is the name of an agency.
func (r resend) agency(ctx context.Context, id string) (string, error) {
	agency, err := r.store.Agency(ctx, id)
	if err != nil {
		return "", fmt.Errorf("read who invites: %w", err)
	}
	return agency.Name, nil
}
