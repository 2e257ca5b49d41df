package fold_test

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"earshot/shared/text/fold"
)

func TestFolds(t *testing.T) {
	for _, c := range []struct{ s, folded, canonical string }{
		{" Acme ", "acme", " acme "},
		{"Straße", "strasse", "strasse"},
		{"ΣΊΣΥΦΟΣ", "σίσυφοσ", "σίσυφοσ"},
		{"E\u0301te\u0301", "e\u0301te\u0301", "été"},
		{"co\u00ADop", "co\u00ADop", "coop"},
		{"❤\uFE0F", "❤\uFE0F", "❤"},
		{"\u13A0\uAB71\u13F8\u13F1", "\uAB70\uAB71\u13F8\u13F9", "\uAB70\uAB71\u13F8\u13F9"}, // Cherokee
	} {
		if got := fold.Case(c.s); got != c.folded {
			t.Errorf("Case(%q) = %q, want %q", c.s, got, c.folded)
		}
		if got := fold.Canonical(c.s); got != c.canonical {
			t.Errorf("Canonical(%q) = %q, want %q", c.s, got, c.canonical)
		}
	}
}

func TestFolds_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		folded := fold.Case(s)
		if again := fold.Case(folded); again != folded {
			t.Errorf("Case(%q) = %q, and again %q", s, folded, again)
		}
		if got := fold.Case(" \n" + s + "\t"); got != folded {
			t.Errorf("Case(%q) = %q with blanks around, %q without", s, got, folded)
		}
		canonical := fold.Canonical(s)
		for _, same := range []string{canonical, norm.NFD.String(s), norm.NFC.String(s)} {
			if got := fold.Canonical(same); got != canonical {
				t.Errorf("Canonical(%q) = %q, of the equivalent %q %q", s, canonical, same, got)
			}
		}
		word := rapid.StringMatching(`[A-Za-zÀ-ÖØ-Þα-ω ]*`).Draw(t, "word")
		for name, form := range map[string]func(string) string{"Case": fold.Case, "Canonical": fold.Canonical} {
			if got, want := form(strings.ToUpper(word)), form(word); got != want {
				t.Errorf("%s(%q) = %q in capitals, want %q", name, word, got, want)
			}
		}
	})
}
