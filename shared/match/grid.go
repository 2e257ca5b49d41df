package match

// A grid places the states of an automaton into a double array. It lists the free places. A block that is too full to
// be worth searching leaves the list.
type grid struct {
	states     []state
	next, prev []uint32 // the list of free places, a ring whose head is 0
	based      []uint64 // bits: which bases are taken; every state has its own
	open       int      // the first block whose places are in the list
}

const (
	block      = 256 // places that one base can lead to
	openBlocks = 16  // how many of the last blocks are searched
)

func (g *grid) state(place uint32) *state { return &g.states[place] }

// grow adds a block of free places.
func (g *grid) grow() {
	start := uint32(len(g.states))
	g.states = append(g.states, make([]state, block)...)
	g.next = append(g.next, make([]uint32, block)...)
	g.prev = append(g.prev, make([]uint32, block)...)
	g.based = append(g.based, make([]uint64, block/64)...)
	if start == 0 {
		return // 0 is the root and the head of the list
	}
	for p := start; p < start+block; p++ {
		last := g.prev[0]
		g.next[last], g.prev[p], g.next[p], g.prev[0] = p, last, 0, p
	}
	if blocks := len(g.states) / block; blocks-g.open > openBlocks {
		g.close(g.open)
	}
}

// close removes a block's free places from the list.
func (g *grid) close(number int) {
	g.open = number + 1
	if number == 0 {
		return
	}
	for p := uint32(number * block); p < uint32((number+1)*block); p++ {
		if g.states[p].out == 0 {
			g.unlink(p)
		}
	}
}

func (g *grid) unlink(p uint32) {
	g.next[g.prev[p]], g.prev[g.next[p]] = g.next[p], g.prev[p]
}

// take fills a place with a state of that code.
func (g *grid) take(p uint32, code uint8) {
	g.states[p].out = uint32(code)
	g.unlink(p)
}

// find returns a base at which the places of all codes are free, and marks it as taken.
func (g *grid) find(codes []uint8) uint32 {
	for p := g.next[0]; p != 0; p = g.next[p] {
		if base := p ^ uint32(codes[0]); g.fits(base, codes) {
			g.based[base/64] |= 1 << (base % 64)
			return base
		}
	}
	base := uint32(len(g.states))
	g.grow()
	g.based[base/64] |= 1 << (base % 64)
	return base
}

func (g *grid) fits(base uint32, codes []uint8) bool {
	if g.based[base/64]>>(base%64)&1 == 1 {
		return false
	}
	for _, c := range codes {
		if g.states[base^uint32(c)].out != 0 {
			return false
		}
	}
	return true
}
