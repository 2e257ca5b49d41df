package controls

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"time"

	"earshot/shared/port/identity"
	"earshot/shared/web/problem"
)

// SignIn takes who the person on the sign-in page chose to be.
type SignIn interface {
	Choose(account identity.Account, state string) (code string)
}

const (
	pathSignIn    = Prefix + "/signin"
	pathAuthorize = "/oauth/authorize"
	pathCallback  = "/oauth/callback"
)

// signInStyle breaks long addresses on a narrow screen.
const signInStyle = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 3rem auto; padding: 0 1rem; }
body { overflow-wrap: anywhere; }
button { font: inherit; padding: .5rem 1rem; max-width: 100%; overflow-wrap: inherit; white-space: normal; }
`

var signInPage = template.Must(template.New("signin").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Earshot: sign in</title>
<style>` + signInStyle + `</style>
<h1>Who are you?</h1>
<p>This is a workbench on your own machine: choose any member.</p>
<form method="post" action="?">
<input type="hidden" name="state" value="{{.State}}">
{{range .Emails}}<p><button name="email" value="{{.}}">{{.}}</button></p>
{{else}}<p>No workspace has a member.</p>
{{end}}</form>
</html>
`))

// A page is HTML.
type page []byte

func (p page) send(w http.ResponseWriter, _ *http.Request) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	style := sha256.Sum256([]byte(signInStyle))
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'sha256-"+
		base64.StdEncoding.EncodeToString(style[:])+"'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	header.Set("Referrer-Policy", "same-origin") // so that the form's origin is not null
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	w.Write(p)
}

// A redirect sends the browser elsewhere.
type redirect string

func (to redirect) send(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, string(to), http.StatusSeeOther)
}

// showSignIn shows the page on which a person chooses which member to be.
func (c *controls) showSignIn(r *http.Request) (any, error) {
	emails, err := c.Members(r.Context())
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	shown := struct {
		State  string
		Emails []string
	}{r.URL.Query().Get("state"), emails}
	if err := signInPage.Execute(&out, shown); err != nil {
		return nil, fmt.Errorf("write the sign-in page: %w", err)
	}
	return page(out.String()), nil
}

// signIn takes the choice, and sends the browser back to the authorization server.
func (c *controls) signIn(r *http.Request) (any, error) {
	r.Body = http.MaxBytesReader(nil, r.Body, 1<<16)
	if err := r.ParseForm(); err != nil {
		return nil, problem.New(problem.InvalidInput, "The form cannot be read. Send email and state.")
	}
	account, err := c.account(r.Context(), r.PostForm.Get("email"))
	if err != nil {
		return nil, err
	}
	return redirect(c.callback(account, r.PostForm.Get("state"))), nil
}

func (c *controls) callback(account identity.Account, state string) string {
	return c.API + pathCallback + "?" + url.Values{"state": {state}, "code": {c.SignIn.Choose(account, state)}}.Encode()
}

// account returns the account of an address. A member may have none.
func (c *controls) account(ctx context.Context, email string) (identity.Account, error) {
	account, err := c.Accounts.Account(ctx, email)
	if errors.Is(err, identity.ErrNoAccount) && identity.CanBeEmail(email) {
		return identity.Account{Email: email}, nil
	}
	if errors.Is(err, identity.ErrNoAccount) {
		return account, problem.New(problem.InvalidInput, "email is no address of mail. Send a member's.")
	}
	return account, err
}

type consentCommand struct {
	AuthorizeURL string   `json:"authorizeUrl"` // as a client opens it in the browser
	Email        string   `json:"email"`        // of the member
	Workspace    string   `json:"workspace"`    // its id
	Scopes       []string `json:"scopes"`       // the widest is chosen; empty: read
}

type consentAnswer struct {
	RedirectTo string `json:"redirectTo"` // where the browser goes: the client, with a code or an error
}

var hiddenField = regexp.MustCompile(`name="(request|csrf)" value="([^"]*)"`)

// consent does what a member does through the pages: opens the client's address, signs in and approves.
func (c *controls) consent(r *http.Request) (any, error) {
	var command consentCommand
	if err := readCommand(r, &command); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(command.AuthorizeURL, c.API+pathAuthorize+"?") {
		return nil, problem.New(problem.InvalidInput, "authorizeUrl must begin with %s?.", c.API+pathAuthorize)
	}
	account, err := c.account(r.Context(), command.Email)
	if err != nil {
		return nil, err
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	visitor := visitor{r.Context(), &http.Client{Jar: jar, Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	to, _, err := visitor.open(command.AuthorizeURL, nil)
	if err != nil || !strings.HasPrefix(to, c.API+pathSignIn+"?") {
		return consentAnswer{to}, err // the client made a mistake, and is told
	}
	chosen, err := url.Parse(to)
	if err != nil {
		return nil, err
	}
	if to, _, err = visitor.open(c.callback(account, chosen.Query().Get("state")), nil); err != nil {
		return nil, err
	}
	_, shown, err := visitor.open(to, nil)
	if err != nil {
		return nil, err
	}
	form := url.Values{"decision": {"approve"}, "workspace": {command.Workspace}, "scope": {widest(command.Scopes)}}
	for _, field := range hiddenField.FindAllStringSubmatch(shown, -1) {
		form.Set(field[1], field[2])
	}
	if to, _, err = visitor.open(c.API+pathAuthorize, form); err != nil {
		return nil, err
	}
	return consentAnswer{to}, nil
}

// widest returns the widest of some scopes.
func widest(scopes []string) string {
	chosen := "read"
	for _, scope := range scopes {
		if scope == "admin" || scope == "write" && chosen == "read" {
			chosen = scope
		}
	}
	return chosen
}

// A visitor is a browser without a person.
type visitor struct {
	ctx    context.Context
	client *http.Client
}

// maxPage bounds what is read of a page.
const maxPage = 1 << 20

// open opens a page, or sends a form, and returns where the response sends the browser, or the page. A page that refuses
// is an error with its sentence.
func (v visitor) open(at string, form url.Values) (to, shown string, err error) {
	method, body := http.MethodGet, io.Reader(nil)
	if form != nil {
		method, body = http.MethodPost, strings.NewReader(form.Encode())
	}
	request, err := http.NewRequestWithContext(v.ctx, method, at, body)
	if err != nil {
		return "", "", err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := v.client.Do(request)
	if err != nil {
		return "", "", err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, maxPage))
	switch {
	case err != nil:
		return "", "", err
	case response.StatusCode == http.StatusBadRequest:
		_, why, _ := strings.Cut(string(content), "<p>")
		why, _, _ = strings.Cut(why, "</p>")
		return "", "", problem.New(problem.InvalidInput, "The page refuses. %s", html.UnescapeString(why))
	case response.StatusCode >= http.StatusBadRequest:
		return "", "", fmt.Errorf("the page responds with %d", response.StatusCode)
	}
	return response.Header.Get("Location"), string(content), nil
}
