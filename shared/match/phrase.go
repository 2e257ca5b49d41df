package match

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// how is where in a text a phrase counts.
type how uint8

const (
	anywhere how = iota
	asWord       // as a whole word, its possessive, or a name's own handle or domain
	asWhole      // as a whole word and nothing else
	asPrefix     // at the beginning of a word
)

// A phrase is a keyword's text, a term or an exclusion. Equal phrases of all keywords and workspaces are one.
type phrase struct {
	text  string // normalised, with its case
	how   how
	cased bool // whether case counts
}

// phrases finds all phrases of a kind in one pass over a text.
type phrases struct {
	automaton
	filter
	probed []uint32 // the first probe of each needle, and one more
	probes []probe
	cases  []string // needles and names with their case, for probes that mind case
	owned  owned
	count  int
	texts  []byte   // of all needles, one after the other
	ends   []uint32 // of each needle in texts
	of     []uint32 // for each phrase its needle and its probe
}

// A probe is a check to make where a needle is found.
type probe struct {
	phrase uint32
	cased  uint32 // the index of its text in cases; 0 if case does not count
	how    how
}

// gather numbers phrases as they come.
type gather struct {
	numbers map[phrase]uint32
	list    []phrase
}

func (g *gather) number(p phrase) uint32 {
	n, ok := g.numbers[p]
	if !ok {
		n = uint32(len(g.list))
		if g.numbers == nil {
			g.numbers = map[phrase]uint32{}
		}
		g.numbers[p] = n
		g.list = append(g.list, p)
	}
	return n
}

// compile makes phrases of the gathered list.
func (g *gather) compile(n *normalizer) (phrases, error) {
	p := phrases{count: len(g.list), cases: []string{""}}
	var all, own []name
	named := func(text string, number uint32, of phrase) name {
		folded, _ := n.Normal(nil, nil, text, true)
		made := name{string(folded), probe{phrase: number, how: of.how}}
		if of.cased {
			kept, _ := n.Normal(nil, nil, text, false)
			made.cased = uint32(len(p.cases))
			p.cases = append(p.cases, string(kept))
		}
		return made
	}
	for i, of := range g.list {
		all = append(all, named(of.text, uint32(i), of))
		if of.how == asWord {
			for _, way := range names(of.text, all[i].folded) {
				own = append(own, named(way, uint32(i), of))
			}
		}
	}
	if max(len(all), len(own)) > maxNeedles {
		return p, fmt.Errorf("match: %d patterns: at most %d", max(len(all), len(own)), maxNeedles)
	}
	slices.SortFunc(all, func(x, y name) int {
		return cmp.Or(strings.Compare(x.folded, y.folded), cmp.Compare(x.phrase, y.phrase))
	})
	var needles []string
	var inWords []bool
	p.of = make([]uint32, 2*len(g.list))
	for i, each := range all {
		if i == 0 || each.folded != all[i-1].folded {
			needles, inWords = append(needles, each.folded), append(inWords, false)
			p.probed = append(p.probed, uint32(i))
			p.texts = append(p.texts, each.folded...)
			p.ends = append(p.ends, uint32(len(p.texts)))
		}
		p.of[2*each.phrase], p.of[2*each.phrase+1] = uint32(len(needles)-1), uint32(i)
		if each.how == anywhere || each.how == asPrefix {
			inWords[len(inWords)-1] = true
		}
		p.probes = append(p.probes, each.probe)
	}
	p.texts, p.ends = slices.Clip(p.texts), slices.Clip(p.ends)
	p.probed, p.probes, p.cases = slices.Clip(
		append(p.probed, uint32(len(all))),
	), slices.Clip(p.probes), slices.Clip(p.cases)
	p.automaton = build(needles, inWords)
	byRun := slices.Clone(inWords)
	for i, n := range needles {
		byRun[i] = !inWords[i] && wordy(kinds[n[0]])
	}
	p.filter = newFilter(needles, byRun)
	p.owned = newOwned(own)
	return p, nil
}

// A marked is a set of numbers. Emptying it takes time in proportion to its size.
type marked struct {
	bits []uint64
	list []uint32
}

func (m *marked) reset(size int) {
	for _, n := range m.list {
		m.bits[n/64] = 0
	}
	m.list = m.list[:0]
	if words := (size + 63) / 64; len(m.bits) < words {
		m.bits = make([]uint64, words)
	}
}

func (m *marked) has(n uint32) bool { return m.bits[n/64]>>(n%64)&1 == 1 }

func (m *marked) add(n uint32) {
	m.bits[n/64] |= 1 << (n % 64)
	m.list = append(m.list, n)
}
