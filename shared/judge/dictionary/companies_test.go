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

// No beginning of a word makes another needless: a lexicon looks at the last one before a word alone.
func TestStems_Beginnings(t *testing.T) {
	testStems(t, dictionary.CompanyStems, dictionary.OfCompanies)
	testStems(t, dictionary.SiteStems, dictionary.OfSites)
}

func testStems(t *testing.T, stems map[string]string, has func(word, language string) bool) {
	for name, text := range stems {
		stems := strings.Fields(text)
		if len(stems) < 50 {
			t.Errorf("%s has %d words, want 50 or more", name, len(stems))
		}
		for i, stem := range stems {
			if stem != strings.ToLower(stem) || slices.Index(stems, stem) != i {
				t.Errorf("%s: %q is not in lowercase, or is listed twice", name, stem)
			}
			example := strings.TrimSuffix(stem, ".")
			if ending, ends := strings.CutPrefix(stem, "-"); ends {
				example = "quux" + ending
			}
			if !has(example, name) {
				t.Errorf("the lexicon of %s lacks %q", name, stem)
			}
			for _, other := range stems {
				if other != stem && !strings.HasSuffix(other, ".") && strings.HasPrefix(stem, other) {
					t.Errorf("%s: %q begins with %q, which is enough", name, stem, other)
				}
			}
		}
	}
}

func TestOfSites(t *testing.T) {
	for _, c := range []struct {
		language, word string
		want           bool
	}{
		{"german", "hilft", true},
		{"german", "tausend", true},
		{"german", "rechnung", false},
		{"french", "gérer", true},
		{"french", "assurance", false}, // which "assure" is not
		{"french", "tourisme", false},
		{"spanish", "quinientas", true},
		{"spanish", "tienda", false},
		{"spanish", "acompañamos", true},
		{"spanish", "ramos", false},
		{"portuguese", "seguros", false},
		{"italian", "offriamo", true},
		{"polish", "dzieci", false},
		{"czech", "tiskárna", false},
		{"turkish", "yapı", false},
		{"danish", "værksted", false},
		{"english", "help", false},
		{"", "hilft", false},
		{"german", "", false},
	} {
		if got := dictionary.OfSites(c.word, c.language); got != c.want {
			t.Errorf("OfSites(%q, %q) = %v, want %v", c.word, c.language, got, c.want)
		}
	}
}

func BenchmarkOfCompanies(b *testing.B) {
	for b.Loop() {
		dictionary.OfCompanies("rechnungsbetrag", "german")
	}
}
