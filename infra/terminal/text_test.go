package terminal

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{
		"northwind": 9, "Ünïcode": 7, "e\u0301": 1, "素晴らしい": 10, "ﾊﾝｶｸ": 4, "한국어": 6, "🚀": 2, "🇩🇪": 2, "👍🏽": 2, "❤️": 2,
		"שלום": 4, "": 0,
	} {
		if got := Width(text); got != want {
			t.Errorf("Width(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"northwind", 9, "northwind"}, {"northwind", 5, "nort…"}, {"素晴らしい", 6, "素晴…"}, {"👍🏽👍🏽👍🏽", 5, "👍🏽👍🏽…"},
		{"cafe\u0301s are open", 5, "cafe\u0301…"},
		{" \x1b[2Jred\u202e ", 20, "[2Jred"}, {"a\nb", 5, "a b"},
	} {
		if got := Short(c.text, c.most); got != c.want {
			t.Errorf("Short(%q, %d) = %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

func TestASCII(t *testing.T) {
	for text, want := range map[string]string{"plain": "plain", "Zoë e\u0301": "Zo? ?", "素晴": "????", "🚀 up": "?? up"} {
		if got := ASCII(text); got != want {
			t.Errorf("ASCII(%q) = %q, want %q", text, got, want)
		}
	}
}

// A short text has no more columns than it may, no sign that a terminal acts upon, and in ASCII the same columns.
func TestShort_AnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, most := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.Rune())).Draw(t, "text"),
			rapid.IntRange(1, 40).Draw(t, "most")
		got := Short(text, most)
		if Width(got) > most {
			t.Fatalf("Short(%q, %d) = %q of %d columns", text, most, got, Width(got))
		}
		if strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsGraphic(r) }) {
			t.Fatalf("Short(%q) = %q", text, got)
		}
		if plain := ASCII(got); Width(plain) != Width(got) ||
			strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Fatalf("ASCII(%q) = %q", got, plain)
		}
	})
}

func TestASCIIWriter(t *testing.T) {
	var got strings.Builder
	written := "  … one – two ✓\n東 é\n"
	n, err := ASCIIWriter(&got).Write([]byte(written))
	if want := "  ~ one - two +\n?? ?\n"; got.String() != want || n != len(written) || err != nil {
		t.Errorf("Write(%q) = %d, %v with %q, want %q", written, n, err, got.String(), want)
	}
}
