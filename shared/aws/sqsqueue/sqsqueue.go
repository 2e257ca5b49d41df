// Package sqsqueue implements the port queue on Amazon SQS.
//
// It sends in batches. It repeats messages that SQS failed for reasons of its own, as often as the SDK repeats a
// request, and returns an error for the remaining ones. Errors carry SQS's codes for the logs, and nothing of a
// message.
//
// Only mains and tests import it.
package sqsqueue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"earshot/shared/aws/account"
	"earshot/shared/port/queue"
)

// A Queue sends to SQS queues.
type Queue struct {
	client *sqs.Client
	urls   map[string]string
}

// New makes the adapter. urls holds the URL of each queue by its logical name.
func New(client *sqs.Client, urls map[string]string) *Queue { return &Queue{client, urls} }

// FromEnvironment returns the adapter for the queues that a deployment's variables name: QUEUE_POSTS holds the URL of
// the queue posts, and so on. A function with grants for some queues has only their variables. QUEUE_ENDPOINT, for
// tests, names another server than AWS's. env is os.Getenv or a stand-in.
func FromEnvironment(env func(string) string) (*Queue, error) {
	asker, err := account.From(env, env("QUEUE_ENDPOINT"))
	if err != nil {
		return nil, fmt.Errorf("sqsqueue: %w", err)
	}
	urls := map[string]string{}
	for _, name := range queue.Names() {
		if url := env("QUEUE_" + strings.ToUpper(name)); url != "" {
			urls[name] = url
		}
	}
	if len(urls) == 0 {
		return nil, errors.New("sqsqueue: no QUEUE_… variable names a queue")
	}
	return New(NewClient(asker), urls), nil
}

// timeouts of one attempt. SQS responds within tens of milliseconds. A batch is a quarter of a megabyte.
var timeouts = account.Timeouts{Connect: time.Second, Response: 3 * time.Second, Attempt: 8 * time.Second}

// NewClient makes a client with up to three attempts at a request. It sends nothing before the first operation.
func NewClient(asker account.Account) *sqs.Client {
	return sqs.New(sqs.Options{
		Region:       asker.Region,
		BaseEndpoint: asker.BaseEndpoint(),
		Credentials:  asker.Credentials(),
		HTTPClient:   account.NewHTTPClient(timeouts),
		Retryer:      account.NewRetryer(),
	})
}

// Send puts every message into the queue.
func (q *Queue) Send(ctx context.Context, name string, messages ...queue.Message) error {
	url, ok := q.urls[name]
	if !ok {
		return fmt.Errorf("sqsqueue: there is no queue %q", name)
	}
	if err := queue.Check(messages...); err != nil {
		return fmt.Errorf("sqsqueue: send to %s: %w", name, err)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("sqsqueue: send to %s: %w", name, err)
	}
	for batch := range batches(messages) {
		if err := q.sendAll(ctx, url, batch); err != nil {
			return fmt.Errorf("sqsqueue: send to %s: %w", name, err)
		}
	}
	return nil
}
