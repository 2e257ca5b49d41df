package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"earshot/shared/judge/sentiment/feature"
)

// phraseLines are phrases: code of the language, meaning, pattern. Of lists they are the code, "list" and the name with
// its words. Lines that begin with # are comments.
//
//go:embed phrases.tsv
var phraseLines string

const (
	phraseBits = 16   // leaves about half the slots empty
	mostOf     = 4000 // phrases of one pattern
)

var meanings = map[string]feature.Meaning{
	"blame":    feature.Blame,
	"fact":     feature.Fact,
	"praise":   feature.Praise,
	"courtesy": feature.Courtesy,
	"query":    feature.Query,
	"thanks":   feature.Thanks,
}

// phrases makes the table of phrases.
func phrases(file string) ([]byte, error) {
	var all []feature.Phrase
	var lists []feature.List
	for line := range strings.Lines(file) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "\t")
		if name, words, ok := strings.Cut(fields[len(fields)-1], " "); len(fields) == 3 && fields[1] == "list" && ok {
			lists = append(lists, feature.List{
				Language: phraseCodes[fields[0]],
				Name:     name,
				Words:    strings.Split(words, "|"),
			})
			continue
		}
		if len(fields) != 3 || phraseCodes[fields[0]] == feature.Unknown || meanings[fields[1]] == feature.Meaningless {
			return nil, fmt.Errorf("phrases.tsv: %q is not a language, a meaning and a pattern", line)
		}
		p := feature.Phrase{Language: phraseCodes[fields[0]], Meaning: meanings[fields[1]]}
		elements := strings.Fields(fields[2])
		if len(elements) > 0 && elements[0] == "^" {
			p.Begins, elements = true, elements[1:]
		}
		if last := len(elements) - 1; last >= 0 && elements[last] == "$" {
			p.Ends, elements = true, elements[:last]
		}
		spelt := expand(elements)
		if len(spelt) > mostOf {
			return nil, fmt.Errorf("phrases.tsv: %q stands for %d phrases, at most %d are read", line, len(spelt), mostOf)
		}
		for _, words := range spelt {
			p.Words = words
			all = append(all, p)
		}
	}
	return feature.BuildPhrases(all, lists, phraseBits)
}

// phraseCodes are the languages of phrases.tsv.
var phraseCodes = map[string]feature.Language{
	"de": feature.German,
	"en": feature.English,
	"es": feature.Spanish,
	"fr": feature.French,
	"it": feature.Italian,
	"nl": feature.Dutch,
	"pl": feature.Polish,
	"pt": feature.Portuguese,
}

// expand returns the phrases of a pattern, whose elements are alternatives: "no|zero". An element that ends with "?"
// may be left out.
func expand(elements []string) [][]string {
	spelt := [][]string{nil}
	for _, e := range elements {
		e, optional := strings.CutSuffix(e, "?")
		var longer [][]string
		for _, words := range spelt {
			if optional {
				longer = append(longer, words)
			}
			for choice := range strings.SplitSeq(e, "|") {
				longer = append(longer, append(slices.Clone(words), choice))
			}
		}
		spelt = longer
	}
	return spelt
}
