package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// CheckRequest returns an error unless a request has a prompt and a valid number of tokens.
func CheckRequest(r Request) error {
	if r.Prompt == "" || r.MaxTokens < 1 || r.MaxTokens > MaxTokens {
		return fmt.Errorf("a prompt and 1 to %d tokens are needed", MaxTokens)
	}
	return nil
}

// CheckConversation returns an error unless a conversation follows the rules of Converser and of its types. A provider
// would refuse such a conversation after it was sent.
func CheckConversation(c Conversation) error {
	if c.MaxTokens < 1 || c.MaxTokens > MaxTokens {
		return fmt.Errorf("1 to %d tokens are needed", MaxTokens)
	}
	if len(c.Messages) == 0 || c.Messages[len(c.Messages)-1].Role != User {
		return errors.New("a conversation ends with the user")
	}
	var called []string // by the message before
	for i, message := range c.Messages {
		if want := [...]Role{User, Assistant}[i%2]; message.Role != want {
			return fmt.Errorf("message %d is not the %s's", i+1, want)
		}
		calls, err := checkMessage(message, called)
		if err != nil {
			return fmt.Errorf("message %d: %w", i+1, err)
		}
		called = calls
	}
	for _, tool := range c.Tools {
		if !isObject(tool.Schema) || !isToolName(tool.Name) || strings.TrimSpace(tool.Description) == "" {
			return fmt.Errorf("the tool %q has no name, description or schema", tool.Name)
		}
	}
	return nil
}

// checkMessage checks a turn that holds the results of the calls before it. calls are the turn's own calls.
func checkMessage(m Message, called []string) (calls []string, err error) {
	answered := 0
	for _, block := range m.Blocks {
		switch {
		case block.Use != nil && block.Result == nil && block.Text == "" && m.Role == Assistant:
			if !IsUseID(block.Use.ID) || !isToolName(block.Use.Name) || !isObject(block.Use.Input) {
				return nil, errors.New("a call has no id, name or object")
			}
			calls = append(calls, block.Use.ID)
		case block.Result != nil && block.Use == nil && block.Text == "" && m.Role == User:
			if answered >= len(called) || called[answered] != block.Result.ID {
				return nil, errors.New(
					"the results must be those of the calls of the turn before, in their order and before any text",
				)
			}
			if err := checkResult(*block.Result); err != nil {
				return nil, err
			}
			answered++
		case block.Use == nil && block.Result == nil && strings.TrimSpace(block.Text) != "" && answered == len(called):
		default:
			return nil, errors.New("a block is blank, of two kinds, not its speaker's, or a text before the results")
		}
	}
	if len(m.Blocks) == 0 || answered != len(called) {
		return nil, errors.New("it is empty, or lacks the result of a call")
	}
	return calls, nil
}

func checkResult(r ToolResult) error {
	switch {
	case r.JSON != "" && r.Text == "":
		if !isObject(r.JSON) {
			return errors.New("a result's JSON is no object")
		}
		return nil
	case r.JSON == "" && strings.TrimSpace(r.Text) != "":
		return nil
	}
	return errors.New("a result must have either text or JSON")
}

// isObject reports whether a text is one JSON object and nothing else.
func isObject(text string) bool {
	decoder := json.NewDecoder(strings.NewReader(text))
	var object map[string]json.RawMessage
	if decoder.Decode(&object) != nil || object == nil {
		return false
	}
	_, err := decoder.Token()
	return errors.Is(err, io.EOF)
}

// letters are those of names and ids.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// isToolName reports whether a text has the form of a tool's name: 1 to 64 letters, digits, "_" and "-".
func isToolName(text string) bool {
	return text != "" && len(text) <= 64 && strings.Trim(text, letters) == ""
}

// IsUseID reports whether a text has the form of a call's id: 1 to 64 letters, digits, "_", "-", "." and ":".
func IsUseID(text string) bool {
	return text != "" && len(text) <= 64 && strings.Trim(text, letters+".:") == ""
}
