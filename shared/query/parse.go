package query

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"earshot/shared/language"
	"earshot/shared/source/catalogue"
	"earshot/shared/text/fold"
)

// Parse reads a query. It returns the query, or the faults in the order of their places, at most 20. Its time and
// memory are linear in the text, and a text of more than MaxLength characters is only counted.
func Parse(text string) (Query, []Fault) {
	if n := utf8.RuneCountInString(text); n > MaxLength {
		return Query{}, []Fault{{
			At: MaxLength, Length: n - MaxLength, Code: TooLong,
			Message: fmt.Sprintf("The query has %d characters. It may have %d: remove terms.", n, MaxLength),
		}}
	}
	p := parser{}
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			p.fault(len(p.characters), 1, NotUTF8, "This byte is not UTF-8. Send the query as UTF-8.")
		}
		p.characters = append(p.characters, r)
	}
	if len(p.faults) == 0 {
		p.parse()
	}
	if len(p.faults) == 0 {
		p.bound()
	}
	if len(p.faults) > 0 {
		slices.SortStableFunc(p.faults, func(a, b Fault) int { return a.At - b.At })
		return Query{}, p.faults[:min(len(p.faults), maxFaults)]
	}
	made := &parsed{}
	for _, a := range p.alternatives {
		made.alternatives = append(made.alternatives, slices.Clip(a.terms))
	}
	made.engine = sync.OnceValue(func() *engine { return newEngine(made.alternatives) })
	return Query{made}, nil
}

// A parser reads
//
//	query       = alternative { "OR" alternative }
//	alternative = term { term }
//	term        = [ "-" ] [ operator ":" ] ( word | quote { any } quote )
//
// from left to right, each character once. What is malformed becomes a fault and is passed over.
type parser struct {
	characters   []rune
	at           int
	alternatives []span
	terms        int
	faults       []Fault
}

// A span is an alternative with its place.
type span struct {
	terms    []Term
	from, to int
}

func (p *parser) fault(at, length int, code Code, message string) *Fault {
	p.faults = append(p.faults, Fault{At: at, Length: length, Code: code, Message: message})
	return &p.faults[len(p.faults)-1]
}

func (p *parser) parse() {
	const lone = "OR has no term on one of its sides. Add one, or write \"OR\" to find the word."
	current := span{}
	or := -1 // where the OR before the current alternative is
	read := 0
	for p.blanks(); p.at < len(p.characters); p.blanks() {
		start := p.at
		if p.isOr() {
			p.at += 2
			if read == 0 {
				p.fault(start, 2, LoneOperator, lone)
			} else if len(current.terms) > 0 {
				p.alternatives = append(p.alternatives, current)
			}
			current, or, read = span{}, start, 0
			continue
		}
		read++
		p.terms++
		if p.terms == MaxTerms+1 {
			p.fault(start, len(p.characters)-start, TooManyTerms,
				fmt.Sprintf("The query has more than %d terms. Remove some, or ask two queries.", MaxTerms))
			return
		}
		if term, ok := p.term(); ok {
			if len(current.terms) == 0 {
				current.from = start
			}
			current.terms, current.to = append(current.terms, term), p.at
		}
	}
	if len(current.terms) > 0 {
		p.alternatives = append(p.alternatives, current)
	}
	switch {
	case or >= 0 && read == 0:
		if !slices.ContainsFunc(p.faults, func(f Fault) bool { return f.At == or }) {
			p.fault(or, 2, LoneOperator, lone)
		}
	case p.terms == 0 && len(p.faults) == 0:
		p.fault(0, len(p.characters), Empty, "The query is empty. Give at least one word.")
	}
}

// bound makes a fault of each alternative that finds nothing by itself.
func (p *parser) bound() {
	for _, a := range p.alternatives {
		if !slices.ContainsFunc(a.terms, finds) {
			p.fault(a.from, a.to-a.from, Unbounded, "Nearly every post meets this part of the query. "+
				"Add a word, a phrase, title:, author: or site: without a hyphen before it.")
		}
	}
}

// finds reports whether few enough posts meet a term to find them by it.
func finds(t Term) bool { return !t.Negated && t.Field != Lang && t.Field != Source }

func (p *parser) blanks() {
	for p.at < len(p.characters) && unicode.IsSpace(p.characters[p.at]) {
		p.at++
	}
}

// ends reports whether a bare word ends before position i.
func (p *parser) ends(i int) bool {
	return i >= len(p.characters) || unicode.IsSpace(p.characters[i]) || isQuote(p.characters[i])
}

func (p *parser) isOr() bool {
	c := p.characters[p.at:]
	return len(c) >= 2 && c[0] == 'O' && c[1] == 'R' && p.ends(p.at+2)
}

// isQuote knows quotation marks as keyboards and word processors write them.
func isQuote(r rune) bool { return strings.ContainsRune("\"“”„‟«»＂", r) }

// isMinus knows the hyphen and its full-width form. Dashes are text.
func isMinus(r rune) bool { return r == '-' || r == '－' }

func isColon(r rune) bool { return r == ':' || r == '：' }

// term reads one term. It returns false after a fault.
func (p *parser) term() (Term, bool) {
	start := p.at
	t := Term{}
	if isMinus(p.characters[p.at]) {
		next := p.at + 1
		switch {
		case next == len(p.characters) || unicode.IsSpace(p.characters[next]):
			p.at++
			p.fault(start, 1, LoneOperator,
				"The hyphen negates nothing. Write it right before a term, or in quotation marks to find it.").
				Suggestion = `"-"`
			return t, false
		case !isMinus(p.characters[next]):
			t.Negated = true
			p.at++
		}
	}
	if field, size := p.operator(); size > 0 {
		t.Field = field
		written := string(p.characters[p.at : p.at+size])
		p.at += size
		if p.at == len(p.characters) || unicode.IsSpace(p.characters[p.at]) {
			p.fault(start, p.at-start, LoneOperator, fmt.Sprintf(
				"The operator %s has no value. Write the value right behind the colon, without a blank.", written))
			return t, false
		}
	}
	from, to, quoted, ok := p.value()
	if !ok {
		return t, false
	}
	if to-from > MaxText {
		p.fault(from, to-from, TooLong, fmt.Sprintf("This term has more than %d characters. Shorten it.", MaxText))
		return t, false
	}
	written := string(p.characters[from:to])
	if written = fold.CasedForm(written); fold.Form(written) == "" {
		p.fault(from, to-from, EmptyPhrase, "This term shows no character. Write a word, or remove it.")
		return t, false
	}
	if !quoted && (t.Field == Text || t.Field == Title) {
		written = trimmed(written)
	}
	t.Value = written
	return p.checked(t, from, to-from)
}

// operator returns the operator at the parser's place and the characters of its name and colon, or 0 if there is none.
func (p *parser) operator() (Field, int) {
	for _, field := range Fields() {
		size := len(field)
		if rest := p.characters[p.at:]; len(rest) > size && isColon(rest[size]) &&
			strings.EqualFold(string(rest[:size]), string(field)) {
			return field, size + 1
		}
	}
	return Text, 0
}

// value reads a word or a phrase and returns its place, without the quotation marks.
func (p *parser) value() (from, to int, quoted, ok bool) {
	if !isQuote(p.characters[p.at]) {
		for from = p.at; !p.ends(p.at); p.at++ {
		}
		return from, p.at, false, true
	}
	open := p.at
	for p.at++; p.at < len(p.characters); p.at++ {
		if isQuote(p.characters[p.at]) {
			p.at++
			return open + 1, p.at - 1, true, true
		}
	}
	p.fault(open, len(p.characters)-open, OpenQuote,
		"This quotation mark is never closed. Close it behind the phrase, or remove it.")
	return 0, 0, false, false
}

// trimmed returns a bare word without the brackets and sentence marks around it. A word of these alone stays.
func trimmed(word string) string {
	inner := strings.TrimLeftFunc(word, func(r rune) bool {
		return unicode.In(r, unicode.Ps, unicode.Pi) || r == '\'' || r == '¿' || r == '¡'
	})
	inner = strings.TrimRightFunc(inner, func(r rune) bool {
		return unicode.In(r, unicode.Pe, unicode.Pf, unicode.Terminal_Punctuation) || r == '…'
	})
	if !strings.ContainsFunc(inner, func(r rune) bool { return unicode.In(r, unicode.L, unicode.N) }) {
		return word
	}
	return inner
}

// checked brings an operator's value into its form. at and length are the value's place.
func (p *parser) checked(t Term, at, length int) (Term, bool) {
	switch t.Field {
	case Author:
		if fold.Author(t.Value) == "" {
			p.fault(at, length, InvalidAuthor, "This is no handle. Write the author's handle, with or without @.")
			return t, false
		}
	case Site:
		site, ok := parseSite(t.Value)
		if !ok {
			p.fault(at, length, InvalidSite,
				"This is no site. Write a host, with or without a path below it: example.com, github.com/owner.").
				Suggestion = nearSite(t.Value)
			return t, false
		}
		t.Value = site.String()
	case Lang:
		name, ok := language.Parse(t.Value)
		if !ok {
			p.fault(at, length, UnknownLanguage, "No language has this name or ISO 639-1 code. "+
				"Write an English name or a code, one for each lang:.").
				Suggestion = nearest(t.Value, languages())
			return t, false
		}
		t.Value = name
	case Source:
		name := fold.Case(t.Value)
		if _, ok := catalogue.Find(name); !ok {
			p.fault(at, length, UnknownSource, "No source has this name. "+
				"Write one for each source:, of "+strings.Join(platforms(), ", ")+".").
				Suggestion = nearest(name, sources())
			return t, false
		}
		t.Value = name
	}
	return t, true
}

func platforms() (names []string) {
	for _, p := range catalogue.Platforms() {
		names = append(names, p.Name)
	}
	return names
}
