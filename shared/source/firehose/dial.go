package firehose

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/coder/websocket"

	"earshot/shared/publicnet"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
)

const connectWithin = 3 * time.Second

// dialer returns the client for the handshake. It has the bounds of shared/source/fetch, follows no redirects and uses
// HTTP/1.1, which WebSocket needs.
func dialer(anyHost bool) *http.Client {
	d := &net.Dialer{Timeout: connectWithin}
	if !anyHost {
		d.Control = publicnet.Control
	}
	return &http.Client{
		Transport: &http.Transport{
			DialContext:            d.DialContext,
			TLSHandshakeTimeout:    connectWithin,
			MaxResponseHeaderBytes: 64 << 10,
			DisableKeepAlives:      true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// refusal returns why there is no connection. response is nil if the server sent none.
func refusal(response *http.Response, err error, now time.Time, patience time.Duration) *source.Unavailable {
	if response == nil || response.StatusCode == http.StatusSwitchingProtocols {
		return failure(err, patience)
	}
	return &source.Unavailable{
		Source: name, Reason: fmt.Sprintf("answered %d where a WebSocket was expected", response.StatusCode),
		RetryAfter: fetch.RetryAfter(response.Header, now),
	}
}

// failure returns why the connection failed or ended, in its own words. net/http's errors contain the URL, and the
// connection's errors quote the server.
func failure(err error, patience time.Duration) *source.Unavailable {
	unavailable := &source.Unavailable{Source: name, Network: true}
	var (
		lookup  *net.DNSError
		timeout net.Error
	)
	switch {
	case errors.Is(err, websocket.ErrMessageTooBig):
		unavailable.Reason, unavailable.Network = fmt.Sprintf("sent an event of more than %d bytes", maxFrame), false
	case errors.Is(err, publicnet.ErrAddress):
		unavailable.Reason = "leads to an address that is not of the public internet"
	case errors.As(err, &lookup):
		unavailable.Reason = "its name was not found"
	case errors.Is(err, syscall.ECONNREFUSED):
		unavailable.Reason = "refused the connection"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		unavailable.Reason = fmt.Sprintf("sent nothing within %v", patience)
	case websocket.CloseStatus(err) >= 0:
		unavailable.Reason, unavailable.Network = fmt.Sprintf(
			"closed the stream with status %d", websocket.CloseStatus(err),
		), false
	default:
		unavailable.Reason = "the connection failed"
	}
	return unavailable
}
