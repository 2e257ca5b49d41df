package modeltest

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"earshot/shared/port/model"
)

// An Adapter implements both interfaces of the port.
type Adapter interface {
	model.Model
	model.Converser
}

// A Behaviour is what the stand-in for an adapter's server does with every request.
type Behaviour string

// The behaviours.
const (
	Answers   Behaviour = "answers"    // with the text "yes", for 31 tokens in and 7 out
	CallsLook Behaviour = "calls look" // says "yes" and calls look with {"n":1} as t1, for the same tokens
	CutOff    Behaviour = "cut off"    // as Answers, stopped by the bound of tokens
	Filters   Behaviour = "filters"    // as Answers, stopped by a filter
	Strange   Behaviour = "strange"    // as Answers, stopped for a reason that nobody knows
	Throttles Behaviour = "throttles"
	Fails     Behaviour = "fails"      // by a status that says that the server is down
	Refuses   Behaviour = "refuses"    // by a status that says that the request is not allowed
	Garbles   Behaviour = "garbles"    // responds with a text that is no JSON
	Empties   Behaviour = "empties"    // responds with an empty object
	BreaksOff Behaviour = "breaks off" // ends the response in its middle
	Hangs     Behaviour = "hangs"      // until the request ends
)

// Served is an adapter at a stand-in for its server.
type Served struct {
	Adapter  Adapter
	Requests func() int // that the stand-in got
}

// RunAdapter is the suite of the port. serve opens an adapter at a stand-in of that behaviour.
func RunAdapter(t *testing.T, serve func(t *testing.T, b Behaviour) Served) {
	asked := conversation(turn(model.User, text("Go.")))
	question := model.Request{System: "Judge.", Prompt: "A post: \"<b>é\u2028\"", MaxTokens: 300}
	yes := []model.Block{text("yes")}
	for behaviour, want := range map[Behaviour]model.Reply{
		Answers:   {Blocks: yes, Stop: model.StopEnd},
		CallsLook: {Blocks: append(yes, use("t1", `{"n":1}`)), Stop: model.StopTools},
		CutOff:    {Blocks: yes, Stop: model.StopLength},
		Filters:   {Blocks: yes, Stop: model.StopFiltered},
		Strange:   {Blocks: yes, Stop: model.StopMalformed},
	} {
		t.Run(string(behaviour), func(t *testing.T) {
			want.InputTokens, want.OutputTokens = 31, 7
			s := serve(t, behaviour)
			if got, err := s.Adapter.Converse(t.Context(), asked); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("Converse = %+v, %v, want %+v", got, err, want)
			}
			if behaviour == CallsLook {
				return // nobody asks Complete for calls
			}
			complete := model.Answer{Text: "yes", InputTokens: 31, OutputTokens: 7, Complete: behaviour == Answers}
			if got, err := s.Adapter.Complete(t.Context(), question); err != nil || got != complete {
				t.Errorf("Complete = %+v, %v, want %+v", got, err, complete)
			}
		})
	}
	for behaviour, want := range map[Behaviour]error{
		Throttles: model.ErrThrottled, Fails: model.ErrUnavailable, Refuses: model.ErrRefused, Garbles: model.ErrUnavailable,
		Empties: model.ErrUnavailable, BreaksOff: model.ErrUnavailable, Hangs: context.DeadlineExceeded,
	} {
		t.Run(string(behaviour), func(t *testing.T) {
			s := serve(t, behaviour)
			ctx := t.Context()
			if behaviour == Hangs {
				limited, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
				defer cancel()
				ctx = limited
			}
			reply, err := s.Adapter.Converse(ctx, asked)
			answer, err2 := s.Adapter.Complete(ctx, question)
			if !only(err, want) || !only(err2, want) || !reflect.DeepEqual(reply, model.Reply{}) || answer != (model.Answer{}) {
				t.Errorf("Converse = %+v, %v, and Complete = %+v, %v, want %v alone", reply, err, answer, err2, want)
			}
		})
	}
	t.Run("malformed", func(t *testing.T) { refusesMalformed(t, serve(t, Answers)) })
}

// only reports whether an error is one of the port's or a context's and none of the others.
func only(err, want error) bool {
	for _, other := range []error{
		model.ErrThrottled, model.ErrUnavailable, model.ErrRefused, context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, other) != (other == want) {
			return false
		}
	}
	return true
}

// refusesMalformed wants that a request that a provider would refuse is not sent.
func refusesMalformed(t *testing.T, s Served) {
	go1, seen := turn(model.User, text("Go.")), result("t1", "seen")
	user := func(blocks ...model.Block) model.Message { return turn(model.User, blocks...) }
	assistant := func(blocks ...model.Block) model.Message { return turn(model.Assistant, blocks...) }
	both := model.Block{Result: &model.ToolResult{ID: "t1", Text: "a", JSON: "{}"}}
	for name, c := range map[string]model.Conversation{
		"empty":               conversation(),
		"no tokens":           {Messages: []model.Message{go1}},
		"too many tokens":     {Messages: []model.Message{go1}, MaxTokens: model.MaxTokens + 1},
		"assistant first":     conversation(assistant(text("Hm.")), go1),
		"assistant last":      conversation(go1, assistant(text("Hm."))),
		"twice the user":      conversation(go1, go1, go1),
		"no blocks":           conversation(user()),
		"blank":               conversation(user(text(" \n"))),
		"user calls":          conversation(user(use("t1", "{}"))),
		"assistant's result":  conversation(go1, assistant(seen), go1),
		"no result":           conversation(go1, assistant(use("t1", "{}")), go1),
		"another's result":    conversation(go1, assistant(use("t2", "{}")), user(seen)),
		"a result too many":   conversation(go1, assistant(text("Hm.")), user(seen)),
		"text before results": conversation(go1, assistant(use("t1", "{}")), user(text("Well:"), seen)),
		"empty result":        conversation(go1, assistant(use("t1", "{}")), user(result("t1", ""))),
		"result of both":      conversation(go1, assistant(use("t1", "{}")), user(both)),
		"input is no object":  conversation(go1, assistant(use("t1", "[1]")), user(seen)),
		"input is null":       conversation(go1, assistant(use("t1", "null")), user(seen)),
		"input and more":      conversation(go1, assistant(use("t1", "{} {}")), user(seen)),
		"id":                  conversation(go1, assistant(use("t 1", "{}")), user(result("t 1", "seen"))),
		"two kinds":           conversation(user(model.Block{Text: "a", Result: &model.ToolResult{ID: "t1", Text: "a"}})),
		"result's JSON": conversation(
			go1, assistant(use("t1", "{}")), user(model.Block{Result: &model.ToolResult{ID: "t1", JSON: "[1]"}}),
		),
		"tool without a name": {
			Messages: []model.Message{go1}, MaxTokens: 5, Tools: []model.Tool{{Description: "Looks.", Schema: "{}"}},
		},
		"tool without schema": {
			Messages: []model.Message{go1}, MaxTokens: 5, Tools: []model.Tool{{Name: "look", Description: "Looks."}},
		},
	} {
		if _, err := s.Adapter.Converse(t.Context(), c); !errors.Is(err, model.ErrRefused) {
			t.Errorf("Converse(%s) = %v, want %v", name, err, model.ErrRefused)
		}
	}
	for _, r := range []model.Request{
		{}, {Prompt: "a"}, {MaxTokens: 5}, {Prompt: "a", MaxTokens: -1}, {Prompt: "a", MaxTokens: 1 << 40},
	} {
		if _, err := s.Adapter.Complete(t.Context(), r); !errors.Is(err, model.ErrRefused) {
			t.Errorf("Complete(%+v) = %v, want %v", r, err, model.ErrRefused)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := s.Adapter.Converse(ended, conversation(go1)); !errors.Is(err, context.Canceled) {
		t.Errorf("Converse(an ended context) = %v, want %v", err, context.Canceled)
	}
	if n := s.Requests(); n != 0 {
		t.Errorf("%d requests were sent, want none", n)
	}
}

func conversation(messages ...model.Message) model.Conversation {
	return model.Conversation{System: "Look.", Messages: messages, MaxTokens: 300, Tools: []model.Tool{{
		Name: "look", Description: "Looks.", Schema: `{"type":"object","properties":{"n":{"type":"integer"}}}`,
	}}}
}

func turn(role model.Role, blocks ...model.Block) model.Message {
	return model.Message{Role: role, Blocks: blocks}
}

func text(s string) model.Block { return model.Block{Text: s} }

func use(id, input string) model.Block {
	return model.Block{Use: &model.ToolUse{ID: id, Name: "look", Input: input}}
}

func result(id, told string) model.Block {
	return model.Block{Result: &model.ToolResult{ID: id, Text: told}}
}
