package words_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/shared/judge/words"
)

// shown writes words as text[kind][before][^ at the beginning of a sentence][end].
func shown(cut []words.Word) string {
	var out []string
	for _, w := range cut {
		text := w.Text
		switch w.Kind {
		case words.Number:
			text += "#"
		case words.Link:
			text += "@link"
		}
		if w.Before != 0 {
			text = string(w.Before) + text
		}
		if w.Starts {
			text = "^" + text
		}
		if w.Upper {
			text += "!"
		}
		if w.Ends != 0 {
			text += strings.ReplaceAll("<"+string(w.Ends)+">", "\n", "nl")
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func TestCut(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		" \t\n":                          "",
		"Hello, World!":                  "^hello<,> world<!>",
		"I don’t know":                   "^i don't know<nl>",
		"Apple's it":                     "^apple's it<nl>",
		"'quoted' words'":                "^quoted words<nl>",
		"Is it?! Yes... No":              "^is it<?> ^yes<.> ^no<nl>",
		"costs $1,299.50 now":            "^costs $1,299.50# now<nl>",
		"20% off. v2.0":                  "^20#<%> off<.> ^v2<.> ^0#<nl>",
		"@ann #java USA":                 "^@ann #java usa!<nl>",
		"joe@acme.io a_@b":               "^joe acme<.> ^io a b<nl>",
		"(@ann) .@ann @ann_b: @_":        "^@ann<.> ^@ann @ann_b<nl>",
		"two\nlines":                     "^two<nl> ^lines<nl>",
		"see https://www.A.example/b?c.": "^see a.example@link<.>",
		"(www.a.example)":                "^a.example@link<nl>",
		"a<b>c":                          "^a b c<nl>",
		"Ärger über ẞ":                   "^ärger über ß<nl>",
		"日本語。はい":                         "^日本語<.> ^はい<nl>",
		"c++ c#":                         "^c c<nl>",
		"fast-paced":                     "^fast paced<nl>",
		"\xff\xfea":                      "^a<nl>",
		"https://":                       "^@link<nl>",
	} {
		if got := shown(words.Cut(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Cut reads at most MaxBytes and divides no character.
func TestCut_LongText(t *testing.T) {
	for _, text := range []string{strings.Repeat("é", 100_000), strings.Repeat("a b ", 100_000),
		strings.Repeat("a", words.MaxBytes-1) + "日本"} {
		size := 0
		for _, w := range words.Cut(text) {
			size += len(w.Text)
			if !utf8.ValidString(w.Text) {
				t.Errorf("%q", w.Text[len(w.Text)-8:])
			}
		}
		if size > words.MaxBytes {
			t.Errorf("%d bytes", size)
		}
	}
}

func TestCut_AnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-zA-Z0-9 .,!?'$%@#:/\n-]{0,80}`)).Draw(t, "text")
		cut := words.Cut(text)
		for i, w := range cut {
			if w.Kind != words.Link && w.Text == "" || strings.ContainsAny(w.Text, " \n\t\x00") {
				t.Fatalf("Cut(%q) has the word %q", text, w.Text)
			}
			if i == 0 && !w.Starts || i == len(cut)-1 && (w.Ends == 0 || w.Ends == ',') {
				t.Fatalf("Cut(%q) = %v, want words that begin and end a sentence", text, shown(cut))
			}
		}
	})
}

func TestCut_Capitals(t *testing.T) {
	cut := words.Cut("Ärger about iPhone, NASA and ßa @Delta 1A")
	for i, want := range []bool{true, false, false, true, false, false, true, false} {
		if cut[i].Capital != want {
			t.Errorf("Cut: %q begins with a capital: %v, want %v", cut[i].Text, cut[i].Capital, want)
		}
	}
}
