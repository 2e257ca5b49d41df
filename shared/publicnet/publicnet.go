// Package publicnet keeps outgoing connections on the public internet: away from this machine, its neighbours and its
// metadata. It checks an address where the connection is made, after DNS and on each redirect.
//
// Packages that fetch an address that others chose import it.
package publicnet

import (
	"errors"
	"net/netip"
	"strconv"
	"syscall"
)

// ErrAddress is the error of a connection that is refused.
var ErrAddress = errors.New("not an address of the public internet")

// special are the networks, beyond those that net/netip tells, that no platform lives in ("IANA IPv4/IPv6
// Special-Purpose Address Registry"), and those that carry an IPv4 address inside and could lead to one of them.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"), // shared by carriers; Alibaba's metadata
	netip.MustParsePrefix("192.0.0.0/24"),  // IETF; Oracle's metadata
	netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"),
	netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("3fff::/20"),
}

// Control is a net.Dialer's Control: it sees the address that is about to be connected to, so that a name cannot change
// its mind between a check and the connection. It answers ErrAddress.
func Control(_, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil || !Public(target.Addr()) {
		return ErrAddress
	}
	return nil
}

// Port reports whether a service that others chose may be called at a port, as a URL writes it; empty is the scheme's
// own. It is 443 or one above 1023: below are the system ports (RFC 6335, section 6), where mail and other services
// listen that speak no HTTPS.
func Port(written string) bool {
	if written == "" {
		return true
	}
	port, err := strconv.ParseUint(written, 10, 16)
	return err == nil && (port == 443 || port > 1023)
}

// global is all that has been given out of IPv6 ("IANA IPv6 Global Unicast Address Space", RFC 4291, section 2.4):
// outside are ways to write IPv4 addresses besides those that net/netip knows, such as ::ffff:0:127.0.0.1, and what
// nobody may have yet.
var global = netip.MustParsePrefix("2000::/3")

// Public says whether an address is of the public internet, whatever its spelling: also one that carries an IPv4
// address inside.
func Public(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.Is6() && !global.Contains(ip) {
		return false
	}
	for _, network := range special {
		if network.Contains(ip) {
			return false
		}
	}
	return true
}
