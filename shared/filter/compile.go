package filter

import (
	"maps"
	"math"
	"slices"
	"strings"

	"earshot/shared/mention"
)

// A Predicate is a filter compiled for many rows. It is immutable and safe for concurrent use.
//
// Each condition has a bit. Each value of a row is looked up once, whatever the number of conditions. A lookup returns
// the bits of all conditions that the value satisfies. The tree is then a few operations on words of bits.
type Predicate struct {
	start, until string // in a row's form of Timestamp; empty is unbounded
	never        bool   // the window is empty
	size         int    // words of a set of bits
	tree         gate
	negated      set // conditions that are
	texts        set // conditions on Text

	sources, sentiments, languages, tags, authors index[string]
	keywords                                      index[int64]
	scores                                        [3]set
	without                                       map[Key]set // conditions that a missing value satisfies; nil if there are none
	replies, engaged                              [2]set      // by false, true
	ratings                                       [6]set      // by stars; 0 is unused
	followers                                     []bound
	metrics                                       index[string]
	comparisons                                   [][]comparison // by the place of their metric
	phrases                                       phrases
	keys                                          map[Key]bool // that conditions have
}

// A gate joins conditions and gates.
type gate struct {
	any  bool
	mask set
	kids []gate
}

// A bound is one on followers on X.
type bound struct {
	least, most int64
	bit         int
}

// A comparison is a condition on a counter.
type comparison struct {
	counter
	bit int
}

// Compile makes a filter ready.
func Compile(f Filter) *Predicate {
	p := &Predicate{size: (f.Conditions() + 63) / 64}
	p.never = !f.start.IsZero() && !f.until.IsZero() && !f.until.After(f.start)
	if !f.start.IsZero() {
		p.start = mention.Timestamp(f.start)
	}
	if !f.until.IsZero() {
		p.until = mention.Timestamp(f.until)
	}
	p.negated, p.texts = p.newSet(), p.newSet()
	p.keys = map[Key]bool{}
	bit := 0
	for c := range f.conditions() {
		p.keys[c.key] = true
		p.add(c, bit)
		if c.negated {
			p.negated.add(bit)
		}
		bit++
	}
	bit = 0
	p.tree = p.gateOf(false, f.all, &bit)
	p.phrases.settle()
	return p
}

// gateOf returns the gate of nodes, whose conditions have the bits from next on. Nodes that are joined like the gate
// itself, or stand alone, become part of it.
func (p *Predicate) gateOf(any bool, nodes []node, next *int) gate {
	g := gate{any: any, mask: p.newSet()}
	for _, n := range nodes {
		switch {
		case n.leaf != nil:
			g.mask.add(*next)
			*next++
		case n.any == any || len(n.kids) == 1:
			same := p.gateOf(any, n.kids, next)
			g.mask.or(same.mask)
			g.kids = append(g.kids, same.kids...)
		default:
			g.kids = append(g.kids, p.gateOf(n.any, n.kids, next))
		}
	}
	return g
}

func (p *Predicate) newSet() set { return make(set, p.size) }

// mark adds a condition to the set of a value.
func (p *Predicate) mark(s *set, bit int) {
	if *s == nil {
		*s = p.newSet()
	}
	s.add(bit)
}

func (p *Predicate) add(c *condition, bit int) {
	texts := map[Key]*index[string]{
		Source:    &p.sources,
		Sentiment: &p.sentiments,
		Language:  &p.languages,
		Tag:       &p.tags,
		Author:    &p.authors,
	}
	if c.absent {
		if p.without == nil {
			p.without = map[Key]set{}
		}
		missing := p.without[c.key]
		p.mark(&missing, bit)
		p.without[c.key] = missing
	}
	switch c.key {
	case Keyword:
		for _, id := range c.numbers {
			p.keywords.put(id, idTrait(id), bit, p.size)
		}
	case Relevance:
		for _, score := range c.numbers {
			p.mark(&p.scores[score], bit)
		}
	case ReviewRating:
		for _, stars := range c.numbers {
			p.mark(&p.ratings[stars], bit)
		}
	case PostType:
		for _, kind := range c.texts {
			p.mark(&p.replies[choose(kind == "reply")], bit)
		}
	case Engaged:
		p.mark(&p.engaged[choose(c.flag)], bit)
	case MinXFollowers:
		p.followers = append(p.followers, bound{c.numbers[0], math.MaxInt64, bit})
	case MaxXFollowers:
		p.followers = append(p.followers, bound{0, c.numbers[0], bit})
	case Engagement:
		for _, counter := range c.counters {
			p.metrics.put(counter.metric, trait(counter.metric), bit, p.size)
			place := p.metrics.find(counter.metric)
			if place == len(p.comparisons) {
				p.comparisons = append(p.comparisons, nil)
			}
			p.comparisons[place] = append(p.comparisons[place], comparison{counter, bit})
		}
	case Text:
		p.texts.add(bit)
		for _, text := range c.texts {
			p.phrases.add(text, bit)
		}
	default:
		for _, text := range c.texts {
			texts[c.key].put(text, trait(text), bit, p.size)
		}
	}
}

// Keys lists the keys that conditions have, each once. Of a row, Row reads their values, the source for those of followers
// and counters, and the timestamp.
func (p *Predicate) Keys() []Key { return slices.Collect(maps.Keys(p.keys)) }

func choose(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// ofX reports whether a source, in any case, is the platform X.
func ofX(source string) bool { return strings.EqualFold(source, "twitter") }
