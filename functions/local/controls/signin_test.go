package controls_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"log/slog"
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
