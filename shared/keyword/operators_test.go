package keyword_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/shared/keyword"
)

func TestOperators(t *testing.T) {
	for _, c := range []struct {
		text, suggestion, alternatives, excludeWords string // lists joined by |
	}{
		{`"acme cloud"`, "acme cloud", "", ""},
		{`"acme cloud" -cartoon`, "acme cloud", "", "cartoon"},
		{`“acme cloud” –cartoon`, "acme cloud", "", "cartoon"},
		{`„acme“`, "acme", "", ""},
		{`«acme»`, "acme", "", ""},
		{`'acme cloud'`, "acme cloud", "", ""},
		{`‘acme’`, "acme", "", ""},
		{`"acme`, "acme", "", ""},
		{`27" monitor`, "27 monitor", "", ""},
		{`"acme" "cloud"`, "acme cloud", "", ""},
		{`acme OR "acme inc"`, "acme", "acme inc|", ""},
		{`acme OR lantern`, "acme", "lantern|acme or lantern", ""},
		{`acme AND cloud`, "acme cloud", "acme|acme and cloud", ""},
		{`Rock AND Roll`, "Rock Roll", "Rock|Rock and Roll", ""},
		{`(acme OR lantern) AND cloud`, "acme cloud", "lantern cloud|acme|lantern", ""},
		{`acme cloud OR lantern page`, "acme cloud", "lantern page|acme cloud or lantern page", ""},
		{`acme -(cartoon OR "road runner")`, "acme", "", "cartoon|road runner"},
		{`acme AND NOT cartoon`, "acme", "", "cartoon"},
		{`acme NOT cartoon -film`, "acme", "", "cartoon|film"},
		{`acme -"two words"`, "acme", "", "two words"},
		{`acme --verbose`, "acme", "", "verbose"},
		{`acme -cartoon -Cartoon`, "acme", "", "cartoon"},
		{`-cartoon`, "", "", "cartoon"},
		{`-"two words"`, "", "", "two words"},
		{`""`, "", "", ""},
		{`+acme`, "acme", "", ""},
		{`+acme +cloud`, "acme cloud", "", ""},
		{`acme +"road runner"`, "acme road runner", "", ""},
		{`+1`, "1", "", ""},
		{`ac*me`, "acme", "", ""},
		{`acme * cloud`, "acme cloud", "", ""},
		{`acme* cloud`, "acme cloud", "", ""},
		{`"acme*"`, "acme", "", ""},
		{`AND`, "", "", ""},
		{`OR`, "", "", ""},
		{`"AND"`, "", "", ""},
		{`(+AND -"OR")`, "", "", ""},
		{`+`, "", "", ""},
		{`-`, "", "", ""},
		{`--`, "", "", ""},
		{`*`, "", "", ""},
		{`"`, "", "", ""},
		{`'`, "", "", ""},
		{`''`, "", "", ""},
		{`+ "-" *`, "", "", ""},
		{`"+"`, "", "", ""},
		{`(-)`, "", "", ""},
		{`"," | ";"`, "", "", ""},
		{`-foo`, "", "", "foo"},
		{`-foo -"-"`, "", "", "foo"},
		{`"-" OR acme`, "acme", "", ""},
		{`acme OR "+"`, "acme", "", ""},
		{`acme -"+"`, "acme", "", ""},
		{`OR acme`, "acme", "or acme", ""},
		{`AND Digital`, "Digital", "and Digital", ""},
		{`acme OR`, "acme", "acme or", ""},
		{`acme OR ACME`, "acme", "acme or ACME", ""},
		{`((acme OR`, "acme", "", ""},
		{`) acme OR lantern`, "acme", "lantern", ""},
		{`"acme AND cloud"`, "acme and cloud", "", ""},
		{`"-acme"`, "acme", "", ""},
		{`'acme' OR 'acme inc'`, "acme", "acme inc", ""},
		{`“acme” OR ‘lantern page’`, "acme", "lantern page", ""},
		{`'acme cloud' -cartoon`, "acme cloud", "", "cartoon"},
		{`acme -'road runner'`, "acme", "", "road runner"},
		{`('acme' OR 'road runner') -film`, "acme", "road runner", "film"},
		{`'don't stop' -film`, "don't stop", "", "film"},
		{`Guns 'n' Roses -tribute`, "Guns 'n' Roses", "", "tribute"},
		{`'tis OR 'til dawn`, "'tis", "'til dawn|'tis or 'til dawn", ""},
		{`''acme''`, "acme", "", ""},
		{`'a' OR 'b'`, "a", "b", ""},
		{`"acme", "acme inc"`, "acme", "acme inc", ""},
		{`"acme","lantern page";"road runner"`, "acme", "lantern page|road runner", ""},
		{`"acme" | "lantern page"`, "acme", "lantern page", ""},
		{`'acme','lantern page'`, "acme", "lantern page", ""},
		{`acme, "lantern page"`, "acme", "lantern page", ""},
		{`acme -cartoon, -film; -"road runner"`, "acme", "", "cartoon|film|road runner"},
		{`acme OR lantern || runner`, "acme", "lantern|runner|acme or lantern || runner", ""},
		{`Acme, Inc. OR Lantern`, "Acme, Inc.", "Lantern|Acme, Inc. or Lantern", ""},
		{`"acme cloud"~5 -film`, "acme cloud", "", "film"},
		{`acme —cartoon`, "acme", "", "cartoon"},
		{`＋acme`, "acme", "", ""},
	} {
		found, suggestion, alternatives, excludeWords := keyword.Operators(c.text)
		if !found || suggestion != c.suggestion ||
			strings.Join(alternatives, "|") != strings.TrimSuffix(c.alternatives, "|") ||
			strings.Join(excludeWords, "|") != c.excludeWords {
			t.Errorf("%s: %v %q, %q, %q", c.text, found, suggestion, alternatives, excludeWords)
		}
	}
}

// Names that have such signs, and need them.
func TestOperators_None(t *testing.T) {
	for _, text := range []string{
		"acme", "e-mail", "C++", "C#", "AT&T", "a-b", "rock'n'roll", "Guns 'n' Roses", "O'Reilly", "'til dawn",
		"rock and roll", "trick or treat",
		"And", "Or", "ANDROID", "ORACLE", "BRAND", "NOT A HOTEL", "Notion - docs", "A + B", "Canal+", "Canal +",
		"Disney+ Hotstar", "-_-", ":-)", ",", "()", "|",
		"acme*", "*acme", "5 * ", "ANDy", "-&-", "Acme (UK)", "acme-", "acme -", ".NET", "@acme", "#acme", "acme.com", "a/b",
		"Yahoo!", "日本語", "5°", "100%", "1-2-3",
		"Müller & Söhne", "x–y", "R&D AND-ish", "ANDOR", "", "Notion — docs", "acme | lantern", "Acme, Inc.", "rock -'",
		"Ben 'n' Jerry", "the 'real' thing",
	} {
		if found, suggestion, _, _ := keyword.Operators(text); found {
			t.Errorf("%q is refused for %q", text, suggestion)
		}
	}
}

// What is offered can be taken.
func TestOperators_Acceptable(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"acme", "a", "Ü", "AND", "OR", "NOT", "and", "-", "+", "–", "*", "\"", "“",
		"”", "'", "’", "(", ")", ",", ";", "|", "~", "—", " ", " ", " ", "\u00a0", "@", "#", "$", "5", ".", "‐"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(pieces, 0, 30).Draw(t, "pieces"), "")
		found, suggestion, alternatives, excludeWords := keyword.Operators(text)
		if !found {
			if suggestion != "" || alternatives != nil || excludeWords != nil {
				t.Fatalf("%q: something for nothing", text)
			}
			return
		}
		if suggestion == "" && len(alternatives) > 0 {
			t.Fatalf("%q: no suggestion, but %q", text, alternatives)
		}
		offered := append(append([]string{}, alternatives...), excludeWords...)
		if suggestion != "" {
			offered = append(offered, suggestion)
		}
		for _, one := range offered {
			if again, _, _, _ := keyword.Operators(one); again || one == "" || one != strings.TrimSpace(one) ||
				utf8.RuneCountInString(one) > utf8.RuneCountInString(text) {
				t.Fatalf("%q: %q is offered", text, one)
			}
		}
	})
}

func FuzzOperators(f *testing.F) {
	for _, seed := range []string{`"acme cloud" -cartoon`, `(a OR b) AND -(c d)`, `ac*me`, "'a'", "\xff\"", "-(-(-a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.RuneCountInString(text) > keyword.MaxText {
			return
		}
		_, suggestion, alternatives, excludeWords := keyword.Operators(text)
		for _, one := range append(append(alternatives, excludeWords...), suggestion) {
			if again, _, _, _ := keyword.Operators(one); again {
				t.Errorf("%q: %q is offered", text, one)
			}
		}
	})
}
