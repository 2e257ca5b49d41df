package shards

import "strings"

// prune returns an expression of FTS5 without the parts that match nothing in a shard that lacks words. It finds there
// what the whole expression finds. Empty finds nothing.
//
// prune knows strings, AND, OR, NOT, brackets, columns and the asterisk of a beginning. It returns an expression with
// anything else as it is.
func prune(expression string, lacks func(word string) bool) string {
	p := pruner{rest: expression, lacks: lacks}
	left := p.either()
	if p.strange || strings.TrimSpace(p.rest) != "" {
		return expression
	}
	return left
}

// A pruner reads an expression. In FTS5, NOT binds tighter than AND, and AND tighter than OR. Each of its methods
// returns the part that it read, or nothing if that matches nothing.
type pruner struct {
	rest    string
	lacks   func(string) bool
	strange bool // the expression has something that the pruner does not know
	depth   int
}

// maxNested bounds the brackets within each other.
const maxNested = 64

// take removes a sign or an operator from the start of the rest.
func (p *pruner) take(sign string) bool {
	p.rest = strings.TrimLeft(p.rest, " ")
	if !strings.HasPrefix(p.rest, sign) {
		return false
	}
	p.rest = p.rest[len(sign):]
	return true
}

func (p *pruner) either() string {
	var left []string
	for {
		if part := p.both(); part != "" {
			left = append(left, part)
		}
		if !p.take("OR ") {
			return strings.Join(left, " OR ")
		}
	}
}

func (p *pruner) both() string {
	left, nothing := []string{}, false
	for {
		part := p.unless()
		left, nothing = append(left, part), nothing || part == ""
		if !p.take("AND ") {
			break
		}
	}
	if nothing {
		return ""
	}
	return strings.Join(left, " AND ")
}

func (p *pruner) unless() string {
	left := p.primary()
	for p.take("NOT ") {
		if never := p.primary(); left != "" && never != "" {
			left += " NOT " + never
		}
	}
	return left
}

func (p *pruner) primary() string {
	if p.depth++; p.depth > maxNested {
		p.strange = true
	}
	defer func() { p.depth-- }()
	switch {
	case p.strange:
	case p.take("{"):
		columns, rest, found := strings.Cut(p.rest, "}")
		p.rest = rest
		if p.strange = !found || !p.take(":"); p.strange {
			return ""
		}
		if part := p.primary(); part != "" {
			return "{" + columns + "} : " + part
		}
	case p.take("("):
		part := p.either()
		if p.strange = p.strange || !p.take(")"); part != "" {
			return "(" + part + ")"
		}
	case p.take(`"`):
		return p.phrase()
	default:
		p.strange = true
	}
	return ""
}

// phrase reads a string behind its quotation mark.
func (p *pruner) phrase() string {
	text, rest, found := strings.Cut(p.rest, `"`)
	p.rest = rest
	if p.strange = !found || strings.HasPrefix(rest, `"`); p.strange {
		return ""
	}
	words, whole := strings.Fields(text), `"`+text+`"`
	if p.take("*") {
		whole += " *"
		words = words[:max(len(words)-1, 0)] // a beginning of words is not in the filter
	}
	for _, word := range words {
		if plain(word) && p.lacks(word) {
			return ""
		}
	}
	return whole
}

// plain reports whether the tokenizer takes a word as it is.
func plain(word string) bool {
	for i := range len(word) {
		if c := word[i]; c < 0x80 && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}
