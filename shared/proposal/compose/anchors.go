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

// anchors are the terms that may stand beside a candidate (rules A1 and A2), best first: none is generic, none holds
// wherever the text itself does, and each keeps some relevant post of the sample, if it has enough of them to prove
// that.
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
		if idle[i].has(0) || proven && a.relevant == 0 {
			continue
		}
		pool = append(pool, a)
	}
	return pool
}

// choose makes three choices among the pool: the fewest anchors that keep most of what is relevant, those that are
// proposed, and all that do not let in more noise than they are worth. Each has MinAnchors to MaxAnchors; nil when the
// pool has too few.
//
// It is a greedy set cover (Chvatal, A greedy heuristic for the set-covering problem, 1979) in which noise costs: each
// round takes the anchor that brings the most relevant posts less the noise it brings. Where that ends below
// proposal.CatchShare, noise is let in by half its price, and then a tenth: a post that is lost is not seen again, and
// noise is still judged.
func (s *study) choose() (tight, fit, wide []string) {
	if len(s.pool) < proposal.MinAnchors {
		return nil, nil, nil
	}
	if s.relevant.count() == 0 { // nothing tells them apart but the noise that they let in
		slices.SortStableFunc(s.pool, func(a, b anchor) int { return cmp.Compare(a.noise, b.noise) })
		all := terms(s.pool[:min(len(s.pool), proposal.MaxAnchors)])
		return all[:proposal.MinAnchors], all, all
	}
	c := cover{study: s, seen: newSet(len(s.posts))}
	wanted := proposal.CatchShare * float64(s.relevant.count())
	for _, price := range []float64{1, 0.5, 0.1} {
		for len(c.taken) < proposal.MaxAnchors && float64(c.seen.both(s.relevant)) < wanted && c.best(price) {
		}
	}
	for len(c.taken) < proposal.MinAnchors && c.purest(0) {
	}
	tight = terms(c.taken)
	// Posts that are still to come say it in other words than those of the sample: what costs no precision comes along.
	for len(c.taken) < proposal.MaxAnchors && c.best(1) {
	}
	for len(c.taken) < proposal.MaxAnchors && c.purest(max(c.precision(), proposal.ConfirmBelow)) {
	}
	if s.relevant.count() < proposal.SampleEnough { // too few to tell what else is said: what the profile says comes along, unless it is noise's
		for len(c.taken) < proposal.MaxAnchors && c.purest(proposal.ConfirmBelow) {
		}
	}
	fit = terms(c.taken)
	for len(c.taken) < proposal.MaxAnchors && c.purest(s.rate()) {
	}
	return tight, fit, terms(c.taken)
}

// A cover grows anchor by anchor.
type cover struct {
	*study
	taken []anchor
	seen  set
}

func (c *cover) has(a anchor) bool {
	return slices.ContainsFunc(c.taken, func(other anchor) bool { return other.term == a.term })
}

func (c *cover) take(a anchor) {
	c.taken = append(c.taken, a)
	c.seen.join(a.keeps)
}

func (c *cover) precision() float64 {
	if all := c.seen.count(); all > 0 {
		return float64(c.seen.both(c.relevant)) / float64(all)
	}
	return 0
}

// best takes the anchor that brings the most, when one brings anything; of equals the earlier.
func (c *cover) best(price float64) bool {
	most, at := 0.0, -1
	for i, a := range c.pool {
		gain := float64(a.keeps.beyond(c.seen, c.relevant)) - price*float64(a.keeps.beyond(c.seen, c.noise))
		if gain > most && !c.has(a) {
			most, at = gain, i
		}
	}
	if at >= 0 {
		c.take(c.pool[at])
	}
	return at >= 0
}

// purest takes the anchor whose own posts are the most relevant, when they are so to the share least; of equals the one
// with more.
func (c *cover) purest(least float64) bool {
	at := -1
	share := func(a anchor) float64 {
		if a.relevant+a.noise == 0 {
			return proposal.ConfirmBelow // nothing speaks for it or against it
		}
		return float64(a.relevant) / float64(a.relevant+a.noise)
	}
	for i, a := range c.pool {
		if c.has(a) || share(a) < least {
			continue
		}
		if at < 0 ||
			cmp.Or(cmp.Compare(share(a), share(c.pool[at])), cmp.Compare(a.relevant, c.pool[at].relevant)) > 0 {
			at = i
		}
	}
	if at >= 0 {
		c.take(c.pool[at])
	}
	return at >= 0
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
