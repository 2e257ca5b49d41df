// Package queue is the port to message queues: at least once, in no order, like Amazon SQS's standard queues. Consumers do not
// ask for messages: they are called (earshot/shared/worker), so the port only sends.
//
// Producers and adapters import it.
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
)

// A Queue sends messages.
type Queue interface {
	// Send puts every message into the named queue, in as few requests as the medium needs. An error means that some may not have
	// been sent, and others may have been: send all of them again, for consumers take each as often as it comes.
	//
	// Errors: ErrTooLarge, ErrThrottled, ErrUnavailable; the context's own.
	Send(ctx context.Context, queue string, messages ...Message) error
}

// A Message is what is sent.
type Message struct {
	Body  []byte        // UTF-8 text, 1 to MaxBody bytes
	Delay time.Duration // before it is delivered; 0 to MaxDelay, whole seconds
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
