// Package authorize is the function of OAuth 2.1: the authorization server, by which a person lets a program use a
// workspace. A directory's pages say who the person is (port signin). The consent page asks for the workspace and the
// scope, which no identity provider knows.
//
// The nouns:
//
//   - A client is a program. Its id is the URL of its metadata document, or it registered itself. No client has a secret.
//   - A request is a client's wish, from the browser's first visit to the person's decision. It is bound to the browser
//     by a cookie.
//   - A seat is a workspace that the person is a member of.
//   - A grant is what the person allowed: see package grant. A code becomes its first tokens.
//
// The guide's page infra/THREATS.md lists what an attacker may try, and the test of each.
package authorize

import (
	"context"
	"net/http"
	"time"

	"earshot/shared/grant"
	"earshot/shared/port/clock"
	"earshot/shared/port/signin"
	"earshot/shared/store/authstore"
	"earshot/shared/store/peoplestore"
	"earshot/shared/web"
)

// Group names the function, its tag and its folder.
const Group = "authorize"

// Store is the part of the store that the function uses: authstore, and Seats of peoplestore.
type Store interface {
	Client(ctx context.Context, id string) (grant.Client, error)
	PutClient(ctx context.Context, c grant.Client) error
	KeepClient(ctx context.Context, id string, until time.Time) error
	PutRequest(ctx context.Context, secret string, r authstore.Request) error
	Request(ctx context.Context, secret string) (authstore.Request, error)
	SignIn(ctx context.Context, secret, accountID, email string) error
	SignOut(ctx context.Context, secret, verifier string) error
	// Deny, and Approve, return store.ErrNotFound for a request that was decided. Request tells what was decided.
	Deny(ctx context.Context, secret string) error
	Approve(ctx context.Context, secret string, g grant.Grant, code grant.Code, token grant.Token) error
	Unspent(ctx context.Context, code grant.Token) (bool, error)
	Exchange(
		ctx context.Context, code grant.Token, allow func(grant.Grant, grant.Code) error,
	) (authstore.Tokens, error)
	Refresh(ctx context.Context, token grant.Token, allow func(grant.Grant) error) (authstore.Tokens, error)
	Revoke(ctx context.Context, token grant.Token, clientID string) error
	// Grants lists a workspace's grants, newest first.
	Grants(ctx context.Context, orgID string) ([]grant.Grant, error)
	// EndGrant deletes a grant. A missing one is no error.
	EndGrant(ctx context.Context, orgID, id string) error
	Seats(ctx context.Context, accountID, email string) ([]peoplestore.Seat, error)
	// Take counts registrations by the hour: see store.Kernel.
	Take(ctx context.Context, of string, start time.Time, limit int) (taken int, ok bool, err error)
}

// Documents reads clients' metadata documents.
type Documents interface {
	// Read returns the document at a URL, and how long a copy may be used. Its error's text is for the client's
	// developer, unless it is the context's.
	Read(ctx context.Context, url string) (document []byte, good time.Duration, err error)
}

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store     Store
	SignIn    signin.Pages
	Documents Documents
	// Issuer is the service root, which names this authorization server; empty: the root of each request.
	Issuer string
	Clock  clock.Clock
}

// server is the function.
type server struct {
	Options
	pages pages
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	s := &server{o, newPages()}
	s.registerMetadata(api)
	s.registerAuthorize(api)
	s.registerTokens(api)
	s.registerClients(api)
}

// issuer returns the name of this authorization server: the service root.
func (s *server) issuer(ctx context.Context) string {
	if s.Issuer != "" {
		return s.Issuer
	}
	return web.BaseURL(ctx)
}

// redirected are the responses that send the browser elsewhere.
func redirected(meaning string, more ...web.Answer) []web.Answer {
	return append(more, web.Answer{Status: http.StatusSeeOther, Meaning: meaning, Headers: []string{"Location"}})
}

// redirect sends the browser to an address.
func redirect(ctx context.Context, to string) (*web.Bytes, error) {
	web.SetStatus(ctx, http.StatusSeeOther)
	web.SetHeader(ctx, "Location", to)
	web.SetHeader(ctx, "Referrer-Policy", "no-referrer")
	return &web.Bytes{ContentType: "text/html; charset=utf-8"}, nil
}
