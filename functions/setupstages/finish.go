package setupstages

import (
	"context"
	"errors"
	"fmt"

	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/proposal/compose"
	"earshot/shared/proposal/rule"
	"earshot/shared/store"
)

// Compose makes the proposal of a run and says how the run ends with it. decisions are a model's; without any, code
// decides. What of a model's the rules refuse is left, and code decides: degraded says so. A proposal that the rules
// refuse though code made it is a defect of the engine, and ends the run as failed.
func Compose(
	e proposal.Evidence, decisions *proposal.Decisions, model string,
) (end proposal.End, degraded []proposal.Degradation) {
	studied := compose.Study(e)
	if decisions != nil {
		findings, p := Check(*decisions, studied)
		if len(findings) == 0 {
			p.Model = model
			return endWith(p), nil
		}
		degraded = append(degraded, proposal.Degrade(proposal.AgentInvalid))
	}
	findings, p := Check(studied.Decide(), studied)
	if len(findings) > 0 {
		return proposal.End{
			Status:        proposal.Failed,
			AgentFallback: true,
			Message: fmt.Sprintf(
				"The proposal does not hold to the engine's own rules (%s at %s). That is a defect of Earshot: please report it with the draft's id.",
				findings[0].Rule,
				findings[0].Place,
			),
		}, degraded
	}
	return endWith(p), degraded
}

// Check is the gate: the proposal that decisions come to, narrowed until it fits, and what the rules refuse of it. That
// there is still too much of it is no fault of the proposal's. A model's decisions are also compared with code's own.
func Check(d proposal.Decisions, studied *compose.Studied) ([]rule.Finding, proposal.Proposal) {
	p := assembled(d, studied)
	findings := rule.Refused(rule.Check(p, studied.Evidence))
	if !d.ByCode {
		findings = append(findings, rule.Beside(p, assembled(studied.Decide(), studied), studied.Evidence)...)
	}
	return findings, p
}

// assembled returns the proposal that decisions come to, narrowed until it fits.
func assembled(d proposal.Decisions, studied *compose.Studied) proposal.Proposal {
	p := studied.Assemble(d)
	if compose.Blocked(p) {
		_, p = studied.Narrow(d)
	}
	return p
}

func endWith(p proposal.Proposal) proposal.End {
	status := proposal.Ready
	if compose.Blocked(p) {
		status = proposal.NeedsNarrowing
	}
	return proposal.End{Status: status, Proposal: &p, AgentFallback: p.AgentFallback}
}

// Interrupt finishes a run that died, from what it had: proposal.RunDies ends its stages, and code composes. A run that
// has ended is left alone. Interrupt may be called again and beside the run itself: the first end stands.
func (o Options) Interrupt(ctx context.Context, key proposal.Key) error {
	run, err := o.Store.SetupRun(ctx, key)
	if err != nil || !run.FinishedAt.IsZero() {
		return err
	}
	stages := proposal.Pipeline()
	last := stages[len(stages)-1]
	if run, err = o.leave(ctx, key, run, proposal.RunDies, last.Name); err != nil {
		return over(err)
	}
	end, err := o.fromWhatItHad(ctx, key, run)
	if err != nil {
		return err
	}
	step, begun := run.Step(last.Name)
	if !begun {
		step = proposal.Step{Stage: last.Name, StartedAt: o.now()}
	}
	result := Result{Ending: last.Left(proposal.RunDies, begun), End: &end}
	if end.Status == proposal.Failed {
		result.Status = proposal.StepFailed
	}
	return over(o.end(ctx, key, step, result))
}

// fromWhatItHad derives and composes without a panic: a defect that killed the run is not to kill what ends it. One in
// the reading is not caught: it is not of the run, and may pass.
func (o Options) fromWhatItHad(ctx context.Context, key proposal.Key, run proposal.Run) (end proposal.End, err error) {
	derive, _, err := o.Session(key, run).known(ctx)
	if err != nil {
		return proposal.End{}, err
	}
	defer func() {
		if value := recover(); value != nil {
			end, err = proposal.End{
				Status:        proposal.Failed,
				AgentFallback: true,
				Message:       "The proposal could not be composed. That is a defect of Earshot: please report it with the draft's id.",
			}, nil
		}
	}()
	e := derive()
	e.Interrupted = true
	end, _ = Compose(e, nil, "")
	return end, nil
}

// GiveUp ends as failed a run that Interrupt cannot finish, since what it had is unreadable. What may pass keeps it,
// for the next time. Either way the cause is answered.
func (o Options) GiveUp(ctx context.Context, key proposal.Key, cause error) error {
	if table.Retryable(cause) || errors.Is(cause, store.ErrConflict) || ctx.Err() != nil {
		return cause
	}
	err := over(o.Store.FinishRun(ctx, key, proposal.End{Status: proposal.Failed, AgentFallback: true,
		Message: "The run was interrupted, and what it had cannot be read. Propose again."}))
	if err != nil {
		return errors.Join(cause, err)
	}
	return fmt.Errorf("the run is given up: %w", cause)
}
