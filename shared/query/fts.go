package query

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/post"
	"earshot/shared/text/fold"
)

// Tokenizer is the FTS5 tokenizer of an index that FTS searches. It keeps what Index writes as it is: it splits at
// ASCII characters that are neither letters nor digits.
const Tokenizer = "ascii"

// An Entry is what an FTS5 index holds of a post: the text of each column. The columns of the index have the names
// title, body and facts, and the tokenizer is Tokenizer. The texts are for the index alone, so it can be contentless.
// It needs the positions of words (detail=full).
//
// Title and Body are the post's words in the normal form of package match, one a position. In scripts without blanks a
// position has a letter and the two behind it. Facts are the post's author, host, path, language and platforms.
type Entry struct{ Title, Body, Facts string }

// Columns are the names of an Entry's columns, in the order of its fields.
func Columns() []string { return []string{"title", "body", "facts"} }

// pathDepth is how many elements of a path the index has.
const pathDepth = 8

// irregular stands in a text where a zero width space divides a word, so that FTS finds the text whatever it looks for.
const irregular = "\u200b"

// all is the fact of every post.
const all = "e"

// splitters are the memory of Index.
var splitters = sync.Pool{New: func() any { return new(splitter) }}

// Index returns the entry of a post in a language: see Matches. Its time and size are linear in the post.
func Index(p *post.Post, language string) Entry {
	s := splitters.Get().(*splitter)
	defer splitters.Put(s)
	var e Entry
	if p.Title != nil {
		e.Title = s.entry(*p.Title)
	}
	if p.Body != nil {
		e.Body = s.entry(*p.Body)
	}
	facts := append([]string{all}, fact('g', languageOf(language)))
	if p.Author != nil {
		if handle := fold.Author(*p.Author); handle != "" {
			facts = append(facts, fact('a', handle))
		}
	}
	for _, platform := range keyword.Platforms() {
		if keyword.Admits(platform, p.Source, p.IsReply) {
			facts = append(facts, fact('o', platform))
		}
	}
	if at, ok := siteOf(p.URL); ok {
		facts = append(append(facts, at.hostFacts()...), at.pathFacts()...)
	}
	e.Facts = strings.Join(facts, " ")
	return e
}

// entry returns a text as the index takes it.
func (s *splitter) entry(text string) string {
	s.split(text)
	var b strings.Builder
	b.Grow(len(s.folded) + len(s.units))
	for i, u := range s.units {
		if u.gram {
			u = s.units[i+s.run(i, gramSize)-1]
		}
		b.Write(s.folded[s.units[i].from:u.to])
		b.WriteByte(' ')
	}
	if s.broken {
		b.WriteString(irregular)
	}
	return b.String()
}

// fact returns a value as one token: letters and digits of ASCII and all else beyond ASCII stay, and other bytes become
// a middle dot and two hexadecimal digits. Different values have different tokens.
func fact(kind byte, value string) string {
	const digits, escape = "0123456789abcdef", "·"
	b := []byte{kind}
	for i, r := range value {
		if r != '·' && (r >= utf8.RuneSelf || r >= 'a' && r <= 'z' || r >= '0' && r <= '9') {
			b = utf8.AppendRune(b, r)
			continue
		}
		for _, c := range []byte(value[i : i+utf8.RuneLen(r)]) {
			b = append(append(b, escape...), digits[c>>4], digits[c&15])
		}
	}
	return string(b)
}

// hostFacts returns the labels of the host from the last to the first. Those of a domain above it are their beginning.
func (s site) hostFacts() []string {
	labels := strings.Split(s.host, ".")
	slices.Reverse(labels)
	for i := range labels {
		kind := byte('l')
		if i == 0 {
			kind = 'h'
		}
		labels[i] = fact(kind, labels[i])
	}
	return labels
}

// pathFacts returns the elements of the path behind a mark of where it begins.
func (s site) pathFacts() []string {
	facts := []string{"p"}
	for _, element := range s.path[:min(len(s.path), pathDepth)] {
		facts = append(facts, fact('s', element))
	}
	return facts
}

// FTS returns the query as an FTS5 expression for MATCH over an index of Entries. The expression needs no other
// condition in SQL. It finds every post that the query matches.
//
// If exact is true, it finds no other post. That holds for queries of author:, site:, lang: and source: alone. Else the
// caller runs Matches on what the expression finds. The index then finds too much: "acme, cloud" for "acme cloud",
// "acme_x" for acme, a term of signs alone in every post, and posts that have a negated word.
//
// Each text in the expression is quoted and has no character that FTS5 reads as syntax.
func (q Query) FTS() (expression string, exact bool) {
	if q.parsed == nil {
		return quoted(fact('e', "none")), true // a fact of no post
	}
	s := splitters.Get().(*splitter)
	defer splitters.Put(s)
	exact = true
	var alternatives []string
	for _, terms := range q.alternatives {
		var must, never []string
		for _, t := range terms {
			found, sure := s.expression(t)
			exact = exact && sure
			switch {
			case !t.Negated && found != "":
				must = append(must, found)
			case t.Negated && sure:
				never = append(never, found)
			}
		}
		if len(must) == 0 {
			must = []string{facts(all)}
		}
		alternative := strings.Join(must, " AND ")
		if len(never) > 0 {
			alternative = "(" + alternative + ") NOT (" + strings.Join(never, " OR ") + ")"
		}
		alternatives = append(alternatives, "("+alternative+")")
	}
	return strings.Join(alternatives, " OR "), exact
}

// expression returns the expression of a term, its negation aside. It is empty if all posts must be read. exact reports
// whether it finds the term's posts alone.
func (s *splitter) expression(t Term) (found string, exact bool) {
	switch t.Field {
	case Author:
		return facts(fact('a', fold.Author(t.Value))), true
	case Lang:
		return facts(fact('g', t.Value)), true
	case Source:
		return facts(fact('o', t.Value)), true
	case Site:
		at, _ := parseSite(t.Value)
		found = facts(at.hostFacts()...)
		if len(at.path) > 0 {
			found = "(" + found + " AND " + facts(at.pathFacts()...) + ")"
		}
		return found, len(at.path) <= pathDepth
	}
	ways := []string{}
	for _, way := range append([]string{t.Value}, match.Names(t.Value)...) {
		phrase := s.phrase(way)
		if phrase == "" {
			return "", false
		}
		if !slices.Contains(ways, phrase) {
			ways = append(ways, phrase)
		}
	}
	columns := "{title body}"
	if t.Field == Title {
		columns = "{title}"
	}
	return columns + " : (" + strings.Join(append(ways, quoted(irregular)), " OR ") + ")", false
}

// phrase returns the FTS5 phrase of a text, or nothing if the index has no word of it.
func (s *splitter) phrase(text string) string {
	s.split(text)
	var words []string
	prefix := ""
	for i := 0; i < len(s.units); i++ {
		last := i
		if s.units[i].gram {
			n := s.run(i, gramSize)
			last += n - 1
			if i+n == len(s.units) { // the text may go on behind the phrase
				if n < gramSize {
					prefix = " *"
				}
				words = append(words, string(s.folded[s.units[i].from:s.units[last].to]))
				break
			}
		}
		words = append(words, string(s.folded[s.units[i].from:s.units[last].to]))
	}
	if len(words) == 0 {
		return ""
	}
	return quoted(words...) + prefix
}

// quoted returns words side by side as an FTS5 phrase. They have no quotation mark.
func quoted(words ...string) string { return `"` + strings.Join(words, " ") + `"` }

func facts(side ...string) string { return "{facts} : " + quoted(side...) }
