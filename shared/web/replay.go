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

	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): the same key with the same request has one effect and
// one response. The kit stores the response of an operation that ran and did not fail on our side.
//
// Four kinds of requests leave their key unused, so that the client can correct or repeat them: those with refused
// input, those that lost to another writer (409), those refused by an operation's own limit (429), and those that failed
// with a 5xx. No response of an operation that only reads is stored: a stored list would cost thousands of write units.

// Replays is the store of responses to requests with an Idempotency-Key. One call is one round trip unless a response
// is large.
type Replays interface {
	// Begin claims the key. It returns nil if this request is to run. Otherwise it returns what an earlier request
	// left, without a response while that request still runs.
	Begin(ctx context.Context, claim workspace.Claim) (*workspace.Kept, error)
	// Keep stores the response to the request that holds the claim.
	Keep(ctx context.Context, claim workspace.Claim, answer workspace.StoredAnswer) error
	// Release gives the key back if this request still holds it.
	Release(ctx context.Context, claim workspace.Claim) error
}

// Lease is how long a request holds its Idempotency-Key without a response. Afterwards the request has died, and a repeat
// runs. It is longer than any request may take: the gateway gives up at 29 seconds, and a function ends before.
const Lease = 30 * time.Second

const (
	answersKept = 24 * time.Hour
	maxKeyBytes = 255
)

// inspectKey returns what is wrong with the values of the header Idempotency-Key.
func inspectKey(values []string) []problem.Detail {
	if len(values) == 0 || len(values) == 1 && printable(values[0]) {
		return nil
	}
	return []problem.Detail{{Path: "header.Idempotency-Key", Code: "format",
		Message: fmt.Sprintf("Expected one key of 1 to %d printable ASCII characters.", maxKeyBytes)}}
}

// claimOf reads a request's Idempotency-Key. It returns nil if there is none, or if the operation ignores it.
func (api *API) claimOf(
	r *http.Request, route *route, record *record, body []byte,
) (*workspace.Claim, []problem.Detail) {
	values := r.Header.Values("Idempotency-Key")
	if len(values) == 0 || !route.mutates() || route.Public {
		return nil, nil
	}
	if faults := inspectKey(values); len(faults) > 0 {
		return nil, faults
	}
	if !route.replays() {
		return nil, nil
	}
	// A gateway may reorder a query, so the fingerprint takes the query as parsed.
	request := sha256.New()
	for _, part := range []string{r.Method, r.URL.EscapedPath(), r.URL.Query().Encode(),
		strings.Join(r.Header.Values("If-Match"), ","), string(body)} {
		fmt.Fprintf(request, "%d:%s", len(part), part)
	}
	id := sha256.Sum256([]byte(record.caller.Key.ID + "\x00" + values[0]))
	claim := &workspace.Claim{
		WorkspaceID: record.caller.Workspace.ID,
		ID:          hex.EncodeToString(id[:]),
		Owner:       record.id,
		Now:         api.clock.Now(),
		Lease:       Lease,
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

// once runs the operation under a claim, or copies the stored response to out.
func (api *API) once(out *buffer, r *http.Request, route *route, record *record, claim workspace.Claim) error {
	ctx, begun := r.Context(), time.Now()
	kept, err := api.replays.Begin(ctx, claim)
	switch {
	case err != nil:
		return fmt.Errorf("claim an Idempotency-Key: %w", err)
	case kept == nil:
	case kept.Fingerprint != claim.Fingerprint:
		return problem.New(
			problem.IdempotencyKeyReused,
			"This Idempotency-Key was used with another request. Use a new key for a new request.",
		)
	case kept.Answer == nil:
		return problem.New(
			problem.IdempotencyKeyInUse,
			"The first request with this Idempotency-Key is still running. Wait until it has ended, then send this request again.",
		)
	default:
		body, err := record.unsealed(kept.Answer.Body, claim.ID)
		if err != nil { // a grant's access token changes, an API key's does not
			return problem.New(problem.IdempotencyKeyReused, "The response for this Idempotency-Key is sealed with another "+
				"access token of the grant. Use a new key for a new request.")
		}
		record.replayed, record.entered = true, begun // the time to find the stored response counts as the endpoint's
		maps.Copy(out.header, kept.Answer.Header)
		out.status = kept.Answer.Status
		out.body.Write(body)
		record.setHeader("Idempotent-Replayed", "true")
		return nil
	}

	settled := false
	// The claim is settled even if the operation has used up its time or panics. settleBy keeps the response itself in
	// time.
	after := context.WithoutCancel(ctx)
	if !record.settleBy.IsZero() {
		var cancel context.CancelFunc
		after, cancel = context.WithDeadline(after, record.settleBy)
		defer cancel()
	}
	defer func() {
		if !settled {
			if err := api.replays.Release(after, claim); err != nil {
				api.log.WarnContext(
					after, "could not release an Idempotency-Key; it stays claimed until its lease ends", "requestId",
					record.id, "cause", err,
				)
			}
		}
	}()
	route.run(out, r, record)
	if out.status >= 500 || out.status == http.StatusTooManyRequests || out.status == http.StatusConflict ||
		record.problem != nil && record.problem.Code == problem.ValidationError {
		return nil
	}
	settled = true
	header := out.header.Clone()
	maps.Copy(header, record.header)
	if route.ETag && out.status < 300 {
		header.Set("ETag", record.tag(out.body.Bytes())) // a replay runs no operation and so knows no revision
	}
	body, err := record.sealed(out.body.Bytes(), claim.ID)
	if err == nil {
		err = api.replays.Keep(after, claim, workspace.StoredAnswer{Status: out.status, Header: header, Body: body})
	}
	if err != nil {
		// The effect stands, and the client learns of it. A repeat within the lease gets a 409.
		api.log.ErrorContext(
			after, "could not store the response for its Idempotency-Key", "requestId", record.id, "cause", err,
		)
	}
	return nil
}

// nameOf returns the name that Repeated gives to an operation.
func nameOf(claim workspace.Claim) string {
	sum := sha256.Sum256(append([]byte(claim.ID), claim.Fingerprint[:]...))
	return hex.EncodeToString(sum[:])
}

// sealed encrypts a response that holds a secret, for one claim. Only a caller who sends the same token can read it.
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

// unsealed decrypts what sealed has encrypted.
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
