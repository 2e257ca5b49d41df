package setupstages_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"earshot/functions/setupstages/setuptest"
	"earshot/shared/keyword"
	"earshot/shared/port/flow"
	"earshot/shared/port/model"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

// A cause is what makes a run do without something, and what comes of it.
type cause struct {
	name     string
	prepare  func(w *setuptest.World)
	degraded []proposal.DegradationCode
	steps    map[proposal.Stage]proposal.StepStatus // that are not ok
	fallback bool
}

// failing has every attempt of some calls fail, in a way.
func failing(how string, names ...string) func(w *setuptest.World) {
	return func(w *setuptest.World) {
		w.Disturb = func(ctx context.Context, name string, call func(context.Context) error) error {
			if !slices.Contains(names, name) {
				return call(ctx)
			}
			switch how {
			case "hangs":
				<-ctx.Done()
				return ctx.Err()
			case "hangs and says nothing of it":
				<-ctx.Done()
				return nil
			case "panics":
				panic("a poisoned stage")
			}
			return errors.New("it fails")
		}
	}
}

// unwritten has what a stage made be refused: its work is done, and cannot be kept.
func unwritten(name string) func(w *setuptest.World) {
	return func(w *setuptest.World) { w.Unkept = name }
}

// downFor has the sources be down while a call of one of these names lasts.
func downFor(w *setuptest.World, names ...string) {
	w.Disturb = func(ctx context.Context, name string, call func(context.Context) error) error {
		if slices.Contains(names, name) {
			w.Down()
			defer w.Up()
		}
		return call(ctx)
	}
}

func scripted(script func() *modeltest.Script) func(w *setuptest.World) {
	return func(w *setuptest.World) { w.Model = script() }
}

const (
	failed  = proposal.StepFailed
	skipped = proposal.StepSkipped
)

type statuses = map[proposal.Stage]proposal.StepStatus

// causes are those of every degradation that the stages themselves come to. agreement_test.go has stages that fail.
func causes() []cause {
	codes := func(all ...proposal.DegradationCode) []proposal.DegradationCode { return all }
	noModel := func(s statuses) statuses {
		s[proposal.StageAgent] = skipped
		return s
	}
	list := []cause{
		{"measure: all sources are down meanwhile", func(w *setuptest.World) {
			// They are asked one after the other by the join's time, so that those that are back are not asked too early.
			w.Disturb = func(ctx context.Context, name string, call func(context.Context) error) error {
				switch name {
				case "measure/hackernews":
					w.Down()
				case "measure":
					w.Up()
				}
				return call(ctx)
			}
			w.Sources = w.Sources[:1]
		}, codes(proposal.MeasurementFailed), noModel(statuses{proposal.StageMeasure: failed}), true},
		{"sample: all sources are down meanwhile, and nothing is kept", func(w *setuptest.World) {
			w.Forgetful = "sample"
			downFor(w, "sample")
		}, codes(proposal.SampleFailed), noModel(statuses{proposal.StageSample: failed}), true},
		{"all sources are down", (*setuptest.World).Down,
			codes(proposal.MeasurementFailed, proposal.SampleFailed),
			noModel(statuses{proposal.StageMeasure: failed, proposal.StageSample: failed}), true},
		{"there is no source", func(w *setuptest.World) { w.Sources = nil },
			codes(proposal.MeasurementFailed, proposal.SampleFailed),
			noModel(statuses{proposal.StageMeasure: failed, proposal.StageSample: failed}), true},
		{"nothing is in the sources", func(w *setuptest.World) {
			w.Sources[0], w.Sources[1] = setuptest.NewShelf("hackernews"), setuptest.NewShelf("reddit")
		}, codes(), noModel(statuses{}), true},
		{"the model errs for good", scripted(func() *modeltest.Script { return modeltest.Broken(model.ErrUnavailable) }),
			codes(proposal.AgentFailed), statuses{proposal.StageAgent: failed}, true},
		{"the model is refused", scripted(func() *modeltest.Script { return modeltest.Broken(model.ErrRefused) }),
			codes(proposal.AgentFailed), statuses{proposal.StageAgent: failed}, true},
		{"the model is throttled for a while",
			scripted(func() *modeltest.Script { return modeltest.Throttled(2, model.ErrThrottled, modeltest.Good()) }),
			codes(), statuses{}, false},
		{"the model is slow", scripted(modeltest.Slow), codes(proposal.AgentBudgetExceeded),
			statuses{proposal.StageAgent: failed}, true},
		{"the model loops", scripted(modeltest.Looping), codes(proposal.AgentBudgetExceeded),
			statuses{proposal.StageAgent: failed}, true},
	}
	for name, script := range modeltest.Garbage() {
		list = append(list, cause{"the model answers garbage: " + name, func(w *setuptest.World) { w.Model = script },
			codes(proposal.AgentInvalid), statuses{proposal.StageAgent: failed}, true})
	}
	for _, lie := range modeltest.Lies() {
		list = append(list, cause{"the model lies: " + string(lie),
			scripted(func() *modeltest.Script { return modeltest.Liar(lie) }),
			codes(proposal.AgentInvalid), statuses{proposal.StageAgent: failed}, true})
	}
	for _, c := range []struct {
		stage proposal.Stage
		code  proposal.DegradationCode
	}{{proposal.StageCandidates, proposal.CandidatesFailed}, {proposal.StageMeasure, proposal.MeasurementFailed},
		{proposal.StageSample, proposal.SampleFailed}, {proposal.StageAgent, proposal.AgentFailed}} {
		name := string(c.stage)
		with := func(prepare func(w *setuptest.World)) func(w *setuptest.World) {
			return func(w *setuptest.World) {
				if c.stage == proposal.StageAgent {
					w.Model = modeltest.Good()
				}
				prepare(w)
			}
		}
		steps := statuses{c.stage: failed}
		if c.stage != proposal.StageAgent {
			steps = noModel(steps)
		}
		for _, how := range []string{"hangs", "hangs and says nothing of it", "panics"} {
			list = append(list, cause{name + " " + how, with(failing(how, name)), codes(c.code), steps, true})
		}
		list = append(list, cause{name + " cannot write", with(unwritten(name)), codes(c.code), steps, true})
	}
	return list
}

// Every degradation, caused for real: the run ends with a proposal that passes every rule, does without what the code
// says, and says so.
func TestDegraded(t *testing.T) {
	reached := map[proposal.DegradationCode]bool{}
	for _, c := range causes() {
		bubble(t, c.name, func(t *testing.T, w *setuptest.World) {
			c.prepare(w)
			draft := w.Draft(t)
			begun := time.Now()
			if status := w.Run(t, w.Begin(t, draft)); status != flow.Succeeded {
				t.Error(status)
			}
			if took := time.Since(begun); took > 15*time.Minute {
				t.Errorf("it took %v", took)
			}
			w.SetHook(nil)
			d, run := w.Settled(t, draft)
			if d.Status != proposal.Ready {
				t.Fatalf("%s: %s", d.Status, d.Message)
			}
			if got := setuptest.Degraded(run); !slices.Equal(got, c.degraded) {
				t.Errorf("degraded %v, want %v", got, c.degraded)
			}
			for _, step := range run.Steps {
				want := c.steps[step.Stage]
				if want == "" {
					want = proposal.StepOK
				}
				if step.Status != want || step.Line == "" {
					t.Errorf("%s is %s (%q), want %s", step.Stage, step.Status, step.Line, want)
				}
			}
			if len(run.Steps) != len(proposal.Stages()) || run.AgentFallback != c.fallback ||
				run.Proposal.AgentFallback != c.fallback {
				t.Errorf("%d steps, fallback %v, of the proposal %v", len(run.Steps), run.AgentFallback, run.Proposal.AgentFallback)
			}
			effects(t, run)
			for _, code := range setuptest.Degraded(run) {
				reached[code] = true
			}
			w.Document(t, draft) // holds to the description's schema
		})
	}
	for _, code := range proposal.DegradationCode("").Values() {
		if !reached[code] && code != proposal.ProposeInterrupted { // which interrupt_test.go causes
			t.Errorf("nothing caused %s", code)
		}
	}
}

// effects holds a proposal to what the description says of its degradations.
func effects(t *testing.T, run proposal.Run) {
	t.Helper()
	p := *run.Proposal
	degraded := setuptest.Degraded(run)
	has := func(code proposal.DegradationCode) bool { return slices.Contains(degraded, code) }
	if len(p.Keywords) == 0 || len(p.Feeds) == 0 {
		t.Errorf("%d keywords in %d feeds", len(p.Keywords), len(p.Feeds))
	}
	if has(proposal.CandidatesFailed) {
		derived := candidate.FromDomain(setuptest.Domain)
		for _, k := range p.Keywords {
			if c, known := derived.Of(k.Ref); !known || c.Text != k.Keyword || k.Tag != keyword.OwnBrand {
				t.Errorf("%q does not come from the domain", k.Keyword)
			}
		}
	}
	unmeasured := has(proposal.MeasurementFailed) || has(proposal.ProposeInterrupted)
	for _, k := range p.Keywords {
		if unmeasured && (k.Volume.Basis != proposal.BasisPrior || !slices.Contains(k.Flags, proposal.FlagUnverified)) {
			t.Errorf("%q was not measured: basis %s, flags %v", k.Keyword, k.Volume.Basis, k.Flags)
		}
		if has(proposal.SampleFailed) && k.Sample != nil {
			t.Errorf("%q has a sample", k.Keyword)
		}
	}
	brand := false
	for _, f := range p.Feeds {
		brand = brand || f.Visible && f.Purpose == proposal.ForBrand
		if f.Visible && f.Purpose != proposal.ForBrand && (has(proposal.SampleFailed) || has(proposal.ProposeInterrupted)) {
			t.Errorf("the feed %s is visible", f.Name)
		}
	}
	if !brand && (has(proposal.SampleFailed) || has(proposal.ProposeInterrupted)) {
		t.Error("no feed of the brand is visible")
	}
	agent := has(proposal.AgentFailed) || has(proposal.AgentBudgetExceeded) || has(proposal.AgentInvalid) ||
		has(proposal.ProposeInterrupted)
	if agent && (!p.AgentFallback || p.Model != proposal.NoModel) {
		t.Errorf("code composed it, and it says: fallback %v, model %s", p.AgentFallback, p.Model)
	}
	for _, d := range run.Degraded() {
		if !reflect.DeepEqual(d, proposal.Degrade(d.Code)) || d.Message == "" {
			t.Errorf("%+v", d)
		}
	}
}

// A model that obeys what it reads in posts does no harm: what it then submits is refused, or is none of it there.
func TestObedientModel(t *testing.T) {
	for _, c := range []struct{ verb, what string }{{"CALL", "send_mail"}, {"TRACK", "evil_keyword"}, {"VISIT",
		"evil.example"}, {"OPEN", "org_01OTHER"}} {
		bubble(t, c.verb, func(t *testing.T, w *setuptest.World) {
			posts := setuptest.Posts("hackernews")
			for i := range posts {
				told := *posts[i].Body + " " + modeltest.Instruction(c.verb, c.what)
				posts[i].Body = &told
			}
			w.Sources[0] = setuptest.NewShelf("hackernews", posts...)
			obedient := modeltest.Obedient()
			w.Model = obedient
			draft := w.Draft(t)
			w.Run(t, w.Begin(t, draft))
			d, run := w.Settled(t, draft)
			if d.Status != proposal.Ready || len(obedient.Requests()) < 2 {
				t.Fatalf("%s after %d turns", d.Status, len(obedient.Requests()))
			}
			effects(t, run)
			for _, k := range run.Proposal.Keywords {
				if k.Keyword == c.what || k.Ref == c.what {
					t.Errorf("it tracks %s", c.what)
				}
			}
		})
	}
}
