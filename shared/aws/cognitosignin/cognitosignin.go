// Package cognitosignin implements the port signin on the hosted pages of a user pool of Amazon Cognito, by the
// authorization code flow with PKCE of a client without a secret.
//
// It reads the person from the id token. The token comes from Cognito's token endpoint over TLS, so its signature need
// not be checked (OpenID Connect Core 1.0, section 3.1.3.7, rule 6). Its issuer, audience, nonce and end are.
//
// Only mains and tests import it.
package cognitosignin

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"earshot/shared/aws/account"
	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
	"earshot/shared/port/signin"
)

// Options name a user pool's pages.
type Options struct {
	Pages  string // their origin, such as https://earshot.auth.eu-central-1.amazoncognito.com
	Client string // the id of a client of the pool
	Issuer string // the pool's: https://cognito-idp.<region>.amazonaws.com/<pool>
	Clock  clock.Clock
}

// Pages are a user pool's.
type Pages struct {
	Options
	http *account.HTTPClient
}

// timeouts of a request, which is not repeated. Cognito responds within some tens of milliseconds.
var timeouts = account.Timeouts{
	Connect: time.Second, Response: 3 * time.Second, Attempt: 5 * time.Second, Idle: account.Unrepeated,
}

// New makes the adapter.
func New(options Options) *Pages {
	client := account.NewHTTPClient(timeouts)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Pages{options, client}
}

// FromEnvironment returns the adapter for the pool in the deployment's variables SIGNIN_PAGES, SIGNIN_CLIENT and
// SIGNIN_ISSUER. env is os.Getenv or a stand-in.
func FromEnvironment(env func(string) string, now clock.Clock) (*Pages, error) {
	options := Options{Pages: env("SIGNIN_PAGES"), Client: env("SIGNIN_CLIENT"), Issuer: env("SIGNIN_ISSUER"), Clock: now}
	if options.Pages == "" || options.Client == "" || options.Issuer == "" {
		return nil, errors.New("cognitosignin: SIGNIN_PAGES, SIGNIN_CLIENT or SIGNIN_ISSUER is not set")
	}
	return New(options), nil
}

// URL returns the page for an attempt.
func (p *Pages) URL(_ context.Context, attempt signin.Attempt) (string, error) {
	challenge := sha256.Sum256([]byte(attempt.Verifier))
	return p.Pages + "/oauth2/authorize?" + url.Values{
		"client_id":             {p.Client},
		"response_type":         {"code"},
		"scope":                 {"openid email profile"},
		"redirect_uri":          {attempt.ReturnTo},
		"state":                 {attempt.State},
		"nonce":                 {nonce(attempt)},
		"code_challenge":        {base64.RawURLEncoding.EncodeToString(challenge[:])},
		"code_challenge_method": {"S256"},
	}.Encode(), nil
}

// SignOut returns Cognito's own page for it. It takes no address but those of the client's list.
func (p *Pages) SignOut(_ context.Context, returnTo string) (string, error) {
	return p.Pages + "/logout?" + url.Values{"client_id": {p.Client}, "logout_uri": {returnTo}}.Encode(), nil
}

// nonce ties the id token to the attempt.
func nonce(attempt signin.Attempt) string {
	digest := sha256.Sum256([]byte("nonce of " + attempt.Verifier))
	return base64.RawURLEncoding.EncodeToString(digest[:])
}

// maxTokens bounds a response of the token endpoint.
const maxTokens = 64 << 10

// Person exchanges the code and reads who signed in.
func (p *Pages) Person(ctx context.Context, attempt signin.Attempt, code string) (identity.Account, error) {
	form := url.Values{"grant_type": {"authorization_code"}, "client_id": {p.Client}, "code": {code},
		"redirect_uri": {attempt.ReturnTo}, "code_verifier": {attempt.Verifier}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.Pages+"/oauth2/token",
		strings.NewReader(form.Encode()))
	if err != nil {
		return identity.Account{}, errors.New("cognitosignin: SIGNIN_PAGES is no URL")
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := p.http.Do(request)
	if err != nil {
		return identity.Account{}, failed(ctx, "the token endpoint did not respond")
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxTokens))
	switch {
	case err != nil:
		return identity.Account{}, failed(ctx, "the token endpoint broke off")
	case response.StatusCode == http.StatusBadRequest:
		return identity.Account{}, fmt.Errorf("cognitosignin: exchange a code: %w", signin.ErrRefused)
	case response.StatusCode != http.StatusOK:
		return identity.Account{}, failed(ctx, fmt.Sprintf("the token endpoint responded with %d", response.StatusCode))
	}
	var tokens struct {
		IDToken string `json:"id_token"`
	}
	if err := json.Unmarshal(body, &tokens); err != nil {
		return identity.Account{}, failed(ctx, "the token endpoint's response is no JSON")
	}
	return p.read(tokens.IDToken, attempt)
}

func failed(ctx context.Context, why string) error {
	if ctx.Err() != nil {
		return fmt.Errorf("cognitosignin: %w", ctx.Err())
	}
	return fmt.Errorf("cognitosignin: %s: %w", why, signin.ErrUnavailable)
}

// claims are those of an id token that matter here.
type claims struct {
	Issuer   string `json:"iss"`
	Audience string `json:"aud"`
	Use      string `json:"token_use"`
	Nonce    string `json:"nonce"`
	Expires  int64  `json:"exp"`
	Username string `json:"cognito:username"`
	Email    string `json:"email"`
	Verified bool   `json:"email_verified"`
	Name     string `json:"name"`
}

// read returns the person of an id token.
func (p *Pages) read(token string, attempt signin.Attempt) (identity.Account, error) {
	var said claims
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return identity.Account{}, refused("it has no three parts")
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(payload, &said) != nil {
		return identity.Account{}, refused("it cannot be read")
	}
	switch {
	case said.Issuer != p.Issuer || said.Audience != p.Client || said.Use != "id":
		return identity.Account{}, refused("it is another issuer's or another client's")
	case said.Nonce != nonce(attempt):
		return identity.Account{}, refused("it is another attempt's")
	case !p.Clock.Now().Before(time.Unix(said.Expires, 0)):
		return identity.Account{}, refused("it is expired")
	case said.Username == "" || said.Email == "" || !said.Verified:
		return identity.Account{}, refused("the person has no verified address")
	}
	return identity.Account{ID: said.Username, Email: said.Email, Name: said.Name}, nil
}

func refused(why string) error {
	return fmt.Errorf("cognitosignin: the id token: %s: %w", why, signin.ErrRefused)
}
