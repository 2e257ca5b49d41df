package fold

import (
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalizer writes texts in the normal form in which keywords compare with posts: package match has its rules. It
// keeps the memory that it needs, so one goroutine uses it at a time. The zero value is ready.
type Normalizer struct {
	table    *runeTable
	piece    []byte    // a stretch before it is composed
	composed norm.Iter // and after
}

// Normal appends raw's normal form to dst, folded or with its case, and to soft where in dst a zero width space was.
// Work and result are linear in raw: no byte of it becomes more than three.
func (n *Normalizer) Normal(dst []byte, soft []int32, raw string, folded bool) ([]byte, []int32) {
	if n.table == nil {
		n.table = runes()
	}
	ascii := &asciiPlain
	if folded {
		ascii = &asciiFolded
	}
	if need := len(dst) + len(raw); cap(dst) < need {
		dst = append(make([]byte, 0, need+need/8+64), dst...)
	}
	blankBefore := false
	for i := 0; i < len(raw); {
		for i+8 <= len(raw) {
			eight, ok := plainASCII(raw[i:i+8], blankBefore)
			if !ok {
				break
			}
			if folded {
				eight = lower(eight)
			}
			dst = binary.LittleEndian.AppendUint64(dst, eight)
			blankBefore = eight>>56 == ' '
			i += 8
		}
		if i == len(raw) {
			break
		}
		c := raw[i]
		if c < utf8.RuneSelf {
			i++
			c = ascii[c]
			if c != ' ' {
				dst, blankBefore = append(dst, c), false
			} else if !blankBefore {
				dst, blankBefore = append(dst, c), true
			}
			continue
		}
		end := i + 1
		for end < len(raw) && raw[end] >= utf8.RuneSelf {
			end++
		}
		from, fromSoft := len(dst), len(soft)
		var stable bool
		if dst, soft, stable = n.stable(dst, soft, raw[i:end], folded); !stable {
			before := ""
			if i > 0 && asciiPlain[raw[i-1]] != ' ' {
				before = raw[i-1 : i]
				from--
			}
			dst, soft = n.unstable(dst[:from], soft[:fromSoft], before, raw[i:end], folded)
		}
		blankBefore = len(dst) > 0 && dst[len(dst)-1] == ' '
		i = end
	}
	return dst, soft
}

// ones has a 1 in each of eight bytes, highs the highest bit.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// plainASCII returns the first eight bytes of raw in one word, lowest first, and whether they are ASCII without white
// space, apart from single blanks. blankBefore says that a blank is before them. It looks at all eight at once: adding
// to bytes below 128 what is missing to 128 from a bound sets the highest bit of those that reach the bound.
func plainASCII(raw string, blankBefore bool) (eight uint64, ok bool) {
	eight = uint64(raw[0]) | uint64(raw[1])<<8 | uint64(raw[2])<<16 | uint64(raw[3])<<24 |
		uint64(raw[4])<<32 | uint64(raw[5])<<40 | uint64(raw[6])<<48 | uint64(raw[7])<<56
	if eight&highs != 0 {
		return 0, false
	}
	spaces := (eight + (0x80-'\t')*ones) &^ (eight + (0x80-'\r'-1)*ones) & highs
	blanks := ^(eight ^ ' '*ones + 0x7F*ones) & highs
	double := blanks & (blanks << 8)
	if blankBefore {
		double |= blanks & 0x80
	}
	return eight, spaces|double == 0
}

// lower turns the capitals among eight bytes of ASCII into small letters.
func lower(eight uint64) uint64 {
	capitals := (eight + (0x80-'A')*ones) &^ (eight + (0x80-'Z'-1)*ones) & highs
	return eight | capitals>>2
}

// stable appends a stretch without ASCII, unless it has characters whose form depends on their neighbours.
func (n *Normalizer) stable(dst []byte, soft []int32, raw string, folded bool) ([]byte, []int32, bool) {
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRuneInString(raw[i:])
		entry := n.table.entry(r)
		switch entry & runeClass {
		case plainRune:
			dst = n.spell(dst, r, entry, folded)
		case softRune:
			soft = append(soft, int32(len(dst)))
		case blankRune:
			dst = appendBlank(dst)
		case unstableRune:
			return dst, soft, false
		}
		i += size
	}
	return dst, soft, true
}

// unstable appends a stretch by way of its composed form (NFC), with the ASCII character before it when there is one. A
// zero width space keeps what is on its sides from composing.
func (n *Normalizer) unstable(dst []byte, soft []int32, before, raw string, folded bool) ([]byte, []int32) {
	n.piece = append(n.piece[:0], before...)
	last := rune(0)
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRuneInString(raw[i:])
		i += size
		switch n.table.entry(r) & runeClass {
		case hiddenRune:
		case softRune:
			dst, last = n.compose(dst, last, folded)
			soft = append(soft, int32(len(dst)))
			n.piece = n.piece[:0]
		default:
			if mapped, ok := compatible(r); ok {
				n.piece = append(n.piece, mapped...)
			} else {
				n.piece = utf8.AppendRune(n.piece, r)
			}
		}
	}
	dst, _ = n.compose(dst, last, folded)
	return dst, soft
}

// compose appends the piece in its composed form. last is the character before it, and the one at its end is returned.
func (n *Normalizer) compose(dst []byte, last rune, folded bool) ([]byte, rune) {
	n.composed.Init(norm.NFC, n.piece)
	for !n.composed.Done() {
		for form := n.composed.Next(); len(form) > 0; {
			r, size := utf8.DecodeRune(form)
			form = form[size:]
			entry := n.table.entry(r)
			switch {
			case entry&runeClass == hiddenRune: // the iterator cuts floods of marks with one
				continue
			case r == '\u0307' && last == 'i':
				continue
			case entry&runeClass == blankRune:
				dst = appendBlank(dst)
			default:
				dst = n.spell(dst, r, entry, folded)
			}
			last = r
		}
	}
	return dst, last
}

// spell appends a character that is in its normal form but for case.
func (n *Normalizer) spell(dst []byte, r rune, entry uint16, folded bool) []byte {
	switch {
	case entry&spellingMask == 0:
		return utf8.AppendRune(dst, r)
	case folded:
		return append(dst, n.table.spelling(r, entry).folded...)
	}
	return append(dst, n.table.spelling(r, entry).plain...)
}

func appendBlank(dst []byte) []byte {
	if len(dst) > 0 && dst[len(dst)-1] == ' ' {
		return dst
	}
	return append(dst, ' ')
}

// The normal forms of ASCII: white space is a blank, and letters lose their case when they are folded.
var asciiFolded, asciiPlain = asciiForms()

func asciiForms() (folded, plain [256]byte) {
	for c := range 256 {
		plain[c] = byte(c)
		if c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r' {
			plain[c] = ' '
		}
		folded[c] = plain[c]
		if c >= 'A' && c <= 'Z' {
			folded[c] = byte(c) + 'a' - 'A'
		}
	}
	return folded, plain
}

// FoldedSize returns how many bytes the folded form of a character has. The character is in its normal form.
func (n *Normalizer) FoldedSize(r rune) int {
	if entry := n.table.entry(r); entry&spellingMask != 0 {
		return len(n.table.spelling(r, entry).folded)
	}
	return utf8.RuneLen(r)
}
