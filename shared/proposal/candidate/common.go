package candidate

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"

	"earshot/shared/judge/dictionary"
	"earshot/shared/match"
	"earshot/shared/proposal"
)

// Common says whether a name is a word that people use for something else as well, so that it is not to be tracked by
// itself (rule K2): an English word that is no better known as a brand, what people, places and days are called, a word
// of the reviewed ones, or too short to be anybody's alone. Case says nothing, since it does not to the matcher:
// "LaTeX" finds latex. Signs that belong to a name make it another ("C++", ".NET", "Node.js", "monday.com"), those
// around it do not ("Box!", "The Box").
//
// Two words or more are none: people write them side by side seldom enough for the sample to tell.
func Common(text string) bool {
	word := bareWord(text)
	if word == "" || strings.ContainsFunc(word, func(r rune) bool { return strings.ContainsRune(" .+#@&/_", r) }) {
		return false
	}
	if digits := strings.Trim(word, "0123456789") == ""; digits || short(word) {
		return true
	}
	// "e-mail" is "email"; words that only hyphens join are seldom joined so.
	word = strings.ReplaceAll(word, "-", "")
	return dictionary.Has(word) || slices.Contains(reviewedWords(), word)
}

// bareWord is the folded text without what stands around a name: signs that say nothing, and an article.
func bareWord(text string) string {
	word := strings.TrimFunc(match.Form(text[:min(len(text), longest)]), func(r rune) bool {
		return unicode.IsSpace(r) || r < utf8.RuneSelf && unicode.IsPunct(r) && !strings.ContainsRune(".@#&/_", r) ||
			strings.ContainsRune("“”‘’«»…™®©", r)
	})
	word = strings.TrimRight(word, ".")
	for _, article := range []string{"the ", "a ", "an "} {
		if rest := strings.TrimPrefix(word, article); rest != word && !strings.Contains(rest, " ") {
			return rest
		}
	}
	return word
}

// short says whether a word of Latin letters and digits is one of the 1,332 that have at most two of them. Each means
// many things, and a sign of a script that writes a word with one or two does not.
func short(word string) bool {
	for i := range len(word) {
		if c := word[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return len(word) <= 2
}

// Class is the kind of name that a text is, by which a volume is guessed before it is measured.
func Class(text string) proposal.Class {
	switch form := match.Form(text[:min(len(text), longest)]); {
	case strings.HasPrefix(form, "@"):
		return proposal.ClassHandle
	case isDomain(form):
		return proposal.ClassDomain
	case strings.Contains(bareWord(text), " "):
		return proposal.ClassPhrase
	case Common(text):
		return proposal.ClassCommon
	}
	return proposal.ClassDistinctive
}

// isDomain says whether a folded text is the name of a host below a suffix under which names are registered.
func isDomain(form string) bool {
	if strings.ContainsFunc(
		form, func(r rune) bool { return r != '.' && r != '-' && !unicode.In(r, unicode.L, unicode.M, unicode.Nd) },
	) {
		return false
	}
	at := strings.LastIndexByte(form, '.')
	if at <= 0 || slices.Contains(strings.Split(form, "."), "") {
		return false
	}
	suffix, icann := publicsuffix.PublicSuffix(form)
	return suffix != form && (icann || strings.Contains(suffix, ".") || slices.Contains(reserved, form[at+1:]))
}

// reserved are the top-level names that stand for registered ones in documents and tests (RFC 2606, RFC 6762).
var reserved = []string{"example", "test", "local", "internal"}
