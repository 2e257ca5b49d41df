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

// A Lexicon knows how common words are: the rank of a word among them, 0 the commonest; false for one that it does not know.
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
	commonest  = 300    // ranks: what makes no phrase a name
	telling    = 1_000  // ranks: a word below tells nothing of a company
	maxAnchors = 12     // terms beside a common word
	minAnchor  = 4      // characters of a word that is taken from a description
	minName    = 3      // letters and digits of a name that can be hardly used for anything else
)

// generic words are beside anything: as anchors they keep nothing out.
var generic = []string{"app", "apps", "application", "business", "cloud", "company", "customer", "customers", "data", "digital", "online", "platform",
	"platforms", "product", "products", "service", "services", "software", "solution", "solutions", "system", "systems", "team", "teams",
	"technology", "tool", "tools", "users", "website"}

// Of says what a company should monitor beside the keywords that there are, its name first. A company that says nothing of itself is
// recommended nothing.
func Of(c workspace.Company, existing []keyword.Keyword, words Lexicon) []Recommendation {
	r := recommender{company: c, words: words, known: map[string]bool{}, all: []Recommendation{}}
	for _, k := range existing {
		r.known[fold.Case(k.Text)] = true
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
	known   map[string]bool // keywords, folded
	all     []Recommendation
}

// recommend adds a keyword, unless it is there or is none.
func (r *recommender) recommend(phrase, context, reason string, anchors []string) {
	phrase = plain(phrase)
	if phrase == "" || utf8.RuneCountInString(phrase) > keyword.MaxText || r.known[fold.Case(phrase)] {
		return
	}
	r.known[fold.Case(phrase)] = true
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
	context := fmt.Sprintf("%s, the company%s: what people say of it.", name, r.at())
	if r.distinctive(name, commonest) {
		r.recommend(name, context, "It is the company's name, and hardly used for anything else.", nil)
		return
	}
	// Bare, a common word finds everyone else's posts.
	if anchors := r.anchors(); len(anchors) > 0 {
		r.recommend(name, context, "It is the company's name, and a common word: one of the additional terms has to occur beside it.", anchors)
	}
}

func (r *recommender) domain() {
	domain := host(r.company.Domain)
	if domain == "" {
		return
	}
	context := fmt.Sprintf("Links to %s, the site%s, and mentions of it.", domain, r.of())
	if readable, err := idna.Display.ToUnicode(domain); err == nil && readable != domain {
		r.recommend(readable, context, "Who writes the name of the company's site speaks of the company, whatever they call it.", nil)
	}
	r.recommend(domain, context, "Who links to the company's site speaks of the company, whatever they call it.", nil)
}

func (r *recommender) product(product string) {
	product = plain(product)
	context := fmt.Sprintf("%s, a product%s: what people say of it.", product, r.of())
	name := plain(r.company.Name)
	switch {
	case product == "" || slices.Equal(split(product), split(name)):
	case names(product, name):
		r.recommend(product, context, "It is a product, called by the company's name.", nil)
	case r.distinctive(product, common):
		r.recommend(product, context, "It is a product, and hardly used for anything else.", nil)
	default:
		// What others have too is theirs only where the company is named.
		var anchors []string
		for _, anchor := range []string{name, host(r.company.Domain)} {
			if isAnchor(anchor) {
				anchors = append(anchors, anchor)
			}
		}
		if len(anchors) > 0 {
			r.recommend(product, context, "It is a product, and its name is made of common words: the company has to be named beside it.", anchors)
		}
	}
}

// names says whether a product is called by the company's name and by another word.
func names(product, name string) bool {
	parts, wanted := split(product), split(name)
	for at := range parts {
		if len(wanted) > 0 && len(parts) > len(wanted) && at+len(wanted) <= len(parts) && slices.Equal(parts[at:at+len(wanted)], wanted) {
			return true
		}
	}
	return false
}

// at and of name the company's site and the company, within a sentence.
func (r *recommender) at() string {
	if domain := host(r.company.Domain); domain != "" {
		return " at " + domain
	}
	return ""
}

func (r *recommender) of() string {
	if name := plain(r.company.Name); name != "" {
		return " of " + name
	}
	return ""
}

// distinctive says whether a name is hardly used for anything else: it has a word that nobody else uses or, as a phrase, one that is not
// below the rank of words that make no phrase a name. A letter or two stand for many things, whether or not they are a word.
func (r *recommender) distinctive(name string, below int) bool {
	parts := split(name)
	if letters := strings.Join(parts, ""); utf8.RuneCountInString(letters) < minName && !strings.ContainsFunc(letters, isWhole) {
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

// isWhole says whether a character stands for a syllable or more, so that two of them are a name.
func isWhole(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// isAnchor says whether a term can stand beside a keyword, and keeps something out there.
func isAnchor(term string) bool {
	characters := utf8.RuneCountInString(term)
	return characters <= keyword.MaxText && (characters >= minName || strings.ContainsFunc(term, isWhole))
}

// anchors are what is said beside the company's name where the company is meant: its domain, its products and what its description tells.
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

// split is a text's words, folded.
func split(text string) []string {
	return strings.FieldsFunc(fold.Case(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// plain is a text as a keyword can be written: no operators of a search, which a keyword has not, and single blanks.
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
		if word = strings.TrimLeft(word, "+-"); word != "" && word != "AND" && word != "OR" && word != "NOT" {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}

// host is a domain without what may be written around it; empty for what is none.
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
