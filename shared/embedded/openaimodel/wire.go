package openaimodel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"earshot/shared/port/model"
)

// A request is the body of POST /chat/completions.
type request struct {
	Model       string    `json:"model"`
	Messages    []message `json:"messages"`
	Tools       []tool    `json:"tools,omitempty"`
	MaxTokens   int       `json:"max_tokens"`
	Temperature float64   `json:"temperature"`
	Stream      bool      `json:"stream"`
}

type message struct {
	Role       string  `json:"role"`
	Content    *string `json:"content"` // null in a turn of calls alone
	ToolCalls  []call  `json:"tool_calls,omitempty"`
	ToolCallID string  `json:"tool_call_id,omitempty"`
}

type call struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name string `json:"name"`
		// Arguments is a string that holds JSON. Some servers respond with an object.
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

type tool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// say adds a message of text.
func (r *request) say(role, text string) {
	if text != "" {
		r.Messages = append(r.Messages, message{Role: role, Content: &text})
	}
}

// toRequest returns the request for a conversation that was checked.
func (m *Model) toRequest(c model.Conversation) request {
	sent := request{Model: m.id, MaxTokens: c.MaxTokens}
	sent.say("system", c.System)
	for _, turn := range c.Messages {
		var texts []string
		var calls []call
		for _, block := range turn.Blocks {
			switch {
			case block.Use != nil:
				made := call{ID: block.Use.ID, Type: "function"}
				made.Function.Name = block.Use.Name
				made.Function.Arguments = quoted(block.Use.Input)
				calls = append(calls, made)
			case block.Result != nil:
				text := block.Result.Text + block.Result.JSON
				if block.Result.Failed { // the API has no other field for it
					text = "The call failed: " + text
				}
				sent.Messages = append(sent.Messages, message{Role: "tool", Content: &text, ToolCallID: block.Result.ID})
			default:
				texts = append(texts, block.Text)
			}
		}
		// Some servers take no list of texts.
		text := strings.Join(texts, "\n\n")
		switch {
		case len(calls) == 0:
			sent.say(string(turn.Role), text)
		case text == "":
			sent.Messages = append(sent.Messages, message{Role: string(turn.Role), ToolCalls: calls})
		default:
			sent.Messages = append(sent.Messages, message{Role: string(turn.Role), Content: &text, ToolCalls: calls})
		}
	}
	for _, offered := range c.Tools {
		described := tool{Type: "function"}
		described.Function.Name, described.Function.Description = offered.Name, offered.Description
		described.Function.Parameters = json.RawMessage(offered.Schema)
		sent.Tools = append(sent.Tools, described)
	}
	return sent
}

// quoted returns a text as a JSON string.
func quoted(text string) json.RawMessage {
	written, err := json.Marshal(text)
	if err != nil {
		panic(fmt.Sprintf("openaimodel: write a text: %v", err)) // a string always has JSON
	}
	return written
}

// A response is the part of the server's response that is read.
type response struct {
	Choices []struct {
		FinishReason string `json:"finish_reason"`
		Message      *struct {
			Content   content `json:"content"`
			ToolCalls []call  `json:"tool_calls"`
		} `json:"message"`
	} `json:"choices"`
	Usage struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
	} `json:"usage"`
}

// A content is a text. Servers write it as a string, as null or as a list of parts.
type content string

// UnmarshalJSON reads each of the three forms.
func (c *content) UnmarshalJSON(data []byte) error {
	switch {
	case string(data) == "null":
		return nil
	case data[0] == '"':
		return json.Unmarshal(data, (*string)(c))
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	for _, part := range parts {
		if part.Type == "text" {
			*c += content(part.Text)
		}
	}
	return nil
}

func (r response) reason() string { return r.Choices[0].FinishReason }

func (r response) tokens() (input, output int) {
	return max(r.Usage.PromptTokens, 0), max(r.Usage.CompletionTokens, 0)
}

// text returns the turn's text without the reasoning that some servers leave at its beginning.
func (r response) text() string {
	text := string(r.Choices[0].Message.Content)
	if inner, ok := strings.CutPrefix(strings.TrimSpace(text), "<think>"); ok {
		if _, after, ended := strings.Cut(inner, "</think>"); ended {
			return strings.TrimSpace(after)
		}
	}
	return text
}

// toReply returns a turn's text and calls. A call whose arguments are no JSON is left out, and the turn is malformed.
func toReply(r response) model.Reply {
	var reply model.Reply
	reply.InputTokens, reply.OutputTokens = r.tokens()
	if text := r.text(); strings.TrimSpace(text) != "" {
		reply.Blocks = append(reply.Blocks, model.Block{Text: text})
	}
	var ids []string
	malformed := false
	for i, made := range r.Choices[0].Message.ToolCalls {
		input, ok := arguments(made.Function.Arguments)
		if !ok {
			malformed = true
			continue
		}
		id := made.ID
		if !model.IsUseID(id) || slices.Contains(ids, id) { // some servers give none
			id = fmt.Sprintf("call:%d", i+1)
		}
		ids = append(ids, id)
		use := &model.ToolUse{ID: id, Name: made.Function.Name, Input: input}
		reply.Blocks = append(reply.Blocks, model.Block{Use: use})
	}
	reply.Stop = toStop(r.reason(), len(reply.Uses()) > 0)
	if malformed && reply.Stop != model.StopLength && reply.Stop != model.StopFiltered {
		reply.Stop = model.StopMalformed
	}
	return reply
}

// arguments returns the JSON of a call's input. No arguments are an empty object.
func arguments(raw json.RawMessage) (input string, ok bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return "{}", true
	}
	if raw[0] != '"' {
		return string(raw), true
	}
	if json.Unmarshal(raw, &input) != nil {
		return "", false
	}
	if strings.TrimSpace(input) == "" {
		return "{}", true
	}
	return input, json.Valid([]byte(input))
}

// toStop returns why a turn ended. Some servers say "stop" of a turn that calls tools.
func toStop(reason string, calls bool) model.Stop {
	switch {
	case reason == "length":
		return model.StopLength
	case reason == "content_filter":
		return model.StopFiltered
	case calls && (reason == "tool_calls" || reason == "function_call" || reason == "stop"):
		return model.StopTools
	case !calls && reason == "stop":
		return model.StopEnd
	}
	return model.StopMalformed
}
