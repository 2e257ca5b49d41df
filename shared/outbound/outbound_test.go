package outbound_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"earshot/shared/outbound"
	"earshot/shared/outbound/switchingtest"
)

// A server that switches protocols keeps the connection, and holds nobody up.
func TestPost_SwitchingProtocols(t *testing.T) {
	handler, returned := switchingtest.Handler(t)
	server := httptest.NewServer(handler)
	defer server.Close()
	client := outbound.New(outbound.Options{AnyHost: true, Whole: time.Second})
	got, err := client.Post(t.Context(), server.URL, nil, []byte("{}"), 1024)
	if err != nil || got.Status != http.StatusSwitchingProtocols || len(got.Body) > 0 {
		t.Errorf("Post = %+v, %v, want the status 101 without a body", got, err)
	}
	returned()
}

// Requests that a host holds up hold up no other request to it: two workspaces may have receivers there.
func TestPost_HostHoldsOthers(t *testing.T) {
	const held = 30
	end, waiting := make(chan struct{}), make(chan struct{}, held)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			waiting <- struct{}{}
			<-end
		}
	}))
	defer server.Close()
	client := outbound.New(outbound.Options{AnyHost: true, Whole: 2 * time.Second})
	var all sync.WaitGroup
	defer all.Wait()
	defer close(end)
	for range held {
		all.Go(func() { _, _ = client.Post(t.Context(), server.URL+"/slow", nil, nil, 1024) })
	}
	for range held {
		select {
		case <-waiting:
		case <-time.After(5 * time.Second):
			t.Fatal("not all requests came to the host")
		}
	}
	got, err := client.Post(t.Context(), server.URL+"/fast", nil, nil, 1024)
	if err != nil || got.Status != http.StatusOK {
		t.Errorf("Post = %+v, %v, want 200 beside those that the host holds", got, err)
	}
}
