package shards

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/FastFilter/xorfilter"
)

// A filter says of a word that a shard does not have it. It is wrong for one word in 256, in that it does not say so.
// Its file form is five numbers, little-endian, and a byte for each of the fingerprints: that of a binary fuse filter
// (Graf and Lemire, 2022).
type filter struct{ fuse xorfilter.BinaryFuse8 }

const filterHead = 8 + 4*4

// wordKey returns the key of a word.
func wordKey(word string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(word))
	return h.Sum64()
}

// newFilter makes the file form of a filter of keys, which it sorts.
func newFilter(keys []uint64) ([]byte, error) {
	slices.Sort(keys)
	keys = slices.Compact(keys)
	if len(keys) == 0 {
		return nil, nil
	}
	fuse, err := xorfilter.PopulateBinaryFuse8(keys)
	if err != nil {
		return nil, fmt.Errorf("archive: make a filter of %d words: %w", len(keys), err)
	}
	form := binary.LittleEndian.AppendUint64(nil, fuse.Seed)
	for _, n := range []uint32{fuse.SegmentLength, fuse.SegmentLengthMask, fuse.SegmentCount, fuse.SegmentCountLength} {
		form = binary.LittleEndian.AppendUint32(form, n)
	}
	return append(form, fuse.Fingerprints...), nil
}

// toFilter reads a filter's file form. A damaged one is an error, and never makes Contains read elsewhere.
func toFilter(form []byte) (*filter, error) {
	f := &filter{}
	if len(form) == 0 {
		return f, nil
	}
	if len(form) < filterHead {
		return nil, fmt.Errorf("archive: a filter of %d bytes", len(form))
	}
	f.fuse.Seed = binary.LittleEndian.Uint64(form)
	for i, n := range []*uint32{
		&f.fuse.SegmentLength, &f.fuse.SegmentLengthMask, &f.fuse.SegmentCount, &f.fuse.SegmentCountLength,
	} {
		*n = binary.LittleEndian.Uint32(form[8+4*i:])
	}
	f.fuse.Fingerprints = form[filterHead:]
	length, count := uint64(f.fuse.SegmentLength), uint64(f.fuse.SegmentCount)
	whole := length > 0 && length&(length-1) == 0 && uint64(f.fuse.SegmentLengthMask) == length-1 &&
		uint64(f.fuse.SegmentCountLength) == count*length && uint64(len(f.fuse.Fingerprints)) == (count+2)*length
	if !whole {
		return nil, fmt.Errorf("archive: a filter of %d bytes is damaged", len(form))
	}
	return f, nil
}

// lacks reports whether the shard has no post with the word.
func (f *filter) lacks(word string) bool {
	return len(f.fuse.Fingerprints) == 0 || !f.fuse.Contains(wordKey(word))
}
