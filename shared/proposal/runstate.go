package proposal

import (
	"slices"
	"time"
)

// Status returns the status of the run's draft as the run's own rows tell it: how the run ended, or that of the stage
// which began last. A run of which no stage has begun has the status of the first.
func (r Run) Status() Status {
	if !r.FinishedAt.IsZero() {
		return r.Ended
	}
	now := Pipeline()[0]
	if n := len(r.Steps); n > 0 {
		if begun, known := FindStage(r.Steps[n-1].Stage); known {
			now = begun
		}
	}
	return now.Status
}

// Step returns the step of a stage, if the stage has begun or ended.
func (r Run) Step(stage Stage) (step Step, found bool) {
	i := slices.IndexFunc(r.Steps, func(s Step) bool { return s.Stage == stage })
	if i < 0 {
		return Step{}, false
	}
	return r.Steps[i], true
}

// Leave returns the steps of the stages before one that have not ended, as the event ends them.
func (r Run) Leave(event Event, before Stage, at time.Time) (ended []Step) {
	for _, stage := range Pipeline() {
		if stage.Name == before {
			break
		}
		step, begun := r.Step(stage.Name)
		if begun && step.Status != StepRunning {
			continue
		}
		if !begun {
			step = Step{Stage: stage.Name, StartedAt: at}
		}
		ended = append(ended, step.End(stage.Left(event, begun), at))
	}
	return ended
}

// Torn reports whether a part of the write that ends a run is in r and another part is not. A reader that asks again
// finds all of it.
func (r Run) Torn() bool {
	last := slices.ContainsFunc(r.Steps, Step.endsRun)
	if r.FinishedAt.IsZero() {
		return last || r.Proposal != nil
	}
	return r.Ended.Shown() && !last || r.Ended.Shown() != (r.Proposal != nil)
}

// endsRun reports whether the step's end is the end of its run.
func (s Step) endsRun() bool { return s.Stage.Last() && s.Status != StepRunning }

// AtOneMoment returns r as it was at one moment. The rows of a run are read one after the other while its stages write,
// so that a later row may be of a later moment. Stages begin one by one, each after all before it have ended:
//
//   - Of a run that is under way, only the steps up to the first one that had not ended are kept, and not the last
//     step's end, which is the run's.
//   - Of a run that has ended, no step is running: one that never ended has failed with the run.
func (r Run) AtOneMoment() Run {
	steps := []Step{}
	if !r.FinishedAt.IsZero() {
		for _, step := range r.Steps {
			if step.Status == StepRunning {
				step = step.End(Ending{StepFailed, step.Line, step.Degraded}, r.FinishedAt, step.Timeline...)
			}
			steps = append(steps, step)
		}
		r.Steps = steps
		return r
	}
	for i, step := range r.Steps {
		if step.Stage.Place() != i || step.endsRun() {
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
