package site

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"
)

// own knows what belongs to the company whose domain it is.
type own struct {
	domain string
	label  string   // the part of the domain that its owner chose, as people read it
	keys   []string // the joined names that the label may stand for
	sites  []string // registered domains
}

// Words that companies put around their names where the name alone was taken: getacme.com, acmehq.com.
var (
	before = []string{"get", "try", "use", "join", "go", "my", "the", "hello", "hey", "with", "we", "meet", "team"}
	after  = []string{
		"hq", "app", "io", "labs", "inc", "ai", "dev", "team", "co", "software", "tech", "group", "cloud", "hub",
	}
)

// leastKey is how many characters a name has at least to be found inside another.
const leastKey = 3

func owner(p Page, domain string) own {
	o := own{domain: domain, label: label(domain), sites: []string{registered(domain)}}
	o.keys = []string{joined(o.label)}
	for _, word := range before {
		o.key(strings.TrimPrefix(o.keys[0], word))
	}
	for _, word := range after {
		o.key(strings.TrimSuffix(o.keys[0], word))
	}
	if at, err := url.Parse(p.URL); err == nil && at.Hostname() != "" && !isNetwork(at.Hostname()) {
		o.sites = append(o.sites, registered(strings.ToLower(at.Hostname())))
	}
	return o
}

func (o *own) key(name string) {
	if utf8.RuneCountInString(name) >= leastKey && !slices.Contains(o.keys, name) {
		o.keys = append(o.keys, name)
	}
}

// label is what of a domain its owner chose, as people read it.
func label(domain string) string {
	name, _, _ := strings.Cut(registered(domain), ".")
	if shown, err := idna.ToUnicode(name); err == nil {
		name = clean(shown, 100)
	}
	return name
}

func registered(host string) string {
	name, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return host
	}
	return name
}

// site says whether a host is of the company's.
func (o own) site(host string) bool {
	return host != "" && slices.Contains(o.sites, registered(strings.ToLower(strings.TrimSuffix(host, "."))))
}

// named says whether a name is what the domain says, in other letters.
func (o own) named(name string) bool {
	return slices.ContainsFunc(spellings(name), func(written string) bool { return slices.Contains(o.keys, written) })
}

// start is the beginning of a text, in whole words, that is what the domain says: of "Quiet Harbor Blog" the first two.
// Empty: it begins otherwise.
func (o own) start(text string) string {
	words := strings.Fields(text)
	for n := range min(len(words), mostWords) {
		if name := strings.Join(words[:n+1], " "); o.named(name) {
			return strings.TrimRight(name, " ,:;–-")
		}
	}
	return ""
}

// mostSearched is how many words of a text are looked through for a name.
const mostSearched = 100

// inside is the part of a text, in whole words, that is what the domain says: "Acme" of "Welcome to Acme's site". An
// address or a handle is none.
func (o own) inside(said string) string {
	words := strings.Fields(said)
	words = words[:min(len(words), mostSearched)]
	longest := 0
	for _, key := range o.keys {
		longest = max(longest, len(key))
	}
	if !slices.ContainsFunc(spellings(strings.Join(words, "")), func(written string) bool {
		return slices.ContainsFunc(o.keys, func(key string) bool { return key != "" && strings.Contains(written, key) })
	}) {
		return ""
	}
	for from := range words {
		if strings.ContainsAny(words[from], "@/") {
			continue
		}
		for n := 1; n <= min(len(words)-from, mostWords); n++ {
			name := strings.TrimFunc(strings.Join(words[from:from+n], " "), func(c rune) bool {
				return punctuation(c) && c != ')' || c == '©' || c == '®' || c == '™'
			})
			name = strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "’s")
			if o.named(name) {
				return name
			}
			if len(name) > 2*longest+mostWords {
				break
			}
		}
	}
	return ""
}

// Domains have few letters: ä is ae in Germany and a elsewhere.
var (
	german = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "æ", "ae", "ø", "oe", "å", "aa")
	plain  = strings.NewReplacer("ß", "ss", "æ", "ae", "ø", "o", "ł", "l", "đ", "d", "ı", "i")
)

// spellings are the joined forms of a name as domains write it. They spell an ampersand out.
func spellings(name string) []string {
	written := joined(name)
	bare := strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, norm.NFD.String(plain.Replace(written)))
	all := []string{written, german.Replace(written), bare}
	if strings.Contains(name, "&") {
		for _, and := range []string{"and", "und", "et", "y", "e", "en", "i"} {
			all = append(all, joined(strings.ReplaceAll(name, "&", " "+and+" ")))
		}
	}
	return all
}

// related says whether a name has to do with the domain's: one holds the other, or the domain is its initials.
func (o own) related(name string) bool {
	for _, written := range spellings(name) {
		if slices.ContainsFunc(o.keys, func(key string) bool { return holds(written, key) || holds(key, written) }) {
			return true
		}
	}
	words := strings.Fields(name)
	if len(words) < leastKey {
		return false
	}
	initials := ""
	for _, word := range words {
		r, _ := utf8.DecodeRuneInString(joined(word))
		initials += string(r)
	}
	return slices.Contains(o.keys, initials)
}

// lengthens reports whether the domain is a name with a hyphen and more words behind it.
func (o own) lengthens(name string) bool {
	return slices.ContainsFunc(spellings(name), func(written string) bool {
		for at, c := range o.label {
			if c == '-' && utf8.RuneCountInString(written) >= leastKey && joined(o.label[:at]) == written {
				return true
			}
		}
		return false
	})
}

// begins reports whether the domain is the first of a name's words with two or three letters behind it: "Emberfall
// Therapeutics" of emberfalltx.com.
func (o own) begins(name string) bool {
	words := strings.Fields(name)
	return len(words) > 1 && slices.ContainsFunc(spellings(words[0]), func(written string) bool {
		behind, found := strings.CutPrefix(o.label, written)
		return found && len(written) > leastKey && len(behind) > 1 && len(behind) <= leastKey
	})
}

// shortens reports whether the words of the domain, of which there are several, begin the words of a longer name.
func (o own) shortens(name string) bool {
	parts, words := strings.Split(o.label, "-"), strings.Fields(name)
	if len(parts) < 2 || len(parts) != len(words) || slices.Contains(spellings(name), joined(o.label)) {
		return false
	}
	for i, part := range parts {
		if utf8.RuneCountInString(part) < leastKey || !slices.ContainsFunc(spellings(words[i]), func(word string) bool {
			return strings.HasPrefix(word, joined(part))
		}) {
			return false
		}
	}
	return true
}

// holds says whether a joined name has another in it; a short one only at an end, since it is in many words.
func holds(whole, part string) bool {
	switch n := utf8.RuneCountInString(part); {
	case whole == part:
		return part != ""
	case n < leastKey:
		return false
	case n == leastKey:
		return strings.HasPrefix(whole, part) || strings.HasSuffix(whole, part)
	}
	return strings.Contains(whole, part)
}

// path is where a link leads on the company's own site, as its parts in lower case, with a language or a country at its
// beginning left out; false: it leads elsewhere, or is no address.
func (o own) path(href string) ([]string, bool) {
	at, err := url.Parse(href)
	if err != nil || at.Opaque != "" || at.Scheme != "" && at.Scheme != "https" && at.Scheme != "http" ||
		at.Host != "" && !o.site(at.Hostname()) {
		return nil, false
	}
	parts := strings.Split(strings.Trim(strings.ToLower(at.Path), "/"), "/")
	for len(parts) > 1 && (parts[0] == "." || parts[0] == "..") { // "./games"
		parts = parts[1:]
	}
	if len(parts) > 1 && locale(parts[0]) {
		parts = parts[1:]
	}
	return parts, parts[0] != ""
}
