package account

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// Timeouts of one attempt at a request.
type Timeouts struct {
	Connect  time.Duration // to reach the service, and again for TLS
	Response time.Duration // from the request's last byte to the response's first
	Attempt  time.Duration // to the response's last byte; 0 is bounded by the context only
	Idle     time.Duration // for which a connection may wait for the next request; 0 is 90 s
}

// Unrepeated is Idle for clients that repeat no request. Services close connections that wait, and a Lambda that slept
// does not know. What is written into such a connection is lost, and Go repeats no request that was written: nobody
// knows what became of it.
const Unrepeated = 5 * time.Second

// NewHTTPClient makes the HTTP client of an adapter. It sends nothing before the first request.
func NewHTTPClient(timeouts Timeouts) *HTTPClient {
	dialer := &net.Dialer{Timeout: timeouts.Connect, KeepAlive: 30 * time.Second}
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true) // the services speak nothing newer
	return &HTTPClient{http.Client{
		Timeout: timeouts.Attempt,
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           dialer.DialContext,
			TLSHandshakeTimeout:   timeouts.Connect,
			ResponseHeaderTimeout: timeouts.Response,
			ExpectContinueTimeout: time.Second, // S3 turns large bodies away before they are sent
			MaxIdleConns:          64,
			MaxIdleConnsPerHost:   64, // Go's 2 would close and reopen connections under any concurrency
			// by the wall clock, which also shows a sleep
			IdleConnTimeout: cmp.Or(timeouts.Idle, 90*time.Second),
			Protocols:       protocols,
		},
	}}
}

// maxHeld is the size of the largest request body that is copied before it is sent.
const maxHeld = 64 << 10 // bytes

// HTTPClient replaces the body of a request. smithy-go 1.28.7 closes a body as soon as the response begins. The body's
// WriteTo then returns io.EOF where none is due. net/http takes that for a failed write and cuts the connection, with
// the response half read. It happens if the response is quicker than the goroutine that wrote the request: with a
// server on the same machine, or on a starved processor.
//
// A body of at most maxHeld is copied. net/http then knows that it is in memory and writes it together with the head,
// as one packet and one system call of two each. Of a larger body, all methods but Read and Close are hidden. Reading a
// closed body is harmless.
type HTTPClient struct{ http.Client }

// Do sends a request.
func (c *HTTPClient) Do(request *http.Request) (*http.Response, error) {
	if body := request.Body; body != nil {
		request.Body = struct{ io.ReadCloser }{body}
		if length := request.ContentLength; length > 0 && length <= maxHeld {
			held := make([]byte, length)
			_, err := io.ReadFull(body, held)
			if err := errors.Join(err, body.Close()); err != nil {
				return nil, fmt.Errorf("account: read the body of a request: %w", err)
			}
			request.Body = io.NopCloser(bytes.NewReader(held))
		}
	}
	return c.Client.Do(request)
}
