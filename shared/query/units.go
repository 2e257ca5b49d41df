package query

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"earshot/shared/text/fold"
)

// A unit is what the index holds of a text at one position: letters and digits between two places where a word may
// begin or end, or one sign beyond ASCII.
type unit struct {
	from, to int // bytes of the folded text
	gram     bool
}

// A splitter finds the units of texts. Its memory is reused.
type splitter struct {
	normalizer fold.Normalizer
	folded     []byte
	soft       []int32
	units      []unit
	broken     bool // whether a zero width space is within a unit
}

// split sets the units of a text. The matcher finds a keyword at whole units alone: it begins and ends where UAX #29
// has a boundary, or beside a sign that is in no unit. Only a zero width space lets it begin and end within one.
//
// A character of a script without blanks is a gram, because UAX #29 has boundaries on both its sides.
func (s *splitter) split(text string) {
	s.soft = s.soft[:0]
	s.folded, s.soft = s.normalizer.Normal(s.folded[:0], s.soft, text, true)
	s.units = s.units[:0]
	for at := 0; at < len(s.folded); {
		end := at + 1 // a stretch begins with its blank, as the matcher segments it
		plain := s.folded[at] < utf8.RuneSelf
		for ; end < len(s.folded) && s.folded[end] != ' '; end++ {
			plain = plain && s.folded[end] < utf8.RuneSelf
		}
		if plain {
			s.segment(at, end)
		} else {
			s.stretch(at, end)
		}
		at = end
	}
	s.broken = false
	for _, p := range s.soft {
		i, _ := slices.BinarySearchFunc(s.units, int(p), func(u unit, p int) int { return u.to - p })
		if i < len(s.units) && s.units[i].from < int(p) && int(p) < s.units[i].to {
			s.broken = true
		}
	}
}

// stretch adds the units of a text between blanks.
func (s *splitter) stretch(from, end int) {
	state := -1
	for rest := s.folded[from:end]; len(rest) > 0; {
		var word []byte
		word, rest, state = uniseg.FirstWord(rest, state)
		s.segment(from, from+len(word))
		from += len(word)
	}
}

// segment adds the units of a text that UAX #29 keeps together, or of one of ASCII alone. Marks that follow no letter
// are a unit of their own, because a name that begins with them is segmented so where it is alone.
func (s *splitter) segment(from, end int) {
	open := -1     // where the unit began that the last character belongs to
	marks := false // whether that unit has marks alone
	closed := func(at int) {
		if open >= 0 {
			r, _ := utf8.DecodeRune(s.folded[open:])
			s.units = append(s.units, unit{open, at, r >= utf8.RuneSelf && unicode.In(r, unspaced...)})
			open, marks = -1, false
		}
	}
	for at := from; at < end; {
		r, size := rune(s.folded[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(s.folded[at:end])
		}
		switch {
		case ofWord(r):
			mark := r >= utf8.RuneSelf && unicode.Is(unicode.M, r)
			if marks && !mark {
				closed(at)
			}
			if open < 0 {
				open, marks = at, mark
			}
		case r >= utf8.RuneSelf && unicode.In(r, unicode.N, unicode.S, unicode.Co):
			closed(at)
			open = at
			closed(at + size)
		default:
			closed(at)
		}
		at += size
	}
	closed(end)
}

// ofWord reports whether a character can be in the middle of a handle, a label of a host or a word.
func ofWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// unspaced are the scripts in which UAX #29 has a boundary at each letter, because they have no blanks between words.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tai_Le,
	unicode.New_Tai_Lue, unicode.Tai_Tham, unicode.Tai_Viet,
}

// gramSize is how many grams in a row a position of the index holds.
const gramSize = 3

// run returns how many grams without anything between begin at unit i, at most most.
func (s *splitter) run(i, most int) int {
	n := 0
	for n < most && i+n < len(s.units) && s.units[i+n].gram && (n == 0 || s.units[i+n-1].to == s.units[i+n].from) {
		n++
	}
	return n
}
