package dictionary

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"sync"

	"github.com/FastFilter/xorfilter"
)

// rare is what command convert writes of words that are rarer than Listed; its layout is EncodeRare's. Its licence is
// CC BY-SA 4.0 (LICENSE.rare), not that of the program.
//
//go:embed rare.bin
var rare []byte

// Rare reports whether a language other than English has a word, or a name of people or places, that Frequency does not
// list: one that is written less often, or that looked like a company's name and is in a dictionary. The word is folded
// as fold.Form does, and the language is a name of shared/language. It allocates nothing.
//
// It has no false negatives. One in 256 of other words is a false positive, and always the same ones.
func Rare(word, language string) bool {
	at, ok := numbers()[language]
	return ok && at > 0 && word != "" && rareFilter().Contains(rareKey(word, byte(at)))
}

// rareFilter is the filter of the table that ships, which stays where it is.
var rareFilter = sync.OnceValue(func() *xorfilter.BinaryFuse8 { return filterOf(rare) })

// The header of the table: the magic and what the filter was made with.
const (
	rareMagic  = "RAR1"
	rareHeader = len(rareMagic) + 8 + 4 + 4 + 4
)

func filterOf(table []byte) *xorfilter.BinaryFuse8 {
	head := table[len(rareMagic):]
	return &xorfilter.BinaryFuse8{
		Seed:               binary.LittleEndian.Uint64(head),
		SegmentLength:      binary.LittleEndian.Uint32(head[8:]),
		SegmentLengthMask:  binary.LittleEndian.Uint32(head[8:]) - 1,
		SegmentCount:       binary.LittleEndian.Uint32(head[12:]),
		SegmentCountLength: binary.LittleEndian.Uint32(head[16:]),
		Fingerprints:       table[rareHeader:],
	}
}

// rareKey is the FNV-1a hash, 64 bits, of a language's place in the table of Spoken and of a word.
func rareKey(word string, language byte) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	key := (offset ^ uint64(language)) * prime
	for i := range len(word) {
		key = (key ^ uint64(word[i])) * prime
	}
	return key
}

// EncodeRare writes the table of words, which are by their languages' places among Spoken: the magic, the seed of a
// binary fuse filter (64 bits), the length of its segments, their number, the length of all but two (32 bits each,
// little endian), and the fingerprints, a byte each.
func EncodeRare(words map[int][]string) ([]byte, error) {
	var keys []uint64
	for language, all := range words {
		if language < 1 || language > maxSpoken {
			return nil, errRare
		}
		for _, word := range all {
			keys = append(keys, rareKey(word, byte(language)))
		}
	}
	if len(keys) == 0 {
		return nil, errRare
	}
	filter, err := xorfilter.PopulateBinaryFuse8(keys)
	if err != nil {
		return nil, err
	}
	table := binary.LittleEndian.AppendUint64([]byte(rareMagic), filter.Seed)
	table = binary.LittleEndian.AppendUint32(table, filter.SegmentLength)
	table = binary.LittleEndian.AppendUint32(table, filter.SegmentCount)
	table = binary.LittleEndian.AppendUint32(table, filter.SegmentCountLength)
	return append(table, filter.Fingerprints...), nil
}

var errRare = errors.New("dictionary: the table of rare words needs words of languages other than English")
