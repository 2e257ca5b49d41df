package candidate

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/text"
)

// maxCompany is how long a company's name is at most, in characters, so that it and a keyword fit into one context.
const maxCompany = 60

// longest is how many bytes of a text are read: several times what a profile holds, so that nobody pays for what no
// profile has.
const longest = 16 << 10

// clean is a text from a site as one line: bytes that are not UTF-8, controls and characters that show nothing are not
// there, and a run of white space is one blank.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case r == utf8.RuneError || unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs) && !joiner(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text[:min(len(text), longest)], ""))
	words := strings.Fields(text)
	for i, word := range words {
		// An accent of nothing, or what joins nothing, keeps the matcher from finding the word.
		words[i] = strings.TrimRightFunc(
			strings.TrimLeftFunc(word, func(r rune) bool { return unicode.IsMark(r) || joiner(r) }), joiner,
		)
	}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
}

// joiner is a sign within words, which are letters' own in Persian and in the scripts of India.
func joiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// name is a name as people write it in a post: as written, but without the signs that they leave out. It is empty when
// nothing remains that a post could have, or more than keyword.MaxText characters: a part of a name is another name.
func name(text string) string { return usable(withoutSigns(spelled(text))) }

// spelled is a name as its owner writes it: clean, without the operators that a keyword may not have (rule K5), without
// the tagline of a title and the legal form of a company.
func spelled(text string) string {
	text = withoutTagline(clean(text))
	if rest, ok := strings.CutPrefix(strings.ToLower(text), "https://"); ok {
		text = text[len(text)-len(rest):]
	} else if rest, ok := strings.CutPrefix(strings.ToLower(text), "http://"); ok {
		text = text[len(text)-len(rest):]
	}
	if rest, ok := strings.CutPrefix(strings.ToLower(text), "www."); ok && !strings.Contains(rest, " ") {
		text = text[len(text)-len(rest):]
	}
	return withoutLegalForm(clean(plain(strings.TrimRight(text, "/"))))
}

// withoutSigns is a name without what decorates its words: marks of exclamation and question ("Yahoo!"), marks of a
// trade ("Acme®"), pictures, and the points and commas at its end. Posts seldom have them, and the matcher finds "Yahoo!"
// by "Yahoo" as well. Signs that tell a name from another stay: "C++", "C#", ".NET", "AT&T", "Disney+", "7-Eleven".
func withoutSigns(name string) string {
	words := strings.Fields(name)
	for i, word := range words {
		if bare := strings.TrimFunc(word, decorates); bare != "" {
			words[i] = bare
		}
	}
	for len(words) > 1 && strings.TrimFunc(words[0], decorates) == "" {
		words = words[1:]
	}
	for len(words) > 1 && strings.TrimFunc(words[len(words)-1], decorates) == "" {
		words = words[:len(words)-1]
	}
	return strings.TrimRightFunc(strings.Join(words, " "), func(r rune) bool {
		return decorates(r) || strings.ContainsRune(" .,;:*。、", r)
	})
}

// decorates says whether a sign at a word's end is left out by those who write the name.
func decorates(r rune) bool {
	return strings.ContainsRune("!?¡¿！？‼⁉…", r) || unicode.In(r, unicode.So, unicode.Sk) && r > unicode.MaxASCII ||
		r == '\ufe0f' || r == '\u200d'
}

// usable is the text if a keyword can be of it, else empty.
func usable(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > longest || utf8.RuneCountInString(text) > keyword.MaxText ||
		!strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) ||
		match.Form(text) == "" {
		return ""
	}
	if found, _, _, _ := keyword.Operators(text); found {
		return ""
	}
	return text
}

// plain is a text without operators. What AND and OR join is a name here, and no question ("AND Digital").
func plain(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		if word == "AND" || word == "OR" {
			words[i] = strings.ToLower(word)
		}
	}
	text = strings.Join(words, " ")
	if utf8.RuneCountInString(text) > 4*keyword.MaxText {
		return "" // no name, whatever is taken from it
	}
	found, suggestion, _, _ := keyword.Operators(text)
	if found {
		return strings.TrimSpace(suggestion)
	}
	return text
}

// withoutTagline is what stands before the sign that sets a title's parts apart: "Acme" of "Acme | Hosting for teams".
func withoutTagline(text string) string {
	for _, sign := range []string{" | ", " – ", " — ", " · ", " • ", " » ", " :: "} {
		if before, _, found := strings.Cut(text, sign); found && strings.TrimSpace(before) != "" {
			text = before
		}
	}
	return strings.TrimSpace(text)
}

// legalForm is the legal form at a company's name's end, which people leave out. Those that are words too need the
// comma or the point.
var legalForm = text.NewPattern(
	`(?i)(?:,? (?:incorporated|inc\.?|l\.?l\.?c\.?|ltd\.?|limited|co\.|gmbh(?: & co\.? kg)?|s\.a\.(?:s\.|r\.l\.)?|sarl|sàrl|b\.v\.|n\.v\.|pty(?:\.? ltd\.?)?|` +
		`plc|corp\.?|corporation|kgaa|e\.k\.|oy|oyj|aps|a/s|s\.p\.a\.|srl|s\.r\.l\.|k\.k\.|pvt\.?(?: ltd\.?)?|d\.o\.o\.)|, (?:co\.?|ag|ab|as|sa|se|bv|nv|ug))$`,
)

// shapedForm are forms whose letters are a word in another case ("Metro AG").
var shapedForm = text.NewPattern(` (?:AG|AB|AS|SA|SAS|SE|BV|NV|UG|KG|KK|SpA)$`)

func withoutLegalForm(name string) string {
	if !strings.ContainsFunc(name, unicode.IsSpace) { // there is one before a legal form
		return strings.TrimRight(name, ", ")
	}
	if before, inside, found := strings.Cut(strings.TrimSuffix(name, ")"), " ("); found &&
		strings.HasSuffix(name, ")") {
		if withoutLegalForm("X "+inside) == "X" { // "Otto (GmbH & Co KG)"
			name = before
		}
	}
	for range 2 { // "Acme Co., Ltd."
		shorter := strings.TrimSpace(shapedForm.ReplaceAllString(legalForm.ReplaceAllString(name, ""), ""))
		if shorter == "" || shorter == name {
			break
		}
		name = shorter
	}
	return strings.TrimRight(name, ", ")
}

// cut is at most so many characters of a text, to the end of a word if there is one.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	if most <= 0 {
		return ""
	}
	runes := []rune(text)
	short := string(runes[:most])
	if runes[most] != ' ' {
		if at := strings.LastIndexByte(short, ' '); at > 0 {
			short = short[:at]
		}
	}
	return strings.TrimRight(short, " ,;:-–—")
}

// A named is a usable text of a list, with the place that it has in the profile, from 1.
type named struct {
	text  string
	place int
}

// names are the texts of a list that can be tracked, each once, and what cannot be, as it can be shown.
func names(texts []string) (usable []named, unusable []string) {
	for i, text := range texts {
		one := name(text)
		if one == "" {
			if shown := clean(text); shown != "" {
				unusable = append(unusable, cut(shown, maxCompany))
			}
			continue
		}
		if !slices.ContainsFunc(usable, func(other named) bool { return match.Form(other.text) == match.Form(one) }) {
			usable = append(usable, named{one, i + 1})
		}
	}
	return usable, unusable
}
