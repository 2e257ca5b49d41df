package compose

import (
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
	"earshot/shared/proposal/sampling"
)

// withoutCovered drops plans whose posts another brings as well (rule K3). Those that can be selected go before others:
// what nobody listens with covers nothing that can be selected. The own brand is not dropped for another's name or term
// that is wider: that one goes.
func withoutCovered(plans []*plan) []*plan {
	covers := coverage(plans)
	gone := make([]bool, len(plans))
	for _, listening := range []bool{true, false} {
		for i, a := range plans {
			for j, b := range plans {
				if i == j || gone[i] || gone[j] || !covers[i][j] || a.listening() != listening ||
					!listening && (b.listening() || a.brand) {
					continue
				}
				if b.brand || b.listening() && b.Tag == keyword.OwnBrand && a.Tag != keyword.OwnBrand {
					gone[i] = true
				} else {
					gone[j] = true
				}
			}
		}
	}
	left := []*plan{}
	for i, p := range plans {
		if !gone[i] {
			left = append(left, p)
		}
	}
	return left
}

// listening reports whether a keyword brings posts: it is selected, or the own brand, which always is. A keyword that the
// workspace tracks already counts only if it is tracked bare: what other settings bring is not known.
func (p *plan) listening() bool {
	if p.why == tracked {
		return p.there
	}
	return p.brand || p.why == selected || p.SelectedByDefault
}

// coverage says of each two plans whether the first brings every post that the second does: by what they say, or by the
// second's sample when that has enough posts to tell.
func coverage(plans []*plan) [][]bool {
	scoped, bare := make([]keyword.Keyword, len(plans)), make([]keyword.Keyword, len(plans))
	for i, p := range plans {
		scoped[i], bare[i] = asKeyword(p.Candidate, p.Decision), sampling.Bare(p.Candidate)
	}
	covers := make([][]bool, len(plans))
	for i := range plans {
		covers[i] = make([]bool, len(plans))
	}
	// One whose text is not even in what the other says needs no closer look.
	said := make([]string, len(plans))
	for i, p := range plans {
		said[i] = p.says(p.AdditionalTerms)
	}
	near := inTexts(said, bare...)
	for j, b := range plans {
		kept := b.keeps(scoped...)
		of := b.kept.count()
		for i, a := range plans {
			if i == j {
				continue
			}
			bySample := !b.brand && of >= proposal.SampleEnough && b.kept.both(kept[i]) == of &&
				keyword.TakesAll(a.Decision.Platforms, b.Decision.Platforms)
			covers[i][j] = bySample || fold(a.Text) == fold(b.Text) ||
				near[i].has(j) && rule.Covers(scoped[i], scoped[j])
		}
	}
	return covers
}

// says is all that a keyword says of the posts that it brings.
func (s *study) says(terms []string) string {
	return strings.Join(append([]string{s.Text, strings.ToLower(s.Text)}, terms...), " … ")
}
