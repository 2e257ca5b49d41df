package fetch

import (
	"compress/flate"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"earshot/shared/publicnet"
	"earshot/shared/source"
)

// Failures are told in words of Earshot's own: those of net/http carry the whole URL.
func TestFailure(t *testing.T) {
	caller := New(Options{}).Caller(Platform{About: source.About{Name: "youtube"}})
	for _, c := range []struct {
		err     error
		want    string
		network bool
	}{
		{errTooLarge, "answered more than 8388608 bytes", false},
		{publicnet.ErrAddress, "leads to an address that is not of the public internet", true},
		{&net.DNSError{Err: "no such host", Name: "api.example", IsNotFound: true}, "its name was not found", true},
		{&net.DNSError{Err: "i/o timeout", Name: "api.example", IsTimeout: true}, "its name was not found", true},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, "refused the connection", true},
		{&tls.CertificateVerificationError{Err: errors.New("x509: expired")}, "its certificate was not accepted", true},
		{context.DeadlineExceeded, "did not answer whole within 10s", true},
		{io.ErrUnexpectedEOF, "broke off its answer", true},
		{io.EOF, "broke off its answer", true},
		{flate.CorruptInputError(7), "answered what cannot be decompressed", false},
		{errRedirects, "redirects where it should not", false},
		{errors.New("http2: stream 7"), "the connection failed", true},
	} {
		wrapped := &url.Error{
			Op:  "Get",
			URL: "https://api.example/v3/search?key=aSecret",
			Err: fmt.Errorf("wrapped: %w", c.err),
		}
		got := caller.failure(wrapped)
		if got.Reason != c.want || got.Network != c.network || got.Source != "youtube" || got.Refused {
			t.Errorf("%v: %+v", c.err, *got)
		}
		if strings.Contains(got.Error(), "aSecret") {
			t.Errorf("tells the secret: %v", got)
		}
	}
}
