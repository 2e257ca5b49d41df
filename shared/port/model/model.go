// Package model is the port to a large language model, like those of Amazon Bedrock's Converse API. A model's output is
// text by a machine that has read hostile text: callers parse it strictly and keep within a budget.
//
// The judges, the setup agent and adapters import it.
package model

import (
	"context"
	"errors"
)

// A Model answers a request.
type Model interface {
	// Complete answers with the model's text.
	//
	// Errors: ErrThrottled, ErrUnavailable, ErrRefused; the context's own.
	Complete(ctx context.Context, r Request) (Answer, error)
}

// A Request is one turn.
type Request struct {
	System    string // what the model is to do: ours alone
	Prompt    string // may hold text of strangers, delimited
	MaxTokens int    // of the answer
}

// An Answer is what came back.
type Answer struct {
	Text         string
	InputTokens  int
	OutputTokens int
	Complete     bool // false: MaxTokens or the provider's filter cut it off
}

// Errors of a Model. ErrThrottled and ErrUnavailable may be repeated.
var (
	ErrThrottled   = errors.New("model: throttled")
	ErrUnavailable = errors.New("model: unavailable")
	ErrRefused     = errors.New("model: the request was refused: not valid, not allowed, or no such model")
)
