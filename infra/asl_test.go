package main

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"earshot/shared/proposal"
)

// The state machine's definition is there for readers, and for interpreters of others (see peers/).
func TestTheMachineIsThatOfTheGoldenFile(t *testing.T) {
	matchesGolden(t, "the state machine", "setup.asl.json", definition(proposal.Pipeline(), proposal.RunLimit))
}

// A machine is a definition as it is read.
type machine struct {
	StartAt        string
	TimeoutSeconds float64
	States         map[string]state
}

type state struct {
	Type, Resource, Next, ItemsPath string
	TimeoutSeconds                  float64
	End                             bool
	MaxConcurrency                  int
	ItemSelector                    map[string]string
	ItemProcessor                   machine
	Retry                           []retrier
	Catch                           []catcher
	ResultPath                      any
	given                           map[string]json.RawMessage // by its member
}

type retrier struct {
	ErrorEquals                               []string
	IntervalSeconds, BackoffRate, MaxAttempts float64
}

type catcher struct {
	ErrorEquals []string
	ResultPath  any
	Next        string
	given       map[string]json.RawMessage
}

func (s *state) UnmarshalJSON(content []byte) error {
	type plain state
	if err := json.Unmarshal(content, (*plain)(s)); err != nil {
		return err
	}
	return json.Unmarshal(content, &s.given)
}

func (c *catcher) UnmarshalJSON(content []byte) error {
	type plain catcher
	if err := json.Unmarshal(content, (*plain)(c)); err != nil {
		return err
	}
	return json.Unmarshal(content, &c.given)
}

func readMachine(t *testing.T, text string) (read machine) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		t.Fatal(err)
	}
	return read
}

// goes is the way through a machine when these states fail for good: every state that is entered, a Map's for each of
// so many sources.
func (m machine) goes(t *testing.T, sources int, fails ...string) (entered []string, failed bool) {
	t.Helper()
	for at := m.StartAt; ; {
		s, ok := m.States[at]
		if !ok {
			t.Fatalf("there is no state %q", at)
		}
		entered = append(entered, at)
		if s.Type == "Map" {
			for range sources {
				within, failed := s.ItemProcessor.goes(t, 0, fails...)
				entered = append(entered, within...)
				if failed {
					return entered, true
				}
			}
		}
		switch {
		case slices.Contains(fails, at) && len(s.Catch) == 0:
			return entered, true
		case slices.Contains(fails, at):
			at = s.Catch[0].Next
		case s.End || s.Type == "Succeed":
			return entered, false
		default:
			at = s.Next
		}
	}
}

// Every stage of the pipeline is a task with the stage's limits, attempts and pauses, and nothing that a task answers
// or fails with reaches another: the execution carries its ids alone.
func TestEachStageIsATaskAsThePipelineSays(t *testing.T) {
	m := readMachine(t, definition(proposal.Pipeline(), proposal.RunLimit))
	if m.TimeoutSeconds != proposal.RunLimit.Seconds() {
		t.Errorf("a run may take %g s", m.TimeoutSeconds)
	}
	tasks := 0
	for i, stage := range proposal.Pipeline() {
		name := stateOf(stage.Name)
		next := ""
		if i+1 < len(proposal.Pipeline()) {
			next = entry(proposal.Pipeline()[i+1])
		}
		checkTask(t, stage, m.States[name], next, stage.Fails != "")
		tasks++
		if !stage.Each {
			continue
		}
		tasks++
		all := m.States[name+"Sources"]
		if all.Type != "Map" || all.ItemsPath != "$.sources" || all.MaxConcurrency != stage.Width || all.Next != name ||
			string(all.given["ResultPath"]) != "null" {
			t.Errorf("%s: %+v", name, all)
		}
		want := map[string]string{"workspaceId.$": "$.workspaceId", "draftId.$": "$.draftId", "run.$": "$.run",
			"sources.$": "$.sources", "source.$": "$$.Map.Item.Value"}
		for member, path := range want {
			if all.ItemSelector[member] != path {
				t.Errorf("%s: a source's call has %s from %q", name, member, all.ItemSelector[member])
			}
		}
		if len(all.ItemSelector) != len(want) {
			t.Errorf("%s: a source's call has %v", name, all.ItemSelector)
		}
		one := all.ItemProcessor.States[all.ItemProcessor.StartAt]
		checkTask(t, stage, one, "", true)
		if after := all.ItemProcessor.States[one.Catch[0].Next]; after.Type != "Pass" || !after.End {
			t.Errorf("%s: a source that failed goes to %+v", name, after)
		}
	}
	count := 0
	for _, s := range m.States {
		if s.Type == "Task" {
			count++
		}
		for _, within := range s.ItemProcessor.States {
			if within.Type == "Task" {
				count++
			}
		}
	}
	if count != tasks {
		t.Errorf("%d tasks, want %d", count, tasks)
	}
}

func checkTask(t *testing.T, stage proposal.StageSpec, s state, next string, caught bool) {
	t.Helper()
	if s.Type != "Task" || s.Resource != "${"+stateOf(stage.Name)+"}" || s.Next != next || s.End != (next == "") {
		t.Errorf("%s: %+v", stage.Name, s)
	}
	if s.TimeoutSeconds < stage.Limit.Seconds()+10 || s.TimeoutSeconds > stage.Limit.Seconds()+30 {
		t.Errorf("%s: given up at %g s; its function is stopped at %v after up to 10 s of starting", stage.Name,
			s.TimeoutSeconds, stage.Limit)
	}
	if string(s.given["ResultPath"]) != "null" {
		t.Errorf("%s: its answer goes to %s", stage.Name, s.given["ResultPath"])
	}
	if len(s.Retry) != 2 || !slices.Equal(s.Retry[0].ErrorEquals, []string{"Lambda.TooManyRequestsException"}) ||
		!slices.Equal(s.Retry[1].ErrorEquals, []string{"States.ALL"}) ||
		s.Retry[1].MaxAttempts != float64(stage.Attempts-1) ||
		s.Retry[1].IntervalSeconds != stage.Pause.Seconds() || s.Retry[1].BackoffRate != stage.Growth {
		t.Errorf("%s: repeated by %+v", stage.Name, s.Retry)
	}
	if (len(s.Catch) == 1) != caught {
		t.Errorf("%s: caught by %+v", stage.Name, s.Catch)
	}
	for _, c := range s.Catch {
		if !slices.Equal(c.ErrorEquals, []string{"States.ALL"}) || string(c.given["ResultPath"]) != "null" ||
			next != "" && c.Next != next {
			t.Errorf("%s: caught by %+v", stage.Name, c)
		}
	}
}

// What a run costs of Step Functions is counted by the states that it enters: one for each stage and the Map, and one
// for each source.
func TestTransitionsOfARun(t *testing.T) {
	m := readMachine(t, definition(proposal.Pipeline(), proposal.RunLimit))
	for _, sources := range []int{0, 1, 9, 20} {
		entered, failed := m.goes(t, sources)
		if failed || len(entered) != len(proposal.Pipeline())+1+sources {
			t.Errorf("%d sources: %q, %t", sources, entered, failed)
		}
	}
	for _, c := range []struct {
		fails   []string
		entered []string
		failed  bool
	}{
		{nil, []string{"Candidates", "MeasureSources", "MeasureSource", "Measure", "Sample", "Agent", "Validate"}, false},
		{[]string{"Candidates", "Measure", "Sample", "Agent"},
			[]string{"Candidates", "MeasureSources", "MeasureSource", "Measure", "Sample", "Agent", "Validate"}, false},
		{[]string{"MeasureSource"},
			[]string{"Candidates", "MeasureSources", "MeasureSource", "MeasureSourceFailed", "Measure", "Sample", "Agent",
				"Validate"}, false},
		{[]string{"Validate"}, []string{"Candidates", "MeasureSources", "MeasureSource", "Measure", "Sample", "Agent",
			"Validate"}, true},
	} {
		if entered, failed := m.goes(t, 1, c.fails...); !slices.Equal(entered, c.entered) || failed != c.failed {
			t.Errorf("%q failed: %q, %t", c.fails, entered, failed)
		}
	}
}

// A pipeline of another shape is written as well: one that ends with a stage which a proposal can do without, or with
// one for each source.
func TestOtherPipelines(t *testing.T) {
	stage := func(name proposal.Stage, fails proposal.DegradationCode, each bool) proposal.StageSpec {
		return proposal.StageSpec{Name: name, Limit: time.Minute, Attempts: 1, Fails: fails, Each: each, Width: 2}
	}
	for _, c := range []struct {
		stages  []proposal.StageSpec
		fails   []string
		entered []string
	}{
		{[]proposal.StageSpec{stage("a", "x", false)}, nil, []string{"A"}},
		{[]proposal.StageSpec{stage("a", "x", false)}, []string{"A"}, []string{"A", "Done"}},
		{[]proposal.StageSpec{stage("a", "x", true), stage("b", "", false)}, []string{"A"},
			[]string{"ASources", "ASource", "A", "B"}},
		{[]proposal.StageSpec{stage("a", "", true)}, []string{"ASource"},
			[]string{"ASources", "ASource", "ASourceFailed", "A"}},
	} {
		m := readMachine(t, definition(c.stages, time.Minute))
		if entered, failed := m.goes(t, 1, c.fails...); failed || !slices.Equal(entered, c.entered) {
			t.Errorf("%q failed: %q, %t", c.fails, entered, failed)
		}
		if first := m.States["A"]; len(first.Retry) != 1 {
			t.Errorf("one attempt is repeated by %+v", first.Retry)
		}
	}
	for _, d := range []time.Duration{0, time.Millisecond, 1500 * time.Millisecond} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v is written in whole seconds", d)
				}
			}()
			whole(d)
		}()
	}
}
