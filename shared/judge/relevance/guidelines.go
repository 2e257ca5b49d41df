package relevance

import (
	"slices"
	"strings"

	"earshot/shared/judge/words"
)

// Guidelines are the words of what people wrote about what they want to see. Words of clauses that ask for something
// are separate from words of clauses that refuse it.
type Guidelines struct {
	For, Against []string // words, lowercase, each once, in order
}

// refusals are words that begin a refusal.
var refusals = []string{
	"not", "no", "ignore", "ignoring", "exclude", "excluding", "except", "avoid", "skip", "never", "without",
	"irrelevant", "unrelated", "don't", "doesn't", "isn't", "aren't", "won't", "drop", "hide", "reject", "discard",
	"nothing", "neither", "nor",
}

// turns are words that reverse the rest of a sentence: what follows a refusal is wanted, and what follows a wish is
// refused.
var turns = []string{"but", "unless", "except", "however", "although", "though", "instead"}

// asking are words that guidelines use whatever their subject.
var asking = []string{
	"relevant", "irrelevant", "unrelated", "related", "relevance", "mention", "mentions", "mentioning", "post", "posts",
	"posting", "tweet", "tweets", "comment", "comments", "about", "talk", "talks", "talking", "discuss", "discussing",
	"interested", "interest", "want", "wants", "wanted", "like", "see", "show", "only", "just", "please", "include",
	"including", "everything", "anything", "something", "nothing", "care", "use", "used", "using", "word", "words",
	"name", "names", "named", "called", "mean", "means", "meaning", "refer", "refers", "referring", "concern",
	"concerns", "concerning", "keep", "look", "looking", "find", "matter", "matters", "count", "counts", "other",
	"others", "people", "content", "thing", "things", "company", "brand", "our", "any", "all", "also", "should",
	"would", "must", "get",
}

// ReadGuidelines reads guidelines in English. A refusal reaches to the end of its sentence or to a turn ("but"). "not
// only" refuses nothing. A word that is both wanted and refused is left out.
func ReadGuidelines(text string) Guidelines {
	var g Guidelines
	cut, against := words.Cut(text), false
	for i, word := range cut {
		if word.Starts {
			against = false
		}
		next := ""
		if i+1 < len(cut) {
			next = cut[i+1].Text
		}
		switch {
		case slices.Contains(turns, word.Text):
			against = !against
		case slices.Contains(refusals, word.Text):
			// "is not about X, nor about Y" continues a refusal. "not only" and "not just" begin none.
			against = against || !slices.Contains([]string{"only", "just", "limited"}, next)
		case word.Kind == words.Letters && len(word.Text) > 2 && !slices.Contains(asking, word.Text):
			if against {
				g.Against = append(g.Against, word.Text)
			} else {
				g.For = append(g.For, word.Text)
			}
		}
	}
	wanted := g.For
	g.For = only(g.For, g.Against)
	g.Against = only(g.Against, wanted)
	return g
}

// only returns each word of list once, without the words of others.
func only(list, others []string) (out []string) {
	for _, word := range list {
		if !slices.Contains(others, word) && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}

// wordsOf returns the words of texts that consist of letters.
func wordsOf(texts ...string) (out []string) {
	for _, word := range words.Cut(strings.Join(texts, "\n")) {
		if word.Kind == words.Letters {
			out = append(out, word.Text)
		}
	}
	return out
}
