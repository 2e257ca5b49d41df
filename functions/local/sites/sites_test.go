package sites_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"earshot/functions/local/sites"
	"earshot/shared/proposal/site"
	"earshot/shared/workspace"
)

// beyond is the internet: it notes what it was asked for.
type beyond struct{ asked []string }

func (b *beyond) Page(_ context.Context, domain string) (site.Page, error) {
	b.asked = append(b.asked, domain)
	return site.Page{}, &site.Unreadable{Reason: "There is nothing."}
}

func TestSites(t *testing.T) {
	folder, internet := filepath.Join(t.TempDir(), "sites"), &beyond{}
	open := func() *sites.Sites {
		t.Helper()
		s, err := sites.Open(folder, internet)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	put := func(domain, html, want string) {
		t.Helper()
		if kept, err := s.Put(domain, html); err != nil || kept != want {
			t.Errorf("%s is kept as %s: %v", domain, kept, err)
		}
	}
	put("Acme.COM", "one", "acme.com")
	put("acme.com.", "two", "acme.com")
	put("münchen.de", "three", "xn--mnchen-3ya.de")
	longest := strings.Join([]string{
		strings.Repeat("a", 63), strings.Repeat("b", 63), strings.Repeat("c", 63), strings.Repeat("d", 57), "com",
	}, ".")
	put(longest, "long", longest)
	for range 2 { // and again by another program
		for domain, want := range map[string]string{"acme.com": "two", "xn--mnchen-3ya.de": "three"} {
			if page, err := s.Page(t.Context(), domain); err != nil || string(page.HTML) != want ||
				page.URL != "https://"+domain+"/" || !s.Has(domain) {
				t.Errorf("%s: %q %v", domain, page.HTML, err)
			}
		}
		s = open()
	}
	var unreadable *site.Unreadable
	if _, err := s.Page(t.Context(), "globex.com"); !errors.As(err, &unreadable) || s.Has("globex.com") ||
		strings.Join(internet.asked, " ") != "globex.com" {
		t.Errorf("%v, %v was asked for", err, internet.asked)
	}
	if _, err := s.Put("acme.com", strings.Repeat("x", site.MaxPage+1)); err != nil {
		t.Fatal(err)
	}
	if page, err := s.Page(t.Context(), "acme.com"); err != nil || len(page.HTML) != site.MaxPage {
		t.Errorf("%d bytes %v", len(page.HTML), err)
	}
}

// Nothing but a domain becomes the name of a file.
func TestNoOtherFiles(t *testing.T) {
	root := t.TempDir()
	s, err := sites.Open(filepath.Join(root, "sites"), &beyond{})
	if err != nil {
		t.Fatal(err)
	}
	for _, domain := range []string{"", "..", "../acme.com", "../../etc/passwd", "/etc/passwd", "acme.com/../../x",
		`..\acme.com`, "acme.com\x00", "acme", "https://acme.com", "127.0.0.1", "a_b.com",
		".", "con", strings.Repeat("a.", 200) + "com", "%2e%2e/acme.com"} {
		var fault workspace.DomainFault
		if kept, err := s.Put(domain, "x"); !errors.As(err, &fault) {
			t.Errorf("%q is kept as %q: %v", domain, kept, err)
		}
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) != 1 {
		t.Errorf("%v %v", entries, err)
	}
	if entries, err := os.ReadDir(filepath.Join(root, "sites")); err != nil || len(entries) != 0 {
		t.Errorf("%v %v", entries, err)
	}
}

// A page that is read while it is replaced is the old one or the new one, whole.
func TestReplacedWhileRead(t *testing.T) {
	s, err := sites.Open(t.TempDir(), &beyond{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := strings.Repeat("a", 1<<20), strings.Repeat("b", 1<<20)
	if _, err := s.Put("acme.com", a); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	writers.Go(func() {
		for i := range 50 {
			if _, err := s.Put("acme.com", []string{a, b}[i%2]); err != nil {
				t.Error(err)
			}
		}
	})
	for range 50 {
		page, err := s.Page(t.Context(), "acme.com")
		if text := string(page.HTML); err != nil || text != a && text != b {
			t.Errorf("%d bytes of two pages: %v", len(text), err)
		}
	}
	writers.Wait()
}
