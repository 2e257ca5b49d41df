package modeltest_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"earshot/shared/port/model"
	"earshot/shared/port/model/modeltest"
)

const brief = "Known:\n=== DATA A ===\n" +
	`{"profile":{"company":"Acme"},"candidates":[{"ref":"brand","text":"Acme","tag":"own_brand","route":"bare"},` +
	`{"ref":"rival","text":"Orbit","tag":"competitor","route":"bare","common_word":true,"anchors":["probe"]}]}` +
	"\n=== DATA A ==="

func opening() model.Conversation {
	return model.Conversation{
		System:    "Go.",
		MaxTokens: 1000,
		Messages:  []model.Message{{Role: model.User, Blocks: []model.Block{{Text: brief}}}},
	}
}

// Equal conversations get equal turns, from every script that answers.
func TestDeterministic(t *testing.T) {
	scripts := map[string]func() *modeltest.Script{"good": modeltest.Good, "looping": modeltest.Looping,
		"obedient": modeltest.Obedient}
	for _, lie := range modeltest.Lies() {
		scripts[string(lie)] = func() *modeltest.Script { return modeltest.Liar(lie) }
	}
	for name, script := range scripts {
		first, err := script().Converse(t.Context(), opening())
		again, err2 := script().Converse(t.Context(), opening())
		if err != nil || err2 != nil || !reflect.DeepEqual(first, again) || len(first.Uses()) == 0 ||
			first.Stop != model.StopTools ||
			first.InputTokens < 50 || first.OutputTokens < 1 {
			t.Errorf("%s: %+v, %v, %v", name, first, err, err2)
		}
	}
}

// What a provider would refuse, a script refuses.
func TestConverse_Malformed(t *testing.T) {
	use := model.Message{Role: model.Assistant, Blocks: modeltest.Use(1, modeltest.Call{Tool: "look", Input: "{}"}).Blocks}
	result := func(id string) model.Message {
		return model.Message{Role: model.User, Blocks: []model.Block{{Result: &model.ToolResult{ID: id, Text: "seen"}}}}
	}
	with := func(more ...model.Message) model.Conversation {
		c := opening()
		c.Messages = append(c.Messages, more...)
		return c
	}
	if _, err := modeltest.Good().Converse(t.Context(), with(use, result("use_1_1"))); err != nil {
		t.Error(err)
	}
	for name, c := range map[string]model.Conversation{
		"empty": {MaxTokens: 1}, "no tokens": {Messages: opening().Messages}, "assistant last": with(use),
		"another's result": with(use, result("other")),
		"no result":        with(use, opening().Messages[0]), "twice the user": with(result("use_1_1")),
	} {
		if _, err := modeltest.Good().Converse(t.Context(), c); !errors.Is(err, model.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSlow_ContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	if _, err := modeltest.Slow().Converse(ctx, opening()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestThrottled(t *testing.T) {
	script := modeltest.Throttled(2, model.ErrThrottled, modeltest.Good())
	for n := 1; n <= 3; n++ {
		if _, err := script.Converse(t.Context(), opening()); errors.Is(err, model.ErrThrottled) != (n <= 2) {
			t.Errorf("%d: %v", n, err)
		}
	}
}
