// Package signin is the port to the pages on which a person signs in, like the hosted pages of Amazon Cognito. A browser
// goes there and comes back with a code, by which the directory says who the person is.
//
// The function authorize and adapters import it.
package signin

import (
	"context"
	"errors"

	"earshot/shared/port/identity"
)

// An Attempt is one sign-in of one browser.
type Attempt struct {
	ReturnTo string // where the browser comes back, with the parameters code and state
	State    string // comes back as it is
	// Verifier is a PKCE verifier (RFC 7636). Only its holder learns who signed in.
	Verifier string
}

// Pages are where people sign in.
type Pages interface {
	// URL returns where to send the browser.
	URL(ctx context.Context, attempt Attempt) (string, error)
	// SignOut returns where to send a browser that is signed in, so that it asks anew who the person is. It comes back to
	// returnTo without parameters. Empty: the pages ask each time.
	SignOut(ctx context.Context, returnTo string) (string, error)
	// Person returns who signed in, by the code that the browser came back with. A code is good once and for its own
	// attempt. Returns ErrRefused and ErrUnavailable.
	Person(ctx context.Context, attempt Attempt, code string) (identity.Account, error)
}

// Errors of Pages, besides the context's own. No error holds a code, a token or an address.
var (
	// ErrRefused means that the code is unknown, spent or another attempt's, or that the address is not verified.
	ErrRefused = errors.New("signin: refused")
	// ErrUnavailable means that the directory did not respond, or failed.
	ErrUnavailable = errors.New("signin: unavailable")
)
