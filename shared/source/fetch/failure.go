package fetch

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"

	"earshot/shared/publicnet"
	"earshot/shared/source"
)

var (
	errTooLarge = errors.New("too large")
	errRequest  = errors.New("no request")
)

// failure returns why no response came, in its own words, because net/http's errors contain the URL.
func (c *Caller) failure(err error) *source.Unavailable {
	unavailable := &source.Unavailable{Source: c.platform.About.Name, Network: true}
	var (
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		authority   x509.UnknownAuthorityError
		timeout     net.Error
		corrupt     flate.CorruptInputError
	)
	switch {
	case errors.Is(err, errTooLarge):
		unavailable.Reason, unavailable.Network = c.client.tooLarge(), false
	case errors.Is(err, errRequest):
		unavailable.Reason, unavailable.Network = "its address is no URL", false
	case errors.Is(err, errRedirects), errors.Is(err, errPlain):
		unavailable.Reason, unavailable.Network = "redirects where it should not", false
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		unavailable.Reason, unavailable.Network = "answered what cannot be decompressed", false
	case errors.Is(err, publicnet.ErrAddress):
		unavailable.Reason = "leads to an address that is not of the public internet"
	case errors.As(err, &name):
		unavailable.Reason = "its name was not found"
	case errors.Is(err, syscall.ECONNREFUSED):
		unavailable.Reason = "refused the connection"
	case errors.As(err, &certificate), errors.As(err, &authority):
		unavailable.Reason = "its certificate was not accepted"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		unavailable.Reason = fmt.Sprintf("did not answer whole within %v", c.client.whole)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		unavailable.Reason = "broke off its answer"
	default:
		unavailable.Reason = "the connection failed"
	}
	return unavailable
}

// explain returns what a response outside 2xx means.
func (c *Caller) explain(response Response) *source.Unavailable {
	now := c.client.clock.Now()
	if c.platform.Explain != nil {
		if own := c.platform.Explain(response, now); own != nil {
			own.Source = c.platform.About.Name
			return own
		}
	}
	unavailable := c.Unexpected(fmt.Sprintf("answered %d", response.Status))
	unavailable.RetryAfter = RetryAfter(response.Header, now)
	switch response.Status {
	case http.StatusUnauthorized:
		unavailable.Refused, unavailable.RetryAfter = true, 0
	case http.StatusForbidden:
		unavailable.Refused = unavailable.RetryAfter == 0 // with a time to come back it is a limit
	}
	return unavailable
}
