package feature

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func tables(t testing.TB) *Tables {
	t.Helper()
	file, err := BuildLexicon([]Entry{{"good", 1.9}, {"bad", -2.5}, {"love", 3.2}, {":)", 2}, {"😡", -3}, {"good", -1},
		{"none", 0}}, 4)
	if err != nil {
		t.Fatal(err)
	}
	l, err := OpenLexicon(string(file))
	if err != nil {
		t.Fatal(err)
	}
	file, err = BuildTones([]Word{
		{English, "fine", [4]int8{-20, 100, 80, -10}},
		{English, "fine", [4]int8{1, 1, 1, 1}},
		{French, "fine", [4]int8{0, 10, 0, 0}},
		{French, "bon", [4]int8{-20, 100, 80, -10}},
		{French, "arrêt", [4]int8{50, -50, 0, 0}},
		{German, "gut", [4]int8{-20, 100, 80, -10}},
	}, 0.01, 4)
	if err != nil {
		t.Fatal(err)
	}
	tones, err := OpenTones(string(file))
	if err != nil {
		t.Fatal(err)
	}
	return &Tables{Lexicon: l, Tones: tones}
}

func TestTokens(t *testing.T) {
	l := tables(t)
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
		r.read(l, English, Whole, c.text)
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
	l := tables(t)
	sum := func(text string) float64 {
		var r reading
		r.read(l, English, Whole, text)
		d := r.dense()
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
		{"praise before for nothing", "good for nothing", 1.9 * negated},
		{"praise in another clause than for nothing", "good, all for nothing", 1.9},
	} {
		if got := sum(c.text); math.Abs(got-want(c.valence)) > 1e-5 {
			t.Errorf("%s: %q has %.5f, not %.5f", c.rule, c.text, got, want(c.valence))
		}
	}
}

// Features come from the first bytes, each bucket once and in bounds, the same each time.
func TestExtract(t *testing.T) {
	l := tables(t)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(rapid.String().Draw(t, "text"), rapid.IntRange(1, 400).Draw(t, "times"))
		bits := rapid.UintRange(1, MaxBits).Draw(t, "bits")
		var v, again Vector
		Extract(l, English, Whole, text, bits, &v)
		Extract(l, English, Whole, text, bits, &again)
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
	l := tables(t)
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
	Extract(l, English, Whole, "good", 4, &v)
	odds, seen := read.Odds(l, English, Whole, "good")
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

// Tones are those of the text's language, of the word or of the part after its apostrophe, plain or negated.
func TestTones(t *testing.T) {
	tables := tables(t)
	for _, c := range []struct {
		rule, text string
		language   Language
		want       Tone
		known      int
	}{
		{"a word", "fine", English, Tone{-0.2, 1}, 1},
		{"the same word in another language", "fine", French, Tone{0, 0.1}, 1},
		{"a word that the language lacks", "bon", German, Tone{}, 0},
		{"no language", "fine", Unknown, Tone{}, 0},
		{"two words", "bon bon", French, Tone{-0.4 / math.Sqrt2, 2 / math.Sqrt2}, 2},
		{"a word that nobody knows beside one", "le bon", French, Tone{-0.2, 1}, 1},
		{"negated", "pas bon", French, Tone{0.8, -0.1}, 1},
		{"negated in English", "isn't fine", English, Tone{0.8, -0.1}, 1},
		{"negated in German", "nicht so gut", German, Tone{0.8, -0.1}, 1},
		{"another language's negation", "nicht bon", French, Tone{-0.2, 1}, 1},
		{"negated too far away", "pas a b c bon", French, Tone{-0.2, 1}, 1},
		{"a mark ends a negation", "pas, bon", French, Tone{-0.2, 1}, 1},
		{"before for nothing", "bon pour rien", French, Tone{0.8, -0.1}, 1},
		{"an elided article", "l'arrêt", French, Tone{0.5, -0.5}, 1},
		{"a typographic apostrophe", "l’arrêt", French, Tone{0.5, -0.5}, 1},
		{"nothing", "", French, Tone{}, 0},
	} {
		var r reading
		r.read(tables, c.language, Toned, c.text)
		got := r.tones().sum
		if math.Abs(float64(got.Negative-c.want.Negative)) > 1e-5 || math.Abs(float64(got.Positive-c.want.Positive)) > 1e-5 {
			t.Errorf("%s: tones of %q = %.3f, want %.3f", c.rule, c.text, got, c.want)
		}
		if r.known != c.known {
			t.Errorf("%s: known words of %q = %d, want %d", c.rule, c.text, r.known, c.known)
		}
	}
}

// In the scope Toned the lexicon's words say nothing, but its emoji do.
func TestExtract_Toned(t *testing.T) {
	tables := tables(t)
	var words, emoji Vector
	Extract(tables, German, Toned, "bad bad love", 4, &words)
	Extract(tables, German, Toned, "bad bad love 😡", 4, &emoji)
	if len(words.Words)+len(words.Chars) > 0 {
		t.Errorf("%d hashed features, want none", len(words.Words)+len(words.Chars))
	}
	if words.Dense[0] != 0 {
		t.Errorf("valence of words = %v, want 0", words.Dense[0])
	}
	if emoji.Dense[0] >= 0 {
		t.Errorf("valence of an emoji = %v, want a negative one", emoji.Dense[0])
	}
}

func TestOpenTones_Malformed(t *testing.T) {
	file, err := BuildTones([]Word{{French, "bon", [4]int8{1, 2, 3, 4}}}, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	good := string(file)
	for _, bad := range []string{"", good[:8], good[:len(good)-1], good + "x", "TON2" + good[4:],
		"TON1\xff\xff\xff\xff" + good[8:]} {
		if _, err := OpenTones(bad); err == nil {
			t.Errorf("OpenTones of %d bytes %.8q succeeds, want an error", len(bad), bad)
		}
	}
	full := strings.Repeat("\x01\x00\x01\x01\x01\x01", 4)
	tones, err := OpenTones(good[:tonesHead] + full)
	if err != nil {
		t.Fatal(err)
	}
	tones.tone(French, hashed("bon"), false) // ends, although no slot is empty
	for _, words := range [][]Word{
		{{Unknown, "bon", [4]int8{}}},
		{{languages, "bon", [4]int8{}}},
		{{French, "", [4]int8{}}},
		{{French, "a", [4]int8{}}, {French, "b", [4]int8{}}, {French, "c", [4]int8{}}, {French, "d", [4]int8{}}},
	} {
		if _, err := BuildTones(words, 1, 2); err == nil {
			t.Errorf("BuildTones(%v) succeeds, want an error", words)
		}
	}
}
