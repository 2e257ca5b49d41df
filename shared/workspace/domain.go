package workspace

import (
	"net/netip"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// DomainFault says why a text is not a domain, in a sentence for its author. It quotes at most a domain of the text.
type DomainFault string

func (f DomainFault) Error() string { return string(f) }

const noDomain = "This is not a domain. Send one such as acme.com."

// reserved are the top-level names that are reserved for documents, tests and local networks (RFC 2606, RFC 6762
// appendix G, and ICANN's internal). Companies there have one.
var reserved = []string{"example", "test", "local", "internal"}

// asASCII maps a name as a browser's address bar does (UTS 46, nontransitional) and enforces the rules of host names:
// letters, digits and hyphens, labels of 63 characters, 253 in all.
var asASCII = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(), idna.VerifyDNSLength(true))

// ParseDomain reads a domain as people write it. It returns the domain in lower case and ASCII, without a dot at its
// end. A domain has two labels or more under a public suffix (the ICANN section of publicsuffix.org) or a reserved
// top-level name, and is no suffix itself. ParseDomain returns its own results unchanged. Its error is a DomainFault.
func ParseDomain(text string) (string, error) {
	text = strings.TrimSpace(text)
	if name, ok := domain(text); ok {
		return name, nil
	}
	if host := hostOf(text); host != text {
		if name, ok := domain(host); ok {
			return "", DomainFault(
				"This is more than a domain. Send " + name + " alone: no scheme, user, port, path or query.",
			)
		}
		text = host
	}
	if _, err := netip.ParseAddr(strings.Trim(text, "[]")); err == nil {
		return "", DomainFault("This is an IP address. Send a domain such as acme.com.")
	}
	return "", DomainFault(noDomain)
}

// domain reads a name without its surroundings.
func domain(text string) (name string, ok bool) {
	const longest = 1000 // more than any spelling of 253 characters needs
	if len(text) > longest ||
		strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return "", false
	}
	name, err := asASCII.ToASCII(text)
	if err != nil && strings.HasSuffix(text, ".") {
		name, err = asASCII.ToASCII(strings.TrimSuffix(text, "."))
	}
	if name = strings.TrimSuffix(name, "."); err != nil || !hasSuffix(name) {
		return "", false
	}
	// The mapping accepts texts that it cannot encode, such as U+FFFD. Its output for those is no name.
	again, err := asASCII.ToASCII(name)
	return name, err == nil && again == name
}

// hasSuffix reports whether the name ends in a suffix under which names are registered, and is more than that suffix.
func hasSuffix(name string) bool {
	at := strings.LastIndexByte(name, '.')
	if at <= 0 {
		return false
	}
	if slices.Contains(reserved, name[at+1:]) {
		return true
	}
	// In the list's private section, for example github.io, the registered name is the one below the suffix's own ICANN
	// suffix.
	for under := name; ; {
		suffix, icann := publicsuffix.PublicSuffix(under)
		if icann {
			return suffix != name
		}
		_, above, found := strings.Cut(suffix, ".")
		if !found {
			return false
		}
		under = above
	}
}

// hostOf returns the host of a text that is a URL, a URL without its scheme, or a mail address.
func hostOf(text string) string {
	if _, rest, found := strings.Cut(text, "://"); found {
		text = rest
	}
	text = strings.TrimLeft(text, "/")
	if at := strings.IndexAny(text, "/?#\\"); at >= 0 {
		text = text[:at]
	}
	if at := strings.LastIndexByte(text, '@'); at >= 0 {
		text = text[at+1:]
	}
	if strings.HasPrefix(text, "[") {
		inside, _, _ := strings.Cut(text[1:], "]")
		return inside
	}
	if strings.Count(text, ":") == 1 {
		text, _, _ = strings.Cut(text, ":")
	}
	return text
}
