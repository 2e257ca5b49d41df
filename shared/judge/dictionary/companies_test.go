package dictionary_test

import (
	"slices"
	"strings"
	"testing"

	"earshot/shared/judge/dictionary"
)

func TestOfCompanies(t *testing.T) {
	for _, c := range []struct {
		language, word string
		want           bool
	}{
		{"german", "rechnung", true},
		{"german", "rechnungen", true},
		{"german", "kundendienst", true},
		{"german", "zeitung", true},
		{"german", "zeitungspapier", false}, // zeitung is a whole word
		{"german", "rech", false},
		{"german", "gestern", false},
		{"german", "facture", false},
		{"french", "facturer", true},
		{"french", "hier", false},
		{"spanish", "reembolso", true},
		{"portuguese", "assinatura", true},
		{"italian", "rimborso", true},
		{"dutch", "klantenservice", true},
		{"english", "invoice", false},
		{"", "rechnung", false},
		{"german", "", false},
	} {
		if got := dictionary.OfCompanies(c.word, c.language); got != c.want {
			t.Errorf("OfCompanies(%q, %q) = %v, want %v", c.word, c.language, got, c.want)
		}
	}
}

// The words are not the smallest of a language, which stand in every text.
func TestOfCompanies_SmallWords(t *testing.T) {
	small := map[string][]string{
		"german":     {"der", "die", "und", "nicht", "ich", "auf", "mit", "haben", "wird", "mein", "gestern", "immer"},
		"french":     {"le", "les", "et", "pas", "je", "sur", "avec", "avoir", "mon", "hier", "toujours", "venir"},
		"spanish":    {"el", "los", "y", "no", "yo", "sobre", "con", "haber", "mi", "ayer", "siempre", "venir", "para"},
		"portuguese": {"o", "os", "e", "não", "eu", "sobre", "com", "haver", "meu", "ontem", "sempre", "vir", "para"},
		"italian":    {"il", "gli", "e", "non", "io", "su", "con", "avere", "mio", "ieri", "sempre", "venire", "per", "come"},
		"dutch":      {"de", "het", "en", "niet", "ik", "op", "met", "hebben", "mijn", "gisteren", "altijd", "komen"},
	}
	for name, list := range small {
		for _, word := range list {
			if dictionary.OfCompanies(word, name) {
				t.Errorf("OfCompanies(%q, %q) = true, want false", word, name)
			}
		}
	}
}

// No beginning of a word makes another needless: OfCompanies looks at the last one before a word alone.
func TestOfCompanies_Beginnings(t *testing.T) {
	for name, text := range dictionary.CompanyStems {
		stems := strings.Fields(text)
		if len(stems) < 50 {
			t.Errorf("%s has %d words, want 50 or more", name, len(stems))
		}
		for i, stem := range stems {
			if stem != strings.ToLower(stem) || slices.Index(stems, stem) != i {
				t.Errorf("%s: %q is not in lowercase, or is listed twice", name, stem)
			}
			if !dictionary.OfCompanies(strings.TrimSuffix(stem, "."), name) {
				t.Errorf("OfCompanies(%q, %q) = false, want true", stem, name)
			}
			for _, other := range stems {
				if other != stem && !strings.HasSuffix(other, ".") && strings.HasPrefix(stem, other) {
					t.Errorf("%s: %q begins with %q, which is enough", name, stem, other)
				}
			}
		}
	}
}

func BenchmarkOfCompanies(b *testing.B) {
	for b.Loop() {
		dictionary.OfCompanies("rechnungsbetrag", "german")
	}
}
