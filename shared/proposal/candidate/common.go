package candidate

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"

	"earshot/shared/judge/dictionary"
	"earshot/shared/match"
	"earshot/shared/mention"
	"earshot/shared/proposal"
)

// Common reports whether a name is a word that people use for something else as well, so that it is not to be tracked
// by itself (rule K2). Such a name is an English word that is no better known as a brand, a name of people, places or
// days, a reviewed word, an everyday word of any other language, or too short to be anybody's alone. Case says nothing,
// since it does not to the matcher: "LaTeX" finds latex. Signs that belong to a name make it another ("C++", ".NET",
// "Node.js", "monday.com"), those around it do not ("Box!", "The Box").
//
// Two words or more are none: people write them side by side seldom enough for the sample to tell.
func Common(text string) bool { return CommonIn(text) }

// CommonIn is Common where some languages are spoken besides English, by their names in shared/language: a word that one
// of them has is common, even if it is no everyday word.
func CommonIn(text string, languages ...string) bool {
	word := singleWord(text)
	if word == "" {
		return slices.Contains(abbreviated, bareWord(text))
	}
	return short(word) || listed(word) || dictionary.EverydayWord(word) || wordOf(word, languages) != ""
}

// abbreviated are the abbreviations with an "&" that everyone uses. Others are names: "AT&T", "H&M".
var abbreviated = []string{
	"b&b", "c&c", "d&d", "d&i", "f&b", "h&s", "k&r", "l&d", "m&a", "o&m", "p&l", "p&p", "q&a", "q&as",
	"r&b", "r&d", "r&r", "s&m",
	"s&p", "t&c", "t&cs", "t&e",
}

// WordOf returns the first of some languages that has a name for a word; empty if none has.
func WordOf(text string, languages ...string) string {
	word := singleWord(text)
	if word == "" {
		return ""
	}
	return wordOf(word, languages)
}

func wordOf(word string, languages []string) string {
	for _, one := range languages {
		if dictionary.Common(word, one) || dictionary.Rare(word, one) {
			return one
		}
	}
	return ""
}

// listed reports whether a word is one of English or of the reviewed ones.
func listed(word string) bool {
	return dictionary.Has(word) || slices.Contains(reviewedWords(), word)
}

// clearable reports whether no more than the frequency of a word in some language makes it common: names of companies
// of one country are as frequent there.
func clearable(text string, languages []string) bool {
	word := singleWord(text)
	if word == "" || short(word) || listed(word) || dictionary.EverydayWord(word) {
		return false
	}
	return wordOf(word, languages) != ""
}

const (
	// A language is spoken about a name if it is that of so many posts of its sample, and of such a share.
	spokenPosts, spokenShare = 3, 0.2
)

// Spoken lists the languages by which a name is read besides English: that of the company's site, and those of the
// sampled posts, which are counted by language.
func Spoken(site string, sampled map[string]int) []string {
	var languages []string
	total := 0
	for _, posts := range sampled {
		total += posts
	}
	for name, posts := range sampled {
		if name != site && posts >= spokenPosts && float64(posts) >= spokenShare*float64(total) {
			languages = append(languages, name)
		}
	}
	slices.Sort(languages)
	return slices.DeleteFunc(append([]string{site}, languages...), func(name string) bool {
		return name == "" || name == english || name == mention.Undetermined
	})
}

const english = "english"

// singleWord is the folded word of a name of one word, and empty for other names. "e-mail" is "email", while words that
// only hyphens join are seldom joined so.
func singleWord(text string) string {
	word := bareWord(text)
	if strings.ContainsFunc(word, func(r rune) bool { return strings.ContainsRune(" .+#@&/_", r) }) {
		return ""
	}
	return strings.ReplaceAll(word, "-", "")
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

// short reports whether a word is a number, or one of the 1,332 words of at most two Latin letters and digits. Each means
// many things, and a sign of a script that writes a word with one or two does not.
func short(word string) bool {
	if strings.Trim(word, "0123456789") == "" {
		return true
	}
	for i := range len(word) {
		if c := word[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return len(word) <= 2
}

// Class is the kind of name that a text is, by which a volume is guessed before it is measured. languages are spoken
// besides English: see CommonIn.
func Class(text string, languages ...string) proposal.Class {
	switch form := match.Form(text[:min(len(text), longest)]); {
	case strings.HasPrefix(form, "@"):
		return proposal.ClassHandle
	case isDomain(form):
		return proposal.ClassDomain
	case strings.Contains(bareWord(text), " "):
		return proposal.ClassPhrase
	case CommonIn(text, languages...):
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
