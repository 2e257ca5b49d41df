package authorize

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"earshot/shared/grant"
	"earshot/shared/port/signin"
	"earshot/shared/store"
	"earshot/shared/store/authstore"
	"earshot/shared/web"
	"earshot/shared/workspace"
)

const (
	pathAuthorize = "/oauth/authorize"
	pathCallback  = "/oauth/callback"

	maxState = 2048 // bytes of a client's state
)

func (s *server) registerAuthorize(api *web.API) {
	page := web.Answer{Status: http.StatusOK, ContentType: "text/html", Meaning: "A page for the person.", Body: ""}
	refused := web.Answer{Status: http.StatusBadRequest, ContentType: "text/html", Body: "",
		Meaning: "A page that says why this cannot go on. A link leads back to the client, with the error, unless client " +
			"or redirect URI are in doubt."}
	html := func(id, method, path, summary, description, sent string) web.Operation {
		return web.Operation{ID: id, Method: method, Path: path, Group: Group, Public: true, Summary: summary,
			Description: description, Answers: redirected(sent, page, refused)}
	}
	web.RegisterForm(api, html("authorizeClient", http.MethodGet, pathAuthorize, "Ask a person to let an OAuth client in",
		"The authorization endpoint (RFC 6749, section 3.1), with PKCE by S256 alone, resource indicators (RFC 8707) and "+
			"the issuer in the response (RFC 9207). The person signs in, and comes back to choose a workspace and a scope.",
		"To the page on which the person signs in, or back to a client on the person's machine with an error."),
		[]web.Field{
			{Name: "client_id", Meaning: "The URL of the client's metadata document, or its id from a registration."},
			{Name: "redirect_uri", Meaning: "One of the client's, letter by letter. The port of a loopback address may differ."},
			{Name: "response_type", Meaning: "code"},
			{Name: "response_mode", Meaning: "query, or left out."},
			{Name: "code_challenge", Meaning: "The S256 challenge of PKCE (RFC 7636)."},
			{Name: "code_challenge_method", Meaning: "S256"},
			{Name: "resource", Meaning: "The URL of the REST API or of the MCP server, for which the tokens are."},
			{Name: "scope", Meaning: "read, write and admin, separated by spaces. Default: read."},
			{Name: "state", Meaning: "Comes back to the client as it is, at most 2,048 bytes."},
			{Name: "request", Meaning: "After the sign-in: the request whose consent page to show. It stands alone."},
		}, s.authorize)
	web.RegisterForm(api, html("decideAuthorization", http.MethodPost, pathAuthorize, "Approve or deny an OAuth client",
		"The consent page's buttons send this request.", "Back to the client, with a code or with access_denied."),
		[]web.Field{
			{Name: "request", Meaning: "The request.", Required: true},
			{Name: "csrf", Meaning: "The page's proof that it was shown in this browser.", Required: true},
			{Name: "decision", Meaning: "approve, deny, switch (another person signs in), or end: and the id of one of the " +
				"person's grants", Required: true},
			{Name: "workspace", Meaning: "The workspace's id."},
			{Name: "scope", Meaning: "The widest scope to grant."},
		}, s.decide)
	web.RegisterForm(api, html("finishSignIn", http.MethodGet, pathCallback, "Come back from the sign-in",
		"The directory's pages send the browser here, with the parameters, after a sign-in. Without parameters, they "+
			"send it here after the sign-out of a person who lets another person sign in for the same request (the "+
			"decision switch). A cookie names that request.",
		"To the consent page. After a sign-out: to the page on which the other person signs in. After a failure: back to a "+
			"client on the person's machine with an error."),
		[]web.Field{
			{Name: "code", Meaning: "The directory's code."},
			{Name: "state", Meaning: "The request."},
			{Name: "error", Meaning: "Why nobody signed in."},
			{Name: "error_description", Meaning: "The same, in words."},
		}, s.callback)
}

// authorize begins a request, or shows the consent page of one.
func (s *server) authorize(ctx context.Context, in *web.FormRequest) (*web.Bytes, error) {
	if in.Fault != "" {
		return s.pages.refuse(ctx, in.Fault)
	}
	if secret := in.Query.Get("request"); secret != "" {
		return s.showConsent(ctx, in, secret)
	}
	r, refused, err := s.read(ctx, in)
	var failed *OAuthError
	switch {
	case errors.As(err, &failed):
		web.SetCode(ctx, failed.Code)
		return s.pages.refuse(ctx, failed.Description)
	case err != nil:
		return nil, err
	case refused != nil:
		return s.sendUndecided(ctx, r.RedirectURI, r.State, refused)
	}
	browser, known := s.browserOf(ctx, in.Header)
	if !known {
		browser = workspace.NewLinkSecret()
	}
	secret := workspace.NewLinkSecret().Reveal()
	r.Browser, r.Verifier = browser.Digest(), workspace.NewLinkSecret().Reveal()
	r.ExpiresAt = s.Clock.Now().UTC().Add(grant.RequestGood)
	if err := s.Store.PutRequest(ctx, secret, r); err != nil {
		return nil, err
	}
	s.setCookie(ctx, s.cookieName(ctx), browser.Reveal(), 2*grant.RequestGood)
	return s.toSignIn(ctx, secret, r)
}

// read reads and checks a client's request. err is an *OAuthError if client or redirect URI are in doubt, so that the
// browser must not be sent there. refused is for the client.
func (s *server) read(ctx context.Context, in *web.FormRequest) (r authstore.Request, refused *OAuthError, err error) {
	q := in.Query
	if name := repeated(q, "client_id", "redirect_uri"); name != "" {
		return r, nil, failure(invalidRequest, "The parameter %s is given more than once.", name)
	}
	client, err := s.client(ctx, q.Get("client_id"))
	if err != nil {
		return r, nil, err
	}
	r = authstore.Request{ClientID: client.ID, ClientName: client.Name, RedirectURI: q.Get("redirect_uri"),
		Challenge: q.Get("code_challenge")}
	if !client.Redirects(r.RedirectURI) {
		return r, nil, failure(invalidRequest,
			"The redirect_uri is missing, or it is not one of the app's, letter by letter.")
	}
	if state := q.Get("state"); len(state) <= maxState && utf8.ValidString(state) {
		r.State = state
	}
	issuer := s.issuer(ctx)
	resource := slices.IndexFunc(grant.Resources(), func(path string) bool { return issuer+path == q.Get("resource") })
	scope, known := parseScope(q.Get("scope"))
	switch name := repeated(
		q, "response_type", "response_mode", "state", "scope", "resource", "code_challenge", "code_challenge_method",
	); {
	case name != "":
		refused = failure(invalidRequest, "The parameter %s is given more than once.", name)
	case len(q.Get("state")) > maxState:
		refused = failure(invalidRequest, "The state has more than %d bytes.", maxState)
	case !utf8.ValidString(q.Get("state")):
		refused = failure(invalidRequest, "The state is not UTF-8.")
	case q.Get("response_type") != "code":
		refused = failure(unsupportedResponseType, "The response_type must be code.")
	case q.Get("response_mode") != "" && q.Get("response_mode") != "query":
		refused = failure(invalidRequest, "The response_mode must be query, or be left out.")
	case q.Get("code_challenge_method") != "S256" || !grant.ValidChallenge(r.Challenge):
		refused = failure(invalidRequest, "PKCE is required: a code_challenge with the code_challenge_method S256.")
	case resource < 0:
		refused = failure(invalidTarget, "The resource must be %s.",
			strings.Join(metadata(issuer).ProtectedResources, " or "))
	case !known:
		refused = failure(invalidScope, "The scope names none of read, write and admin. Ask for one of them.")
	default:
		r.Resource, r.Scope = grant.Resources()[resource], scope
	}
	return r, refused, nil
}

// parseScope returns the widest scope in a list. It ignores unknown names, unless there are no others. An empty list is
// read.
func parseScope(list string) (widest workspace.Scope, ok bool) {
	names := strings.Fields(list)
	if len(names) == 0 {
		return workspace.Read, true
	}
	for _, name := range names {
		if scope, err := workspace.ParseScope(name); err == nil {
			widest = max(widest, scope)
		}
	}
	return widest, widest > 0
}

// scopeNames returns the names of a scope and those that it implies.
func scopeNames(scope workspace.Scope) (names []string) {
	for _, implied := range scope.Implied() {
		names = append(names, implied.String())
	}
	return names
}

func (s *server) attempt(ctx context.Context, secret string, r authstore.Request) signin.Attempt {
	return signin.Attempt{ReturnTo: s.issuer(ctx) + pathCallback, State: secret, Verifier: r.Verifier}
}

// callback learns who signed in, and goes on to the consent page.
func (s *server) callback(ctx context.Context, in *web.FormRequest) (*web.Bytes, error) {
	if in.Fault != "" || repeated(in.Query, "code", "state", "error") != "" {
		return s.pages.refuse(ctx, "The parameters cannot be read.")
	}
	if len(in.Query) == 0 {
		return s.signedOut(ctx, in)
	}
	secret := in.Query.Get("state")
	r, _, err := s.open(ctx, in.Header, secret)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return s.pages.gone(ctx)
	case err != nil:
		return nil, err
	case r.Email != "" || r.Decided: // sent again
		return s.toConsent(ctx, secret)
	case in.Query.Get("error") != "" || in.Query.Get("code") == "":
		return s.sendUndecided(ctx, r.RedirectURI, r.State, failure(accessDenied, "The sign-in was not finished."))
	}
	person, err := s.SignIn.Person(ctx, s.attempt(ctx, secret, r), in.Query.Get("code"))
	if err == nil {
		err = s.Store.SignIn(ctx, secret, person.ID, person.Email)
	}
	if errors.Is(err, signin.ErrRefused) || errors.Is(err, store.ErrNotFound) {
		// The same address, sent twice at the same moment, spends the directory's code once.
		if now, _, failed := s.open(ctx, in.Header, secret); failed == nil && (now.Email != "" || now.Decided) {
			return s.toConsent(ctx, secret)
		}
	}
	switch {
	case errors.Is(err, signin.ErrRefused):
		return s.sendUndecided(ctx, r.RedirectURI, r.State, failure(accessDenied, "The sign-in was refused."))
	case errors.Is(err, signin.ErrUnavailable):
		return s.sendUndecided(ctx, r.RedirectURI, r.State,
			failure(temporarilyUnavailable, "The sign-in does not work at the moment."))
	case errors.Is(err, store.ErrNotFound):
		return s.pages.gone(ctx)
	case err != nil:
		return nil, err
	}
	return s.toConsent(ctx, secret)
}

// switchPerson has another person sign in for a request. The browser leaves the directory's session first, and comes
// back to signedOut.
func (s *server) switchPerson(
	ctx context.Context, in *web.FormRequest, secret string, r authstore.Request,
) (*web.Bytes, error) {
	r.Verifier = workspace.NewLinkSecret().Reveal()
	if err := s.Store.SignOut(ctx, secret, r.Verifier); errors.Is(err, store.ErrNotFound) {
		return s.overtaken(ctx, in, secret)
	} else if err != nil {
		return nil, err
	}
	to, err := s.SignIn.SignOut(ctx, s.issuer(ctx)+pathCallback)
	if err != nil {
		return nil, err
	}
	if to == "" {
		return s.toSignIn(ctx, secret, r)
	}
	s.setCookie(ctx, s.cookieName(ctx)+againSuffix, secret, grant.RequestGood)
	return redirect(ctx, to)
}

// againSuffix ends the name of the cookie with the request whose person signs in anew.
const againSuffix = "-again"

// signedOut goes on to the sign-in of a request whose former person has left.
func (s *server) signedOut(ctx context.Context, in *web.FormRequest) (*web.Bytes, error) {
	name := s.cookieName(ctx) + againSuffix
	cookie, err := (&http.Request{Header: in.Header}).Cookie(name)
	if err != nil {
		return s.pages.gone(ctx)
	}
	r, _, err := s.open(ctx, in.Header, cookie.Value)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return s.pages.gone(ctx)
	case err != nil:
		return nil, err
	case r.Email != "" || r.Decided:
		return s.toConsent(ctx, cookie.Value)
	}
	s.setCookie(ctx, name, "", -1)
	return s.toSignIn(ctx, cookie.Value, r)
}

// toSignIn sends the browser to the directory's pages.
func (s *server) toSignIn(ctx context.Context, secret string, r authstore.Request) (*web.Bytes, error) {
	to, err := s.SignIn.URL(ctx, s.attempt(ctx, secret, r))
	if err != nil {
		return nil, err
	}
	return redirect(ctx, to)
}

// toConsent sends the browser to the consent page of a request.
func (s *server) toConsent(ctx context.Context, secret string) (*web.Bytes, error) {
	return redirect(ctx, s.issuer(ctx)+pathAuthorize+"?"+url.Values{"request": {secret}}.Encode())
}

// open reads a request of this browser. Returns store.ErrNotFound if there is none, or if it is another browser's.
func (s *server) open(
	ctx context.Context, header http.Header, secret string,
) (r authstore.Request, browser workspace.LinkSecret, err error) {
	browser, known := s.browserOf(ctx, header)
	if _, ok := workspace.ParseLinkSecret(secret); !known || !ok {
		return r, browser, store.ErrNotFound
	}
	if r, err = s.Store.Request(ctx, secret); err != nil {
		return r, browser, err
	}
	digest := browser.Digest()
	if subtle.ConstantTimeCompare(digest[:], r.Browser[:]) != 1 {
		return r, browser, store.ErrNotFound
	}
	return r, browser, nil
}

// secure reports whether browsers reach the service by https. A laptop's workbench has http alone.
func (s *server) secure(ctx context.Context) bool {
	return strings.HasPrefix(s.issuer(ctx), "https://")
}

// cookieName returns the name of the cookie that binds requests to a browser. With __Host- no other host can set it.
func (s *server) cookieName(ctx context.Context) string {
	if s.secure(ctx) {
		return "__Host-earshot"
	}
	return "earshot"
}

// browserOf reads the secret of the browser.
func (s *server) browserOf(ctx context.Context, header http.Header) (workspace.LinkSecret, bool) {
	cookie, err := (&http.Request{Header: header}).Cookie(s.cookieName(ctx))
	if err != nil {
		return workspace.LinkSecret{}, false
	}
	return workspace.ParseLinkSecret(cookie.Value)
}

// setCookie gives the browser a secret for a time; a negative time takes it away. Lax, because the browser comes back
// from the sign-in on another site.
func (s *server) setCookie(ctx context.Context, name, secret string, good time.Duration) {
	age := int(good.Seconds())
	if good < 0 {
		age = -1
	}
	cookie := http.Cookie{Name: name, Value: secret, Path: "/", HttpOnly: true, Secure: s.secure(ctx),
		SameSite: http.SameSiteLaxMode, MaxAge: age}
	web.SetHeader(ctx, "Set-Cookie", cookie.String())
}

// csrf returns the proof that a consent page was shown in a browser.
func csrf(browser workspace.LinkSecret, secret string) string {
	return base64.RawURLEncoding.EncodeToString(proof(browser, "consent", secret))
}

// shownTo returns the proof that a consent page was shown to a person.
func shownTo(browser workspace.LinkSecret, secret, accountID string) string {
	return base64.RawURLEncoding.EncodeToString(proof(browser, "person "+accountID, secret))
}

// proof returns 32 bytes that only who knows a browser's secret and a request's can derive, others for each purpose.
func proof(browser workspace.LinkSecret, purpose, secret string) []byte {
	mac := hmac.New(sha256.New, []byte(browser.Reveal()))
	mac.Write([]byte(purpose + " " + secret))
	return mac.Sum(nil)
}
