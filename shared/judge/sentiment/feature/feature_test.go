package feature

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func lexicon(t testing.TB) Lexicon {
	t.Helper()
	file, err := BuildLexicon([]Entry{{"good", 1.9}, {"bad", -2.5}, {"love", 3.2}, {":)", 2}, {"😡", -3}, {"good", -1}, {"none", 0}}, 4)
	if err != nil {
		t.Fatal(err)
	}
	l, err := OpenLexicon(string(file))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestTokens(t *testing.T) {
	l := lexicon(t)
	for _, c := range []struct{ rule, text, want string }{
		{"lowercase", "Hello WORLD", "hello world"},
		{"letters drawn out are two", "soooo goooood!", "soo good !"},
		{"apostrophes in words", "don’t 'quote'", "don't quote"},
		{"addresses and handles", "see https://a.example/b?c @some_one HTTP://x www.y.example end", "see end"},
		{"emoticons of the lexicon alone", ":) :-| ok", ":) : ok"},
		{"emoji", "fine😡😡 🚀", "fine 😡 😡 🚀"},
		{"invalid UTF-8", "a\xffb \xc3", "a b"},
		{"marks", "yes, no. really?", "yes , no . really ?"},
		{"masked words", "f*ck", "f*ck"},
		{"nothing", " \u200f\ufeff ", ""},
	} {
		var r reading
		r.read(&l, c.text)
		var tokens []string
		for _, token := range r.tokens[:r.count] {
			tokens = append(tokens, string(r.bytes[token.start:token.end]))
		}
		if got := strings.Join(tokens, " "); got != c.want {
			t.Errorf("%s: %q is read as %q, not %q", c.rule, c.text, got, c.want)
		}
	}
}

func TestValence(t *testing.T) {
	l := lexicon(t)
	sum := func(text string) float64 {
		var r reading
		r.read(&l, text)
		d, _ := r.dense()
		return float64(d[0])
	}
	want := func(s float64) float64 { return s / math.Sqrt(s*s+spread) }
	for _, c := range []struct {
		rule, text string
		valence    float64
	}{
		{"a word", "good", 1.9},
		{"the first entry for a token counts", "the good", 1.9},
		{"drawn out", "gooooood", 1.9},
		{"drawn out where one letter is meant", "loooove", 3.2},
		{"boosted", "very good", 1.9 + booster},
		{"boosted from afar", "very much good", 1.9 + booster*0.95},
		{"dampened", "slightly bad", -2.5 + booster},
		{"negated", "not good", 1.9 * negated},
		{"negated from afar", "don't think it good", 1.9 * negated},
		{"negated too far away", "not that it is good", 1.9},
		{"a mark ends a negation", "no, good", 1.9},
		{"capitals among others", "it is GOOD", 1.9 + capitalsBoost},
		{"capitals throughout", "IT IS GOOD", 1.9},
		{"but", "good but bad", 1.9/2 - 2.5*1.5},
		{"an emoji", "😡", -3},
		{"an emoticon", "we :)", 2},
		{"nothing known", "we none", 0},
	} {
		if got := sum(c.text); math.Abs(got-want(c.valence)) > 1e-5 {
			t.Errorf("%s: %q has %.5f, not %.5f", c.rule, c.text, got, want(c.valence))
		}
	}
}

// Features come from the first bytes, each bucket once and in bounds, the same each time.
func TestExtract(t *testing.T) {
	l := lexicon(t)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(rapid.String().Draw(t, "text"), rapid.IntRange(1, 400).Draw(t, "times"))
		bits := rapid.UintRange(1, MaxBits).Draw(t, "bits")
		var v, again Vector
		Extract(&l, text, bits, &v)
		Extract(&l, text, bits, &again)
		if !slices.Equal(v.Words, again.Words) || !slices.Equal(v.Chars, again.Chars) || v.Dense != again.Dense {
			t.Fatal("twice is not the same")
		}
		for _, group := range [][]uint32{v.Words, v.Chars} {
			sorted := slices.Sorted(slices.Values(group))
			if len(slices.Compact(sorted)) != len(group) || len(group) > 0 && slices.Max(group) >= 1<<bits {
				t.Fatalf("%d buckets, some twice or out of bounds", len(group))
			}
		}
		for d, value := range v.Dense {
			if math.IsNaN(float64(value)) || math.Abs(float64(value)) > 3 {
				t.Fatalf("dense feature %d is %v", d, value)
			}
		}
		if len(v.Chars) > 3*(maxBytes+64) || len(v.Words) > 4*maxTokens {
			t.Fatalf("%d and %d features", len(v.Words), len(v.Chars))
		}
	})
}

// OpenWeights reads what BuildWeights wrote, and Odds adds it up.
func TestWeights(t *testing.T) {
	l := lexicon(t)
	w := Weights{Bits: 4, Step: 0.5, Bias: [Classes]float32{1, 2, 3}}
	w.Dense[0] = [Classes]float32{-10, 0, 10}
	buckets := make([]int8, Classes<<4)
	for i := range buckets {
		buckets[i] = int8(i - 24)
	}
	file := string(BuildWeights(w, buckets))
	read, err := OpenWeights(file)
	if err != nil || read.Bits != w.Bits || read.Step != w.Step || read.Bias != w.Bias || read.Dense != w.Dense {
		t.Fatalf("%+v, %v", read, err)
	}
	var v Vector
	Extract(&l, "good", 4, &v)
	odds, seen := read.Odds(&l, "good")
	for c := range odds {
		want := float64(w.Bias[c] + v.Dense[0]*w.Dense[0][c])
		for _, group := range [][]uint32{v.Words, v.Chars} {
			sum := 0
			for _, b := range group {
				sum += int(buckets[int(b)*Classes+c])
			}
			want += 0.5 * float64(sum) / math.Sqrt(float64(len(group)))
		}
		if math.Abs(float64(odds[c])-want) > 1e-4 {
			t.Errorf("class %d: %v, not %v", c, odds[c], want)
		}
	}
	if seen.Tokens != 1 || seen.Faces != 0 {
		t.Errorf("%+v", seen)
	}
	for _, bad := range []string{"", file[:len(file)-1], file + "x", "SNT2" + file[4:], file[:weightsHead]} {
		if _, err := OpenWeights(bad); err == nil {
			t.Errorf("%d bytes are weights", len(bad))
		}
	}
}

func TestLexicon_Invalid(t *testing.T) {
	for what, entries := range map[string][]Entry{
		"too strong": {{"x", 13}}, "no token": {{"", 1}}, "too many": {{"a", 1}, {"b", 1}},
	} {
		if _, err := BuildLexicon(entries, 1); err == nil {
			t.Errorf("%s is built", what)
		}
	}
	file, err := BuildLexicon([]Entry{{"a", 1}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"", string(file[:len(file)-1]), "VAL2" + string(file[4:]), "VAL1\xff\xff\xff\xff"} {
		if _, err := OpenLexicon(bad); err == nil {
			t.Errorf("%d bytes are a lexicon", len(bad))
		}
	}
}
