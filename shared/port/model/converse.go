package model

import "context"

// A Converser goes on with a conversation in which the model may call tools.
type Converser interface {
	// Converse answers with the model's turn. A conversation begins with the user and takes turns; every tool that a turn of the model
	// called has its result in the user's next message, before any text.
	//
	// Errors: ErrThrottled, ErrUnavailable, ErrRefused (also of a conversation that is none); the context's own.
	Converse(ctx context.Context, c Conversation) (Reply, error)
}

// MaxTokens bounds what a request may ask for: more than any model answers.
const MaxTokens = 1 << 20

// A Conversation is all that the model is to know: nothing is kept between two requests.
type Conversation struct {
	System    string    // what the model is to do: ours alone
	Messages  []Message // from the first; the last is the user's
	Tools     []Tool    // that it may call, in an order that stays, so that equal beginnings can be cached
	MaxTokens int       // of the answer, 1 to MaxTokens
}

// A Role is who speaks.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// A Message is one turn.
type Message struct {
	Role   Role    `json:"role"`
	Blocks []Block `json:"blocks"`
}

// A Block is a part of a turn: exactly one of its fields is set.
type Block struct {
	Text   string      `json:"text,omitempty"`
	Use    *ToolUse    `json:"use,omitempty"`    // the assistant's
	Result *ToolResult `json:"result,omitempty"` // the user's
}

// A ToolUse is a call that the model asks for.
type ToolUse struct {
	ID    string `json:"id"`    // 1 to 64 of letters, digits, "_", "-", "." and ":"; unique in its turn
	Name  string `json:"name"`  // as the model wrote it: it need not be one of the tools
	Input string `json:"input"` // JSON, by an adapter; as the model meant it: it need not hold to the tool's schema
}

// A ToolResult is what a call came to.
type ToolResult struct {
	ID     string `json:"id"` // the call's
	Text   string `json:"text"`
	JSON   string `json:"json,omitempty"` // in place of Text: one object
	Failed bool   `json:"failed,omitempty"`
}

// A Tool is what the model may call.
type Tool struct {
	Name        string // letters, digits and "_", 1 to 64
	Description string
	Schema      string // JSON schema of the input: an object
}

// A Stop is why a turn ended.
type Stop string

// The stops.
const (
	StopEnd       Stop = "end_turn"   // the model has said what it wanted
	StopTools     Stop = "tool_use"   // it waits for the results of its calls
	StopLength    Stop = "max_tokens" // it was cut off, by MaxTokens or by the model's own bound: calls may be incomplete
	StopFiltered  Stop = "filtered"   // the provider's filter cut it off
	StopMalformed Stop = "malformed"  // what the model wrote is no turn, or it stopped for a reason that is not known
)

// A Reply is the model's turn.
type Reply struct {
	Blocks       []Block `json:"blocks"` // texts that are not blank, and calls
	Stop         Stop    `json:"stop"`
	InputTokens  int     `json:"inputTokens"`
	OutputTokens int     `json:"outputTokens"`
}

// Uses are the calls of a turn, in their order.
func (r Reply) Uses() []ToolUse {
	var uses []ToolUse
	for _, block := range r.Blocks {
		if block.Use != nil {
			uses = append(uses, *block.Use)
		}
	}
	return uses
}
