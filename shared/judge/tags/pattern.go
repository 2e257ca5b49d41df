package tags

import (
	"strings"
	"sync"

	"earshot/shared/judge/words"
)

// A pattern is a phrase within one sentence. In the table it is written as words with spaces between:
//
//	a|b   one of these words
//	[a|b] one of these words, or none
//	*     any word
//	~     up to four words, whatever they are
//	#     a number
//	$     an amount of money: a number with $, € or £ before it
//	%     a number with % behind it
//	^     at the beginning: the phrase begins a sentence
//	?     at the end: the sentence is a question
//
// It begins with words, a number or an amount.
type pattern struct {
	text   string // as it is written
	topic  int
	points int

	once     sync.Once // compiles what follows
	elements []element
	begins   bool // the phrase begins a sentence
	asks     bool // the phrase is in a question
}

type element struct {
	kind  kind
	words []string
}

type kind uint8

const (
	literal kind = iota
	optional
	anyWord
	gap
	number
	money
	percent
)

const longestGap = 4

func (p *pattern) compile() {
	parts := strings.Fields(p.text)
	p.elements = make([]element, 0, len(parts))
	for i, part := range parts {
		switch {
		case part == "^":
			p.begins = true
		case part == "?":
			p.asks = true
		case part == "*":
			p.elements = append(p.elements, element{kind: anyWord})
		case part == "~":
			p.elements = append(p.elements, element{kind: gap})
		case part == "#":
			p.elements = append(p.elements, element{kind: number})
		case part == "$":
			p.elements = append(p.elements, element{kind: money})
		case part == "%":
			p.elements = append(p.elements, element{kind: percent})
		case strings.HasPrefix(part, "["):
			p.elements = append(
				p.elements, element{kind: optional, words: strings.Split(strings.Trim(part, "[]"), "|")},
			)
		case strings.Contains(part, "|"):
			p.elements = append(p.elements, element{kind: literal, words: strings.Split(part, "|")})
		default: // most parts are one word
			p.elements = append(p.elements, element{kind: literal, words: parts[i : i+1 : i+1]})
		}
	}
}

// matches reports whether the pattern occurs at a word.
func (p *pattern) matches(text []words.Word, at int) bool {
	p.once.Do(p.compile)
	if p.begins && !text[at].Starts || !follow(p.elements, text[at:]) {
		return false
	}
	return !p.asks || asked(text[at:])
}

// follow reports whether elements match the words that begin here. They do not cross the end of a sentence.
func follow(elements []element, rest []words.Word) bool {
	for i, e := range elements {
		if e.kind == gap || e.kind == optional {
			return spread(e, elements[i+1:], rest)
		}
		if len(rest) == 0 || !e.is(&rest[0]) {
			return false
		}
		if i < len(elements)-1 && closes(&rest[0]) {
			return onlyOptional(elements[i+1:])
		}
		rest = rest[1:]
	}
	return true
}

// spread matches an optional word or a gap, and the elements after it.
func spread(e element, after []element, rest []words.Word) bool {
	if follow(after, rest) {
		return true
	}
	longest := longestGap
	if e.kind == optional {
		longest = 1
	}
	for skipped := 0; skipped < longest && skipped < len(rest); skipped++ {
		if e.kind == optional && !e.is(&rest[skipped]) || closes(&rest[skipped]) {
			return false
		}
		if follow(after, rest[skipped+1:]) {
			return true
		}
	}
	return false
}

func onlyOptional(elements []element) bool {
	for _, e := range elements {
		if e.kind != optional {
			return false
		}
	}
	return true
}

func (e *element) is(word *words.Word) bool {
	switch e.kind {
	case anyWord:
		return true
	case number:
		return word.Kind == words.Number
	case money:
		return word.Kind == words.Number && (word.Before == '$' || word.Before == '€' || word.Before == '£')
	case percent:
		return word.Kind == words.Number && word.Ends == '%'
	}
	if word.Kind == words.Link {
		return false
	}
	for _, candidate := range e.words {
		if candidate == word.Text {
			return true
		}
	}
	return false
}

// closes reports whether a sentence ends with the word.
func closes(word *words.Word) bool {
	return word.Ends == '.' || word.Ends == '!' || word.Ends == '?' || word.Ends == '\n'
}

// asked reports whether the sentence of these words is a question.
func asked(rest []words.Word) bool {
	for i := range rest {
		if closes(&rest[i]) {
			return rest[i].Ends == '?'
		}
	}
	return false
}
