package grant_test

import (
	"testing"
	"time"

	"earshot/shared/grant"
	"earshot/shared/workspace"
)

func TestToken_OneSpelling(t *testing.T) {
	now := time.Now()
	g := grant.Grant{
		ID:          grant.NewID(now),
		WorkspaceID: workspace.NewID(workspace.PrefixWorkspace, now),
		MemberID:    workspace.NewID("mem_", now),
	}
	for _, kind := range []workspace.GrantKind{grant.AuthorizationCode, grant.AccessToken, grant.RefreshToken} {
		token := grant.NewToken(kind, g)
		text := token.Reveal()
		if parsed, ok := grant.ParseToken(text); !ok || parsed != token {
			t.Errorf("ParseToken(%s…) = %v, %v, want the token", kind, parsed, ok)
		}
		for _, other := range []string{text + "a", text[:len(text)-1], text[:20] + "A" + text[21:], "es_" + text, text[4:], ""} {
			if _, ok := grant.ParseToken(other); ok {
				t.Errorf("ParseToken(%q) is a token", other)
			}
		}
	}
}

func TestRedirects(t *testing.T) {
	client := grant.Client{RedirectURIs: []string{
		"https://client.example/back?a=b", "http://127.0.0.1/back", "http://localhost:33418/", "cursor://a.b/back",
	}}
	for uri, want := range map[string]bool{
		"https://client.example/back?a=b":   true,
		"https://client.example/back":       false,
		"https://client.example/back?a=b&":  false,
		"https://client.example:443/back":   false,
		"https://Client.example/back?a=b":   false,
		"https://client.example/back?a=b#f": false,
		"http://127.0.0.1:50123/back":       true,
		"http://127.0.0.1:50123/back/":      false,
		"http://127.0.0.2:50123/back":       false,
		"http://localhost:1/":               true,
		"http://localhost.evil.example/":    false,
		"http://me@127.0.0.1/back":          false,
		"cursor://a.b/back":                 true,
		"cursor://a.b/other":                false,
	} {
		if got := client.Redirects(uri); got != want {
			t.Errorf("Redirects(%q) = %v, want %v", uri, got, want)
		}
	}
}

func TestValidRedirect(t *testing.T) {
	for uri, want := range map[string]bool{
		"https://client.example/":          true,
		"http://client.example/":           false,
		"http://[::1]:80/":                 true,
		"http://[::1%25a;b]:80/":           false,
		"com.example.app:/back":            true,
		"javascript:alert(1)":              false,
		"javascript://x/%0aalert(1)":       false,
		"data://x/":                        false,
		"https://a.example;script-src *//": false,
		"https://a.example\\@b.example/":   false,
		"https://a.example/ b":             false,
		"https://user@a.example/":          false,
		"https:///back":                    false,
		"/back":                            false,
	} {
		if got := grant.ValidRedirect(uri); got != want {
			t.Errorf("ValidRedirect(%q) = %v, want %v", uri, got, want)
		}
	}
}

func TestValidDocumentURL(t *testing.T) {
	for id, want := range map[string]bool{
		"https://client.example/id.json": true,
		"https://client.example/":        false,
		"https://client.example":         false,
		"http://client.example/id":       false,
		"https://client.example/a/../b":  false,
		"https://client.example/a?b":     false,
		"https://client.example/a#b":     false,
		"https://u:p@client.example/a":   false,
		"clt_01":                         false,
	} {
		if got := grant.ValidDocumentURL(id); got != want {
			t.Errorf("ValidDocumentURL(%q) = %v, want %v", id, got, want)
		}
	}
}

func TestProves(t *testing.T) {
	verifier := "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" // RFC 7636, appendix B
	challenge := "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	if !grant.Proves(verifier, challenge) || grant.Proves(challenge, challenge) || grant.Proves("", "") {
		t.Error("Proves does not follow RFC 7636")
	}
}
