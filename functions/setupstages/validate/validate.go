// Package validate is the setup run's last stage: what the model decided, or else code, becomes the proposal; every
// rule is checked, and a total that does not fit is narrowed. It ends the run. Called by the state machine.
package validate

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"earshot/functions/setupstages"
	"earshot/shared/proposal"
	"earshot/shared/worker"
)

// Function is the Lambda's name in logs.
const Function = "setupstages/validate"

// Handler answers the stage's calls.
func Handler(o setupstages.Options, on worker.Options) worker.CallHandler {
	return setupstages.Handler(o, on, proposal.StageValidate, read)
}

func read(ctx context.Context, s *setupstages.Session) (setupstages.Work[setupstages.Result], error) {
	e, contents, err := s.EvidenceAnd(ctx, proposal.StageAgent)
	return func(context.Context) (setupstages.Result, error) { return work(s, e, contents[0]) }, err
}

// work makes the proposal of what the run knows and of content, which the agent decided.
func work(s *setupstages.Session, e proposal.Evidence, content []byte) (setupstages.Result, error) {
	var composed proposal.Composed
	if content != nil {
		if err := json.Unmarshal(content, &composed); err != nil {
			return setupstages.Result{}, fmt.Errorf("read what the agent decided: %w", err)
		}
	}
	end, degraded := setupstages.Compose(e, composed.Decisions, s.Run.Model)
	result := setupstages.Result{Ending: proposal.Ending{Degraded: degraded}, End: &end}
	if end.Status == proposal.Failed {
		result.Status, result.Line = proposal.StepFailed, "The rules refuse the proposal"
		return result, nil
	}
	p := end.Proposal
	selected := 0
	for _, k := range p.Keywords {
		if k.SelectedByDefault {
			selected++
		}
	}
	monthly := math.Round(p.Totals.DedupedMonthly) // as the proposal's own sentences round it
	result.Line = fmt.Sprintf("Every rule holds: %s, %d selected, about %.0f mentions a month of %.0f allowed",
		setupstages.Counted(len(p.Keywords), "keyword"), selected, monthly, p.Totals.Allowance)
	if end.Status == proposal.NeedsNarrowing {
		result.Line = fmt.Sprintf(
			"Too much: about %.0f mentions a month, and %.0f are allowed", monthly, p.Totals.Allowance,
		)
	}
	return result, nil
}
