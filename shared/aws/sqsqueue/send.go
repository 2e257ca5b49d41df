package sqsqueue

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go"

	"earshot/shared/aws/account"
	"earshot/shared/lambdalog"
	"earshot/shared/port/queue"
)

// Bounds of a batch, from the SQS quotas: entries, and bytes of all bodies where a queue keeps the old default of its
// MaximumMessageSize, which bounds a batch as well.
const (
	maxEntries    = 10
	maxBatchBytes = 256 << 10
)

// batches cuts messages into requests, in their order.
func batches(messages []queue.Message) iter.Seq[[]queue.Message] {
	return func(yield func([]queue.Message) bool) {
		start, bytes := 0, 0
		for i, message := range messages {
			if i > start && (i-start == maxEntries || bytes+len(message.Body) > maxBatchBytes) {
				if !yield(messages[start:i]) {
					return
				}
				start, bytes = i, 0
			}
			bytes += len(message.Body)
		}
		if start < len(messages) {
			yield(messages[start:])
		}
	}
}

// How messages that SQS failed in a batch are repeated, besides the SDK's repeats of whole requests.
const (
	attempts   = 3
	firstPause = 100 * time.Millisecond // bound of the first pause; the next is twice as long
)

// sendAll sends a batch, and repeats the messages that SQS failed.
func (q *Queue) sendAll(ctx context.Context, url string, batch []queue.Message) error {
	for attempt := 1; ; attempt++ {
		left, err := q.send(ctx, url, batch)
		if len(left) == 0 || attempt == attempts || !repeatable(err) || !pause(ctx, firstPause<<(attempt-1)) {
			return err
		}
		batch = left
	}
}

func repeatable(err error) bool {
	return errors.Is(err, queue.ErrThrottled) || errors.Is(err, queue.ErrUnavailable)
}

// pause waits up to the bound. It returns false early if the context ends first.
func pause(ctx context.Context, bound time.Duration) bool {
	timer := time.NewTimer(rand.N(bound))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// send sends one request. It returns the messages that are worth a repeat, with their error.
func (q *Queue) send(ctx context.Context, url string, batch []queue.Message) (left []queue.Message, err error) {
	traced := traced(ctx)
	entries := make([]types.SendMessageBatchRequestEntry, len(batch))
	for i, message := range batch {
		id, body := strconv.Itoa(i), string(message.Body)
		entries[i] = types.SendMessageBatchRequestEntry{
			Id:                      &id,
			MessageBody:             &body,
			DelaySeconds:            int32(message.Delay / time.Second),
			MessageSystemAttributes: traced,
		}
		if message.Group != "" {
			entries[i].MessageGroupId = &message.Group
		}
	}
	output, err := q.client.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{QueueUrl: &url, Entries: entries})
	if err != nil {
		return nil, failed(ctx, err)
	}
	open := make(map[string]bool, len(batch)) // a message that the response does not list was not sent either
	for i := range batch {
		open[strconv.Itoa(i)] = true
	}
	for _, done := range output.Successful {
		delete(open, valueOf(done.Id))
	}
	if len(open) == 0 {
		return nil, nil
	}
	kind, code := queue.ErrUnavailable, "no answer"
	for _, entry := range output.Failed {
		code = valueOf(entry.Code)
		switch {
		case account.IsThrottle(code):
			kind = queue.ErrThrottled
		case strings.TrimPrefix(code, "AWS.SimpleQueueService.") == "InvalidMessageContents":
			return nil, fmt.Errorf("%w: %d of %d messages: %s", queue.ErrTooLarge, len(open), len(batch), code)
		case entry.SenderFault:
			return nil, fmt.Errorf("%d of %d messages were refused: %s", len(open), len(batch), code)
		}
	}
	for i, message := range batch {
		if open[strconv.Itoa(i)] {
			left = append(left, message)
		}
	}
	return left, fmt.Errorf("%w: %d of %d messages: %s", kind, len(open), len(batch), code)
}

// traced returns the attributes that make a message part of the context's trace; nil without a trace. Lambda links the
// invocation that handles it. They do not count towards a message's size.
func traced(ctx context.Context) map[string]types.MessageSystemAttributeValue {
	header, kind := lambdalog.TraceHeader(ctx), "String"
	if header == "" {
		return nil
	}
	return map[string]types.MessageSystemAttributeValue{
		string(types.MessageSystemAttributeNameForSendsAWSTraceHeader): {DataType: &kind, StringValue: &header},
	}
}

// failed returns the port's error for an error of the SDK.
func failed(ctx context.Context, err error) error {
	switch account.FailureOf(ctx, err) {
	case account.Throttled:
		return fmt.Errorf("%w: %w", queue.ErrThrottled, err)
	case account.Unavailable:
		// The cause is quoted and not wrapped: a time limit of the HTTP client would pass for the context's.
		return fmt.Errorf("%w: %v", queue.ErrUnavailable, err)
	case account.Ended:
		return ctx.Err()
	}
	// Compared by code, because not every release of the SDK has a type for each. The code has a prefix if SQS is asked
	// for the older protocol's names.
	var refused smithy.APIError
	if errors.As(err, &refused) {
		switch strings.TrimPrefix(refused.ErrorCode(), "AWS.SimpleQueueService.") {
		case "InvalidMessageContents", "BatchRequestTooLong":
			return fmt.Errorf("%w: %w", queue.ErrTooLarge, err)
		}
	}
	return err
}

func valueOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
