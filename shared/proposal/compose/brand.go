package compose

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/proposal/sampling"
	"earshot/shared/text"
)

// The brand is the keyword of the company's name, tracked bare or anchored (proposal.Candidates.Brand). A proposal never
// drops it (rules K1 and T2). Its domain, its handle or another writing of its name does not stand for it. Where all
// posts with the name are more than the plan has room for, these are tried in their order, and each says what it leaves
// out:
//
//  1. Anchors that the sample proves (scope).
//  2. The steps of narrowing, which go for all keywords: fewer anchors, sources off one by one, and a part of the anchors
//     (narrow). Each is recorded with what it saved. The last source that speaks of the brand always stays.
//  3. Options, each with what it costs (offer). The draft then needs narrowing: a person chooses one.
//
// A name that is a common word is never tracked bare (rule K2). Where the sample proves no three anchors, unproven ones
// stand in, and the keyword is flagged as unverified (lead).

// leading marks the brand among the studies, and has a brand that is a common word find anchors.
func (r *Studied) leading() {
	c, found := r.Candidates.Brand()
	if !found {
		return
	}
	s := r.of(c.Ref)
	s.brand = true
	if s.common && s.fit == nil {
		s.lead(r)
	}
}

// lead gives a brand that is a common word anchors where too few were found. Those come first that the sample proves:
// what it has found, and else the words of its relevant posts. Where they are fewer than proposal.MinAnchors, names of
// the profile come along, and the ways in which a company's name is written in full. These are unproven. What lets in
// more noise than relevant posts is left out as long as there are others.
func (s *study) lead(r *Studied) {
	var found []string
	for _, a := range s.pool {
		found = append(found, a.term)
	}
	if s.relevant.count() >= proposal.SampleEnough {
		found = append(found, s.spoken()...)
	}
	terms, _ := s.tried(s.anchoring(found), s.relevant.count() >= proposal.SampleEnough)
	s.unproven = len(terms) < proposal.MinAnchors
	if s.unproven {
		named, further := r.contextOf(s)
		quiet, noisy := s.tried(s.anchoring(slices.Concat(found, named, s.inFull())), false)
		others, _ := s.tried(s.anchoring(further), false)
		terms = quiet
		for _, term := range slices.Concat(others, noisy) {
			if len(terms) < proposal.MinAnchors && !slices.Contains(terms, term) {
				terms = append(terms, term)
			}
		}
	}
	if len(terms) < proposal.MinAnchors {
		return
	}
	s.fit = terms[:min(len(terms), proposal.MaxAnchors)]
	s.wide = s.fit
}

// tried parts terms into those that the sample does not speak against and those that let in more noise than relevant
// posts. With proven, a term that keeps no relevant post is among the others too.
func (s *study) tried(terms []string, proven bool) (quiet, noisy []string) {
	keywords := make([]keyword.Keyword, len(terms))
	for i, term := range terms {
		keywords[i] = sampling.Bare(s.Candidate)
		keywords[i].AdditionalTerms = []string{term}
	}
	for i, kept := range s.keeps(keywords...) {
		good, bad := kept.both(s.relevant), kept.both(s.noise)
		if good < bad || proven && good == 0 {
			noisy = append(noisy, terms[i])
		} else {
			quiet = append(quiet, terms[i])
		}
	}
	return quiet, noisy
}

// spoken are words that relevant posts of the sample have and its noise has less often, the most telling first.
func (s *study) spoken() []string {
	const read = 60 // words: a sample has hundreds, and the first ones tell the most
	figures, order := map[string]int{}, []string{}
	for i, p := range s.posts {
		seen := map[string]bool{}
		for _, word := range text.Words(fold(p.Title + " " + p.Body)) {
			if seen[word] || !candidate.Anchorable(word) {
				continue
			}
			seen[word] = true
			if _, known := figures[word]; !known {
				order = append(order, word)
			}
			if s.relevant.has(i) {
				figures[word]++
			} else {
				figures[word]--
			}
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(figures[b], figures[a]) })
	return s.anchoring(order[:min(len(order), read)])
}

// contextOf are terms that stand beside a company's name, of its profile. Those that name what is the company's come
// first: its domain, accounts, products and other names, and what its field is called. Further ones are its competitors
// and the words of what it says of itself, which others say too.
func (r *Studied) contextOf(s *study) (named, further []string) {
	named = append(slices.Clone(s.Anchors), r.Domain)
	for _, h := range r.Profile.Handles {
		if handle := candidate.Handle(h.Handle); handle != "" {
			named = append(named, "@"+handle)
		}
	}
	named = slices.Concat(named, r.Profile.Products, r.Profile.OtherNames, r.Profile.IndustryTerms)
	further = slices.Clone(r.Profile.Competitors)
	for _, word := range text.Words(fold(r.Profile.Description + " " + r.Profile.Audience)) {
		if candidate.Anchorable(word) {
			further = append(further, word)
		}
	}
	return named, further
}

// inFull are the name as a register of companies has it, in the commonest forms.
func (s *study) inFull() []string {
	var names []string
	for _, form := range []string{"Inc", "Ltd", "GmbH"} {
		names = append(names, s.Text+" "+form)
	}
	return s.anchoring(names)
}

// anchoring are the terms that can be anchors of the keyword, each once: plain, not generic, and not in its own text.
func (s *study) anchoring(offered []string) (terms []string) {
	var keywords []keyword.Keyword
	for _, term := range offered {
		term = strings.TrimSpace(term)
		size := utf8.RuneCountInString(term)
		found, _, _, _ := keyword.Operators(term)
		if found || size < 2 || size > keyword.MaxText || !utf8.ValidString(term) || generic(term) ||
			strings.ContainsFunc(term, unicode.IsControl) || fold(term) == "" ||
			slices.ContainsFunc(terms, func(other string) bool { return fold(other) == fold(term) }) {
			continue
		}
		k := sampling.Bare(s.Candidate)
		k.AdditionalTerms = []string{term}
		terms, keywords = append(terms, term), append(keywords, k)
	}
	if len(terms) == 0 {
		return nil
	}
	idle := inTexts([]string{s.Text}, keywords...)
	left := terms[:0:0]
	for i, term := range terms {
		if !idle[i].has(0) {
			left = append(left, term)
		}
	}
	return left
}

// fits reports whether the plan has room for a volume by itself.
func (r *reading) fits(v proposal.Volume) bool { return v.Mid() <= r.allowance() }

// speaks reports whether one of the platforms speaks of a keyword: posts with its text were counted there. Where none
// were counted anywhere, each platform may.
func (r *reading) speaks(s *study, platforms []string) bool {
	counted := r.Measured.Volumes[s.Ref]
	return slices.ContainsFunc(platforms, counted.Spoken) || !slices.ContainsFunc(r.open(), counted.Spoken)
}
