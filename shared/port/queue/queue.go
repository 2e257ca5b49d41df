// Package queue is the port to message queues: at least once, in no order, like standard queues of Amazon SQS. The port
// only sends. Consumers are called with deliveries (shared/worker) and never ask for messages.
//
// Producers, consumers and adapters import it.
package queue

import (
	"context"
	"errors"
	"time"
)

// Queues of a deployment, by their logical names.
const (
	Posts   = "posts"   // to ingest: events.Posts
	Exports = "exports" // to exports: events.Export
	Scans   = "scans"   // to scan: events.Scan

	Invitations = "invitations" // to invitations: events.Invitations
)

// Names are the queues of a deployment.
func Names() []string { return []string{Posts, Exports, Scans, Invitations} }

// A Queue sends messages.
type Queue interface {
	// Send puts every message into the named queue, in as few requests as the medium needs. A message that breaks a bound refuses
	// all of them before any is sent. Any other error means that some may not have been sent, and others may have been: send all of
	// them again, for consumers take each as often as it comes.
	//
	// Errors: ErrTooLarge, ErrThrottled, ErrUnavailable; the context's own. A queue that is not there is a mistake in the program
	// or its configuration, and none of these.
	Send(ctx context.Context, queue string, messages ...Message) error
}

// A Message is what is sent.
type Message struct {
	Body  []byte        // 1 to MaxBody bytes of UTF-8 without what XML 1.0 cannot hold; JSON makes such
	Delay time.Duration // before it is delivered; 0 to MaxDelay, whole seconds
}

// A Delivery is one coming of a message to a consumer. It comes again, after the queue's visibility timeout, until a consumer has
// not failed it or it has come as often as the queue allows; then it is a dead letter.
type Delivery struct {
	ID       string // of the message: the same each time it comes
	Body     []byte
	Receives int // how often it has come, this time included; 0: not known
}

// Bounds of a message.
const (
	MaxBody  = 256 << 10 // bytes: what every region and SQS's smallest default takes
	MaxDelay = 15 * time.Minute
)

// Errors of a Queue. ErrThrottled and ErrUnavailable may be repeated.
var (
	ErrTooLarge    = errors.New("queue: the message is empty, larger than it can be, not valid text, or its delay is out of bounds")
	ErrThrottled   = errors.New("queue: throttled")
	ErrUnavailable = errors.New("queue: unavailable")
)
