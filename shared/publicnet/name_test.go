package publicnet

import (
	"context"
	"errors"
	"net"
	"testing"
)

func TestInternal(t *testing.T) {
	for name, want := range map[string]bool{
		"localhost": true, "db.localhost": true, "nas.local": true, "vault.acme.internal": true, "Vault.INTERNAL.": true,
		"x.home.arpa": true,
		"home.arpa":   true, "intranet": true, "a.corp": true, "router.lan": true, "printer.home": true, "x.private": true,
		"acme.com": false, "local.acme.com": false, "acmelocal": false, "internal.example": false, "arpa": false,
		"mylan": false, "": false,
		"8.8.8.8": false,
	} {
		if got := Internal(name); got != want {
			t.Errorf("Internal(%q) = %t, want %t", name, got, want)
		}
	}
}

func TestNotInternal(t *testing.T) {
	dialled := ""
	dial := NotInternal(func(_ context.Context, _, address string) (net.Conn, error) {
		dialled = address
		return nil, net.ErrClosed
	})
	for _, address := range []string{"vault.internal:443", "localhost:80", "nothing"} {
		if _, err := dial(t.Context(), "tcp", address); !errors.Is(err, ErrAddress) || dialled != "" {
			t.Errorf("%s: %v, dialled %q", address, err, dialled)
		}
	}
	if _, err := dial(t.Context(), "tcp", "acme.com:443"); !errors.Is(err, net.ErrClosed) || dialled != "acme.com:443" {
		t.Errorf("%v, dialled %q", err, dialled)
	}
}
