package feature

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// A Lexicon gives the valence of words, emoticons and emoji. Its file is used where it lies:
//
//	"VAL1"
//	u32        bits of the number of slots, little-endian
//	2^bits × 5 slots: u32 check, little-endian, i8 valence in tenths; valence 0 is an empty slot
//
// A token's hash names its slot by the low bits and is known by the high 32.
type Lexicon struct {
	slots string
	mask  uint64
}

const (
	lexiconMagic = "VAL1"
	lexiconSlot  = 5
)

// OpenLexicon checks a file's frame.
func OpenLexicon(file string) (Lexicon, error) {
	if len(file) < 8 || file[:4] != lexiconMagic {
		return Lexicon{}, errors.New("feature: not a lexicon")
	}
	bits := u32(file[4:])
	if bits < 1 || bits > 24 || len(file) != 8+lexiconSlot<<bits {
		return Lexicon{}, errors.New("feature: the lexicon is truncated or has a wrong size")
	}
	return Lexicon{slots: file[8:], mask: 1<<bits - 1}, nil
}

// valence returns the valence of a token by its hash, -4 to 4, or 0 if the lexicon lacks it.
func (l Lexicon) valence(hash uint64) float32 {
	hash = mix(hash)
	for at := hash & l.mask; ; at = (at + 1) & l.mask {
		slot := l.slots[at*lexiconSlot : at*lexiconSlot+lexiconSlot]
		switch {
		case slot[4] == 0:
			return 0
		case u32(slot) == uint32(hash>>32):
			return float32(int8(slot[4])) / 10
		}
	}
}

// An Entry is a token of a lexicon, lowercase, with its valence.
type Entry struct {
	Token   string
	Valence float64
}

// BuildLexicon writes a lexicon's file. Equal entries make equal bytes. It ignores a repeated token and a valence of
// zero.
func BuildLexicon(entries []Entry, bits int) ([]byte, error) {
	if bits < 1 || bits > 24 || len(entries) >= 1<<bits {
		return nil, errors.New("feature: the entries do not fit the slots")
	}
	file := binary.LittleEndian.AppendUint32([]byte(lexiconMagic), uint32(bits))
	slots := make([]byte, lexiconSlot<<bits)
	for _, e := range entries {
		tenths := math.Round(e.Valence * 10)
		if math.Abs(tenths) > 127 || e.Token == "" {
			return nil, fmt.Errorf("feature: the valence of %q is out of bounds", e.Token)
		}
		if tenths == 0 {
			continue
		}
		hash := mix(hashed(e.Token))
		for at, mask := hash, uint64(1)<<bits-1; ; at++ {
			slot := slots[(at&mask)*lexiconSlot : (at&mask)*lexiconSlot+lexiconSlot]
			if slot[4] == 0 {
				binary.LittleEndian.PutUint32(slot, uint32(hash>>32))
				slot[4] = byte(int8(tenths))
				break
			}
			if binary.LittleEndian.Uint32(slot) == uint32(hash>>32) {
				break
			}
		}
	}
	return append(file, slots...), nil
}

func u32(bytes string) uint32 {
	_ = bytes[3]
	return uint32(bytes[0]) | uint32(bytes[1])<<8 | uint32(bytes[2])<<16 | uint32(bytes[3])<<24
}
