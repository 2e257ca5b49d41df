package compose

import (
	"cmp"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"earshot/shared/proposal"
)

// narrower begins the ids of options that bring less than their keywords.
const narrower = "narrower"

// options are other scopings of an anchored keyword: fewer anchors, unless they keep the same posts of the sample, and
// more. Of a brand that is tracked by itself although it is much to read, they are the anchors.
func (p *plan) options() []proposal.OptionDecision {
	busy := p.brand && p.Route == proposal.Bare && !p.common && p.built.Volume.Band == proposal.BandTopEnd
	if p.Route != proposal.Anchored && !busy {
		return nil
	}
	var options []proposal.OptionDecision
	offer := func(id, label, description, explanation string, terms []string) {
		for _, other := range append([]proposal.OptionDecision{{AdditionalTerms: p.AdditionalTerms}}, options...) {
			if sameTerms(other.AdditionalTerms, terms) {
				return
			}
		}
		if len(terms) < proposal.MinAnchors || len(terms) > proposal.MaxAnchors {
			return
		}
		scoped := p.Decision
		scoped.AdditionalTerms = terms
		fewer := len(terms) < len(p.AdditionalTerms)
		if fewer && len(p.posts) > 0 &&
			p.keeps(asKeyword(p.Candidate, scoped))[0].both(p.built.kept) == p.built.kept.count() {
			return
		}
		options = append(options, proposal.OptionDecision{
			ID:              id + "_" + p.Decision.Ref,
			KeywordRef:      p.Decision.Ref,
			Label:           label,
			Description:     description,
			Explanation:     explanation,
			AdditionalTerms: slices.Clone(terms),
		})
	}
	if busy {
		offer(narrower, "Narrower", fmt.Sprintf("Only posts that also say one of %d words.", len(p.fit)),
			"You get fewer posts to read, and you miss those that say none of these words.", p.fit)
		return options
	}
	offer(narrower, "Narrower", fmt.Sprintf("Only the %d strongest words.", len(p.tight)),
		"You get fewer posts and less noise, and you may miss some that say it otherwise.", p.tight)
	offer("wider", "Wider", fmt.Sprintf("All %d words that were found.", len(p.wide)),
		"You miss less, and you get more that is about something else.", p.wide)
	return options
}

func sameTerms(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(term string) bool { return !slices.Contains(b, term) })
}

// busiest are the counts with the most posts first.
func busiest(counts []proposal.SourceCount) []proposal.SourceCount {
	ordered := slices.Clone(counts)
	slices.SortStableFunc(ordered, func(a, b proposal.SourceCount) int {
		return cmp.Or(cmp.Compare(b.Low+b.High, a.Low+a.High), cmp.Compare(a.Source, b.Source))
	})
	return ordered
}

// titled is a term as the name of a feed.
func titled(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
