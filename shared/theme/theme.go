// Package theme reads what posts speak of: their words and terms, what their texts say when signs and case are left
// out, and which of them speak of one thing.
//
// Find divides posts into themes. A post is a point in a space of two halves. The first half is made of the posts' own
// words: latent semantic analysis (Deerwester et al. 1990) puts words together that the same posts have, so that it
// works in any language. The second half is the meaning of the post's words that the judge stores with a mention, if
// it is English. Spherical k-means (Dhillon and Modha 2001) makes more clusters than there are themes, average linkage
// joins those that are near, and a post that is near none of them is in no theme. The command judge/accuracy measures
// this against other ways.
//
// The package is pure: the same posts give the same themes, in any order. Strangers wrote the posts: their texts are
// hostile. A label has letters, digits and marks of words alone. Time grows linearly with the posts.
//
// The setup engine's sampling, analytics/themes, and functions that show themes import it.
package theme

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// A Post is a text that may be part of a theme.
type Post struct {
	Title, Body string
	Language    string // its full lowercase English name; empty or undetermined if it is not known
	Vector      []byte // what the judge read (judge.Reading.Vector); empty if it did not
}

// A Theme is what several posts speak of.
type Theme struct {
	Label string   // its most telling terms, as posts spell them
	Terms []string // the most telling first, at most MaxTerms, at least one
	Posts []int    // places of its posts, the most central first
}

// Bounds of themes.
const (
	MaxTerms  = 8  // of a theme
	MaxLabel  = 60 // characters
	LeastSize = 2  // posts of a theme: one alone is nothing that people speak of
)

// Places of posts without a theme.
const (
	Other = -1 // the post is near no theme
	Short = -2 // the post has fewer words than leastWords that may tell a theme
)

const leastWords = 2

// Parameters of the clusters. judge/accuracy measures them: figures change little with any of them.
const (
	most       = 48   // clusters before they are joined
	postsEach  = 5    // posts of a cluster before they are joined, at least
	joined     = 0.30 // how near clusters are on average that are joined
	belongs    = 0.40 // how near a post of a theme is to its middle, at least
	smallShare = 200  // a theme has at least one of so many posts
)

// Themes are the themes of posts.
type Themes struct {
	List   []Theme // the largest first
	own    map[string]bool
	spoken map[string]*group // by speech
}

// A group holds the posts of one language: others say the same in other words.
type group struct {
	space   *space
	middles []vector
	themes  []int // the theme of each middle, or Other
}

// speech returns by which language a post is put with others. What is too short to have a language is read as English.
func speech(language string) string {
	if !isLanguage(language) {
		return english
	}
	return language
}

// Find returns the themes of posts. own are texts that posts were selected by: their words make no theme. No theme has
// posts in two languages.
func Find(posts []Post, own []string) *Themes {
	order := make([]int, len(posts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return comparePosts(&posts[i], &posts[j]) })
	out := &Themes{own: ownWords(own), spoken: map[string]*group{}}
	places := map[string][]int{}
	for _, i := range order {
		language := speech(posts[i].Language)
		places[language] = append(places[language], i)
	}
	for _, language := range slices.Sorted(maps.Keys(places)) {
		out.find(language, posts, places[language])
	}
	out.sort()
	return out
}

func comparePosts(a, b *Post) int {
	return cmp.Or(strings.Compare(a.Title, b.Title), strings.Compare(a.Body, b.Body),
		strings.Compare(a.Language, b.Language), bytes.Compare(a.Vector, b.Vector))
}

// find adds the themes of a language's posts, which are at places.
func (t *Themes) find(language string, posts []Post, places []int) {
	read := make([]reading, len(places))
	for n, at := range places {
		read[n] = readPost(&posts[at], t.own)
	}
	g := &group{space: newSpace(read, len(posts))}
	t.spoken[language] = g
	points, numbers := make([]vector, 0, len(read)), make([]int, 0, len(read))
	for n := range read {
		if p := g.space.point(&read[n]); p != nil {
			points, numbers = append(points, p), append(numbers, n)
		}
	}
	g.middles = middles(points)
	members, nearness := make([][]int, len(g.middles)), make([]float64, len(read))
	for i, p := range points {
		if at, near := g.nearest(p); at >= 0 {
			n := numbers[i]
			members[at], nearness[n] = append(members[at], n), near
		}
	}
	least := max(LeastSize, (len(posts)+smallShare-1)/smallShare)
	names := newLabels(read, len(posts))
	for at, list := range members {
		g.themes = append(g.themes, Other)
		slices.SortStableFunc(list, func(i, j int) int { return cmp.Compare(nearness[j], nearness[i]) })
		label, terms := "", []string(nil)
		if len(list) >= least {
			label, terms = names.of(list)
		}
		if label == "" {
			continue
		}
		g.themes[at] = len(t.List)
		for i, n := range list {
			list[i] = places[n]
		}
		t.List = append(t.List, Theme{Label: label, Terms: terms, Posts: list})
	}
}

// sort puts the largest themes first, and those of one size in the order of their labels.
func (t *Themes) sort() {
	order := make([]int, len(t.List))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &t.List[i], &t.List[j]
		return cmp.Or(cmp.Compare(len(b.Posts), len(a.Posts)), strings.Compare(a.Label, b.Label))
	})
	list, place := make([]Theme, len(order)), make([]int, len(order))
	for n, i := range order {
		list[n], place[i] = t.List[i], n
	}
	t.List = list
	for _, g := range t.spoken {
		for at, theme := range g.themes {
			if theme >= 0 {
				g.themes[at] = place[theme]
			}
		}
	}
}

// Of returns the place in List of the theme that a post belongs to, Other or Short. It holds for posts that Find read
// and for others.
func (t *Themes) Of(p Post) int {
	read := readPost(&p, t.own)
	if len(read.words) < leastWords {
		return Short
	}
	g := t.spoken[speech(p.Language)]
	if g == nil {
		return Other
	}
	if point := g.space.point(&read); point != nil {
		if at, _ := g.nearest(point); at >= 0 {
			return g.themes[at]
		}
	}
	return Other
}

func (g *group) nearest(p vector) (at int, near float64) {
	at, near = Other, belongs
	for i, middle := range g.middles {
		if each := p.dot(middle); each > near {
			at, near = i, each
		}
	}
	return at, near
}

// A vector is a direction: its length is 1.
type vector []float32

// dot returns the cosine of two directions. It adds up in four parts, which is faster than in one.
func (v vector) dot(w vector) float64 {
	var a, b, c, d float32
	w = w[:len(v)]
	i := 0
	for ; i+4 <= len(v); i += 4 {
		a += v[i] * w[i]
		b += v[i+1] * w[i+1]
		c += v[i+2] * w[i+2]
		d += v[i+3] * w[i+3]
	}
	for ; i < len(v); i++ {
		a += v[i] * w[i]
	}
	return float64(a + b + c + d)
}

// unit makes the vector's length 1. It reports false if the vector has no direction.
func (v vector) unit() bool {
	length := math.Sqrt(v.dot(v))
	if length < 1e-6 {
		clear(v)
		return false
	}
	scale := float32(1 / length)
	for i := range v {
		v[i] *= scale
	}
	return true
}

// add adds a part of w.
func (v vector) add(part float32, w vector) {
	w = w[:len(v)]
	for i := range v {
		v[i] += part * w[i]
	}
}
