package grant

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A Client is a program that asks for grants. Every client is public: it has no secret.
type Client struct {
	ID           string // PrefixClient and a ULID if it registered itself; else the URL of its metadata document
	Name         string // as it names itself, one line
	RedirectURIs []string
	CreatedAt    time.Time
	ExpiresAt    time.Time
}

// PrefixClient begins the ids of clients that registered themselves.
const PrefixClient = "clt_"

// Bounds of what a client says of itself.
const (
	MaxName      = 80 // characters
	MaxRedirects = 20
	MaxURI       = 1000 // bytes
)

// Registered reports whether the client registered itself.
func (c Client) Registered() bool { return strings.HasPrefix(c.ID, PrefixClient) }

// ValidDocumentURL reports whether a client's id is the URL of a metadata document that may be fetched
// (draft-ietf-oauth-client-id-metadata-document, section 3).
func ValidDocumentURL(id string) bool {
	parsed, ok := plainURL(id)
	return ok && parsed.Scheme == "https" && len(parsed.Path) > 1 && parsed.RawQuery == "" &&
		!slices.ContainsFunc(strings.Split(parsed.Path, "/"), func(part string) bool { return part == "." || part == ".." })
}

// ValidRedirect reports whether a browser may be sent to a client at a URI: https, plain http to the client's own
// machine by its address, or a scheme of the program's own (RFC 8252, section 7).
func ValidRedirect(uri string) bool {
	parsed, ok := plainURL(uri)
	if !ok {
		return false
	}
	switch parsed.Scheme {
	case "https":
		return true
	case "http":
		return Loopback(uri)
	// Schemes that browsers run or show as content, or that reach files and mail.
	case "javascript", "data", "vbscript", "file", "blob", "about", "ws", "wss", "ftp", "mailto", "view-source":
		return false
	}
	return true
}

// plainURL parses an absolute URL without a fragment and without a user. Its host has letters, digits, dots and dashes
// alone, because it is shown to people and stands in a header.
func plainURL(text string) (*url.URL, bool) {
	if len(text) > MaxURI || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '\\' }) {
		return nil, false
	}
	parsed, err := url.Parse(text)
	if err != nil || parsed.Scheme == "" || parsed.Opaque != "" || parsed.User != nil || strings.Contains(text, "#") {
		return nil, false
	}
	web := parsed.Scheme == "https" || parsed.Scheme == "http"
	name := strings.Trim(parsed.Hostname(), "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-")
	if ip, err := netip.ParseAddr(parsed.Hostname()); err == nil && ip.Zone() == "" {
		name = ""
	}
	return parsed, name == "" && (parsed.Hostname() != "" || !web)
}

// Loopback reports whether a URI leads to a program on the person's own machine, by plain http.
func Loopback(uri string) bool {
	parsed, err := url.Parse(uri)
	if err != nil || parsed.Scheme != "http" {
		return false
	}
	ip, err := netip.ParseAddr(parsed.Hostname())
	return err == nil && ip.IsLoopback() || parsed.Hostname() == "localhost"
}

// Redirects reports whether the client has a redirect URI. It compares letter by letter. Of a loopback URI it ignores
// the port, which the program gets when it starts (RFC 8252, section 7.3).
func (c Client) Redirects(uri string) bool {
	return ValidRedirect(uri) && slices.ContainsFunc(c.RedirectURIs, func(known string) bool {
		return known == uri || Loopback(known) && Loopback(uri) && withoutPort(known) == withoutPort(uri)
	})
}

func withoutPort(uri string) string {
	parsed, err := url.Parse(uri)
	if err != nil {
		return ""
	}
	authority, port := parsed.Host, parsed.Port()
	before, after, _ := strings.Cut(uri, authority)
	return before + strings.TrimSuffix(authority, ":"+port) + after
}
