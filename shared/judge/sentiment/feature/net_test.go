package feature

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A plainNet is a net as its file has it, in arrays.
type plainNet struct {
	step         float32
	hashes       []uint32
	biases       [channels]int16
	rows         [][3][channels]int8
	hiddenBiases [units]float32
	hidden       [units][2][channels]int8
	oddsBiases   [Classes]float32
	odds         [Classes][units]float32
}

// drawn returns a net of random weights that knows some words.
func drawn(seed uint64, words ...string) *plainNet {
	random := rand.New(rand.NewPCG(seed, seed))
	small := func() int { return random.IntN(81) - 40 }
	n := &plainNet{step: 1e-4, rows: make([][3][channels]int8, len(words)+1)}
	for _, w := range words {
		n.hashes = append(n.hashes, uint32(hashed(w)>>32))
	}
	slices.Sort(n.hashes)
	for i := range n.rows {
		for j := range n.rows[i] {
			for c := range channels {
				n.rows[i][j][c] = int8(small())
			}
		}
	}
	for c := range channels {
		n.biases[c] = int16(small())
	}
	for u := range units {
		n.hiddenBiases[u] = float32(small()) / 100
		for side := range n.hidden[u] {
			for c := range channels {
				n.hidden[u][side][c] = int8(small())
			}
		}
	}
	for c := range Classes {
		n.oddsBiases[c] = float32(small()) / 100
		for u := range units {
			n.odds[c][u] = float32(small()) / 100
		}
	}
	return n
}

func (n *plainNet) file(t *testing.T) string {
	t.Helper()
	file := []byte(netMagic)
	for _, part := range []any{
		uint32(len(n.hashes)), n.step, n.hashes, n.biases[:], n.rows, n.hiddenBiases[:], n.hidden[:], n.oddsBiases[:],
		n.odds[:],
	} {
		var err error
		if file, err = binary.Append(file, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	return string(file)
}

// judge computes the odds of words by the definition, in float64.
func (n *plainNet) judge(words []string) (odds [Classes]float64) {
	var rows []*[3][channels]int8
	for _, w := range words {
		i, found := slices.BinarySearch(n.hashes, uint32(hashed(w)>>32))
		if !found {
			i = -1
		}
		rows = append(rows, &n.rows[i+1])
	}
	var highest, sums [channels]float64
	for i := range rows {
		for c := range channels {
			v := float64(n.biases[c]) + float64(rows[i][1][c])
			if i > 0 {
				v += float64(rows[i-1][0][c])
			}
			if i+1 < len(rows) {
				v += float64(rows[i+1][2][c])
			}
			highest[c] = max(highest[c], v)
			sums[c] += max(v, 0)
		}
	}
	for c := range Classes {
		odds[c] = float64(n.oddsBiases[c])
		for u := range units {
			unit := 0.0
			for i := range channels {
				unit += highest[i] * float64(n.hidden[u][0][i])
				unit += sums[i] / math.Sqrt(float64(len(words))) * float64(n.hidden[u][1][i])
			}
			odds[c] += max(0, unit*float64(n.step)+float64(n.hiddenBiases[u])) * float64(n.odds[c][u])
		}
	}
	return odds
}

// The net computes what its definition says, for texts of any length up to its bound, of words known and unknown.
func TestNet_Judge(t *testing.T) {
	words := strings.Fields("a bc def good bad not is it , .")
	plain := drawn(1, words[:7]...)
	n, err := OpenNet(plain.file(t))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		text := make([]string, 1+random.IntN(120))
		known := 0
		for i := range text {
			w := random.IntN(len(words))
			text[i] = words[w]
			if w < 7 && i < maxRead {
				known++
			}
		}
		var r reading
		r.split(&tables(t).Lexicon, English, Whole, strings.Join(text, " "))
		got, share := n.judge(&r)
		text = text[:min(len(text), maxRead)]
		if want := float32(known) / float32(len(text)); share != want {
			t.Fatalf("%q: known %v, want %v", text, share, want)
		}
		if known == 0 {
			continue
		}
		for c, want := range plain.judge(text) {
			if math.Abs(float64(got[c])-want) > 0.05 { // the means are rounded
				t.Fatalf("%q: odds %v, want %v at %d", text, got, want, c)
			}
		}
	}
}

func TestNet_Known(t *testing.T) {
	n, err := OpenNet(drawn(1, "bad", "soo", "😡").file(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule, text string
		want       float32
	}{
		{"drawn-out words", "soooo baaaad", 1},
		{"unknown words", "bad luck", 0.5},
		{"faces do not count", "bad 😡", 0.5},
		{"faces alone", "😡😡", 0},
		{"nothing", "", 0},
	} {
		var r reading
		r.split(&tables(t).Lexicon, English, Whole, c.text)
		if _, known := n.judge(&r); known != c.want {
			t.Errorf("%s: known of %q = %v, want %v", c.rule, c.text, known, c.want)
		}
	}
}

func TestOpenNet_Malformed(t *testing.T) {
	file := drawn(1, "bad", "good").file(t)
	none := drawn(1).file(t)
	for name, bad := range map[string]string{
		"empty": "", "another magic": "TEN1" + file[4:], "longer": file + "x", "no words": none,
		"more words than rows": file[:4] + "\xff\xff\xff\xff" + file[8:],
	} {
		if _, err := OpenNet(bad); err == nil {
			t.Errorf("OpenNet of a file that is %s succeeds, want an error", name)
		}
	}
	for size := range len(file) {
		if _, err := OpenNet(file[:size]); err == nil {
			t.Fatalf("OpenNet of the first %d bytes succeeds, want an error", size)
		}
	}
}

// What the training program learns from is what the net reads.
func TestSequence(t *testing.T) {
	got := Sequence(tables(t), "Not bad, :) "+strings.Repeat("x ", maxRead))
	want := []uint64{hashed("not"), hashed("bad"), hashed(","), hashed(":)")}
	if len(got) != maxRead || !slices.Equal(got[:4], want) {
		t.Errorf("Sequence = %d hashes that begin with %x, want %d that begin with %x", len(got), got[:4], maxRead, want)
	}
}
