// Package candidates is the setup run's first stage: the profile of a company becomes candidate keywords, tagged and
// routed. Called by the state machine.
package candidates

import (
	"context"
	"fmt"

	"earshot/functions/setupstages"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/worker"
)

// Function is the Lambda's name in logs.
const Function = "setupstages/candidates"

// Handler answers the stage's calls.
func Handler(o setupstages.Options, on worker.Options) worker.CallHandler {
	return setupstages.Handler(
		o,
		on,
		proposal.StageCandidates,
		func(_ context.Context, s *setupstages.Session) (setupstages.Work[setupstages.Result], error) {
			return func(context.Context) (setupstages.Result, error) { return work(s), nil }, nil
		},
	)
}

func work(s *setupstages.Session) setupstages.Result {
	found := candidate.Of(s.Run.Domain, s.Run.Profile)
	tags := map[proposal.Tag]int{}
	for _, c := range found.Candidates {
		tags[c.Tag]++
	}
	line := fmt.Sprintf(
		"Found %s to look into: %d of the brand, %d of competitors, %d of the industry",
		setupstages.Counted(len(found.Candidates), "candidate"), tags["own_brand"], tags["competitor"],
		tags["industry_term"],
	)
	return setupstages.Result{Ending: proposal.Ending{Line: line}, Outcome: found}
}
