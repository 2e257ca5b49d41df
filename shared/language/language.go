// Package language is the vocabulary of languages: the full lowercase English name that a mention stores and shows, and
// the ISO 639-1 code by which a filter may ask for it. It links one small table and detects nothing;
// shared/judge/language detects. Any package may import it.
package language

import (
	"slices"
	"strings"

	"earshot/shared/mention"
)

// Names lists the names of all languages that have an ISO 639-1 code, sorted, each once. Undetermined is not one of
// them.
func Names() []string {
	names := make([]string, 0, len(codes))
	for _, c := range codes {
		if !folded(c.code) {
			names = append(names, c.name)
		}
	}
	slices.Sort(names)
	return names
}

// FromISO gives the name for an ISO 639-1 code, in any case, with or without a region or script after it ("pt-BR",
// "zh_Hant"). Codes that were withdrawn (iw, in, ji, mo) still name their language, and both written forms of Norwegian
// are norwegian.
func FromISO(code string) (name string, ok bool) {
	code = strings.ToLower(strings.TrimSpace(code))
	if cut := strings.IndexAny(code, "-_"); cut >= 0 {
		code = code[:cut]
	}
	i, found := slices.BinarySearchFunc(
		codes[:], code, func(c entry, code string) int { return strings.Compare(c.code, code) },
	)
	if !found {
		return "", false
	}
	return codes[i].name, true
}

// ISO gives the ISO 639-1 code of a name of Names.
func ISO(name string) (code string, ok bool) {
	for _, c := range codes {
		if c.name == name && !folded(c.code) {
			return c.code, true
		}
	}
	return "", false
}

// Parse gives the name that a person means: a name or another name for it (farsi, mandarin, castilian), an ISO 639-1
// code, or "undetermined", in any case and with blanks around it.
func Parse(text string) (name string, ok bool) {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	if text == mention.Undetermined || text == "und" {
		return mention.Undetermined, true
	}
	for _, c := range codes {
		if c.name == text {
			return text, true
		}
	}
	for _, o := range others {
		if o.code == text {
			return o.name, true
		}
	}
	return FromISO(text)
}

// CapitalNouns reports whether the language of a name writes every noun with a capital, so that a capital marks no
// name.
func CapitalNouns(name string) bool { return name == "german" || name == "luxembourgish" }

// folded says whether a code is a second one for its language.
func folded(code string) bool { return slices.Contains(second[:], code) }
