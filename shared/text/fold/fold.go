// Package fold has the forms in which texts compare. They differ in what they hold to be the same, so a stored form
// must be compared with the same one.
// Case and Canonical are for lists and filters, Form and its kin for keywords.
package fold

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Case returns s without blanks around it and in one case, by full Unicode case folding: "Straße" is "strasse".
// Composed and decomposed characters differ.
func Case(s string) string { return folded(strings.TrimSpace(s)) }

// Canonical returns a form in which canonically equivalent texts of any case are the same (Unicode, section 3.13,
// D145), without characters that show nothing: soft hyphens and variation selectors. Blanks stay.
func Canonical(s string) string {
	if ASCII(s) {
		return strings.ToLower(s)
	}
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if r == 0xAD || r >= 0xFE00 && r <= 0xFE0F {
			return -1
		}
		return r
	}, folded(norm.NFD.String(s))))
}

// folded returns s in one case. cases.Fold exchanges the two cases of Cherokee letters, so all are capitals before it.
func folded(s string) string {
	return cases.Fold().String(strings.Map(func(r rune) rune {
		switch {
		case r >= 0xAB70 && r <= 0xABBF:
			return r - 0xAB70 + 0x13A0
		case r >= 0x13F8 && r <= 0x13FD:
			return r - 8
		}
		return r
	}, s))
}

// ASCII reports whether a text has only characters of ASCII.
func ASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
