package cleanup

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/mention"
	"earshot/shared/proposal"
	"earshot/shared/text"
)

// Bounds of what Find proposes.
const (
	// LeastFound is of how many mentions of noise a finding must be. Fewer may be an accident.
	LeastFound = 5
	// leastAuthors is how many authors must have written a word: the word of one author is that author's way to speak.
	leastAuthors = 3
	// luck is the greatest chance that a word stands in noise alone by accident. A keyword's noise has some fifty words
	// that stand LeastFound times, so that about one keyword in twenty gets a word by accident.
	luck = 0.001
	// mostRead is how many bytes of a text are read for words. Look tries what is found on all of it.
	mostRead = 2 << 10
	// shortest is how many letters a word must have to say something.
	shortest = 3
)

// Find returns exclusions that follow from what really came in, whatever the sample of the proposal had: authors and
// words of at least LeastFound mentions that are not relevant, and of no other mention. What nobody has judged counts
// as other. mentions are those that the keyword matches as it is. A word must be of several authors and must not stand
// there by luck. No word of the keyword's text, terms or context is excluded, and no function word of a language that
// other mentions have. What waits is not found again, nor is anything in noise that what waits excludes by itself.
func Find(k keyword.Keyword, waits []Change, mentions []mention.Mention) []Change {
	var found []Change
	mentions = withoutWaiting(k, waits, mentions)
	authors := noisyAuthors(mentions)
	others := slices.DeleteFunc(slices.Clone(mentions), func(m mention.Mention) bool {
		return slices.Contains(authors, authorOf(&m))
	})
	for _, change := range []Change{
		{Setting: proposal.SettingExcludeWords, Terms: noisyWords(k, others)},
		{Setting: proposal.SettingExcludeAuthors, Terms: authors},
	} {
		known := *list(&k, change.Setting)
		for _, waiting := range waits {
			if waiting.Setting == change.Setting {
				known = slices.Concat(known, waiting.Terms)
			}
		}
		change.Terms = missing(known, change.Terms, change.Setting, k.CaseSensitive)
		change.Terms = change.Terms[:min(len(change.Terms), proposal.MostExcluded)]
		if len(change.Terms) > 0 && change.State(k) == Open {
			found = append(found, change)
		}
	}
	return found
}

// withoutWaiting returns the mentions that are left once the waiting changes are written that exclude noise alone.
func withoutWaiting(k keyword.Keyword, waits []Change, mentions []mention.Mention) []mention.Mention {
	variants := []keyword.Keyword{}
	for _, change := range waits {
		if change.State(k) == Open {
			variant := k
			change.Apply(&variant)
			variants = append(variants, variant)
		}
	}
	matched, compiled := matches(variants, mentions)
	if !compiled {
		return mentions
	}
	gone := make([]bool, len(mentions))
	for _, keeps := range matched {
		harms := false
		for n := range mentions {
			verdict, _ := verdictOf(&mentions[n])
			harms = harms || !keeps[n] && verdict != notRelevant
		}
		for n := range mentions {
			gone[n] = gone[n] || !harms && !keeps[n]
		}
	}
	var left []mention.Mention
	for n := range mentions {
		if !gone[n] {
			left = append(left, mentions[n])
		}
	}
	return left
}

// noisyAuthors returns the handles whose mentions are all noise, those with the most first.
func noisyAuthors(mentions []mention.Mention) []string {
	noise, spared := map[string]int{}, map[string]bool{}
	for i := range mentions {
		author := authorOf(&mentions[i])
		if verdict, _ := verdictOf(&mentions[i]); verdict == notRelevant {
			noise[author]++
		} else {
			spared[author] = true
		}
	}
	var authors []string
	for author, n := range noise {
		if n >= LeastFound && !spared[author] && isHandle(author) {
			authors = append(authors, author)
		}
	}
	slices.SortFunc(authors, func(a, b string) int { return cmp.Or(cmp.Compare(noise[b], noise[a]), cmp.Compare(a, b)) })
	return authors
}

// authorOf returns a mention's author as the matcher compares authors, or "" if there is none.
func authorOf(m *mention.Mention) string {
	if m.Author == nil {
		return ""
	}
	return match.Author(*m.Author)
}

// isHandle reports whether a keyword's list can have an author.
func isHandle(author string) bool {
	return author != "" && utf8.ValidString(author) && utf8.RuneCountInString(author) <= keyword.MaxText &&
		!strings.ContainsFunc(author, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) })
}

// A noisyWord is a word that stands in noise alone.
type noisyWord struct {
	word  string
	posts []int // the places of the mentions that have it
}

// noisyWords returns words that stand in noise alone and together exclude the most of it, the most telling first.
func noisyWords(k keyword.Keyword, mentions []mention.Mention) []string {
	never := map[string]bool{}
	for _, part := range slices.Concat([]string{k.Text, k.Context}, k.AdditionalTerms) {
		for _, word := range wordsOf(part) {
			never[word] = true
		}
	}
	posts, spared, noise, spoken := map[string][]int{}, map[string]bool{}, 0, map[string]bool{}
	for i := range mentions {
		verdict, _ := verdictOf(&mentions[i])
		if verdict == notRelevant {
			noise++
		} else if language := mentions[i].Language; !spoken[language] {
			spoken[language] = true
			for _, word := range text.FunctionWords(language) {
				never[word] = true
			}
		}
		for _, word := range mentionWords(&mentions[i]) {
			switch {
			case verdict != notRelevant:
				spared[word] = true
			default:
				posts[word] = append(posts[word], i)
			}
		}
	}
	var words []noisyWord
	for word, at := range posts {
		if len(at) >= LeastFound && !spared[word] && !never[word] && authorsOf(mentions, at) >= leastAuthors &&
			text.ByLuck(len(at), len(at), noise, len(mentions)) <= luck {
			words = append(words, noisyWord{word, at})
		}
	}
	return cover(words, len(mentions))
}

// cover takes the words one after the other, each time the one with the most noise that no word before has, as long as
// that is LeastFound mentions. Of equals it takes the longest: long words are rarer and say more.
func cover(words []noisyWord, mentions int) (taken []string) {
	covered, fresh := make([]bool, mentions), make([]int, len(words))
	for len(taken) < proposal.MostExcluded {
		best := -1
		for i, w := range words {
			fresh[i] = 0
			for _, at := range w.posts {
				if !covered[at] {
					fresh[i]++
				}
			}
			if best < 0 || cmp.Or(
				cmp.Compare(fresh[i], fresh[best]), cmp.Compare(len(w.word), len(words[best].word)),
				cmp.Compare(words[best].word, w.word),
			) > 0 {
				best = i
			}
		}
		if best < 0 || fresh[best] < LeastFound {
			return taken
		}
		for _, at := range words[best].posts {
			covered[at] = true
		}
		taken = append(taken, words[best].word)
	}
	return taken
}

// authorsOf returns how many authors mentions have. A mention whose author is unknown has its own.
func authorsOf(mentions []mention.Mention, at []int) int {
	known, unknown := map[string]bool{}, 0
	for _, i := range at {
		if author := authorOf(&mentions[i]); author != "" {
			known[author] = true
		} else {
			unknown++
		}
	}
	return len(known) + unknown
}

// mentionWords returns the words of a mention's texts, each once.
func mentionWords(m *mention.Mention) []string {
	var words []string
	for _, text := range []*string{m.Title, m.Body} {
		if text != nil {
			words = append(words, wordsOf((*text)[:min(len(*text), mostRead)])...)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// wordsOf returns the words of a text that could be excluded, in lowercase.
func wordsOf(text string) []string {
	return slices.DeleteFunc(
		strings.FieldsFunc(strings.ToLower(strings.ToValidUTF8(text, " ")), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
		}),
		func(word string) bool {
			n := utf8.RuneCountInString(word)
			return n < shortest || n > keyword.MaxText || !strings.ContainsFunc(word, unicode.IsLetter)
		},
	)
}
