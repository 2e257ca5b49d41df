package controls_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"earshot/functions/local/controls"
	"earshot/shared/worldtest"
)

// On a narrow screen a long address breaks. The policy allows the page's own style alone.
func TestSignInPage_LongAddress(t *testing.T) {
	world := worldtest.NewWorld(t)
	address := strings.Repeat("m", 64) + "@" + strings.Repeat("d", 60) + ".example"
	d := desk{World: world, handler: controls.New(controls.Options{
		Faults: world.Faults, Clock: world.Clock, Log: slog.New(slog.DiscardHandler),
		Members: func(context.Context) ([]string, error) { return []string{address}, nil },
	})}
	page := d.do("GET", "/_local/signin?state=x", nil)
	_, rest, _ := strings.Cut(page.Body.String(), "<style>")
	style, shown, _ := strings.Cut(rest, "</style>")
	if !strings.Contains(shown, address) || !strings.Contains(style, "overflow-wrap: anywhere") {
		t.Errorf("the page has the style %q, want one that breaks long words: %s", style, page.Body)
	}
	digest := sha256.Sum256([]byte(style))
	policy := page.Header().Get("Content-Security-Policy")
	if want := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) + "'"; !strings.Contains(policy, want) {
		t.Errorf("the policy is %s, want %s in it", policy, want)
	}
}

// A page's sentence is text once it is no page any more.
func TestConsent_PageRefuses(t *testing.T) {
	world := worldtest.NewWorld(t)
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, "<h1>No</h1><p>It is not the app&#39;s.</p>")
	}))
	t.Cleanup(pages.Close)
	d := desk{World: world, handler: controls.New(controls.Options{
		Faults:   world.Faults,
		Clock:    world.Clock,
		Log:      slog.New(slog.DiscardHandler),
		Accounts: world.People(),
		API:      pages.URL,
	})}
	refused := d.post("/_local/consent",
		`{"authorizeUrl":"`+pages.URL+`/oauth/authorize?x=1","email":"first@northwind.example","workspace":"org_1"}`)
	if !strings.Contains(refused.Body.String(), "It is not the app's.") {
		t.Errorf("the answer is %s", refused.Body)
	}
}
