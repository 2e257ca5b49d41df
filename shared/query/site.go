package query

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"

	"earshot/shared/text/fold"
)

// A site is a host and a path below it.
type site struct {
	host string   // lowercase ASCII (IDNA), without a leading www.
	path []string // lowercase elements that are not empty, escaped
}

// String returns the site as site: takes it.
func (s site) String() string { return strings.Join(append([]string{s.host}, s.path...), "/") }

// parseSite reads a site. A scheme, a port, a query and a fragment are left out.
func parseSite(text string) (site, bool) {
	if _, rest, found := strings.Cut(text, "://"); found {
		text = rest
	}
	return siteOf("https://" + text)
}

// siteOf returns the site of an address of the web. It returns false if the address has no host.
func siteOf(address string) (site, bool) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.User != nil {
		return site{}, false
	}
	host := strings.TrimSuffix(strings.ToLower(parsed.Hostname()), ".")
	if !fold.ASCII(host) {
		if host, err = idna.Lookup.ToASCII(host); err != nil {
			return site{}, false
		}
	}
	if host = strings.TrimPrefix(host, "www."); !isHost(host) {
		return site{}, false
	}
	s := site{host: host}
	for element := range strings.SplitSeq(strings.ToLower(parsed.EscapedPath()), "/") {
		if element != "" {
			s.path = append(s.path, element)
		}
	}
	return s, true
}

// isHost reports whether a text has a host's labels (RFC 1123, section 2.1, and the underlines that some hosts have).
func isHost(host string) bool {
	if host == "" || len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}

// holds reports whether an address on the site other is on s.
func (s site) holds(other site) bool {
	below := other.host == s.host || strings.HasSuffix(other.host, "."+s.host)
	return below && len(other.path) >= len(s.path) && slices.Equal(other.path[:len(s.path)], s.path)
}

// nearSite returns what of a text could be a site: the text without signs around it and patterns before it.
func nearSite(text string) string {
	text = strings.Trim(text, "*.,;:!?()[]{}<>'/@ ")
	if s, ok := parseSite(text); ok && strings.Contains(s.host, ".") {
		return s.String()
	}
	return ""
}
