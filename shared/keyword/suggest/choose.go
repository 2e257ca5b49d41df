package suggest

import (
	"cmp"
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/text"
)

// A choice is the values that were found for one change.
type choice struct {
	values []string
	tried  int // how many values were compared with the sample, to judge what chance explains
}

// mostTriedOut bounds how many values the matcher tries out for one list of one keyword: those in the most mentions.
const mostTriedOut = 64

// leastGain is how many further not relevant mentions each value after the first leaves out.
const leastGain = 3

// excludes returns the words that occur in irrelevant mentions and almost nowhere else. It skips words of the
// workspace's keywords. If whole-word matching is proposed, it also skips words whose mentions that leaves out anyway.
func (s *sample) excludes(words []word, names map[string]bool, inside set, refused map[string]bool) choice {
	var found choice
	var values []string
	b := boundsOf(AddExcludeWords)
	for _, w := range words {
		if w.count.notRelevant < leastNotRelevant {
			continue
		}
		found.tried++
		if !refused[fold(w.text)] && !names[strings.ToLower(w.text)] && !covered(w.text, s.keyword) &&
			w.count.approved == 0 &&
			float64(w.count.notRelevant) >= b.purity*float64(w.count.mentions) {
			values = append(values, w.text)
		}
	}
	found.values = s.most(AddExcludeWords, values, found.tried, keyword.MaxTerms-len(s.keyword.ExcludeWords), inside)
	return found
}

// covered reports whether a word belongs to the keyword's own terms or is excluded already.
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

// hasWord reports whether a term, which may be a phrase, has the word.
func hasWord(term, word string) (has bool) {
	cut(term, func(of string) { has = has || strings.ToLower(of) == word })
	return has
}

// authors returns the authors whose mentions are irrelevant.
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
	slices.SortStableFunc(
		order, func(a, b string) int { return cmp.Compare(counts[b].notRelevant, counts[a].notRelevant) },
	)
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

// most tries values out one by one and returns the set of values that leaves out most, with at most room and MaxValues
// values. Each value is valid alone and leaves out leastGain more than those before it. Together they keep the bounds
// of the type.
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

// terms returns words that occur in relevant mentions, any of which is enough to keep a mention. A keyword whose terms
// must all occur gets one more. A keyword with terms of which any is enough gets none, because a further one would let
// more in.
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

// likely bounds the chance of a finding, shared among all values that were tried for it (Bonferroni). Of twenty
// keywords whose words say nothing at all, one would get a suggestion.
const likely = 0.05

// tells reports whether part is not relevant more often than the rest of the sample, beyond chance, as one of tried
// parts.
func (s *sample) tells(part tally, tried int) bool {
	return text.ByLuck(part.weightNotRelevant, part.weightNotRelevant+part.weightRelevant, s.all.weightNotRelevant,
		s.all.weightNotRelevant+s.all.weightRelevant)*float64(tried) <= likely
}

// speaksFor reports whether part is relevant more often than the rest of the sample, beyond chance, as one of tried
// parts.
func (s *sample) speaksFor(part tally, tried int) bool {
	return text.ByLuck(part.weightRelevant, part.weightNotRelevant+part.weightRelevant, s.all.weightRelevant,
		s.all.weightNotRelevant+s.all.weightRelevant)*float64(tried) <= likely
}

// cover returns the terms that together keep most of the relevant mentions and least of the rest. It adds one after the
// other, as long as a further one keeps a greater share of the relevant mentions than of the rest.
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

// platforms returns the platforms that irrelevant mentions came from.
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
