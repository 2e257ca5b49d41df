package filter

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// TermParts is how many parts a TermSet is written in, each with an equal range of hashes: a reader that looks for a
// word reads one of them.
const TermParts = 8

// termsVersion changes whenever the words of a text, or their terms, may change. A set of another version refuses
// nothing.
const termsVersion = 1

// A term is a 24-bit hash of a word: few words of a day have the same. Its highest bits name its part.
const (
	termBits  = 24
	partTerms = 1 << termBits / TermParts
)

// termOf returns FNV-1a with the upper byte of its 32 bits folded into the lower 24 (Fowler, Noll, Vo; "xor folding").
func termOf(word string) uint32 {
	h := uint32(2166136261)
	for i := range len(word) {
		h = (h ^ uint32(word[i])) * 16777619
	}
	return h>>termBits ^ h&(1<<termBits-1)
}

// fewAdded is how many terms are merged at once, at least.
const fewAdded = 1 << 12

// A TermSet is the set of words of many texts, as 24-bit hashes. The zero value is empty. It has false positives and no
// false negatives. It takes four bytes a word, and up to as many for words that were just added.
type TermSet struct {
	sorted []uint32
	added  []uint32
}

// Add adds the words of a mention's texts.
func (s *TermSet) Add(title, body *string) {
	for _, text := range []*string{title, body} {
		if text == nil {
			continue
		}
		for _, word := range words(*text) {
			s.added = append(s.added, termOf(word))
		}
	}
	if len(s.added) > max(fewAdded, len(s.sorted)/2) {
		s.settle()
	}
}

// settle merges what was added.
func (s *TermSet) settle() {
	if len(s.added) == 0 {
		return
	}
	slices.Sort(s.added)
	added := slices.Compact(s.added)
	merged := make([]uint32, 0, len(s.sorted)+len(added))
	old := s.sorted
	for len(old) > 0 && len(added) > 0 {
		switch {
		case old[0] < added[0]:
			merged, old = append(merged, old[0]), old[1:]
		case old[0] > added[0]:
			merged, added = append(merged, added[0]), added[1:]
		default:
			merged, old, added = append(merged, old[0]), old[1:], added[1:]
		}
	}
	s.sorted = append(append(merged, old...), added...)
	s.added = nil
}

// Size returns how many terms are in memory: those of the set, and some twice.
func (s *TermSet) Size() int { return len(s.sorted) + len(s.added) }

// Append appends a part of the set to a buffer: a byte of version, the part in a byte, the number of its terms as a
// varint, the parameter of the code in a byte, and the distances between the sorted terms in Rice's code, which takes
// 11 bits each for a set of 25,000 words (Rice, Plaunt: "Adaptive Variable-Length Coding", 1971).
func (s *TermSet) Append(to []byte, part int) []byte {
	s.settle()
	from, _ := slices.BinarySearch(s.sorted, uint32(part*partTerms))
	below, _ := slices.BinarySearch(s.sorted, uint32((part+1)*partTerms))
	terms := s.sorted[from:below]
	to = append(to, termsVersion, byte(part))
	to = binary.AppendUvarint(to, uint64(len(terms)))
	if len(terms) == 0 {
		return to
	}
	mean := partTerms / len(terms)
	rice := max(0, bits.Len(uint(mean*7/10))-1) // the best parameter is near log2(mean · ln 2)
	to = append(to, byte(rice))
	var room uint64
	used, last := 0, part*partTerms-1
	put := func(value uint64, n int) {
		for n > 0 {
			some := min(n, 32)
			n -= some
			room = room<<some | value>>n&(1<<some-1)
			for used += some; used >= 8; used -= 8 {
				to = append(to, byte(room>>(used-8)))
			}
		}
	}
	for _, term := range terms {
		distance := uint64(int(term) - last - 1)
		last = int(term)
		for ones := distance >> rice; ; ones -= 16 {
			if ones < 16 {
				put(1<<(ones+1)-2, int(ones)+1) // ones, and a zero
				break
			}
			put(1<<16-1, 16)
		}
		put(distance&(1<<rice-1), rice)
	}
	if used > 0 {
		put(0, 8-used)
	}
	return to
}

// A bitReader reads bits, the highest of each byte first.
type bitReader struct {
	from []byte
	room uint64 // the next bits are its highest
	have int
}

func (r *bitReader) fill() {
	for r.have <= 56 && len(r.from) > 0 {
		r.room |= uint64(r.from[0]) << (56 - r.have)
		r.from, r.have = r.from[1:], r.have+8
	}
}

// distance reads a distance. Returns false if the bits end before.
func (r *bitReader) distance(rice int) (distance int, ok bool) {
	ones := 0
	for {
		r.fill()
		n := min(bits.LeadingZeros64(^r.room), r.have)
		ones += n
		r.room, r.have = r.room<<n, r.have-n
		if r.have > 0 {
			break
		}
		if len(r.from) == 0 || ones > 1<<termBits {
			return 0, false
		}
	}
	r.room, r.have = r.room<<1, r.have-1
	if r.fill(); r.have < rice {
		return 0, false
	}
	if rice > 0 {
		distance = int(r.room >> (64 - rice))
		r.room, r.have = r.room<<rice, r.have-rice
	}
	return distance | ones<<rice, true
}

// TermParts lists the parts that have words of the filter, sorted.
func (p *Predicate) TermParts() (parts []int) {
	for _, term := range p.phrases.terms {
		parts = append(parts, int(term/partTerms))
	}
	return slices.Compact(parts)
}

// Terms returns false if no mention matches whose words are all in the union of sets, whatever else it is. The sets
// are as Append wrote them, each one part: words of parts that are not among them count as found. So do those of a
// part with a set that is damaged or of another version.
func (p *Predicate) Terms(sets ...[]byte) bool {
	wanted := p.phrases.terms
	found := make([]bool, len(wanted))
	var known [TermParts]bool
	for _, set := range sets {
		if len(set) > 1 && set[0] == termsVersion && set[1] < TermParts {
			known[set[1]] = true
		}
	}
	for _, set := range sets {
		if len(set) > 1 && set[1] < TermParts && !p.inPart(set, found) {
			known[set[1]] = false
		}
	}
	for i, term := range wanted {
		found[i] = found[i] || !known[term/partTerms]
	}
	var fixed [roomy]uint64
	bits := p.room(&fixed)
	p.phrases.inTerms(found, bits)
	return p.mayHold(bits)
}

// inPart marks the terms of the filter that are in a part of a set. Returns false if Append does not write such a set.
func (p *Predicate) inPart(set []byte, found []bool) bool {
	if set[0] != termsVersion {
		return false
	}
	count, n := binary.Uvarint(set[2:])
	if n <= 0 || count > partTerms {
		return false
	}
	if count == 0 {
		return true
	}
	rest, first := set[2+n:], int(set[1])*partTerms
	if len(rest) == 0 || rest[0] > termBits {
		return false
	}
	wanted := p.phrases.terms
	reader, term := bitReader{from: rest[1:]}, first-1
	at, _ := slices.BinarySearch(wanted, uint32(first))
	for range count {
		distance, ok := reader.distance(int(rest[0]))
		if term += distance + 1; !ok || term >= first+partTerms {
			return false
		}
		for at < len(wanted) && int(wanted[at]) < term {
			at++
		}
		if at < len(wanted) && int(wanted[at]) == term {
			found[at] = true
		}
	}
	return true
}

// inTerms adds to bits the conditions whose words may all be among the terms that were found.
func (s *phrases) inTerms(found []bool, bits set) {
	for _, l := range s.literals {
		bits.add(l.bit)
	}
	for _, starting := range s.byWord {
	search:
		for _, candidate := range starting {
			for _, word := range candidate.words {
				if at, _ := slices.BinarySearch(s.terms, termOf(word)); !found[at] {
					continue search
				}
			}
			bits.add(candidate.bit)
		}
	}
}
