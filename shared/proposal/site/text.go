package site

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"earshot/shared/match"
	"earshot/shared/proposal"
)

// Characters that are taken of a heading or a link's text, and of a paragraph.
const (
	maxHeading   = 300
	maxParagraph = 600
)

// clean makes a text of a page fit for a profile: valid, composed (Unicode's NFC, as people type), of characters that
// show, runs of blanks one, at most so many characters, cut at a word's end where there is one. What turns the
// direction of writing, hides, or is no character is left out.
func clean(text string, most int) string {
	// Beyond this much of it nothing is shown, whatever is left out before.
	if longest := 8*most + 256; len(text) > longest {
		text = text[:longest]
	}
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case r == '\u200c' || r == '\u200d': // joiners, which Persian and Indian scripts spell with
			return r
		case r == unicode.ReplacementChar || !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	runes := []rune(strings.Join(strings.Fields(norm.NFC.String(text)), " "))
	if len(runes) <= most {
		return string(runes)
	}
	cut := runes[:most]
	if at := lastSpace(runes[:most+1]); at > most/2 {
		cut = cut[:at]
	}
	return strings.TrimSpace(string(cut))
}

func lastSpace(runes []rune) int {
	for i := len(runes) - 1; i >= 0; i-- {
		if runes[i] == ' ' {
			return i
		}
	}
	return -1
}

// names are texts as a list of names: each once, none of those that are left out, at most proposal.MaxProfileTerms.
// What is longer than a name is none. Never nil.
func names(texts []string, without ...string) []string {
	list := []string{}
	seen := map[string]bool{"": true}
	for _, w := range without {
		seen[match.Form(w)] = true
	}
	for _, text := range texts {
		name := strings.TrimFunc(
			clean(text, proposal.MaxProfileName+1),
			func(r rune) bool { return strings.ContainsRune(" ,;:|·•–—\"“”«»→›", r) },
		)
		form := match.Form(name)
		if len([]rune(name)) > proposal.MaxProfileName || seen[form] || !strings.ContainsFunc(name, unicode.IsLetter) ||
			strings.Contains(name, "://") {
			continue
		}
		seen[form] = true
		if list = append(list, name); len(list) == proposal.MaxProfileTerms {
			break
		}
	}
	return slices.Clip(list)
}

// joined is a name without what names are written with and without: "Acme-Cloud" and "acme cloud" are one.
func joined(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// first is the first text that is not blank.
func first(texts ...string) string {
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}

// segments are the parts of a title, which sites join by signs of all kinds.
func segments(title string) []string {
	var parts []string
	for _, part := range strings.FieldsFunc(title, func(r rune) bool { return strings.ContainsRune("|·•—»›｜【】", r) }) {
		for _, sign := range []string{" :: ", " - ", " – ", ": ", "："} {
			part = strings.ReplaceAll(part, sign, "|")
		}
		for _, piece := range strings.Split(part, "|") {
			if piece = strings.TrimSpace(piece); piece != "" {
				parts = append(parts, piece)
			}
		}
	}
	return parts
}

// capital writes a word with a capital letter.
func capital(word string) string {
	runes := []rune(word)
	if len(runes) > 0 {
		runes[0] = unicode.ToUpper(runes[0])
	}
	return string(runes)
}

// cased says whether a word begins as names do: with a capital letter or a digit, or with a letter of a script that has
// no capitals.
func cased(word string) bool {
	for _, r := range word {
		return unicode.IsUpper(r) || unicode.IsDigit(r) || unicode.IsLetter(r) && !unicode.IsLower(r)
	}
	return false
}
