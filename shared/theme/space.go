package theme

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Bounds of the space.
const (
	mostDirections  = 60 // of the half of words
	leastDirections = 2
	postsADirection = 5     // at least
	mostWords       = 8_000 // that have a place: the commonest
	iterations      = 3     // of the subspace iteration: more change little
	common          = 0.4   // the share of the posts from which a word tells nothing
	fewPosts        = 10    // a word of so many posts may tell something of however few
	manyPosts       = 1_000 // from so many on, a word of two posts has no place
	meaningSize     = 100   // coordinates of embedding.Vector, the last bytes of what the judge reads
)

// A space gives posts a direction by their words and by their meaning.
type space struct {
	places map[string]int // of words
	weight []float32      // of words: how little they are said
	words  []vector       // the directions of words
	size   int            // directions of the half of words
	mean   vector         // of the meanings of all posts
}

// newSpace returns the space of the posts of a language. all counts the posts of every language.
func newSpace(read []reading, all int) *space {
	s := &space{places: map[string]int{}, mean: make(vector, meaningSize)}
	s.index(read, all)
	rows := make([]row, len(read))
	meant := 0
	for i := range read {
		rows[i] = s.row(&read[i])
		if m := meaning(&read[i]); m != nil {
			s.mean.add(1, m)
			meant++
		}
	}
	for i := range s.mean {
		s.mean[i] /= float32(max(1, meant))
	}
	s.reduce(rows)
	return s
}

// index gives words their places: those that several posts have, and not most of them. all counts the posts of every
// language.
func (s *space) index(read []reading, all int) {
	have := map[string]int{}
	for i := range read {
		for _, word := range read[i].words {
			have[word]++
		}
	}
	least := 2
	if len(read) >= manyPosts {
		least = 3
	}
	var words []string
	for word, n := range have {
		if n >= least && float64(n) <= max(fewPosts, common*float64(len(read))) {
			words = append(words, word)
		}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(cmp.Compare(have[b], have[a]), strings.Compare(a, b)) })
	words = words[:min(len(words), mostWords)]
	s.weight = make([]float32, len(words))
	for i, word := range words {
		s.places[word] = i
		s.weight[i] = float32(math.Log(1 + float64(all)/float64(have[word])))
	}
}

// A row is the weights of a post's words. The sum of their squares is 1.
type row struct {
	places  []int
	weights []float32
}

func (s *space) row(r *reading) (out row) {
	for _, word := range r.words {
		if at, known := s.places[word]; known {
			out.places, out.weights = append(out.places, at), append(out.weights, s.weight[at])
		}
	}
	vector(out.weights).unit()
	return out
}

// reduce finds the directions in which rows differ most, by a subspace iteration from directions drawn by chance
// (Halko, Martinsson and Tropp 2011). The draws are the same each time.
func (s *space) reduce(rows []row) {
	s.size = min(mostDirections, max(leastDirections, len(rows)/postsADirection), len(s.weight))
	random := rand.New(rand.NewPCG(1, 1))
	s.words = make([]vector, len(s.weight))
	for i := range s.words {
		s.words[i] = make(vector, s.size)
		for k := range s.words[i] {
			s.words[i][k] = float32(random.NormFloat64())
		}
	}
	points := make([]vector, len(rows))
	for range iterations {
		for i := range rows {
			points[i] = s.project(rows[i])
		}
		orthogonal(points, s.size)
		for _, word := range s.words {
			clear(word)
		}
		for i, r := range rows {
			for n, at := range r.places {
				s.words[at].add(r.weights[n], points[i])
			}
		}
	}
	orthogonal(s.words, s.size)
}

func (s *space) project(r row) vector {
	out := make(vector, s.size)
	for n, at := range r.places {
		out.add(r.weights[n], s.words[at])
	}
	return out
}

// orthogonal makes the columns of rows orthogonal and of length 1 (modified Gram and Schmidt). A column that depends on
// those before it becomes 0.
func orthogonal(rows []vector, columns int) {
	all := make([]vector, columns)
	for k := range all {
		all[k] = make(vector, len(rows))
		for i := range rows {
			all[k][i] = rows[i][k]
		}
		before := math.Sqrt(all[k].dot(all[k]))
		for _, other := range all[:k] {
			all[k].add(-float32(all[k].dot(other)), other)
		}
		if left := math.Sqrt(all[k].dot(all[k])); left < 1e-4*before || !all[k].unit() {
			clear(all[k])
		}
		for i := range rows {
			rows[i][k] = all[k][i]
		}
	}
}

// point returns a post's direction; nil if it has none.
func (s *space) point(r *reading) vector {
	if len(r.words) < leastWords {
		return nil
	}
	point := s.project(s.row(r))
	said := point.unit()
	point = append(point, make(vector, meaningSize)...)
	meant := false
	if m := meaning(r); m != nil {
		m.add(-1, s.mean)
		meant = m.unit()
		copy(point[s.size:], m)
	}
	if !said && !meant {
		return nil
	}
	point.unit()
	return point
}

// meaning returns the direction of what the judge read. It returns nil for posts in languages that the embedding does
// not have.
func meaning(r *reading) vector {
	if len(r.meaning) < meaningSize {
		return nil
	}
	v := make(vector, meaningSize)
	for i, b := range r.meaning[len(r.meaning)-meaningSize:] {
		v[i] = float32(int8(b))
	}
	if !v.unit() {
		return nil
	}
	return v
}
