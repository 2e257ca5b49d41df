package match

import (
	"bytes"
	"encoding/binary"
)

// scan adds to found the phrases that t has.
func (p *phrases) scan(t *text, n *normalizer, found *marked) {
	if p.count == 0 || len(t.folded) == 0 {
		return
	}
	if len(t.soft) > 0 { // words may begin and end within runs
		for at := 0; at < len(t.folded); {
			at = p.walk(t, n, found, at)
		}
	} else {
		if len(p.runs.words)+len(p.pairs.words) > 0 {
			p.passRuns(t, n, found)
		}
		if len(p.starts) > 0 {
			p.passAll(t, n, found)
		}
	}
	p.own(t, n, found)
}

// passRuns enters the automaton at runs that a needle may begin with.
func (p *phrases) passRuns(t *text, n *normalizer, found *marked) {
	size := len(t.folded)
	padded := t.folded[:size+padding]
	for at := 0; at < size; {
		if !inRun[padded[at]] {
			at++
			continue
		}
		// Go from run to run while one byte is between them.
		start, end := at, runEnd(padded[:size], at)
		key := runKey(padded, start, end)
		for {
			next := end + 1
			enter := p.runs.has(key)
			if next >= size || !inRun[padded[next]] {
				if at = end; enter {
					at = p.resume(t, n, found, start)
				}
				break
			}
			nextEnd := runEnd(padded[:size], next)
			nextKey := runKey(padded, next, nextEnd)
			if enter || p.pairs.has(pairKey(key, padded[end], nextKey)) {
				if at = p.resume(t, n, found, start); at != next {
					break
				}
			}
			start, end, key = next, nextEnd, nextKey
		}
	}
}

// resume walks from start. It returns the beginning of the first run or separator that no needle was looked up for.
func (p *phrases) resume(t *text, n *normalizer, found *marked, start int) int {
	at := p.walk(t, n, found, start)
	if inRun[t.folded[at-1]] {
		return runEnd(t.folded, at)
	}
	return at
}

// passAll enters the automaton wherever a needle of any place may begin.
func (p *phrases) passAll(t *text, n *normalizer, found *marked) {
	size := len(t.folded)
	padded := t.folded[:size+padding]
	starts, shift, tiny := p.starts, p.startShift, len(p.tiny) > 0
	for at := 0; at < size; {
		first := binary.LittleEndian.Uint64(padded[at : at+padding])
		if starts[startWord(first, shift)]>>startBit(first)&1 == 1 && p.goesOn(first) || tiny && p.beginsTiny(first) {
			at = p.walk(t, n, found, at)
		} else {
			at++
		}
	}
}

// walk follows the automaton from offset start and reports what it finds. It returns a later offset. No unreported
// needle begins before that offset. It goes back at most two bytes, which bounds the bytes that are walked twice.
func (p *phrases) walk(t *text, n *normalizer, found *marked, start int) int {
	s, at := p.first[p.codes[t.folded[start]]], start
	for s != 0 {
		if p.states[s].out > checkMask {
			p.report(t, n, found, p.states[s].out>>checkBits, at+1)
		}
		if at++; at == len(t.folded) {
			break
		}
		code := p.codes[t.folded[at]]
		if code == 0 {
			break
		}
		for ; s != 0; s = p.states[s].failure {
			if next := p.child(s, code); next != 0 {
				s = next
				break
			}
		}
		if s == 0 { // the filter handles what follows
			t.effort.walked += at - start + 1
			return max(at-1, start+1)
		}
	}
	t.effort.walked += at - start + 1
	return min(at+1, len(t.folded))
}

// search adds one phrase to found if t has it. It does not look at handles and domains.
func (p *phrases) search(phrase uint32, t *text, n *normalizer, found *marked) {
	number, probe := p.of[2*phrase], &p.probes[p.of[2*phrase+1]]
	start := uint32(0)
	if number > 0 {
		start = p.ends[number-1]
	}
	needle := p.texts[start:p.ends[number]]
	if len(t.folded) < len(needle) || !t.may(needle) {
		return
	}
	for at := 0; !found.has(phrase); at++ {
		next := bytes.Index(t.folded[at:], needle)
		if next < 0 {
			return
		}
		at += next
		if p.holds(t, n, probe, at, at+len(needle)) {
			found.add(phrase)
		}
	}
}

// report checks the needles that end at offset end: number, and those that are its suffixes.
func (p *phrases) report(t *text, n *normalizer, found *marked, number uint32, end int) {
	within := end < len(t.folded) && wordy(kinds[t.folded[end-1]]) && wordy(kinds[t.folded[end]]) && len(t.soft) == 0
	for number != 0 {
		needle := &p.needles[number]
		if !within || needle.inWords {
			for i := p.probed[number-1]; i < p.probed[number]; i++ {
				probe := &p.probes[i]
				if !found.has(probe.phrase) && p.holds(t, n, probe, end-int(needle.size), end) {
					found.add(probe.phrase)
				}
			}
		}
		number = needle.shorter
	}
}

func (p *phrases) holds(t *text, n *normalizer, probe *probe, start, end int) bool {
	t.effort.probed++
	switch probe.how {
	case asWord:
		if !t.edge(start) || !t.wordEnd(end) {
			return false
		}
	case asWhole:
		if !t.edge(start) || !t.edge(end) {
			return false
		}
	case asPrefix:
		if !t.edge(start) {
			return false
		}
	}
	return p.mindsCase(t, n, probe, start)
}

// mindsCase reports whether the text from start has the case that the probe asks for.
func (p *phrases) mindsCase(t *text, n *normalizer, probe *probe, start int) bool {
	return probe.cased == 0 || t.as(n, start, p.cases[probe.cased])
}
