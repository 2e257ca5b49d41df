package bedrockmodel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	smithydocument "github.com/aws/smithy-go/document"

	"earshot/shared/port/model"
	"earshot/shared/text"
)

// Converse sends a conversation with tools, at temperature 0 if the model accepts one. It leaves out reasoning, which a
// conversation does not need to continue.
func (m *Model) Converse(ctx context.Context, c model.Conversation) (model.Reply, error) {
	input, err := toInput(c)
	if err != nil {
		return model.Reply{}, fmt.Errorf("bedrockmodel: %w: %w", model.ErrRefused, err)
	}
	input.ModelId = &m.id
	output, err := m.send(ctx, input, func(o *bedrockruntime.Options) { o.HTTPClient = m.patient })
	if err != nil {
		return model.Reply{}, failed(ctx, err)
	}
	return toReply(output)
}

// toInput returns the request, and an error for what Bedrock would refuse.
func toInput(c model.Conversation) (*bedrockruntime.ConverseInput, error) {
	if c.MaxTokens < 1 || c.MaxTokens > model.MaxTokens {
		return nil, fmt.Errorf("1 to %d tokens are needed", model.MaxTokens)
	}
	if len(c.Messages) == 0 || c.Messages[len(c.Messages)-1].Role != model.User {
		return nil, errors.New("a conversation ends with the user")
	}
	input := &bedrockruntime.ConverseInput{
		InferenceConfig: &types.InferenceConfiguration{MaxTokens: aws.Int32(int32(c.MaxTokens))},
	}
	if c.System != "" {
		input.System = []types.SystemContentBlock{&types.SystemContentBlockMemberText{Value: c.System}}
	}
	var called []string // by the message before
	for i, message := range c.Messages {
		if want := [...]model.Role{model.User, model.Assistant}[i%2]; message.Role != want {
			return nil, fmt.Errorf("message %d is not the %s's", i+1, want)
		}
		sent, calls, err := toMessage(message, called)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
		input.Messages, called = append(input.Messages, sent), calls
	}
	if len(c.Tools) == 0 {
		return input, nil
	}
	input.ToolConfig = &types.ToolConfiguration{}
	for _, tool := range c.Tools {
		schema, err := toDocument(tool.Schema)
		if err != nil || !toolName.MatchString(tool.Name) || strings.TrimSpace(tool.Description) == "" {
			return nil, fmt.Errorf("the tool %q has no name, description or schema", tool.Name)
		}
		input.ToolConfig.Tools = append(
			input.ToolConfig.Tools,
			&types.ToolMemberToolSpec{Value: types.ToolSpecification{
				Name:        &tool.Name,
				Description: &tool.Description,
				InputSchema: &types.ToolInputSchemaMemberJson{Value: schema},
			}},
		)
	}
	return input, nil
}

// Forms of names and ids, of the API reference ("ToolSpecification", "ToolUseBlock").
var (
	toolName = text.NewPattern(`^[a-zA-Z0-9_-]{1,64}$`)
	useID    = text.NewPattern(`^[a-zA-Z0-9_.:-]{1,64}$`)
)

// toMessage returns the message of a turn that holds the results of the calls before it. calls are the turn's own
// calls.
func toMessage(m model.Message, called []string) (message types.Message, calls []string, err error) {
	message = types.Message{Role: types.ConversationRole(m.Role)}
	answered := 0
	for _, block := range m.Blocks {
		var content types.ContentBlock
		switch {
		case block.Use != nil && block.Result == nil && block.Text == "" && m.Role == model.Assistant:
			use := *block.Use
			if content, err = fromUse(use); err != nil {
				return types.Message{}, nil, err
			}
			calls = append(calls, use.ID)
		case block.Result != nil && block.Use == nil && block.Text == "" && m.Role == model.User:
			result := *block.Result
			if answered >= len(called) || called[answered] != result.ID {
				return types.Message{}, nil, errors.New(
					"the results must be those of the calls of the turn before, in their order and before any text",
				)
			}
			if content, err = fromResult(result); err != nil {
				return types.Message{}, nil, err
			}
			answered++
		case block.Use == nil && block.Result == nil && strings.TrimSpace(block.Text) != "" && answered == len(called):
			content = &types.ContentBlockMemberText{Value: block.Text}
		default:
			return types.Message{}, nil, errors.New(
				"a block is blank, of two kinds, not its speaker's, or a text before the results",
			)
		}
		message.Content = append(message.Content, content)
	}
	if len(message.Content) == 0 || answered != len(called) {
		return types.Message{}, nil, errors.New("it is empty, or lacks the result of a call")
	}
	return message, calls, nil
}

func fromUse(use model.ToolUse) (types.ContentBlock, error) {
	input, err := toDocument(use.Input)
	if err != nil || !useID.MatchString(use.ID) || !toolName.MatchString(use.Name) {
		return nil, errors.New("a call has no id, name or object")
	}
	return &types.ContentBlockMemberToolUse{
		Value: types.ToolUseBlock{ToolUseId: &use.ID, Name: &use.Name, Input: input},
	}, nil
}

func fromResult(result model.ToolResult) (types.ContentBlock, error) {
	block := types.ToolResultBlock{ToolUseId: &result.ID, Status: types.ToolResultStatusSuccess}
	if result.Failed {
		block.Status = types.ToolResultStatusError
	}
	switch {
	case result.JSON != "" && result.Text == "":
		value, err := toDocument(result.JSON)
		if err != nil {
			return nil, errors.New("a result's JSON is no object")
		}
		block.Content = []types.ToolResultContentBlock{&types.ToolResultContentBlockMemberJson{Value: value}}
	case result.JSON == "" && strings.TrimSpace(result.Text) != "":
		block.Content = []types.ToolResultContentBlock{&types.ToolResultContentBlockMemberText{Value: result.Text}}
	default:
		return nil, errors.New("a result must have either text or JSON")
	}
	return &types.ContentBlockMemberToolResult{Value: block}, nil
}

// toReply returns a turn's text and calls.
func toReply(output *bedrockruntime.ConverseOutput) (model.Reply, error) {
	message, ok := output.Output.(*types.ConverseOutputMemberMessage)
	if !ok || output.StopReason == "" {
		return model.Reply{}, fmt.Errorf(
			"bedrockmodel: converse: %w: an answer without a message", model.ErrUnavailable,
		)
	}
	reply := model.Reply{Stop: toStop(output.StopReason)}
	if output.Usage != nil {
		reply.InputTokens, reply.OutputTokens = int(aws.ToInt32(output.Usage.InputTokens)), int(
			aws.ToInt32(output.Usage.OutputTokens),
		)
		// Bedrock counts tokens that it read from its cache, or put there, separately from its input.
		reply.InputTokens += int(aws.ToInt32(output.Usage.CacheReadInputTokens)) + int(
			aws.ToInt32(output.Usage.CacheWriteInputTokens),
		)
	}
	for _, block := range message.Value.Content {
		switch part := block.(type) {
		case *types.ContentBlockMemberText:
			if strings.TrimSpace(part.Value) != "" {
				reply.Blocks = append(reply.Blocks, model.Block{Text: part.Value})
			}
		case *types.ContentBlockMemberToolUse:
			input, err := fromDocument(part.Value.Input)
			if err != nil {
				return model.Reply{}, fmt.Errorf(
					"bedrockmodel: converse: %w: a call whose input cannot be read", model.ErrUnavailable,
				)
			}
			reply.Blocks = append(reply.Blocks, model.Block{Use: &model.ToolUse{
				ID: aws.ToString(part.Value.ToolUseId), Name: aws.ToString(part.Value.Name), Input: input,
			}})
		}
	}
	return reply, nil
}

func toStop(reason types.StopReason) model.Stop {
	switch reason {
	case types.StopReasonEndTurn, types.StopReasonStopSequence:
		return model.StopEnd
	case types.StopReasonToolUse:
		return model.StopTools
	case types.StopReasonMaxTokens, types.StopReasonModelContextWindowExceeded:
		return model.StopLength
	case types.StopReasonGuardrailIntervened, types.StopReasonContentFiltered:
		return model.StopFiltered
	}
	return model.StopMalformed
}

// toDocument reads one JSON object. Its numbers keep their spelling.
func toDocument(text string) (document.Interface, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) || object == nil {
		return nil, errors.New("not one object")
	}
	return document.NewLazyDocument(numbered(object)), nil
}

// numbered puts the document's own numbers in the place of JSON's.
func numbered(value any) any {
	switch v := value.(type) {
	case json.Number:
		return smithydocument.Number(v)
	case map[string]any:
		for name := range v {
			v[name] = numbered(v[name])
		}
	case []any:
		for i := range v {
			v[i] = numbered(v[i])
		}
	}
	return value
}

// fromDocument writes a document as JSON with sorted names. A missing document is an empty object.
func fromDocument(value document.Interface) (string, error) {
	if value == nil {
		return "{}", nil
	}
	text, err := value.MarshalSmithyDocument()
	if err != nil {
		return "", err
	}
	var read any
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	if err := decoder.Decode(&read); err != nil {
		return "", err
	}
	text, err = json.Marshal(read)
	return string(text), err
}
