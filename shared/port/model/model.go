// Package model is the port to a large language model, like those of Amazon Bedrock's Converse API. A model's output is
// text by a machine that has read hostile text: callers parse it strictly and keep within a budget.
//
// The judges, the setup agent and adapters import it.
package model

import (
	"context"
	"errors"
	"strings"
)

// A Model completes requests.
type Model interface {
	// Complete returns the model's text.
	//
	// Errors: ErrThrottled, ErrUnavailable, ErrRefused; the context's own.
	Complete(ctx context.Context, r Request) (Answer, error)
}

// A Request is one turn.
type Request struct {
	System    string // the model's task; only our own text
	Prompt    string // may hold delimited text of strangers
	MaxTokens int    // of the response
}

// An Answer is the model's response.
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
	ErrRefused     = errors.New(
		"model: the request was refused: it is invalid or not allowed, or there is no such model",
	)
)

// Unfenced removes the fence of a code block, which models often put around JSON.
func Unfenced(text string) string {
	text = strings.TrimSpace(text)
	inner, ok := strings.CutPrefix(text, "```")
	if !ok {
		return text
	}
	inner = strings.TrimPrefix(inner, "json")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), "```"))
}
