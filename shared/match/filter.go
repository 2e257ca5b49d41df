package match

import (
	"encoding/binary"
	"math/bits"
)

// A filter rejects most places in a text as the beginning of a needle, so that the automaton is entered at few places.
//
// A run is a stretch of ASCII letters, digits and underlines. It has no word edge within. Some needles match only whole
// words and begin with a run. Where such a needle occurs, a run of the text begins, and that run equals the needle's
// first run. The same holds for its second run. Such needles are looked up once a run, by their first run. If one byte
// separates their first two runs, they are looked up by both. All other needles are looked up everywhere, by their
// first bytes.
type filter struct {
	runs, pairs bloom
	starts      []uint64 // see begin
	startShift  uint8
	tiny        []uint64 // bits by two bytes, for needles of one byte or two
	longer      bloom    // the first bytes of needles in starts, as many as their longest window
	windows     [3]bool  // which windows are in use
}

// windows are the numbers of first bytes that are compared after starts has accepted a place.
var windows = [...]int{8, 5, 3}

// windowKey returns the key of so many of the eight bytes.
func windowKey(first uint64, window int) uint64 {
	return first<<(64-8*window)>>(64-8*window) ^ uint64(window)<<59
}

// padding is the number of readable bytes that a text must have behind it.
const padding = 8

// newFilter makes the filter of needles. byRun tells which are looked up once a run.
func newFilter(needles []string, byRun []bool) filter {
	var f filter
	var runs, pairs []uint64
	var others [][]byte
	for i, n := range needles {
		padded := append([]byte(n), make([]byte, padding)...)
		if !byRun[i] {
			others = append(others, padded[:len(n)])
			continue
		}
		end := runEnd(padded[:len(n)], 0)
		first := runKey(padded, 0, end)
		if end+1 < len(n) && inRun[n[end+1]] {
			pairs = append(pairs, pairKey(first, n[end], runKey(padded, end+1, runEnd(padded[:len(n)], end+1))))
		} else {
			runs = append(runs, first)
		}
	}
	f.runs, f.pairs = newBloom(runs), newBloom(pairs)
	f.begin(others)
	return f
}

// inRun tells which bytes runs consist of.
var inRun = func() (in [256]bool) {
	for c := range in {
		in[c] = wordy(kinds[c])
	}
	return in
}()

// runEnd returns where the run that begins at start ends.
func runEnd(text []byte, start int) int {
	for start < len(text) && inRun[text[start]] {
		start++
	}
	return start
}

// runKey returns a key of a run's first bytes and its size. text is padded.
func runKey(text []byte, start, end int) uint64 {
	first, size := binary.LittleEndian.Uint64(text[start:start+padding]), end-start
	if size < 8 {
		first &= 1<<(8*size) - 1
	}
	return first ^ uint64(size)<<56
}

// pairKey returns a key of two runs and the byte between them.
func pairKey(first uint64, between byte, second uint64) uint64 {
	return bits.RotateLeft64(first, 23)*mixer ^ second ^ uint64(between)<<48
}

// mixer is 2^64 over the golden ratio: Fibonacci hashing (Knuth, volume 3, section 6.4).
const mixer = 0x9E3779B97F4A7C15

// begin enters needles that can begin anywhere. Their first three bytes choose a word of starts, and the next two one
// of its 64 bits. A needle without such a byte sets every bit that any byte there could lead to.
func (f *filter) begin(needles [][]byte) {
	if len(needles) == 0 {
		return
	}
	f.startShift = uint8(64 - bits.Len(uint(max(2*len(needles), 1<<9))))
	f.starts = make([]uint64, 1<<(64-f.startShift))
	var keys []uint64
	for _, n := range needles {
		if size := len(n); size < 3 {
			if f.tiny == nil {
				f.tiny = make([]uint64, 1<<16/64)
			}
			for second := range 256 {
				if size == 1 || n[1] == byte(second) {
					two := uint(n[0]) | uint(second)<<8
					f.tiny[two/64] |= 1 << (two % 64)
				}
			}
			continue
		}
		first := binary.LittleEndian.Uint64(n[:padding])
		mask := uint64(0)
		for bit := range uint64(64) {
			if (len(n) < 4 || bit>>3 == first>>24&7) && (len(n) < 5 || bit&7 == first>>32&7) {
				mask |= 1 << bit
			}
		}
		f.starts[startWord(first, f.startShift)] |= mask
		for class, window := range windows {
			if len(n) >= window {
				f.windows[class] = true
				keys = append(keys, windowKey(first, window))
				break
			}
		}
	}
	f.longer = newBloom(keys)
}

// startWord returns the index in starts of the first three of the eight bytes. startBit returns the bit that the next
// two have there.
func startWord(first uint64, shift uint8) uint64 { return first << 40 * mixer >> (shift & 63) }

func startBit(first uint64) uint64 { return (first>>24&7<<3 | first>>32&7) & 63 }

// goesOn reports whether a needle may begin with more of the eight bytes than starts has compared.
func (f *filter) goesOn(first uint64) bool {
	for class, window := range windows {
		if f.windows[class] && f.longer.has(windowKey(first, window)) {
			return true
		}
	}
	return false
}

func (f *filter) beginsTiny(first uint64) bool {
	return f.tiny[first&0xFFFF/64]>>(first%64)&1 == 1
}

// A bloom filter (Bloom, 1970) of two bits a key, both in one word, with 16 to 32 bits for each key.
type bloom struct {
	words []uint64 // empty if there are no keys
	shift uint8
}

func newBloom(keys []uint64) bloom {
	if len(keys) == 0 {
		return bloom{}
	}
	b := bloom{shift: uint8(64 - bits.Len(uint(max(len(keys)/4, 16))))}
	b.words = make([]uint64, 1<<(64-b.shift))
	for _, key := range keys {
		word, mask := b.place(key)
		b.words[word] |= mask
	}
	return b
}

// place spreads a key. The upper bits of the product choose the word, others the bits in it.
func (b *bloom) place(key uint64) (word uint64, mask uint64) {
	h := (key ^ key>>29) * mixer
	return h >> (b.shift & 63), 1<<(h>>20&63) | 1<<(h>>26&63)
}

func (b *bloom) has(key uint64) bool {
	if len(b.words) == 0 {
		return false
	}
	word, mask := b.place(key)
	return b.words[word]&mask == mask
}
