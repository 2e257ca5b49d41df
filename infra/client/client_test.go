package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"earshot/infra/client"
	"earshot/infra/exit"
)

// A redirection is not followed: the key stays where it was sent.
func TestDo_Redirected(t *testing.T) {
	elsewhere := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	t.Cleanup(other.Close)
	server := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	t.Cleanup(server.Close)
	c, err := client.New(client.Target{Base: server.URL, Key: "es_key_x"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Do(t.Context(), http.MethodPost, "/api/v2/search", struct{}{})
	if exit.StatusOf(err) != exit.Nowhere || !strings.Contains(err.Error(), "answers 307") || elsewhere != 0 {
		t.Errorf("Do = %v with %d requests elsewhere, want a failure with none", err, elsewhere)
	}
}

func TestNew_BadKey(t *testing.T) {
	for _, key := range []string{"es_key\n", "a b", "schlüssel"} {
		if _, err := client.New(client.Target{Base: "https://api.example.com", Key: key}); exit.StatusOf(err) != exit.Key ||
			strings.Contains(err.Error(), key) {
			t.Errorf("New(key %q) = %v, want status %d without the key", key, err, exit.Key)
		}
	}
}

func TestDo_Canceled(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	c, err := client.New(client.Target{Base: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Get(ctx, "/"); !errors.Is(err, context.Canceled) {
		t.Errorf("Get = %v, want %v", err, context.Canceled)
	}
}

// A wall names the command and the page that lead past it. Its texts cannot move the cursor.
func TestDo_Wall(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`{"error":{"code":"UPGRADE_REQUIRED","message":"All 50 searches are used.","status":403,` +
			`"upgradeUrl":"https://api.example.com/upgrade\u001b[2J","upgradeCommand":"earshot upgrade"}}`))
	}))
	t.Cleanup(server.Close)
	c, err := client.New(client.Target{Base: server.URL + "/api/v2/"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Get(t.Context(), "/api/v2/search?limit=1")
	want := "GET /api/v2/search: All 50 searches are used. Run earshot upgrade, or open https://api.example.com/upgrade [2J (UPGRADE_REQUIRED)"
	var refused *client.Refusal
	if err == nil || err.Error() != want || exit.StatusOf(err) != exit.Key || !errors.As(err, &refused) ||
		refused.Code != "UPGRADE_REQUIRED" {
		t.Errorf("Get = %v, want %s", err, want)
	}
}

// An agency's key without a workspace is told the flag that names one, and not the header of the API.
func TestDo_NoWorkspace(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":{"code":"ORGANIZATION_REQUIRED","status":400,` +
			`"message":"The request names no workspace. Send x-earshot-organization-id with a master key."}}`))
	}))
	t.Cleanup(server.Close)
	c, err := client.New(client.Target{Base: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Get(t.Context(), "/api/v2/search")
	want := "GET /api/v2/search: An agency's key acts in one of its workspaces. Name it with --workspace (ORGANIZATION_REQUIRED)"
	if err == nil || err.Error() != want || exit.StatusOf(err) != exit.Refused {
		t.Errorf("Get = %v, want %s", err, want)
	}
}
