package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"earshot/shared/publicnet"
	"earshot/shared/source"
)

// What is not public is not connected to, by address or by name.
func TestClient_PrivateAddress(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer server.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	for _, base := range []string{server.URL, "http://localhost:" + port, "http://[::ffff:127.0.0.1]:" + port} {
		client := New(Options{})
		_, err := client.Caller(Platform{About: source.About{Name: "news"}, BaseURL: base}).Do(t.Context(), Request{})
		var unavailable *source.Unavailable
		if !errors.As(err, &unavailable) || !strings.Contains(unavailable.Reason, "not of the public internet") {
			t.Errorf("%s: %v", base, err)
		}
	}
	if asked > 0 {
		t.Errorf("it was asked %d times", asked)
	}
}

// A redirect is checked as every connection is: here only the first server's address counts as public.
func TestRedirect_PrivateAddress(t *testing.T) {
	asked := 0
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer inside.Close()
	outside := httptest.NewServer(http.RedirectHandler(inside.URL+"/latest/meta-data", http.StatusFound))
	defer outside.Close()
	client := New(Options{AnyHost: true})
	dialer := &net.Dialer{Control: func(network, address string, c syscall.RawConn) error {
		if "http://"+address == outside.URL {
			return nil
		}
		return publicnet.Control(network, address, c)
	}}
	client.http.Transport.(*http.Transport).
		DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		return dialer.DialContext(ctx, network, address)
	}
	_, err := client.Caller(Platform{About: source.About{Name: "news"}, BaseURL: outside.URL}).Do(t.Context(), Request{})
	if err == nil || !strings.Contains(err.Error(), "not of the public internet") || asked > 0 {
		t.Errorf("answers %v, and the inside was asked %d times", err, asked)
	}
}

func TestRedirect_PlainHTTP(t *testing.T) {
	first := httptest.NewRequest("GET", "https://a.example/", nil)
	if err := redirects(false)(httptest.NewRequest("GET", "http://a.example/", nil),
		[]*http.Request{first}); !errors.Is(err, errPlain) {
		t.Errorf("goes on without TLS: %v", err)
	}
	if err := redirects(false)(httptest.NewRequest("GET", "https://b.example/", nil), []*http.Request{first}); err != nil {
		t.Errorf("does not go on: %v", err)
	}
}
