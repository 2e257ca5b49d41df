package filter

import (
	"encoding/binary"
	"math/bits"
)

// Telling reports whether a digest says which words its texts have.
func Telling(digest []byte) bool {
	_, telling := hashes(digest)
	return telling
}

// A WordSet is the union of digests, all of which are Telling. The zero value is empty. It has 8 KiB.
type WordSet struct {
	bits [1 << 16 / 64]uint64 // by hash
}

// Add adds the digest of a mention.
func (s *WordSet) Add(digest []byte) {
	sorted, _ := hashes(digest)
	for i := 0; i < len(sorted); i += 2 {
		h := binary.BigEndian.Uint16(sorted[i:])
		s.bits[h/64] |= 1 << (h % 64)
	}
}

// Append appends the set to a buffer: a byte of version, and the distances between the sorted hashes as varints, which
// are about 9 bits each for a thousand words.
func (s *WordSet) Append(to []byte) []byte {
	to = append(to, digestVersion)
	last := -1
	for i, word := range s.bits {
		for ; word != 0; word &= word - 1 {
			h := i*64 + bits.TrailingZeros64(word)
			to = binary.AppendUvarint(to, uint64(h-last))
			last = h
		}
	}
	return to
}

// Decides reports whether words alone can refuse mentions: whether a condition on text must hold.
func (p *Predicate) Decides() bool { return p.NeedsText() && !p.words(nil) }

// Words returns false if none of the mentions of a set, as Append wrote it, matches, whatever else they are. It returns
// true for an empty set, and for one that another version wrote.
func (p *Predicate) Words(set []byte) bool {
	if len(set) < 2 || set[0] != digestVersion {
		return true
	}
	var room [2 << 10]byte
	sorted, last := room[:0], -1
	for set = set[1:]; len(set) > 0; {
		distance, n := binary.Uvarint(set)
		if n <= 0 || distance == 0 || distance > 1<<16 || last+int(distance) >= 1<<16 {
			return true // Append does not write it
		}
		last, set = last+int(distance), set[n:]
		sorted = binary.BigEndian.AppendUint16(sorted, uint16(last))
	}
	return p.words(sorted)
}

// words evaluates the filter where each condition may hold, except those whose words are not among the sorted hashes.
// No negated condition is certain to fail.
func (p *Predicate) words(sorted []byte) bool {
	var fixed [roomy]uint64
	bits := p.room(&fixed)
	p.phrases.inDigest(sorted, bits)
	return p.mayHold(bits)
}

// mayHold evaluates the filter where the conditions on text in bits may hold, and all others too, negated ones included.
func (p *Predicate) mayHold(bits set) bool {
	for i := range bits {
		bits[i] |= p.negated[i] | ^p.texts[i]
	}
	return p.tree.holds(bits)
}
