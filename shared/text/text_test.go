package text_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/shared/text"
)

func TestFirst(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"", 0, ""}, {"", 3, ""}, {"abc", -1, ""}, {"abc", 0, ""}, {"abc", 2, "ab"}, {"abc", 3, "abc"}, {"abc", 4, "abc"},
		{"äöü", 2, "äö"}, {"日本語", 1, "日"}, {"a\xffb", 2, "a\xff"}, {"😀😀", 1, "😀"},
	} {
		if got := text.First(c.s, c.n); got != c.want {
			t.Errorf("First(%q, %d) = %q, want %q", c.s, c.n, got, c.want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		s          string
		n          int
		want, word string
	}{
		{"", 1, "", ""},
		{"abc", 3, "abc", "abc"},
		{" abc ", 5, " abc ", " abc "},
		{"abcd", 3, "ab…", "ab…"},
		{"abcd", 1, "…", "…"},
		{"ab cd ef", 7, "ab cd…", "ab cd…"},
		{"ab cd ef", 6, "ab cd…", "ab…"},
		{"ab cd ef", 4, "ab…", "ab…"},
		{" abcdef", 4, "ab…", " ab…"},
		{"日本語日本語", 4, "日本語…", "日本語…"},
		{"a\xffbc", 3, "a\uFFFD…", "a\uFFFD…"},
	} {
		if got := text.Cut(c.s, c.n); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.s, c.n, got, c.want)
		}
		if got := text.CutAtWord(c.s, c.n); got != c.word {
			t.Errorf("CutAtWord(%q, %d) = %q, want %q", c.s, c.n, got, c.word)
		}
	}
}

// prose draws texts with many blanks, and bytes that are not valid UTF-8.
var prose = rapid.Custom(func(t *rapid.T) string {
	part := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{" ", "  ", "\n", "\xff", "é", "e\u0301", "😀"}))
	return strings.Join(rapid.SliceOfN(part, 0, 8).Draw(t, "parts"), "")
})

func TestCut_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := prose.Draw(t, "s"), rapid.IntRange(1, 40).Draw(t, "n")
		first := text.First(s, n)
		if !strings.HasPrefix(s, first) || utf8.RuneCountInString(first) != min(n, utf8.RuneCountInString(s)) {
			t.Errorf("First(%q, %d) = %q", s, n, first)
		}
		for name, cut := range map[string]func(string, int) string{"Cut": text.Cut, "CutAtWord": text.CutAtWord} {
			got := cut(s, n)
			short, isCut := strings.CutSuffix(got, "…")
			switch {
			case utf8.RuneCountInString(s) <= n:
				if got != s {
					t.Errorf("%s(%q, %d) = %q, want the text", name, s, n, got)
				}
			case utf8.RuneCountInString(got) > n, !isCut, !utf8.ValidString(got):
				t.Errorf("%s(%q, %d) = %q, want %d characters that end in an ellipsis", name, s, n, got, n)
			case !strings.Contains(string([]rune(s)), short):
				t.Errorf("%s(%q, %d) = %q, which the text does not have", name, s, n, got)
			case cut(got, n) != got:
				t.Errorf("%s(%q, %d) = %q, and again %q", name, s, n, got, cut(got, n))
			}
		}
		if cut := text.Cut(s, n); cut != s && strings.TrimSpace(cut) != cut {
			t.Errorf("Cut(%q, %d) = %q with blanks around", s, n, cut)
		}
	})
}

func TestWords(t *testing.T) {
	got := text.Words(" on-call & 24\thours\n— ½ été ")
	if want := []string{"on-call", "24", "hours", "½", "été"}; !slices.Equal(got, want) {
		t.Errorf("Words = %q, want %q", got, want)
	}
}
