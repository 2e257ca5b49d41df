// Package openaimodel implements the port model on any server that speaks the chat completions API of OpenAI with
// tools: Ollama, llama.cpp, vLLM, LM Studio and others.
//
// It sends a request once, at temperature 0, and reads at most 4 MiB of a response. After a 429 or 503 with Retry-After
// it sends nothing until that time is over: a request waits up to 30 seconds of it, and returns ErrThrottled if more is
// left. It follows no redirect.
//
// The key is in the header Authorization only. Errors quote a server's message only if there is no key, because servers
// repeat keys that they refuse. Without TLS it reaches loopback addresses only.
//
// Only mains and tests import it.
package openaimodel

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/port/model"
	"earshot/shared/port/secret"
)

// KeyName is the name of the secret that holds the server's key.
const KeyName = "model/key"

// Options configure a Model.
type Options struct {
	URL   string      // the API's root, such as http://127.0.0.1:11434/v1
	Model string      // as the server names it
	Key   string      // empty: the server needs none
	Clock clock.Clock // for Retry-After; nil: the machine's
}

// A Model is a model of a server. It is safe for concurrent use.
type Model struct {
	endpoint string
	id       string
	key      string
	clock    clock.Clock
	client   *http.Client
	until    atomic.Int64 // no request before, in nanoseconds since 1970
}

// FromEnvironment returns the model that MODEL_URL and MODEL name, with the secret model/key if it is set. It returns
// nil if neither variable is set, and an error if one of them is missing. env is os.Getenv or a stand-in.
func FromEnvironment(ctx context.Context, env func(string) string, secrets secret.Store) (*Model, error) {
	root, id := env("MODEL_URL"), env("MODEL")
	switch {
	case root == "" && id == "":
		return nil, nil
	case id == "":
		return nil, errors.New("MODEL_URL is set and MODEL is not. Set MODEL to a model of that server, such as llama3.1")
	case root == "":
		return nil, errors.New(
			"MODEL is set and MODEL_URL is not. Set MODEL_URL to the server's API, such as http://127.0.0.1:11434/v1",
		)
	}
	found, err := secrets.Get(ctx, KeyName)
	if err != nil {
		return nil, fmt.Errorf("openaimodel: read the key: %w", err)
	}
	return New(Options{URL: root, Model: id, Key: found[KeyName]})
}

// New makes the adapter. It sends nothing before the first request. Returns an error for a URL that may not be used.
func New(o Options) (*Model, error) {
	root, err := url.Parse(o.URL)
	// without the cause, which quotes the URL, which may hold a password
	if err != nil || root.Host == "" || root.Scheme != "http" && root.Scheme != "https" {
		return nil, errors.New("MODEL_URL is not the URL of an API, such as http://127.0.0.1:11434/v1")
	}
	if root.User != nil || root.RawQuery != "" || root.Fragment != "" {
		return nil, errors.New("MODEL_URL has a user, a query or a fragment. Set a key as MODEL_KEY")
	}
	if root.Scheme == "http" && !loopback(root.Hostname()) {
		return nil, fmt.Errorf(
			"MODEL_URL=http://%s would send posts and the key over the network in clear. Use https, or an address of this "+
				"machine such as 127.0.0.1", root.Host,
		)
	}
	if strings.TrimSpace(o.Model) == "" {
		return nil, errors.New("MODEL names no model")
	}
	if strings.ContainsFunc(o.Key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return nil, errors.New("MODEL_KEY has a blank or another character that no key has")
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	return &Model{
		endpoint: strings.TrimRight(root.String(), "/") + "/chat/completions",
		id:       o.Model,
		key:      o.Key,
		clock:    o.Clock,
		client:   newClient(root.Scheme == "http"),
	}, nil
}

// ID returns the model's name on its server.
func (m *Model) ID() string { return m.id }

// Time limits of a request. A long turn of a conversation takes minutes. The caller's context bounds it further.
const (
	completing = time.Minute
	conversing = 4 * time.Minute
)

// Complete sends one user message.
func (m *Model) Complete(ctx context.Context, r model.Request) (model.Answer, error) {
	if err := model.CheckRequest(r); err != nil {
		return model.Answer{}, fmt.Errorf("openaimodel: %w: %w", model.ErrRefused, err)
	}
	sent := request{Model: m.id, MaxTokens: r.MaxTokens}
	sent.say("system", r.System)
	sent.say("user", r.Prompt)
	received, err := m.send(ctx, sent, completing)
	if err != nil {
		return model.Answer{}, err
	}
	answer := model.Answer{Text: received.text(), Complete: received.reason() == "stop"}
	answer.InputTokens, answer.OutputTokens = received.tokens()
	return answer, nil
}

// Converse sends a conversation with tools. It leaves out reasoning, which a conversation does not need to continue.
func (m *Model) Converse(ctx context.Context, c model.Conversation) (model.Reply, error) {
	if err := model.CheckConversation(c); err != nil {
		return model.Reply{}, fmt.Errorf("openaimodel: %w: %w", model.ErrRefused, err)
	}
	received, err := m.send(ctx, m.toRequest(c), conversing)
	if err != nil {
		return model.Reply{}, err
	}
	return toReply(received), nil
}
