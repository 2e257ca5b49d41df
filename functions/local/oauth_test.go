package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
)

// A Go program with the usual client walks from the metadata to tokens, and refreshes and revokes them, with no person.
func TestOAuth_GoClient(t *testing.T) {
	onBoth(t, func(t *testing.T, settings ...string) {
		b := begin(t, settings...)
		northwind := b.demo.Workspaces["northwind"]
		var resource struct {
			Resource string
			Servers  []string `json:"authorization_servers"`
		}
		b.ask(t, "GET", "/.well-known/oauth-protected-resource/api/v2", "").ok(t, &resource)
		var server struct {
			Authorize string `json:"authorization_endpoint"`
			Token     string `json:"token_endpoint"`
			Revoke    string `json:"revocation_endpoint"`
			Register  string `json:"registration_endpoint"`
		}
		at := strings.TrimPrefix(resource.Servers[0], b.url) + "/.well-known/oauth-authorization-server"
		b.ask(t, "GET", at, "").ok(t, &server)
		registered := b.ask(t, "POST", strings.TrimPrefix(server.Register, b.url),
			`{"client_name":"A Go program","redirect_uris":["http://127.0.0.1/callback"]}`, "Content-Type", "application/json")
		var client struct {
			ID string `json:"client_id"`
		}
		if err := json.Unmarshal([]byte(registered.body), &client); err != nil ||
			registered.StatusCode != http.StatusCreated {
			t.Fatalf("register: %d %s", registered.StatusCode, registered.body)
		}
		config := oauth2.Config{
			ClientID: client.ID, RedirectURL: "http://127.0.0.1:50123/callback", Scopes: []string{"read", "write"},
			Endpoint: oauth2.Endpoint{AuthURL: server.Authorize, TokenURL: server.Token}, // the client tries HTTP Basic first
		}
		verifier := oauth2.GenerateVerifier()
		link := config.AuthCodeURL(
			"a state", oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("resource", resource.Resource),
		)
		var sent struct{ RedirectTo string }
		b.ask(t, "POST", "/_local/consent", fmt.Sprintf(
			`{"authorizeUrl":%q,"email":"support@northwind.example","workspace":%q,"scopes":["write"]}`, link, northwind,
		)).ok(t, &sent)
		back, err := url.Parse(sent.RedirectTo)
		if err != nil || !strings.HasPrefix(sent.RedirectTo, config.RedirectURL) || back.Query().Get("iss") != b.url {
			t.Fatalf("sent to %q", sent.RedirectTo)
		}
		token, err := config.Exchange(t.Context(), back.Query().Get("code"), oauth2.VerifierOption(verifier))
		if err != nil {
			t.Fatal(err)
		}
		b.keyed(t, "GET", "/api/v2/keywords", token.AccessToken, "").ok(t, nil)
		old := *token
		old.Expiry = time.Now().Add(-time.Minute)
		fresh, err := config.TokenSource(t.Context(), &old).Token()
		if err != nil || fresh.AccessToken == token.AccessToken {
			t.Fatalf("refreshed: %v", err)
		}
		b.ask(t, "POST", strings.TrimPrefix(server.Revoke, b.url), url.Values{"token": {fresh.RefreshToken}}.Encode(),
			"Content-Type", "application/x-www-form-urlencoded").ok(t, nil)
		b.keyed(t, "GET", "/api/v2/keywords", fresh.AccessToken, "").is(t, 401, "UNAUTHORIZED")
		fresh.Expiry = old.Expiry
		if _, err := config.TokenSource(t.Context(), fresh).Token(); err == nil ||
			!strings.Contains(err.Error(), "invalid_grant") {
			t.Errorf("refreshed after it was revoked: %v", err)
		}
	})
}

// The sign-in page opens from another site's link, and takes a choice from its own form alone.
func TestSignInPage(t *testing.T) {
	b := begin(t)
	page := b.ask(t, "GET", "/_local/signin?state=x", "", "Sec-Fetch-Site", "cross-site")
	if page.StatusCode != http.StatusOK || !strings.Contains(page.body, "owner@northwind.example") {
		t.Errorf("the page: %d %s", page.StatusCode, page.body)
	}
	forged := b.ask(t, "POST", "/_local/signin", "state=x&email=owner@northwind.example", "Sec-Fetch-Site", "cross-site")
	forged.is(t, 403, "FORBIDDEN")
}
