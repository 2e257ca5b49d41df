package destinationwire

import (
	"context"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"earshot/shared/publicnet"
	"earshot/shared/text"
	"earshot/shared/web/problem"
)

// Bounds of a webhook's URL.
const (
	maxURL      = 2048 // characters
	maxHost     = 253  // RFC 1035, section 2.3.4
	lookupLimit = 2 * time.Second
)

// checkWebhook returns WEBHOOK_URL_INVALID unless a URL can be called. It accepts a name that does not resolve now,
// because it may later. The caller of the webhook checks the address again when it connects.
func (c Checker) checkWebhook(ctx context.Context, path, given string) error {
	if name, own := strings.CutPrefix(given, c.Receiver); own && c.Receiver != "" && receiverName.MatchString(name) {
		return nil
	}
	host, reason := webhookHost(given)
	if reason != "" {
		return problem.New(problem.WebhookURLInvalid, "%s: %s.", path, reason)
	}
	if _, err := netip.ParseAddr(host); err == nil || c.Lookup == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupLimit)
	defer cancel()
	addresses, err := c.Lookup(ctx, host)
	if err == nil && slices.ContainsFunc(addresses, func(ip netip.Addr) bool { return !publicnet.Public(ip) }) {
		return problem.New(problem.WebhookURLInvalid, "%s: %s.", path, notPublic)
	}
	return nil
}

// receiverName is what follows Checker.Receiver.
var receiverName = text.NewPattern(`^[a-z0-9-]{1,40}$`)

const notPublic = "the host is not of the public internet"

// webhookHost returns a URL's host, in lowercase and without a final dot, or why the URL is refused.
func webhookHost(given string) (host, reason string) {
	if utf8.RuneCountInString(given) > maxURL {
		return "", "expected at most 2048 characters"
	}
	if strings.ContainsFunc(
		given, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\\' },
	) {
		return "", "it is not a valid URL"
	}
	parsed, err := url.Parse(given)
	switch {
	case err != nil:
		return "", "it is not a URL"
	case parsed.Scheme != "https" || parsed.Opaque != "":
		return "", "expected https://"
	case parsed.User != nil:
		return "", "expected no user before the host"
	case strings.Contains(given, "#"):
		return "", "expected no fragment"
	case strings.HasSuffix(parsed.Host, ":"):
		return "", "the port is not one"
	case !publicnet.Port(parsed.Port()):
		return "", "expected the port 443 or one from 1024 to 65535"
	}
	return publicHost(parsed.Hostname())
}

var (
	hostLabel = text.NewPattern(`^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$`)
	// hostNumber matches the end of hosts that browsers, and the C library's inet_aton, read as an IPv4 address (URL
	// Standard, "ends in a number"): decimal, octal or hexadecimal, of one to four parts.
	hostNumber = text.NewPattern(`(^|\.)([0-9]+|0x[0-9a-f]*)$`)
)

// publicHost checks a host: an address of the public internet, or a name of at least two labels that may lead there.
func publicHost(written string) (host, reason string) {
	host = strings.ToLower(written)
	if strings.ContainsFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) {
		// Names of other scripts; digits and dots of other scripts become those of ASCII here.
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return "", "the host is not a name"
		}
		host = ascii
	}
	host = strings.TrimSuffix(host, ".")
	if ip, err := netip.ParseAddr(host); err == nil {
		if ip.Zone() != "" || !publicnet.Public(ip) {
			return "", notPublic
		}
		return host, ""
	}
	if len(host) > maxHost {
		return "", "the host is not a name"
	}
	if hostNumber.MatchString(host) {
		return "", "write an address as four decimal numbers"
	}
	labels := strings.Split(host, ".")
	if slices.ContainsFunc(labels, func(label string) bool { return !hostLabel.MatchString(label) }) {
		return "", "the host is not a name"
	}
	if len(labels) < 2 || publicnet.Internal(host) {
		return "", notPublic
	}
	return host, ""
}
