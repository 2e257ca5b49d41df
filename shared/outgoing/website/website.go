// Package website fetches the page of a company's domain for the setup engine's scan. It guarantees what shared/outgoing does for what is
// sent: an end, a size, addresses of the public internet alone, checked where the connection is made and so on each redirect, and errors
// in words of its own. It asks robots.txt first (RFC 9309), of every host that it is led to.
//
// Mains import it.
package website

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/temoto/robotstxt"
	"golang.org/x/net/html/charset"

	"earshot/shared/proposal/site"
	"earshot/shared/publicnet"
)

// Bounds of a fetch.
const (
	whole     = 20 * time.Second // a domain, with all that it takes
	one       = 8 * time.Second  // a request from its start to the last byte
	connect   = 3 * time.Second
	redirects = 5
	maxRobots = 500 << 10 // RFC 9309, section 2.5
)

// product is the name by which robots.txt knows us.
const product = "Earshot"

// Options are what a client is made with. Zero values mean what is said beside them.
type Options struct {
	UserAgent string // who asks, beginning with "Earshot"; "Earshot/2"
	// Dial connects in place of the public internet, and Roots are whose certificates are accepted: for tests.
	Dial  func(ctx context.Context, network, address string) (net.Conn, error)
	Roots *x509.CertPool
}

// A Client fetches pages. It is safe for concurrent use.
type Client struct {
	http  *http.Client
	agent string
}

// New makes a client.
func New(o Options) *Client {
	dial := o.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: connect, Control: publicnet.Control}).DialContext
	}
	return &Client{agent: cmp.Or(o.UserAgent, product+"/2"), http: &http.Client{
		Transport: &http.Transport{
			// No proxy: behind one, the address that is checked would be the proxy's.
			DialContext: dial, TLSClientConfig: &tls.Config{RootCAs: o.Roots}, TLSHandshakeTimeout: connect,
			MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true, DisableKeepAlives: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Page fetches the page at the root of a domain, which is workspace.ParseDomain's: by HTTPS, and else by HTTP, under its name, and else
// with www before it. Errors: *site.Unreadable; the context's own.
func (c *Client) Page(ctx context.Context, domain string) (site.Page, error) {
	limited, cancel := context.WithTimeout(ctx, whole)
	defer cancel()
	f := fetching{Client: c, robots: map[string]*robotstxt.Group{}}
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
		// What was answered, or is forbidden, is not asked for by another name.
		var final *site.Unreadable
		if errors.As(err, &final) {
			return site.Page{}, final
		}
	}
	return site.Page{}, &site.Unreadable{Reason: fmt.Sprintf("%s %s. Check the domain, or fill in the profile by hand.", domain, reason(first))}
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
	robots map[string]*robotstxt.Group // by scheme and host; nil: everything is allowed
}

// follow fetches a page, wherever it leads. What other side said for good is *site.Unreadable; any other error is that of the connection.
func (f fetching) follow(ctx context.Context, target string) (site.Page, error) {
	at, err := url.Parse(target)
	if err != nil {
		return site.Page{}, err
	}
	for range redirects + 1 {
		if err := f.allowed(ctx, at); err != nil {
			return site.Page{}, err
		}
		answer, err := f.get(ctx, at, site.MaxPage)
		if err != nil {
			if errors.Is(err, publicnet.ErrAddress) {
				return site.Page{}, &site.Unreadable{Reason: "The domain leads to an address that is not of the public internet, which is not looked at."}
			}
			return site.Page{}, err
		}
		if answer.status/100 != 3 {
			return answer.page(at)
		}
		next, err := at.Parse(answer.header.Get("Location"))
		if err != nil || next.Host == "" || next.Scheme != "https" && next.Scheme != "http" || answer.header.Get("Location") == "" {
			return site.Page{}, &site.Unreadable{Reason: "The domain's page leads to what is no address of the web."}
		}
		if at.Scheme == "https" && next.Scheme == "http" {
			return site.Page{}, &site.Unreadable{Reason: "The domain's page leads from HTTPS to plain HTTP, which is not followed."}
		}
		at = next
	}
	return site.Page{}, &site.Unreadable{Reason: fmt.Sprintf("The domain's page leads on and on: more than %d redirects are not followed.", redirects)}
}

// allowed asks the host's robots.txt. One that cannot be had for its server's fault forbids everything, one that is not there nothing
// (RFC 9309, section 2.3.1).
func (f fetching) allowed(ctx context.Context, at *url.URL) error {
	origin := at.Scheme + "://" + at.Host
	rules, known := f.robots[origin]
	if !known {
		text := *at
		text.Path, text.RawPath, text.RawQuery, text.Fragment = "/robots.txt", "", "", ""
		answer, err := f.get(ctx, &text, maxRobots)
		if errors.Is(err, publicnet.ErrAddress) {
			return &site.Unreadable{Reason: "The domain leads to an address that is not of the public internet, which is not looked at."}
		}
		if err != nil {
			return err
		}
		switch {
		case answer.status/100 == 2:
			if parsed, err := robotstxt.FromBytes(answer.body); err == nil {
				rules = parsed.FindGroup(product)
			}
		case answer.status/100 == 5:
			return &site.Unreadable{Reason: fmt.Sprintf("The domain's server failed (%d) when it was asked what may be read.", answer.status)}
		}
		f.robots[origin] = rules
	}
	if rules != nil && !rules.Test(cmp.Or(at.EscapedPath(), "/")) {
		return &site.Unreadable{Reason: "The domain's robots.txt does not allow its page to be read. Fill in the profile by hand."}
	}
	return nil
}

// An answer is what came back, cut.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (f fetching) get(ctx context.Context, at *url.URL, most int64) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, one)
	defer cancel()
	out, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return answer{}, err
	}
	out.Header.Set("User-Agent", f.agent)
	out.Header.Set("Accept", "text/html,application/xhtml+xml,text/plain;q=0.5,*/*;q=0.1")
	out.Header.Set("Accept-Language", "en,*;q=0.5")
	in, err := f.http.Do(out)
	if err != nil {
		return answer{}, err
	}
	defer in.Body.Close()
	body, err := io.ReadAll(io.LimitReader(in.Body, most))
	if err != nil && len(body) == 0 {
		return answer{}, err
	}
	return answer{in.StatusCode, in.Header, body}, nil
}

// page is the answer as a page.
func (a answer) page(at *url.URL) (site.Page, error) {
	if a.status/100 != 2 {
		return site.Page{}, &site.Unreadable{Reason: fmt.Sprintf("The domain answered %d where its page was expected. Fill in the profile by hand, or try again later.", a.status)}
	}
	kind := a.header.Get("Content-Type")
	if kind == "" {
		kind = http.DetectContentType(a.body)
	}
	media, _, _ := mime.ParseMediaType(kind)
	if media != "text/html" && media != "application/xhtml+xml" {
		return site.Page{}, &site.Unreadable{Reason: "The domain answered something else than HTML where its page was expected. Fill in the profile by hand."}
	}
	reader, err := charset.NewReader(strings.NewReader(string(a.body)), kind)
	if err != nil {
		return site.Page{}, &site.Unreadable{Reason: "The domain's page is of a character set that is not known. Fill in the profile by hand."}
	}
	text, err := io.ReadAll(io.LimitReader(reader, site.MaxPage))
	if err != nil {
		return site.Page{}, &site.Unreadable{Reason: "The domain's page cannot be read as text. Fill in the profile by hand."}
	}
	return site.Page{URL: at.String(), HTML: text}, nil
}

// reason says why there was no answer, in words of its own: the errors of net/http carry the URL.
func reason(err error) string {
	var (
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		authority   x509.UnknownAuthorityError
		timeout     net.Error
	)
	switch {
	case errors.As(err, &name) && name.IsNotFound:
		return "does not resolve: there is no such name"
	case errors.As(err, &name):
		return "could not be looked up: there may be no network"
	case errors.As(err, &certificate), errors.As(err, &authority):
		return "has a certificate that is not accepted"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "did not answer in time"
	}
	return "could not be reached"
}
