package sampling

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"earshot/shared/judge/embedding"
	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/theme"
)

// Bounds of clusters.
const (
	MaxClusters  = 6   // of a keyword: more is not read
	MaxLabel     = 60  // characters of a label
	labelTerms   = 3   // in a label
	LeastCluster = 2   // posts: one alone is nothing that people speak of
	together     = 0.3 // how near posts are on average that speak of one thing
)

// clusters are what the posts speak of, the largest first, by the meaning of their words; what no other post speaks of
// is in none, so that the shares come to 1 at most. Posts in a language that the embedding does not have are together.
// There may be more than MaxClusters: a scoping may leave nothing of the largest.
func (s *Sampler) clusters(c proposal.Candidate, all []seen) []proposal.SightedCluster {
	out := []proposal.SightedCluster{}
	labels := newLabels(s, c, all)
	for _, members := range s.groups(c, all) {
		if len(members) < LeastCluster {
			continue
		}
		if label := labels.of(members); label != "" {
			cluster := proposal.Cluster{Label: label, Share: float64(len(members)) / float64(len(all))}
			out = append(out, proposal.SightedCluster{Cluster: cluster, Posts: members})
		}
	}
	return out
}

// groups are the places of the posts that are together, the largest first.
func (s *Sampler) groups(c proposal.Candidate, all []seen) [][]int {
	keyword, _ := direction(s.judge.Read(&post.Post{Body: &c.Text}).Vector(), nil)
	own := keywordWords(c)
	var meanings []meaning
	var groups [][]int
	languages := map[string]int{}
	for i := range all {
		spoken := speech(all[i].Language)
		if spoken == english {
			if at, ok := direction(all[i].reading.Vector(), keyword); ok { // else it says nothing but the keyword
				meanings = append(meanings, meaning{place: i, at: at, words: s.weighed(all[i].terms, own)})
			}
			continue
		}
		at, known := languages[spoken]
		if !known {
			at = len(groups)
			languages[spoken], groups = at, append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	meanings = apart(meanings)
	// Places grow with the order of meanings, so that the posts of a group stay in order.
	for _, group := range theme.Linked(len(meanings), together, func(i, j int) float64 { return near(meanings[i], meanings[j]) }) {
		for i, at := range group {
			group[i] = meanings[at].place
		}
		groups = append(groups, group)
	}
	slices.SortStableFunc(
		groups, func(a, b []int) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0])) },
	)
	return groups
}

// speech is the language by which a post is put with others: that of the embedding for those whose language is not
// known.
func speech(language string) string {
	if language == mention.Undetermined || language == "" {
		return english
	}
	return language
}

// A meaning is what a post speaks of: the direction of its words in the embedding, and the words themselves.
type meaning struct {
	place int
	at    *vector
	words []weighed
}

// A weighed is a word of a post with its part in what the post says; of a post, the squares of the parts come to 1.
type weighed struct {
	word string
	part float64
}

// weighed are the words among terms that are sorted, without the keyword's own: each by how little it is said
// elsewhere.
func (s *Sampler) weighed(terms []string, keyword map[string]bool) (list []weighed) {
	length := 0.0
	for _, term := range terms {
		if strings.Contains(term, " ") || among(keyword, term) {
			continue
		}
		part := 1.0
		if rank, known := s.words.Rank(term); known {
			part = float64(embedding.Weight(rank))
		}
		list = append(list, weighed{term, part})
		length += part * part
	}
	for i := range list {
		list[i].part /= math.Sqrt(length)
	}
	return list
}

// near is how near two posts are, up to 1: in what they mean, or in the words that they say it with. The former tells
// subjects apart, also in other words; the latter knows one story when all posts tell it.
func near(a, b meaning) float64 {
	said := 0.0
	for i, j := 0, 0; i < len(a.words) && j < len(b.words); {
		switch order := strings.Compare(a.words[i].word, b.words[j].word); {
		case order < 0:
			i++
		case order > 0:
			j++
		default:
			said += a.words[i].part * b.words[j].part
			i, j = i+1, j+1
		}
	}
	return max(said, a.at.dot(b.at))
}

// apart takes from all directions what they have in common: posts about one company are all about its field, which is
// not what tells them apart.
func apart(meanings []meaning) []meaning {
	var mean vector
	for _, m := range meanings {
		for i := range mean {
			mean[i] += m.at[i] / float64(len(meanings))
		}
	}
	for _, m := range meanings {
		for i := range mean {
			m.at[i] -= mean[i]
		}
		if length := math.Sqrt(m.at.dot(m.at)); length > 1e-9 {
			for i := range m.at {
				m.at[i] /= length
			}
		}
	}
	return meanings
}

type vector [embedding.Dimensions]float64

// direction is the direction of what score.Reading.Vector answers, of length 1 and without that of the keyword, which
// all posts share. The coordinates are the last bytes; their unit does not matter to a direction. False when there is
// none.
func direction(kept []byte, without *vector) (*vector, bool) {
	if len(kept) < embedding.Dimensions {
		return nil, false
	}
	var v vector
	for i, b := range kept[len(kept)-embedding.Dimensions:] {
		v[i] = float64(int8(b))
	}
	if without != nil {
		shared := v.dot(without)
		for i := range v {
			v[i] -= shared * without[i]
		}
	}
	length := math.Sqrt(v.dot(&v))
	if length < 1e-9 {
		return nil, false
	}
	for i := range v {
		v[i] /= length
	}
	return &v, true
}

func (v *vector) dot(w *vector) (sum float64) {
	for i := range v {
		sum += v[i] * w[i]
	}
	return sum
}

// labels names groups by terms.
type labels struct {
	s       *Sampler
	all     []seen
	keyword map[string]bool
	stand   map[string]int // in how many posts a term stands
}

func newLabels(s *Sampler, c proposal.Candidate, all []seen) *labels {
	l := &labels{s: s, all: all, keyword: keywordWords(c), stand: map[string]int{}}
	for i := range all {
		for _, term := range all[i].terms {
			l.stand[term]++
		}
	}
	return l
}

// of is the label of a group: up to labelTerms terms, most telling first, or the language of a group that has another.
// Empty when nothing is said in it but the keyword.
func (l *labels) of(members []int) string {
	if language := l.all[members[0]].Language; speech(language) != english {
		return "in " + strings.ToUpper(language[:1]) + language[1:]
	}
	inside := map[string]int{}
	for _, at := range members {
		for _, term := range l.all[at].terms {
			inside[term]++
		}
	}
	type told struct {
		term string
		by   float64
	}
	var terms []told
	for _, least := range []int{LeastCluster, 1} {
		for term, n := range inside {
			if by := l.telling(term, n, len(members)); n >= least && by > 0 {
				terms = append(terms, told{term, by})
			}
		}
		if len(terms) > 0 {
			break
		}
	}
	slices.SortFunc(
		terms, func(a, b told) int { return cmp.Or(cmp.Compare(b.by, a.by), strings.Compare(a.term, b.term)) },
	)
	label, words := "", []string{}
	for _, t := range terms {
		if len(words) == labelTerms {
			break
		}
		if slices.ContainsFunc(words, func(other string) bool { return theme.Overlap(other, t.term) }) {
			continue
		}
		with := t.term
		if label != "" {
			with = label + ", " + t.term
		}
		if utf8.RuneCountInString(with) <= MaxLabel {
			label, words = with, append(words, t.term)
		}
	}
	return label
}

// telling is how much a term says of a group of size posts, n of which have it: the share of them, as unlikely as the
// word is elsewhere in language and in the sample (log odds with half a post added on each side).
func (l *labels) telling(term string, n, size int) float64 {
	weight := 1.0
	words := 0
	for word := range strings.FieldsSeq(term) {
		if among(l.keyword, word) || l.s.plain(word) {
			return 0
		}
		if rank, known := l.s.words.Rank(word); known {
			weight = min(weight, float64(embedding.Weight(rank)))
		}
		words++
	}
	if words > 1 && n < LeastCluster { // two words that met once
		return 0
	}
	rest := len(l.all) - size
	odds := math.Log((float64(n)+0.5)/(float64(size-n)+0.5)) - math.Log(
		(float64(l.stand[term]-n)+0.5)/(float64(rest-l.stand[term]+n)+0.5),
	)
	return weight * float64(n) / float64(size) * max(0.1, 1+odds)
}
