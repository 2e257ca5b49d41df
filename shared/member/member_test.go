package member_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/shared/member"
	"earshot/shared/port/mail"
)

func TestEmail(t *testing.T) {
	label := strings.Repeat("a", 63)
	long := "a@" + strings.Repeat(label+".", 3) + strings.Repeat("b", 57) + ".ab"
	for _, c := range []struct {
		email string
		valid bool
	}{
		{"first@northwind.example", true},
		{"First.B_C'd+e-f@sub.North-Wind.Example", true},
		{"1@2.co", true},
		{"_@x.io", true},
		{"o'brien@x.io", true},
		{"+tag@x.io", true},
		{strings.Repeat("a", 64) + "@x.io", true},
		{long[:len(long)-1], false}, // its last label has one letter
		{long, len(long) <= 254},
		{"b" + long, false},
		{strings.Repeat("a", 65) + "@x.io", false},
		{"a@" + label + ".io", true},
		{"a@" + label + "a.io", false},
		{".first@x.io", false},
		{"first.@x.io", true},
		{"a.b.@x.io", true},
		{"first..@x.io", false},
		{".@x.io", false},
		{"a..b@x.io", false},
		{"a@x..io", false},
		{"a@.io", false},
		{"a@x.i", false},
		{"a@x.i1", false},
		{"a@x", false},
		{"a@-x.io", false},
		{"a@x-.io", false},
		{"@x.io", false},
		{"a@", false},
		{"a", false},
		{"", false},
		{"a@b@x.io", false},
		{" a@x.io", false},
		{"a@x.io ", false},
		{"a@x.io\n", false},
		{"a\r\nBcc: b@x.io", false},
		{"a b@x.io", false},
		{`"a"@x.io`, false},
		{"a!b@x.io", false},
		{"ä@x.io", false},
		{"a@ä.io", false},
		{"a@x.io,b@x.io", false},
		{"<a@x.io>", false},
		{"a@[127.0.0.1]", false},
		{"\u212A@x.io", false},
	} {
		if got := member.ValidEmail(c.email); got != c.valid {
			t.Errorf("%q: %v", c.email, got)
		}
	}
	if len(long) != 254 {
		t.Errorf("the longest address has %d characters", len(long))
	}
}

// What can be invited is one address, to which mail can be written, and which stays one when it is folded.
func FuzzEmail(f *testing.F) {
	for _, seed := range []string{"first@northwind.example", "a..b@x.io", "a@x.io\r\nBcc: b@x.io", "O'B+c@x-y.co",
		"\u212A@x.io", ".@x.io"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, email string) {
		if !member.ValidEmail(email) {
			return
		}
		if err := mail.Check(mail.Message{To: email, Subject: "s", Text: "t"}); err != nil {
			t.Errorf("%q: %v", email, err)
		}
		local, domain, _ := strings.Cut(email, "@")
		if strings.Contains(email, "..") || email[0] == '.' || strings.Contains(domain, "@") || local == "" ||
			len(domain)-1-strings.LastIndexByte(domain, '.') < 2 {
			t.Errorf("%q is valid", email)
		}
		folded := member.Fold(email)
		if !member.ValidEmail(folded) || member.Fold(folded) != folded || !strings.EqualFold(folded, email) ||
			len(folded) != len(email) {
			t.Errorf("%q folds to %q", email, folded)
		}
	})
}

func TestFold_OnePerson(t *testing.T) {
	if member.Fold("FIRST@Northwind.EXAMPLE") != member.Fold("first@northwind.example") {
		t.Error("case makes two people of one")
	}
	if member.Fold("\u212Ada@x.io") == member.Fold("kda@x.io") {
		t.Error("a look-alike is somebody else's address")
	}
}

func TestCleanName(t *testing.T) {
	for name, want := range map[string]string{
		"First Newcomer": "First Newcomer", " First\r\n\tL. ": "First L.", "a\x00b\u202Ec\u2028d": "a b c d", "": "",
		"\u200B":     "",
		"Łukasz O’B": "Łukasz O’B", strings.Repeat("ä", 201): strings.Repeat("ä", 199) + "…",
		strings.Repeat("ä", 200): strings.Repeat("ä", 200),
		"a\xffb":                 "a b",
	} {
		if got := member.CleanName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		name := member.CleanName(rapid.String().Draw(t, "name"))
		if utf8.RuneCountInString(name) > 200 || strings.ContainsAny(name, "\r\n\x00\u2028\u202E") ||
			name != strings.TrimSpace(name) || member.CleanName(name) != name {
			t.Errorf("%q", name)
		}
	})
}
