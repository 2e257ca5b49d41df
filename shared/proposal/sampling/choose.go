package sampling

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"earshot/shared/judge/dictionary"
	"earshot/shared/keyword"
	"earshot/shared/language"
	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/proposal"
)

// The greatest chance that a term may have to stand on its side by luck.
const (
	likely = 0.05
	// likelyNear is for anchors that are near the profile, and for exclusions that are not: that is evidence of its own.
	// One in five lets a word of a
	// single relevant post in where four of five posts are noise, and no word of two posts that are half of a sample.
	likelyNear = 0.2
	// likelyFar is for other anchors. Hundreds of words are tried, so that one in twenty would let a dozen in by luck.
	likelyFar = 0.01
)

// How anchors are weighed against each other. The figures of the benchmark change little with any of these.
const (
	nearFrom = 0.2 // the cosine from which a term is near the profile
	unsure   = 0.5 // the weight of a relevant post of which the judge is not sure
	hunch    = 0.5 // relevant posts that a profile's own term is taken to have before it has any
	trust    = 4   // posts of a term that say as much of its further posts as all other anchors do
	price    = 0.5 // of all noise, as a share of all that is relevant: the judge of mentions cleans up
)

// telling is the rank from which a word says something of what a post is about.
const telling = 1_000

// anchors are the candidate's own, whatever the posts have of them, and terms that relevant posts have clearly more
// often than noise does, in the order of inOrder.
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
	return t.inOrder(slices.Concat(figures[:offered], spoken), own)
}

// inOrder puts anchors into the order in which each is expected to add most to those before it: the share of the
// relevant posts that it adds, less the share of the noise. An error of the judge in either direction makes all such
// differences smaller, and leaves their order. Further posts are expected to be like those of the trial, less what a
// term owes to chance: a part of them that shrinks with its posts is covered as the average post is. The relevant posts
// of a word about companies count as sure.
func (t *trial) inOrder(figures []figure, own map[string]bool) []proposal.TermFigure {
	out, covered, share, all := []proposal.TermFigure{}, make([]bool, len(t.seen)), 0.0, 0.0
	for at := range t.seen {
		all += t.weight(at)
	}
	for len(figures) > 0 && len(out) < MaxAnchors+len(t.candidate.Anchors) {
		best, most := -1, math.Inf(-1)
		for i, f := range figures {
			has, adds, noise, told := 0.0, 0.0, 0.0, t.ofCompanies(f.Term)
			for _, at := range f.places {
				weight := t.weight(at)
				if weight > 0 && told {
					weight = 1
				}
				has += weight
				switch {
				case covered[at]:
				case t.seen[at].Relevant:
					adds += weight
				default:
					noise++
				}
			}
			if own[strings.ToLower(f.Term)] && f.Noise == 0 {
				has, adds = has+hunch, adds+hunch*(1-share)
			}
			adds = has * (adds + trust*(1-share)) / (has + trust)
			if gain := adds/(all+1) - price*noise/float64(t.noise()+1); gain > most {
				best, most = i, gain
			}
		}
		for _, at := range figures[best].places {
			if !covered[at] && t.seen[at].Relevant {
				share += t.weight(at) / all
			}
			covered[at] = true
		}
		out = append(out, figures[best].TermFigure)
		figures = slices.Delete(figures, best, best+1)
	}
	return out
}

// weight is how much a post counts as relevant.
func (t *trial) weight(at int) float64 {
	switch {
	case !t.seen[at].Relevant:
		return 0
	case t.seen[at].sure:
		return 1
	}
	return unsure
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

// speaksFor says whether a term of relevant posts may be proposed: they have it more often than noise does, and chance
// does not explain that. A word of the profile or about companies that no noise has may, from one relevant post on.
// Where most posts mean the name, any telling word of several posts may: there what is lost costs more than what comes
// in.
func (t *trial) speaksFor(f figure) bool {
	const purity = 5 // relevant posts for each of noise
	switch {
	case f.Relevant == 0 || f.Relevant*t.noise() < f.Noise*t.relevant:
		return false
	case t.meant && f.Relevant > 1 && f.Relevant >= purity*f.Noise && t.s.rank(f.Term) >= telling:
		return true
	case f.Noise == 0 && (t.profiled(f.Term) || t.ofCompanies(f.Term)):
		return true
	case t.near(f.Term):
		return f.luck <= likelyNear
	}
	return f.Relevant > 1 && f.luck <= likelyFar
}

// ofCompanies reports whether a term is a word that the company's language uses of companies. It is false for languages
// in which a capital tells a name: there the words of one post add noise and little else.
func (t *trial) ofCompanies(term string) bool {
	return language.CapitalNouns(t.s.language) && dictionary.OfCompanies(strings.ToLower(term), t.s.language)
}

// profiled reports whether a term is a single word that the profile has too, in the same or in another form: one that
// begins with the same letters, five or more, and ends with at most two others. That is evidence of its own, in any
// language.
func (t *trial) profiled(term string) bool {
	const stem, ending = 5, 2 // letters
	term = strings.ToLower(term)
	if strings.Contains(term, " ") {
		return false
	}
	if t.s.own[term] {
		return true
	}
	word := []rune(term)
	for own := range t.s.own {
		other, same := []rune(own), 0
		for same < len(word) && same < len(other) && word[same] == other[same] {
			same++
		}
		if same >= stem && len(word)-same <= ending && len(other)-same <= ending {
			return true
		}
	}
	return false
}

// near reports whether a term's meaning is near the profile's.
func (t *trial) near(term string) bool {
	if t.profile == nil {
		return false
	}
	at, ok := direction(t.s.judge.Read(&post.Post{Body: &term}).Vector(), nil)
	return ok && at.dot(t.profile) >= nearFrom
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

// speaksAgainst says whether a term of the noise may be proposed: several authors have it, next to no relevant post
// has, and chance does not explain that, less so of a term whose meaning is far from the profile's. Where the judge takes
// the name alone for another meaning, it is not to take the term beside the name for what is meant. Of a name that is no
// common word and that most posts mean, chance is to explain it least: there the judge calls noise what merely says
// little else.
func (t *trial) speaksAgainst(f figure) bool {
	const purity = 10 // posts of noise for each relevant one
	most := likely
	switch {
	case t.meant && !t.candidate.Common:
		most = likelyFar
	case !t.blind && t.s.rank(f.Term) >= telling && !t.near(f.Term):
		most = likelyNear
	}
	return f.Noise >= leastNoise && f.Noise >= purity*f.Relevant && f.luck <= most &&
		t.authorsOf(f.places) >= leastNoise && (t.blind || !t.judged(f.Term).Relevant())
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

// authors are those who wrote proposal.AuthorWall of the noise or more, proposal.LeastByAuthor posts at least, and
// nothing that is relevant.
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
		if f := by[name]; f.Relevant == 0 && f.Noise >= proposal.LeastByAuthor &&
			float64(f.Noise) >= proposal.AuthorWall*float64(noise) {
			out = append(out, *f)
		}
	}
	slices.SortFunc(out, func(a, b proposal.TermFigure) int {
		return cmp.Or(cmp.Compare(b.Noise, a.Noise), strings.Compare(a.Term, b.Term))
	})
	return out[:min(len(out), MaxAuthors)]
}
