package sampling

import (
	"cmp"
	"slices"
	"strings"

	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/text"
	"earshot/shared/theme"
)

// Bounds of what a sample tells of terms.
const (
	// Reading is how many posts of an ambiguous name are judged to find the words that tell them apart. A sample of 30
	// posts that are mostly noise has five or six that are not: too few to prove a word by.
	Reading = 300

	maxTried    = 256 // terms that are held against a sample by the matcher, for anchors and for exclusions each
	MaxAnchors  = 30  // in a sighting, beside the candidate's own: more than a keyword may have, for whoever chooses
	MaxExcludes = 30  // in a sighting
	MaxAuthors  = 8   // in a sighting

	leastNoise = 2 // posts behind an exclusion, by as many authors
)

// A trial holds terms against a sample.
type trial struct {
	s         *Sampler
	candidate proposal.Candidate
	seen      []seen
	posts     []post.Post
	relevant  int
	keyword   map[string]bool // the candidate's words
	subjects  []*judge.Subject
	profile   *vector // what the company does; nil when that is not known
	blind     bool    // the judge takes the name alone for what is meant, so that what it makes of a term says nothing
	meant     bool    // most of what has the name means it, by posts enough to tell
}

func newTrial(s *Sampler, c proposal.Candidate, all []seen) *trial {
	t := &trial{s: s, candidate: c, seen: all, posts: make([]post.Post, len(all)), keyword: keywordWords(c)}
	for i := range all {
		t.posts[i] = whole(&all[i].SampledPost)
		if all[i].Relevant {
			t.relevant++
		}
	}
	t.meant = len(all) >= proposal.SampleEnough && float64(t.relevant) >= proposal.ConfirmBelow*float64(len(all))
	bare := Bare(c)
	bare.AdditionalTerms = c.Anchors
	t.subjects = []*judge.Subject{s.judge.Subject(s.company, bare, nil)}
	t.blind = t.judged("").Relevant()
	about := strings.Join(append([]string{s.company.Description, s.company.Audience}, c.Anchors...), " ")
	t.profile, _ = direction(s.judge.Read(&post.Post{Body: &about}).Vector(), nil)
	return t
}

// keywordWords are the words of a candidate's text, and all of them as one.
func keywordWords(c proposal.Candidate) map[string]bool {
	own, joined := map[string]bool{}, ""
	for word := range theme.Words(strings.NewReplacer(".", " ", "@", " ").Replace(c.Text)) {
		own[word] = true
		joined += word
	}
	own[joined] = true
	return own
}

func (t *trial) noise() int { return len(t.seen) - t.relevant }

// A figure is a term with the posts of the sample that have it.
type figure struct {
	proposal.TermFigure
	places []int
	luck   float64 // the chance that it stands so one-sidedly by luck
	rank   int     // of its rarest word, once it was sorted
}

// count holds terms against the sample as the matcher would: scoped makes the keyword of a term, with and without which
// posts differ; kept says whether the posts that it keeps have the term, or those that it loses.
func (t *trial) count(terms []string, scoped func(k *keyword.Keyword, term string), kept bool) []figure {
	figures := make([]figure, len(terms))
	keywords := make([]keyword.Keyword, len(terms))
	for i, term := range terms {
		figures[i].Term = term
		keywords[i] = Bare(t.candidate)
		scoped(&keywords[i], term)
	}
	matcher := compile(keywords)
	if matcher == nil {
		return nil
	}
	var hits match.Hits
	has := make([]bool, len(terms))
	for at := range t.posts {
		clear(has)
		each(matcher, &t.posts[at], &hits, func(number int) { has[number] = true })
		for i := range figures {
			if has[i] != kept {
				continue
			}
			figures[i].places = append(figures[i].places, at)
			if t.seen[at].Relevant {
				figures[i].Relevant++
			} else {
				figures[i].Noise++
			}
		}
	}
	for i := range figures {
		f := &figures[i]
		hits, have := f.Relevant, t.relevant
		if !kept {
			hits, have = f.Noise, t.noise()
		}
		f.luck = text.ByLuck(hits, f.Relevant+f.Noise, have, len(t.seen))
	}
	return figures
}

// said are at most maxTried terms that stand more often in the posts that are relevant than in the others, or the other
// way round: the greatest difference first, and of equals first telling words, those that are commoner in the language
// before others. Where all posts are of one kind, they are what is said at all.
func (t *trial) said(relevant bool) []string {
	type tally struct{ in, out int }
	tallies := map[string]tally{}
	for i := range t.seen {
		if spoken := speech(t.seen[i].Language); spoken != english && spoken != t.s.language {
			continue // its function words would pass for what it is about
		}
		for _, term := range t.seen[i].terms {
			n := tallies[term]
			if t.seen[i].Relevant == relevant {
				n.in++
			} else {
				n.out++
			}
			tallies[term] = n
		}
	}
	all, rest := t.relevant, t.noise()
	if !relevant {
		all, rest = rest, all
	}
	var terms []string
	ranks := map[string]int{}
	for term, n := range tallies {
		if n.in*max(rest, 1) > n.out*max(all, 1) && t.admits(term) {
			terms = append(terms, term)
			if ranks[term] = t.s.rank(term); ranks[term] < telling {
				ranks[term] += t.s.words.Len()
			}
		}
	}
	gain := func(term string) float64 {
		n := tallies[term]
		return float64(n.in)/float64(max(all, 1)) - float64(n.out)/float64(max(rest, 1))
	}
	slices.SortFunc(terms, func(a, b string) int {
		return cmp.Or(cmp.Compare(gain(b), gain(a)), cmp.Compare(ranks[a], ranks[b]), strings.Compare(a, b))
	})
	return terms[:min(len(terms), maxTried)]
}

const english = "english"

// among says whether a set has a word, its singular or its plural.
func among(set map[string]bool, word string) bool {
	return set[word] || set[word+"s"] || set[strings.TrimSuffix(word, "s")]
}

// admits says whether a term may be proposed at all: it is not generic (rule A1) and no function word of any language,
// and none of its words is the keyword's or said by everybody.
func (t *trial) admits(term string) bool {
	if t.frames(term) {
		return true
	}
	for word := range strings.FieldsSeq(term) {
		if among(t.keyword, word) || t.s.plain(word) {
			return false
		}
	}
	return candidate.Anchorable(term)
}

// frames reports whether a term is the keyword, a single word, with a function word before or behind it that English
// does not have. Such languages name a company by other small words than what its name means: "da Vivo" and "ao vivo".
func (t *trial) frames(term string) bool {
	before, behind, pair := strings.Cut(term, " ")
	switch {
	case !pair || len(t.keyword) != 1:
		return false
	case t.keyword[before]:
		return candidate.ForeignFunctionWord(behind)
	}
	return t.keyword[behind] && candidate.ForeignFunctionWord(before)
}

// plain says whether a word is of the commonest, which stand in every text, or too short to tell anything.
func (s *Sampler) plain(word string) bool {
	const commonest = 200 // ranks
	rank, known := s.words.Rank(word)
	return known && rank < commonest || len(word) < 3 && !known
}

// judged is what the judge of mentions makes of the keyword beside a term and nothing else. It is in lowercase, because
// capitals would tell of a name.
func (t *trial) judged(term string) mention.Score {
	text := strings.ToLower(t.candidate.Text + " " + term)
	p := post.Post{Body: &text}
	return t.s.judge.Judge(t.s.judge.Read(&p), &p, t.subjects).Score
}

// A cover puts figures into the order in which each adds most to those before it. gain is of the posts that have one of
// the terms.
type cover struct {
	gain    func(place int) float64
	covered map[int]bool
	most    int
	out     []proposal.TermFigure
}

// take takes figures as long as one adds anything, and answers the others.
func (c *cover) take(figures []figure) (rest []figure) {
	for rest = figures; len(c.out) < c.most; {
		best, by := -1, 1e-9
		for i := range rest {
			add := 0.0
			for _, at := range rest[i].places {
				if !c.covered[at] {
					add += c.gain(at)
				}
			}
			if add > by {
				best, by = i, add
			}
		}
		if best < 0 {
			break
		}
		for _, at := range rest[best].places {
			c.covered[at] = true
		}
		c.out = append(c.out, rest[best].TermFigure)
		rest = slices.Delete(rest, best, best+1)
	}
	return rest
}

// fill takes figures in the order in which they come.
func (c *cover) fill(lists ...[]figure) {
	for _, list := range lists {
		for _, f := range list[:min(len(list), c.most-len(c.out))] {
			c.out = append(c.out, f.TermFigure)
		}
	}
}
