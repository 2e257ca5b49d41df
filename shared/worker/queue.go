package worker

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"earshot/shared/port/queue"
)

// A Message is a message from the queue.
type Message = queue.Delivery

// A Failure is a message to deliver again, and why. The error is logged, so it holds no part of the message.
type Failure struct {
	ID  string
	Err error
}

// A QueueHandler handles the events of SQS. It is for an event source mapping with ReportBatchItemFailures.
type QueueHandler func(context.Context, events.SQSEvent) (events.SQSEventResponse, error)

// Reject marks an error as the message's own: no repeat can succeed, because the body cannot be understood. The message
// fails like any other and becomes a dead letter for people to look at. The record counts it separately. Reject(nil) is
// nil.
func Reject(err error) error {
	if err == nil {
		return nil
	}
	return &rejected{err}
}

type rejected struct{ err error }

func (r *rejected) Error() string { return "rejected: " + r.err.Error() }
func (r *rejected) Unwrap() error { return r.err }

func isRejected(err error) bool {
	var rejection *rejected
	return errors.As(err, &rejection)
}

// Queue returns a handler that calls handle with one message after the other. A message that makes it panic fails, and
// the next one follows. Once less than the margin remains of the invocation's time, the rest of the batch fails
// untouched.
func Queue(o Options, handle func(context.Context, Message) error) QueueHandler {
	return handler(o, func(ctx context.Context, r *record, messages []Message) (failures []Failure) {
		needed := reserve
		for i, message := range messages {
			begun, err := one(ctx, needed, r, message, handle)
			needed = max(reserve, o.margin())
			if !begun {
				return append(failures, r.leave(messages[i:])...)
			}
			if err != nil {
				failures = append(failures, Failure{message.ID, err})
			}
		}
		return failures
	})
}

func one(
	ctx context.Context, needed time.Duration, r *record, message Message, handle func(context.Context, Message) error,
) (begun bool, err error) {
	call, cancel, enough := within(ctx, needed)
	defer cancel()
	if !enough {
		return false, nil
	}
	defer func() {
		if value := recover(); value != nil {
			begun, err = true, r.panicked(value)
		}
	}()
	return true, handle(call, message)
}

// Batch returns a handler that calls handle with all messages of an event at once. A panic fails all of them, and so
// does a failure of a message that is not in the batch. The context of handle ends before the invocation's time does,
// and handle fails what it has not done by then. Without time at the start, all messages fail untouched.
func Batch(o Options, handle func(context.Context, []Message) []Failure) QueueHandler {
	return handler(o, func(ctx context.Context, r *record, messages []Message) (failures []Failure) {
		call, cancel, enough := within(ctx, reserve)
		defer cancel()
		if !enough {
			return r.leave(messages)
		}
		defer func() {
			if value := recover(); value != nil {
				failures = all(messages, r.panicked(value))
			}
		}()
		return handle(call, slices.Clone(messages))
	})
}

func all(messages []Message, err error) []Failure {
	failures := make([]Failure, len(messages))
	for i, message := range messages {
		failures[i] = Failure{message.ID, err}
	}
	return failures
}

// errStranger is a programming mistake. Lambda would fail the whole batch for an unknown id.
var errStranger = errors.New("a message was failed that is not in the batch")

// handler returns what Queue and Batch have in common: the event becomes messages, run handles them, and the record is
// logged.
func handler(o Options, run func(context.Context, *record, []Message) []Failure) QueueHandler {
	return func(ctx context.Context, event events.SQSEvent) (events.SQSEventResponse, error) {
		ctx, r := begin(ctx)
		messages := fromEvent(event)
		failures := once(messages, run(ctx, r, messages))
		r.endBatch(ctx, o, len(messages), failures)
		answer := events.SQSEventResponse{BatchItemFailures: make([]events.SQSBatchItemFailure, len(failures))}
		for i, failure := range failures {
			answer.BatchItemFailures[i].ItemIdentifier = failure.ID
		}
		return answer, nil
	}
}

func fromEvent(event events.SQSEvent) []Message {
	messages := make([]Message, len(event.Records))
	for i, record := range event.Records {
		receives, _ := strconv.Atoi(record.Attributes["ApproximateReceiveCount"]) // 0 if unknown
		messages[i] = Message{ID: record.MessageId, Body: []byte(record.Body), Receives: receives}
	}
	return messages
}

// once keeps one failure for each message. A failure of a message that is not in the batch fails all messages.
func once(messages []Message, failures []Failure) []Failure {
	open := make(map[string]bool, len(messages))
	for _, message := range messages {
		open[message.ID] = true
	}
	kept := make([]Failure, 0, len(failures))
	for _, failure := range failures {
		first, known := open[failure.ID]
		if !known {
			return all(messages, errStranger)
		}
		if first {
			kept = append(kept, failure)
			open[failure.ID] = false
		}
	}
	return kept
}
