package embedding_test

import (
	"math"
	"os"
	"slices"
	"testing"

	"earshot/shared/judge/embedding"
	"earshot/shared/judge/vocabulary"
)

func open(t testing.TB) embedding.Table {
	t.Helper()
	table, err := embedding.Open()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Words of like meaning have near vectors.
func TestVectors(t *testing.T) {
	table := open(t)
	cosine := func(a, b string) float64 {
		var dot, x, y float64
		va, vb := vectorOf(t, table, a), vectorOf(t, table, b)
		for i := range va {
			p, q := float64(int8(va[i])), float64(int8(vb[i]))
			dot, x, y = dot+p*q, x+p*p, y+q*q
		}
		return dot / math.Sqrt(x*y)
	}
	for _, c := range [][3]string{{"compiler", "software", "island"}, {"whale", "dolphin", "lawyer"},
		{"monday", "tuesday", "guitar"}} {
		if near, far := cosine(c[0], c[1]), cosine(c[0], c[2]); near < far+0.3 {
			t.Errorf("%v: %.2f and %.2f", c, near, far)
		}
	}
}

func vectorOf(t *testing.T, table embedding.Table, word string) string {
	rank, ok := table.Rank(word)
	if !ok {
		t.Fatalf("no %q", word)
	}
	return table.Vector(rank)
}

func TestWeight(t *testing.T) {
	if w := embedding.Weight(0); w > 0.01 {
		t.Errorf("the commonest word weighs %v", w)
	}
	for rank := 1; rank < 60_000; rank++ {
		if a, b := embedding.Weight(rank-1), embedding.Weight(rank); !(a <= b && b < 1) {
			t.Fatalf("%d: %v, %v", rank, a, b)
		}
	}
}

func TestDecode_Encoded(t *testing.T) {
	three, err := vocabulary.Decode(string(vocabulary.Encode([]string{"b", "a", "long"})))
	if err != nil {
		t.Fatal(err)
	}
	vectors := make([][embedding.Dimensions]int8, 3)
	vectors[1][0], vectors[2][99] = -127, 127
	blob := string(embedding.Encode(vectors))
	common := string(embedding.EncodeCommon(vectors))
	table, err := embedding.Decode(three, blob, common)
	if err != nil || table.Len() != 3 {
		t.Fatalf("Decode() = %d vectors, %v, want 3", table.Len(), err)
	}
	if int8(table.Vector(1)[0]) != -127 || int8(table.Vector(2)[99]) != 127 {
		t.Error("other vectors")
	}
	for _, damaged := range []string{"", "VEC1", "VEC2" + blob[4:], blob[:len(blob)-1], blob + "x", blob[:300],
		string(embedding.Encode(vectors[1:]))} {
		if _, err := embedding.Decode(three, damaged, common); err == nil {
			t.Errorf("%d bytes are the vectors of three words", len(damaged))
		}
	}
	for _, damaged := range []string{"", common[1:], common + "x"} {
		if _, err := embedding.Decode(three, blob, damaged); err == nil {
			t.Errorf("%d bytes are the common directions", len(damaged))
		}
	}
}

// The stored mean is the weighted average of the vectors.
func TestMean(t *testing.T) {
	table := open(t)
	var sum [embedding.Dimensions]float64
	total := 0.0
	for rank := range table.Len() {
		share := float64(embedding.Weight(rank)) / (float64(rank) + 2.7)
		total += share
		vector := table.Vector(rank)
		for i := range sum {
			sum[i] += share * float64(int8(vector[i]))
		}
	}
	for i, got := range table.Mean() {
		if want := sum[i] / total; math.Abs(want-float64(got)) > 0.01 {
			t.Errorf("%d: %v, want %v", i, got, want)
		}
	}
}

// The stored directions are the strongest: of length 1, at right angles, and the vectors vary along each at least as
// much as along any coordinate without the directions before it.
func TestCommon(t *testing.T) {
	table := open(t)
	mean, common := table.Mean(), table.Common()
	dot := func(a, b [embedding.Dimensions]float32) (sum float64) {
		for i := range a {
			sum += float64(a[i]) * float64(b[i])
		}
		return sum
	}
	for n, one := range common {
		for m, other := range common[:n+1] {
			if got := dot(one, other); m == n && math.Abs(got-1) > 0.01 || m < n && math.Abs(got) > 0.01 {
				t.Errorf("the product of directions %d and %d is %.3f", n, m, got)
			}
		}
	}
	var along [len(common)]float64
	var left [len(common)][embedding.Dimensions]float64 // of each coordinate, without the directions before
	for rank := range table.Len() {
		var away [embedding.Dimensions]float32
		for i := range away {
			away[i] = float32(int8(table.Vector(rank)[i])) - mean[i]
		}
		for n := range common {
			for i, value := range away {
				left[n][i] += float64(value) * float64(value)
			}
			part := dot(away, common[n])
			along[n] += part * part
			for i := range away {
				away[i] -= float32(part) * common[n][i]
			}
		}
	}
	for n := range common {
		if most := slices.Max(left[n][:]); along[n] < most {
			t.Errorf("the vectors vary by %.0f along direction %d, and by %.0f along a coordinate", along[n], n, most)
		}
	}
}

// The file is used as it ships: no copy, no map.
func TestOpen_NoAllocation(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { open(t) }); n > 1 {
		t.Errorf("%v allocations", n)
	}
	if info, err := os.Stat("vectors.bin"); err != nil || info.Size() > 7<<20 {
		t.Errorf("Stat(vectors.bin) = %v, %v, want at most 7 MiB", info, err)
	}
}
