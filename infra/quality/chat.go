package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"earshot/shared/embedded/openaimodel"
)

// A chat is a server of the chat completions API on loopback, whose models follow scripts. The name of a model is that
// of its script.
type chat struct {
	*httptest.Server
	mu      sync.Mutex
	scripts map[string]*script
}

func newChat() *chat {
	c := &chat{scripts: map[string]*script{}}
	c.Server = httptest.NewServer(c)
	return c
}

func (c *chat) close() { c.Server.Close() }

// open returns a model that follows a script.
func (c *chat) open(name string, s *script) (*openaimodel.Model, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scripts[name] = s
	return openaimodel.New(openaimodel.Options{URL: c.URL, Model: name, Key: secretKey})
}

// secretKey is the key of the models. It must be in no prompt and in no proposal.
const secretKey = "sk-quality-7f3a9c"

// bytesPerToken turns the bytes of a conversation into the tokens that the server states, so that they are the same
// each time.
const bytesPerToken = 4

type toolCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function toolFunction `json:"function"`
}

type toolFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// ServeHTTP responds with the next turn of the script that the request's model has.
func (c *chat) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var asked struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	if err != nil || json.Unmarshal(body, &asked) != nil || len(asked.Messages) == 0 {
		http.Error(w, `{"error":{"message":"the request is no conversation"}}`, http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	s := c.scripts[asked.Model]
	c.mu.Unlock()
	if s == nil || r.Header.Get("Authorization") != "Bearer "+secretKey {
		http.Error(w, `{"error":{"message":"there is no such model"}}`, http.StatusNotFound)
		return
	}
	result, last := "", asked.Messages[len(asked.Messages)-1].Content
	for _, m := range asked.Messages {
		s.leaked = s.leaked || strings.Contains(m.Content, secretKey) // what the model wrote itself is in its calls
		if m.Role == "tool" {
			result = m.Content
		}
	}
	name, arguments := s.next(result, strings.Contains(last, "This is your last turn."))
	message := map[string]any{"role": "assistant", "content": nil, "tool_calls": []toolCall{{
		ID: fmt.Sprintf("call_%d", len(asked.Messages)), Type: "function", Function: toolFunction{name, arguments},
	}}}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"choices": []map[string]any{{"finish_reason": "tool_calls", "message": message}},
		"usage": map[string]int{
			"prompt_tokens": len(body)/bytesPerToken + 1, "completion_tokens": len(arguments)/bytesPerToken + 1,
		},
	})
}
