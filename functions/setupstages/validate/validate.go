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
		var end proposal.End
		done, err := o.Do(ctx, call, proposal.StageValidate, func(ctx context.Context, s *setupstages.Session) (result setupstages.Result, err error) {
			end, result, err = compose(ctx, s)
			return result, err
		})
		key := proposal.Key{WorkspaceID: call.WorkspaceID, DraftID: call.DraftID, Number: call.Run}
		switch {
		case err != nil:
			return err
		case done:
			return o.End(ctx, key, end)
		}
		return o.Finish(ctx, key) // as an earlier call has it, which may have died before it could
	})
}

// compose says how the run ends, and how the stage does with it.
func compose(ctx context.Context, s *setupstages.Session) (proposal.End, setupstages.Result, error) {
	e, content, err := s.EvidenceAnd(ctx, proposal.StageAgent)
	if err != nil {
		return proposal.End{}, setupstages.Result{}, err
	}
	var composed proposal.Composed
	if content != nil {
		if err := json.Unmarshal(content, &composed); err != nil {
			return proposal.End{}, setupstages.Result{}, fmt.Errorf("read what the agent decided: %w", err)
		}
	}
	end, degraded := setupstages.Compose(e, composed.Decisions, s.Run.Model)
	return end, resultOf(end, degraded), nil
}

func resultOf(end proposal.End, degraded []proposal.Degradation) setupstages.Result {
	result := setupstages.Result{Outcome: end, Degraded: degraded}
	if end.Status == proposal.Failed {
		result.Status, result.Line = proposal.StepFailed, "The rules refuse the proposal"
		return result
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
	return result
}
