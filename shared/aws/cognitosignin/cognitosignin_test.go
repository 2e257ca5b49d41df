package cognitosignin_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"earshot/shared/aws/cognitosignin"
	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
	"earshot/shared/port/signin"
)

var attempt = signin.Attempt{
	ReturnTo: "https://api.example/oauth/callback",
	State:    "state",
	Verifier: "verifier-of-43-characters-or-more-000000000",
}

func TestPerson(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		change map[string]any
		want   error
	}{
		"as it should be":      {200, nil, nil},
		"a code that is spent": {400, nil, signin.ErrRefused},
		"a pool that fails":    {500, nil, signin.ErrUnavailable},
		"another issuer":       {200, map[string]any{"iss": "https://other.example"}, signin.ErrRefused},
		"another client":       {200, map[string]any{"aud": "other"}, signin.ErrRefused},
		"an access token":      {200, map[string]any{"token_use": "access"}, signin.ErrRefused},
		"another attempt":      {200, map[string]any{"nonce": "other"}, signin.ErrRefused},
		"expired":              {200, map[string]any{"exp": time.Now().Add(-time.Second).Unix()}, signin.ErrRefused},
		"not verified":         {200, map[string]any{"email_verified": false}, signin.ErrRefused},
	} {
		var nonce string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.FormValue("code_verifier") != attempt.Verifier || r.FormValue("redirect_uri") != attempt.ReturnTo ||
				r.FormValue("code") != "code" {
				t.Errorf("%s: asked with %v", name, r.Form)
			}
			said := map[string]any{"iss": "https://pool.example", "aud": "client", "token_use": "id", "nonce": nonce,
				"exp": time.Now().Add(time.Hour).Unix(), "cognito:username": "id-7",
				"email": "quiet@northwind.example", "email_verified": true}
			for claim, value := range c.change {
				said[claim] = value
			}
			payload, _ := json.Marshal(said)
			w.WriteHeader(c.status)
			json.NewEncoder(w).Encode(map[string]string{"id_token": "e30." + base64.RawURLEncoding.EncodeToString(payload) +
				".c2ln"})
		}))
		pages := cognitosignin.New(cognitosignin.Options{
			Pages: server.URL, Client: "client", Issuer: "https://pool.example", Clock: clock.System{},
		})
		at, err := pages.URL(t.Context(), attempt)
		if err != nil {
			t.Fatal(err)
		}
		parsed, _ := url.Parse(at)
		query := parsed.Query()
		nonce = query.Get("nonce")
		if query.Get("code_challenge_method") != "S256" || query.Get("state") != "state" ||
			query.Get("client_id") != "client" ||
			nonce == "" {
			t.Errorf("URL = %s", at)
		}
		out, err := pages.SignOut(t.Context(), attempt.ReturnTo)
		if err != nil || out != server.URL+
			"/logout?client_id=client&logout_uri=https%3A%2F%2Fapi.example%2Foauth%2Fcallback" {
			t.Errorf("SignOut = %s, %v", out, err)
		}
		person, err := pages.Person(t.Context(), attempt, "code")
		if !errors.Is(err, c.want) ||
			c.want == nil && person != (identity.Account{ID: "id-7", Email: "quiet@northwind.example"}) {
			t.Errorf("Person(%s) = %v, %v, want %v", name, person, err, c.want)
		}
		server.Close()
	}
}
