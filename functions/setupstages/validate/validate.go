// Package validate is the setup run's last stage: what the model decided, or else code, becomes the proposal; every rule is checked, and
// a total that does not fit is narrowed. It ends the run. Called by the state machine.
package validate

import (
	"context"
	"encoding/json"
	"fmt"

	"earshot/events/message"
	"earshot/functions/setupstages"
	"earshot/shared/proposal"
	"earshot/shared/worker"
)

// Function is the Lambda's name in logs.
const Function = "setupstages/validate"

// Handler answers the stage's calls.
func Handler(o setupstages.Options, on worker.Options) worker.CallHandler {
	return worker.Call(on, setupstages.Told, func(ctx context.Context, call message.SetupStage) error {
		if err := o.Do(ctx, call, proposal.StageValidate, work); err != nil {
			return err
		}
		return o.Finish(ctx, proposal.Key{WorkspaceID: call.WorkspaceID, DraftID: call.DraftID, Number: call.Run})
	})
}

func work(ctx context.Context, s *setupstages.Session) (setupstages.Result, error) {
	e, err := s.Evidence(ctx)
	if err != nil {
		return setupstages.Result{}, err
	}
	var composed proposal.Composed
	content, err := s.Store.Outcome(ctx, s.Key, proposal.StageAgent)
	if err != nil {
		return setupstages.Result{}, err
	}
	if content != nil {
		if err := json.Unmarshal(content, &composed); err != nil {
			return setupstages.Result{}, fmt.Errorf("read what the agent decided: %w", err)
		}
	}
	end, degraded := setupstages.Compose(e, composed.Decisions, s.Run.Model)
	result := setupstages.Result{Outcome: end, Degraded: degraded}
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
	result.Line = fmt.Sprintf("Every rule holds: %s, %d selected, about %.0f mentions a month of %.0f allowed",
		setupstages.Counted(len(p.Keywords), "keyword"), selected, p.Totals.DedupedMonthly, p.Totals.Allowance)
	if end.Status == proposal.NeedsNarrowing {
		result.Line = fmt.Sprintf("Too much: about %.0f mentions a month, and %.0f are allowed", p.Totals.DedupedMonthly, p.Totals.Allowance)
	}
	return result, nil
}
