// Package ngram defines the layout of the detector's table: n-grams of bytes, each with its weight for some languages.
// The file is used in place, with nothing to build at start. Integers are little-endian:
//
//	u32          number of languages L, 1 to 255
//	L × 3 bytes  ISO 639-1 code, NUL
//	u32          bits of the number of slots
//	2^bits × 8   slots: u32 check, u32 posting; all zero is an empty one
//	the rest     postings: u8 count, then count × (u8 language, u8 weight)
//
// The low bits of an n-gram's hash name its slot, and the high 32 identify it. N-grams of one slot follow each other
// and wrap round the end. Equal postings are stored once.
//
// Only the detector, which reads the table, and the conversion program, which writes it, import it.
package ngram

import (
	"encoding/binary"
	"errors"
)

const (
	slotSize = 8
	maxBits  = 24
)

// A Table is a file of the layout, read in place.
type Table struct {
	codes    string
	slots    string
	postings string
	mask     uint64
}

var errLayout = errors.New("ngram: not a table of n-grams")

// Open checks a file's frame, and reads no more of it.
func Open(file string) (Table, error) {
	languages, rest, ok := number(file)
	if !ok || languages < 1 || languages > 255 || len(rest) < languages*3 {
		return Table{}, errLayout
	}
	codes, rest := rest[:languages*3], rest[languages*3:]
	bits, rest, ok := number(rest)
	if !ok || bits < 1 || bits > maxBits || len(rest) < slotSize<<bits {
		return Table{}, errLayout
	}
	return Table{codes: codes, slots: rest[:slotSize<<bits], postings: rest[slotSize<<bits:], mask: 1<<bits - 1}, nil
}

func number(file string) (n int, rest string, ok bool) {
	if len(file) < 4 {
		return 0, "", false
	}
	return int(u32(file, 0)), file[4:], true
}

// Languages returns the number of languages.
func (t Table) Languages() int { return len(t.codes) / 3 }

// Code returns the ISO 639-1 code of a language, 0 to Languages()-1.
func (t Table) Code(language int) string { return t.codes[language*3 : language*3+2] }

// Find returns the posting of the n-gram of a hash, pairs of language and weight, and its slot, which identifies the
// n-gram. The posting is empty if the table lacks the n-gram.
func (t Table) Find(hash uint64) (slot uint32, posting string) {
	check := uint32(hash >> 32)
	for at := hash & t.mask; ; at = (at + 1) & t.mask {
		held, offset := u32(t.slots, int(at)*slotSize), u32(t.slots, int(at)*slotSize+4)
		switch {
		case held == 0 && offset == 0:
			return 0, ""
		case held == check:
			start := int(offset)
			if start >= len(t.postings) || start+1+2*int(t.postings[start]) > len(t.postings) {
				return 0, ""
			}
			return uint32(at), t.postings[start+1 : start+1+2*int(t.postings[start])]
		}
	}
}

func u32(file string, at int) uint32 {
	_ = file[at+3]
	return uint32(file[at]) | uint32(file[at+1])<<8 | uint32(file[at+2])<<16 | uint32(file[at+3])<<24
}

// The parameters of FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
const (
	Basis uint64 = 14695981039346656037 // the hash of no bytes, before Mix
	prime uint64 = 1099511628211
)

// Add adds one byte to a hash that began with Basis.
func Add(hash uint64, b byte) uint64 { return (hash ^ uint64(b)) * prime }

// Mix spreads a finished hash over all its bits, because FNV alone hardly moves the last byte into the high ones.
func Mix(hash uint64) uint64 {
	hash ^= hash >> 29
	hash *= 0x9e3779b97f4a7c15 // 2^64 / golden ratio
	return hash ^ hash>>32
}

// An Entry is one n-gram with its posting.
type Entry struct {
	Bytes   string
	Posting []Weight
}

// A Weight is how much an n-gram speaks for a language.
type Weight struct{ Language, Weight uint8 }

// Build writes a table. Entries keep their order, so equal entries make equal bytes.
func Build(codes []string, bits int, entries []Entry) ([]byte, error) {
	switch {
	case len(codes) < 1 || len(codes) > 255:
		return nil, errors.New("ngram: a table holds 1 to 255 languages")
	case bits < 1 || bits > maxBits || len(entries) >= 1<<bits:
		return nil, errors.New("ngram: the entries do not fit the slots")
	}
	file := binary.LittleEndian.AppendUint32(nil, uint32(len(codes)))
	for _, code := range codes {
		if len(code) != 2 {
			return nil, errors.New("ngram: a code has two letters")
		}
		file = append(file, code[0], code[1], 0)
	}
	file = binary.LittleEndian.AppendUint32(file, uint32(bits))
	slots, postings := make([]byte, slotSize<<bits), []byte(nil)
	stored := map[string]uint32{}
	for _, e := range entries {
		if len(e.Posting) < 1 || len(e.Posting) > 255 {
			return nil, errors.New("ngram: a posting holds 1 to 255 weights")
		}
		posting := []byte{byte(len(e.Posting))}
		for _, w := range e.Posting {
			if int(w.Language) >= len(codes) {
				return nil, errors.New("ngram: a weight names a language that the table lacks")
			}
			posting = append(posting, w.Language, w.Weight)
		}
		offset, known := stored[string(posting)]
		if !known {
			offset = uint32(len(postings))
			stored[string(posting)] = offset
			postings = append(postings, posting...)
		}
		if err := place(slots, e.Bytes, offset); err != nil {
			return nil, err
		}
	}
	return append(append(file, slots...), postings...), nil
}

func place(slots []byte, gram string, offset uint32) error {
	hash := Basis
	for i := range len(gram) {
		hash = Add(hash, gram[i])
	}
	hash = Mix(hash)
	mask, check := uint64(len(slots)/slotSize-1), uint32(hash>>32)
	if check == 0 && offset == 0 {
		return errors.New("ngram: an n-gram looks like an empty slot")
	}
	for at := hash & mask; ; at = (at + 1) & mask {
		slot := slots[at*slotSize : at*slotSize+slotSize]
		held, used := binary.LittleEndian.Uint32(slot), binary.LittleEndian.Uint32(slot[4:])
		switch {
		case held == 0 && used == 0:
			binary.LittleEndian.PutUint32(slot, check)
			binary.LittleEndian.PutUint32(slot[4:], offset)
			return nil
		case held == check:
			return errors.New("ngram: two n-grams have the same check")
		}
	}
}
