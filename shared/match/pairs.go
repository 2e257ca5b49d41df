package match

// pairBits is a power of two: enough for the few hundred pairs of a post to leave most bits clear.
const pairBits = 4096

// pairBit returns the bit of two adjacent bytes. Every pair of letters has its own.
func pairBit(a, b byte) uint { return (uint(a)<<6 ^ uint(b)) % pairBits }

// may reports whether a needle of two bytes or more can occur in the folded text: whether the text has all of its pairs
// of bytes. It has false positives and no false negatives.
func (t *text) may(needle []byte) bool {
	if !t.paired {
		t.paired = true
		clear(t.pairs[:])
		for i := 1; i < len(t.folded); i++ {
			bit := pairBit(t.folded[i-1], t.folded[i])
			t.pairs[bit/64] |= 1 << (bit % 64)
		}
	}
	for i := 1; i < len(needle); i++ {
		if bit := pairBit(needle[i-1], needle[i]); t.pairs[bit/64]>>(bit%64)&1 == 0 {
			return false
		}
	}
	return true
}
