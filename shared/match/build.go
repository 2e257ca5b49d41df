package match

import (
	"cmp"
	"slices"
)

// build makes the automaton of needles. They must be distinct, sorted and not empty. Needle i has the number i+1.
func build(needles []string, inWords []bool) automaton {
	a := automaton{needles: make([]needle, len(needles)+1)}
	a.encode(needles)
	t := newTrie(needles, &a.codes)
	for i, n := range needles {
		a.needles[i+1] = needle{size: uint16(len(n)), inWords: inWords[i]}
	}
	places := arrange(t, &a)
	a.connect(t, places)
	return a
}

// encode numbers the bytes by their frequency in needles. Needles are UTF-8, which has at most 243 different bytes.
func (a *automaton) encode(needles []string) {
	var count [256]int
	for _, n := range needles {
		for i := range len(n) {
			count[n[i]]++
		}
	}
	var present []int
	for c, n := range count {
		if n > 0 {
			present = append(present, c)
		}
	}
	slices.SortStableFunc(present, func(x, y int) int { return cmp.Compare(count[y], count[x]) })
	for i, c := range present {
		a.codes[c] = uint8(i + 1)
	}
}

// A trie of the needles, as nodes in the order of a depth-first walk; 0 is the root.
type trie struct {
	code    []uint8
	child   []uint32 // the first one; 0 for none
	sibling []uint32 // the next one; 0 for none
	needle  []uint32
}

func newTrie(needles []string, codes *[256]uint8) *trie {
	t := &trie{code: []uint8{0}, child: []uint32{0}, sibling: []uint32{0}, needle: []uint32{0}}
	path := []uint32{0} // the nodes of the last needle, by depth
	last := ""
	for i, n := range needles {
		shared := 0
		for shared < len(last) && shared < len(n) && last[shared] == n[shared] {
			shared++
		}
		for depth := shared; depth < len(n); depth++ {
			node := uint32(len(t.code))
			t.code = append(t.code, codes[n[depth]])
			t.child = append(t.child, 0)
			t.sibling = append(t.sibling, 0)
			t.needle = append(t.needle, 0)
			// The needles are sorted, so a node at this depth of the last path is the elder sibling.
			if depth+1 < len(path) {
				t.sibling[path[depth+1]] = node
				path = path[:depth+1]
			} else {
				t.child[path[depth]] = node
			}
			path = append(path, node)
		}
		t.needle[path[len(path)-1]] = uint32(i + 1)
		last = n
	}
	return t
}

// hot is the depth down to which states are placed level by level, because all texts pass through them. Deeper states
// are placed along their needles, because a text that reaches one tends to continue.
const hot = 3

// arrange gives every node of t a state, and returns the states by node.
func arrange(t *trie, a *automaton) []uint32 {
	g := &grid{}
	places := make([]uint32, len(t.code))
	// Children of base b are at b XOR their codes. The root is at 0, and its children are in first. The first block
	// stays empty, so that a base of 0 leads to no state.
	g.grow()
	g.close(0)
	var codes []uint8
	settle := func(node uint32) {
		codes = codes[:0]
		for c := t.child[node]; c != 0; c = t.sibling[c] {
			codes = append(codes, t.code[c])
		}
		if len(codes) == 0 {
			return
		}
		base := g.find(codes)
		g.state(places[node]).base = base
		for c := t.child[node]; c != 0; c = t.sibling[c] {
			places[c] = base ^ uint32(t.code[c])
			g.take(places[c], t.code[c])
		}
	}
	level := []uint32{0}
	for range hot {
		var next []uint32
		for _, node := range level {
			settle(node)
			for c := t.child[node]; c != 0; c = t.sibling[c] {
				next = append(next, c)
			}
		}
		level = next
	}
	var stack []uint32
	for _, node := range level {
		stack = append(stack, node)
		for len(stack) > 0 {
			node := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			settle(node)
			for c := t.child[node]; c != 0; c = t.sibling[c] {
				stack = append(stack, c)
			}
		}
	}
	a.states = slices.Clip(g.states)
	return places
}

// connect sets failures and outputs, level by level, so that the target of a failure is finished before it.
func (a *automaton) connect(t *trie, places []uint32) {
	type visit struct{ node, failure uint32 } // the failure in full: states keep 0 for those that first answers for
	level, single := []visit{}, map[uint32]bool{}
	for c := t.child[0]; c != 0; c = t.sibling[c] {
		a.first[t.code[c]] = places[c]
		single[places[c]] = true
		level = append(level, visit{c, 0})
	}
	for len(level) > 0 {
		var next []visit
		for _, v := range level {
			s := &a.states[places[v.node]]
			if !single[v.failure] {
				s.failure = v.failure
			}
			out := uint32(0)
			if v.failure != 0 {
				out = a.states[v.failure].out >> checkBits
			}
			if n := t.needle[v.node]; n != 0 {
				a.needles[n].shorter = out
				out = n
			}
			s.out |= out << checkBits
			for c := t.child[v.node]; c != 0; c = t.sibling[c] {
				failure := a.first[t.code[c]]
				if v.failure != 0 {
					failure = a.step(v.failure, t.code[v.node], t.code[c])
				}
				next = append(next, visit{c, failure})
			}
		}
		level = next
	}
}
