package authorize

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"

	"earshot/shared/grant"
	"earshot/shared/web"
)

// The error codes of RFC 6749 (sections 4.1.2.1 and 5.2), RFC 7591 (section 3.2.2) and RFC 8707 (section 2).
const (
	invalidRequest          = "invalid_request"
	invalidClient           = "invalid_client"
	invalidGrant            = "invalid_grant"
	invalidScope            = "invalid_scope"
	invalidTarget           = "invalid_target"
	accessDenied            = "access_denied"
	unsupportedGrantType    = "unsupported_grant_type"
	unsupportedResponseType = "unsupported_response_type"
	invalidRedirectURI      = "invalid_redirect_uri"
	invalidClientMetadata   = "invalid_client_metadata"
	temporarilyUnavailable  = "temporarily_unavailable"
)

// An OAuthError is an error in OAuth's form. It holds nothing of what the client sent.
type OAuthError struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
	status      int    // 0: 400
}

func (f *OAuthError) Error() string { return "authorize: " + f.Code + ": " + f.Description }

func failure(code, format string, args ...any) *OAuthError {
	return &OAuthError{Code: code, Description: fmt.Sprintf(format, args...)}
}

// refuse responds with a failure as JSON.
func refuse(ctx context.Context, f *OAuthError) (*web.Bytes, error) {
	status := f.status
	if status == 0 {
		status = http.StatusBadRequest
	}
	web.SetStatus(ctx, status)
	web.SetCode(ctx, f.Code)
	if status == http.StatusUnauthorized {
		web.SetHeader(ctx, "WWW-Authenticate", `Basic realm="Earshot"`) // as RFC 6749 asks, section 5.2
	}
	return web.JSON(f)
}

// refusals are the responses of refuse, for the document.
func refusals(more ...web.Answer) []web.Answer {
	return append(more, web.Answer{
		Status: http.StatusBadRequest, ContentType: "application/json",
		Meaning: "The request is refused. `error` is a code of OAuth.",
		Body:    OAuthError{Code: invalidRequest, Description: "The parameter client_id is missing."},
	})
}

// sendBack sends the browser to the client with a response, and names the issuer (RFC 9207). The redirect URI has been
// found to be the client's.
func (s *server) sendBack(ctx context.Context, redirectURI, state string, response url.Values) (*web.Bytes, error) {
	to, err := s.addressBack(ctx, redirectURI, state, response)
	if err != nil {
		return nil, err
	}
	return redirect(ctx, to)
}

// addressBack returns a redirect URI with a response.
func (s *server) addressBack(ctx context.Context, redirectURI, state string, response url.Values) (string, error) {
	to, err := url.Parse(redirectURI)
	if err != nil {
		return "", fmt.Errorf("read a redirect URI: %w", err)
	}
	response.Set("iss", s.issuer(ctx))
	if state != "" {
		response.Set("state", state)
	}
	// The query that the URI has stays as it is (RFC 6749, section 3.1.2).
	if to.RawQuery != "" {
		to.RawQuery += "&"
	}
	to.RawQuery += response.Encode()
	return to.String(), nil
}

// sendFailure sends the browser back to the client with a failure. A person has signed in and decided, or the client is
// on the person's own machine.
func (s *server) sendFailure(ctx context.Context, redirectURI, state string, f *OAuthError) (*web.Bytes, error) {
	web.SetCode(ctx, f.Code)
	return s.sendBack(ctx, redirectURI, state, f.response())
}

func (f *OAuthError) response() url.Values {
	return url.Values{"error": {f.Code}, "error_description": {f.Description}}
}

// sendUndecided tells client and person of a failure before the person decided. The person sees the reason and a link to
// the client: a redirect without a sign-in would send browsers wherever a registered client wants (RFC 9700, section
// 4.11.2). A program on the person's own machine is told by a redirect.
func (s *server) sendUndecided(ctx context.Context, redirectURI, state string, f *OAuthError) (*web.Bytes, error) {
	if grant.Loopback(redirectURI) {
		return s.sendFailure(ctx, redirectURI, state, f)
	}
	to, err := s.addressBack(ctx, redirectURI, state, f.response())
	if err != nil {
		return nil, err
	}
	web.SetCode(ctx, f.Code)
	return s.pages.failed(ctx, consent{Refused: f.Description, Back: hostOf(redirectURI), BackURL: template.URL(to)})
}

// repeated returns the first of the parameters that is given more than once, which RFC 6749 forbids (section 3.1);
// empty if there is none. Clients may name several resources, but a token is for one.
func repeated(values url.Values, names ...string) string {
	for _, name := range names {
		if len(values[name]) > 1 {
			return name
		}
	}
	return ""
}
