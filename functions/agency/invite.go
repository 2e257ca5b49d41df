package agency

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/events/message/nudge"
	"earshot/shared/member"
	"earshot/shared/port/mail"
	"earshot/shared/port/queue"
	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/memberwire"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// maxPairs is how many addresses times workspaces a call has at most ("POST /agency/members/invite" of the
// description).
const maxPairs = 200

type invite struct {
	workspaces Workspaces
	desk       member.Desk
}

func registerInvite(api *web.API, o Options) {
	i := invite{o.Store, member.Desk{
		Store:     o.Store,
		Directory: o.Directory,
		Mailer:    o.Mailer,
		SignUpURL: o.SignUpURL,
		Nudge:     nudges{o.Queue}.send,
		Stopped:   web.CountStoppedMail,
		Log:       o.Log,
	}}
	web.Register(api, web.Operation{
		ID:      "inviteAgencyMembers",
		Method:  http.MethodPost,
		Path:    "/api/v2/agency/members/invite",
		Group:   Group,
		Agency:  true,
		Scope:   workspace.Admin,
		Summary: "Invite people into workspaces of the agency",
		Description: "Invites each address into each of the workspaces. A person who has an account becomes a " +
			"member at once and gets no mail: `action` is `granted`. A person who is a member already is " +
			"`granted` too, and keeps their role. Any other person gets one mail from the agency, for the first " +
			"of the workspaces: `invited`. The other workspaces are `queued`. The person becomes a member of " +
			"all of them by signing up with that address within 30 days of the mail.\n\nWhile an invitation of " +
			"the agency to an address is open, this operation sends the address no second mail. New workspaces " +
			"are `queued` until that invitation ends. The same holds if a workspace of the agency invited the " +
			"address by POST /api/v2/org/members/invite. That operation sends a mail of its own only where no " +
			"invitation of the agency to that workspace is open. If it is unknown whether the mail was taken, " +
			"the item fails once and says so. The mail is never sent again, and later calls return `invited`. " +
			"An open invitation takes the role of the last call. The same call can therefore be sent again, and " +
			"does what is left.\n\n`results` has one item for each address and workspace, in the order given: " +
			"the workspaces of the first address, then those of the next. Addresses that differ only in case " +
			"are one address, spelled as it was given first. An id that is given twice is one workspace. A " +
			"failed item has `success` false and an `error` with the remedy, and does not affect the others. To " +
			"retry failed items, send the same body without an Idempotency-Key or with another one. The same " +
			"key returns the same response.\n\nNothing is done if an id is not that of a workspace of the " +
			"agency (WORKSPACE_NOT_IN_AGENCY). Nothing is done either if addresses times workspaces are more " +
			"than " + fmt.Sprint(maxPairs) + " (INVITE_FANOUT_TOO_LARGE).",
		Codes: []problem.Code{problem.WorkspaceNotInAgency, problem.InviteFanoutTooLarge},
		Example: AgencyInviteResults{Results: []AgencyInviteResult{
			{OrgID: exampleAnchor, Email: "newcomer@northwind.example", Success: true, Action: "invited"},
			{
				OrgID:   "org_01KAGT3E5Z8W2K6T0H4R9Y3QSN",
				Email:   "newcomer@northwind.example",
				Success: true,
				Action:  "queued",
			},
		}},
	}, i.invite)
}

// InviteAgencyMembersInput is the request.
type InviteAgencyMembersInput struct{ Body InviteAgencyMembers }

// InviteAgencyMembers asks people into workspaces of the agency.
type InviteAgencyMembers struct {
	Targets InviteTargets      `json:"targetOrgIds"`
	Emails  []memberwire.Email `json:"emails" minItems:"1" maxItems:"50"`
	Role    memberwire.Role    `json:"role"`
}

// Resolve reports what the schema cannot say.
func (i *InviteAgencyMembers) Resolve(_ huma.Context, at *huma.PathBuffer) (faults []error) {
	faults = i.Targets.faults(at, "targetOrgIds")
	for n, email := range i.Emails {
		faults = append(faults, memberwire.EmailFaults(at, fmt.Sprintf("emails[%d]", n), email)...)
	}
	return faults
}

// AgencyInviteResults is what came of an invite.
type AgencyInviteResults struct {
	Results []AgencyInviteResult `json:"results" maxItems:"200"`
}

// AgencyInviteResult is what came of one address in one workspace.
type AgencyInviteResult struct {
	OrgID   string             `json:"orgId"`
	Email   string             `json:"email" doc:"The address, as it was given first."`
	Success bool               `json:"success"`
	Action  AgencyInviteAction `json:"action,omitempty"`
	Error   string             `json:"error,omitempty" doc:"The fact and the remedy, if success is false."`
}

// AgencyInviteAction says what came of an address in a workspace.
type AgencyInviteAction string

// Schema lists its values.
func (AgencyInviteAction) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString,
		Enum: []any{string(member.Granted), string(member.Invited), string(member.Queued)},
		Description: "Present if success is true. granted: the person is a member. invited: the mail was sent, and the " +
			"person becomes a member by signing up. " +
			"queued: the same, without a mail for this workspace.",
	}
}

func (i invite) invite(ctx context.Context, in *InviteAgencyMembersInput) (*AgencyInviteResults, error) {
	emails, targets := distinct(in.Body.Emails), in.Body.Targets.distinct()
	if err := fits(len(emails), len(targets)); err != nil {
		return nil, err
	}
	caller := web.CallerOf(ctx)
	by := member.Inviter{AgencyID: caller.Workspace.AgencyID, Agency: caller.Key.Agency.Name, KeyID: caller.Key.ID}
	workspaces, err := i.workspaces.AgencyWorkspacesInFull(ctx, by.AgencyID)
	if err != nil {
		return nil, err
	}
	for _, w := range workspaces {
		by.Workspaces = append(by.Workspaces, w.Workspace)
	}
	if in.Body.Targets.all {
		for _, w := range by.Workspaces {
			targets = append(targets, w.ID)
		}
		if err := fits(len(emails), len(targets)); err != nil {
			return nil, err
		}
	}
	if err := in.Body.Targets.outside(by); err != nil {
		return nil, err
	}
	found, err := i.desk.Invite(ctx, by, targets, emails, member.Role(in.Body.Role))
	if err != nil {
		return nil, err
	}
	results := make([]AgencyInviteResult, len(found))
	for n, result := range found {
		results[n] = AgencyInviteResult{
			OrgID:   result.WorkspaceID,
			Email:   result.Email,
			Success: result.Err == nil,
			Action:  AgencyInviteAction(result.Action),
		}
		if result.Err != nil {
			results[n].Error = reason(result)
		}
	}
	return &AgencyInviteResults{results}, nil
}

// distinct are the addresses as each was given first.
func distinct(given []memberwire.Email) (emails []string) {
	seen := map[string]bool{}
	for _, email := range given {
		if folded := member.Fold(string(email)); !seen[folded] {
			seen[folded] = true
			emails = append(emails, string(email))
		}
	}
	return emails
}

// fits refuses what is too much for a call.
func fits(emails, workspaces int) error {
	if emails*workspaces <= maxPairs {
		return nil
	}
	return problem.New(
		problem.InviteFanoutTooLarge,
		"%d addresses times %d workspaces are %d, and a call takes %d. Send several calls, "+
			"each for some of the addresses.",
		emails,
		workspaces,
		emails*workspaces,
		maxPairs,
	)
}

// outside refuses ids that are none of the agency's workspaces, whatever else they are.
func (t InviteTargets) outside(by member.Inviter) error {
	var places []string
	for n, id := range t.ids {
		if _, ok := by.Workspace(id); !ok {
			places = append(places, fmt.Sprintf("targetOrgIds[%d]", n))
		}
	}
	if places == nil {
		return nil
	}
	return problem.New(
		problem.WorkspaceNotInAgency,
		"The agency has no workspace with the id in %s. GET /api/v2/agency/workspaces lists its "+
			"workspaces.",
		strings.Join(places, ", "),
	)
}

// reason says for people what kept somebody from being let in.
func reason(result member.Result) string {
	const again = "send the call again, with another Idempotency-Key if it had one"
	err := result.Err
	resend := fmt.Sprintf(
		"POST /api/v2/org/members/invitations/%s/resend sends it again, with the header x-earshot-organization-id: %s.",
		result.Lead.InvitationID, result.Lead.WorkspaceID,
	)
	switch {
	case errors.Is(err, member.ErrDaily):
		return fmt.Sprintf(
			"A workspace sends at most %d invitation mails in a day of UTC. Send the call again after 00:00 UTC, with another "+
				"Idempotency-Key if it had one.",
			member.MostMailsADay,
		)
	case errors.Is(err, member.ErrUnsettled):
		return "It is not known whether the invitation's mail was handed over: the mail service did not say, or another call is sending it at this " +
			"moment. The invitation stands: the person becomes a member by signing up with this address. " + resend
	case errors.Is(err, member.ErrFull):
		return fmt.Sprintf(
			"The workspace has %d members and open invitations, the most it can have. Remove a member first.",
			member.MostPeople,
		)
	case errors.Is(err, store.ErrNotFound):
		return "The workspace was deleted meanwhile."
	case errors.Is(err, member.ErrUnmailable):
		return "This address cannot receive mail, so it was not invited. Check it for typos. If there is none, ask the " +
			"deployment's operator whether the deployment sends mail."
	case errors.Is(err, member.ErrNoTime):
		return "The call ran out of time before this item: " + again +
			". If this happens again, send fewer addresses at once."
	case errors.Is(err, member.ErrDirectory):
		return "It is unknown whether the person has an account, so nothing was done: " + again + "."
	case errors.Is(err, member.ErrUnsure):
		return "It is not known whether the mail service took the invitation's mail, so it is not sent again by itself. The invitation stands: the " +
			"person becomes a member by signing up with this address. " + resend
	case errors.Is(err, mail.ErrRefused):
		return "The mail service refuses to send the invitation to this address now. The invitation stands: to have the mail sent, " + again +
			"; or tell the person to sign up with this address."
	case errors.Is(err, member.ErrUntold):
		return "The invitation's mail was not handed over yet. The invitation stands: to have the mail sent, " + again + "."
	case errors.Is(err, mail.ErrThrottled):
		return "The invitation's mail could not be handed over. The invitation stands: to have the mail sent, " + again + "."
	}
	return "This item was not completed, for a reason in the deployment's log: " + again + ", to do what is left."
}

// nudges sends what the function invitations takes. The person has had no time to sign up yet.
type nudges struct{ queue queue.Queue }

const nudgeDelay = time.Minute

// send sends a message for each person.
func (n nudges) send(ctx context.Context, people [][]member.InvitationKey) error {
	var all []queue.Message
	for _, invitations := range people {
		messages, err := nudge.FromInvitations(invitations)
		if err != nil {
			return err
		}
		all = slices.Concat(all, messages)
	}
	for i := range all {
		all[i].Delay = nudgeDelay
	}
	return n.queue.Send(ctx, queue.Invitations, all...)
}
