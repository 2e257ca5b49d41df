package account_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"earshot/shared/aws/account"
)

// A connection that waited for too long is not used again. The service may have closed it.
func TestHTTPClient_Idle(t *testing.T) {
	const short = 50 * time.Millisecond
	for name, c := range map[string]struct {
		idle, wait time.Duration
		want       int32
	}{"in time": {time.Minute, 0, 1}, "too late": {short, 2 * short, 2}} {
		var connections atomic.Int32
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				connections.Add(1)
			}
		}
		server.Start()
		client := account.NewHTTPClient(account.Timeouts{Connect: time.Second, Response: time.Second, Idle: c.idle})
		for i := range 2 {
			if i > 0 {
				time.Sleep(c.wait)
			}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			response, err := client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
		if got := connections.Load(); got != c.want {
			t.Errorf("%s: %d connections, want %d", name, got, c.want)
		}
		server.Close()
	}
}

// written counts what is written into a connection, and how often.
type written struct {
	net.Conn
	times atomic.Int32
}

func (w *written) Write(p []byte) (int, error) {
	w.times.Add(1)
	return w.Conn.Write(p)
}

// A small body is written with the head of its request, and a body of any size arrives whole.
func TestHTTPClient_Writes(t *testing.T) {
	for name, c := range map[string]struct {
		size int
		once bool
	}{"small": {1_000, true}, "the largest that is held": {64 << 10, false}, "larger": {64<<10 + 1, false}} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				all, _ := io.ReadAll(r.Body)
				_, _ = w.Write(all)
			}))
			defer server.Close()
			client := account.NewHTTPClient(account.Timeouts{Connect: time.Second, Response: time.Second})
			var connection *written
			client.Transport.(*http.Transport).
				DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
				plain, err := (&net.Dialer{}).DialContext(ctx, network, address)
				connection = &written{Conn: plain}
				return connection, err
			}
			sent := strings.Repeat("x", c.size)
			body := &closing{Reader: strings.NewReader(sent)}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, body)
			if err != nil {
				t.Fatal(err)
			}
			request.ContentLength = int64(c.size)
			response, err := client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			if got, err := io.ReadAll(response.Body); err != nil || string(got) != sent {
				t.Errorf("%d bytes came back of %d, %v", len(got), c.size, err)
			}
			if times := connection.times.Load(); (times == 1) != c.once {
				t.Errorf("the request of %d bytes was written in %d parts", c.size, times)
			}
			if !body.closed.Load() {
				t.Error("the body was not closed")
			}
		})
	}
}

// closing is a body that remembers whether it was closed.
type closing struct {
	io.Reader
	closed atomic.Bool
}

func (c *closing) Close() error {
	c.closed.Store(true)
	return nil
}

// A body that is shorter than its request says fails the request, before anything is sent.
func TestHTTPClient_ShortBody(t *testing.T) {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:1",
		io.NopCloser(strings.NewReader("x")))
	if err != nil {
		t.Fatal(err)
	}
	request.ContentLength = 2
	client := account.NewHTTPClient(account.Timeouts{Connect: time.Second, Response: time.Second})
	if _, err := client.Do(request); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Do(short body) = %v, want %v", err, io.ErrUnexpectedEOF)
	}
}
