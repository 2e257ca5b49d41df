// Package idempotency holds the values that describe a stored response to a repeated request (Idempotency-Key in the
// contract). The kit web claims and reads them; the store keeps them. Both import it.
package idempotency

import (
	"crypto/sha256"
	"time"
)

// A Claim is one request's use of an Idempotency-Key.
type Claim struct {
	WorkspaceID string
	ID          string            // of the API key and the Idempotency-Key together
	Fingerprint [sha256.Size]byte // of the request
	Owner       string            // the request's id: a claim that is sent twice is still one
	Now         time.Time
	Lease       time.Duration // after it, a claim without an answer is void: its request has died
	Keep        time.Duration // how long the answer is kept
}

// Kept is what an earlier request under the same key left.
type Kept struct {
	Fingerprint [sha256.Size]byte
	Answer      *Answer // nil: it still runs
}

// An Answer is an answer as it is kept.
type Answer struct {
	Status int
	Header map[string][]string
	Body   []byte
}
