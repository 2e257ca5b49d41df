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
)

// Converse sends a conversation with tools, at temperature 0 if the model accepts one. It leaves out reasoning, which a
// conversation does not need to continue.
func (m *Model) Converse(ctx context.Context, c model.Conversation) (model.Reply, error) {
	if err := model.CheckConversation(c); err != nil {
		return model.Reply{}, fmt.Errorf("bedrockmodel: %w: %w", model.ErrRefused, err)
	}
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

// toInput returns the request for a conversation that was checked.
func toInput(c model.Conversation) (*bedrockruntime.ConverseInput, error) {
	input := &bedrockruntime.ConverseInput{
		InferenceConfig: &types.InferenceConfiguration{MaxTokens: aws.Int32(int32(c.MaxTokens))},
	}
	if c.System != "" {
		input.System = []types.SystemContentBlock{&types.SystemContentBlockMemberText{Value: c.System}}
	}
	for i, message := range c.Messages {
		sent := types.Message{Role: types.ConversationRole(message.Role)}
		for _, block := range message.Blocks {
			content, err := toContent(block)
			if err != nil {
				return nil, fmt.Errorf("message %d: %w", i+1, err)
			}
			sent.Content = append(sent.Content, content)
		}
		input.Messages = append(input.Messages, sent)
	}
	if len(c.Tools) == 0 {
		return input, nil
	}
	input.ToolConfig = &types.ToolConfiguration{}
	for _, tool := range c.Tools {
		schema, err := toDocument(tool.Schema)
		if err != nil {
			return nil, fmt.Errorf("the tool %q has no schema", tool.Name)
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

func toContent(block model.Block) (types.ContentBlock, error) {
	switch {
	case block.Use != nil:
		input, err := toDocument(block.Use.Input)
		return &types.ContentBlockMemberToolUse{
			Value: types.ToolUseBlock{ToolUseId: &block.Use.ID, Name: &block.Use.Name, Input: input},
		}, err
	case block.Result != nil:
		return toResult(*block.Result)
	}
	return &types.ContentBlockMemberText{Value: block.Text}, nil
}

func toResult(result model.ToolResult) (types.ContentBlock, error) {
	block := types.ToolResultBlock{ToolUseId: &result.ID, Status: types.ToolResultStatusSuccess}
	if result.Failed {
		block.Status = types.ToolResultStatusError
	}
	if result.JSON == "" {
		block.Content = []types.ToolResultContentBlock{&types.ToolResultContentBlockMemberText{Value: result.Text}}
		return &types.ContentBlockMemberToolResult{Value: block}, nil
	}
	value, err := toDocument(result.JSON)
	block.Content = []types.ToolResultContentBlock{&types.ToolResultContentBlockMemberJson{Value: value}}
	return &types.ContentBlockMemberToolResult{Value: block}, err
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
