package main

import (
	_ "embed"
	"fmt"
	"os"
	"strconv"
	"strings"

	"earshot/shared/judge/sentiment/feature"
)

// emoji are emoji with a valence on the lexicon's scale, -4 to 4, judged for this project.
//
//go:embed emoji.tsv
var emoji string

// lexiconBits leaves about half the slots empty.
const lexiconBits = 14

// lexicon makes the lexicon's table: VADER's tokens, then the emoji.
func lexicon(path string) ([]byte, error) {
	vader, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var entries []feature.Entry
	for _, text := range []string{string(vader), emoji} {
		for line := range strings.Lines(text) {
			token, valence, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
			v, err := strconv.ParseFloat(strings.TrimSpace(valence), 64)
			if !ok || err != nil {
				return nil, fmt.Errorf("%s: %q is not a token with its valence", path, line)
			}
			entries = append(entries, feature.Entry{Token: strings.ToLower(token), Valence: v})
		}
	}
	return feature.BuildLexicon(entries, lexiconBits)
}

// readSamples reads lines of a class, a tab and a text.
func readSamples(path string) ([]sample, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var samples []sample
	for line := range strings.Lines(string(file)) {
		label, text, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		class, err := strconv.Atoi(label)
		if !ok || err != nil || class < 0 || class >= feature.Classes {
			return nil, fmt.Errorf("%s: %.40q is not a class with its text", path, line)
		}
		samples = append(samples, sample{class, text})
	}
	return samples, nil
}
