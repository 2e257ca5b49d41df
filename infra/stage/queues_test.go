package stage

import (
	"encoding/json"
	"slices"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// A queue is one of the stage's, with the function that takes its messages.
type queue struct {
	url, arn string
	dead     string // URL of its dead letters
	taker    string
	batch    int32
	inPart   bool // the function says which messages of a batch failed
}

// queue finds one by its name, and by the template's mapping the function that is called with what is in it.
func (s *stage) queue(name string) (found queue) {
	s.t.Helper()
	output, _ := deployed.data.Outputs["Queue"+title(name)].Value.(map[string]any)
	dead, _ := deployed.data.Outputs["Dead"+title(name)].Value.(map[string]any)
	id, _ := output["Ref"].(string)
	found.url, found.arn = s.names[id].ref, s.names[id].arn
	id, _ = dead["Ref"].(string)
	found.dead = s.names[id].ref
	for _, mapping := range deployed.service.of("AWS::Lambda::EventSourceMapping") {
		source, err := s.text(deployed.service, mapping.property("EventSourceArn"))
		s.must(err)
		if source != found.arn {
			continue
		}
		taker, err := s.text(deployed.service, mapping.property("FunctionName"))
		s.must(err)
		size, _ := mapping.property("BatchSize").(float64)
		answers, _ := mapping.property("FunctionResponseTypes").([]any)
		found.taker, found.batch, found.inPart = s.byARN(taker), int32(size),
			slices.Contains(answers, any("ReportBatchItemFailures"))
	}
	if found.url == "" || found.dead == "" || found.taker == "" || found.batch == 0 {
		s.t.Fatalf("the template has of the queue %s: %+v", name, found)
	}
	return found
}

// send puts messages into a queue.
func (s *stage) send(name string, bodies ...string) {
	s.t.Helper()
	url := s.queue(name).url
	for _, body := range bodies {
		_, err := s.queues.SendMessage(s.t.Context(), &sqs.SendMessageInput{QueueUrl: &url, MessageBody: &body})
		s.must(err)
	}
}

// deliver calls the queue's function with what is in it, batch by batch, until nothing is left, as Lambda's poller
// does: what the function has done is deleted, and what it has not comes again until it is a dead letter. The time for
// which it would be hidden is over at once. failed counts the deliveries of messages that came to nothing.
func (s *stage) deliver(name string) (failed int) {
	s.t.Helper()
	for {
		taken, again := s.deliverBatch(name)
		if failed += again; taken == 0 {
			return failed
		}
	}
}

// deliverBatch is one batch: taken counts its messages, failed those of them that come again.
func (s *stage) deliverBatch(name string) (taken, failed int) {
	s.t.Helper()
	of := s.queue(name)
	batch, err := s.queues.ReceiveMessage(s.t.Context(),
		&sqs.ReceiveMessageInput{QueueUrl: &of.url, MaxNumberOfMessages: of.batch,
			MessageSystemAttributeNames: []sqstypes.MessageSystemAttributeName{sqstypes.MessageSystemAttributeNameAll}})
	s.must(err)
	if len(batch.Messages) == 0 {
		return 0, 0
	}
	again := s.handOver(of, batch.Messages)
	for _, message := range batch.Messages {
		if slices.Contains(again, *message.MessageId) {
			failed++
			_, err = s.queues.ChangeMessageVisibility(s.t.Context(), &sqs.ChangeMessageVisibilityInput{QueueUrl: &of.url,
				ReceiptHandle: message.ReceiptHandle, VisibilityTimeout: 0})
		} else {
			_, err = s.queues.DeleteMessage(s.t.Context(),
				&sqs.DeleteMessageInput{QueueUrl: &of.url, ReceiptHandle: message.ReceiptHandle})
		}
		s.must(err)
	}
	return len(batch.Messages), failed
}

// handOver calls a queue's function with a batch and answers which messages are to come again: all, if the call fails,
// or its answer is not one.
func (s *stage) handOver(of queue, batch []sqstypes.Message) (again []string) {
	s.t.Helper()
	var event events.SQSEvent
	for _, message := range batch {
		again = append(again, *message.MessageId)
		event.Records = append(event.Records,
			events.SQSMessage{MessageId: *message.MessageId, ReceiptHandle: *message.ReceiptHandle,
				Body: *message.Body, Md5OfBody: *message.MD5OfBody, Attributes: message.Attributes, EventSourceARN: of.arn,
				EventSource: "aws:sqs", AWSRegion: "us-east-1"})
	}
	payload, err := json.Marshal(event)
	s.must(err)
	answer, err := s.functions[of.taker].invoke(s.t.Context(), payload)
	if err != nil {
		s.t.Logf("a batch of %d messages for %s comes again: %.120s", len(batch), of.taker, err)
		return again
	}
	var said events.SQSEventResponse
	if of.inPart && json.Unmarshal(answer, &said) == nil {
		all := again
		again = nil
		for _, failure := range said.BatchItemFailures {
			if !slices.Contains(all, failure.ItemIdentifier) {
				s.t.Errorf("%s says that %q failed, which it was not called with", of.taker, failure.ItemIdentifier)
				return all
			}
			again = append(again, failure.ItemIdentifier)
		}
		return again
	}
	if of.inPart {
		s.t.Errorf("%s answers a batch %s", of.taker, answer)
		return again
	}
	return nil
}

// deadLetters are the bodies of what a queue has given up.
func (s *stage) deadLetters(name string) (bodies []string) {
	s.t.Helper()
	url := s.queue(name).dead
	for {
		batch, err := s.queues.ReceiveMessage(s.t.Context(),
			&sqs.ReceiveMessageInput{QueueUrl: &url, MaxNumberOfMessages: 10})
		s.must(err)
		if len(batch.Messages) == 0 {
			return bodies
		}
		for _, message := range batch.Messages {
			bodies = append(bodies, *message.Body)
		}
	}
}
