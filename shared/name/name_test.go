package name_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/name"
)

func TestFaultOf(t *testing.T) {
	for text, want := range map[string]name.Fault{
		"Northwind":                        "",
		"Café Ünïted 東京 العربية":           "",
		"می\u200Cخواهم":                    "", // a joiner has its place in words
		"👩\u200D🔬 lab":                     "",
		"a.b":                              "",
		"":                                 name.Blank,
		" \t":                              name.Blank,
		"\u200B":                           name.Blank,
		"\u200B\u200D\u2060\uFEFF":         name.Blank,
		"\u3164\u115F\u1160\uFFA0":         name.Blank, // fillers of Hangul, which count as letters
		"\u2800":                           name.Blank,
		"\uFE0F\u034F":                     name.Blank,
		"\U000E0041":                       name.Blank,
		"\u202E":                           name.Blank,
		"a\nb":                             name.Control,
		"a\x00":                            name.Control,
		"a\u0085b":                         name.Control,
		"a\u2028b":                         name.Control,
		"a\u2029b":                         name.Control,
		"a\u202Eb":                         name.Direction,
		"a\u200Fb":                         name.Direction,
		"a\u200Eb":                         name.Direction,
		"a\u061Cb":                         name.Direction,
		"a\u2066b\u2069":                   name.Direction,
		"a\uFFFEb":                         name.NoText,
		"a\uFFFFb":                         name.NoText,
		"a\uFDD0b":                         name.NoText,
		"a\U0001FFFEb":                     name.NoText,
		"Payroll: confirm at https://x.io": "",
	} {
		if got := name.FaultOf(text); got != want {
			t.Errorf("FaultOf(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestFaultOfQuoted(t *testing.T) {
	for _, text := range []string{"Northwind", "St. Louis", "J.P. Morgan & Co.", "U.S. Steel", "Node.js team", "AC/DC",
		"Team @ Harbour", "@harbour",
		"Version 2.0.1", "and/or", "Dr.Who", "…and more", "5.5", "Ben & Jerry's", "C++", "24/7", "A: B", "Ω.μέγα"} {
		if got := name.FaultOfQuoted(text); got != "" {
			t.Errorf("FaultOfQuoted(%q) = %q, want none", text, got)
		}
	}
	for _, text := range []string{"Payroll: confirm at https://evil.example/x", "evil.com", "Booking.com",
		"see evil.co.uk now", "(evil.com)", "x_evil.com",
		"-evil.com-", "evil.com.", "EVIL.COM", "evil.com:8080", "evil.com/pay", "www.evil", "http://10.0.0.1", "10.0.0.1",
		"pay@evil.com", "pay@evil",
		"mailto:pay@evil.com", "//evil", `\\evil\share`, "evil。com", "evil\uFF0Ecom", "evil\u2024com", "ｅｖｉｌ．ｃｏｍ",
		"evil\u200B.com", "ev\u00ADil.com",
		"http:\u200B//evil", "пример.рф", "evil..evil.com", "evil.com.nothing", "a.b.ck", "pay\uFF20evil",
		"https:\uFF0F\uFF0Fevil", "northwind.example"} {
		if got := name.FaultOfQuoted(text); got != name.Address {
			t.Errorf("FaultOfQuoted(%q) = %q, want %q", text, got, name.Address)
		}
	}
}

func TestQuotable(t *testing.T) {
	for text, want := range map[string]string{
		"Northwind": "Northwind",
		"Payroll: confirm at https://evil.example/x": "Payroll: confirm at …",
		"Booking.com GmbH":                           "… GmbH",
		"evil.com":                                   "",
		"evil.com https://evil.com":                  "",
		"":                                           "",
	} {
		if got := name.Quotable(text); got != want {
			t.Errorf("Quotable(%q) = %q, want %q", text, got, want)
		}
	}
	parts := rapid.SampledFrom([]string{"evil", ".com", ".", "//", "@", "\u200B", " ", "。", "-", "_", "www", "10.0.0.1",
		"…", ":", "x"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(parts, 0, 12).Draw(t, "parts"), "")
		safe := name.Quotable(text)
		if name.FaultOfQuoted("a "+safe) == name.Address {
			t.Errorf("Quotable(%q) = %q, which has an address", text, safe)
		}
		if name.FaultOfQuoted("a "+text) == "" && safe != text {
			t.Errorf("Quotable(%q) = %q, want it as it is", text, safe)
		}
	})
}
