package login

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"earshot/infra/client"
	"earshot/infra/exit"
	"earshot/infra/terminal"
)

// registered is the program's redirect URI. The server ignores the port of a loopback address (RFC 8252, section 7.3).
const registered = "http://127.0.0.1/callback"

// loginTime is how long a person may take. The server's request is good for as long.
const loginTime = 10 * time.Minute

// maxPasted is how many bytes a pasted address may have.
const maxPasted = 16 << 10

// Options configure Login.
type Options struct {
	Base     string // the deployment's root, normalized as client.New does
	Resource string // API or MCP
	Scope    string // read, write or admin: the most that the person is asked for
	Name     string // of this program, for the consent page and for admins
	// Paste is where the person pastes the address that the browser ends on, if the browser is on another machine. Nil
	// listens on this one.
	Paste io.Reader
	// Open opens an address in a browser. Nil leaves that to the person. Its error is not fatal.
	Open func(address string) error
	Tell io.Writer // what the person has to do
}

// Login signs a person in and keeps the tokens. It returns the scope that the person allowed. A login that was there
// before is ended once the new one is kept.
func (s *Store) Login(ctx context.Context, o Options) (scope string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, loginTime,
		exit.Failing(exit.Key, "nobody has logged in for %.0f minutes. Run the command again", loginTime.Minutes()))
	defer cancel()
	defer func() {
		if errors.Is(err, context.DeadlineExceeded) {
			err = context.Cause(ctx)
		}
	}()
	at, err := discover(ctx, o.Base, o.Resource)
	if err != nil {
		return "", err
	}
	id, err := s.register(ctx, at, o.Name)
	if err != nil {
		return "", err
	}
	a := &attempt{
		Options: o,
		server:  at,
		state:   rand.Text(),
		proof:   oauth2.GenerateVerifier(),
		config: oauth2.Config{ClientID: id, RedirectURL: registered, Scopes: []string{o.Scope}, Endpoint: oauth2.Endpoint{
			AuthURL: at.Authorize, TokenURL: at.Token, AuthStyle: oauth2.AuthStyleInParams,
		}},
	}
	wait := a.listen
	if o.Paste != nil {
		wait = a.paste
	}
	err = wait(ctx, func(code string) (err error) {
		scope, err = s.finish(ctx, a, code)
		return err
	})
	return scope, err
}

// An attempt is one login on its way.
type attempt struct {
	Options
	server server
	config oauth2.Config
	state  string
	proof  string // PKCE's verifier
}

// address returns where the person logs in.
func (a *attempt) address() string {
	return a.config.AuthCodeURL(a.state, oauth2.S256ChallengeOption(a.proof),
		oauth2.SetAuthURLParam("resource", a.Base+a.Resource))
}

// errForeign means that a response does not belong to the attempt.
var errForeign = exit.Failing(exit.Refused, "the address is not of this login. Run the command again, and paste the "+
	"address that its browser ends on")

// code checks the response that the browser brings, and returns its code.
func (a *attempt) code(response url.Values) (string, error) {
	for _, name := range []string{"state", "iss", "code", "error"} {
		if len(response[name]) > 1 {
			return "", errForeign
		}
	}
	switch failed := response.Get("error"); {
	case subtle.ConstantTimeCompare([]byte(response.Get("state")), []byte(a.state)) != 1:
		return "", errForeign
	case response.Get("iss") != a.server.Issuer: // RFC 9207, section 2.4
		return "", exit.Failing(exit.Refused, "the response is from another authorization server than %s",
			terminal.Safe(a.server.Issuer))
	case failed == "access_denied":
		return "", exit.Failing(exit.Key, "the login was declined in the browser")
	case failed != "":
		return "", refusal(0, failed, response.Get("error_description"))
	case response.Get("code") == "":
		return "", errForeign
	}
	return response.Get("code"), nil
}

// finish exchanges a code and keeps the login. A signal does not end it midway.
func (s *Store) finish(ctx context.Context, a *attempt, code string) (scope string, err error) {
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockTime+2*askTime)
	defer cancel()
	release, err := s.lock(ctx, a.Base, a.Resource)
	if err != nil {
		return "", err
	}
	defer release()
	before, err := s.read(a.Base, a.Resource)
	replaces := err == nil
	next, err := s.draft(a.Base, a.Resource)
	if err != nil {
		return "", err
	}
	ours := context.WithValue(ctx, oauth2.HTTPClient, s.http)
	token, err := a.config.Exchange(ours, code, oauth2.VerifierOption(a.proof))
	if err != nil {
		next.discard()
		return "", failure(ctx, err)
	}
	k := kept{
		Base:       a.Base,
		Resource:   a.Resource,
		ClientID:   a.config.ClientID,
		Token:      a.server.Token,
		Revocation: a.server.Revocation,
	}.with(token, s.now())
	if !k.valid() {
		next.discard()
		return "", exit.Failing(exit.Failed, "the authorization server sent no refresh token")
	}
	if err := next.save(k); err != nil {
		return "", errors.Join(err, s.revoke(ctx, k)) // nobody could end it otherwise
	}
	if replaces {
		if err := s.revoke(ctx, before); err != nil {
			fmt.Fprintf(a.Tell, "The login before this one could not be ended: %v. It ends by itself in 30 days.\n", err)
		}
	}
	return k.Scope, nil
}

// paste has the person carry the response over from a browser on another machine.
func (a *attempt) paste(ctx context.Context, finish func(code string) error) error {
	fmt.Fprintf(a.Tell, "Open this address in a browser, log in, and allow the program:\n\n  %s\n\n"+
		"The browser then ends on an address that begins with %s and that it cannot open.\n"+
		"Paste that whole address here within a minute: ", a.address(), registered)
	type line struct {
		text string
		err  error
	}
	pasted := make(chan line, 1)
	go func() {
		text, err := bufio.NewReader(io.LimitReader(a.Paste, maxPasted)).ReadString('\n')
		pasted <- line{text, err}
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case got := <-pasted:
		fmt.Fprintln(a.Tell)
		text := strings.TrimSpace(got.text)
		if text == "" {
			return exit.Failing(exit.Key, "no address was pasted. Run the command again")
		}
		address, err := url.Parse(text)
		if err != nil || address.Query().Get("state") == "" {
			return exit.Misused("this is not the whole address that the browser ended on: it has no state. Run the command " +
				"again, and paste all of the address")
		}
		code, err := a.code(address.Query())
		if err != nil {
			return err
		}
		return finish(code)
	}
}

// Normalize returns a base URL as Token and Login want it. Returns an error for what is no root of an API.
func Normalize(base string) (string, error) {
	c, err := client.New(client.Target{Base: base})
	if err != nil {
		return "", err
	}
	return c.Base, nil
}
