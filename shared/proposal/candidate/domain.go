package candidate

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"earshot/shared/match"
)

// A site is what a domain says of its owner.
type site struct {
	domain string // the name that was registered, as people read it: "müller.de" for www.xn--mller-kva.de
	ascii  string // the same as it is on the wire
	label  string // the part of domain that the owner chose
	host   string // the whole name, below which the site is
}

// siteOf reads a domain that workspace.ParseDomain answered. Of any other text it takes what a name of a host can have.
func siteOf(domain string) site {
	host := strings.Trim(strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return unicode.ToLower(r)
		}
		return -1
	}, domain[:min(len(domain), longest)]), ".-")
	registered, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil || strings.HasPrefix(registered, ".") {
		registered = host
	}
	s := site{domain: registered, ascii: registered, host: host}
	if unicode, err := idna.Display.ToUnicode(registered); err == nil && readable(unicode) {
		s.domain = unicode
	}
	s.label, _, _ = strings.Cut(s.domain, ".")
	return s
}

// of is the site of a company by its name. One that is called by a part of the host that somebody else registered has that
// host alone: "azure.cloud.example" for Azure, since most who link to cloud.example mean others.
func (s site) of(name string) site {
	const least = 3 // letters of a name that other words hardly have in them
	called := squeezed(name)
	if s.host == s.ascii || utf8.RuneCountInString(called) < least || s.calls(name) {
		return s
	}
	for label := range strings.SplitSeq(strings.TrimSuffix(s.host, "."+s.ascii), ".") {
		if strings.Contains(squeezed(label), called) {
			return site{domain: s.host, ascii: s.host, label: label, host: s.host}
		}
	}
	return s
}

// readable says whether a decoded name is of letters, marks and digits alone.
func readable(domain string) bool {
	return !strings.ContainsFunc(
		domain, func(r rune) bool { return r != '.' && r != '-' && !unicode.In(r, unicode.L, unicode.M, unicode.Nd) },
	)
}

// brand is the name that a domain suggests: "Acme Cloud" for acme-cloud.com, "DHL" for dhl.com.
func (s site) brand() string {
	words := strings.FieldsFunc(s.label, func(r rune) bool { return r == '-' })
	for i, word := range words {
		first, size := utf8.DecodeRuneInString(word)
		words[i] = string(unicode.ToUpper(first)) + word[size:]
		if initials(word) {
			words[i] = strings.ToUpper(word)
		}
	}
	return usable(strings.Join(words, " "))
}

// initials says whether a word of a domain can only be spelt out: it is short and of consonants.
func initials(word string) bool {
	const most = 4 // letters
	return len(word) > 1 && len(word) <= most &&
		!strings.ContainsFunc(word, func(r rune) bool { return !strings.ContainsRune("bcdfghjklmnpqrstvwxz", r) })
}

// named says whether a text is the domain itself: "monday.com" is both a name and a domain.
func (s site) named(text string) bool {
	form := strings.TrimPrefix(match.Form(text), "www.")
	return form != "" && (form == match.Form(s.domain) || form == match.Form(s.ascii))
}

// calls says whether a name has in it what the domain calls its owner, as it is on the wire: in one word, or in the
// words that hyphens join.
func (s site) calls(name string) bool {
	label, _, _ := strings.Cut(s.ascii, ".")
	return label != "" &&
		slices.ContainsFunc(
			[]string{label, strings.ReplaceAll(label, "-", " "), strings.ReplaceAll(label, "-", "")},
			func(way string) bool {
				return newWritten(name).has(newWritten(way))
			},
		)
}

// reddit is where a handle of Reddit is written: in posts and in comments.
var reddit = []string{"reddit", "reddit_comment"}

// platformsOf is where an account's handle is looked for: on its own platform, everywhere when that is none that a
// keyword can be narrowed to.
func platformsOf(platform string, known []string) []string {
	switch {
	case platform == "x" || platform == "x.com" || platform == "twitter.com":
		platform = "twitter"
	case platform == "reddit" || platform == "reddit_comment":
		return slices.Clone(reddit)
	}
	if slices.Contains(known, platform) {
		return []string{platform}
	}
	return nil
}
