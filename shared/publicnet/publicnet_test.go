package publicnet

import (
	"net/netip"
	"testing"
)

func TestPublic(t *testing.T) {
	for address, want := range map[string]bool{
		"8.8.8.8": true, "104.244.42.1": true, "2606:4700::1111": true, "::ffff:8.8.8.8": true,
		"127.0.0.1": false, "127.255.255.254": false, "0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false,
		"172.16.0.1":     false,
		"172.31.255.255": false, "192.168.1.1": false, "169.254.169.254": false, "169.254.170.2": false,
		"100.100.100.200": false,
		"192.0.0.192":     false, "192.0.2.1": false, "198.18.0.1": false, "198.51.100.7": false, "203.0.113.9": false,
		"224.0.0.1": false,
		"240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "fe80::1": false, "fe80::1%eth0": false, "fd00:ec2::254": false, "fc00::1": false,
		"fec0::1": false,
		"ff02::1": false, "::ffff:127.0.0.1": false, "::ffff:169.254.169.254": false, "::7f00:1": false,
		"64:ff9b::7f00:1": false,
		"64:ff9b:1::1":    false, "2002:7f00:1::": false, "2001::1": false, "2001:db8::1": false, "100::1": false,
		"::ffff:0:127.0.0.1": false, "::ffff:0:8.8.8.8": false, "5f00::1": false, "4000::1": false, "3fff::1": false,
		"2a00:1450:4001::1": true,
	} {
		if got := Public(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s is of the public internet: %v", address, got)
		}
	}
	for _, address := range []string{"", "localhost:80", "8.8.8.8", "[::1]:443", "127.0.0.1:443"} {
		if Control("tcp", address, nil) == nil {
			t.Errorf("%q can be connected to", address)
		}
	}
}
