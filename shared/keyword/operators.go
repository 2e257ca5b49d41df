package keyword

import (
	"slices"
	"strings"
	"unicode"
)

// maxAlternatives bounds what an expression is taken apart into.
const maxAlternatives = 10

// Operators finds the syntax of search engines in the text of a keyword, of at most MaxText characters, which would be matched literally and never hit: quotation
// marks, a + or a - right before a word, AND and OR in capitals, an asterisk with something on both sides (KEYWORD_OPERATOR_SYNTAX in
// the description).
//
// suggestion is what to track instead: the text without its operators and, of what OR joins, the first. alternatives are what could be
// tracked beside it or in its place, without the suggestion: what else OR joins; of what AND joins, the first of it; and the text with
// its AND and OR as the words that they are in a name ("Rock AND Roll"). excludeWords is what was preceded by a - or NOT. All of them
// are trimmed, and Operators finds nothing in any. suggestion is empty when only exclusions or signs are left.
//
// No operator is a sign within a word or at its end ("e-mail", "C++", "AT&T", "acme*", "Disney+"), a sign that stands alone ("A + B",
// "Notion - docs") or before another sign ("-_-"), NOT and parentheses without another operator ("NOT A HOTEL", "Acme (UK)"), and single
// quotation marks but around the whole text.
func Operators(text string) (found bool, suggestion string, alternatives, excludeWords []string) {
	text = strings.TrimSpace(text)
	if !hasOperators(text) {
		return false, "", nil, nil
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
	if name := lowered(text); name != text {
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
	if text == "" || len(texts) > maxAlternatives || hasOperators(text) || !strings.ContainsFunc(text, unicode.IsGraphic) {
		return texts
	}
	if slices.ContainsFunc(texts, func(other string) bool { return strings.EqualFold(other, text) }) {
		return texts
	}
	return append(texts, text)
}

// lowered is the text with AND and OR in lower case.
func lowered(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		if word == "AND" || word == "OR" {
			words[i] = strings.ToLower(word)
		}
	}
	return strings.Join(words, " ")
}

func hasOperators(text string) bool {
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

// signs is how many signs stand before a word or a group here, 0 when none does.
func signs(runes []rune) (n int) {
	for n < len(runes) && (runes[n] == '+' || isMinus(runes[n])) {
		n++
	}
	if n == len(runes) {
		return 0
	}
	if r := runes[n]; unicode.In(r, unicode.L, unicode.N, unicode.M) || isQuote(r) || strings.ContainsRune("(@#$", r) {
		return n
	}
	return 0
}

// isQuote knows quotation marks as keyboards and word processors write them.
func isQuote(r rune) bool { return strings.ContainsRune("\"“”„‟«»＂", r) }

func isSingleQuote(r rune) bool { return strings.ContainsRune("'‘’‚‛＇", r) }

// isMinus knows hyphens and what word processors make of them.
func isMinus(r rune) bool { return strings.ContainsRune("-‐‑–−－", r) }

// A token of an expression. Of words, text is what they say.
type token struct {
	kind tokenKind
	text string
}

type tokenKind int

const (
	word tokenKind = iota
	minus
	not // NOT: a minus where it stands before something, and else a word
	and
	or
	opening
	closing
)

// lex takes an expression apart. A quoted phrase is one word, and so is the rest of the text after a quotation mark that is not closed.
// Plus signs and asterisks say nothing.
func lex(text string) (tokens []token) {
	runes := []rune(text)
	if len(runes) > 2 && isSingleQuote(runes[0]) && isSingleQuote(runes[len(runes)-1]) {
		runes = runes[1 : len(runes)-1]
	}
	for i := 0; i < len(runes); {
		r := runes[i]
		switch {
		case unicode.IsSpace(r):
			i++
		case isQuote(r):
			end := i + 1
			for end < len(runes) && !isQuote(runes[end]) {
				end++
			}
			tokens = append(tokens, token{word, plain(runes[i+1 : end])})
			i = min(end+1, len(runes))
		case r == '(':
			tokens, i = append(tokens, token{opening, ""}), i+1
		case r == ')':
			tokens, i = append(tokens, token{closing, ""}), i+1
		case startsToken(runes, i) && signs(runes[i:]) > 0:
			n := signs(runes[i:])
			if slices.ContainsFunc(runes[i:i+n], isMinus) {
				tokens = append(tokens, token{minus, ""})
			}
			i += n
		default:
			end := i
			for end < len(runes) && !unicode.IsSpace(runes[end]) && !isQuote(runes[end]) && runes[end] != '(' && runes[end] != ')' {
				end++
			}
			tokens = append(tokens, bare(runes[i:end]))
			i = end
		}
	}
	return tokens
}

func bare(runes []rune) token {
	switch text := string(runes); text {
	case "AND":
		return token{and, "and"}
	case "OR":
		return token{or, "or"}
	case "NOT":
		return token{not, text}
	}
	return token{word, plain(runes)}
}

// plain is a word or a phrase without the operators in it.
func plain(runes []rune) string {
	text := strings.ReplaceAll(string(runes), "*", "")
	words := strings.Fields(text)
	for i, one := range words {
		switch inner := []rune(one); {
		case one == "AND" || one == "OR":
			words[i] = strings.ToLower(one)
		default:
			words[i] = string(inner[signs(inner):])
		}
	}
	return strings.Join(words, " ")
}

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
			joined := a[len(a)-1] + " " + b[0] // what stands side by side is one phrase
			return slices.Concat(a[:len(a)-1], []string{joined}, b[1:])
		})
	}
	return all
}

// item answers nothing for what is excluded.
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
		p.excluded = p.excluded[:before] // not without it: it is asked for, which an exclusion cannot say
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

// crossed joins each of some alternatives with each of others; what says nothing changes nothing.
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
