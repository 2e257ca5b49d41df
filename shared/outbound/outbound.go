// Package outbound is the HTTP client for everything that Earshot sends to others, and for small documents that others
// keep. It sends a request once, and bounds what the other side can do. It guarantees
//
//   - an end: connecting, the headers and the whole response have time limits, and the caller's context holds too;
//   - a size: it reads no more of a response than the caller asks for, and keeps nothing beyond that;
//   - HTTPS to addresses of the public internet alone, and to the ports of publicnet.Port alone. The address is checked
//     where the connection is made, so that no name leads to this machine, its neighbours or its metadata;
//   - no redirect: a body goes to the address that it was sent to, and nowhere else;
//   - errors in Earshot's own words, which hold no URL, no header and nothing of the response.
//
// It never repeats a request. The adapters below it import it, and mains make its Client.
package outbound

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
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"earshot/shared/publicnet"
)

// Options configure a Client.
type Options struct {
	UserAgent string        // the sender's name; default "Earshot/2"
	Whole     time.Duration // bounds a request from its start to the last byte of the response; default 10 s
	AnyHost   bool          // for tests: private addresses, any port and plain HTTP too
	// Own begins the addresses of this machine that may be called too, whatever else holds; empty: none. It ends with a
	// slash. Only the workbench sets it, to receive itself what it sends.
	Own string
}

// A Client is for all of a process. It is safe for concurrent use.
type Client struct {
	http    *http.Client
	agent   string
	whole   time.Duration
	anyHost bool
	own     string
	near    *http.Client // for own
}

// New makes a client.
func New(o Options) *Client {
	const connect = 3 * time.Second
	dial := publicnet.NotInternal((&net.Dialer{Timeout: connect, Control: publicnet.Control}).DialContext)
	if o.AnyHost {
		dial = (&net.Dialer{Timeout: connect}).DialContext
	}
	return &Client{
		http:    newHTTP(dial, connect),
		agent:   cmp.Or(o.UserAgent, "Earshot/2"),
		whole:   cmp.Or(o.Whole, 10*time.Second),
		anyHost: o.AnyHost,
		own:     o.Own,
		near:    newHTTP((&net.Dialer{Timeout: connect}).DialContext, connect),
	}
}

func newHTTP(dial func(ctx context.Context, network, address string) (net.Conn, error),
	connect time.Duration) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			// No proxy: the checked address would be the proxy's.
			DialContext:            dial,
			TLSHandshakeTimeout:    connect,
			MaxResponseHeaderBytes: 64 << 10,
			DisableCompression:     true, // a response is as long as it looks
			ForceAttemptHTTP2:      true,
			MaxIdleConnsPerHost:    2,
			IdleConnTimeout:        30 * time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Close drops idle connections.
func (c *Client) Close() {
	c.http.CloseIdleConnections()
	c.near.CloseIdleConnections()
}

// owns reports whether an address is one that Options.Own allows.
func (c *Client) owns(target string) bool { return c.own != "" && strings.HasPrefix(target, c.own) }

// An Answer is a response.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte // its first bytes, at most as many as the caller asked for
	Whole  bool   // whether Body is the complete body: it fit and did not break off
}

// A Failure says why no response came.
type Failure struct {
	Reason   string // what the other side did, as the end of a sentence: "did not answer within 10s"
	TimedOut bool   // whether it took too long
}

func (f *Failure) Error() string { return "outbound: the other side " + f.Reason }

// Post sends a body to a URL and returns the response, whatever its status, with at most so many bytes of its body.
// Returns *Failure, or the context's own error.
func (c *Client) Post(ctx context.Context, target string, header http.Header, body []byte, most int64) (Answer, error) {
	return c.bounded(ctx, http.MethodPost, target, header, body, most)
}

// Get reads a URL, as Post sends to one. The response to a redirect is the redirect itself.
func (c *Client) Get(ctx context.Context, target string, header http.Header, most int64) (Answer, error) {
	return c.bounded(ctx, http.MethodGet, target, header, nil, most)
}

func (c *Client) bounded(
	ctx context.Context, method, target string, header http.Header, body []byte, most int64,
) (Answer, error) {
	to, err := url.Parse(target)
	free := c.anyHost || c.owns(target)
	if err != nil || to.Host == "" || to.Scheme != "https" && !(free && to.Scheme == "http") {
		return Answer{}, &Failure{Reason: "has no address that begins with https://"}
	}
	if !free && !publicnet.Port(to.Port()) {
		return Answer{}, &Failure{Reason: "has a port that is neither 443 nor above 1023"}
	}
	limited, cancel := context.WithTimeout(ctx, c.whole)
	defer cancel()
	var connected atomic.Bool
	limited = httptrace.WithClientTrace(limited, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	answer, err := c.send(limited, method, to.String(), header, body, most)
	switch {
	case err == nil:
		return answer, nil
	case ctx.Err() != nil:
		return Answer{}, ctx.Err()
	}
	return Answer{}, c.failure(err, connected.Load())
}

func (c *Client) send(
	ctx context.Context, method, target string, header http.Header, body []byte, most int64,
) (Answer, error) {
	out, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	for name, values := range header {
		out.Header[name] = values
	}
	out.Header.Set("User-Agent", c.agent)
	client := c.http
	if c.owns(target) {
		client = c.near
	}
	in, err := client.Do(out)
	if err != nil {
		return Answer{}, err
	}
	defer in.Body.Close()
	if in.StatusCode == http.StatusSwitchingProtocols { // its body is the connection, which no context ends
		return Answer{Status: in.StatusCode, Header: in.Header}, nil
	}
	// A server that responds has accepted the post, even if its response breaks off.
	read, err := io.ReadAll(io.LimitReader(in.Body, most+1))
	whole := err == nil && int64(len(read)) <= most
	return Answer{Status: in.StatusCode, Header: in.Header, Body: read[:min(int64(len(read)), most)], Whole: whole}, nil
}

// failure describes an error of net/http without quoting it, because the error carries the URL. connected: there was a
// connection to send on.
func (c *Client) failure(err error, connected bool) *Failure {
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		return &Failure{Reason: fmt.Sprintf("did not answer within %v", c.whole), TimedOut: true}
	}
	return &Failure{Reason: reason(err, connected)}
}

func reason(err error, connected bool) string {
	var (
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		authority   x509.UnknownAuthorityError
		record      tls.RecordHeaderError
	)
	switch {
	case errors.Is(err, publicnet.ErrAddress), errors.As(err, &name): // naming one of the two would reveal this network
		return "has a name that is not found, or is not of the public internet"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused the connection"
	case errors.As(err, &certificate), errors.As(err, &authority):
		return "has a certificate that is not accepted"
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return "does not speak TLS"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return "broke off the connection"
	case connected:
		return "sent an answer that cannot be read as HTTP"
	}
	return "could not be reached"
}
