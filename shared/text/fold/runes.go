package fold

import (
	"bytes"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// What becomes of a character, in the upper four bits of its entry in the table; the lower twelve are an index of
// spellings, 0 for a character that is spelled as it stands.
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

// A runePage says of 256 characters in a row what becomes of each. An entry's spelling is among its own page's.
type runePage struct {
	entries   [256]uint16
	spellings []spelling
}

// runeTable says of every character up to lastRune what becomes of it. A page is made when one of its characters is
// first met: texts have those of a few scripts, and to make them all would be most of a process's start. It is safe for
// concurrent use.
type runeTable struct {
	pages [lastRune>>8 + 1]atomic.Pointer[runePage]
	plain runePage // of the many pages whose characters stay as they are
}

// lastRune bounds the characters that the table knows; above are ideographs, which have no case, and ignorable ones.
const lastRune = 0x1FFFF

func (t *runeTable) entry(r rune) uint16 {
	if r <= lastRune {
		return t.page(r).entries[r&0xFF]
	}
	if r >= 0xE0000 && r <= 0xE0FFF {
		return hiddenRune
	}
	if r >= 0x2F800 && r <= 0x2FA1F { // compatibility ideographs
		return unstableRune
	}
	return plainRune
}

// spelling is that of a character whose entry has one.
func (t *runeTable) spelling(r rune, entry uint16) *spelling {
	return &t.page(r).spellings[entry&spellingMask]
}

func (t *runeTable) page(r rune) *runePage {
	if page := t.pages[r>>8].Load(); page != nil {
		return page
	}
	return t.open(r >> 8)
}

// open makes a page, which is the same whoever makes it.
func (t *runeTable) open(number rune) *runePage {
	page := newRunePage(number)
	if page.entries == t.plain.entries {
		page = &t.plain
	}
	t.pages[number].Store(page)
	return page
}

// runes is the table that all normalizers share.
var runes = sync.OnceValue(func() *runeTable { return &runeTable{} })

// newRunePage makes a page from the Unicode tables of Go and golang.org/x/text.
func newRunePage(number rune) *runePage {
	page := &runePage{spellings: make([]spelling, 1)}
	folder, indexes := cases.Fold(), map[spelling]uint16{}
	for i := range page.entries {
		r := number<<8 | rune(i)
		class := classOf(r)
		if class != plainRune {
			page.entries[i] = class
			if class != unstableRune {
				continue
			}
		}
		var source, fold [3 * utf8.UTFMax]byte
		size := utf8.EncodeRune(source[:], r)
		plain := source[:size]
		if mapped, ok := compatible(r); ok && class == plainRune {
			plain = []byte(mapped)
		}
		n, _, _ := folder.Transform(fold[:], plain, true)
		folded := fold[:n]
		if r == '\u0130' { // see the comment of package match on the dotted i
			folded = []byte("i")
		}
		if bytes.Equal(plain, source[:size]) && bytes.Equal(folded, plain) {
			continue
		}
		s := spelling{string(plain), string(folded)}
		index, ok := indexes[s]
		if !ok {
			index = uint16(len(page.spellings))
			indexes[s] = index
			page.spellings = append(page.spellings, s)
		}
		page.entries[i] |= index
	}
	return page
}

func classOf(r rune) uint16 {
	switch {
	case r == '\u200B':
		return softRune
	case hides(r):
		return hiddenRune
	case unicode.Is(unicode.White_Space, r):
		return blankRune
	}
	form := string(r)
	if mapped, ok := compatible(r); ok {
		form = mapped
	}
	// Two characters in a row compose only when the second has no boundary before it, and only marks move.
	properties := norm.NFC.PropertiesString(form)
	if properties.Size() != len(form) || !properties.BoundaryBefore() || properties.CCC() != 0 ||
		!norm.NFC.IsNormalString(form) {
		return unstableRune
	}
	return plainRune
}

// hides says whether r shows nothing, or only how its neighbour is drawn: joiners, soft hyphens, marks of direction,
// fillers, variation selectors and tags, which Unicode calls Default_Ignorable_Code_Point and derives as here
// (DerivedCoreProperties.txt), and skin tones.
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

// compatible is what a character that only looks otherwise is written as before it is normalised: apostrophes, hyphens,
// full and half width forms, and the letters and digits of mathematics, which strangers write in for decoration. Dashes
// are no hyphens.
func compatible(r rune) (mapped string, ok bool) {
	switch {
	case r == '\u2018' || r == '\u2019' || r == '\u201B' || r == '\u02BC':
		return "'", true
	case r == '\u2010' || r == '\u2011':
		return "-", true
	case (r < 0xFF01 || r > 0xFFEE) && (r < 0x1D400 || r > 0x1D7FF) || hides(r):
		return "", false
	}
	mapped = norm.NFKC.String(string(r))
	return mapped, mapped != string(r)
}
