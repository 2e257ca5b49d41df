package match

// An automaton finds all of its needles in one walk over a text. It is Aho and Corasick's (1975) over bytes. Its goto
// function is a double array (Aoe, 1989) whose children are at base XOR code, as in Kanda, Akabe and Oda's daachorse
// (2023).
//
// Bytes become codes, so that the children of a state are near each other. The commonest bytes get the lowest codes.
// Bytes that no needle has get none.
type automaton struct {
	codes   [256]uint8
	first   [256]uint32 // the state of a single byte, by its code; 0 for none
	states  []state     // 0 is the root, which has no children here
	needles []needle    // 1 is the first
}

// A state of the automaton. A failure to the root or to the state of a single byte is 0, because first has these.
type state struct {
	base    uint32 // the child for a code is at base XOR code, if that state's check is the code
	failure uint32
	out     uint32 // the upper 24 bits: the longest needle that ends here, 0 for none; the lower 8, the check: the state's own code
}

// A needle is a pattern's bytes.
type needle struct {
	shorter uint32 // the longest needle that is a proper suffix of this one
	size    uint16
	inWords bool // whether it can match where a word continues at its end
}

const (
	checkBits  = 8
	checkMask  = 1<<checkBits - 1
	maxNeedles = 1<<(32-checkBits) - 1
)

// child returns the state after s for a code, or 0 if s has none.
func (a *automaton) child(s uint32, code uint8) uint32 {
	if next := a.states[s].base ^ uint32(code); uint8(a.states[next].out) == code {
		return next
	}
	return 0
}

// step returns the state after s for a byte of that code. before is the code of the byte ahead of it.
func (a *automaton) step(s uint32, before, code uint8) uint32 {
	for ; s != 0; s = a.states[s].failure {
		if next := a.child(s, code); next != 0 {
			return next
		}
	}
	if single := a.first[before]; single != 0 {
		if next := a.child(single, code); next != 0 {
			return next
		}
	}
	return a.first[code]
}
