// Package clientdocument reads metadata documents of OAuth clients from the URLs that are the clients' ids, with the
// guarantees of shared/outbound: public addresses alone, no redirect, and bounds of time and size.
//
// Mains import it and pass it to the function authorize.
package clientdocument

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"earshot/shared/outbound"
)

// Bounds of a document.
const (
	MaxBytes = 5 << 10 // draft-ietf-oauth-client-id-metadata-document, section 6.6
	Timeout  = 3 * time.Second
)

// How long a copy is good: as its server says, within these bounds.
const (
	shortest = time.Minute
	usual    = time.Hour // if the server says nothing
	longest  = 24 * time.Hour
)

// A Reader reads documents.
type Reader struct{ client *outbound.Client }

// New makes a reader. The client should end a request within Timeout.
func New(client *outbound.Client) Reader { return Reader{client} }

// ErrUnusable means that there is no document at a URL. The text says why, for the client's developer.
var ErrUnusable = errors.New("clientdocument: no document")

// Read returns the document at a URL, and how long a copy may be used. Returns ErrUnusable, or the context's error.
func (r Reader) Read(ctx context.Context, url string) (document []byte, good time.Duration, err error) {
	answer, err := r.client.Get(ctx, url, http.Header{"Accept": {"application/json"}}, MaxBytes)
	var failure *outbound.Failure
	switch {
	case errors.As(err, &failure):
		return nil, 0, fmt.Errorf("%w: the server %s", ErrUnusable, failure.Reason)
	case err != nil:
		return nil, 0, err
	case answer.Status != http.StatusOK:
		return nil, 0, fmt.Errorf("%w: the server responded with %d, want 200", ErrUnusable, answer.Status)
	case !answer.Whole:
		return nil, 0, fmt.Errorf("%w: it has more than %d bytes or broke off", ErrUnusable, MaxBytes)
	}
	media, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
		return nil, 0, fmt.Errorf("%w: its Content-Type is not application/json", ErrUnusable)
	}
	return answer.Body, lifetime(answer.Header.Get("Cache-Control")), nil
}

// lifetime reads how long a response may be cached (RFC 9111, section 5.2.2), within the bounds.
func lifetime(cacheControl string) time.Duration {
	good := usual
	for directive := range strings.SplitSeq(strings.ToLower(cacheControl), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		switch seconds, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 32); {
		case name == "no-store", name == "no-cache":
			return shortest
		case name == "max-age" && err == nil:
			good = time.Duration(seconds) * time.Second
		}
	}
	return min(max(good, shortest), longest)
}
