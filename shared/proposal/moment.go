package proposal

import "slices"

// Status returns the status of the run's draft as the run's own rows tell it: how the run ended, or that of the stage
// which began last.
func (r Run) Status() Status {
	switch {
	case !r.FinishedAt.IsZero():
		return r.Ended
	case len(r.Steps) == 0:
		return Proposing
	}
	return r.Steps[len(r.Steps)-1].Stage.Status()
}

// Torn reports whether a part of the write that ends a run is in r and another part is not. A reader that asks again
// finds all of it.
func (r Run) Torn() bool {
	last := slices.ContainsFunc(r.Steps, func(s Step) bool {
		return s.Stage == StageValidate && s.Status != StepRunning
	})
	if r.FinishedAt.IsZero() {
		return last || r.Proposal != nil
	}
	return r.Ended.Shown() && !last || r.Ended.Shown() != (r.Proposal != nil)
}

// AtOneMoment returns r as it was at one moment. The rows of a run are read one after the other while its stages write,
// so that a later row may be of a later moment. Stages begin one by one, each after all before it have ended:
//
//   - Of a run that is under way, only the steps up to the first one that had not ended are kept, and not the last step's end, which is
//     the run's.
//   - Of a run that has ended, no step is running: one that never ended has failed with the run.
func (r Run) AtOneMoment() Run {
	steps := []Step{}
	if !r.FinishedAt.IsZero() {
		for _, step := range r.Steps {
			if step.Status == StepRunning {
				step.Status, step.Took = StepFailed, max(r.FinishedAt.Sub(step.StartedAt), 0)
				step.Timeline = append(slices.Clone(step.Timeline),
					Entry{Kind: EntryStage, Name: string(step.Stage), Status: string(StepFailed), Took: &step.Took})
			}
			steps = append(steps, step)
		}
		r.Steps = steps
		return r
	}
	for i, step := range r.Steps {
		runEnds := step.Stage == StageValidate && step.Status != StepRunning
		if i >= len(Stages()) || step.Stage != Stages()[i] || runEnds {
			break
		}
		steps = append(steps, step)
		if step.Status == StepRunning {
			break
		}
	}
	r.Steps, r.Proposal = steps, nil
	return r
}
