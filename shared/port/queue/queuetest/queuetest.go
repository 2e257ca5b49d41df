// Package queuetest is the suite that every adapter of the port queue passes. It tests what the port's comments
// promise: a message arrives unchanged, arrives again if its consumer fails it, and becomes a dead letter in the end.
//
// Only tests of adapters and decorators import it.
package queuetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"earshot/shared/port/queue"
)

// Queues of the suite.
const (
	First  = "first"
	Second = "second"
)

// Properties of both.
const (
	Visibility  = 30 * time.Second
	MaxReceives = 3
)

// A Medium is an adapter, with the access to its other end that the suite needs.
type Medium struct {
	Queue queue.Queue

	// Receive takes a batch of up to ten messages that are available now. It passes the batch to handle, and removes
	// all messages but those whose ids handle returns. It returns the number of messages. If none arrives within a
	// moment, it returns 0 and does not call handle.
	Receive func(ctx context.Context, name string, handle func(batch []queue.Delivery) (failed []string)) (int, error)

	// Dead returns the dead letters of a queue.
	Dead func(ctx context.Context, name string) ([]queue.Delivery, error)

	// Elapse lets time pass for the queues: it sets their clock, or sleeps. For the duration Visibility it may instead
	// end the visibility timeout of failed messages.
	Elapse func(time.Duration)
}

// Options list what an adapter, or the server behind it, cannot do.
type Options struct {
	Skip map[string]string // the reason for each skipped test, by its name
}

// Run runs the suite. open makes the queues First and Second, both empty, which the test's cleanup takes away.
func Run(t *testing.T, open func(t *testing.T) Medium, options Options) {
	for _, test := range []struct {
		name string
		run  func(e *env)
	}{
		{"Everything", testEverything},
		{"Nothing", testNothing},
		{"Bodies", testBodies},
		{"Texts", testTexts},
		{"Large", testLarge},
		{"Delay", testDelay},
		{"Redelivery", testRedelivery},
		{"DeadLetter", testDeadLetter},
		{"Apart", testApart},
		{"TooLarge", testTooLarge},
		{"Canceled", testCanceled},
		{"Unknown", testUnknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			if reason, skip := options.Skip[test.name]; skip {
				t.Skip(reason)
			}
			test.run(&env{t, open(t)})
		})
	}
}

// An env is one test with its medium.
type env struct {
	*testing.T
	Medium
}

func (e *env) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

func (e *env) send(name string, messages ...queue.Message) {
	e.Helper()
	e.must(e.Queue.Send(e.Context(), name, messages...))
}

func (e *env) receive(name string, handle func(batch []queue.Delivery) (failed []string)) int {
	e.Helper()
	count, err := e.Receive(e.Context(), name, handle)
	e.must(err)
	return count
}

// drain takes messages until none arrives, and returns them by message. A message that arrives more than once counts
// once.
func (e *env) drain(name string) map[string]queue.Delivery {
	e.Helper()
	came := map[string]queue.Delivery{}
	for count := 1; count > 0; {
		count = e.receive(name, func(batch []queue.Delivery) []string {
			if len(batch) == 0 || len(batch) > 10 {
				e.Errorf("a batch of %d messages", len(batch))
			}
			for _, delivery := range batch {
				if delivery.ID == "" {
					e.Error("a message without an id")
				}
				came[delivery.ID] = delivery
			}
			return nil
		})
	}
	return came
}

// wants drains a queue and compares the bodies that came, in any order.
func (e *env) wants(name string, want ...string) {
	e.Helper()
	var got []string
	for _, delivery := range e.drain(name) {
		got = append(got, string(delivery.Body))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		e.Fatalf("%d messages came: %.500q\n%d were to come: %.500q", len(got), got, len(want), want)
	}
}

func messages(bodies ...string) []queue.Message {
	all := make([]queue.Message, len(bodies))
	for i, body := range bodies {
		all[i].Body = []byte(body)
	}
	return all
}
