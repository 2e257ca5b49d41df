// Package filter is the domain of the conditions that narrow a list of mentions ("Filters" in the contract). It holds
// the grammar that clients write and feeds store, and its evaluation. ParseSimple, ParseAdvanced and Parse read a
// filter from JSON and return all of its faults at once. And joins filters. A filter compiles once into a Predicate,
// which first judges the rows of the store's index by time and then the mentions that remain.
//
// What the grammar leaves open is settled here:
//
//   - A negated condition is the exact opposite of the condition: of any mention, one of the two holds. So !language ["german"]
//     takes mentions without a language too, and a negated array means none of its values.
//   - What a mention does not have (a score, a tone, an author, a rating) satisfies no condition, except a value that
//     says so: unknown of sentiment, none of tag, keyword and relevance.
//   - A condition that names a platform holds for mentions of that platform alone: engagement by its source, minXFollowers and
//     maxXFollowers by X, whose mentions have the source twitter. A counter that is missing, or followers that are unknown,
//     never satisfy it, whatever the operator. Its negation keeps them: whoever excludes tweets with few likes does not mean
//     to lose all that is no tweet.
//   - reviewRating compares the rating to the nearest whole star, a half being the higher one: 4 is 3.5 up to below 4.5.
//     Ratings are taken as they were given, whatever the scale of their platform.
//   - source compares without case, for rows of old are uppercase; author compares without case and without the @ before it.
//   - text compares words: Unicode's word boundaries (UAX #29), full case folding, canonical equivalence. A value of several
//     words is a phrase, its words side by side in the title or in the body. Punctuation is no word, an emoji is; a value
//     without any word, such as ???, is looked for as it stands.
//   - Bounds that exclude each other are a fault of a request, as dates are that do, but not of a stored filter:
//     Contradictions finds them.
//   - Dates are no condition: they bound what is read. They stand at the top of a filter and cannot be negated. One without
//     the other leaves the other end open.
//
// Repositories, operations and deliveries import it.
package filter

import (
	"slices"
	"time"
)

// MaxConditions is how many conditions a query, or a feed over both its sides, may have ("Limits" in the description).
const MaxConditions = 50

// A Filter is a boolean tree of conditions and a window of time. The zero value takes everything. It is immutable.
type Filter struct {
	all          []node // each must hold
	start, until time.Time
}

// A node is a condition, or several that are joined.
type node struct {
	leaf *condition
	any  bool // one of kids must hold; otherwise each
	kids []node
}

// And returns a filter that takes what all of filters take.
func And(filters ...Filter) Filter {
	var joined Filter
	for _, f := range filters {
		joined.all = slices.Concat(joined.all, f.all)
		if f.start.After(joined.start) {
			joined.start = f.start
		}
		if joined.until.IsZero() || !f.until.IsZero() && f.until.Before(joined.until) {
			joined.until = f.until
		}
	}
	return joined
}

// Conditions returns the number that MaxConditions bounds: each key of a simple filter and each condition of a group
// counts, whatever the number of its values. Dates do not count.
func (f Filter) Conditions() int {
	count := 0
	for range f.conditions() {
		count++
	}
	return count
}

// Keywords lists the ids of the keywords that the filter names, sorted, each once.
func (f Filter) Keywords() []int64 {
	var ids []int64
	for c := range f.conditions() {
		if c.key == Keyword {
			ids = append(ids, c.numbers...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Window returns the time in which a mention must have been posted: from start, before end. Zero is unbounded. If end
// is not after start, nothing can match. Both are whole milliseconds.
func (f Filter) Window() (start, end time.Time) { return f.start, f.until }

// conditions walks over the conditions in the order in which they were written.
func (f Filter) conditions() func(func(*condition) bool) {
	return func(yield func(*condition) bool) { walk(f.all, yield) }
}

func walk(nodes []node, yield func(*condition) bool) bool {
	for _, n := range nodes {
		if n.leaf != nil && !yield(n.leaf) || n.leaf == nil && !walk(n.kids, yield) {
			return false
		}
	}
	return true
}

// Undated returns the filter without its window.
func (f Filter) Undated() Filter { return Filter{all: f.all} }

// Keys lists the subjects of the filter's conditions, each once, in the order in which they were written.
func (f Filter) Keys() (keys []Key) {
	for c := range f.conditions() {
		if !slices.Contains(keys, c.key) {
			keys = append(keys, c.key)
		}
	}
	return keys
}

// SplitKeyword divides a filter into its condition on keywords and everything else. ok is false unless the filter has
// at most one condition on keywords, and that condition is positive, has only ids, and must hold by itself. Without
// such a condition ids is nil and rest is f.
func (f Filter) SplitKeyword() (ids []int64, rest Filter, ok bool) {
	rest = Filter{start: f.start, until: f.until}
	for _, n := range required(f.all) {
		if n.leaf != nil && n.leaf.key == Keyword {
			if ids != nil || n.leaf.negated || n.leaf.absent {
				return nil, f, false
			}
			ids = slices.Compact(slices.Sorted(slices.Values(n.leaf.numbers)))
			continue
		}
		rest.all = append(rest.all, n)
	}
	if slices.Contains(rest.Keys(), Keyword) {
		return nil, f, false
	}
	return ids, rest, true
}

// required resolves the nodes that are joined by AND, at any depth, into those that must each hold.
func required(nodes []node) (all []node) {
	for _, n := range nodes {
		if n.leaf == nil && (!n.any || len(n.kids) == 1) {
			all = append(all, required(n.kids)...)
			continue
		}
		all = append(all, n)
	}
	return all
}
