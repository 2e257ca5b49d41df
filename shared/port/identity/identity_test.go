package identity_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/shared/member"
	"earshot/shared/port/identity"
)

// Folding joins addresses that differ in the case of ASCII letters, and no others.
func TestFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("aAzZ@.\u212a\u0130\u0131\u017fÄä")))).
			Draw(t, "text")
		folded := identity.Fold(text)
		if identity.Fold(folded) != folded || len(folded) != len(text) {
			t.Fatalf("%q folds to %q", text, folded)
		}
		for i := range len(text) {
			same := folded[i] == text[i] || 'A' <= text[i] && text[i] <= 'Z' && folded[i] == text[i]+'a'-'A'
			if !same || 'A' <= folded[i] && folded[i] <= 'Z' {
				t.Fatalf("%q folds to %q", text, folded)
			}
		}
		if ascii := strings.Map(func(r rune) rune { return r & 0x7f }, text); identity.Fold(ascii) != strings.ToLower(ascii) {
			t.Fatalf("%q folds to %q", ascii, identity.Fold(ascii))
		}
	})
}

// Whoever can be invited can be looked up, and what cannot be an address is not asked for.
func TestCanBeEmail_InvitedAddresses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if email := rapid.StringMatching(member.EmailPattern).Filter(member.ValidEmail).Draw(t, "email"); !identity.CanBeEmail(email) {
			t.Fatalf("%q is not asked for", email)
		}
		if text := rapid.String().Draw(t, "text"); identity.CanBeEmail(text) &&
			(!utf8.ValidString(text) || !strings.Contains(text, "@")) {
			t.Fatalf("%q is asked for", text)
		}
	})
}
