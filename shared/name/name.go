// Package name is the rule for the names that clients choose: of workspaces, keys, feeds, notifications and companies.
// A name is one visible line of text that keeps the natural direction of its characters. A name that a mail to a
// stranger quotes contains no address, because a mail program would make a link of it.
//
// Functions and the operator's command validate names by it. shared/member makes older names harmless by it.
package name

import (
	"net/netip"
	"strings"
	"unicode"

	"earshot/shared/workspace"
)

// A Fault is what is wrong with a name. The zero value is nothing.
type Fault string

// The faults.
const (
	Blank     Fault = "expected more than space and invisible characters"
	Control   Fault = "expected no control characters and no ends of lines"
	Direction Fault = "expected no characters that turn the direction of writing"
	NoText    Fault = "expected no noncharacters of Unicode"
	Address   Fault = "expected no web address, domain or e-mail address, since mails quote this name"
)

// FaultOf returns what is wrong with a name. Its length is for others to judge.
func FaultOf(text string) Fault {
	switch {
	case !strings.ContainsFunc(text, visible):
		return Blank
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }):
		return Control
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }):
		return Direction
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Noncharacter_Code_Point, r) }):
		return NoText
	}
	return ""
}

// FaultOfQuoted is FaultOf for a name that mails quote.
func FaultOfQuoted(text string) Fault {
	if fault := FaultOf(text); fault != "" {
		return fault
	}
	if hasAddress(text) {
		return Address
	}
	return ""
}

// Quotable returns a name as a mail may quote it: each word that has an address in it is an ellipsis. Returns the empty
// string if nothing else is left.
func Quotable(text string) string {
	if !hasAddress(text) {
		return text
	}
	words, kept := strings.Fields(text), false
	for i, word := range words {
		if hasAddress(word) {
			words[i] = "…"
		} else if strings.ContainsFunc(word, visible) {
			kept = true
		}
	}
	if safe := strings.Join(words, " "); kept && !hasAddress(safe) {
		return safe
	}
	return ""
}

// visible reports whether a character can be seen. Some that count as letters, marks or symbols show nothing.
func visible(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !ignorable(r) &&
		r != '\u2800' // a pattern of Braille without dots
}

// ignorable reports whether a character shows nothing of its own, such as a space without width.
func ignorable(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// hasAddress reports whether a text has what mail programs make links of: a scheme or a share with its host, an e-mail
// address, an IP address or a domain under a suffix that names are registered under.
func hasAddress(text string) bool {
	text = strings.Map(func(r rune) rune {
		switch {
		case ignorable(r):
			return -1
		case strings.ContainsRune(dots, r):
			return '.'
		case r == '\uFF0F':
			return '/'
		case r == '\uFF1A':
			return ':'
		case r == '\uFF20' || r == '\uFE6B':
			return '@'
		}
		return r
	}, text)
	if strings.Contains(text, "//") || strings.Contains(text, `\\`) {
		return true
	}
	for rest := text; ; {
		before, after, found := strings.Cut(rest, "@")
		if !found {
			break
		}
		if endsWord(before) && startsWord(after) {
			return true
		}
		rest = after
	}
	hosts := strings.FieldsFunc(text, func(r rune) bool {
		return r != '.' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	for _, host := range hosts {
		if hasDomain(strings.Split(host, ".")) {
			return true
		}
	}
	return false
}

// dots are the characters that a browser takes for the dot of a domain (UTS 46), and the one dot leader, which a mail
// program may.
const dots = "\u3002\uFF0E\uFF61\u2024"

func endsWord(text string) bool {
	return text != "" && !unicode.IsSpace(rune(text[len(text)-1]))
}

func startsWord(text string) bool {
	return text != "" && !unicode.IsSpace(rune(text[0]))
}

// hasDomain reports whether two, three or four labels beside each other are a domain or an IP address.
func hasDomain(labels []string) bool {
	for i := range labels {
		for n := 2; n <= 4 && i+n <= len(labels); n++ {
			some := make([]string, n)
			for k, label := range labels[i : i+n] {
				some[k] = strings.Trim(label, "-")
			}
			host := strings.Join(some, ".")
			if _, err := workspace.ParseDomain(host); err == nil {
				return true
			}
			if _, err := netip.ParseAddr(host); err == nil {
				return true
			}
			if n == 2 && strings.EqualFold(some[0], "www") && some[1] != "" {
				return true
			}
		}
	}
	return false
}
