package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A gram is an n-gram in the package's notation: one character a byte (alphabet), weights by the languages' numbers.
type gram struct {
	text    string
	weights []weight
}

type weight struct{ language, weight int }

// An alphabet maps the characters of the package's n-grams to bytes.
type alphabet map[rune]byte

// readAlphabet reads src/dictionary.js: an array of 256 characters by byte. A blank stands for itself and for bytes
// that no word has.
func readAlphabet(source string) (alphabet, error) {
	_, rest, ok := strings.Cut(source, "dictionary = ")
	if !ok {
		return nil, fmt.Errorf("the dictionary is not in its place")
	}
	s := &scanner{rest: rest}
	s.expect('[')
	a := alphabet{' ': ' '}
	n := 0
	for ; s.err == nil && !s.accept(']'); n++ {
		character, size := utf8.DecodeRuneInString(s.text())
		if size == 0 {
			s.fail("an empty character")
		}
		if character != ' ' {
			a[character] = byte(n)
		}
		s.accept(',')
	}
	if s.err == nil && n != 256 {
		return nil, fmt.Errorf("the dictionary has %d characters, not 256", n)
	}
	return a, s.err
}

func (a alphabet) bytes(text string) (string, error) {
	var raw []byte
	for _, character := range text {
		b, ok := a[character]
		if !ok {
			return "", fmt.Errorf("the n-gram %q has a character outside of the alphabet", text)
		}
		raw = append(raw, b)
	}
	return string(raw), nil
}

// readDatabase reads src/ngrams/small.js: the languages' codes by their numbers, and the n-grams in their order. It
// reads the text itself, because a JavaScript engine would lose the order.
func readDatabase(source string) (codes []string, grams []gram, err error) {
	_, rest, ok := strings.Cut(source, "languages:")
	if !ok {
		return nil, nil, fmt.Errorf("the languages are not in their place")
	}
	s := &scanner{rest: rest}
	for s.expect('{'); s.err == nil && !s.accept('}'); s.accept(',') {
		if s.number() != len(codes) {
			s.fail("the languages are not in their order")
		}
		s.expect(':')
		codes = append(codes, s.text())
	}
	if _, s.rest, ok = strings.Cut(s.rest, "ngrams:"); !ok {
		return nil, nil, fmt.Errorf("the n-grams are not in their place")
	}
	for s.expect('{'); s.err == nil && !s.accept('}'); s.accept(',') {
		g := gram{text: s.text()}
		s.expect(':')
		for s.expect('{'); s.err == nil && !s.accept('}'); s.accept(',') {
			language := s.number()
			s.expect(':')
			g.weights = append(g.weights, weight{language, s.number()})
		}
		grams = append(grams, g)
	}
	return codes, grams, s.err
}

// A scanner reads the subset of JavaScript that the package's data uses. It keeps the first error.
type scanner struct {
	rest string
	err  error
}

func (s *scanner) fail(what string) {
	if s.err == nil {
		s.err = fmt.Errorf("%s before %.20q", what, s.rest)
	}
}

func (s *scanner) accept(b byte) bool {
	s.rest = strings.TrimLeft(s.rest, " \r\n\t")
	if s.err != nil || s.rest == "" || s.rest[0] != b {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

func (s *scanner) expect(b byte) {
	if !s.accept(b) {
		s.fail(fmt.Sprintf("no %q", b))
	}
}

func (s *scanner) number() int {
	end := strings.IndexFunc(s.rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 1 {
		s.fail("no number")
		return 0
	}
	n, err := strconv.Atoi(s.rest[:end])
	if err != nil {
		s.fail(err.Error())
	}
	s.rest = s.rest[end:]
	return n
}

// text reads a string in single or double quotes, or a property's bare name.
func (s *scanner) text() string {
	quote := byte(0)
	if s.accept('\'') {
		quote = '\''
	} else if s.accept('"') {
		quote = '"'
	}
	if quote == 0 {
		end := strings.IndexAny(s.rest, ":{},'\"")
		if end < 1 {
			s.fail("no name")
			return ""
		}
		name := s.rest[:end]
		s.rest = s.rest[end:]
		return name
	}
	var text []byte
	for i := 0; i < len(s.rest); i++ {
		switch b := s.rest[i]; {
		case b == quote:
			s.rest = s.rest[i+1:]
			return string(text)
		case b == '\\' && i+1 < len(s.rest) && strings.IndexByte(`'"\`, s.rest[i+1]) >= 0:
			i++
			text = append(text, s.rest[i])
		case b == '\\':
			s.fail("an escape that the package does not use")
			return ""
		default:
			text = append(text, b)
		}
	}
	s.fail("a text without an end")
	return ""
}
