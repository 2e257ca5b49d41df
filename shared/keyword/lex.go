package keyword

import (
	"slices"
	"strings"
	"unicode"
)

// A token of an expression. text is the text of words.
type token struct {
	kind tokenKind
	text string
}

type tokenKind int

const (
	word tokenKind = iota
	minus
	not // NOT: a minus before something; elsewhere it is a word
	and
	or
	opening
	closing
)

// lex splits an expression into tokens. A quoted phrase is one word, and so is the rest of the text after a quotation
// mark that is never closed. Plus signs, asterisks and nearness ("acme cloud"~5) are dropped. Separators of list
// elements read as OR.
func lex(text string) (tokens []token) {
	runes := []rune(text)
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
			i = afterNearness(runes, min(end+1, len(runes)))
		case quotedFrom(runes, i) > 0:
			end := quotedFrom(runes, i)
			tokens, i = append(tokens, token{word, plain(runes[i+1 : end])}), end+1
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
			for end < len(runes) && !unicode.IsSpace(runes[end]) && !isQuote(runes[end]) && runes[end] != '(' &&
				runes[end] != ')' {
				end++
			}
			excluded := len(tokens) > 0 && tokens[len(tokens)-1].kind == minus
			tokens = append(tokens, listed(runes[i:end], excluded || beforeMark(runes[end:]))...)
			i = end
		}
	}
	return tokens
}

// quotedFrom returns where a phrase in single quotation marks that begins at i ends; 0 if none begins. An apostrophe
// does not end a phrase, and a single letter is no phrase ("Guns 'n' Roses").
func quotedFrom(runes []rune, i int) (end int) {
	begins := func(i int) bool {
		return startsToken(runes, i) || isMinus(runes[i-1]) || strings.ContainsRune("+＋,;|", runes[i-1])
	}
	if !isSingleQuote(runes[i]) || !begins(i) {
		return 0
	}
	for end = i + 1; end < len(runes); end++ {
		switch {
		case !isSingleQuote(runes[end]):
		case end+1 == len(runes) || unicode.IsSpace(runes[end+1]) || strings.ContainsRune("),;|", runes[end+1]):
			if end-i <= 2 {
				return 0
			}
			return end
		case begins(end):
			return 0 // another begins
		}
	}
	return 0
}

// afterNearness returns the position after a phrase's ~ and number.
func afterNearness(runes []rune, i int) int {
	end := i + 1
	for end < len(runes) && unicode.IsDigit(runes[end]) {
		end++
	}
	if i < len(runes) && runes[i] == '~' && end > i+1 {
		return end
	}
	return i
}

// beforeMark reports whether a quotation mark, a sign before a word, or nothing comes next.
func beforeMark(runes []rune) bool {
	rest := []rune(strings.TrimSpace(string(runes)))
	return len(rest) == 0 || isQuote(rest[0]) || isSingleQuote(rest[0]) || signs(rest) > 0
}

// listed returns the tokens of a bare word, with an OR for each list separator beside it. If ends is set, a comma or a
// semicolon behind the word is a separator. Otherwise it belongs to a name ("Acme, Inc.").
func listed(runes []rune, ends bool) (tokens []token) {
	text := string(runes)
	if rest := strings.TrimLeft(text, ",;|"); rest != text {
		tokens, text = append(tokens, token{or, "or"}), rest
	}
	own := text
	if ends {
		own = strings.TrimRight(text, ",;|")
	}
	if own != "" {
		tokens = append(tokens, bare([]rune(own)))
	}
	if own != text {
		tokens = append(tokens, token{or, "or"})
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

// plain returns a word or a phrase without the operators in it.
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
