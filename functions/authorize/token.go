package authorize

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"earshot/shared/grant"
	"earshot/shared/store"
	"earshot/shared/store/authstore"
	"earshot/shared/web"
)

const (
	pathToken  = "/oauth/token"
	pathRevoke = "/oauth/revoke"

	grantCode    = "authorization_code"
	grantRefresh = "refresh_token"
)

// OAuthTokens are a successful token response (RFC 6749, section 5.1).
type OAuthTokens struct {
	Access    string `json:"access_token"`
	Type      string `json:"token_type" enum:"Bearer"`
	ExpiresIn int    `json:"expires_in" doc:"Seconds"`
	Refresh   string `json:"refresh_token"`
	Scope     string `json:"scope"`
}

func (s *server) registerTokens(api *web.API) {
	unauthorized := web.Answer{
		Status: http.StatusUnauthorized, ContentType: "application/json", Headers: []string{"WWW-Authenticate"},
		Meaning: "The client authenticates itself, but clients have no secrets. Send client_id in the body.",
		Body:    OAuthError{Code: invalidClient, Description: "Clients have no secrets here. Send client_id in the body."},
	}
	web.RegisterForm(api, web.Operation{
		ID:      "issueTokens",
		Method:  http.MethodPost,
		Path:    pathToken,
		Group:   Group,
		Public:  true,
		Summary: "Exchange a code, or refresh tokens",
		Description: "The token endpoint (RFC 6749, section 3.2). An access token is good for an hour, at its resource. A " +
			"refresh token is good once, for 30 days. A code or a refresh token that is used twice ends the grant with all " +
			"its tokens.",
		Answers: refusals(web.Answer{
			Status: http.StatusOK, ContentType: "application/json", Meaning: "The tokens.",
			Body: OAuthTokens{Access: "eat_…", Type: "Bearer", ExpiresIn: 3600, Refresh: "ert_…", Scope: "read write"},
		}, unauthorized),
	}, []web.Field{
		{Name: "grant_type", Meaning: "authorization_code or refresh_token", Required: true},
		{Name: "client_id", Meaning: "The client.", Required: true},
		{Name: "code", Meaning: "The code."},
		{Name: "code_verifier", Meaning: "The verifier of PKCE (RFC 7636)."},
		{Name: "redirect_uri", Meaning: "As in the authorization request, or left out."},
		{Name: "refresh_token", Meaning: "The refresh token."},
		{Name: "resource", Meaning: "As in the authorization request, or left out."},
		{Name: "scope", Meaning: "With a refresh token: no more than was granted. It does not narrow the grant."},
	}, s.issue)
	web.RegisterForm(api, web.Operation{
		ID:      "revokeToken",
		Method:  http.MethodPost,
		Path:    pathRevoke,
		Group:   Group,
		Public:  true,
		Summary: "End a grant by one of its tokens (RFC 7009)",
		Description: "Ends the grant of an access token or a refresh token, with all its tokens, at once. The response is the " +
			"same for an unknown token.",
		Answers: refusals(web.Answer{Status: http.StatusOK, Meaning: "The token is not good, or no longer."}, unauthorized),
	}, []web.Field{
		{Name: "token", Meaning: "An access token or a refresh token.", Required: true},
		{Name: "token_type_hint", Meaning: "Has no effect: a token says its kind."},
		{Name: "client_id", Meaning: "The client. If it is given, the token must be its own."},
	}, s.revoke)
}

// inspect returns what is wrong with a request to the token endpoint or its neighbours, whatever it asks for. Nothing is
// spent then: some clients try HTTP Basic first, and repeat the same request without it.
func inspect(in *web.FormRequest, names ...string) *OAuthError {
	secret := failure(invalidClient, "Clients have no secrets here. Send client_id in the body.")
	secret.status = http.StatusUnauthorized
	switch {
	case basic(in.Header), in.Body.Get("client_secret") != "", in.Body.Get("client_assertion") != "":
		return secret
	case in.Fault != "":
		return failure(invalidRequest, "%s", in.Fault)
	case in.JSON != nil:
		return failure(invalidRequest, "The body is JSON. Send the parameters as a form.")
	}
	if name := repeated(in.Body, names...); name != "" {
		return failure(invalidRequest, "The parameter %s is given more than once.", name)
	}
	return nil
}

// basic reports whether a client authenticates itself by HTTP Basic. Other credentials in the header have no effect.
func basic(header http.Header) bool {
	scheme, _, _ := strings.Cut(header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Basic")
}

// issue exchanges a code or a refresh token.
func (s *server) issue(ctx context.Context, in *web.FormRequest) (*web.Bytes, error) {
	refused := inspect(
		in,
		"grant_type",
		"client_id",
		"code",
		"code_verifier",
		"redirect_uri",
		"refresh_token",
		"resource",
		"scope",
	)
	if refused != nil {
		return refuse(ctx, refused)
	}
	var tokens authstore.Tokens
	var err error
	switch {
	case in.Body.Get("client_id") == "":
		err = failure(invalidRequest, "The parameter client_id is missing.")
	case in.Body.Get("grant_type") == grantCode:
		tokens, err = s.exchange(ctx, in.Body)
	case in.Body.Get("grant_type") == grantRefresh:
		tokens, err = s.refresh(ctx, in.Body)
	case in.Body.Get("grant_type") == "":
		err = failure(invalidRequest, "The parameter grant_type is missing.")
	default:
		err = failure(unsupportedGrantType, "The grant_type must be authorization_code or refresh_token.")
	}
	switch {
	case errors.As(err, &refused):
		return refuse(ctx, refused)
	case errors.Is(err, authstore.ErrReused):
		answer, err := refuse(ctx, ungranted())
		web.SetCode(ctx, "token_reused") // the log says more than the client learns
		return answer, err
	case errors.Is(err, store.ErrNotFound):
		return refuse(ctx, ungranted())
	case err != nil:
		return nil, err
	}
	web.SetHeader(ctx, "Pragma", "no-cache") // as RFC 6749 asks, section 5.1
	return web.JSON(OAuthTokens{
		Access: tokens.Access.Reveal(), Type: "Bearer", ExpiresIn: int(grant.AccessGood.Seconds()),
		Refresh: tokens.Refresh.Reveal(), Scope: strings.Join(scopeNames(tokens.Grant.Scope), " "),
	})
}

// ungranted is the one failure of codes and refresh tokens, without the reason.
func ungranted() *OAuthError {
	return failure(invalidGrant,
		"The code or refresh token is unknown, expired, used or revoked, or another client's, or its "+
			"proof is wrong. Ask the person again.")
}

func (s *server) exchange(ctx context.Context, form url.Values) (authstore.Tokens, error) {
	code, ok := grant.ParseToken(form.Get("code"))
	switch {
	case form.Get("code") == "" || form.Get("code_verifier") == "":
		return authstore.Tokens{}, failure(invalidRequest, "The parameters code and code_verifier are required.")
	case !ok || code.Kind != grant.AuthorizationCode:
		return authstore.Tokens{}, ungranted()
	}
	return s.Store.Exchange(ctx, code, func(g grant.Grant, c grant.Code) error {
		back, given := form["redirect_uri"]
		if g.ClientID != form.Get("client_id") || given && back[0] != c.RedirectURI ||
			!grant.Proves(form.Get("code_verifier"), c.Challenge) {
			return ungranted()
		}
		return s.sameTarget(ctx, form, g)
	})
}

func (s *server) refresh(ctx context.Context, form url.Values) (authstore.Tokens, error) {
	token, ok := grant.ParseToken(form.Get("refresh_token"))
	switch {
	case form.Get("refresh_token") == "":
		return authstore.Tokens{}, failure(invalidRequest, "The parameter refresh_token is missing.")
	case !ok || token.Kind != grant.RefreshToken:
		return authstore.Tokens{}, ungranted()
	}
	return s.Store.Refresh(ctx, token, func(g grant.Grant) error {
		if g.ClientID != form.Get("client_id") {
			return ungranted()
		}
		if scope, known := parseScope(form.Get("scope")); !known || scope > g.Scope {
			return failure(invalidScope, "The scope is more than was granted. Ask the person again.")
		}
		return s.sameTarget(ctx, form, g)
	})
}

// sameTarget returns an OAuthError if a token is asked for at another resource than the person allowed.
func (s *server) sameTarget(ctx context.Context, form url.Values, g grant.Grant) error {
	if resource := form.Get("resource"); resource != "" && resource != s.issuer(ctx)+g.Resource {
		return failure(invalidTarget, "The grant is for another resource. Ask the person again.")
	}
	return nil
}

// revoke ends the grant of a token.
func (s *server) revoke(ctx context.Context, in *web.FormRequest) (*web.Bytes, error) {
	if refused := inspect(in, "token", "client_id"); refused != nil {
		return refuse(ctx, refused)
	}
	if in.Body.Get("token") == "" {
		return refuse(ctx, failure(invalidRequest, "The parameter token is missing."))
	}
	if token, ok := grant.ParseToken(in.Body.Get("token")); ok {
		if err := s.Store.Revoke(ctx, token, in.Body.Get("client_id")); err != nil {
			return nil, err
		}
	}
	return &web.Bytes{ContentType: "application/json", Body: []byte("{}\n")}, nil
}
