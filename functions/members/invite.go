package members

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

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
		ID:      "inviteMember",
		Method:  http.MethodPost,
		Path:    "/api/v2/org/members/invite",
		Group:   Group,
		Scope:   workspace.Admin,
		Summary: "Make a person a member, or invite them",
		Description: "A person who has an account becomes a member at once and gets no mail: `action` is " +
			"`granted`. Any other person gets one mail, and becomes a member by signing up with that address " +
			"within 30 days. `action` is `invited` if the mail service took that mail. While an invitation is " +
			"open, inviting the person again sends no second mail. It returns the same invitation, with the " +
			"role of the last request. The same holds if the workspace's agency has invited the person to it, " +
			"because the agency's mail covers the invitation.\n\nA person who is a member already is " +
			"ITEM_EXISTS. The response is INVALID_INPUT in three cases. The address cannot receive mail. The " +
			"workspace would have more than " + fmt.Sprint(member.MostPeople) + " members and open invitations. " +
			"The workspace has sent " + fmt.Sprint(member.MostMailsADay) + " invitation mails in this day of " +
			"UTC.\n\nIf the mail service did not take the mail, the response is a 500. The invitation stands, " +
			"and the same request sends the mail again. If it is unknown whether the mail service took the " +
			"mail, the response is a 500 too. From then on it is INVALID_INPUT: the mail is not sent again " +
			"until POST /api/v2/org/members/invitations/{id}/resend asks for it.",
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
		Description: "granted: the person is a member. invited: the person becomes a member by signing up."}
}

// InviteResult is what came of an invite.
type InviteResult struct {
	Action     InviteAction         `json:"action"`
	Member     web.Null[Member]     `json:"member" doc:"The member, if the person has an account. Otherwise null."`
	Invitation web.Null[Invitation] `json:"invitation" doc:"The invitation, if the person has no account yet. Otherwise null."`
}

func (i invite) invite(ctx context.Context, in *InviteInput) (*InviteResult, error) {
	caller := web.CallerOf(ctx)
	results, err := i.desk.Invite(
		ctx, inviter(ctx), []string{caller.Workspace.ID}, []string{string(in.Body.Email)}, member.Role(in.Body.Role),
	)
	if err != nil {
		return nil, err
	}
	return fromResult(results[0], i.clock.Now())
}

// inviter returns the caller's workspace as it invites by itself.
func inviter(ctx context.Context) member.Inviter {
	caller := web.CallerOf(ctx)
	return member.Inviter{
		KeyID:      caller.Key.ID,
		Workspaces: []workspace.Workspace{{ID: caller.Workspace.ID, Name: caller.Workspace.Name}},
		Request:    web.Repeated(ctx),
	}
}

func fromResult(result member.Result, now time.Time) (*InviteResult, error) {
	switch {
	case result.Err != nil:
		return nil, refused(result)
	case result.Action == member.Granted:
		return &InviteResult{Action: granted, Member: web.Some(fromMember(*result.Member))}, nil
	}
	return &InviteResult{Action: invited, Invitation: web.Some(fromInvitation(result.Invitation, now))}, nil
}

// refused is the response to an invite, or to a mail that is to be sent again, that came to nothing.
func refused(result member.Result) error {
	err := result.Err
	resend := "POST /api/v2/org/members/invitations/" + result.Invitation.ID + "/resend sends it again."
	switch {
	case errors.Is(err, member.ErrAgencyMail):
		return problem.New(
			problem.InvalidInput,
			"The agency's mail for its invitation to another workspace covers this invitation, and it is "+
				"unknown whether the mail was sent. Resend that invitation. Or revoke this one and invite the person again: the "+
				"workspace then sends its own mail.",
		)
	case errors.Is(err, member.ErrGone):
		return problem.New(
			problem.InvalidInput,
			"The invitation was revoked at the same moment. Send the request again, with another "+
				"Idempotency-Key if it had one, to invite the person again.",
		)
	case errors.Is(err, member.ErrDaily):
		return problem.New(
			problem.InvalidInput,
			"A workspace sends at most %d invitation mails in a day of UTC. Invite further people after "+
				"00:00 UTC.",
			member.MostMailsADay,
		)
	case errors.Is(err, member.ErrUnsettled):
		return problem.New(
			problem.InvalidInput,
			"It is not known whether the invitation's mail was handed over: the mail service did not say, or "+
				"another request is sending it at this moment. The invitation stands: the person becomes a member by signing up with this "+
				"address. %s",
			resend,
		)
	case errors.Is(err, member.ErrExists):
		return problem.New(
			problem.ItemExists,
			"A person with this address is a member of the workspace already. GET /api/v2/org/members lists the members.",
		)
	case errors.Is(err, member.ErrFull):
		return problem.New(
			problem.InvalidInput, "A workspace has at most %d members and open invitations. Remove a member first.",
			member.MostPeople,
		)
	case errors.Is(err, member.ErrUnmailable):
		return problem.New(
			problem.InvalidInput,
			"This address cannot receive mail. Check it for typos. If there is none, "+
				"ask the deployment's operator whether the deployment sends mail.",
		)
	case errors.Is(err, member.ErrRemoved):
		return problem.New(
			problem.InvalidInput,
			"This request was done before, and its member or invitation has been removed since. "+
				"Use a new Idempotency-Key for a new request.",
		)
	case errors.Is(err, mail.ErrRefused):
		return problem.New(problem.InternalError,
			"The mail service refuses to send the invitation to this address now. The invitation stands: "+
				"send the request again later to have the mail sent, or tell the person to sign up with this address.").
			Because(err)
	case errors.Is(err, member.ErrUnsure):
		return problem.New(problem.InternalError,
			"It is not known whether the mail service took the invitation's mail, so it is not sent again by "+
				"itself. The invitation stands: the person becomes a member by signing up with this address. %s", resend).
			Because(err)
	case errors.Is(err, mail.ErrThrottled), errors.Is(err, member.ErrUntold):
		return problem.New(problem.InternalError,
			"The invitation's mail could not be handed over. The invitation stands: send the request again "+
				"to have the mail sent.").
			Because(err)
	}
	return err
}
