// Package recommend finds keywords that a workspace lacks: its company's name, domain and products, each as a keyword
// that finds what is meant. It never recommends a common word alone, but together with terms of which one must occur
// beside it. The rules are pure.
//
// The function organization imports it, reads its input and shows its results.
package recommend

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"earshot/shared/keyword"
	"earshot/shared/text"
	"earshot/shared/text/fold"
	"earshot/shared/workspace"
)

// A Lexicon knows common words: the rank of a word among them, 0 for the commonest; false for an unknown word.
type Lexicon interface {
	Rank(word string) (int, bool)
}

// A Recommendation is a keyword to create.
type Recommendation struct {
	ID      string          // the same for the same keyword
	Keyword keyword.Keyword // Text, Context, Tag, ExactMatch, AdditionalTerms and their logic
	Reason  string
}

// The constants of the rules.
const (
	common     = 40_000 // ranks: a word above is hardly used for anything but a name
	commonest  = 300    // ranks: words below make no phrase a name
	telling    = 1_000  // ranks: words below say nothing about a company
	maxAnchors = 12     // terms required with a common word
	minAnchor  = 4      // characters of a word from a description
	minName    = 3      // letters and digits of a name that is hardly used for anything else
)

// generic words occur with everything, so they exclude nothing as anchors.
var generic = []string{
	"app", "apps", "application", "business", "cloud", "company", "customer", "customers", "data", "digital", "online",
	"platform", "platforms", "product", "products", "service", "services", "software", "solution", "solutions",
	"system", "systems", "team", "teams", "technology", "tool", "tools", "users", "website",
}

// Of returns the keywords that a company should monitor in addition to its existing ones, its name first. It returns
// none for an empty profile.
func Of(c workspace.Company, existing []keyword.Keyword, words Lexicon) []Recommendation {
	r := recommender{company: c, words: words, known: map[string]bool{}, all: []Recommendation{}}
	for _, k := range existing {
		r.known[fold.Form(k.Text)] = true
	}
	r.name()
	r.domain()
	for _, product := range c.Products {
		r.product(product)
	}
	return r.all
}

type recommender struct {
	company workspace.Company
	words   Lexicon
	known   map[string]bool // keywords, in the form in which they compare
	all     []Recommendation
}

// recommend adds a keyword unless it exists or the phrase can be none.
func (r *recommender) recommend(phrase, context, reason string, anchors []string) {
	phrase = plain(phrase)
	form := fold.Form(phrase)
	if form == "" || utf8.RuneCountInString(phrase) > keyword.MaxText || r.known[form] {
		return
	}
	r.known[form] = true
	digest := sha256.Sum256([]byte(fold.Case(phrase)))
	r.all = append(r.all, Recommendation{
		ID: "rec_" + hex.EncodeToString(digest[:8]), Reason: reason,
		Keyword: keyword.Keyword{
			Text:                 phrase,
			Context:              text.CutAtWord(context, keyword.MaxContext),
			Tag:                  keyword.OwnBrand,
			ExactMatch:           true,
			AdditionalTerms:      anchors,
			AdditionalTermsLogic: keyword.Any,
		},
	})
}

func (r *recommender) name() {
	name := plain(r.company.Name)
	if name == "" {
		return
	}
	context := fmt.Sprintf("%s, the company%s: what people say of it.", name, r.atSite())
	if r.distinctive(name, commonest) {
		r.recommend(name, context, "It is the company's name, and hardly used for anything else.", nil)
		return
	}
	// Bare, a common word finds everyone else's posts.
	if anchors := r.anchors(); len(anchors) > 0 {
		r.recommend(
			name, context, "It is the company's name and a common word, so one of the additional terms must occur too.",
			anchors,
		)
	}
}

func (r *recommender) domain() {
	domain := host(r.company.Domain)
	if domain == "" {
		return
	}
	context := fmt.Sprintf("Links to %s, the site%s, and mentions of it.", domain, r.ofCompany())
	if readable, err := idna.Display.ToUnicode(domain); err == nil && readable != domain {
		r.recommend(readable, context, "A post that names the company's site is about the company.", nil)
	}
	r.recommend(domain, context, "A post that links to the company's site is about the company.", nil)
}

func (r *recommender) product(product string) {
	product = plain(product)
	context := fmt.Sprintf("%s, a product%s: what people say of it.", product, r.ofCompany())
	name := plain(r.company.Name)
	switch {
	case product == "" || slices.Equal(split(product), split(name)):
	case names(product, name):
		r.recommend(product, context, "It is a product, called by the company's name.", nil)
	case r.distinctive(product, common):
		r.recommend(product, context, "It is a product, and hardly used for anything else.", nil)
	default:
		// A name that others use too is the company's only where the company is named.
		var anchors []string
		for _, anchor := range []string{name, host(r.company.Domain)} {
			if isAnchor(anchor) {
				anchors = append(anchors, anchor)
			}
		}
		if len(anchors) > 0 {
			r.recommend(
				product, context, "It is a product with a name of common words, so the post must name the company too.",
				anchors,
			)
		}
	}
}

// names reports whether a product's name is the company's name plus another word.
func names(product, name string) bool {
	parts, wanted := split(product), split(name)
	for at := range parts {
		if len(wanted) > 0 && len(parts) > len(wanted) && at+len(wanted) <= len(parts) &&
			slices.Equal(parts[at:at+len(wanted)], wanted) {
			return true
		}
	}
	return false
}

// atSite and ofCompany name the company's site and the company, within a sentence.
func (r *recommender) atSite() string {
	if domain := host(r.company.Domain); domain != "" {
		return " at " + domain
	}
	return ""
}

func (r *recommender) ofCompany() string {
	if name := plain(r.company.Name); name != "" {
		return " of " + name
	}
	return ""
}

// distinctive reports whether a name is hardly used for anything else. It has an uncommon word or, as a phrase, a word
// whose rank is not below the given one. A name of one or two letters stands for many things.
func (r *recommender) distinctive(name string, below int) bool {
	parts := split(name)
	if letters := strings.Join(parts, ""); utf8.RuneCountInString(letters) < minName &&
		!strings.ContainsFunc(letters, isWhole) {
		return false
	}
	for _, word := range parts {
		rank, known := r.words.Rank(word)
		if !known || rank >= common || len(parts) > 1 && rank >= below {
			return true
		}
	}
	return false
}

// isWhole reports whether a character stands for a syllable or more, so that two of them are a name.
func isWhole(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// isAnchor reports whether a term can be required with a keyword, and excludes something.
func isAnchor(term string) bool {
	characters := utf8.RuneCountInString(term)
	return characters <= keyword.MaxText && (characters >= minName || strings.ContainsFunc(term, isWhole))
}

// anchors returns the terms that occur with the company's name: its domain, its products and words of its description.
func (r *recommender) anchors() []string {
	var anchors []string
	name := split(plain(r.company.Name))
	add := func(term string) {
		term = plain(term)
		same := func(known string) bool { return fold.Case(known) == fold.Case(term) }
		if isAnchor(term) && !slices.Equal(split(term), name) && len(anchors) < maxAnchors &&
			!slices.Contains(generic, fold.Case(term)) && !slices.ContainsFunc(anchors, same) {
			anchors = append(anchors, term)
		}
	}
	add(host(r.company.Domain))
	for _, product := range r.company.Products {
		add(product)
	}
	for _, word := range split(r.company.Description) {
		rank, known := r.words.Rank(word)
		if utf8.RuneCountInString(word) >= minAnchor && (!known || rank >= telling) {
			add(word)
		}
	}
	return anchors
}

// split returns a text's words, folded.
func split(text string) []string {
	return strings.FieldsFunc(fold.Case(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// plain returns a text as a keyword can be written: without search operators, with single blanks.
func plain(text string) string {
	text = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsControl(c):
			return ' '
		case strings.ContainsRune("\"“”„«»*", c):
			return -1
		}
		return c
	}, text)
	var kept []string
	for _, word := range strings.Fields(text) {
		if word = strings.TrimLeft(word, "+-＋‐‑–—−－"); word != "" && word != "AND" && word != "OR" {
			kept = append(kept, word)
		}
	}
	phrase := strings.Join(kept, " ")
	if found, suggestion, _, _ := keyword.Operators(phrase); found {
		return suggestion
	}
	return phrase
}

// host returns a domain without what may be written around it; empty if the text is none.
func host(domain string) string {
	domain = strings.ToLower(strings.TrimSpace(domain))
	_, after, found := strings.Cut(domain, "://")
	if found {
		domain = after
	}
	domain, _, _ = strings.Cut(domain, "/")
	domain = strings.TrimPrefix(strings.TrimSuffix(domain, "."), "www.")
	strange := func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '.' && c != '-' }
	if strings.Trim(domain, ".-") != domain || !strings.Contains(domain, ".") || strings.ContainsFunc(domain, strange) {
		return ""
	}
	return domain
}
