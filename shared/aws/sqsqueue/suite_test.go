package sqsqueue_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"earshot/shared/aws/account"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/port/queue"
	"earshot/shared/port/queue/queuetest"
)

// peer is a client of the server in QUEUE_ENDPOINT; without one the test is skipped.
func peer(t *testing.T) *sqs.Client {
	t.Helper()
	endpoint := os.Getenv("QUEUE_ENDPOINT")
	if endpoint == "" {
		t.Skip("QUEUE_ENDPOINT is not set: no SQS-compatible server to test against (see make peers)")
	}
	asker, err := account.From(os.Getenv, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	return sqsqueue.NewClient(asker)
}

// create makes a queue with a name of its own, which the cleanup deletes.
func create(t *testing.T, client *sqs.Client, attributes map[string]string) (url string) {
	t.Helper()
	name := "test-" + rand.Text()
	output, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name, Attributes: attributes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := client.DeleteQueue(context.Background(), &sqs.DeleteQueueInput{QueueUrl: output.QueueUrl}); err != nil {
			t.Error(err)
		}
	})
	return *output.QueueUrl
}

func arnOf(t *testing.T, client *sqs.Client, url string) string {
	t.Helper()
	output, err := client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: &url, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameQueueArn}})
	if err != nil {
		t.Fatal(err)
	}
	return output.Attributes["QueueArn"]
}

// A consumer takes messages off a queue as Lambda does.
type consumer struct {
	client *sqs.Client
	url    string
	failed []*string // receipts of what was failed, and is hidden
}

// receive takes what comes within a second, hands it on and deletes what was not failed.
func (c *consumer) receive(ctx context.Context, handle func([]queue.Delivery) []string) (int, error) {
	output, err := c.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
		QueueUrl: &c.url, MaxNumberOfMessages: 10, WaitTimeSeconds: 1,
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{
			types.MessageSystemAttributeNameApproximateReceiveCount},
	})
	if err != nil || len(output.Messages) == 0 {
		return 0, err
	}
	batch := make([]queue.Delivery, len(output.Messages))
	for i, message := range output.Messages {
		receives, err := strconv.Atoi(message.Attributes["ApproximateReceiveCount"])
		if err != nil {
			return 0, err
		}
		batch[i] = queue.Delivery{ID: *message.MessageId, Body: []byte(*message.Body), Receives: receives}
	}
	failed := handle(batch)
	for _, message := range output.Messages {
		if slices.Contains(failed, *message.MessageId) {
			c.failed = append(c.failed, message.ReceiptHandle)
			continue
		}
		if _, err := c.client.DeleteMessage(ctx,
			&sqs.DeleteMessageInput{QueueUrl: &c.url, ReceiptHandle: message.ReceiptHandle}); err != nil {
			return 0, err
		}
	}
	return len(batch), nil
}

// show ends the visibility timeout of what was failed.
func (c *consumer) show(ctx context.Context) error {
	for _, receipt := range c.failed {
		if _, err := c.client.ChangeMessageVisibility(ctx, &sqs.ChangeMessageVisibilityInput{
			QueueUrl: &c.url, ReceiptHandle: receipt, VisibilityTimeout: 0}); err != nil {
			return err
		}
	}
	c.failed = nil
	return nil
}

func TestSuite(t *testing.T) {
	client := peer(t)
	queuetest.Run(t, func(t *testing.T) queuetest.Medium {
		urls, alive, dead := map[string]string{}, map[string]*consumer{}, map[string]*consumer{}
		for _, name := range []string{queuetest.First, queuetest.Second} {
			dead[name] = &consumer{client: client, url: create(t, client, nil)}
			urls[name] = create(t, client, map[string]string{
				"VisibilityTimeout": strconv.Itoa(int(queuetest.Visibility / time.Second)),
				"RedrivePolicy": fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":"%d"}`,
					arnOf(t, client, dead[name].url), queuetest.MaxReceives),
			})
			alive[name] = &consumer{client: client, url: urls[name]}
		}
		return queuetest.Medium{
			Queue: sqsqueue.New(client, urls),
			Receive: func(ctx context.Context, name string, handle func([]queue.Delivery) []string) (int, error) {
				return alive[name].receive(ctx, handle)
			},
			Dead: func(ctx context.Context, name string) (letters []queue.Delivery, err error) {
				for count := 1; count > 0 && err == nil; {
					count, err = dead[name].receive(ctx, func(batch []queue.Delivery) []string {
						letters = append(letters, batch...)
						return nil
					})
				}
				return letters, err
			},
			Elapse: func(d time.Duration) {
				if d < queuetest.Visibility {
					time.Sleep(d + 100*time.Millisecond)
					return
				}
				for _, c := range alive {
					if err := c.show(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
			},
		}
	}, queuetest.Options{})
}

// Each queue of a deployment is named by a variable of its own, and takes fifty messages in one Send.
func TestNames(t *testing.T) {
	client := peer(t)
	env := map[string]string{"QUEUE_ENDPOINT": os.Getenv("QUEUE_ENDPOINT")}
	for _, name := range queue.Names() {
		env["QUEUE_"+strings.ToUpper(name)] = create(t, client, nil)
	}
	q, err := sqsqueue.FromEnvironment(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range queue.Names() {
		var want, came []string
		for i := range 50 {
			want = append(want, fmt.Sprintf("%s %02d", name, i))
		}
		if err := q.Send(t.Context(), name, texts(want...)...); err != nil {
			t.Fatal(err)
		}
		taker := consumer{client: client, url: env["QUEUE_"+strings.ToUpper(name)]}
		for count := 1; count > 0; {
			if count, err = taker.receive(t.Context(), func(batch []queue.Delivery) []string {
				for _, delivery := range batch {
					came = append(came, string(delivery.Body))
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		if slices.Sort(came); !slices.Equal(came, want) {
			t.Errorf("%s: %d messages came: %q", name, len(came), came)
		}
	}
}
