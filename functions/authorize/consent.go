package authorize

import (
	"cmp"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"earshot/shared/grant"
	"earshot/shared/member"
	"earshot/shared/parallel"
	"earshot/shared/store"
	"earshot/shared/store/authstore"
	"earshot/shared/store/peoplestore"
	"earshot/shared/web"
	"earshot/shared/workspace"
)

// showConsent shows the page on which the person chooses a workspace and a scope.
func (s *server) showConsent(ctx context.Context, in *web.FormRequest, secret string) (*web.Bytes, error) {
	r, browser, err := s.open(ctx, in.Header, secret)
	if errors.Is(err, store.ErrNotFound) || err == nil && r.Email == "" { // not signed in, or decided
		return s.pages.gone(ctx)
	}
	if err != nil {
		return nil, err
	}
	seats, err := s.Store.Seats(ctx, r.AccountID, r.Email)
	if err != nil {
		return nil, err
	}
	own, err := s.ownGrants(ctx, seats)
	if err != nil {
		return nil, err
	}
	out, err := s.SignIn.SignOut(ctx, s.issuer(ctx)+pathCallback)
	if err != nil {
		return nil, err
	}
	return s.pages.consent(ctx, consent{
		Name:    r.ClientName,
		Host:    hostOf(r.ClientID),
		Back:    hostOf(r.RedirectURI),
		Program: grant.Loopback(r.RedirectURI),
		Email:   r.Email,
		Target:  targetNames[r.Resource],
		Seats:   seats,
		Own:     own[:min(len(own), mostOwn)],
		More:    max(0, len(own)-mostOwn),
		Scopes:  scopeChoices(r.Scope),
		Request: secret,
		CSRF:    csrf(browser, secret) + "." + shownTo(browser, secret, r.AccountID),
	}, strings.TrimSpace(formAction(r.RedirectURI)+" "+formAction(out)))
}

var targetNames = map[string]string{grant.ResourceAPI: "the REST API", grant.ResourceMCP: "the MCP server"}

// hostOf returns the host of a URL; empty for other texts. A URI with a program's own scheme has the scheme.
func hostOf(uri string) string {
	parsed, err := url.Parse(uri)
	switch {
	case err != nil:
		return ""
	case parsed.Scheme == "https" || parsed.Scheme == "http":
		return parsed.Host
	case parsed.Scheme != "":
		return parsed.Scheme + ":"
	}
	return ""
}

// formAction returns the source by which a content security policy lets the form's response lead to a redirect URI.
// Browsers hold the policy against the redirect too.
func formAction(uri string) string {
	parsed, err := url.Parse(uri)
	switch {
	case err != nil:
		return ""
	case strings.Contains(parsed.Host, "["): // a policy cannot name an address of IPv6
		return parsed.Scheme + ":"
	case parsed.Scheme == "https" || parsed.Scheme == "http":
		return parsed.Scheme + "://" + parsed.Host
	case parsed.Scheme == "":
		return ""
	}
	return parsed.Scheme + ":"
}

// decide does what a button of the consent page asks for.
func (s *server) decide(ctx context.Context, in *web.FormRequest) (*web.Bytes, error) {
	if in.Fault != "" || repeated(in.Body, "request", "csrf", "decision", "workspace", "scope") != "" {
		return s.pages.refuse(ctx, "The form cannot be read.")
	}
	secret := in.Body.Get("request")
	r, browser, err := s.open(ctx, in.Header, secret)
	if errors.Is(err, store.ErrNotFound) || err == nil && r.Email == "" && !r.Decided {
		return s.pages.gone(ctx)
	}
	if err != nil {
		return nil, err
	}
	proven, person, _ := strings.Cut(in.Body.Get("csrf"), ".")
	if fromElsewhere(in.Header) || !hmac.Equal([]byte(proven), []byte(csrf(browser, secret))) {
		web.SetCode(ctx, accessDenied)
		return s.pages.refuse(ctx, "This form is not from Earshot's own page.")
	}
	if r.Decided {
		return s.repeat(ctx, in.Body.Get("decision"), secret, r, browser)
	}
	if !hmac.Equal([]byte(person), []byte(shownTo(browser, secret, r.AccountID))) {
		return s.toConsent(ctx, secret) // another person has signed in since
	}
	if id, isEnd := strings.CutPrefix(in.Body.Get("decision"), "end:"); isEnd {
		return s.end(ctx, r, id, secret)
	}
	if in.Body.Get("decision") == "switch" {
		return s.switchPerson(ctx, in, secret, r)
	}
	if in.Body.Get("decision") != "approve" {
		if err := s.Store.Deny(ctx, secret); errors.Is(err, store.ErrNotFound) {
			return s.overtaken(ctx, in, secret)
		} else if err != nil {
			return nil, err
		}
		return s.denied(ctx, r)
	}
	seats, err := s.Store.Seats(ctx, r.AccountID, r.Email)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(seats,
		func(seat peoplestore.Seat) bool { return seat.Workspace.ID == in.Body.Get("workspace") })
	scope, err := workspace.ParseScope(in.Body.Get("scope"))
	if at < 0 || err != nil {
		return s.pages.refuse(ctx, "Choose a workspace and what the app may do.")
	}
	answer, err := s.approve(ctx, secret, browser, r, seats[at], scope)
	if errors.Is(err, store.ErrNotFound) {
		return s.overtaken(ctx, in, secret)
	}
	return answer, err
}

func (s *server) denied(ctx context.Context, r authstore.Request) (*web.Bytes, error) {
	return s.sendFailure(ctx, r.RedirectURI, r.State, failure(accessDenied, "The person denied the request."))
}

// overtaken is decide after another decision of the same request was quicker.
func (s *server) overtaken(ctx context.Context, in *web.FormRequest, secret string) (*web.Bytes, error) {
	r, browser, err := s.open(ctx, in.Header, secret)
	if errors.Is(err, store.ErrNotFound) || err == nil && !r.Decided {
		return s.pages.gone(ctx)
	}
	if err != nil {
		return nil, err
	}
	return s.repeat(ctx, in.Body.Get("decision"), secret, r, browser)
}

// repeat responds to a decision that is sent again, as after a double click: a browser follows the last response alone.
// It is the first response, unless the client has the code already.
func (s *server) repeat(
	ctx context.Context, decision, secret string, r authstore.Request, browser workspace.LinkSecret,
) (*web.Bytes, error) {
	switch {
	case decision == "deny" && r.Sealed == nil:
		return s.denied(ctx, r)
	case decision == "approve" && r.Sealed != nil:
		box, err := boxOf(browser, secret)
		if err != nil {
			return nil, err
		}
		written, err := box.Open(nil, nil, r.Sealed, nil)
		if err != nil {
			return nil, fmt.Errorf("open a sealed code: %w", err)
		}
		code, ok := grant.ParseToken(string(written))
		if !ok {
			return nil, errors.New("what a decided request has sealed is no code")
		}
		open, err := s.Store.Unspent(ctx, code)
		if err != nil {
			return nil, err
		}
		if open {
			return s.sendCode(ctx, r, code)
		}
	}
	return s.pages.gone(ctx)
}

// boxOf returns the box of a request's code. Its key is derived from the secrets of browser and request, of which only
// digests are stored.
func boxOf(browser workspace.LinkSecret, secret string) (cipher.AEAD, error) {
	block, err := aes.NewCipher(proof(browser, "code", secret))
	if err != nil {
		return nil, fmt.Errorf("make a box for a code: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}

func (s *server) sendCode(ctx context.Context, r authstore.Request, code grant.Token) (*web.Bytes, error) {
	return s.sendBack(ctx, r.RedirectURI, r.State, url.Values{"code": {code.Reveal()}})
}

// approve grants at most what was requested, what the person chose and what the person may do. Returns
// store.ErrNotFound if the request is gone or has been decided.
func (s *server) approve(
	ctx context.Context, secret string, browser workspace.LinkSecret, r authstore.Request, seat peoplestore.Seat,
	scope workspace.Scope,
) (*web.Bytes, error) {
	now := s.Clock.Now().UTC()
	made := grant.Grant{
		ID:          grant.NewID(now),
		WorkspaceID: seat.Workspace.ID,
		MemberID:    seat.Member.ID,
		AccountID:   r.AccountID,
		Email:       r.Email,
		ClientID:    r.ClientID,
		ClientName:  r.ClientName,
		Scope:       min(scope, r.Scope, workspace.MostScope(seat.Member.Role == member.Admin)),
		Resource:    r.Resource,
		CreatedAt:   now,
	}
	box, err := boxOf(browser, secret)
	if err != nil {
		return nil, err
	}
	token := grant.NewToken(grant.AuthorizationCode, made)
	code := grant.Code{
		RedirectURI: r.RedirectURI,
		Challenge:   r.Challenge,
		ExpiresAt:   now.Add(grant.CodeGood),
		Sealed:      box.Seal(nil, nil, []byte(token.Reveal()), nil),
	}
	if err := s.Store.Approve(ctx, secret, made, code, token); err != nil {
		return nil, err
	}
	if workspace.ValidID(grant.PrefixClient, r.ClientID) {
		if err := s.Store.KeepClient(ctx, r.ClientID, now.Add(approvedGood)); err != nil {
			return nil, err
		}
	}
	return s.sendCode(ctx, r, token)
}

// mostOwn is how many of the person's grants the consent page shows: the newest.
const mostOwn = 50

// ownGrant is a grant of the person who is asked, for the consent page.
type ownGrant struct {
	grant.Grant
	Host      string // of the client's id; empty if the client registered itself
	Workspace workspace.Workspace
}

// ownGrants lists what the person lets programs do in the workspaces of the seats, newest first.
func (s *server) ownGrants(ctx context.Context, seats []peoplestore.Seat) (own []ownGrant, err error) {
	found, failures := make([][]grant.Grant, len(seats)), make([]error, len(seats))
	parallel.Few(seatsAtOnce, len(seats), func(i int) {
		found[i], failures[i] = s.Store.Grants(ctx, seats[i].Workspace.ID)
	})
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	for i, seat := range seats {
		for _, g := range found[i] {
			if g.MemberID == seat.Member.ID {
				own = append(own, ownGrant{g, hostOf(g.ClientID), seat.Workspace})
			}
		}
	}
	slices.SortFunc(own, func(a, b ownGrant) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), strings.Compare(b.ID, a.ID))
	})
	return own, nil
}

// seatsAtOnce is how many workspaces are read at the same time.
const seatsAtOnce = 8

// end ends one of the person's own grants, and shows the consent page again. A grant that has ended, or is another
// person's, changes nothing.
func (s *server) end(ctx context.Context, r authstore.Request, id, secret string) (*web.Bytes, error) {
	seats, err := s.Store.Seats(ctx, r.AccountID, r.Email)
	if err != nil {
		return nil, err
	}
	own, err := s.ownGrants(ctx, seats)
	if err != nil {
		return nil, err
	}
	for _, g := range own {
		if g.ID != id {
			continue
		}
		if err := s.Store.EndGrant(ctx, g.WorkspaceID, g.ID); err != nil {
			return nil, err
		}
	}
	return s.toConsent(ctx, secret)
}

// fromElsewhere reports whether a browser says that another site's page sent the form. Origin says nothing here: the
// page has no referrer, so browsers send "null".
func fromElsewhere(header http.Header) bool {
	site := header.Values("Sec-Fetch-Site")
	return len(site) > 0 && !slices.Equal(site, []string{"same-origin"})
}
