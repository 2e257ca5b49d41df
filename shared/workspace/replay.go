package workspace

import (
	"crypto/sha256"
	"time"
)

// Claim is one request's use of an Idempotency-Key. The kit web claims, and the store keeps claims with their answers.
type Claim struct {
	WorkspaceID string
	ID          string            // of the API key and the Idempotency-Key together
	Fingerprint [sha256.Size]byte // of the request
	Owner       string            // the request's id: a claim that is sent twice is still one
	Now         time.Time
	Lease       time.Duration // after it, a claim without an answer is void: its request has died
	Keep        time.Duration // how long the answer is kept
}

// Kept is what an earlier request under the same Idempotency-Key left.
type Kept struct {
	Fingerprint [sha256.Size]byte
	Answer      *StoredAnswer // nil: it still runs
}

// StoredAnswer is the response to a request under an Idempotency-Key, as it is kept for repeats.
type StoredAnswer struct {
	Status int
	Header map[string][]string
	Body   []byte
}
