// Package bedrockmodel implements the port model on Amazon Bedrock. It uses the Converse API, so that one request fits
// every model.
//
// It sends a request once. The exception is a process that does not know yet whether its model takes a temperature:
// that process may send the request twice. Errors carry Bedrock's code and the beginning of its message for the logs.
//
// Only mains and tests import it.
package bedrockmodel

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"github.com/aws/smithy-go"

	"earshot/shared/aws/account"
	"earshot/shared/port/model"
)

// A Model is one of Bedrock's models or an inference profile.
type Model struct {
	client  *bedrockruntime.Client
	patient bedrockruntime.HTTPClient // of Converse
	id      string
	takes   temperature
}

// New makes the adapter. id is a model id, or the id or ARN of an inference profile.
func New(a account.Account, id string) (*Model, error) {
	if strings.TrimSpace(id) == "" {
		return nil, errors.New("bedrockmodel: no model id")
	}
	return &Model{client: newClient(a), patient: account.NewHTTPClient(conversing), id: id}, nil
}

// Complete sends one user message, at temperature 0 if the model accepts one, so that equal questions get equal
// responses.
func (m *Model) Complete(ctx context.Context, r model.Request) (model.Answer, error) {
	if err := model.CheckRequest(r); err != nil {
		return model.Answer{}, fmt.Errorf("bedrockmodel: %w: %w", model.ErrRefused, err)
	}
	input := &bedrockruntime.ConverseInput{
		ModelId: &m.id,
		Messages: []types.Message{{
			Role:    types.ConversationRoleUser,
			Content: []types.ContentBlock{&types.ContentBlockMemberText{Value: r.Prompt}},
		}},
		InferenceConfig: &types.InferenceConfiguration{MaxTokens: aws.Int32(int32(r.MaxTokens))},
	}
	if r.System != "" {
		input.System = []types.SystemContentBlock{&types.SystemContentBlockMemberText{Value: r.System}}
	}
	output, err := m.send(ctx, input)
	if err != nil {
		return model.Answer{}, failed(ctx, err)
	}
	return toAnswer(output)
}

// toAnswer returns the text of a response. Other blocks, such as reasoning, are left out.
func toAnswer(output *bedrockruntime.ConverseOutput) (model.Answer, error) {
	answer := model.Answer{
		Complete: output.StopReason == types.StopReasonEndTurn || output.StopReason == types.StopReasonStopSequence,
	}
	if output.Usage != nil {
		answer.InputTokens, answer.OutputTokens = int(aws.ToInt32(output.Usage.InputTokens)), int(
			aws.ToInt32(output.Usage.OutputTokens),
		)
	}
	message, ok := output.Output.(*types.ConverseOutputMemberMessage)
	if !ok || output.StopReason == "" {
		return model.Answer{}, fmt.Errorf(
			"bedrockmodel: converse: %w: an answer without a message", model.ErrUnavailable,
		)
	}
	var text strings.Builder
	for _, block := range message.Value.Content {
		if part, ok := block.(*types.ContentBlockMemberText); ok {
			text.WriteString(part.Value)
		}
	}
	answer.Text = text.String()
	return answer, nil
}

// maxCause is how many characters of a cause an error quotes.
const maxCause = 200

// failed returns the port's error for an error of the SDK.
func failed(ctx context.Context, err error) error {
	var api smithy.APIError
	code, cause := "", err.Error()
	if errors.As(err, &api) {
		code, cause = api.ErrorCode(), api.ErrorCode()+": "+api.ErrorMessage()
	}
	cause = fmt.Sprintf("%.*q", maxCause, cause) // an unreadable response may be quoted in it, with a stranger's text
	switch failure := account.FailureOf(ctx, err); {
	case failure == account.Ended:
		return fmt.Errorf("bedrockmodel: converse: %w", ctx.Err())
	case failure == account.Throttled, code == "ServiceQuotaExceededException":
		return fmt.Errorf("bedrockmodel: converse: %w: %s", model.ErrThrottled, cause)
	// The model took too long or failed. Whatever the status, the next request may succeed.
	case failure == account.Unavailable, code == "ModelTimeoutException", code == "ModelErrorException",
		code == "InternalServerException", code == "ServiceUnavailableException":
		return fmt.Errorf("bedrockmodel: converse: %w: %s", model.ErrUnavailable, cause)
	}
	return fmt.Errorf("bedrockmodel: converse: %w: %s", model.ErrRefused, cause)
}
