package publicnet

import (
	"context"
	"net"
	"strings"
)

// internal are names below which no name ever leads to the public internet (RFC 6761, 6762 with appendix G, and 8375;
// ICANN's resolution 2024.07.29.06 on .internal). Names that are reserved for documentation lead nowhere, and are no
// secret.
var internal = []string{"localhost", "local", "internal", "home.arpa", "intranet", "private", "corp", "home", "lan"}

// Internal reports whether a name, in ASCII, is of local networks whatever it resolves to.
func Internal(name string) bool {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	for _, top := range internal {
		if name == top || strings.HasSuffix(name, "."+top) {
			return true
		}
	}
	return false
}

// A Dial connects to an address, as the method DialContext of a net.Dialer.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// NotInternal wraps a dialer: it returns ErrAddress for an internal name and does not look the name up.
func NotInternal(dial Dial) Dial {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if host, _, err := net.SplitHostPort(address); err != nil || Internal(host) {
			return nil, ErrAddress
		}
		return dial(ctx, network, address)
	}
}
