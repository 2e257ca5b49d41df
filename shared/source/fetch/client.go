// Package fetch is the one HTTP client for the platforms that posts come from. It bounds what a platform can do to
// Earshot. It guarantees
//
//   - an end: connecting, the headers and the whole response have time limits, and the caller's context holds too;
//   - a size: a response is cut off at Options.MaxBytes, before and after decompression, and never read beyond that;
//   - addresses of the public internet alone. They are checked where the connection is made, so that neither a name nor
//     a redirect leads to this machine, its neighbours or its metadata;
//   - the platform's pace and its wish to wait: while the platform asks to wait, no request is sent;
//   - errors that are a *source.Unavailable or the context's own, without query, header or any part of the body.
//
// It never repeats a request: the collecting function decides that. Adapters below shared/source import it, and mains
// make its Client.
package fetch

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/time/rate"

	"earshot/shared/port/clock"
	"earshot/shared/publicnet"
	"earshot/shared/source"
)

// Options bound a Client. The comment of a field ends with what its zero value means.
type Options struct {
	UserAgent string        // names Earshot and its operator, see Agent; Agent("")
	Connect   time.Duration // limit of a connection and of its handshake, each; 3 s
	Header    time.Duration // limit until the response begins; 8 s
	Whole     time.Duration // limit from a request's start to the last byte, redirects included; 10 s
	MaxBytes  int64         // limit of a response, compressed and not; 8 MiB
	Clock     clock.Clock   // time for Retry-After; the machine's
	AnyHost   bool          // for tests: private addresses and plain HTTP too
	Unpaced   bool          // for tests: no waiting between requests
}

const maxRedirects = 3

// A Client serves all sources of a process. It is safe for concurrent use.
type Client struct {
	http     *http.Client
	clock    clock.Clock
	agent    string
	whole    time.Duration
	maxBytes int64
	unpaced  bool
}

// Agent returns a User-Agent that names Earshot and contact, the operator's web or mail address. An empty contact is
// left out.
func Agent(contact string) string {
	if contact == "" {
		return "Earshot/2"
	}
	return "Earshot/2 (+" + contact + ")"
}

// Agent returns the User-Agent that the client sends.
func (c *Client) Agent() string { return c.agent }

// New returns a client within the bounds of o.
func New(o Options) *Client {
	connect := cmp.Or(o.Connect, 3*time.Second)
	dialer := &net.Dialer{Timeout: connect}
	if !o.AnyHost {
		dialer.Control = publicnet.Control
	}
	transport := &http.Transport{
		// No proxy: behind a proxy, the checked address would be the proxy's.
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    connect,
		ResponseHeaderTimeout:  cmp.Or(o.Header, 8*time.Second),
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // done here, to bound the compressed bytes as well
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    4,
		MaxConnsPerHost:        16,
		IdleConnTimeout:        30 * time.Second,
	}
	c := &Client{
		http:     &http.Client{Transport: transport, CheckRedirect: redirects(o.AnyHost)},
		clock:    o.Clock,
		agent:    cmp.Or(o.UserAgent, Agent("")),
		whole:    cmp.Or(o.Whole, 10*time.Second),
		maxBytes: cmp.Or(o.MaxBytes, 8<<20),
		unpaced:  o.Unpaced,
	}
	if c.clock == nil {
		c.clock = clock.System{}
	}
	return c
}

// Close drops idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

var (
	errRedirects = errors.New("too many redirects")
	errPlain     = errors.New("redirect away from HTTPS")
)

// redirects follows at most maxRedirects, and none for a request with a method other than GET and HEAD, because
// credentials must not be sent on. A request to another host keeps only the three headers that every request has. That
// drops the Referer, where net/http puts the whole URL.
func redirects(plain bool) func(*http.Request, []*http.Request) error {
	return func(next *http.Request, via []*http.Request) error {
		first := via[0]
		switch {
		case first.Method != http.MethodGet && first.Method != http.MethodHead:
			return http.ErrUseLastResponse
		case len(via) > maxRedirects:
			return errRedirects
		case next.URL.Scheme != "https" && !plain:
			return errPlain
		}
		if next.URL.Host != first.URL.Host {
			for name := range next.Header {
				if name != "User-Agent" && name != "Accept" && name != "Accept-Encoding" {
					next.Header.Del(name)
				}
			}
		}
		return nil
	}
}

// A Platform describes the platform that a Caller calls.
type Platform struct {
	About   source.About
	BaseURL string // without a slash at its end; the paths of requests follow it
	// Explain interprets a response outside 2xx where the platform has rules of its own, such as a limit told by 403 or
	// in the body. It returns nil to leave the response to HTTP's rules. Its Reason never quotes the response. Explain
	// may be nil.
	Explain func(response Response, now time.Time) *source.Unavailable
}

// Caller returns a Caller for the platform. All requests of one Caller share its pace.
func (c *Client) Caller(p Platform) *Caller {
	pace := rate.Inf
	if p.About.Pace > 0 && !c.unpaced {
		pace = rate.Every(p.About.Pace)
	}
	return &Caller{client: c, platform: p, pace: rate.NewLimiter(pace, 1)}
}

func (c *Client) tooLarge() string {
	return fmt.Sprintf("answered more than %d bytes", c.maxBytes)
}
