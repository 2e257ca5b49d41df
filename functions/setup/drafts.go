package setup

import (
	"context"
	"errors"
	"net/http"

	"earshot/events/message"
	"earshot/shared/port/queue"
	"earshot/shared/proposal"
	"earshot/shared/publicnet"
	"earshot/shared/store"
	"earshot/shared/store/setupstore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

type drafts struct {
	store Drafts
	queue queue.Queue
}

func registerDrafts(api *web.API, d drafts) {
	web.Register(api, web.Operation{
		ID:      "createSetupDraft",
		Method:  http.MethodPost,
		Path:    draftsPath,
		Group:   Group,
		Scope:   workspace.Write,
		Flag:    workspace.FlagSetupOnboarding,
		Summary: "Create a draft from a company's domain",
		Description: "Reads the company's site in the background into a profile. Poll the draft until its " +
			"status is `scanned` or `failed`. `domain` is a name of at least two labels under a public suffix, " +
			"or under a reserved one such as `.example`. It has no scheme, path or other text around it. It is " +
			"returned in lower case and in ASCII.\n\nA workspace keeps 200 drafts. A new draft replaces the " +
			"oldest one that has no work in progress.",
		Codes: []problem.Code{problem.InvalidDomain, problem.NotFound},
		Answers: []web.Answer{
			{
				Status:      http.StatusAccepted,
				ContentType: "application/json",
				Meaning:     "The site is being read.",
				Body: SetupDraftAccepted{
					DraftID: exampleDraft,
					Domain:  "northwind.example",
					Status:  acceptedDraft(proposal.Scanning),
				},
			},
		},
	}, d.create)
	web.Register(api, web.Operation{
		ID:      "getSetupDraft",
		Method:  http.MethodGet,
		Path:    draftsPath + "/{id}",
		Group:   Group,
		ETag:    true,
		Flag:    workspace.FlagSetupOnboarding,
		Summary: "Read a draft",
		Codes:   []problem.Code{problem.NotFound},
		Example: exampleSetupDraft(),
	}, d.get)
}

// CreateSetupDraft is the body of a new draft.
type CreateSetupDraft struct {
	Domain string `json:"domain" doc:"The company's domain, such as acme.com."`
}

// CreateSetupDraftInput asks for a new draft.
type CreateSetupDraftInput struct{ Body CreateSetupDraft }

// SetupDraftPath names a draft.
type SetupDraftPath struct {
	ID string `path:"id" minLength:"1" maxLength:"64" doc:"The draft's id."`
}

// create stores the draft first and sends its message then: when the request dies in between, its repeat finds the
// draft and sends again.
func (d drafts) create(ctx context.Context, in *CreateSetupDraftInput) (*SetupDraftAccepted, error) {
	domain, err := workspace.ParseDomain(in.Body.Domain)
	if err != nil {
		return nil, problem.New(problem.InvalidDomain, "%s", err)
	}
	if publicnet.Internal(domain) {
		return nil, problem.New(problem.InvalidDomain,
			"This domain belongs to a local network, which is not read. Send a domain of the public internet.")
	}
	orgID := web.CallerOf(ctx).Workspace.ID
	made, err := d.store.CreateDraftOnce(ctx, orgID, domain, web.Repeated(ctx))
	switch {
	case errors.Is(err, setupstore.ErrDraftLimit):
		return nil, problem.New(
			problem.InvalidInput,
			"The workspace has %d drafts, and each has work in progress. Wait until one of them has settled.",
			setupstore.MaxDrafts,
		)
	case errors.Is(err, store.ErrNotFound):
		return nil, problem.New(
			problem.NotFound,
			"Newer drafts have replaced the draft that this request created. Begin again with another Idempotency-Key.",
		)
	case err != nil:
		return nil, err
	}
	if made.Status == proposal.Scanning {
		body, err := queue.JSON(message.Scan{WorkspaceID: orgID, DraftID: made.ID})
		if err != nil {
			return nil, err
		}
		if err := d.queue.Send(ctx, queue.Scans, queue.Message{Body: body}); err != nil {
			return nil, err
		}
	}
	web.SetStatus(ctx, http.StatusAccepted)
	return &SetupDraftAccepted{DraftID: made.ID, Domain: made.Domain, Status: acceptedDraft(proposal.Scanning)}, nil
}

func (d drafts) get(ctx context.Context, in *SetupDraftPath) (*SetupDraft, error) {
	found, err := d.store.Draft(ctx, web.CallerOf(ctx).Workspace.ID, in.ID)
	if err != nil {
		return nil, noDraft(err)
	}
	return shownDraft(ctx, found), nil
}

func shownDraft(ctx context.Context, d proposal.Draft) *SetupDraft {
	web.Revision(ctx, d.Revision)
	answer := fromDraft(d)
	return &answer
}

// noDraft is the answer for a draft that is not there; other errors stay what they are.
func noDraft(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return problem.New(
			problem.NotFound, "The workspace has no draft with this id. Create one with POST %s.", draftsPath,
		)
	}
	return err
}
