// Command convert makes ngrams.bin, the language detector's table, from an npm package. It needs no network:
//
//	npm pack eld@2.1.0
//	go run ./shared/judge/language/convert [-check] eld-2.1.0.tgz     # or the folder that it unpacks to
//
// With -check it writes nothing and fails if the file in the tree differs.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"

	"earshot/shared/judge/language/ngram"
)

const (
	// slotBits leaves about four of ten slots empty for the 81,206 n-grams. A miss is the common case and so ends soon.
	slotBits = 17
	// leastWeight is what the package subtracts from every weight (calculateScores in its src/languageDetector.js).
	leastWeight = 53
	// mostWeight is the largest weight that fits a byte. One n-gram of 81,206, which only Georgian has, weighs 5 more.
	mostWeight = 255
)

func main() {
	check := flag.Bool("check", false, "compare with the file instead of writing it")
	out := flag.String("o", "shared/judge/language/ngrams.bin", "the table")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: convert [-check] [-o ngrams.bin] <eld-2.1.0.tgz or its folder>")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *out, *check); err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

func run(from, out string, check bool) error {
	p, err := open(from)
	if err != nil {
		return err
	}
	file, err := table(p)
	if err != nil {
		return err
	}
	if !check {
		return os.WriteFile(out, file, 0o644)
	}
	held, err := os.ReadFile(out)
	if err != nil {
		return err
	}
	if !bytes.Equal(held, file) {
		return fmt.Errorf("%s differs from what %s makes", out, from)
	}
	fmt.Printf("%s is what %s makes: %d bytes\n", out, from, len(file))
	return nil
}

// table converts the package's small database to the detector's layout. The n-grams keep their order.
func table(p files) ([]byte, error) {
	alphabet, err := readAlphabet(p.dictionary)
	if err != nil {
		return nil, err
	}
	codes, grams, err := readDatabase(p.database)
	if err != nil {
		return nil, err
	}
	entries := make([]ngram.Entry, len(grams))
	for i, g := range grams {
		raw, err := alphabet.bytes(g.text)
		if err != nil {
			return nil, err
		}
		entries[i].Bytes = raw
		for _, w := range g.weights {
			if w.language >= len(codes) {
				return nil, fmt.Errorf("the n-gram %q has a weight for an unknown language %d", g.text, w.language)
			}
			weight := uint8(min(w.weight+leastWeight, mostWeight))
			entries[i].Posting = append(entries[i].Posting, ngram.Weight{Language: uint8(w.language), Weight: weight})
		}
	}
	return ngram.Build(codes, slotBits, entries)
}
