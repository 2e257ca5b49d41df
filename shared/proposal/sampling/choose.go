package sampling

import (
	"cmp"
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/proposal"
)

// likely is the greatest chance that a term of the sample may have to stand on its side by luck. Terms that the judge
// itself takes for the one meaning or the other need no more; of others, a tenth of it.
const likely = 0.05

// telling is the rank from which a word says something of what a post is about.
const telling = 1_000

// anchors are the candidate's own, whatever the sample has of them, and terms of relevant posts that stand there beyond
// chance. First come those that together keep most of what is relevant and least of the noise, terms of several posts
// before those of one.
func (t *trial) anchors() []proposal.TermFigure {
	own := map[string]bool{}
	terms := slices.Clone(t.candidate.Anchors)
	for _, anchor := range terms {
		own[strings.ToLower(anchor)] = true
	}
	offered := len(terms)
	for _, term := range t.said(true) {
		if !own[term] {
			terms = append(terms, term)
		}
	}
	figures := t.count(terms, func(k *keyword.Keyword, term string) { k.AdditionalTerms = []string{term} }, true)
	spoken := lone(slices.DeleteFunc(slices.Clone(figures[offered:]), func(f figure) bool { return !t.speaksFor(f) }),
		func(word, phrase figure) bool { return word.Relevant >= phrase.Relevant && word.Noise <= phrase.Noise })
	var several, one, none []figure
	for _, f := range slices.Concat(figures[:offered], spoken) {
		switch {
		case f.Relevant > 1:
			several = append(several, f)
		case f.Relevant == 1:
			one = append(one, f)
		default:
			none = append(none, f)
		}
	}
	c := cover{gain: func(at int) float64 {
		if t.seen[at].Relevant {
			return 1 / float64(t.relevant)
		}
		return -1 / float64(t.noise())
	}, covered: map[int]bool{}, most: MaxAnchors + offered, out: []proposal.TermFigure{}}
	rest := c.take(t.s.sorted(several))
	single := c.take(t.s.sorted(one))
	c.fill(rest, single, none)
	return c.out
}

// lone leaves out phrases of which a word alone does as well.
func lone(figures []figure, asWell func(word, phrase figure) bool) []figure {
	words := map[string]figure{}
	for _, f := range figures {
		words[f.Term] = f
	}
	return slices.DeleteFunc(figures, func(f figure) bool {
		for word := range strings.FieldsSeq(f.Term) {
			if by, found := words[word]; found && word != f.Term && asWell(by, f) {
				return true
			}
		}
		return false
	})
}

// speaksFor says whether a term of relevant posts may be proposed, when next to no noise has it. Where most posts mean
// the name, any telling word of several posts may: there what is lost costs more than what comes in. Else one may that
// the judge of mentions takes for what is meant (a word of a single post, when the judge is sure); of others, and where
// the judge takes the name alone for what is meant, chance must not explain it.
func (t *trial) speaksFor(f figure) bool {
	const purity = 5 // relevant posts for each of noise
	if f.Relevant == 0 || f.Relevant < purity*f.Noise {
		return false
	}
	if t.meant && f.Relevant > 1 && t.s.rank(f.Term) >= telling {
		return true
	}
	if score := t.judged(f.Term); !t.blind && score.Relevant() {
		return f.Relevant > 1 || score == mention.High && !strings.Contains(f.Term, " ")
	}
	return f.luck <= likely/10 || t.blind && f.luck <= likely
}

// sorted puts figures in order of how surely they stand on their side. Of those that do so equally, the word that is
// commoner in the language will stand in more of the posts that are still to come.
func (s *Sampler) sorted(figures []figure) []figure {
	for i := range figures {
		figures[i].rank = s.rank(figures[i].Term)
	}
	slices.SortStableFunc(figures, func(a, b figure) int {
		return cmp.Or(
			cmp.Compare(a.luck, b.luck), cmp.Compare(b.Relevant+b.Noise, a.Relevant+a.Noise),
			cmp.Compare(a.rank, b.rank), strings.Compare(a.Term, b.Term),
		)
	})
	return figures
}

// rank is the place of a term's rarest word by how common it is.
func (s *Sampler) rank(term string) (rarest int) {
	for word := range strings.FieldsSeq(strings.ToLower(term)) {
		rank, known := s.words.Rank(word)
		if !known {
			return s.words.Len()
		}
		rarest = max(rarest, rank)
	}
	return rarest
}

// excludes are terms of the noise that take far more of it away than of what is relevant (rule X1), in the words of
// several authors: what one says over and over is that author's. None has a word of the profile.
func (t *trial) excludes() []proposal.TermFigure {
	terms := slices.DeleteFunc(t.said(false), func(term string) bool {
		for word := range strings.FieldsSeq(term) {
			if among(t.s.own, word) {
				return true
			}
		}
		return false
	})
	figures := t.count(terms, func(k *keyword.Keyword, term string) { k.ExcludeWords = []string{term} }, false)
	figures = lone(slices.DeleteFunc(figures, func(f figure) bool { return !t.speaksAgainst(f) }),
		func(word, phrase figure) bool { return word.Noise >= phrase.Noise && word.Relevant <= phrase.Relevant })
	c := cover{gain: func(at int) float64 {
		if t.seen[at].Relevant {
			return -1
		}
		return 1
	}, covered: map[int]bool{}, most: MaxExcludes, out: []proposal.TermFigure{}}
	c.fill(c.take(t.s.sorted(figures)))
	return c.out
}

// speaksAgainst says whether a term of the noise may be proposed: beyond chance, or when it is a telling word that the
// judge of mentions does not take for what is meant. Of a name that is no common word and that most posts mean, only
// beyond chance: there the judge calls noise what merely says little else.
func (t *trial) speaksAgainst(f figure) bool {
	const purity = 10 // posts of noise for each relevant one
	if f.Noise < leastNoise || f.Noise < purity*f.Relevant || t.authorsOf(f.places) < leastNoise {
		return false
	}
	if t.blind || t.relevant == 0 {
		return f.luck <= likely
	}
	if f.luck > likely/5 && (t.meant && !t.candidate.Common || t.s.rank(f.Term) < telling) {
		return false
	}
	return !t.judged(f.Term).Relevant()
}

// authorsOf is how many wrote the noise among some posts; each post whose author is not known has its own.
func (t *trial) authorsOf(places []int) (n int) {
	seen := map[string]bool{}
	for _, at := range places {
		author := mention.Handle(t.seen[at].Author)
		if !t.seen[at].Relevant && (author == "" || !seen[author]) {
			n++
			seen[author] = true
		}
	}
	return n
}

// authors are those who wrote proposal.AuthorWall of the noise or more, and nothing that is relevant.
func (s *Sampler) authors(all []seen) []proposal.TermFigure {
	by, names, noise := map[string]*proposal.TermFigure{}, []string{}, 0
	for i := range all {
		p := &all[i]
		if !p.Relevant {
			noise++
		}
		name := mention.Handle(p.Author)
		if name == "" || !isHandle(name) || s.handles[name] {
			continue
		}
		if by[name] == nil {
			by[name] = &proposal.TermFigure{Term: name}
			names = append(names, name)
		}
		if p.Relevant {
			by[name].Relevant++
		} else {
			by[name].Noise++
		}
	}
	out := []proposal.TermFigure{}
	for _, name := range names {
		if f := by[name]; f.Relevant == 0 && f.Noise >= leastNoise &&
			float64(f.Noise) >= proposal.AuthorWall*float64(noise) {
			out = append(out, *f)
		}
	}
	slices.SortFunc(out, func(a, b proposal.TermFigure) int {
		return cmp.Or(cmp.Compare(b.Noise, a.Noise), strings.Compare(a.Term, b.Term))
	})
	return out[:min(len(out), MaxAuthors)]
}
