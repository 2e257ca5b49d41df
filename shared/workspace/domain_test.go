package workspace_test

import (
	"strings"
	"testing"

	"earshot/shared/workspace"
)

func TestDomains(t *testing.T) {
	long := strings.Repeat("a", 63)
	for text, want := range map[string]string{
		"acme.com": "acme.com", "ACME.Com": "acme.com", " acme.com\n": "acme.com", "acme.com.": "acme.com",
		"docs.acme.com": "docs.acme.com",
		"a.co.uk":       "a.co.uk", "www.ck": "www.ck", "a.b.ck": "a.b.ck", "city.kawasaki.jp": "city.kawasaki.jp",
		"github.io": "github.io", "acme.github.io": "acme.github.io", // of the list's private section
		"bücher.de": "xn--bcher-kva.de", "BÜCHER.de": "xn--bcher-kva.de", "xn--bcher-kva.de": "xn--bcher-kva.de",
		"faß.de":   "xn--fa-hia.de",
		"acme。com": "acme.com", "ａｃｍｅ.com": "acme.com", "例え.jp": "xn--r8jz45g.jp",
		"президент.рф":      "xn--d1abbgf6aiiy.xn--p1ai",
		"northwind.example": "northwind.example", "a.test": "a.test", "printer.local": "printer.local",
		"wiki.corp.internal": "wiki.corp.internal",
		"1.com":              "1.com", "a-b.com": "a-b.com", long + ".com": long + ".com",
		long + "." + long + "." + long + "." + strings.Repeat("a", 57) + ".com": long + "." + long + "." + long + "." +
			strings.Repeat("a", 57) + ".com",
	} {
		if got, err := workspace.ParseDomain(text); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func TestParseDomain_Invalid(t *testing.T) {
	const alone, address = " alone: no scheme, user, port, path or query.",
		"This is an IP address. Send a domain such as acme.com."
	more := func(domain string) string { return "This is more than a domain. Send " + domain + alone }
	long := strings.Repeat("a", 63)
	for text, want := range map[string]string{
		"": "", " ": "", ".": "", "..": "", "com": "", "co.uk": "", "gov.uk": "", "example": "", "foo.ck": "",
		"foo.kawasaki.jp": "",
		"acme":            "", "acme.notatld": "", "acme.web": "", "localhost": "", "a.localhost": "", "acme.com..": "",
		".acme.com": "",
		"a..com":    "",
		"-a.com":    "", "a-.com": "", "_dmarc.acme.com": "", "*.acme.com": "", "ac me.com": "", "acme.com\x00": "",
		"acme%2ecom": "", "acme,com": "",
		"acme.com, beta.com": "", "xn--zzzzzzzz99.com": "", "a\u200d.com": "", "<script>.com": "", "0\xc3.ac": "",
		"\ufffd.com": "", "acme\u202e.com\n.example": "",
		"a" + long + ".com": "", long + "." + long + "." + long + "." + long + ".com": "",
		strings.Repeat("a.", 600) + "com": "",
		"1.2.3.4":                         address, "::1": address, "[::1]": address, "2001:db8::1": address,
		"http://1.2.3.4/x": address,
		"http://[::1]:80/": address, "1.2.3.4:80": address,
		"https://acme.com/x": more("acme.com"), "HTTP://Acme.com": more("acme.com"), "//acme.com": more("acme.com"),
		"acme.com/":    more("acme.com"),
		"acme.com?q=1": more("acme.com"), "acme.com#a": more("acme.com"), "acme.com:8080": more("acme.com"),
		"https://u:p@acme.com:1/x@y": more("acme.com"),
		"someone@acme.com":           more("acme.com"), "https://bücher.de/": more("xn--bcher-kva.de"),
		`acme.com\x`:     more("acme.com"),
		"https://acme/x": "", "ftp://": "", "@": "", ":": "", "a@b@": "",
	} {
		if want == "" {
			want = "This is not a domain. Send one such as acme.com."
		}
		if got, err := workspace.ParseDomain(text); got != "" || err == nil || err.Error() != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// Whatever is a domain is one in its own form again, and in that of a host name.
func FuzzParseDomain(f *testing.F) {
	for _, text := range []string{"acme.com", "BÜCHER.de.", "https://acme.com/x", "a.github.io", "xn--bcher-kva.de",
		"[::1]:80", "a\u3002example", "1.2.3.4", "0\xc3.AC "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, err := workspace.ParseDomain(text)
		if err != nil {
			if name != "" || len(err.Error()) > 400 ||
				strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%q: %q and the message %q", text, name, err)
			}
			return
		}
		again, err := workspace.ParseDomain(name)
		if err != nil || again != name {
			t.Errorf("%q is read as %q, and that as %q, %v", text, name, again, err)
		}
		if len(name) > 253 || !strings.Contains(name, ".") ||
			strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" {
			t.Errorf("%q is read as %q", text, name)
		}
	})
}
