// Package pipeline is the order of a setup run's stages, as one value: each stage's function, time limit and attempts,
// and what a proposal does without if the stage fails for good. The deployment's state machine and the laptop's runner
// are both made from this value.
//
// infra, the flow adapters, the function setup and the stages import it.
package pipeline

import (
	"time"

	"earshot/shared/proposal"
)

// A Stage is one step of a run. It is called with events.SetupStage.
type Stage struct {
	Name     proposal.Stage // also its function's, below functions/setupstages
	Line     string         // of progress, for people, while it runs
	Limit    time.Duration  // of one call
	Attempts int            // calls at most, the first included
	Pause    time.Duration  // before the second call
	Growth   float64        // of each further pause
	// Fails is what the proposal does without when every call failed; empty: the run is over.
	Fails proposal.DegradationCode
	// Each has the stage called once for each of the run's sources, at most Width of them at a time, and then once with none, which
	// joins what they found. A source that fails for good fails alone.
	Each  bool
	Width int
}

// Setup is the pipeline of a proposal.
func Setup() []Stage {
	return []Stage{
		{
			Name: proposal.StageCandidates, Line: "Turning the profile into candidate keywords",
			Limit: 20 * time.Second, Attempts: 3, Pause: time.Second, Growth: 2, Fails: proposal.CandidatesFailed,
		},
		{
			// Sources have paces of up to some seconds a request: two minutes are twenty candidates in the slowest.
			Name: proposal.StageMeasure, Line: "Counting posts in every source",
			Limit: 2 * time.Minute, Attempts: 2, Pause: 2 * time.Second, Growth: 2, Fails: proposal.MeasurementFailed,
			Each: true, Width: 8,
		},
		{
			Name: proposal.StageSample, Line: "Reading and judging sample posts",
			Limit: 2 * time.Minute, Attempts: 2, Pause: 2 * time.Second, Growth: 2, Fails: proposal.SampleFailed,
		},
		{
			// The thorough tier's agent, and what is around it. The model's own faults are repeated within.
			Name: proposal.StageAgent, Line: "Composing the proposal",
			Limit: 220 * time.Second, Attempts: 2, Pause: 2 * time.Second, Growth: 2, Fails: proposal.AgentFailed,
		},
		{
			Name: proposal.StageValidate, Line: "Checking every rule",
			Limit: 30 * time.Second, Attempts: 4, Pause: time.Second, Growth: 2,
		},
	}
}

// Find is the stage of a name.
func Find(name proposal.Stage) (Stage, bool) {
	for _, stage := range Setup() {
		if stage.Name == name {
			return stage, true
		}
	}
	return Stage{}, false
}

// Limit is the time limit of a whole run. It is less than all stages would take that fail at each attempt as late as they can: by then
// nobody waits for the proposal any more, and what the run has by then is composed (propose_interrupted).
const Limit = 15 * time.Minute
