package feature

import (
	"errors"
	"math"
)

// A Net is a small convolutional net over an English text's words, emoticons, emoji and marks. It reads each of them
// with its two neighbours, so that "not bad" is not "bad", keeps the highest value and the sum of each channel, and
// judges by a hidden layer over these. The file is used where it lies; numbers are little-endian:
//
//	"NET1"
//	u32                          number of words
//	f32                          step: what 1 of a channel times 1 of a weight of the hidden layer is worth
//	words × u32                  the high halves of the words' hashes, ascending
//	channels × i16               biases of the channels
//	(words+1) × 3 × channels × i8  rows of an unknown word and of each word: what it adds to the channels of the word
//	                             behind it, of itself and of the word before it
//	units × f32                  biases of the hidden layer
//	units × 2 × channels × i8    its weights: of the highest values, then of the sums over the root of their number
//	Classes × f32                biases of the odds
//	Classes × units × f32        their weights
type Net struct {
	words                int
	step                 float32
	hashes, biases, rows string
	hiddenBiases, hidden string
	oddsBiases, odds     string
}

const (
	netMagic = "NET1"
	netHead  = 4 + 4 + 4
	channels = 64
	units    = 48           // of the hidden layer
	rowSize  = 3 * channels // of a word
	maxRead  = 96           // tokens of a text that a net reads
)

// OpenNet checks a file's frame.
func OpenNet(file string) (Net, error) {
	if len(file) < netHead || file[:4] != netMagic {
		return Net{}, errors.New("feature: not a file of a net")
	}
	n := Net{words: int(u32(file[4:])), step: f32(file[8:])}
	rest := file[netHead:]
	for _, part := range []struct {
		to   *string
		size int
	}{
		{&n.hashes, 4 * n.words},
		{&n.biases, 2 * channels},
		{&n.rows, (n.words + 1) * rowSize},
		{&n.hiddenBiases, 4 * units},
		{&n.hidden, units * 2 * channels},
		{&n.oddsBiases, 4 * Classes},
		{&n.odds, 4 * Classes * units},
	} {
		if len(rest) < part.size {
			return Net{}, errors.New("feature: the net is truncated")
		}
		*part.to, rest = rest[:part.size], rest[part.size:]
	}
	if n.words == 0 || rest != "" {
		return Net{}, errors.New("feature: the net has a wrong size")
	}
	return n, nil
}

// find returns the number of a word's row, or 0 for an unknown word.
func (n *Net) find(hash uint64) int {
	sought := uint32(hash >> 32)
	low, high := 0, n.words
	for low < high {
		middle := int(uint(low+high) / 2)
		if u32(n.hashes[4*middle:]) < sought {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == n.words || u32(n.hashes[4*low:]) != sought {
		return 0
	}
	return low + 1
}

// locate writes where the rows of a text's first tokens begin. It returns the number of the tokens, and of the words and
// marks among them that the net knows. It looks an unknown word up with single letters too.
func (n *Net) locate(r *reading, rows *[maxRead]int) (count, known int) {
	count = min(r.count, maxRead)
	for i := range rows[:count] {
		t := &r.tokens[i]
		row := n.find(t.hash)
		if row == 0 && t.kind == word {
			if hash, doubled := r.single(t); doubled {
				row = n.find(hash)
			}
		}
		if row > 0 && t.kind != face { // the lexicon knows faces better
			known++
		}
		rows[i] = row * rowSize
	}
	return count, known
}

// judge returns the logarithms of the odds of a text, and the share of its tokens that the net knows. It adds whole
// numbers up to the hidden layer and rounds each product behind it, so that all machines agree.
func (n *Net) judge(r *reading) (odds [Classes]float32, known float32) {
	var rows [maxRead]int
	count, found := n.locate(r, &rows)
	if found == 0 {
		return odds, 0
	}
	var biases, highest, sums [channels]int32
	for c := range biases {
		biases[c] = int32(int16(uint16(n.biases[2*c]) | uint16(n.biases[2*c+1])<<8))
	}
	for i := range count {
		before, behind := nobody, nobody
		if i > 0 {
			before = n.rows[rows[i-1]:]
		}
		if i+1 < count {
			behind = n.rows[rows[i+1]+2*channels:]
		}
		itself := n.rows[rows[i]+channels:]
		before, itself, behind = before[:channels], itself[:channels], behind[:channels]
		for c := range channels {
			v := max(0, biases[c]+int32(int8(before[c]))+int32(int8(itself[c]))+int32(int8(behind[c])))
			highest[c] = max(highest[c], v)
			sums[c] += v
		}
	}
	root := float32(math.Sqrt(float64(count)))
	for c := range sums {
		sums[c] = int32(float32(sums[c])/root + 0.5)
	}
	for c := range odds {
		odds[c] = f32(n.oddsBiases[4*c:])
	}
	for u := range units {
		weights := n.hidden[u*2*channels:]
		high, sum := weights[:channels], weights[channels:2*channels]
		total := int32(0)
		for c := range channels {
			total += highest[c]*int32(int8(high[c])) + sums[c]*int32(int8(sum[c]))
		}
		unit := f32(n.hiddenBiases[4*u:]) + float32(float32(total)*n.step)
		if unit <= 0 {
			continue
		}
		for c := range odds {
			odds[c] += float32(unit * f32(n.odds[4*(c*units+u):]))
		}
	}
	return odds, float32(found) / float32(count)
}

// nobody is the row of the neighbour that a token at an end of the text has not.
var nobody = string(make([]byte, channels))

func f32(bytes string) float32 { return math.Float32frombits(u32(bytes)) }
