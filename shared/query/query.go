// Package query is the language of on-demand search: words, "phrases", -negations, OR, and the operators author:,
// site:, lang:, source: and title:. Parse reads a text once and reports each fault with its place. A Query runs against
// one post (Matches), against the archive's full-text index (Index, FTS), and against the live platforms (Live).
//
// Search, the archive and the programs that show queries import it. It imports only domains, and reads no network and
// no clock.
//
// # Language
//
//   - Blanks separate terms. A post must meet all terms of an alternative, and OR in capitals separates alternatives:
//     AND binds tighter than OR. Nothing nests, so the depth is always three: alternatives, terms, text.
//   - A term is a word, a phrase in quotation marks, or an operator and its value without a blank between:
//     title:word, title:"two words". Quotation marks may be straight, curly or angular, and nothing escapes them.
//   - A hyphen right before a term negates it: the post must not meet the term. It negates phrases and operators too.
//   - Brackets before a bare word are not part of it, nor are brackets and sentence marks behind it: "(acme)," is acme.
//     Quotation marks keep them. Signs such as those of C++, .NET, #acme and @acme are part of the word.
//   - Everything else is text: AND, NOT, parentheses, colons behind other words, "--help".
//   - Names of operators ignore case.
//
// # Terms
//
//   - A word or phrase is in a post where a keyword with ExactMatch would be: package match has the rules for case,
//     accents, width, apostrophes, possessives, handles, domains, and scripts without blanks. Title and body
//     both count.
//   - title: is the same in the title alone. A post without a title does not have it.
//   - author: is a whole handle, folded as ExcludeAuthors, with or without @ or u/. A post without an author has none.
//   - site: is a host or a domain above it, with or without a path below which the post's address is. A leading "www."
//     does not count, nor do scheme, port, query and the case of the path. A post without an address is on no site.
//   - lang: is a name or code of package language. A post whose language is unknown or empty is undetermined.
//   - source: is a platform of package catalogue, as a keyword would be limited to it (keyword.Admits).
//
// A negated term holds exactly where the term does not: a post without an author meets -author:jane.
//
// Each alternative needs a term that is not negated and finds posts: a word, a phrase, title:, author: or site:. Nearly
// every post meets negations, lang: and source:, so a query of these alone would read all that the archive and the
// platforms have.
package query

import (
	"slices"
	"strings"
)

// Bounds of a query.
const (
	MaxLength = 1_000 // characters of the text
	MaxTerms  = 32    // terms of all alternatives together, negated ones included
	MaxText   = 200   // characters of a word, a phrase or an operator's value
	maxFaults = 20    // reported for one text
)

// A Field is what of a post a term is about.
type Field string

// The fields. All but Text are also the operators' names.
const (
	Text   Field = "" // the title or the body
	Author Field = "author"
	Site   Field = "site"
	Lang   Field = "lang"
	Source Field = "source"
	Title  Field = "title"
)

// Fields lists the operators.
func Fields() []Field { return []Field{Author, Site, Lang, Source, Title} }

// A Term is one condition on a post.
type Term struct {
	Negated bool
	Field   Field
	// Value is in the form in which the term is stored: a text in its normal form with its case, a handle as its author
	// writes it, a host with its path in lowercase, a language's full name, a platform's name.
	Value string
}

// A Query is a parsed text. Its zero value has no alternatives and matches nothing. It never changes and is safe for
// concurrent use.
type Query struct{ *parsed }

type parsed struct {
	alternatives [][]Term
	engine       func() *engine
}

// Alternatives returns the alternatives that OR separates, each with its terms. A post matches if it meets all terms of
// one alternative. The caller may change the result.
func (q Query) Alternatives() [][]Term {
	if q.parsed == nil {
		return nil
	}
	all := make([][]Term, len(q.alternatives))
	for i, terms := range q.alternatives {
		all[i] = slices.Clone(terms)
	}
	return all
}

// Uses reports whether any term is about a field. Callers need not detect a post's language for a query without Lang.
func (q Query) Uses(field Field) bool {
	for _, terms := range q.Alternatives() {
		if slices.ContainsFunc(terms, func(t Term) bool { return t.Field == field }) {
			return true
		}
	}
	return false
}

// Terms returns the words and phrases that a match may have, those of title: included, in the query's order and each
// once. They are what ranking counts and what a page highlights. Negated terms are left out.
func (q Query) Terms() []string {
	var texts []string
	for _, terms := range q.Alternatives() {
		for _, t := range terms {
			if !t.Negated && (t.Field == Text || t.Field == Title) && !slices.Contains(texts, t.Value) {
				texts = append(texts, t.Value)
			}
		}
	}
	return texts
}

// String returns the query in its canonical form. Parse makes the same query of it.
func (q Query) String() string {
	var b strings.Builder
	for i, terms := range q.Alternatives() {
		if i > 0 {
			b.WriteString(" OR ")
		}
		for j, t := range terms {
			if j > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(t.String())
		}
	}
	return b.String()
}

// String returns the term in its canonical form, in quotation marks only where it needs them.
func (t Term) String() string {
	sign, operator := "", ""
	if t.Negated {
		sign = "-"
	}
	if t.Field != Text {
		operator = string(t.Field) + ":"
	}
	bare := sign + operator + t.Value
	p := parser{characters: []rune(bare)}
	p.parse()
	if len(p.faults) == 0 && len(p.alternatives) == 1 && slices.Equal(p.alternatives[0].terms, []Term{t}) {
		return bare
	}
	return sign + operator + `"` + t.Value + `"`
}
