package account_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
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
