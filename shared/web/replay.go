package web

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"earshot/shared/idempotency"
	"earshot/shared/web/problem"
)

// Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): the same key with the same request has one effect and
// one answer. What is kept is the answer of an operation that ran and did not fail on our side. A request whose input
// was refused, that came too early for a limit of the operation's own (429), or that failed with a 5xx, has not used
// its key: it may be corrected or sent again. Nothing is kept of an operation that only reads: of a list, an answer
// would cost thousands of write units.

// Replays is the store of answers that are kept for Idempotency-Key. One call is one round trip unless an answer is large.
type Replays interface {
	// Begin claims the key. It answers nil when this request is to run, and otherwise what an earlier one left: its answer,
	// or, while it still runs, none.
	Begin(ctx context.Context, claim idempotency.Claim) (*idempotency.Kept, error)
	// Keep stores the answer of the request that holds the claim.
	Keep(ctx context.Context, claim idempotency.Claim, answer idempotency.Answer) error
	// Release gives the key back, if this request still holds it.
	Release(ctx context.Context, claim idempotency.Claim) error
}

const (
	claimLease  = time.Minute // longer than any request may take
	answersKept = 24 * time.Hour
	maxKeyBytes = 255
)

// claimOf reads the Idempotency-Key of a request; nil when it has none, or none that means anything.
func (api *API) claimOf(r *http.Request, route *route, record *record, body []byte) (*idempotency.Claim, []problem.Detail) {
	values := r.Header.Values("Idempotency-Key")
	if len(values) == 0 || !route.mutates() || route.Public {
		return nil, nil
	}
	if len(values) > 1 || !printable(values[0]) {
		return nil, []problem.Detail{{Path: "header.Idempotency-Key", Code: "format",
			Message: fmt.Sprintf("Expected one key of 1 to %d printable ASCII characters.", maxKeyBytes)}}
	}
	if !route.replays() {
		return nil, nil
	}
	// The path and query as they were matched, not as they were spelled: a gateway may reorder a query.
	request := sha256.New()
	for _, part := range []string{r.Method, r.URL.EscapedPath(), r.URL.Query().Encode(), strings.Join(r.Header.Values("If-Match"), ","), string(body)} {
		fmt.Fprintf(request, "%d:%s", len(part), part)
	}
	id := sha256.Sum256([]byte(record.caller.Key.ID + "\x00" + values[0]))
	claim := &idempotency.Claim{
		WorkspaceID: record.caller.Workspace.ID,
		ID:          hex.EncodeToString(id[:]),
		Owner:       record.id,
		Now:         api.clock.Now(),
		Lease:       claimLease,
		Keep:        answersKept,
	}
	request.Sum(claim.Fingerprint[:0])
	return claim, nil
}

func printable(key string) bool {
	if key == "" || len(key) > maxKeyBytes {
		return false
	}
	for _, c := range []byte(key) {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// once runs the operation under a claim, or answers what it answered before.
func (api *API) once(out *buffer, r *http.Request, route *route, record *record, claim idempotency.Claim) error {
	ctx, begun := r.Context(), time.Now()
	kept, err := api.replays.Begin(ctx, claim)
	switch {
	case err != nil:
		return fmt.Errorf("claim an Idempotency-Key: %w", err)
	case kept == nil:
	case kept.Fingerprint != claim.Fingerprint:
		return problem.New(problem.IdempotencyKeyReused, "This Idempotency-Key was used with another request. Use a new key for a new request.")
	case kept.Answer == nil:
		return problem.New(problem.IdempotencyKeyInUse, "The first request with this Idempotency-Key is still running. Wait until it has ended, then send this request again.")
	default:
		body, err := record.unsealed(kept.Answer.Body, claim.ID)
		if err != nil {
			return fmt.Errorf("read a kept answer: %w", err)
		}
		record.replayed, record.entered = true, begun // the endpoint's work is to find what it answered
		maps.Copy(out.header, kept.Answer.Header)
		out.status = kept.Answer.Status
		out.body.Write(body)
		record.setHeader("Idempotent-Replayed", "true")
		return nil
	}

	settled := false
	// The claim is settled even when the operation has used up its time, or panics; but never so long that the answer
	// itself comes too late.
	after := context.WithoutCancel(ctx)
	if !record.settleBy.IsZero() {
		var cancel context.CancelFunc
		after, cancel = context.WithDeadline(after, record.settleBy)
		defer cancel()
	}
	defer func() {
		if !settled {
			if err := api.replays.Release(after, claim); err != nil {
				api.log.WarnContext(after, "an Idempotency-Key stays claimed until its lease ends", "requestId", record.id, "cause", err)
			}
		}
	}()
	route.run(out, r, record)
	if out.status >= 500 || out.status == http.StatusTooManyRequests || record.problem != nil && record.problem.Code == problem.ValidationError {
		return nil
	}
	settled = true
	header := out.header.Clone()
	maps.Copy(header, record.header)
	if route.ETag && out.status < 300 {
		header.Set("ETag", record.tag(out.body.Bytes())) // a replay, which runs nothing, knows no revision
	}
	body, err := record.sealed(out.body.Bytes(), claim.ID)
	if err == nil {
		err = api.replays.Keep(after, claim, idempotency.Answer{Status: out.status, Header: header, Body: body})
	}
	if err != nil {
		// What was done is done, and the client is told so; a repeat within the lease is answered 409.
		api.log.ErrorContext(after, "an answer could not be kept for its Idempotency-Key", "requestId", record.id, "cause", err)
	}
	return nil
}

// nameOf is what Repeated answers.
func nameOf(claim idempotency.Claim) string {
	sum := sha256.Sum256(append([]byte(claim.ID), claim.Fingerprint[:]...))
	return hex.EncodeToString(sum[:])
}

// sealed encrypts an answer that holds a secret, for one claim: only who sends the token again can read it.
func (r *record) sealed(body []byte, claim string) ([]byte, error) {
	if !r.route.Secret {
		return body, nil
	}
	box, err := r.box()
	if err != nil {
		return nil, err
	}
	return box.Seal(nil, nil, body, []byte(claim)), nil
}

// unsealed is the answer that sealed has encrypted.
func (r *record) unsealed(body []byte, claim string) ([]byte, error) {
	if !r.route.Secret {
		return body, nil
	}
	box, err := r.box()
	if err != nil {
		return nil, err
	}
	return box.Open(nil, nil, body, []byte(claim))
}

func (r *record) box() (cipher.AEAD, error) {
	block, err := aes.NewCipher(r.token.Derive("answers kept for an Idempotency-Key"))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
