package proposal

import "time"

// A StageSpec is one step of a run. It is called with events.SetupStage.
type StageSpec struct {
	Name     Stage         // also its function's, below functions/setupstages
	Line     string        // of progress, for people, while it runs
	Limit    time.Duration // of one call
	Attempts int           // calls at most, the first included
	Pause    time.Duration // before the second call
	Growth   float64       // of each further pause
	// Fails is what the proposal does without when every call failed; empty: the run is over.
	Fails DegradationCode
	// Each has the stage called once for each of the run's sources, at most Width of them at a time, and then once with none, which
	// joins what they found. A source that fails for good fails alone.
	Each  bool
	Width int
}

// Pipeline is the order of a setup run's stages, as one value: each stage's function, time limit and attempts, and what a proposal does
// without if the stage fails for good. The deployment's state machine and the laptop's runner are both made from this value.
func Pipeline() []StageSpec {
	return []StageSpec{
		{
			Name: StageCandidates, Line: "Turning the profile into candidate keywords",
			Limit: 20 * time.Second, Attempts: 3, Pause: time.Second, Growth: 2, Fails: CandidatesFailed,
		},
		{
			// Sources have paces of up to some seconds a request: two minutes are twenty candidates in the slowest.
			Name: StageMeasure, Line: "Counting posts in every source",
			Limit: 2 * time.Minute, Attempts: 2, Pause: 2 * time.Second, Growth: 2, Fails: MeasurementFailed,
			Each: true, Width: 8,
		},
		{
			Name: StageSample, Line: "Reading and judging sample posts",
			Limit: 2 * time.Minute, Attempts: 2, Pause: 2 * time.Second, Growth: 2, Fails: SampleFailed,
		},
		{
			// The thorough tier's agent, and what is around it. The model's own faults are repeated within.
			Name: StageAgent, Line: "Composing the proposal",
			Limit: 220 * time.Second, Attempts: 2, Pause: 2 * time.Second, Growth: 2, Fails: AgentFailed,
		},
		{
			Name: StageValidate, Line: "Checking every rule",
			Limit: 30 * time.Second, Attempts: 4, Pause: time.Second, Growth: 2,
		},
	}
}

// FindStage is the stage of a name.
func FindStage(name Stage) (StageSpec, bool) {
	for _, stage := range Pipeline() {
		if stage.Name == name {
			return stage, true
		}
	}
	return StageSpec{}, false
}

// RunLimit is the time limit of a whole run. It is less than all stages would take that fail at each attempt as late as they can: by then
// nobody waits for the proposal any more, and what the run has by then is composed (propose_interrupted).
const RunLimit = 15 * time.Minute
