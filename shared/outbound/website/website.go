// Package website fetches the page of a company's domain for the setup engine's scan. It gives the guarantees of
// shared/outbound: an end, a size, addresses of the public internet alone, and errors in its own words. It follows
// redirects and checks the address on each. It asks robots.txt first (RFC 9309), of every host that it is led to.
//
// Mains import it.
package website

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"earshot/shared/proposal/site"
	"earshot/shared/publicnet"
)

// Bounds of a fetch.
const (
	whole      = 20 * time.Second // a domain, with all that it takes
	one        = 8 * time.Second  // a request from its start to the last byte
	connect    = 3 * time.Second
	redirects  = 5
	longestURL = 2 << 10   // bytes of an address that a redirect leads to
	maxRobots  = 500 << 10 // RFC 9309, section 2.5
)

// product is the name by which robots.txt knows us.
const product = "Earshot"

// Options configure a client.
type Options struct {
	UserAgent string // the client's name, which begins with "Earshot"; default "Earshot/2"
	// Dial and Roots are for tests. Dial connects in place of the public internet, and Roots are the accepted
	// certificate authorities.
	Dial  func(ctx context.Context, network, address string) (net.Conn, error)
	Roots *x509.CertPool
}

// A Client fetches pages. It is safe for concurrent use.
type Client struct {
	transport *http.Transport
	agent     string
}

// New makes a client.
func New(o Options) *Client {
	dial := publicnet.Dial(o.Dial)
	if dial == nil {
		dial = (&net.Dialer{Timeout: connect, Control: publicnet.Control}).DialContext
	}
	return &Client{agent: cmp.Or(o.UserAgent, product+"/2"), transport: &http.Transport{
		// No proxy: the checked address would be the proxy's.
		DialContext:            publicnet.NotInternal(dial),
		TLSClientConfig:        &tls.Config{RootCAs: o.Roots},
		TLSHandshakeTimeout:    connect,
		MaxResponseHeaderBytes: 64 << 10,
		ForceAttemptHTTP2:      true,
		DisableKeepAlives:      true,
	}}
}

// Page fetches the page at the root of a domain, which is workspace.ParseDomain's. It tries HTTPS and then HTTP, each
// under the domain's name and then with www before it. Returns *site.Unreadable, or the context's own error.
func (c *Client) Page(ctx context.Context, domain string) (site.Page, error) {
	limited, cancel := context.WithTimeout(ctx, whole)
	defer cancel()
	f := fetching{Client: c, robots: map[string]rules{}}
	var first error
	for _, root := range roots(domain) {
		page, err := f.follow(limited, root)
		if err == nil {
			return page, nil
		}
		if ctx.Err() != nil {
			return site.Page{}, ctx.Err()
		}
		if first == nil {
			first = err
		}
		// After a final refusal, other addresses are not tried.
		var final *site.Unreadable
		if errors.As(err, &final) {
			return site.Page{}, final
		}
	}
	return site.Page{}, &site.Unreadable{
		Reason: fmt.Sprintf("%s %s. Check the domain, or fill in the profile by hand.", domain, reason(first)),
	}
}

func roots(domain string) []string {
	hosts := []string{domain}
	if !strings.HasPrefix(domain, "www.") {
		hosts = append(hosts, "www."+domain)
	}
	var all []string
	for _, scheme := range []string{"https://", "http://"} {
		for _, host := range hosts {
			all = append(all, scheme+host+"/")
		}
	}
	return all
}

// fetching is the fetch of one domain.
type fetching struct {
	*Client
	robots map[string]rules // by scheme and host
}

// Sentences for people. They quote neither the page nor its address.
const (
	byHand  = "Fill in the profile by hand."
	stray   = "The domain's page leads to an address that is not a web page's."
	plainer = "The domain's page leads from HTTPS to plain HTTP, which is not followed."
)

func unreadable(sentence string, values ...any) error {
	return &site.Unreadable{Reason: fmt.Sprintf(sentence, values...)}
}

// follow fetches a page and follows its redirects, and those that a page without a text of its own declares itself. A
// final refusal by the other side is *site.Unreadable. Any other error is the connection's.
func (f fetching) follow(ctx context.Context, target string) (site.Page, error) {
	at, err := url.Parse(target)
	if err != nil {
		return site.Page{}, err
	}
	var shown *site.Page // that leads on by itself: it is the page when what it leads to cannot be had
	for followed := range redirects + 1 {
		var got boundedResponse
		err := f.allowed(ctx, at)
		if err == nil {
			got, err = f.get(ctx, at, site.MaxPage)
		}
		var final *site.Unreadable
		switch {
		case err != nil && shown != nil && ctx.Err() == nil:
			return *shown, nil
		case errors.As(err, &final):
			return site.Page{}, final
		case err != nil && followed > 0 && ctx.Err() == nil:
			return site.Page{}, unreadable("The domain leads to another address, which %s. %s", reason(err), byHand)
		case err != nil:
			return site.Page{}, err
		case got.status/100 != 3:
			page, err := got.page(at)
			if err != nil && shown != nil {
				return *shown, nil
			}
			if err != nil {
				return site.Page{}, err
			}
			shown = &page
			if got.header = (http.Header{"Location": {site.Refresh(page)}}); got.header.Get("Location") == "" {
				return page, nil
			}
		}
		next, err := got.leads(at)
		if err != nil && shown != nil || shown != nil && next.String() == at.String() {
			return *shown, nil
		}
		if err != nil {
			return site.Page{}, err
		}
		at = next
	}
	if shown != nil {
		return *shown, nil
	}
	return site.Page{}, unreadable(
		"The domain's page leads on and on: more than %d redirects are not followed.", redirects,
	)
}

// leads returns the target of a redirect.
func (a boundedResponse) leads(from *url.URL) (*url.URL, error) {
	location := a.header.Get("Location")
	next, err := from.Parse(location)
	if err != nil || location == "" || len(location) > longestURL || next.Hostname() == "" ||
		next.Scheme != "https" && next.Scheme != "http" ||
		!slices.Contains([]string{"", "80", "443"}, next.Port()) {
		return nil, unreadable(stray)
	}
	if from.Scheme == "https" && next.Scheme == "http" {
		return nil, unreadable(plainer)
	}
	next.User, next.Fragment, next.RawFragment = nil, "", ""
	return next, nil
}

// An answer is a response with a bounded body.
type boundedResponse struct {
	status int
	header http.Header
	body   []byte
}

func (f fetching) get(ctx context.Context, at *url.URL, most int64) (boundedResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, one)
	defer cancel()
	out, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return boundedResponse{}, err
	}
	out.Header.Set("User-Agent", f.agent)
	out.Header.Set("Accept", "text/html,application/xhtml+xml,text/plain;q=0.5,*/*;q=0.1")
	out.Header.Set("Accept-Language", "en,*;q=0.5")
	in, err := f.transport.RoundTrip(out) // RoundTrip follows no redirect
	if err != nil {
		return boundedResponse{}, err
	}
	defer in.Body.Close()
	if in.StatusCode == http.StatusSwitchingProtocols { // its body is the connection, which no context ends
		return boundedResponse{status: in.StatusCode, header: in.Header}, nil
	}
	body, err := io.ReadAll(io.LimitReader(in.Body, most))
	if err != nil && len(body) == 0 {
		return boundedResponse{}, err
	}
	return boundedResponse{in.StatusCode, in.Header, body}, nil
}

// page returns the page in a response.
func (a boundedResponse) page(at *url.URL) (site.Page, error) {
	if a.status/100 != 2 {
		return site.Page{}, unreadable(
			"The domain answered %d where its page was expected. Fill in the profile by hand, or try again later.",
			a.status,
		)
	}
	kind := a.header.Get("Content-Type")
	if kind == "" {
		kind = http.DetectContentType(a.body)
	}
	media, _, _ := strings.Cut(kind, ";") // even if its parameters are malformed
	if media = strings.ToLower(strings.TrimSpace(media)); media != "text/html" && media != "application/xhtml+xml" {
		return site.Page{}, unreadable("The domain's page is not HTML. %s", byHand)
	}
	if coding := a.header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return site.Page{}, unreadable("The domain's page has an unexpected compression. %s", byHand)
	}
	if len(a.body) == 0 {
		return site.Page{URL: at.String()}, nil
	}
	reader, err := charset.NewReader(bytes.NewReader(a.body), declared(a.body, kind))
	if err != nil {
		return site.Page{}, unreadable("The domain's page has an unknown character set. %s", byHand)
	}
	text, err := io.ReadAll(io.LimitReader(reader, site.MaxPage))
	if err != nil {
		return site.Page{}, unreadable("The domain's page cannot be read as text. %s", byHand)
	}
	return site.Page{URL: at.String(), HTML: text}, nil
}

// declared returns a page's content type, with the character set that its bytes are in where it declares the wrong one
// of the two that are taken for each other: UTF-8 and windows-1252.
func declared(body []byte, kind string) string {
	const first = 1 << 10 // bytes in which a page may declare its character set
	_, name, _ := charset.DetermineEncoding(body[:min(len(body), first)], kind)
	wide, broken := 0, 0 // characters of several bytes, and bytes that are no UTF-8
	for rest := body; len(rest) > 0 && (name == "utf-8" || name == "windows-1252"); {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 {
			if utf8.FullRune(rest) { // the page is not cut here
				broken++
			}
		} else if size > 1 {
			wide++
		}
		rest = rest[size:]
	}
	switch {
	case name == "utf-8" && broken > 0 && wide == 0:
		return "text/html; charset=windows-1252"
	case name == "windows-1252" && broken == 0 && wide > 0:
		return "text/html; charset=utf-8"
	}
	return kind
}

// reason describes why there was no response without quoting net/http's error, which carries the URL.
func reason(err error) string {
	var (
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		authority   x509.UnknownAuthorityError
		record      tls.RecordHeaderError
		timeout     net.Error
	)
	switch {
	case errors.Is(err, publicnet.ErrAddress), errors.As(err, &name) && name.IsNotFound:
		// Naming one of the two would reveal this network.
		return "has no address that can be read: there is no such name, it is not of the public internet, " +
			"or there is no network"
	case errors.As(err, &name), errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return "could not be reached: there may be no network"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused the connection"
	case errors.As(err, &certificate), errors.As(err, &authority):
		return "has a certificate that is not accepted"
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return "does not speak HTTPS"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "did not answer in time"
	}
	return "could not be read from"
}
