package candidate

import (
	"slices"
	"strings"
	"sync"

	"earshot/shared/text"
)

// functions are the languages of most sites, English first, whose function words are in any post of theirs, with the
// words that hold sentences together besides.
var functions = []struct{ language, others string }{
	{"english", `ago alone along already away behind beyond come far inside instead outside soon toward towards`},
	{"german", `ihren ist's unsere`},
	{"french", `eux toutes`},
	{"spanish", `nuestra nuestro`},
	{"italian", `i sue sui vi`},
	{"portuguese", `entre nossa nosso`},
	{"dutch", `jouw onder onze uw waar`},
}

// functionWords are all of them. Whose language they are is of no account: a word that holds sentences together
// anywhere is no anchor.
var functionWords = sync.OnceValue(func() map[string]bool {
	var words []string
	for _, language := range functions {
		words = append(words, functionWordsOf(language.language, language.others)...)
	}
	return setOf(words)
})

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}

func functionWordsOf(language, others string) []string {
	return append(text.FunctionWords(language), strings.Fields(others)...)
}

// englishFunctionWords are those of the first language of the table.
var englishFunctionWords = sync.OnceValue(func() map[string]bool {
	return setOf(functionWordsOf(functions[0].language, functions[0].others))
})

func englishFunctionWord(word string) bool { return englishFunctionWords()[word] }

// holding reports whether a word holds sentences of one language together. Those of some languages are words that say
// something in others, such as Swedish "men", so that they are none of functionWords.
func holding(word, language string) bool { return slices.Contains(text.FunctionWords(language), word) }

func functionWord(word string) bool { return functionWords()[word] }

// ForeignFunctionWord reports whether a word, in lowercase, holds sentences together in a language of most sites, and
// not in English.
func ForeignFunctionWord(word string) bool { return functionWord(word) && !englishFunctionWord(word) }
