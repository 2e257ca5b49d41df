package site

import (
	"bytes"
	_ "embed"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"github.com/FastFilter/xorfilter"

	"earshot/shared/text/fold"
)

// lexicon is what command lexicon writes: the words of LexiconLanguages, all languages together, as a binary fuse filter.
// Its licence is CC BY-SA 4.0 (judge/dictionary/LICENSE.wordfreq), not that of the program.
//
//go:embed lexicon.bin
var lexicon []byte

var lexiconFilter = sync.OnceValue(func() *xorfilter.BinaryFuse8 {
	filter, err := xorfilter.LoadBinaryFuse8(bytes.NewReader(lexicon))
	if err != nil {
		panic("site: " + err.Error()) // the file is part of the program
	}
	return filter
})

// LexiconLanguages lists the languages whose words the scan knows, by their names of shared/language.
func LexiconLanguages() []string {
	return []string{
		"english", "german", "french", "spanish", "italian", "portuguese", "dutch", "swedish", "danish", "norwegian",
		"finnish", "polish",
	}
}

// LexiconKey returns the key of a word, folded as fold.Form does, in the lexicon.
func LexiconKey(word string) uint64 {
	hash := fnv.New64a()
	hash.Write([]byte(word))
	return hash.Sum64()
}

// known reports whether one of LexiconLanguages has a word, perhaps with another end. It has no false negatives for the
// commonest 10,000 to 17,000 words of each language; of other words, it takes one in 40 for known.
func known(word string) bool {
	word = fold.Form(word)
	listed := func(word string) bool { return lexiconFilter().Contains(LexiconKey(word)) }
	if listed(word) {
		return true
	}
	const least = 6 // letters
	letters := []rune(word)
	if len(letters) < least {
		return false
	}
	stem := string(letters[:len(letters)-1])
	return slices.ContainsFunc(strings.Split(",a,e,i,o,y", ","), func(end string) bool { return listed(stem + end) })
}
