// Command train makes the sentiment classifier's two tables from labelled comments and a lexicon. Every run makes the
// same bytes:
//
//	go run ./shared/judge/sentiment/train [-check] [-holdout] [-data ../shared/data]
//
// weights.bin comes from sentiment/goemotions_3class_train.tsv below the data's folder. lexicon.bin comes from
// models/vader_lexicon.tsv and from emoji.tsv here. With -check it writes nothing and fails if the files in the tree
// differ. With -holdout it leaves out every tenth comment, judges those and prints the recalls, by which the settings
// are tuned.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"earshot/shared/judge/sentiment/feature"
)

func main() {
	data := flag.String("data", cmp.Or(os.Getenv("DATA_DIR"), "../shared/data"), "folder of the data")
	out := flag.String("o", "shared/judge/sentiment", "folder of the tables")
	check := flag.Bool("check", false, "compare with the tables instead of writing them")
	holdout := flag.Bool("holdout", false, "judge a tenth of the comments by the others")
	flag.Parse()
	if err := run(*data, *out, *check, *holdout); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(data, out string, check, holdout bool) error {
	lexicon, err := lexicon(filepath.Join(data, "models", "vader_lexicon.tsv"))
	if err != nil {
		return err
	}
	samples, err := readSamples(filepath.Join(data, "sentiment", "goemotions_3class_train.tsv"))
	if err != nil {
		return err
	}
	if holdout {
		_, err := hold(lexicon, samples)
		return err
	}
	l, err := feature.OpenLexicon(string(lexicon))
	if err != nil {
		return err
	}
	weights := learn(samples, extract(&l, samples, tuned.bits), tuned).file()
	for name, file := range map[string][]byte{"lexicon.bin": lexicon, "weights.bin": weights} {
		if err := keep(filepath.Join(out, name), file, check); err != nil {
			return err
		}
	}
	return nil
}

func keep(path string, file []byte, check bool) error {
	if !check {
		return os.WriteFile(path, file, 0o644)
	}
	held, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(held, file) {
		return fmt.Errorf("%s differs from what the data makes", path)
	}
	fmt.Printf("%s is what the data makes: %d bytes\n", path, len(file))
	return nil
}

// hold judges comments that the classifier has not seen, with the weights as stored. It prints the result and returns
// the macro recall.
func hold(lexicon []byte, samples []sample) (macro float64, err error) {
	l, err := feature.OpenLexicon(string(lexicon))
	if err != nil {
		return 0, err
	}
	var known, unseen []sample
	for i, s := range samples {
		if i%10 == 0 {
			unseen = append(unseen, s)
		} else {
			known = append(known, s)
		}
	}
	w, err := feature.OpenWeights(string(learn(known, extract(&l, known, tuned.bits), tuned).file()))
	if err != nil {
		return 0, err
	}
	var right, all [feature.Classes]int
	for _, s := range unseen {
		all[s.class]++
		odds, _ := w.Odds(&l, s.text)
		if feature.Best(odds) == s.class {
			right[s.class]++
		}
	}
	for c := range all {
		recall := float64(right[c]) / float64(max(all[c], 1))
		fmt.Printf("class %d: recall %.4f of %d\n", c, recall, all[c])
		macro += recall / feature.Classes
	}
	fmt.Printf("macro recall %.4f\n", macro)
	return macro, nil
}

func extract(l *feature.Lexicon, samples []sample, bits uint) []feature.Vector {
	vectors := make([]feature.Vector, len(samples))
	for i, s := range samples {
		feature.Extract(l, s.text, bits, &vectors[i])
	}
	return vectors
}
