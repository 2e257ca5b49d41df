package setup

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

type read struct{ store Runs }

func registerRead(api *web.API, runs Runs) {
	web.Register(api, web.Operation{
		ID:      "getSetupProposal",
		Method:  http.MethodGet,
		Path:    proposalsPath + "/{id}",
		Group:   Group,
		ETag:    true,
		Flag:    workspace.FlagSetupOnboarding,
		Summary: "Poll a setup proposal",
		Description: "Poll until `status` is `ready`, `needs_narrowing` or `failed`. With If-None-Match, an " +
			"unchanged proposal is a 304. `steps` has a line for people on each stage that began. `proposal` is " +
			"present if `status` is `ready` or `needs_narrowing`. `degraded` lists what the proposal was made " +
			"without. The proposal is complete all the same. `stale` means that the profile was edited since: " +
			"propose again.\n\nA warning whose `code` begins with `page_` says why the domain's page told little of the " +
			"company: " + pageWarnings() + ". The profile should be completed, and proposed again.",
		Codes:   []problem.Code{problem.SetupProposalNotFound},
		Example: exampleStatus(),
	}, read{runs}.status)
}

func (r read) status(ctx context.Context, in *SetupDraftPath) (*SetupProposalStatus, error) {
	draft, run, err := r.store.Setup(ctx, web.CallerOf(ctx).Workspace.ID, in.ID)
	if errors.Is(err, store.ErrNotFound) || err == nil && draft.Run == 0 {
		return nil, problem.New(
			problem.SetupProposalNotFound, "This draft has no proposal. POST %s with its draftId first.", proposalsPath,
		)
	}
	if err != nil {
		return nil, err
	}
	answer := fromSetup(draft, run)
	return &answer, nil
}

// pageWarnings lists the codes of warnings about the domain's page, for the document.
func pageWarnings() string {
	var codes []string
	for _, notice := range proposal.Notices() {
		codes = append(codes, "`"+notice.Warning()+"`")
	}
	return strings.Join(codes, ", ")
}
