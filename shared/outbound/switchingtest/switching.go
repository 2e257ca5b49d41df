// Package switchingtest is a server that holds up clients which wait for the end of a response, for tests.
package switchingtest

import (
	"io"
	"net/http"
	"sync"
	"testing"
	"time"
)

// Handler returns a handler that switches protocols and then keeps the connection. returned is to be called behind the
// request to it: it fails the test if the request returned no earlier than the connection ended, after 5 s.
func Handler(t *testing.T) (handler http.HandlerFunc, returned func()) {
	ended := make(chan struct{})
	end := sync.OnceFunc(func() { close(ended) })
	t.Cleanup(end)
	late := time.AfterFunc(5*time.Second, end)
	handler = func(w http.ResponseWriter, _ *http.Request) {
		kept, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer kept.Close()
		io.WriteString(kept, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		<-ended
	}
	return handler, func() {
		t.Helper()
		if !late.Stop() {
			t.Fatal("the request waited for the end of the connection")
		}
		end()
	}
}
