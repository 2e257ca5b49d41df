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
		ID:      "resendInvitation",
		Method:  http.MethodPost,
		Path:    "/api/v2/org/members/invitations/{id}/resend",
		Group:   Group,
		Scope:   workspace.Admin,
		Summary: "Send an invitation's mail again",
		Description: "Sends the mail of an open invitation, also if it is unknown whether an earlier mail was " +
			"sent. The person may then get two. `action` is `invited` if the mail service took the mail. A mail " +
			"that was sent within the last minute, or that another request is sending, is not sent again. The " +
			"invitation keeps its expiry. A person who has signed up meanwhile becomes a member: " +
			"`granted`.\n\nNOT_FOUND means that the workspace has no such open invitation. INVALID_INPUT means " +
			"that an agency's mail for another invitation to the same address covers this one: resend that " +
			"invitation. The response is also INVALID_INPUT if the workspace has sent " +
			fmt.Sprint(member.MostMailsADay) + " invitation mails in this day of UTC. If the mail service did " +
			"not take the mail, the response is a 500 and the invitation stands. With an Idempotency-Key, a " +
			"request whose response was lost can be repeated without another mail.",
		Codes:   []problem.Code{problem.NotFound},
		Example: InviteResult{Action: invited, Invitation: web.Some(exampleInvitation)},
	}, r.resend)
}

// ResendInvitationInput names an invitation.
type ResendInvitationInput struct {
	ID string `path:"id" maxLength:"64" doc:"The invitation's id." example:"inv_01K9Q4T1YV6M3R8Z5B7C2D4E6F"`
}

func (r resend) resend(ctx context.Context, in *ResendInvitationInput) (*InviteResult, error) {
	result := member.Result{Err: member.ErrGone}
	if workspace.ValidID(member.PrefixInvitation, in.ID) {
		result = r.desk.Resend(ctx, inviter(ctx), in.ID, r.agency)
	}
	r.desk.CatchUp(ctx, web.CallerOf(ctx).Workspace.ID)
	switch {
	case errors.Is(result.Err, member.ErrGone):
		return nil, problem.New(
			problem.NotFound,
			"The workspace has no open invitation with this id. GET /api/v2/org/members/invitations lists the "+
				"invitations. If it has expired, invite the person again.",
		)
	case errors.Is(result.Err, member.ErrAgencyMail):
		return nil, problem.New(
			problem.InvalidInput,
			"The invitation has no mail of its own: the agency's mail for its invitation to another workspace "+
				"covers it. Resend that invitation. Or revoke this one and invite the person again: the workspace "+
				"then sends its own mail.",
		)
	}
	return fromResult(result, r.clock.Now())
}

// agency is the name of an agency.
func (r resend) agency(ctx context.Context, id string) (string, error) {
	agency, err := r.store.Agency(ctx, id)
	if err != nil {
		return "", fmt.Errorf("read who invites: %w", err)
	}
	return agency.Name, nil
}
