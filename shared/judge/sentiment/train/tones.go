package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"earshot/shared/judge/sentiment/feature"
)

// toneLines are the words of six languages with their tones: code of the language, word, four steps. tones.py makes it.
//
//go:embed tones.tsv.gz
var toneLines []byte

const (
	toneStep = 0.03 // as in tones.py
	toneBits = 17   // leaves about half the slots empty
)

// codes are the languages of tones.tsv.gz and of the rated posts.
var codes = map[string]feature.Language{
	"de": feature.German,
	"en": feature.English,
	"es": feature.Spanish,
	"fr": feature.French,
	"it": feature.Italian,
	"pt": feature.Portuguese,
}

// tones makes the table of tones.
func tones(packed []byte) ([]byte, error) {
	lines, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	var words []feature.Word
	scanner := bufio.NewScanner(lines)
	for scanner.Scan() {
		fields := strings.Split(scanner.Text(), "\t")
		if len(fields) != 6 || codes[fields[0]] == feature.Unknown {
			return nil, fmt.Errorf("tones.tsv.gz: %q is not a word with its tones", scanner.Text())
		}
		w := feature.Word{Language: codes[fields[0]], Spelling: fields[1]}
		for i := range w.Steps {
			step, err := strconv.ParseInt(fields[2+i], 10, 8)
			if err != nil {
				return nil, fmt.Errorf("tones.tsv.gz: %q: %w", scanner.Text(), err)
			}
			w.Steps[i] = int8(step)
		}
		words = append(words, w)
	}
	if err := scanner.Err(); err != nil {
		return nil, err
	}
	return feature.BuildTones(words, toneStep, toneBits)
}
