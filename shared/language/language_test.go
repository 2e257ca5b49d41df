package language_test

import (
	"slices"
	"strings"
	"testing"

	"earshot/shared/language"
	"earshot/shared/mention"
)

func TestFromISO(t *testing.T) {
	for code, want := range map[string]string{
		"en": "english", "EN": "english", " es ": "spanish", "zh": "chinese", "zh-Hant": "chinese", "pt_BR": "portuguese",
		"no": "norwegian", "nb": "norwegian", "nn": "norwegian", "iw": "hebrew", "he": "hebrew", "in": "indonesian",
		"mo": "romanian",
		"aa": "afar", "zu": "zulu",
		"": "", "xx": "", "e": "", "eng": "", "english": "", "-": "", "é": "",
	} {
		name, ok := language.FromISO(code)
		if name != want || ok != (want != "") {
			t.Errorf("FromISO(%q): %q, %v", code, name, ok)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"english": "english", "English": "english", "en": "english", "en-GB": "english",
		"  Haitian   Creole ": "haitian creole",
		"farsi":               "persian", "Mandarin": "chinese", "castilian": "spanish", "flemish": "dutch",
		"filipino":         "tagalog",
		"slovene":          "slovenian",
		"norwegian bokmål": "norwegian", "undetermined": mention.Undetermined, "UND": mention.Undetermined,
		"": "", "klingon": "", "engl": "", "en glish": "",
	} {
		name, ok := language.Parse(text)
		if name != want || ok != (want != "") {
			t.Errorf("Parse(%q): %q, %v", text, name, ok)
		}
	}
}

// Every name has one code, comes back from it, and is written as a mention shows it.
func TestNamesAndCodesAreInverse(t *testing.T) {
	names := language.Names()
	if len(names) != 181 || !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("%d names, sorted %v", len(names), slices.IsSorted(names))
	}
	for _, name := range names {
		code, ok := language.ISO(name)
		back, found := language.FromISO(code)
		if !ok || !found || back != name || len(code) != 2 {
			t.Errorf("%s: code %q names %q", name, code, back)
		}
		if parsed, ok := language.Parse(code); !ok || parsed != name {
			t.Errorf("%s: its code %q reads as %q", name, code, parsed)
		}
		if parsed, ok := language.Parse(strings.ToUpper(name)); !ok || parsed != name {
			t.Errorf("%s: reads as %q", name, parsed)
		}
		if name != strings.ToLower(name) {
			t.Errorf("%s is not lowercase", name)
		}
	}
	for _, bad := range []string{"", "klingon", "English", mention.Undetermined} {
		if code, ok := language.ISO(bad); ok {
			t.Errorf("ISO(%q): %q", bad, code)
		}
	}
}

// The two letters of every code of a platform's API are found, and nothing else is.
func TestEveryPairOfLetters(t *testing.T) {
	known := 0
	for a := byte('a'); a <= 'z'; a++ {
		for b := byte('a'); b <= 'z'; b++ {
			if name, ok := language.FromISO(string([]byte{a, b})); ok {
				known++
				if _, ok := language.ISO(name); !ok {
					t.Errorf("%c%c is %s, which has no code", a, b, name)
				}
			}
		}
	}
	if known != 187 {
		t.Errorf("%d codes", known)
	}
}

func TestCapitalNouns(t *testing.T) {
	for name, want := range map[string]bool{"german": true, "luxembourgish": true, "english": false, "": false} {
		if got := language.CapitalNouns(name); got != want {
			t.Errorf("CapitalNouns(%q) = %v, want %v", name, got, want)
		}
	}
}
