package filter

import "slices"

// A set is a set of conditions: nil, or as many words as the predicate has.
type set []uint64

func (s set) add(bit int) { s[bit/64] |= 1 << (bit % 64) }

func (s set) or(other set) {
	for i := range other {
		s[i] |= other[i]
	}
}

// An index finds the conditions that a value satisfies. Most rows have values that no condition names, and few
// conditions name many values. It therefore first looks at a mask that nearly always decides, then at a short list, and
// has a map only for a long list.
type index[V comparable] struct {
	mask   uint64 // a bit for the trait of each value
	values []V
	sets   []set
	places map[V]int // where there are more than short
}

// short is how many values can be compared one by one faster than by a map.
const short = 8

// put adds a condition to those that a value satisfies.
func (x *index[V]) put(value V, trait uint64, bit, size int) {
	at := x.find(value)
	if at < 0 {
		at = len(x.values)
		x.mask |= 1 << trait
		x.values, x.sets = append(x.values, value), append(x.sets, make(set, size))
		switch {
		case len(x.values) == short+1:
			x.places = map[V]int{}
			for i, value := range x.values {
				x.places[value] = i
			}
		case x.places != nil:
			x.places[value] = at
		}
	}
	x.sets[at].add(bit)
}

// get returns the conditions that a value satisfies.
func (x *index[V]) get(value V, trait uint64) set {
	if x.mask>>trait&1 == 0 {
		return nil
	}
	if at := x.find(value); at >= 0 {
		return x.sets[at]
	}
	return nil
}

// find returns the position of a value; -1 if it has none.
func (x *index[V]) find(value V) int {
	if x.places != nil {
		if at, ok := x.places[value]; ok {
			return at
		}
		return -1
	}
	return slices.Index(x.values, value)
}

// getBytes is get for a text in a buffer. The compiler allocates no strings for it.
func getBytes(x *index[string], text []byte) set {
	if x.mask>>trait(text)&1 == 0 {
		return nil
	}
	if x.places != nil {
		if at, ok := x.places[string(text)]; ok {
			return x.sets[at]
		}
		return nil
	}
	for at, value := range x.values {
		if value == string(text) {
			return x.sets[at]
		}
	}
	return nil
}

// used reports whether any condition names a value.
func (x *index[V]) used() bool { return x.mask != 0 }

// trait returns 6 bits of a text that are cheap to compute.
func trait[T string | []byte](text T) uint64 {
	if len(text) == 0 {
		return 0
	}
	return (uint64(text[0]) + 7*uint64(text[len(text)-1]) + 31*uint64(len(text))) & 63
}

// idTrait returns 6 bits of a number.
func idTrait(id int64) uint64 { return uint64(id) & 63 }
