package match

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"earshot/shared/text/fold"
)

// Names returns the ways in which handles and hosts write a keyword, folded: see names. Whoever indexes texts finds a
// whole-word keyword's candidates by its text and by these.
func Names(text string) []string {
	ways := names(CasedForm(text), Form(text))
	for i, way := range ways {
		ways[i] = Form(way)
	}
	return ways
}

// names returns the ways in which handles and hosts write a name. Blanks are left out or become hyphens or underlines,
// signs are left out, and accents stay or go. "Café Noir" gives cafénoir, cafenoir, café-noir, cafe-noir, café_noir and
// cafe_noir. A domain is also written as it is. text is normalised, and folded is its folded form. A name whose signs
// carry its meaning ("C++", "#acme", ".NET") has no such ways.
func names(text, folded string) []string {
	var words []string
	word := strings.Builder{}
	letters := 0
	for i, r := range text + " " {
		switch {
		case unicode.In(r, unicode.L, unicode.M, unicode.Nd):
			word.WriteRune(r)
			letters++
		case strings.ContainsRune(" -/_", r):
			if word.Len() > 0 {
				words = append(words, word.String())
				word.Reset()
			}
		case i > 0 && strings.ContainsRune(".,&!'’:·", r):
		default:
			return nil
		}
	}
	if letters == 0 {
		return nil
	}
	var ways []string
	if registered, _ := registrable([]byte(folded)); registered >= 0 {
		ways = append(ways, text)
	}
	for _, between := range []string{"", "-", "_"} {
		way := strings.Join(words, between)
		for _, way := range []string{way, withoutAccents(way)} {
			if !slices.Contains(ways, way) {
				ways = append(ways, way)
			}
		}
	}
	return ways
}

// withoutAccents removes the marks from Latin letters, as registrars and platforms do that accept ASCII alone. Marks of
// other scripts belong to their letters.
func withoutAccents(s string) string {
	if fold.ASCII(s) {
		return s
	}
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
	if plain == "" || !fold.ASCII(plain) {
		return s
	}
	return plain
}
