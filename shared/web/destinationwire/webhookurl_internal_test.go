package destinationwire

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"earshot/shared/publicnet"
)

// To add a URL, write it with the host that it comes to; empty where it is refused.
func TestWebhookHosts(t *testing.T) {
	for given, want := range map[string]string{
		"https://hooks.example.com":                              "hooks.example.com",
		"https://hooks.example.com/mentions?x=1&y=%20":           "hooks.example.com",
		"HTTPS://Hooks.Example.COM.:443/":                        "hooks.example.com",
		"https://hooks.example/":                                 "hooks.example",
		"https://hooks.test/":                                    "hooks.test",
		"https://my_hooks.example.com/":                          "my_hooks.example.com",
		"https://m\u00fcnchen.example.com/":                      "xn--mnchen-3ya.example.com",
		"https://8.8.8.8/":                                       "8.8.8.8",
		"https://[2606:4700::1111]:8443/":                        "2606:4700::1111",
		"https://hooks.example.com:1024":                         "hooks.example.com",
		"https://hooks.example.com:65535/x":                      "hooks.example.com",
		"https://[::ffff:8.8.8.8]/":                              "::ffff:8.8.8.8",
		"https://1.example.com/":                                 "1.example.com",
		"https://a.b/" + strings.Repeat("x", 2048-12):            "a.b",
		"https://a.b/" + strings.Repeat("x", 2048-11):            "",
		"https://" + strings.Repeat("a", 64) + ".example.com/":   "",
		"https://" + strings.Repeat("aaaaaaa.", 32) + "example/": "",

		"":                                "",
		"hooks.example.com":               "",
		"//hooks.example.com":             "",
		"https:hooks.example.com":         "",
		"https:///x":                      "",
		"https://":                        "",
		"http://hooks.example.com":        "",
		"ftp://hooks.example.com":         "",
		"javascript:alert(1)":             "",
		"https://user@hooks.example.com":  "",
		"https://u:p@hooks.example.com":   "",
		"https://@hooks.example.com":      "",
		"https://hooks.example.com/#":     "",
		"https://hooks.example.com/#x":    "",
		" https://hooks.example.com":      "",
		"https://hooks.example.com/\n":    "",
		"https://hooks.example.com/a b":   "",
		`https://hooks.example.com\@a.b/`: "",
		"https://hooks.example.com:0/":    "",
		"https://hooks.example.com:22/":   "",
		"https://hooks.example.com:80/":   "",
		"https://hooks.example.com:442/":  "",
		"https://hooks.example.com:444/":  "",
		"https://hooks.example.com:0025/": "",
		"https://hooks.example.com:1023/": "",
		"https://8.8.8.8:25/":             "",
		"https://hooks.example.com:65536": "",
		"https://hooks.example.com:":      "",
		"https://hooks.example.com:x/":    "",
		"https://hooks..example.com/":     "",
		"https://.example.com/":           "",
		"https://hooks.example.com../":    "",
		"https://-a.example.com/":         "",
		"https://a%00b.example.com/":      "",
		"https://a%2eb.example.com/":      "",

		"https://localhost/":                "",
		"https://LOCALHOST./":               "",
		"https://a.localhost/":              "",
		"https://printer.local":             "",
		"https://metadata.google.internal/": "",
		"https://router.home.arpa/":         "",
		"https://intranet/":                 "",
		"https://intranet./":                "",
		"https://\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54/": "",

		"https://127.0.0.1/":                "",
		"https://127.0.0.1./":               "",
		"https://127.1/":                    "",
		"https://2130706433/":               "",
		"https://0x7f000001/":               "",
		"https://0x7f.1/":                   "",
		"https://0177.0.0.1/":               "",
		"https://127.0.0.01/":               "",
		"https://017700000001":              "",
		"https://1.2.3.4.5/":                "",
		"https://example.0x/":               "",
		"https://\uff11\uff12\uff17.0.0.1/": "",
		"https://127\u30020\u30020\u30021/": "",
		"https://\u2460\u2461\u2466.0.0.1/": "",
		"https://10.1.2.3/":                 "",
		"https://172.16.0.1/":               "",
		"https://192.168.1.1/":              "",
		"https://169.254.169.254/latest":    "",
		"https://100.100.100.200/":          "",
		"https://0.0.0.0/":                  "",
		"https://255.255.255.255/":          "",
		"https://[::1]/":                    "",
		"https://[::]/":                     "",
		"https://[::ffff:127.0.0.1]/":       "",
		"https://[::ffff:7f00:1]/":          "",
		"https://[::7f00:1]/":               "",
		"https://[64:ff9b::7f00:1]/":        "",
		"https://[fe80::1%25eth0]/":         "",
		"https://[2606:4700::1111%25x]/":    "",
		"https://[fd00:ec2::254]/":          "",
		"https://[::1.]/":                   "",
		"https://[8.8.8.8]/":                "",
		"https://[hooks.example.com]/":      "",
		"https://::1/":                      "",
		"https://2606:4700::1111/":          "",
	} {
		host, reason := webhookHost(given)
		if host != want || (reason == "") != (want != "") {
			t.Errorf("%.80q: %q, %s; want %q", given, host, reason, want)
		}
	}
}

// Whatever is taken is https, names no one and no fragment, and, where the host is an address, one of the public internet.
func FuzzWebhookHost(f *testing.F) {
	for _, seed := range []string{"https://hooks.example.com/x", "https://0x7f.1", "https://[::ffff:127.0.0.1]/",
		"https://\uff11.example.com", "https://a%2eb:1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		host, reason := webhookHost(given)
		if reason != "" {
			return
		}
		parsed, err := url.Parse(given)
		if err != nil || parsed.Scheme != "https" || parsed.User != nil || parsed.Fragment != "" || host == "" {
			t.Fatalf("%q is taken", given)
		}
		if port, _ := strconv.Atoi(parsed.Port()); parsed.Port() != "" && port != 443 && port < 1024 {
			t.Fatalf("%q is taken", given)
		}
		if ip, err := netip.ParseAddr(host); err == nil && !publicnet.Public(ip) ||
			err != nil && !strings.Contains(host, ".") {
			t.Fatalf("%q is taken for %q", given, host)
		}
		switch host[strings.LastIndexByte(host, '.')+1:] {
		case "localhost", "local", "internal", "":
			t.Fatalf("%q is taken for %q", given, host)
		}
	})
}
