package bedrockmodel

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
)

// A temperature records whether the model accepts a temperature, as far as its process has seen. Some models refuse
// every request that has one ("temperature is deprecated for this model"). An id does not tell, because the ARN of a
// profile names no model.
type temperature struct{ known atomic.Int32 }

const (
	unknown int32 = iota
	taken
	refused
)

// send sends requests at temperature 0, until the model refuses one as invalid and accepts it without a temperature.
// From then on no request of the process has one. send does not read the refusal's text, which may change. A refused
// request is not billed.
func (m *Model) send(
	ctx context.Context, input *bedrockruntime.ConverseInput, options ...func(*bedrockruntime.Options),
) (*bedrockruntime.ConverseOutput, error) {
	known := m.takes.known.Load()
	if known == refused {
		return m.client.Converse(ctx, input, options...)
	}
	input.InferenceConfig.Temperature = aws.Float32(0)
	output, err := m.client.Converse(ctx, input, options...)
	var invalid *types.ValidationException
	switch {
	case err == nil:
		m.takes.known.Store(taken)
		return output, nil
	case known == taken, !errors.As(err, &invalid):
		return nil, err
	}
	input.InferenceConfig.Temperature = nil
	output, without := m.client.Converse(ctx, input, options...)
	if without != nil {
		if errors.As(without, &invalid) {
			return nil, err // it is not the temperature
		}
		return nil, without
	}
	m.takes.known.Store(refused)
	return output, nil
}
