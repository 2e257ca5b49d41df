package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earshot/shared/judge/sentiment/feature"
)

// corpus writes a small corpus with a lexicon.
func corpus(t *testing.T) (data string) {
	t.Helper()
	data = t.TempDir()
	var comments bytes.Buffer
	for i := range 60 {
		fmt.Fprintf(&comments, "0\tthe zorg broke down on day %d\n1\tthe meeting is on day %d\n2\tthe blim shone on day %d\n", i, i, i)
	}
	for name, text := range map[string]string{
		"models/vader_lexicon.tsv":              "fine\t1.5\nawful\t-2.0\n",
		"sentiment/goemotions_3class_train.tsv": comments.String(),
	} {
		path := filepath.Join(data, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

// Equal data makes equal bytes, and -check notices a changed table.
func TestTrain_Check(t *testing.T) {
	data, out := corpus(t), t.TempDir()
	if err := run(data, out, false, false); err != nil {
		t.Fatal(err)
	}
	if err := run(data, out, true, false); err != nil {
		t.Fatalf("trained again, it differs: %v", err)
	}
	for _, name := range []string{"english.bin", "others.bin", "lexicon.bin", "tones.bin", "phrases.bin"} {
		path := filepath.Join(out, name)
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(bytes.Clone(file[:len(file)-1]), file[len(file)-1]+1), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := run(data, out, true, false); err == nil {
			t.Errorf("a changed %s is what the data makes", name)
		}
		if err := os.WriteFile(path, file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The classifier learns the small corpus: it judges comments with other numbers right.
func TestLearn(t *testing.T) {
	var known, unseen []sample
	for i := range 60 {
		for class, text := range []string{"the zorg broke down on day", "the meeting is on day", "the blim shone on day"} {
			known = append(known, sample{class, fmt.Sprintf("%s %d", text, i)})
			unseen = append(unseen, sample{class, fmt.Sprintf("%s %d", text, i+100)})
		}
	}
	var tables feature.Tables
	lexicon, err := feature.BuildLexicon(nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	if tables.Lexicon, err = feature.OpenLexicon(string(lexicon)); err != nil {
		t.Fatal(err)
	}
	w, err := feature.OpenWeights(string(learn(known, extract(&tables, known, english), english).file()))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range unseen {
		if odds, _ := w.Odds(&tables, feature.English, feature.Whole, s.text); feature.Best(odds) != s.class {
			t.Errorf("Best(%q) = %d, want %d", s.text, feature.Best(odds), s.class)
		}
	}
}

// A pattern is filled with words of its slots, and with nothing else.
func TestService(t *testing.T) {
	samples, err := service("# a comment\nthing\tcup|pot\n0\tno {thing}\n2\tthanks\n")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]int{}
	for _, s := range samples {
		texts[s.text] = s.class
	}
	for text, class := range map[string]int{"no cup": 0, "no pot": 0, "thanks": 2} {
		if got, ok := texts[text]; !ok || got != class {
			t.Errorf("class of %q = %d, %v, want %d", text, got, ok, class)
		}
	}
	if _, err := service("no tab\n"); err == nil {
		t.Error("service of a line without a tab succeeds, want an error")
	}
}

func TestService_Patterns(t *testing.T) {
	samples, err := service(servicePatterns)
	if err != nil {
		t.Fatal(err)
	}
	var classes [feature.Classes]int
	for _, s := range samples {
		classes[s.class]++
		if strings.ContainsAny(s.text, "{}|") {
			t.Errorf("%q has an unfilled slot", s.text)
		}
	}
	if min(classes[0], classes[1], classes[2]) < 100 {
		t.Errorf("classes have %v texts, want 100 each", classes)
	}
}

func TestTones_Malformed(t *testing.T) {
	for what, line := range map[string]string{
		"no language":        "xx\tword\t1\t1\t1\t1\n",
		"too few steps":      "en\tword\t1\t1\t1\n",
		"a step too great":   "en\tword\t1\t1\t1\t200\n",
		"a step of no digit": "en\tword\t1\t1\t1\tx\n",
	} {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := tones(packed.Bytes()); err == nil {
			t.Errorf("tones with %s succeeds, want an error", what)
		}
	}
	if _, err := tones([]byte("plain")); err == nil {
		t.Error("tones of plain text succeeds, want an error")
	}
}

func TestExp(t *testing.T) {
	for x := -50.0; x <= 0; x += 0.01 {
		if got, want := exp(x), math.Exp(x); math.Abs(got-want) > 1e-9 {
			t.Fatalf("exp(%v) is %v, not %v", x, got, want)
		}
	}
}

func TestTrain_BadData(t *testing.T) {
	for what, change := range map[string][2]string{
		"a class that is not there": {"sentiment/goemotions_3class_train.tsv", "3\ttext\n"},
		"no class":                  {"sentiment/goemotions_3class_train.tsv", "text\n"},
		"no valence":                {"models/vader_lexicon.tsv", "fine\n"},
		"a valence out of bounds":   {"models/vader_lexicon.tsv", "fine\t99\n"},
	} {
		data := corpus(t)
		if err := os.WriteFile(filepath.Join(data, change[0]), []byte(change[1]), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := run(data, t.TempDir(), false, false); err == nil {
			t.Errorf("%s is trained on", what)
		}
	}
	if err := run(t.TempDir(), t.TempDir(), false, false); err == nil {
		t.Error("no data is trained on")
	}
}

// A pattern stands for all its phrases, and a list for its words.
func TestPhrases(t *testing.T) {
	file, err := phrases("# a comment\n\nen\tlist\tfault leak|crash\nen\tpraise\tno big|huge? {fault}\nen\tfact\t^ leak $\n")
	if err != nil {
		t.Fatal(err)
	}
	var tables feature.Tables
	if tables.Phrases, err = feature.OpenPhrases(string(file)); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"no leak": feature.Positive, "no big crash": feature.Positive, "no huge leak": feature.Positive,
		"leak": feature.Neutral, "no small leak": feature.Classes, "leak here": feature.Classes,
	} {
		_, seen := new(feature.Weights).Odds(&tables, feature.English, feature.Toned, text)
		if got := feature.Best(seen.Lean); seen.Heard && got != want || !seen.Heard && want != feature.Classes {
			t.Errorf("class of %q = %d, %v, want %d", text, got, seen.Heard, want)
		}
	}
}

func TestPhrases_Malformed(t *testing.T) {
	for what, line := range map[string]string{
		"no language":   "xx\tpraise\tword\n",
		"no meaning":    "en\tjoy\tword\n",
		"no pattern":    "en\tpraise\n",
		"no words":      "en\tpraise\t^ $\n",
		"no such list":  "en\tpraise\t{none}\n",
		"a list's name": "en\tlist\tfault\n",
		"too many":      "en\tpraise\t" + strings.Repeat("a|b|c|d|e|f|g ", 5) + "\n",
	} {
		if _, err := phrases(line); err == nil {
			t.Errorf("phrases with %s succeeds, want an error", what)
		}
	}
}

// The program's table is that of phrases.tsv.
func TestPhrases_Shipped(t *testing.T) {
	want, err := phrases(phraseLines)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../phrases.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("phrases.bin differs from phrases.tsv. Run the command train")
	}
}

// No pattern of the table repeats another of its language, and all are read.
func TestPhrases_Table(t *testing.T) {
	if _, err := phrases(phraseLines); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(phraseLines) {
		if line != "\n" && line[0] != '#' && seen[line] {
			t.Errorf("phrases.tsv says %q twice", line)
		}
		seen[line] = true
	}
}

// Each line of the input has a line of hashes, even an empty one.
func TestSequences(t *testing.T) {
	var out bytes.Buffer
	if err := sequences(corpus(t), strings.NewReader("Fine, fine\n\nawful"), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 4 || lines[1] != "" || lines[3] != "" {
		t.Fatalf("sequences = %q, want three lines, the second of them empty", out.String())
	}
	words := strings.Fields(lines[0])
	if len(words) != 3 || words[0] != words[2] || words[0] == words[1] {
		t.Errorf("hashes of %q are %q", "Fine, fine", words)
	}
}
