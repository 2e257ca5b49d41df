package suggest

import (
	"cmp"
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/mention"
)

// bounds say when a change is worth proposing. Shares are of the sample.
type bounds struct {
	leastNoise      float64 // share of the not relevant mentions that it leaves out, at least
	mostLost        float64 // share of the relevant ones that it leaves out, at most
	purity          float64 // share of not relevant ones among all that it leaves out, at least
	leastAuthors    int     // authors of the irrelevant mentions that it leaves out
	leastRelevant   int     // relevant mentions in the sample; keeping fewer says little
	leastToldByRest float64 // least share of relevant mentions among those that it keeps
}

// leastNotRelevant is how many irrelevant mentions every suggestion needs, whatever its type.
const leastNotRelevant = 5

// boundsOf returns the bounds of a type. A change that removes noise directly (a word, an author, a source) may lose
// almost nothing. A change that requires more (terms) must keep nine of ten and remove much of the noise. A word needs
// several authors: what one author repeats is a reason to exclude that author.
func boundsOf(t Type) bounds {
	switch t {
	case AddExcludeWords:
		return bounds{leastNoise: .03, mostLost: .02, purity: .95, leastAuthors: 3, leastRelevant: 5}
	case AddExcludeAuthors:
		return bounds{leastNoise: .03, mostLost: .02, purity: .95, leastRelevant: 5}
	case AddTerms, ChangeTermsLogic:
		return bounds{leastNoise: .3, mostLost: .1, purity: .8, leastAuthors: 3, leastRelevant: 20}
	case SetExactMatch:
		return bounds{leastNoise: .1, mostLost: .02, purity: .95, leastAuthors: 3, leastRelevant: 5}
	}
	return bounds{
		leastNoise:      .1,
		mostLost:        .05,
		purity:          .9,
		leastAuthors:    3,
		leastRelevant:   5,
		leastToldByRest: .5,
	} // DisableSource
}

// worth reports whether to propose a change of type t, one of tried, that leaves gone out.
func (s *sample) worth(t Type, gone tally, tried int) bool {
	b, rest := boundsOf(t), s.all.mentions-gone.mentions
	return gone.approved == 0 && gone.notRelevant >= leastNotRelevant && gone.authors >= b.leastAuthors &&
		s.all.relevant >= b.leastRelevant &&
		float64(gone.notRelevant) >= b.leastNoise*float64(s.all.notRelevant) &&
		float64(gone.relevant) <= b.mostLost*float64(s.all.relevant) &&
		float64(gone.notRelevant) >= b.purity*float64(gone.mentions) &&
		float64(s.all.relevant-gone.relevant) >= b.leastToldByRest*float64(rest) &&
		s.tells(gone, tried)
}

// A Refused is a change that users rejected. None of its values is proposed for that keyword again, alone or with
// others.
type Refused struct {
	KeywordID int64
	Type      Type
	Values    []string
}

// Bounds of the texts that are tried out, in bytes: of one keyword's mentions, and of all keywords' together. A mention
// counts once for each of its keywords. Every 20 MB take about a second.
const (
	mostOfKeyword = 2 << 20
	mostOfAll     = 32 << 20
)

// Find proposes changes of the keywords by their recent mentions. mentions are newest first and may be of any keywords.
// Find returns at most MaxFound suggestions, those that leave out most first. Of very long mentions it reads only the
// newest: mostOfKeyword, mostOfAll. Paused keywords get none. The ids are NewID's; the caller sets CreatedAt. Find
// neither keeps nor changes its input.
func Find(keywords []keyword.Keyword, mentions []mention.Mention, refused []Refused) []Suggestion {
	of, bytes, all := map[int64][]*seen{}, map[int64]int{}, 0
	for i := range mentions {
		read := see(&mentions[i])
		size := read.size()
		for n, k := range mentions[i].Keywords {
			twice := slices.ContainsFunc(
				mentions[i].Keywords[:n], func(other mention.Keyword) bool { return other.ID == k.ID },
			)
			if twice || bytes[k.ID]+size > mostOfKeyword || all+size > mostOfAll {
				continue
			}
			of[k.ID] = append(of[k.ID], &read)
			bytes[k.ID], all = bytes[k.ID]+size, all+size
		}
	}
	names := namesOf(keywords)
	var found []Suggestion
	for _, k := range keywords {
		if k.Paused || len(of[k.ID]) < leastNotRelevant {
			continue
		}
		s := newSample(k, of[k.ID])
		if s.all.notRelevant < leastNotRelevant || s.all.relevant == 0 {
			continue
		}
		found = append(found, s.find(names, refusals(k.ID, refused))...)
	}
	slices.SortStableFunc(found, func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(b.Evidence.WouldRemove, a.Evidence.WouldRemove), cmp.Compare(a.ID, b.ID))
	})
	return found[:min(len(found), MaxFound)]
}

// refusals returns the values that were rejected for a keyword, folded, by type.
func refusals(keywordID int64, refused []Refused) map[Type]map[string]bool {
	of := map[Type]map[string]bool{}
	for _, r := range refused {
		if r.KeywordID != keywordID {
			continue
		}
		if of[r.Type] == nil {
			of[r.Type] = map[string]bool{}
		}
		for _, value := range folded(r.Values) {
			of[r.Type][value] = true
		}
	}
	return of
}

// find is Find for one keyword.
func (s *sample) find(names map[string]bool, refused map[Type]map[string]bool) (found []Suggestion) {
	propose := func(t Type, tried int, values ...string) (gone set) {
		if len(values) == 0 || slices.ContainsFunc(values, func(value string) bool { return refused[t][fold(value)] }) {
			return nil
		}
		change := Suggestion{
			ID:        NewID(s.keyword.ID, t, values),
			Type:      t,
			KeywordID: s.keyword.ID,
			Keyword:   s.keyword.Text,
			Values:    values,
		}
		if !change.Open(s.keyword) {
			return nil
		}
		gone = s.removed([]Suggestion{change})[0]
		count := s.count(gone)
		if !s.worth(t, count, tried) {
			return nil
		}
		change.Evidence = Evidence{
			Mentions:            s.all.mentions,
			Relevant:            s.all.relevant,
			NotRelevant:         s.all.notRelevant,
			Judged:              s.all.byUser,
			WouldRemove:         count.mentions,
			WouldRemoveRelevant: count.relevant,
		}
		change.Examples, change.Reason = s.examples(gone), s.reason(change, count)
		found = append(found, change)
		return gone
	}
	inside := propose(SetExactMatch, 1, "true")
	propose(ChangeTermsLogic, 1, string(keyword.All))
	platforms := s.platforms()
	for _, platform := range platforms {
		propose(DisableSource, len(platforms), platform)
	}
	authors := s.authors(refused[AddExcludeAuthors])
	propose(AddExcludeAuthors, max(1, authors.tried), authors.values...)
	words := s.words()
	excludes := s.excludes(words, names, inside, refused[AddExcludeWords])
	propose(AddExcludeWords, max(1, excludes.tried), excludes.values...)
	terms := s.terms(words, refused[AddTerms])
	propose(AddTerms, max(1, terms.tried), terms.values...)
	return found
}

// examples returns the newest irrelevant mentions.
func (s *sample) examples(of set) []string {
	var noise []*seen
	for i, m := range s.seen {
		if of.has(i) && m.verdict == notRelevant {
			noise = append(noise, m)
		}
	}
	slices.SortStableFunc(noise, func(a, b *seen) int {
		return cmp.Or(b.PostedAt.Compare(a.PostedAt), cmp.Compare(b.Mention.ID, a.Mention.ID))
	})
	examples := []string{}
	for _, m := range noise[:min(len(noise), MaxExamples)] {
		examples = append(examples, m.SourceID)
	}
	return examples
}
