package authorize_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/authorize"
	"earshot/shared/worldtest"
)

// Whatever is sent to the endpoints that programs use, the response is one of RFC 6749, without a fault of the server.
// Tokens come from a code that was approved alone.
func FuzzToken(f *testing.F) {
	d := newDesk(f)
	codes := d.approve(d.member.Email, asked(), "write").Get("code")
	good := exchange(codes)
	refresh := d.tokens(exchange(d.code())).Refresh
	for _, form := range []url.Values{
		changed(exchange(codes), "code_verifier", "x"), refreshing("x"), refreshing(refresh, "scope", "admin"),
		changed(exchange(codes), "code", "a", "code", "b"), {"token": {refresh}, "token_type_hint": {"access_token"}},
	} {
		for _, path := range []string{"/oauth/token", "/oauth/revoke", "/oauth/register"} {
			f.Add(path, form.Encode(), "application/x-www-form-urlencoded", "")
		}
	}
	f.Add("/oauth/token", good.Encode(), "application/x-www-form-urlencoded; charset=utf-8", "Basic Y2xpZW50Og==")
	f.Add("/oauth/token", `{"grant_type":"authorization_code"}`, "application/json", "")
	f.Add("/oauth/register", `{"redirect_uris":["http://127.0.0.1/back"],"client_name":"\u202ex"}`, "application/json", "")
	f.Add("/oauth/register", `{"redirect_uris":["javascript:alert(1)"]}`, "application/json", "Bearer x")
	f.Add("/oauth/revoke", "token=%zz&token=%00", "application/x-www-form-urlencoded", "")
	d.tokens(good) // spent: from here on the seeds are good for nothing
	f.Fuzz(func(t *testing.T, path, body, media, authorization string) {
		if !slices.Contains([]string{"/oauth/token", "/oauth/revoke", "/oauth/register"}, path) {
			t.Skip("another operation")
		}
		d.Clock.Freeze(d.Clock.Now().Add(time.Hour)) // of other limits
		answer := d.Do(t, worldtest.Request{Method: http.MethodPost, Target: path, Body: body,
			Header: []string{"Content-Type", media, "Authorization", authorization}})
		if answer.Status >= http.StatusInternalServerError {
			t.Fatalf("%s = %d %s", path, answer.Status, answer.Body)
		}
		if answer.Status < http.StatusBadRequest {
			if strings.Contains(string(answer.Body), "access_token") {
				t.Fatalf("%s gave a token: %s", path, answer.Body)
			}
			return
		}
		var got authorize.OAuthError
		if json.Unmarshal(answer.Body, &got) != nil || got.Code == "" || got.Description == "" ||
			!strings.Contains(answer.Header.Get("Cache-Control"), "no-store") {
			t.Errorf("%s = %d %s, %v", path, answer.Status, answer.Body, answer.Header)
		}
	})
}

// An authorization request leads to the sign-in, to an address that its client registered, or to an error page.
func FuzzAuthorize(f *testing.F) {
	d := newDesk(f)
	for _, changes := range [][]string{
		nil, {"redirect_uri", "http://127.0.0.1:8080/back"}, {"redirect_uri", back + "/../x"},
		{"redirect_uri", "https://client.example@evil.example/back"},
		{"response_type", "token"}, {"code_challenge_method", "plain"}, {"client_id", "https://client.example/other"},
		{"resource", "https://evil.example"}, {"scope", "root"}, {"state", "\r\nLocation: https://evil.example"},
		{"redirect_uri", back, "redirect_uri", "https://evil.example"}, {"client_id", "http://127.0.0.1/id.json"},
	} {
		f.Add(asked(changes...).Encode())
	}
	f.Add("client_id=%zz&redirect_uri=//evil.example")
	f.Fuzz(func(t *testing.T, query string) {
		target := "/oauth/authorize?" + query
		if _, err := url.ParseRequestURI(target); err != nil || strings.ContainsAny(query, " #\r\n") {
			t.Skip("no request line of HTTP")
		}
		d.Clock.Freeze(d.Clock.Now().Add(time.Hour))
		answer := d.Get(t, target)
		if answer.Status == http.StatusBadRequest {
			return
		}
		to, err := url.Parse(answer.Header.Get("Location"))
		if err != nil || answer.Status != http.StatusSeeOther {
			t.Fatalf("%s = %d %s", target, answer.Status, answer.Body)
		}
		at := url.URL{Scheme: to.Scheme, Host: to.Host, Path: to.Path}
		loopback := at.Scheme == "http" && at.Hostname() == "127.0.0.1" && at.Path == "/back"
		if place := at.String(); place != page && place != back && !loopback {
			t.Errorf("%s leads to %s", target, to)
		}
	})
}
