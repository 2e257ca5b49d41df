package match

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// A text is a title or a body in its folded form, with what is already known of it. Its memory is reused.
type text struct {
	raw    string
	folded []byte
	soft   []int32 // offsets at which a zero width space was, ascending

	// Word edges that the quick test leaves open, as bits by offset: known tells whether an edge was looked up, edges
	// whether there is one.
	segmented    bool
	known, edges []uint64

	effort effort

	// The hashed pairs of adjacent bytes in folded, as bits. They are set by the first search for a single phrase.
	paired bool
	pairs  [pairBits / 64]uint64

	// The text with its case, for keywords that mind case. at maps offsets of folded to offsets of cased, with -1
	// within a character.
	caseKept bool
	cased    []byte
	at       []int32
}

// effort is the work done for a text, in bytes and probes. Tests require it to be linear in the text.
type effort struct{ walked, probed, segmented, named int }

func (t *text) reset(n *normalizer, raw string) {
	t.raw, t.segmented, t.caseKept, t.paired, t.effort = raw, false, false, false, effort{}
	t.folded, t.soft = n.Normal(t.folded[:0], t.soft[:0], raw, true)
	t.folded = slices.Grow(t.folded, padding)
}

// The classes of ASCII bytes in the word boundary rules of UAX #29.
const (
	other     = iota
	letter    // ALetter
	digit     // Numeric
	underline // ExtendNumLet
	midLetter // between letters: the colon
	midBoth   // between letters or between digits: full stop and apostrophe
	midDigit  // between digits: comma and semicolon
	beyond    // not ASCII
)

var kinds = func() (k [256]uint8) {
	for c := range k {
		switch {
		case c >= utf8.RuneSelf:
			k[c] = beyond
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			k[c] = letter
		case c >= '0' && c <= '9':
			k[c] = digit
		}
	}
	k['_'], k[':'], k['.'], k['\''], k[','], k[';'] = underline, midLetter, midBoth, midBoth, midDigit, midDigit
	return k
}()

// wordy reports whether a byte of that kind belongs to words. Two such bytes never have an edge between them.
func wordy(kind uint8) bool { return kind == letter || kind == digit || kind == underline }

// edge reports whether a word ends or begins at offset p (UAX #29). p must be between characters.
func (t *text) edge(p int) bool {
	if p <= 0 || p >= len(t.folded) {
		return true
	}
	if len(t.soft) > 0 {
		if _, found := slices.BinarySearch(t.soft, int32(p)); found {
			return true
		}
	}
	before, after := kinds[t.folded[p-1]], kinds[t.folded[p]]
	switch {
	case before == beyond || after == beyond:
		return t.segment(p)
	case wordy(before) && wordy(after):
		return false
	case before != letter && before != digit && after != letter && after != digit:
		return true
	}
	// A sign of the middle (WB6, WB7, WB11, WB12) binds if both its sides have the same kind.
	left, mid, right := before, after, uint8(other)
	if before >= midLetter {
		if p == 1 {
			return true
		}
		left, mid, right = kinds[t.folded[p-2]], before, after
	} else if p+1 < len(t.folded) {
		right = kinds[t.folded[p+1]]
	}
	switch {
	case mid < midLetter:
		return true
	case left == beyond || right == beyond:
		return t.segment(p)
	case left == letter && right == letter:
		return mid == midDigit
	case left == digit && right == digit:
		return mid == midLetter
	}
	return true
}

// segment asks the segmenter. A blank starts it anew whatever is before, so segment reads one stretch between blanks at
// a time, and each once.
func (t *text) segment(p int) bool {
	if t.folded[p] == ' ' {
		return true
	}
	if !t.segmented {
		t.segmented = true
		words := len(t.folded)/64 + 1
		t.known, t.edges = zeroed(t.known, words), zeroed(t.edges, words)
	}
	if t.known[p/64]>>(p%64)&1 == 0 {
		start := max(bytes.LastIndexByte(t.folded[:p], ' '), 0)
		end := len(t.folded)
		if blank := bytes.IndexByte(t.folded[p:], ' '); blank >= 0 {
			end = p + blank
		}
		t.effort.segmented += end - start
		at := start
		for word, rest, state := uniseg.FirstWord(t.folded[start:end], -1); len(word) > 0; word, rest,
			state = uniseg.FirstWord(rest, state) {
			t.edges[at/64] |= 1 << (at % 64)
			at += len(word)
		}
		for q := start + 1; q < end; q++ {
			t.known[q/64] |= 1 << (q % 64)
		}
	}
	return t.edges[p/64]>>(p%64)&1 == 1
}

// zeroed returns a slice of n zeros, in the memory of s if it suffices.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// wordEnd reports whether a word or a possessive's owner ends at p. After an owner, an apostrophe and an s follow, and
// then the word ends.
func (t *text) wordEnd(p int) bool {
	return t.edge(p) || p+1 < len(t.folded) && t.folded[p] == '\'' && t.folded[p+1] == 's' && t.edge(p+2)
}

// as reports whether the text from offset start of folded has the case of cased.
func (t *text) as(n *normalizer, start int, cased string) bool {
	if !t.caseKept {
		t.keepCase(n)
	}
	from := t.at[start]
	return from >= 0 && len(t.cased) >= int(from)+len(cased) && string(t.cased[from:int(from)+len(cased)]) == cased
}

func (t *text) keepCase(n *normalizer) {
	t.caseKept = true
	t.cased, _ = n.Normal(t.cased[:0], nil, t.raw, false)
	t.at = t.at[:0]
	for i := 0; i < len(t.cased); {
		r, size := utf8.DecodeRune(t.cased[i:])
		t.at = append(t.at, int32(i))
		for range n.FoldedSize(r) - 1 {
			t.at = append(t.at, -1)
		}
		i += size
	}
	t.at = append(t.at, int32(len(t.cased)))
}
