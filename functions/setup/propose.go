package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"earshot/events/message"
	"earshot/shared/port/flow"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/setupstore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

type propose struct{ Options }

func registerPropose(api *web.API, o Options) {
	web.Register(api, web.Operation{
		ID:      "proposeSetup",
		Method:  http.MethodPost,
		Path:    proposalsPath,
		Group:   Group,
		Scope:   workspace.Write,
		Flag:    workspace.FlagSetupOnboarding,
		Summary: "Make a proposal of a draft",
		Description: "Makes a proposal of the draft's present profile in the background, within seconds or " +
			"minutes. Poll it until its status is `ready`, `needs_narrowing` or `failed`. A draft has one run " +
			"at a time. If a run is in progress, the response describes that run, with its `tier` and " +
			"`startedAt`. For another tier, wait until the run has settled and propose again. A draft that has " +
			"a proposal, or has been applied, can be proposed again. The new proposal replaces the old " +
			"one.\n\nThe response is INVALID_INPUT while the site is being read. It is also INVALID_INPUT if " +
			"the site could not be read and nobody has given the draft a profile.",
		Codes: []problem.Code{problem.NotFound, problem.InvalidInput},
		Answers: []web.Answer{
			{Status: http.StatusAccepted, ContentType: "application/json", Meaning: "The proposal is being made.",
				Body: SetupProposalAccepted{
					DraftID:   exampleDraft,
					Status:    acceptedProposal(proposal.Run{}.Status()),
					Tier:      ProposalTier(proposal.Balanced),
					StartedAt: "2026-11-02T09:31:00.000Z",
				}},
		},
	}, propose{o}.begin)
}

// ProposeSetup is the body that asks for a proposal.
type ProposeSetup struct {
	DraftID string       `json:"draftId" minLength:"1" maxLength:"64"`
	Tier    ProposalTier `json:"tier,omitempty" default:"balanced"`
}

// ProposeSetupInput asks for a proposal.
type ProposeSetupInput struct{ Body ProposeSetup }

// begin stores the run first and starts its execution then, by the run's own name. A run that is under way is started
// again. That does nothing, unless the call that began it died before it started the execution.
func (p propose) begin(ctx context.Context, in *ProposeSetupInput) (*SetupProposalAccepted, error) {
	tier := proposal.Tier(in.Body.Tier)
	if tier == "" {
		tier = proposal.Balanced
	}
	orgID := web.CallerOf(ctx).Workspace.ID
	key, _, err := p.Store.StartRunOnce(ctx, orgID, in.Body.DraftID, tier, p.Model, p.Limit, web.Repeated(ctx))
	switch {
	case errors.Is(err, setupstore.ErrScanning):
		return nil, problem.New(
			problem.InvalidInput,
			"The draft's site is still being read. Poll GET %s/%s until status is scanned, and propose then.",
			draftsPath, in.Body.DraftID,
		)
	case errors.Is(err, setupstore.ErrNoProfile):
		return nil, problem.New(
			problem.InvalidInput,
			"The draft's site could not be read, so there is nothing to propose from. Give the draft a profile by "+
				"PATCH %s/%s, and propose then.",
			draftsPath,
			in.Body.DraftID,
		)
	case errors.Is(err, store.ErrConflict):
		return nil, problem.New(problem.InvalidInput, "Other requests keep changing the draft. Propose again.")
	case err != nil:
		return nil, noDraft(err)
	}
	run, err := p.Store.SetupRun(ctx, key)
	switch {
	case errors.Is(err, store.ErrNotFound): // a draft keeps its last runs
		return nil, problem.New(problem.NotFound,
			"Newer runs have replaced the run that this request began. Propose again with another Idempotency-Key.")
	case err != nil:
		return nil, err
	}
	input, err := json.Marshal(
		message.SetupStage{WorkspaceID: orgID, DraftID: key.DraftID, Run: key.Number, Sources: p.Sources},
	)
	if err != nil {
		return nil, fmt.Errorf("write what a run is started with: %w", err)
	}
	// One that was started with other input, because the deployment asks other sources since, is started.
	if err := p.Flow.Start(ctx, executionName(key), input); err != nil && !errors.Is(err, flow.ErrTaken) {
		return nil, fmt.Errorf("start a run: %w", err)
	}
	web.SetStatus(ctx, http.StatusAccepted)
	return &SetupProposalAccepted{
		DraftID:   key.DraftID,
		Status:    acceptedProposal(proposal.Run{}.Status()),
		Tier:      ProposalTier(run.Tier),
		StartedAt: web.FormatTime(run.StartedAt),
	}, nil
}

// executionName is the name of a run's execution: of each run there is one.
func executionName(key proposal.Key) string { return fmt.Sprintf("%s-%d", key.DraftID, key.Number) }
