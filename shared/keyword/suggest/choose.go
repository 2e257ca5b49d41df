package suggest

import (
	"cmp"
	"slices"
	"strings"

	"earshot/shared/keyword"
)

// A choice is the values that were found for one change.
type choice struct {
	values []string
	tried  int // how many were held against the sample, so that what chance brings about can be told
}

// mostTriedOut bounds how many values are tried out by the matcher for one list of one keyword: those that stand in the most mentions.
const mostTriedOut = 64

// leastGain is how many further not relevant mentions each value after the first leaves out.
const leastGain = 3

// excludes are the words that stand in what is not relevant and in next to nothing else. Words of any of the workspace's keywords are
// left alone, and those whose mentions matching whole words leaves out anyway, where that is proposed.
func (s *sample) excludes(words []word, names map[string]bool, inside set, refused map[string]bool) choice {
	var found choice
	var values []string
	b := boundsOf(AddExcludeWords)
	for _, w := range words {
		if w.count.notRelevant < leastNotRelevant {
			continue
		}
		found.tried++
		if !refused[fold(w.text)] && !names[strings.ToLower(w.text)] && !covered(w.text, s.keyword) && w.count.approved == 0 &&
			float64(w.count.notRelevant) >= b.purity*float64(w.count.mentions) {
			values = append(values, w.text)
		}
	}
	found.values = s.most(AddExcludeWords, values, found.tried, keyword.MaxTerms-len(s.keyword.ExcludeWords), inside)
	return found
}

// covered says whether a word is of the keyword's own terms, or is excluded already.
func covered(word string, k keyword.Keyword) bool {
	word = fold(word)
	for _, list := range [][]string{k.AdditionalTerms, k.ExcludeWords} {
		if slices.ContainsFunc(list, func(term string) bool { return fold(term) == word || hasWord(term, word) }) {
			return true
		}
	}
	return slices.ContainsFunc(k.WildcardExcludeWords, func(stem string) bool {
		stem = strings.TrimRight(fold(stem), "*")
		return stem != "" && strings.HasPrefix(word, stem)
	})
}

// hasWord says whether a term, such as a phrase, has the word.
func hasWord(term, word string) (has bool) {
	cut(term, func(of string) { has = has || strings.ToLower(of) == word })
	return has
}

// authors are those whose mentions are not relevant.
func (s *sample) authors(refused map[string]bool) choice {
	var found choice
	counts, order := map[string]*tally{}, []string{}
	for _, m := range s.seen {
		if !isHandle(m.author) {
			continue
		}
		if counts[m.author] == nil {
			counts[m.author], order = &tally{}, append(order, m.author)
		}
		counts[m.author].take(m)
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(counts[b].notRelevant, counts[a].notRelevant) })
	var values []string
	for _, author := range order {
		if counts[author].notRelevant < leastNotRelevant {
			break
		}
		found.tried++
		if !refused[fold(author)] && !holds(s.keyword.ExcludeAuthors, []string{author}, handle) {
			values = append(values, author)
		}
	}
	found.values = s.most(AddExcludeAuthors, values, found.tried, keyword.MaxTerms-len(s.keyword.ExcludeAuthors), nil)
	return found
}

// most tries values out, each by itself, and answers those that do most together: at most room and MaxValues of them, each of which
// holds by itself and leaves leastGain more out than those before it. What they leave out as a whole keeps the bounds of the type.
func (s *sample) most(t Type, values []string, tried, room int, passed set) (best []string) {
	values = values[:min(len(values), mostTriedOut)]
	changes := make([]Suggestion, len(values))
	for i, value := range values {
		changes[i] = Suggestion{Type: t, KeywordID: s.keyword.ID, Values: []string{value}}
	}
	gone, b := s.removed(changes), boundsOf(t)
	for i := range gone {
		count := s.count(gone[i])
		alone := count.approved == 0 && count.notRelevant >= leastNotRelevant && count.authors >= b.leastAuthors &&
			float64(count.notRelevant) >= b.purity*float64(count.mentions) && s.tells(count, tried)
		if !alone || passed != nil && gone[i].within(passed) {
			gone[i] = nil
		}
	}
	together := newSet(len(s.seen))
	count := tally{}
	for len(best) < min(room, MaxValues) {
		next, most, counted := -1, count.notRelevant+leastGain-1, tally{}
		for i := range gone {
			if gone[i] == nil {
				continue
			}
			with := s.count(together.with(gone[i]))
			if with.notRelevant > most && float64(with.relevant) <= b.mostLost*float64(s.all.relevant) {
				next, most, counted = i, with.notRelevant, with
			}
		}
		if next < 0 {
			break
		}
		best, together, count = append(best, values[next]), together.with(gone[next]), counted
		gone[next] = nil
	}
	return best
}

// terms are words that stand in what is relevant: any of them is enough to keep a mention. A keyword whose terms must all occur gets one
// more; one that has terms of which any is enough gets none, since a further one would let more in.
func (s *sample) terms(words []word, refused map[string]bool) choice {
	var found choice
	room := MaxValues
	switch {
	case s.keyword.AdditionalTermsLogic == keyword.All:
		room = min(1, keyword.MaxTerms-len(s.keyword.AdditionalTerms))
	case len(s.keyword.AdditionalTerms) > 0:
		return found
	}
	const least = .1 // of the relevant mentions
	var values []string
	for _, w := range words {
		if float64(w.count.relevant) < least*float64(s.all.relevant) {
			continue
		}
		found.tried++
		if !refused[fold(w.text)] && !covered(w.text, s.keyword) && s.speaksFor(w.count, 1) {
			values = append(values, w.text)
		}
	}
	found.values = s.cover(values, found.tried, room)
	return found
}

// speaksFor says whether what is in part is relevant more often than the rest of the sample is, beyond chance, as one of tried parts.
func (s *sample) speaksFor(part tally, tried int) bool {
	return chance(part.weightRelevant, part.weightNotRelevant+part.weightRelevant, s.all.weightRelevant,
		s.all.weightNotRelevant+s.all.weightRelevant)*float64(tried) <= likely
}

// cover answers the terms that together keep most of what is relevant and least of the rest: one after the other, as long as a further one
// keeps a greater share of the former than of the latter.
func (s *sample) cover(values []string, tried, room int) (best []string) {
	values = values[:min(len(values), mostTriedOut)]
	changes := make([]Suggestion, len(values))
	for i, value := range values {
		changes[i] = Suggestion{Type: AddTerms, KeywordID: s.keyword.ID, Values: []string{value}}
	}
	kept := s.removed(changes)
	for i := range kept {
		kept[i].invert(len(s.seen))
		if !s.speaksFor(s.count(kept[i]), tried) {
			kept[i] = nil
		}
	}
	gain := func(t tally) float64 {
		return float64(t.relevant)/float64(s.all.relevant) - float64(t.notRelevant)/float64(s.all.notRelevant)
	}
	together, have := newSet(len(s.seen)), 0.0
	for len(best) < room {
		next, most := -1, have
		for i := range kept {
			if kept[i] == nil {
				continue
			}
			if g := gain(s.count(together.with(kept[i]))); g > most {
				next, most = i, g
			}
		}
		if next < 0 {
			break
		}
		best, together, have = append(best, values[next]), together.with(kept[next]), most
		kept[next] = nil
	}
	return best
}

// platforms are those that not relevant mentions came from.
func (s *sample) platforms() []string {
	counts := map[string]int{}
	for _, m := range s.seen {
		if m.platform != "" && m.verdict == notRelevant {
			counts[m.platform]++
		}
	}
	var found []string
	for _, platform := range keyword.Platforms() {
		if counts[platform] >= leastNotRelevant {
			found = append(found, platform)
		}
	}
	return found
}
