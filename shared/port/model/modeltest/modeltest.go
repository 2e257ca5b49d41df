// Package modeltest holds the port's suite, RunAdapter, which every adapter passes, and scripted models: a good agent,
// and agents that fail in the ways in which a model can. They are deterministic. They see only their request (texts,
// results and the tools' schemas), so that they can do nothing that a model could not. Each counts its calls.
//
// Only tests import it.
package modeltest

import (
	"context"
	"fmt"
	"sync"

	"earshot/shared/port/model"
)

// A Script is a model whose turns are made by a function.
type Script struct {
	turn func(ctx context.Context, c model.Conversation, n int) (model.Reply, error)

	mu       sync.Mutex
	requests []model.Conversation
}

// Scripted makes a model of a function from the conversation so far, and the number of the request from 1, to a turn.
func Scripted(turn func(ctx context.Context, c model.Conversation, n int) (model.Reply, error)) *Script {
	return &Script{turn: turn}
}

// Converse returns the script's turn. It refuses a conversation that Bedrock would refuse. It bills a token for four
// bytes unless the script sets a price.
func (s *Script) Converse(ctx context.Context, c model.Conversation) (model.Reply, error) {
	if err := ctx.Err(); err != nil {
		return model.Reply{}, err
	}
	if err := model.CheckConversation(c); err != nil {
		return model.Reply{}, fmt.Errorf("modeltest: %w: %w", model.ErrRefused, err)
	}
	s.mu.Lock()
	kept := c
	kept.Messages = make([]model.Message, len(c.Messages))
	for i, m := range c.Messages {
		kept.Messages[i] = model.Message{Role: m.Role, Blocks: append([]model.Block{}, m.Blocks...)}
	}
	s.requests = append(s.requests, kept)
	n := len(s.requests)
	s.mu.Unlock()
	reply, err := s.turn(ctx, kept, n)
	if err != nil {
		return model.Reply{}, err
	}
	if reply.Stop == "" {
		if reply.Stop = model.StopEnd; len(reply.Uses()) > 0 {
			reply.Stop = model.StopTools
		}
	}
	if reply.InputTokens == 0 && reply.OutputTokens == 0 {
		reply.InputTokens = 1 + (len(c.System)+length(c.Messages...))/4
		for _, tool := range c.Tools {
			reply.InputTokens += (len(tool.Description) + len(tool.Schema)) / 4
		}
		reply.OutputTokens = 1 + length(model.Message{Blocks: reply.Blocks})/4
	}
	return reply, nil
}

// Requests returns the conversations that the script was sent, in order.
func (s *Script) Requests() []model.Conversation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]model.Conversation{}, s.requests...)
}

func length(messages ...model.Message) int {
	n := 0
	for _, m := range messages {
		for _, b := range m.Blocks {
			n += len(b.Text)
			if b.Use != nil {
				n += len(b.Use.Name) + len(b.Use.Input)
			}
			if b.Result != nil {
				n += len(b.Result.Text) + len(b.Result.JSON)
			}
		}
	}
	return n
}

// Say returns a turn of text.
func Say(text string) model.Reply { return model.Reply{Blocks: []model.Block{{Text: text}}} }

// Call is a call of a tool.
type Call struct{ Tool, Input string }

// Use returns a turn that calls tools. n makes the ids of the calls unique in a conversation.
func Use(n int, calls ...Call) model.Reply {
	var reply model.Reply
	for i, call := range calls {
		reply.Blocks = append(
			reply.Blocks,
			model.Block{Use: &model.ToolUse{ID: fmt.Sprintf("use_%d_%d", n, i+1), Name: call.Tool, Input: call.Input}},
		)
	}
	return reply
}
