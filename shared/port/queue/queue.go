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
	Backfills   = "backfills"   // to backfills: message.Backfill
	Searches    = "searches"    // to searches: message.Search
	Deliveries  = "deliveries"  // to deliver: due.Work
	Summaries   = "summaries"   // to summaries: summarize.Summary
)

// Names returns the queues of a deployment.
func Names() []string {
	return []string{Posts, Exports, Scans, Invitations, Backfills, Searches, Deliveries, Summaries}
}

// A Queue sends messages.
type Queue interface {
	// Send puts every message into the named queue, in as few requests as the medium allows. If a message breaks a
	// bound, Send refuses all of them before it sends any. After any other error some may have been sent and others
	// not. Send all of them again: consumers accept repeats.
	//
	// Errors: ErrTooLarge, ErrThrottled, ErrUnavailable; the context's own. A missing queue is a mistake in the program
	// or its configuration, and has another error.
	Send(ctx context.Context, queue string, messages ...Message) error
}

// A Message is a message to send.
type Message struct {
	Body  []byte        // 1 to MaxBody bytes of UTF-8, without characters that XML 1.0 cannot hold; JSON returns valid bodies
	Delay time.Duration // before it is delivered; 0 to MaxDelay, whole seconds
	// Group names who waits for it, at most 128 letters, digits and punctuation of ASCII; empty: nobody in particular.
	// Where one group has many messages, those of others are delivered first (fair queues of SQS). It orders nothing,
	// and the embedded queue ignores it.
	Group string
}

// A Delivery is one arrival of a message at a consumer. A failed message arrives again after the queue's visibility
// timeout. After as many failures as the queue allows it becomes a dead letter.
type Delivery struct {
	ID       string // of the message: the same each time it comes
	Body     []byte
	Receives int // how often it has arrived, this time included; 0 if unknown
}

// Bounds of a message.
const (
	MaxBody  = 256 << 10 // bytes; every region and SQS's smallest default allow this much
	MaxDelay = 15 * time.Minute
)

// Errors of a Queue. ErrThrottled and ErrUnavailable may be repeated.
var (
	ErrTooLarge = errors.New(
		"queue: the message is empty, larger than it can be, not valid text, or its delay is out of bounds",
	)
	ErrThrottled   = errors.New("queue: throttled")
	ErrUnavailable = errors.New("queue: unavailable")
)
