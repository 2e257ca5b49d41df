package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
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
	for _, name := range []string{"weights.bin", "lexicon.bin"} {
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

// The classifier learns the small corpus: it judges every comment left out right.
func TestLearn(t *testing.T) {
	data := corpus(t)
	lexicon, err := lexicon(filepath.Join(data, "models", "vader_lexicon.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	samples, err := readSamples(filepath.Join(data, "sentiment", "goemotions_3class_train.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	macro, err := hold(lexicon, samples)
	if err != nil || macro < 0.99 {
		t.Errorf("macro recall %.3f, %v", macro, err)
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
