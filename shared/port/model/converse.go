package model

import "context"

// A Converser continues a conversation in which the model may call tools.
type Converser interface {
	// Converse returns the model's turn. A conversation begins with the user, and turns alternate. The user's next
	// message holds the result of every tool call of a model's turn, before any text.
	//
	// Errors: ErrThrottled, ErrUnavailable, ErrRefused (also for a malformed conversation); the context's own.
	Converse(ctx context.Context, c Conversation) (Reply, error)
}

// MaxTokens bounds what a request may ask for. No model responds with more.
const MaxTokens = 1 << 20

// A Conversation is everything the model gets to know. Nothing is kept between two requests.
type Conversation struct {
	System    string    // the model's task; only our own text
	Messages  []Message // from the first to the last, which is the user's
	Tools     []Tool    // that it may call; their order is fixed, so that equal beginnings can be cached
	MaxTokens int       // of the response, 1 to MaxTokens
}

// A Role is the author of a message.
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

// A Block is a part of a turn. Exactly one of its fields is set.
type Block struct {
	Text   string      `json:"text,omitempty"`
	Use    *ToolUse    `json:"use,omitempty"`    // the assistant's
	Result *ToolResult `json:"result,omitempty"` // the user's
}

// A ToolUse is a tool call by the model.
type ToolUse struct {
	ID    string `json:"id"`    // 1 to 64 of letters, digits, "_", "-", "." and ":"; unique in its turn
	Name  string `json:"name"`  // as the model wrote it: perhaps the name of no tool
	Input string `json:"input"` // valid JSON, which the adapter ensures; it may violate the tool's schema
}

// A ToolResult is the result of a tool call.
type ToolResult struct {
	ID     string `json:"id"` // the call's
	Text   string `json:"text"`
	JSON   string `json:"json,omitempty"` // in place of Text: one object
	Failed bool   `json:"failed,omitempty"`
}

// A Tool is a tool that the model may call.
type Tool struct {
	Name        string // letters, digits and "_", 1 to 64
	Description string
	Schema      string // JSON schema of the input: an object
}

// A Stop is why a turn ended.
type Stop string

// The stops.
const (
	StopEnd       Stop = "end_turn"   // the model has finished
	StopTools     Stop = "tool_use"   // the model waits for the results of its calls
	StopLength    Stop = "max_tokens" // cut off by MaxTokens or by the model's own bound; calls may be incomplete
	StopFiltered  Stop = "filtered"   // cut off by the provider's filter
	StopMalformed Stop = "malformed"  // the model's turn is malformed, or it stopped for an unknown reason
)

// A Reply is the model's turn.
type Reply struct {
	Blocks       []Block `json:"blocks"` // texts that are not blank, and calls
	Stop         Stop    `json:"stop"`
	InputTokens  int     `json:"inputTokens"`
	OutputTokens int     `json:"outputTokens"`
}

// Uses returns the tool calls of a turn, in order.
func (r Reply) Uses() []ToolUse {
	var uses []ToolUse
	for _, block := range r.Blocks {
		if block.Use != nil {
			uses = append(uses, *block.Use)
		}
	}
	return uses
}
