package controls_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"earshot/functions/local/controls"
	"earshot/functions/local/sites"
	"earshot/shared/proposal/site"
	"earshot/shared/worldtest"
)

// A page is kept under the domain as the engine writes it; what is none is refused, and nothing is kept.
func TestSites(t *testing.T) {
	placed, err := sites.Open(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	world := worldtest.NewWorld(t)
	d := desk{World: world}
	d.handler = controls.New(controls.Options{
		Pages:  placed,
		Faults: world.Faults,
		Clock:  world.Clock,
		Log:    slog.New(slog.DiscardHandler),
	})
	put := func(domain, html string) answer {
		body, err := json.Marshal(map[string]string{"domain": domain, "html": html})
		if err != nil {
			t.Fatal(err)
		}
		return d.post("/_local/sites", string(body))
	}
	for domain, want := range map[string]string{"acme.com": "acme.com", "ACME.Com.": "acme.com",
		"münchen.de": "xn--mnchen-3ya.de", "acme.example": "acme.example"} {
		var kept struct {
			Domain string
			Bytes  int
		}
		put(domain, "<p>ü").ok(t, &kept)
		if page, err := placed.Page(t.Context(), want); kept.Domain != want || kept.Bytes != 5 || err != nil ||
			string(page.HTML) != "<p>ü" {
			t.Errorf("%s: %+v %q %v", domain, kept, page.HTML, err)
		}
	}
	for _, domain := range []string{"acme", "https://acme.com", "../../etc/passwd", "127.0.0.1", "acme.com/../x",
		strings.Repeat("a", 300) + ".com", "a\x00.com"} {
		put(domain, "x").is(t, 400, "INVALID_DOMAIN")
	}
	if places := put("", "").is(t, 400, "VALIDATION_ERROR"); !slices.Equal(places, []string{"html required", "domain required"}) {
		t.Errorf("%v", places)
	}
	for _, body := range []string{``, `[]`, `{"domain":7}`, `{"domain":"acme.com","html":"x","other":1}`,
		`{"Domain":"acme.com","html":"x"}`,
		fmt.Sprintf(`{"domain":"acme.com","html":"x"%s}`, strings.Repeat(" ", 14<<20))} {
		d.post("/_local/sites", body).is(t, 400, "VALIDATION_ERROR")
	}
	// As many bytes as a scan reads, however JSON writes them; no byte more.
	for _, letter := range []string{"x", "<", "\x01"} {
		page := strings.Repeat(letter, site.MaxPage)
		put("acme.com", page).ok(t, nil)
		if kept, err := placed.Page(t.Context(), "acme.com"); err != nil || string(kept.HTML) != page {
			t.Errorf("of %d bytes %q %d are kept: %v", len(page), letter, len(kept.HTML), err)
		}
		if places := put("acme.com", page+"x").is(t, 400, "VALIDATION_ERROR"); !slices.Equal(places, []string{"html too_large"}) {
			t.Errorf("%v", places)
		}
	}
	d.do("GET", "/_local/sites", nil).is(t, 404, "NOT_FOUND")
	d.do("POST", "/_local/sites", strings.NewReader("{}"), "Origin", "https://evil.example").is(t, 403, "FORBIDDEN")
}
