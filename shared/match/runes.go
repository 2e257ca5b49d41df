package match

import (
	"bytes"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// What becomes of a character, in the upper four bits of its entry in the table; the lower twelve are an index of spellings,
// 0 for a character that is spelled as it stands.
const (
	plainRune    = 0 << 12
	hiddenRune   = 1 << 12 // not there
	softRune     = 2 << 12 // the zero width space: not there, but words may end at it
	blankRune    = 3 << 12 // white space
	unstableRune = 4 << 12 // may compose with its neighbours, or be written otherwise: its surroundings are normalised
	runeClass    = 7 << 12
	spellingMask = 1<<12 - 1
)

// A spelling is how a character is written once it is normalised, with its case and without.
type spelling struct{ plain, folded string }

// runeTable says of every character up to lastRune what becomes of it. Pages of 256 characters that are alike are shared.
type runeTable struct {
	pages     [lastRune>>8 + 1]uint16
	entries   [][256]uint16
	spellings []spelling
	compat    map[rune]string // what is written otherwise before it is normalised
}

// lastRune bounds the characters that the table knows; above are ideographs, which have no case, and ignorable ones.
const lastRune = 0x1FFFF

func (t *runeTable) entry(r rune) uint16 {
	if r <= lastRune {
		return t.entries[t.pages[r>>8]][r&0xFF]
	}
	if r >= 0xE0000 && r <= 0xE0FFF {
		return hiddenRune
	}
	if r >= 0x2F800 && r <= 0x2FA1F { // compatibility ideographs
		return unstableRune
	}
	return plainRune
}

// runes makes the table from the Unicode tables of Go and golang.org/x/text, once, in some milliseconds.
var runes = sync.OnceValue(func() *runeTable {
	t := &runeTable{spellings: make([]spelling, 1), compat: compatible()}
	folder, pages := cases.Fold(), map[[256]uint16]uint16{}
	indexes := map[spelling]uint16{}
	for page := range t.pages {
		var entries [256]uint16
		for i := range entries {
			r := rune(page<<8 | i)
			class := classOf(r, t.compat)
			if class != plainRune {
				entries[i] = class
				if class != unstableRune {
					continue
				}
			}
			var source, fold [3 * utf8.UTFMax]byte
			size := utf8.EncodeRune(source[:], r)
			plain := source[:size]
			if mapped, ok := t.compat[r]; ok && class == plainRune {
				plain = []byte(mapped)
			}
			n, _, _ := folder.Transform(fold[:], plain, true)
			folded := fold[:n]
			if r == '\u0130' { // see the package comment on the dotted i
				folded = []byte("i")
			}
			if bytes.Equal(plain, source[:size]) && bytes.Equal(folded, plain) {
				continue
			}
			s := spelling{string(plain), string(folded)}
			index, ok := indexes[s]
			if !ok {
				index = uint16(len(t.spellings))
				indexes[s] = index
				t.spellings = append(t.spellings, s)
			}
			entries[i] |= index
		}
		index, ok := pages[entries]
		if !ok {
			index = uint16(len(t.entries))
			pages[entries] = index
			t.entries = append(t.entries, entries)
		}
		t.pages[page] = index
	}
	return t
})

func classOf(r rune, compat map[rune]string) uint16 {
	switch {
	case r == '\u200B':
		return softRune
	case hides(r):
		return hiddenRune
	case unicode.Is(unicode.White_Space, r):
		return blankRune
	}
	form := string(r)
	if mapped, ok := compat[r]; ok {
		form = mapped
	}
	// Two characters in a row compose only when the second has no boundary before it, and only marks move.
	properties := norm.NFC.PropertiesString(form)
	if properties.Size() != len(form) || !properties.BoundaryBefore() || properties.CCC() != 0 || !norm.NFC.IsNormalString(form) {
		return unstableRune
	}
	return plainRune
}

// hides says whether r shows nothing, or only how its neighbour is drawn: joiners, soft hyphens, marks of direction, fillers,
// variation selectors and tags, which Unicode calls Default_Ignorable_Code_Point and derives as here (DerivedCoreProperties.txt),
// and skin tones.
func hides(r rune) bool {
	switch {
	case r >= 0x1F3FB && r <= 0x1F3FF:
		return true
	case r >= 0xFFF9 && r <= 0xFFFB || r >= 0x13430 && r <= 0x1345F:
		return false
	}
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Cf, unicode.Variation_Selector) &&
		!unicode.In(r, unicode.White_Space, unicode.Prepended_Concatenation_Mark)
}

// compatible maps characters that only look otherwise: apostrophes, full and half width forms, and the letters and digits of
// mathematics, which strangers write in for decoration.
func compatible() map[rune]string {
	m := map[rune]string{'\u2018': "'", '\u2019': "'", '\u201B': "'", '\u02BC': "'"}
	for _, block := range [][2]rune{{0xFF01, 0xFFEE}, {0x1D400, 0x1D7FF}} {
		for r := block[0]; r <= block[1]; r++ {
			if mapped := norm.NFKC.String(string(r)); mapped != string(r) && !hides(r) {
				m[r] = mapped
			}
		}
	}
	return m
}
