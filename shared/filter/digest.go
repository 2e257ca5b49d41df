package filter

import (
	"encoding/binary"
	"slices"
)

// digestVersion changes whenever the words of a text, or their hashes, may change: with this package's rules, or with
// the Unicode data of its libraries. A digest of another version says nothing.
const digestVersion = 1

// maxDigest is how many bytes a digest has at most.
const maxDigest = 1 << 10

// Digest returns the set of words of a mention's texts, small enough for an index: a byte of version, and the sorted
// 16-bit hashes of its distinct words. It has false positives and no false negatives. Texts without words, and texts
// with more words than 1 KiB can hold, have a digest of the version alone, which says nothing.
func Digest(title, body *string) []byte {
	var hashes []uint16
	for _, text := range []*string{title, body} {
		if text == nil {
			continue
		}
		for _, word := range words(*text) {
			hashes = append(hashes, hash(word))
		}
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	digest := []byte{digestVersion}
	if 1+2*len(hashes) > maxDigest {
		return digest
	}
	for _, h := range hashes {
		digest = binary.BigEndian.AppendUint16(digest, h)
	}
	return digest
}

// hash returns FNV-1a with the halves of its 32 bits folded into 16 (Fowler, Noll, Vo; "xor folding").
func hash(word string) uint16 {
	h := uint32(2166136261)
	for i := range len(word) {
		h = (h ^ uint32(word[i])) * 16777619
	}
	return uint16(h>>16) ^ uint16(h)
}

// hashes returns the hashes in a digest, and whether the digest says anything.
func hashes(digest []byte) (sorted []byte, telling bool) {
	if len(digest) < 3 || len(digest)%2 == 0 || digest[0] != digestVersion {
		return nil, false
	}
	return digest[1:], true
}

// holds reports whether a hash is in the set.
func holds(sorted []byte, h uint16) bool {
	low, high := 0, len(sorted)/2
	for low < high {
		middle := (low + high) / 2
		if binary.BigEndian.Uint16(sorted[2*middle:]) < h {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return 2*low < len(sorted) && binary.BigEndian.Uint16(sorted[2*low:]) == h
}
