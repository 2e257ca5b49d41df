package proposal

import (
	"slices"
	"time"
)

// A StageSpec is a row of the Pipeline: one stage of a run, and what its failure means. A stage is called with
// message.SetupStage.
type StageSpec struct {
	Name     Stage         // also the name of its function, below functions/setupstages
	Status   Status        // of the draft while the stage runs
	Line     string        // of progress, for people, while the stage runs
	Limit    time.Duration // of one call
	Attempts int           // calls at most, the first included
	Pause    time.Duration // before the second call
	Growth   float64       // of each further pause
	// Fails is what the proposal does without if every call failed. If it is empty, the failure is fatal: the run dies.
	Fails DegradationCode
	// Each has the stage called once for each source of the run, at most Width at a time, and then once without a
	// source to join what the calls found. A source that fails for good fails alone.
	Each  bool
	Width int
}

// Fatal reports whether the run dies if every call of the stage failed.
func (s StageSpec) Fatal() bool { return s.Fails == "" }

// Pipeline is the state machine of a run: its stages in their order. Each stage begins after the one before it has
// ended or failed for good. The last stage ends the run.
//
// Everything else that knows of stages is derived from this table: the state machine that infra deploys, the laptop's
// runner (memflow), the rows and checks of setupstore, how the stages settle each other, and the statuses of the API.
func Pipeline() []StageSpec {
	return []StageSpec{
		{
			Name: StageCandidates, Status: Proposing, Line: "Turning the profile into candidate keywords",
			Limit: 20 * time.Second, Attempts: 3, Pause: time.Second, Growth: 2, Fails: CandidatesFailed,
		},
		{
			// Sources have paces of up to some seconds a request: two minutes are twenty candidates in the slowest.
			Name: StageMeasure, Status: Measuring, Line: "Counting posts in every source",
			Limit: 2 * time.Minute, Attempts: 2, Pause: 2 * time.Second, Growth: 2, Fails: MeasurementFailed,
			Each: true, Width: 8,
		},
		{
			Name: StageSample, Status: Sampling, Line: "Reading and judging sample posts",
			Limit: 2 * time.Minute, Attempts: 2, Pause: 2 * time.Second, Growth: 2, Fails: SampleFailed,
		},
		{
			// The limit is the thorough tier's agent and what is around it. The agent itself repeats the model's
			// faults.
			Name: StageAgent, Status: Proposing, Line: "Composing the proposal",
			Limit: 220 * time.Second, Attempts: 2, Pause: 2 * time.Second, Growth: 2, Fails: AgentFailed,
		},
		{
			Name: StageValidate, Status: Proposing, Line: "Checking every rule",
			Limit: 30 * time.Second, Attempts: 4, Pause: time.Second, Growth: 2,
		},
	}
}

// RunLimit is the time limit of a whole run. It is less than the sum of all limits and attempts: by then nobody waits
// for the proposal any more, and the run is finished from what it has (ProposeInterrupted).
const RunLimit = 15 * time.Minute

// An Event is what finds a stage that has not ended by itself.
type Event int

// The events.
const (
	// LaterBegins means that a later stage is called: the runner gave this one up.
	LaterBegins Event = iota
	// RunDies means that the execution failed, timed out or was aborted.
	RunDies
)

// An Ending is how a stage ends.
type Ending struct {
	Status   StepStatus
	Line     string // for people
	Degraded []Degradation
}

// Left returns how an event ends a stage that has not ended by itself. begun reports whether the stage had begun.
//
//	event        stage         begun     never begun
//	LaterBegins  not the last  failed    failed        the proposal does without what the stage Fails
//	RunDies      not the last  failed    skipped
//	RunDies      the last      ok        ok            code composes from what the run has: ProposeInterrupted
func (s StageSpec) Left(event Event, begun bool) Ending {
	switch {
	case event == LaterBegins:
		return s.Failed("Failed; the proposal goes on without it")
	case s.Name.Last():
		return Ending{
			StepOK,
			"Interrupted; finished by rules from what the run had",
			[]Degradation{Degrade(ProposeInterrupted)},
		}
	case begun:
		return Ending{Status: StepFailed, Line: "Interrupted"}
	}
	return Ending{Status: StepSkipped, Line: "Skipped: the run was interrupted before"}
}

// Failed returns how the stage ends if it fails for good while the run goes on.
func (s StageSpec) Failed(line string) Ending {
	failed := Ending{Status: StepFailed, Line: line}
	if !s.Fatal() {
		failed.Degraded = []Degradation{Degrade(s.Fails)}
	}
	return failed
}

// FindStage returns the stage of a name.
func FindStage(name Stage) (StageSpec, bool) {
	if name.Place() < 0 {
		return StageSpec{}, false
	}
	return Pipeline()[name.Place()], true
}

// Stages lists the names of the stages in their order.
func Stages() (names []Stage) {
	for _, stage := range Pipeline() {
		names = append(names, stage.Name)
	}
	return names
}

// Values returns Stages.
func (Stage) Values() []Stage { return Stages() }

// Place returns the stage's place in the order, from 0; -1 if there is no such stage.
func (s Stage) Place() int { return slices.Index(Stages(), s) }

// Last reports whether the stage ends the run.
func (s Stage) Last() bool { return s.Place() == len(Stages())-1 }

// RunStatuses lists the statuses of a draft whose run is under way, each once, in the order of the stages.
func RunStatuses() (statuses []Status) {
	for _, stage := range Pipeline() {
		if !slices.Contains(statuses, stage.Status) {
			statuses = append(statuses, stage.Status)
		}
	}
	return statuses
}

// EndStatuses lists the statuses with which a run ends.
func EndStatuses() []Status { return []Status{Ready, NeedsNarrowing, Failed} }

// Statuses lists the statuses of a draft.
func Statuses() []Status {
	return slices.Concat([]Status{Scanning, Scanned}, RunStatuses(), EndStatuses(), []Status{Applied})
}

// Running reports whether a proposal is being made.
func (s Status) Running() bool { return slices.Contains(RunStatuses(), s) }

// Settled reports whether nothing is under way. No draft stays unsettled for long.
func (s Status) Settled() bool { return s != Scanning && !s.Running() }

// Shown reports whether a proposal is there to be read ("States and transitions", rule 2).
func (s Status) Shown() bool { return s == Ready || s == NeedsNarrowing }
