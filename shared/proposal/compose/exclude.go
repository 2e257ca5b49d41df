package compose

import (
	"slices"
	"strings"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/proposal"
	"earshot/shared/proposal/sampling"
)

// excludes are words that leave out noise that the keyword still brings, and no relevant post of what it brings; nor,
// of all that the text brings bare, more relevant posts than noise (rule X1). None excludes a post that says no more
// than a name of the own brand, or than the keyword with an anchor of its own.
func (r *reading) excludes(p *plan) []string {
	var words []string
	var alone []keyword.Keyword
	for _, figure := range p.sighting.Excludes {
		word := strings.TrimSpace(figure.Term)
		if word == "" || !utf8.ValidString(word) || utf8.RuneCountInString(word) > keyword.MaxText {
			continue
		}
		if found, _, _, _ := keyword.Operators(word); found {
			continue
		}
		without := sampling.Bare(p.Candidate)
		without.ExcludeWords = []string{word}
		words, alone = append(words, word), append(alone, without)
	}
	return p.leaveOut(words, alone, r.said(words, append(p.AdditionalTerms, p.Text)))
}

// authors are those who wrote proposal.LeastByAuthor posts of noise and no relevant one among all that was read, some of
// which the keyword still brings, and who are not the company itself.
func (r *reading) authors(p *plan) []string {
	var names []string
	var alone []keyword.Keyword
	var own []bool
	for _, figure := range p.sighting.Authors {
		if figure.Noise < proposal.LeastByAuthor || figure.Relevant > 0 ||
			match.Author(figure.Term) == "" || utf8.RuneCountInString(figure.Term) > keyword.MaxText {
			continue
		}
		without := sampling.Bare(p.Candidate)
		without.ExcludeAuthors = []string{figure.Term}
		names, alone = append(names, figure.Term), append(alone, without)
		own = append(own, slices.ContainsFunc(r.Profile.Handles, func(h proposal.Handle) bool {
			return match.Author(h.Handle) == match.Author(figure.Term)
		}))
	}
	return p.leaveOut(names, alone, own)
}

// leaveOut takes those of the values that leave out noise that no value before leaves out, and nothing relevant. alone
// are the bare keyword with each by itself.
func (p *plan) leaveOut(values []string, alone []keyword.Keyword, never []bool) []string {
	taken, out := []string{}, newSet(len(p.posts))
	if len(values) == 0 || p.kept.both(p.noise) < proposal.LeastExcluded {
		return taken
	}
	kept := p.keeps(append([]keyword.Keyword{sampling.Bare(p.Candidate)}, alone...)...)
	for i, value := range values {
		lost := kept[0].minus(kept[i+1])
		here := lost.and(p.kept)
		if never[i] || len(taken) == proposal.MostExcluded || here.both(p.relevant) > 0 ||
			lost.both(p.relevant) > lost.both(p.noise) ||
			here.beyond(out, p.noise) < proposal.LeastExcluded {
			continue
		}
		taken = append(taken, value)
		out.join(here)
	}
	return taken
}

// said says of each word whether the own brand's names, or further texts, have it: as a word, or as a part of one.
func (r *reading) said(words, further []string) []bool {
	names := slices.Concat(further, []string{r.Profile.Company, r.Domain}, r.Profile.Products, r.Profile.OtherNames)
	for _, c := range r.Candidates.Candidates {
		if c.Tag == keyword.OwnBrand {
			names = append(names, c.Text)
		}
	}
	said := make([]bool, len(words))
	for i, word := range words {
		said[i] = slices.ContainsFunc(names, func(name string) bool { return strings.Contains(fold(name), fold(word)) })
	}
	return said
}

// approve says when what is decided is written. The engine's default for the own brand's anchors is after the first
// collection: until then a name that is never tracked bare would be. And what the sample would leave out of the own
// brand waits for what really comes in (rule X2).
func (p *plan) approve() {
	if p.Tag != keyword.OwnBrand {
		return
	}
	p.approveAnchors()
	const waits = "Found by a sample: it waits for what the first collection brings."
	if len(p.ExcludeWords) > 0 {
		p.setApproval(proposal.SettingExcludeWords, p.ExcludeWords, proposal.InCleanup, waits)
	}
	if len(p.Decision.ExcludeAuthors) > 0 {
		p.setApproval(proposal.SettingExcludeAuthors, p.Decision.ExcludeAuthors, proposal.InCleanup, waits)
	}
}

func (p *plan) approveAnchors() {
	if p.Tag == keyword.OwnBrand && len(p.AdditionalTerms) > 0 {
		p.setApproval(
			proposal.SettingAdditionalTerms, p.AdditionalTerms, proposal.Quietly,
			"The name is never tracked without its anchors.",
		)
	}
}

// approveChoice has the words of an option written at apply, as the keyword's own are: without them all of it would come
// in.
func (p *plan) approveChoice() {
	if p.Tag == keyword.OwnBrand {
		p.setApproval(
			proposal.SettingAdditionalTerms, p.AdditionalTerms, proposal.Quietly,
			"The choice of a narrower scoping holds from the first post.",
		)
	}
}

// setApproval replaces what was said of a setting.
func (p *plan) setApproval(s proposal.Setting, terms []string, class proposal.Approves, reason string) {
	p.Approvals = slices.DeleteFunc(p.Approvals, func(a proposal.Approval) bool { return a.Setting == s })
	p.Approvals = append(
		p.Approvals, proposal.Approval{Setting: s, Terms: slices.Clone(terms), Approval: class, Reason: reason},
	)
}
