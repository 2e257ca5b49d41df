// Command lexicon makes lexicon.bin of package site from the words of package dictionary: a filter that the scan of a
// page can hold, as it cannot hold the dictionary.
//
//	go run ./shared/proposal/site/lexicon
package main

import (
	"bytes"
	"log"
	"os"
	"slices"

	"github.com/FastFilter/xorfilter"

	"earshot/shared/judge/dictionary"
	"earshot/shared/proposal/site"
)

func main() {
	words := slices.Collect(dictionary.All())
	for _, language := range site.LexiconLanguages() {
		for word := range dictionary.Levels(language) {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	var keys []uint64
	for _, word := range slices.Compact(words) {
		keys = append(keys, site.LexiconKey(word))
	}
	filter, err := xorfilter.PopulateBinaryFuse8(keys)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := filter.Save(&file); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("shared/proposal/site/lexicon.bin", file.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
