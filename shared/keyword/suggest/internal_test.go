package suggest

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"earshot/shared/keyword"
)

// To add a case, write a text and the words of it that may be proposed.
func TestCut(t *testing.T) {
	for text, want := range map[string]string{
		"Hello, World! a 2024 v2":           "Hello World v2",
		"it's https://x.example/navy?q=sea": "https navy sea",
		"e\u0301te\u0301 naïve":             "été naïve",
		"सील वर्ष":                          "सील वर्ष",
		"日本語":                               "",
		"カタカナ です":                           "カタカナ",
		"a\u200bb sea\u00adl x\u202ey":      "",
		"\xff\xfe\x00":                      "",
		strings.Repeat("x", 41):             "",
		strings.Repeat("x", 40):             strings.Repeat("x", 40),
	} {
		var got []string
		cut(text, func(word string) { got = append(got, word) })
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	long := 0
	cut(strings.Repeat("ab é ", 1<<16), func(string) { long++ })
	if long > readBytes {
		t.Errorf("%d words of a long text are read", long)
	}
}

func FuzzCut(f *testing.F) {
	f.Add("the navy\u200b seal's <b>")
	f.Fuzz(func(t *testing.T, text string) {
		cut(text, func(word string) {
			if !utf8.ValidString(word) || utf8.RuneCountInString(word) > mostLetters ||
				strings.ContainsAny(word, " \t\n\"'<>&@*\x00") {
				t.Errorf("%q of %q", word, text)
			}
		})
	})
}

func TestIDs(t *testing.T) {
	a := NewID(7, AddExcludeWords, []string{"Navy", "war"})
	for _, other := range []string{NewID(7, AddExcludeWords, []string{"war", " navy"})} {
		if a != other || !IsID(a) {
			t.Errorf("%s and %s", a, other)
		}
	}
	for _, other := range []string{NewID(8, AddExcludeWords, []string{"navy", "war"}),
		NewID(7, AddTerms, []string{"navy", "war"}), NewID(7, AddExcludeWords, []string{"navywar"}),
		NewID(7, AddExcludeWords, []string{"navy"})} {
		if a == other {
			t.Errorf("%s is of two findings", a)
		}
	}
}

// Turning a platform off leaves the others, and never none: no list means all.
func TestPlatforms_Left(t *testing.T) {
	off := func(platform string) Suggestion { return Suggestion{Type: DisableSource, Values: []string{platform}} }
	k := keyword.Keyword{}
	if !off("bluesky").Apply(&k) || slices.Contains(k.Platforms, "bluesky") || slices.Contains(k.Platforms, "firehose") ||
		len(k.Platforms) != len(keyword.Platforms())-2 {
		t.Errorf("%v", k.Platforms)
	}
	if off("bluesky").Apply(&k) || !off("bluesky").InPlace(k) {
		t.Errorf("%v", k.Platforms)
	}
	k.Platforms = []string{"reddit", "reddit_comment"}
	if !off("reddit").Apply(&k) || len(k.Platforms) != 1 || off("reddit_comment").Apply(&k) ||
		off("reddit_comment").InPlace(k) || len(k.Platforms) != 1 {
		t.Errorf("%v", k.Platforms)
	}
}

// More terms beside those of which any is enough would let more in; of several that were found together, all would be too many.
func TestTerms_Narrow(t *testing.T) {
	two := Suggestion{Type: AddTerms, Values: []string{"door", "gasket"}}
	for _, k := range []keyword.Keyword{{AdditionalTerms: []string{"car"}, AdditionalTermsLogic: keyword.Any},
		{AdditionalTermsLogic: keyword.All}} {
		if two.Apply(&k) || len(k.AdditionalTerms) > 1 {
			t.Errorf("%+v", k)
		}
	}
}
