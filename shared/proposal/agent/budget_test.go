package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"earshot/shared/port/model"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/proposal"
	"earshot/shared/proposal/agent"
)

// minimal is a submission that the tests' gate accepts, and bare one that it refuses.
const (
	minimal = `{"keywords":[{"ref":"brand_domain","route":"domain_variant","explanation":"You see links to your site.","confidence":0.9}],` +
		`"feeds":[{"ref":"b","name":"Brand","purpose":"brand","keywordRefs":["brand_domain"]}]}`
	bare = `{"keywords":[{"ref":"brand","route":"bare","explanation":"You see your name.","confidence":0.9}],` +
		`"feeds":[{"ref":"b","name":"Brand","purpose":"brand","keywordRefs":["brand"]}]}`
)

// following makes a model of its turns, each as calls of tools.
func following(turns ...[]modeltest.Call) *modeltest.Script {
	return modeltest.Scripted(func(_ context.Context, _ model.Conversation, n int) (model.Reply, error) {
		if n > len(turns) {
			return modeltest.Say("That was all."), nil
		}
		return modeltest.Use(n, turns[n-1]...), nil
	})
}

func submitting(text string) []modeltest.Call {
	return []modeltest.Call{{Tool: modeltest.Submit, Input: text}}
}

func measuring(n int) []modeltest.Call {
	return slices.Repeat([]modeltest.Call{{Tool: modeltest.Measure, Input: `{"text":"lamp oil"}`}}, n)
}

func accepts(t *testing.T, w world) agent.Result {
	t.Helper()
	result, err := agent.Run(t.Context(), w.Options)
	if err != nil || result.Decisions == nil || len(result.Degraded) != 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	w.bounded(t, result)
	return result
}

// The gate's first refusal is answered with what it found, its second ends the work.
func TestRefusals(t *testing.T) {
	script := following(submitting(bare), submitting(minimal))
	accepts(t, newWorld(script))
	second := script.Requests()[1]
	told := second.Messages[len(second.Messages)-1].Blocks[0].Result
	if !told.Failed || !strings.Contains(told.Text, "K2") || !strings.Contains(told.Text, "Anchor it.") {
		t.Errorf("%+v", told)
	}
	newWorld(following(submitting(bare), submitting(bare), submitting(minimal))).degrades(t, proposal.AgentInvalid)
	newWorld(following(append(submitting(bare), submitting(bare)...), submitting(minimal))).
		degrades(t, proposal.AgentInvalid)
	accepts(t, newWorld(following(append(submitting(bare), submitting(minimal)...))))
	newWorld(following(submitting(bare))).degrades(t, proposal.AgentInvalid)
	newWorld(following(submitting(`{"keywords":[]}`), submitting(minimal))).degrades(t, proposal.AgentInvalid)
	// A check of the same form is free.
	accepts(t, newWorld(following([]modeltest.Call{{Tool: modeltest.Check, Input: `{"keywords":[]}`},
		{Tool: modeltest.Check, Input: bare}}, submitting(minimal))))
}

// Tool calls over the budget are not made; what is left is said, and a submission is always possible.
func TestToolCalls(t *testing.T) {
	script := following(measuring(11), measuring(5), submitting(minimal))
	w := newWorld(script)
	if result := accepts(t, w); result.Calls != 12 || len(w.survey.asked) != 12 {
		t.Errorf("%d calls, %d made", result.Calls, len(w.survey.asked))
	}
	third := script.Requests()[2]
	blocks := third.Messages[len(third.Messages)-1].Blocks
	for i, failed := range []bool{false, true, true, true, true} {
		if blocks[i].Result.Failed != failed {
			t.Errorf("%d: %+v", i, blocks[i].Result)
		}
	}
	if !strings.Contains(blocks[5].Text, "last turn") {
		t.Errorf("%+v", blocks[5])
	}
	w = newWorld(following(measuring(12), measuring(1), submitting(minimal)))
	w.degrades(t, proposal.AgentBudgetExceeded)
	w = newWorld(following(measuring(12), append(measuring(1), submitting(bare)...), submitting(minimal)))
	if result := accepts(t, w); result.Calls != 12 {
		t.Errorf("%d calls", result.Calls)
	}
	w = newWorld(following(slices.Repeat([]modeltest.Call{{Tool: "sudo", Input: `{}`}}, 40)))
	if result := w.degrades(t, proposal.AgentInvalid); result.Calls != 12 {
		t.Errorf("%d calls", result.Calls)
	}
}

func TestTokens(t *testing.T) {
	w := newWorld(modeltest.Good())
	for _, tokens := range []int{0, 1_000, 3_000} {
		w.Depth.Tokens = tokens
		w.memory.parts = nil
		w.degrades(t, proposal.AgentBudgetExceeded)
		if n := len(w.Model.(*modeltest.Script).Requests()); n != 0 {
			t.Errorf("%d tokens: it was asked %d times", tokens, n)
		}
	}
	// With room for one turn, the model is told so at once.
	script := following(submitting(minimal))
	w = newWorld(script)
	w.Depth.Tokens = 22_000
	accepts(t, w)
	if blocks := script.Requests()[0].Messages[0].Blocks; !strings.Contains(blocks[1].Text, "last turn") ||
		script.Requests()[0].MaxTokens > 22_000 {
		t.Errorf("%+v", blocks[1])
	}
	// A model that says that it used more than it was allowed to is not used, however good its answer.
	costly := modeltest.Scripted(func(_ context.Context, _ model.Conversation, n int) (model.Reply, error) {
		reply := modeltest.Use(n, submitting(minimal)...)
		reply.InputTokens, reply.OutputTokens = 10_000, 10_000_000
		return reply, nil
	})
	newWorld(costly).degrades(t, proposal.AgentBudgetExceeded)
	// One that says that it used none pays what was estimated.
	free := modeltest.Scripted(func(_ context.Context, _ model.Conversation, n int) (model.Reply, error) {
		reply := modeltest.Use(n, measuring(1)...)
		reply.InputTokens, reply.OutputTokens = -5, -5
		return reply, nil
	})
	w = newWorld(free)
	if result := w.degrades(t, proposal.AgentBudgetExceeded); result.Tokens < 20_000 || result.Tokens > w.Depth.Tokens {
		t.Errorf("%d tokens", result.Tokens)
	}
}

// No request asks for more than what is left, whatever its model answers.
func TestNoRequestCanGoOver(t *testing.T) {
	talkative := modeltest.Scripted(func(_ context.Context, c model.Conversation, n int) (model.Reply, error) {
		reply := modeltest.Use(n, modeltest.Call{Tool: modeltest.Sample, Input: `{"ref":"brand"}`})
		reply.Blocks = append([]model.Block{{Text: strings.Repeat("so ", c.MaxTokens)}}, reply.Blocks...)
		reply.InputTokens, reply.OutputTokens = 0, c.MaxTokens
		return reply, nil
	})
	w := newWorld(talkative)
	if result := w.degrades(t, proposal.AgentBudgetExceeded); result.Tokens > w.Depth.Tokens {
		t.Errorf("%d tokens", result.Tokens)
	}
}

func TestCutOffByTheBudget(t *testing.T) {
	cut := modeltest.Scripted(func(_ context.Context, _ model.Conversation, n int) (model.Reply, error) {
		reply := modeltest.Use(n, submitting(minimal)...)
		reply.Stop = model.StopLength
		return reply, nil
	})
	w := newWorld(cut)
	w.Depth.Tokens = 15_000
	w.degrades(t, proposal.AgentBudgetExceeded)
	filtered := modeltest.Scripted(func(context.Context, model.Conversation, int) (model.Reply, error) {
		return model.Reply{Stop: model.StopFiltered}, nil
	})
	newWorld(filtered).degrades(t, proposal.AgentFailed)
}

func TestSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// A tool that takes for ever.
		w := newWorld(following(measuring(1), submitting(minimal)))
		w.survey.delay = time.Hour
		begun := time.Now()
		w.degrades(t, proposal.AgentBudgetExceeded)
		if took := time.Since(begun); took != w.Depth.Agent {
			t.Errorf("it took %v", took)
		}
		// A model that answers late, without minding its context.
		deaf := modeltest.Scripted(func(_ context.Context, _ model.Conversation, n int) (model.Reply, error) {
			time.Sleep(time.Minute + time.Millisecond)
			return modeltest.Use(n, submitting(minimal)...), nil
		})
		newWorld(deaf).degrades(t, proposal.AgentBudgetExceeded)
		// One that is told to hurry, and does.
		script := modeltest.Scripted(func(_ context.Context, c model.Conversation, n int) (model.Reply, error) {
			blocks := c.Messages[len(c.Messages)-1].Blocks
			if strings.Contains(blocks[len(blocks)-1].Text, "last turn") {
				return modeltest.Use(n, submitting(minimal)...), nil
			}
			time.Sleep(11 * time.Second)
			return modeltest.Use(n, measuring(1)...), nil
		})
		w = newWorld(script)
		accepts(t, w)
		if n := len(script.Requests()); n != 4 {
			t.Errorf("%d requests", n)
		}
	})
}

// What the run has measured and sampled is told again without asking anyone.
func TestEvidenceIsNotAskedForAgain(t *testing.T) {
	script := following([]modeltest.Call{{Tool: modeltest.Measure, Input: `{"ref":"brand"}`},
		{Tool: modeltest.Sample, Input: `{"ref":"brand"}`},
		{Tool: modeltest.Measure, Input: `{"ref":"industry_1"}`}, {Tool: modeltest.Sample, Input: `{"ref":"handle_1"}`}},
		submitting(minimal))
	w := newWorld(script)
	accepts(t, w)
	if len(w.survey.asked) != 2 || w.survey.asked[0].Text != "preview deployments" || w.survey.asked[1].Ref != "handle_1" {
		t.Errorf("%+v", w.survey.asked)
	}
	if told := script.Requests()[1].Messages[2].Blocks[0].Result.Text; told != `{"low":80,"high":130,"band":"standard","basis":"sampled","sources_without_a_count":0}` {
		t.Error(told)
	}
}

// A source that is down is told to the model without its reason, and nothing ends.
func TestToolsThatFail(t *testing.T) {
	script := following([]modeltest.Call{
		{Tool: modeltest.Measure, Input: `{"text":"lamp"}`}, {Tool: modeltest.Sample, Input: `{"text":"lamp"}`},
		{Tool: modeltest.Sample, Input: `{"ref":"brand"}`},
		{Tool: modeltest.Measure, Input: `{"ref":"nobody"}`},
		{Tool: modeltest.Measure, Input: `{"ref":"brand","text":"lamp"}`}, {Tool: modeltest.Measure, Input: `{}`},
		{Tool: modeltest.Measure, Input: `{"ref":"brand","workspace":"org_1"}`},
		{Tool: modeltest.Sample, Input: `{"text":"\"lamp\" OR site:x"}`},
		{Tool: modeltest.Sample, Input: `{"text":"a\nb"}`},
		{Tool: modeltest.Sample, Input: `{"text":"` + strings.Repeat("x", 101) + `"}`},
		{Tool: modeltest.Sample, Input: `{"text":null}`},
	}, submitting(minimal))
	w := newWorld(script)
	w.survey.err = errors.New("a secret cause")
	result := accepts(t, w)
	var statuses []string
	for _, e := range result.Timeline {
		statuses = append(statuses, e.Status)
	}
	want := []string{"failed", "failed", "ok", "refused", "refused", "refused", "refused", "refused", "refused", "refused",
		"refused", "ok"}
	if !slices.Equal(statuses, want) || len(w.survey.asked) != 2 {
		t.Errorf("%v, %v", statuses, w.survey.asked)
	}
	for _, b := range script.Requests()[1].Messages[2].Blocks {
		if b.Result != nil && strings.Contains(b.Result.Text, "secret") {
			t.Error(b.Result.Text)
		}
	}
}

// Calls that a provider would not take again do not end the work, and are told as something that it takes.
func TestCallsThatAreNone(t *testing.T) {
	script := modeltest.Scripted(func(_ context.Context, _ model.Conversation, n int) (model.Reply, error) {
		if n == 2 {
			return modeltest.Use(n, submitting(minimal)...), nil
		}
		reply := modeltest.Use(n, modeltest.Call{Tool: "", Input: "x"}, modeltest.Call{Tool: "two words!", Input: "[1]"},
			modeltest.Call{Tool: modeltest.Measure, Input: "null"}, modeltest.Call{Tool: modeltest.Check, Input: `{"a":`})
		for i := range reply.Blocks {
			reply.Blocks[i].Use.ID = []string{"", "a", "a", "é"}[i]
		}
		return reply, nil
	})
	if result := accepts(t, newWorld(script)); result.Calls != 4 || len(result.Timeline) != 5 ||
		result.Timeline[1].Name != "unknown_tool" {
		t.Errorf("%+v", result)
	}
}
