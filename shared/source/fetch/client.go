// Package fetch is the one HTTP client for the platforms that posts come from. It bounds what a platform can do to
// Earshot. It guarantees
//
//   - an end: connecting, the headers and the whole response have time limits, and the caller's context holds too;
//   - a size: a response is cut off at Options.MaxBytes, before and after decompression, and never read beyond that;
//   - addresses of the public internet alone, checked where the connection is made, so that neither a name nor a
//     redirect leads to this machine, its neighbours or its metadata;
//   - the platform's pace and its wish to wait: while the platform asks to wait, nothing is sent;
//   - errors that are a *source.Unavailable or the context's own, without query, header or anything of the body.
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

// Options bound a Client. Zero values mean what is said beside them.
type Options struct {
	UserAgent string        // who asks: see Agent; Agent("")
	Connect   time.Duration // a connection and its handshake, each at most; 3 s
	Header    time.Duration // until the answer begins at most; 8 s
	Whole     time.Duration // a request from its start to the last byte, redirects included; 10 s
	MaxBytes  int64         // of an answer, compressed and not; 8 MiB
	Clock     clock.Clock   // the platforms' time, for Retry-After; the machine's
	AnyHost   bool          // for tests: private addresses and plain HTTP too
	Unpaced   bool          // for tests: no waiting between requests
}

const maxRedirects = 3

// A Client is for all sources of a process. It is safe for concurrent use.
type Client struct {
	http     *http.Client
	clock    clock.Clock
	agent    string
	whole    time.Duration
	maxBytes int64
	unpaced  bool
}

// Agent is a User-Agent that says who asks and where the operator can be reached: an address of the web or of mail;
// empty: not said.
func Agent(contact string) string {
	if contact == "" {
		return "Earshot/2"
	}
	return "Earshot/2 (+" + contact + ")"
}

// Agent is the User-Agent with which the client asks.
func (c *Client) Agent() string { return c.agent }

// New makes a client.
func New(o Options) *Client {
	connect := cmp.Or(o.Connect, 3*time.Second)
	dialer := &net.Dialer{Timeout: connect}
	if !o.AnyHost {
		dialer.Control = publicnet.Control
	}
	transport := &http.Transport{
		// No proxy: behind one, the address that is checked would be the proxy's.
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    connect,
		ResponseHeaderTimeout:  cmp.Or(o.Header, 8*time.Second),
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // done here, to bound what is compressed as well
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

// redirects follows few of them, and none of a request with a body: what signs in must not be sent on. To another host
// nothing goes but what every request says: above all no Referer, where net/http puts the whole URL.
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

// A Platform is what a Caller has to know of the platform that it asks.
type Platform struct {
	About   source.About
	BaseURL string // without a slash at its end; requests' paths follow it
	// Explain says what an answer outside 2xx means where the platform has a way of its own: a limit that it tells by
	// 403 or in its body. nil: as HTTP has it. Its Reason is Earshot's own words, never the answer's. May be nil
	// itself.
	Explain func(response Response, now time.Time) *source.Unavailable
}

// Caller is for all requests to a platform: they share its pace.
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
