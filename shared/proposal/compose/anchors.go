package compose

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/proposal/sampling"
)

// anchors are the terms that may stand beside a candidate (rules A1 and A2), best first: none is generic, and none holds
// wherever the text itself does. The sample proves terms once it has proposal.SampleEnough relevant posts. Each term
// then is in a relevant post of all that was read, or the profile offers it and no post has it. The company's domain has
// to be in one, since a keyword of its own brings all that it would.
func (r *Studied) anchors(s study) []anchor {
	var terms []string
	offer := func(term string) {
		term = strings.TrimSpace(term)
		size := utf8.RuneCountInString(term)
		if size < 2 || size > keyword.MaxText || !utf8.ValidString(term) || generic(term) {
			return
		}
		if found, _, _, _ := keyword.Operators(term); found {
			return
		}
		if !slices.ContainsFunc(terms, func(other string) bool { return fold(other) == fold(term) }) {
			terms = append(terms, term)
		}
	}
	for _, figure := range s.sighting.Anchors {
		offer(figure.Term)
	}
	for _, term := range s.Anchors {
		offer(term)
	}
	if len(terms) == 0 {
		return nil
	}
	figures := map[string]proposal.TermFigure{}
	for _, figure := range s.sighting.Anchors {
		figures[fold(figure.Term)] = figure
	}
	// What the text has in it is no condition at all: it is tried on a post that has nothing but the text.
	keywords := make([]keyword.Keyword, len(terms))
	for i, term := range terms {
		keywords[i] = sampling.Bare(s.Candidate)
		keywords[i].AdditionalTerms = []string{term}
	}
	kept, idle := s.keeps(keywords...), inTexts([]string{s.Text}, keywords...)
	var pool []anchor
	proven := s.relevant.count() >= proposal.SampleEnough
	for i, term := range terms {
		a := anchor{term: term, keeps: kept[i]}
		a.relevant, a.noise = a.keeps.both(s.relevant), a.keeps.both(s.noise)
		if f, read := figures[fold(term)]; read { // of all that was read, which is the sample at least
			a.relevant, a.noise = max(f.Relevant, a.relevant), max(f.Noise, a.noise)
		}
		own := slices.Contains(s.Anchors, term) && !r.ownDomain(term)
		if idle[i].has(0) || proven && a.relevant == 0 && (!own || a.noise > 0) {
			continue
		}
		pool = append(pool, a)
	}
	return pool
}

// choose makes three choices among the pool, which is in the order in which anchors are expected to add most: the first
// that keep most of the relevant posts that all of them keep, those that are proposed, and further ones that bring more
// noise than the text does by itself. Each has MinAnchors to MaxAnchors; nil when the pool has too few. A post that is
// lost is not seen again, and noise is still judged, so that as many are proposed as may be.
func (s *study) choose() (tight, fit, wide []string) {
	if len(s.pool) < proposal.MinAnchors {
		return nil, nil, nil
	}
	if s.relevant.count() == 0 { // nothing tells them apart but the noise that they let in
		slices.SortStableFunc(s.pool, func(a, b anchor) int { return cmp.Compare(a.noise, b.noise) })
		all := terms(s.pool[:min(len(s.pool), proposal.MaxAnchors)])
		return all[:proposal.MinAnchors], all, all
	}
	rate := s.rate()
	fits := func(a anchor) bool { return float64(a.relevant) >= rate*float64(a.relevant+a.noise) }
	var good, poor []anchor
	for _, a := range s.pool {
		if fits(a) {
			good = append(good, a)
		} else {
			poor = append(poor, a)
		}
	}
	if more := needed(poor, good); len(needed(good, nil))+len(more) >= proposal.MinAnchors {
		good, poor = needed(good, nil), more
	}
	wide = terms(slices.Concat(good, poor))
	wide = wide[:min(len(wide), proposal.MaxAnchors)]
	fit = wide[:min(max(len(good), proposal.MinAnchors), len(wide))]
	return fit[:s.few(fit, good)], fit, wide
}

// needed are the anchors without those that have another of them, or one of some others, in them: any anchor is enough,
// so that "live chat" lets nothing in that "chat" does not.
func needed(anchors, others []anchor) []anchor {
	return slices.DeleteFunc(slices.Clone(anchors), func(a anchor) bool {
		said := " " + fold(a.term) + " "
		return slices.ContainsFunc(slices.Concat(anchors, others), func(other anchor) bool {
			word := " " + fold(other.term) + " "
			return word != said && strings.Contains(said, word)
		})
	})
}

// few is how many of the chosen anchors, the first of an order, keep proposal.CatchShare of the relevant posts that all
// of them keep.
func (s *study) few(chosen []string, order []anchor) int {
	all := newSet(len(s.posts))
	for _, a := range order[:min(len(order), len(chosen))] {
		all.join(a.keeps)
	}
	wanted := proposal.CatchShare * float64(all.both(s.relevant))
	some := newSet(len(s.posts))
	for i, a := range order[:min(len(order), len(chosen))] {
		if i >= proposal.MinAnchors && float64(some.both(s.relevant)) >= wanted {
			return i
		}
		some.join(a.keeps)
	}
	return len(chosen)
}

// ownDomain reports whether a term is a domain of the company's that is a candidate itself.
func (r *Studied) ownDomain(term string) bool {
	return slices.ContainsFunc(r.Candidates.Candidates, func(c proposal.Candidate) bool {
		return c.Route == proposal.DomainVariant && fold(c.Text) == fold(term)
	})
}

// generic says whether a term tells nothing apart (rule A1): a generic word, or several of nothing else.
func generic(term string) bool {
	if candidate.Generic(term) {
		return true
	}
	return !slices.ContainsFunc(strings.Fields(term), func(word string) bool { return !candidate.Generic(word) })
}

func terms(anchors []anchor) []string {
	list := make([]string, len(anchors))
	for i, a := range anchors {
		list[i] = a.term
	}
	return list
}
