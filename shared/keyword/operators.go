package keyword

import (
	"slices"
	"strings"
	"unicode"
)

// maxAlternatives bounds the alternatives of an expression.
const maxAlternatives = 10

// Operators finds the syntax of search engines in a keyword's text, of at most MaxText characters. Such syntax would be
// matched literally and never hit (KEYWORD_OPERATOR_SYNTAX in the description). It is: quotation marks, a + or a -
// right before a word, AND and OR in capitals, and an asterisk with something on both sides. A text of operators alone
// has it too: a sign, an asterisk or a quotation mark alone, "AND".
//
// suggestion is what to track instead: the text without its operators, and the first of what OR joins. It is empty if
// nothing would be left to track. alternatives could be tracked too, or instead. They are the rest of what OR joins and
// of a list ("acme", "acme inc"), the first of what AND joins, and the text with its AND and OR in lower case, as in a
// name ("Rock AND Roll"). excludeWords are the words after a - or NOT. All are trimmed, and Operators finds nothing in
// any of them.
//
// No operator is a sign within a word or at its end ("e-mail", "C++", "AT&T", "acme*", "Disney+"), or a sign that
// stands alone ("A + B", "Notion - docs") or before another sign ("-_-"). Neither are NOT, parentheses and bars without
// another operator ("NOT A HOTEL", "Acme (UK)"), or single quotation marks except around the whole text.
func Operators(text string) (found bool, suggestion string, alternatives, excludeWords []string) {
	text = strings.TrimSpace(text)
	if !hasOperators(text) {
		return false, "", nil, nil
	}
	if onlyOperators(text) {
		return true, "", nil, nil
	}
	p := parser{tokens: lex(text)}
	var all [][]string
	for len(p.tokens) > 0 { // a ) too many ends an expression
		all = append(all, p.or()...)
		p.take(closing)
	}
	for _, parts := range all {
		alternatives = add(alternatives, strings.Join(parts, " "))
	}
	for _, parts := range all {
		if len(parts) > 1 {
			alternatives = add(alternatives, parts[0])
		}
	}
	// otherwise it is no name
	if name := lowered(text); name != text && len(p.excluded) == 0 && !hasOperators(name) &&
		!strings.ContainsAny(text, "()") {
		alternatives = add(alternatives, name)
	}
	if len(alternatives) > 0 {
		suggestion, alternatives = alternatives[0], alternatives[1:]
	}
	for _, word := range p.excluded {
		excludeWords = add(excludeWords, word)
	}
	return true, suggestion, alternatives, excludeWords
}

// add adds a text that can be tracked, once.
func add(texts []string, text string) []string {
	text = unquoted(text)
	if text == "" || len(texts) > maxAlternatives || hasOperators(text) ||
		!strings.ContainsFunc(text, unicode.IsGraphic) {
		return texts
	}
	if slices.ContainsFunc(texts, func(other string) bool { return strings.EqualFold(other, text) }) {
		return texts
	}
	return append(texts, text)
}

// unquoted returns a text without the single quotation marks around it.
func unquoted(text string) string {
	runes := []rune(text)
	for len(runes) > 2 && isSingleQuote(runes[0]) && isSingleQuote(runes[len(runes)-1]) {
		runes = []rune(strings.TrimSpace(string(runes[1 : len(runes)-1])))
	}
	return string(runes)
}

// lowered returns the text with AND and OR in lower case.
func lowered(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		if word == "AND" || word == "OR" {
			words[i] = strings.ToLower(word)
		}
	}
	return strings.Join(words, " ")
}

// onlyOperators reports whether a text is made of operators and of what separates or groups them, with at least one
// operator.
func onlyOperators(text string) bool {
	separates := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("(),;|", r) }
	operates := func(r rune) bool { return isPlus(r) || isMinus(r) || isQuote(r) || isSingleQuote(r) || r == '*' }
	found := false
	for _, word := range strings.FieldsFunc(text, separates) {
		switch bare := strings.TrimFunc(word, operates); bare {
		case "", "AND", "OR":
			found = true
		default:
			return false
		}
	}
	return found
}

func hasOperators(text string) bool {
	if onlyOperators(text) {
		return true
	}
	runes := []rune(strings.TrimSpace(text))
	if len(runes) > 2 && isSingleQuote(runes[0]) && isSingleQuote(runes[len(runes)-1]) {
		return true
	}
	if inner := strings.Trim(string(runes), "* "); strings.Contains(inner, "*") {
		return true
	}
	for i, r := range runes {
		if isQuote(r) || startsToken(runes, i) && signs(runes[i:]) > 0 {
			return true
		}
	}
	for _, word := range strings.FieldsFunc(string(runes), func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == ')' }) {
		if word == "AND" || word == "OR" {
			return true
		}
	}
	return false
}

func startsToken(runes []rune, i int) bool {
	return i == 0 || unicode.IsSpace(runes[i-1]) || runes[i-1] == '('
}

// signs returns the number of signs before a word or a group; 0 if there is none.
func signs(runes []rune) (n int) {
	for n < len(runes) && (isPlus(runes[n]) || isMinus(runes[n])) {
		n++
	}
	if n == len(runes) {
		return 0
	}
	if r := runes[n]; unicode.In(r, unicode.L, unicode.N, unicode.M) || isQuote(r) ||
		isSingleQuote(r) && n+1 < len(runes) ||
		strings.ContainsRune("(@#$", r) {
		return n
	}
	return 0
}

// isQuote knows quotation marks as keyboards and word processors write them.
func isQuote(r rune) bool { return strings.ContainsRune("\"“”„‟«»＂", r) }

func isSingleQuote(r rune) bool { return strings.ContainsRune("'‘’‚‛＇", r) }

func isPlus(r rune) bool { return r == '+' || r == '＋' }

// isMinus reports whether r is a hyphen or what word processors make of one.
func isMinus(r rune) bool { return strings.ContainsRune("-‐‑–—−－", r) }

// A parser reads
//
//	or    = and { "OR" and }
//	and   = near { "AND" near }
//	near  = { item }
//	item  = word | "(" or ")" | "-" item | "NOT" item
//
// into alternatives, each of which is the parts that AND joins. What is malformed is read as far as it goes.
type parser struct {
	tokens   []token
	excluded []string
}

func (p *parser) take(kind tokenKind) bool {
	if len(p.tokens) == 0 || p.tokens[0].kind != kind {
		return false
	}
	p.tokens = p.tokens[1:]
	return true
}

func (p *parser) or() [][]string {
	all := p.and()
	for p.take(or) {
		all = append(all, p.and()...)
	}
	return capped(all)
}

func (p *parser) and() [][]string {
	all := p.near()
	for p.take(and) {
		all = crossed(all, p.near(), func(a, b []string) []string { return slices.Concat(a, b) })
	}
	return all
}

func (p *parser) near() (all [][]string) {
	for len(p.tokens) > 0 {
		switch p.tokens[0].kind {
		case or, and, closing:
			return all
		}
		all = crossed(all, p.item(), func(a, b []string) []string {
			joined := a[len(a)-1] + " " + b[0] // neighbours are one phrase
			return slices.Concat(a[:len(a)-1], []string{joined}, b[1:])
		})
	}
	return all
}

// item returns nothing for an excluded item.
func (p *parser) item() [][]string {
	next := p.tokens[0]
	p.tokens = p.tokens[1:]
	switch next.kind {
	case opening:
		all := p.or()
		p.take(closing)
		return all
	case minus, not:
		if len(p.tokens) == 0 || p.tokens[0].kind == closing || p.tokens[0].kind == and || p.tokens[0].kind == or {
			break
		}
		before := len(p.excluded)
		negated := p.item()
		p.excluded = p.excluded[:before] // a required item cannot be expressed as an exclusion
		for _, parts := range negated {
			p.excluded = append(p.excluded, strings.Join(parts, " "))
		}
		return nil
	}
	if next.text == "" {
		return nil
	}
	return [][]string{{next.text}}
}

// crossed joins each alternative of one side with each of the other. An empty side changes nothing.
func crossed(left, right [][]string, join func(a, b []string) []string) (all [][]string) {
	switch {
	case len(left) == 0:
		return right
	case len(right) == 0:
		return left
	}
	for _, a := range left {
		for _, b := range right {
			all = append(all, join(a, b))
		}
	}
	return capped(all)
}

func capped(all [][]string) [][]string { return all[:min(len(all), maxAlternatives)] }
