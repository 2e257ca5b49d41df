package worker

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"earshot/shared/port/queue"
)

// Deliver adapts a Lambda's handler to the workbench's queue, which calls it with a batch. The handler gets the event
// that SQS would send. The returned ids are those of messages to deliver again.
func Deliver(handle QueueHandler, name string) func(context.Context, []queue.Delivery) ([]string, error) {
	return func(ctx context.Context, batch []queue.Delivery) ([]string, error) {
		answer, err := handle(named(ctx), toEvent(name, batch))
		if err != nil {
			return nil, fmt.Errorf("worker: deliver to %s: %w", name, err)
		}
		var failed []string
		for _, failure := range answer.BatchItemFailures {
			failed = append(failed, failure.ItemIdentifier)
		}
		return failed, nil
	}
}

func toEvent(name string, batch []queue.Delivery) events.SQSEvent {
	event := events.SQSEvent{Records: make([]events.SQSMessage, len(batch))}
	for i, delivery := range batch {
		event.Records[i] = events.SQSMessage{
			MessageId:      delivery.ID,
			Body:           string(delivery.Body),
			Attributes:     map[string]string{"ApproximateReceiveCount": strconv.Itoa(delivery.Receives)},
			EventSource:    "aws:sqs",
			EventSourceARN: "arn:aws:sqs:local:000000000000:" + name,
		}
	}
	return event
}

// named returns a context with a request id, which Lambda gives every invocation.
func named(ctx context.Context) context.Context {
	if _, has := lambdacontext.FromContext(ctx); has {
		return ctx
	}
	return lambdacontext.NewContext(ctx, &lambdacontext.LambdaContext{AwsRequestID: rand.Text()})
}
