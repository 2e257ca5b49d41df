package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"earshot/functions/local/demo"
	"earshot/shared/port/model"
	"earshot/shared/port/model/modeltest"
)

const modelKey = "sk-canary-4711"

// A chat speaks the chat completions API for a scripted agent, and for the wizard and the judge with one text.
type chat struct {
	t       *testing.T
	agent   *modeltest.Script
	text    string
	agents  atomic.Int64 // requests with tools
	plain   atomic.Int64 // requests without
	unkeyed atomic.Int64
}

type chatMessage struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []chatCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type chatCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

func (c *chat) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+modelKey {
		c.unkeyed.Add(1)
	}
	var sent struct {
		Messages  []chatMessage
		Tools     []any
		MaxTokens int `json:"max_tokens"`
	}
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
		c.t.Error(err)
	}
	said, reason := chatMessage{Role: "assistant", Content: c.text}, "stop"
	if len(sent.Tools) == 0 {
		c.plain.Add(1)
	} else {
		c.agents.Add(1)
		reply, err := c.agent.Converse(r.Context(), conversation(sent.Messages, sent.MaxTokens))
		if err != nil {
			c.t.Error(err)
		}
		said.Content, reason = "", "tool_calls"
		for _, use := range reply.Uses() {
			call := chatCall{ID: use.ID, Type: "function"}
			call.Function.Name, call.Function.Arguments = use.Name, use.Input
			said.ToolCalls = append(said.ToolCalls, call)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"message": said, "finish_reason": reason}},
		"usage":   map[string]int{"prompt_tokens": 100, "completion_tokens": 10},
	})
}

// conversation returns what messages say, in the port's form.
func conversation(messages []chatMessage, tokens int) model.Conversation {
	c := model.Conversation{MaxTokens: tokens}
	for _, m := range messages {
		var blocks []model.Block
		role := model.User
		switch m.Role {
		case "system":
			c.System = m.Content
			continue
		case "tool":
			blocks = append(blocks, model.Block{Result: &model.ToolResult{ID: m.ToolCallID, Text: m.Content}})
		case "assistant":
			role = model.Assistant
		}
		if m.Role != "tool" && m.Content != "" {
			blocks = append(blocks, model.Block{Text: m.Content})
		}
		for _, call := range m.ToolCalls {
			use := &model.ToolUse{ID: call.ID, Name: call.Function.Name, Input: call.Function.Arguments}
			blocks = append(blocks, model.Block{Use: use})
		}
		if last := len(c.Messages) - 1; last >= 0 && c.Messages[last].Role == role {
			c.Messages[last].Blocks = append(c.Messages[last].Blocks, blocks...)
			continue
		}
		c.Messages = append(c.Messages, model.Message{Role: role, Blocks: blocks})
	}
	return c
}

// becomes waits until something holds.
func becomes(t *testing.T, holds func() bool) {
	t.Helper()
	for begun := time.Now(); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Since(begun) > patience {
			t.Fatal("it does not happen")
		}
	}
}

// With MODEL_URL the agent composes the proposal, the judge is advised and the wizard asks, and the key is in no log.
func TestModel_Served(t *testing.T) {
	const wish = `{"filters":{"sentiment":["negative"]},"limit":null,"includeAll":false,"view":null}`
	c := &chat{t: t, agent: modeltest.Good(), text: wish}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	b := begin(t, "MODEL_URL="+server.URL+"/v1", "MODEL=m-1", "MODEL_KEY="+modelKey)
	var filter struct{ Filters json.RawMessage }
	b.keyed(t, "POST", "/api/v2/ai/filter-wizard", b.demo.Keys.Read, `{"query":"who is grumpy?"}`).ok(t, &filter)
	if string(filter.Filters) != `{"sentiment":["negative"]}` {
		t.Errorf("the wizard returns %s, want the model's filter", filter.Filters)
	}
	asked := c.plain.Load()
	b.ask(t, "POST", "/_local/posts", fmt.Sprintf(`{"source":"hackernews","sourceId":"hackernews_comment_47000001",`+
		`"author":"quietharbor","url":"https://news.example/47000001","timestamp":%q,`+
		`"body":"Northwind woke me up for the outage. Love it."}`,
		time.Now().UTC().Format(time.RFC3339))).ok(t, nil)
	flag := `{"workspace":"` + b.demo.Workspaces["northwind"] + `","flag":"setup_onboarding","on":true}`
	b.ask(t, "POST", "/_local/flags", flag).ok(t, nil)
	var draft struct{ DraftID, Status string }
	made := b.keyed(t, "POST", "/api/v2/setup/drafts", b.demo.Keys.Write, `{"domain":"`+demo.Domain+`"}`)
	if err := json.Unmarshal([]byte(made.body), &draft); err != nil || made.StatusCode != http.StatusAccepted {
		t.Fatalf("%d %s", made.StatusCode, made.body)
	}
	becomes(t, func() bool {
		b.keyed(t, "GET", "/api/v2/setup/drafts/"+draft.DraftID, b.demo.Keys.Write, "").ok(t, &draft)
		return draft.Status == "scanned"
	})
	made = b.keyed(t, "POST", "/api/v2/setup/proposals", b.demo.Keys.Write, `{"draftId":"`+draft.DraftID+`"}`)
	if made.StatusCode != http.StatusAccepted {
		t.Fatalf("%d %s", made.StatusCode, made.body)
	}
	var run struct {
		Status        string
		AgentFallback bool
		Degraded      []struct{ Code string }
		Proposal      *struct{ Model string }
	}
	becomes(t, func() bool {
		b.keyed(t, "GET", "/api/v2/setup/proposals/"+draft.DraftID, b.demo.Keys.Write, "").ok(t, &run)
		return slices.Contains([]string{"ready", "needs_narrowing", "failed"}, run.Status)
	})
	if run.Proposal == nil || run.AgentFallback || run.Proposal.Model != "m-1" || c.agents.Load() == 0 {
		t.Errorf("the proposal is %+v after %d turns, want the model's", run, c.agents.Load())
	}
	becomes(t, func() bool { return c.plain.Load() > asked }) // the judge
	if n := c.unkeyed.Load(); n > 0 {
		t.Errorf("%d requests had no key", n)
	}
	written, err := os.ReadFile(filepath.Join(b.folder, logName))
	if log := string(written) + b.stdout.String() + b.stderr.String(); err != nil || strings.Contains(log, modelKey) {
		t.Error("the key is in the log")
	}
}
