package feature

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// A Meaning is what a phrase says of the text that contains it.
type Meaning uint8

// The meanings. A Fact covers the rest of its clause: "fixed a crash when the file is empty" tells of no crash. If a
// contrast follows, the words behind it count: "fixed a crash, but it is slow". A Courtesy ("kind regards") has no
// sentiment. Thanks are a courtesy in a text that has blame or a fact. A Query makes a text a question, and its
// words still count. Except in English it needs the mark of a question.
const (
	Meaningless Meaning = iota
	Blame
	Fact
	Praise
	Courtesy
	Query
	Thanks
	meanings
)

// Phrases are fixed expressions of a language with their meanings, as a trie in a hash table. The file is used where it
// lies:
//
//	"PHR1"
//	u32        bits of the number of slots, little-endian
//	4096 bytes        a bit for each hash, modulo their number, of a word that begins a phrase or is in a list
//	2^bits × 5 slots: u32 check, little-endian, u8 node; node 0 is an empty slot
//
// A node stands for the first words of a phrase. Its bits 0 to 2 are the meaning of a phrase that ends with it, bits 3
// to 5 that of a phrase that must end a clause, bit 6 says that any word may follow, and bit 7 is set. The node of a
// word of a list holds the list's number instead.
type Phrases struct {
	known string
	slots string
	mask  uint64
}

const (
	phrasesMagic = "PHR1"
	phraseSlot   = 5
	knownBytes   = 4096
	phrasesHead  = 8 + knownBytes
	nodeEnding   = 3
	nodeAny      = 1 << 6
	nodeUsed     = 1 << 7

	saltAny    = 0xc0ac29b7c97c50dd // pi's digits once more: any word, and the beginning of a clause
	saltBegins = 0x3f84d5b5b5470917
	saltLists  = 0xd1310ba698dfb5ac
)

// maxLists is the most lists of all languages.
const maxLists = nodeUsed - 1

// maxPhrase is the most words of a phrase.
const maxPhrase = 9

// OpenPhrases checks a file's frame.
func OpenPhrases(file string) (Phrases, error) {
	if len(file) < phrasesHead || file[:4] != phrasesMagic {
		return Phrases{}, errors.New("feature: not a file of phrases")
	}
	bits := u32(file[4:])
	if bits < 1 || bits > 24 || len(file) != phrasesHead+phraseSlot<<bits {
		return Phrases{}, errors.New("feature: the phrases are truncated or have a wrong size")
	}
	return Phrases{known: file[8:phrasesHead], slots: file[phrasesHead:], mask: 1<<bits - 1}, nil
}

// knows reports false for most words with which no phrase begins and which are in no list.
func (p *Phrases) knows(hash uint64) bool {
	return len(p.known) > 0 && p.known[hash>>3%knownBytes]>>(hash&7)&1 == 1
}

// node returns the node of a path, or 0 if no phrase begins so.
func (p *Phrases) node(path uint64) byte {
	if len(p.slots) == 0 {
		return 0
	}
	for probe, at := uint64(0), path&p.mask; probe <= p.mask; probe, at = probe+1, (at+1)&p.mask {
		slot := p.slots[at*phraseSlot : at*phraseSlot+phraseSlot]
		if slot[4] == 0 || u32(slot) == uint32(path>>32) {
			return slot[4]
		}
	}
	return 0
}

// root is the path of no words, of phrases that stand anywhere or begin a clause.
func root(language Language, begins bool) uint64 {
	path := mix(uint64(language) * 0x9216d5d98979fb1b)
	if begins {
		path ^= saltBegins
	}
	return path
}

// step returns the path that a word lengthens.
func step(path, hash uint64) uint64 { return mix(path*3 ^ hash) }

// A Phrase is an expression with its meaning.
type Phrase struct {
	Language Language
	Meaning  Meaning
	Words    []string // lowercase; "_" stands for any word, "{name}" for one of a list
	Begins   bool     // stands only at the beginning of a clause
	Ends     bool     // stands only at its end
}

// A List is words of a language of which phrases contain any one. A word is in one list at most.
type List struct {
	Language Language
	Name     string // as phrases name it: "{name}"
	Words    []string
}

// BuildPhrases writes a table's file. Equal phrases make equal bytes. Of phrases with the same words, and of lists with
// the same word, the first counts.
func BuildPhrases(phrases []Phrase, lists []List, bits int) ([]byte, error) {
	if bits < 1 || bits > 24 {
		return nil, errors.New("feature: the phrases do not fit the slots")
	}
	file := binary.LittleEndian.AppendUint32([]byte(phrasesMagic), uint32(bits))
	known := make([]byte, knownBytes)
	know := func(hash uint64) { known[hash>>3%knownBytes] |= 1 << (hash & 7) }
	slots, mask, used := make([]byte, phraseSlot<<bits), uint64(1)<<bits-1, uint64(0)
	put := func(path uint64) (node *byte, err error) {
		for at := path; ; at++ {
			slot := slots[(at&mask)*phraseSlot : (at&mask)*phraseSlot+phraseSlot]
			if slot[4] == 0 {
				if used++; used > mask {
					return nil, errors.New("feature: the phrases do not fit the slots")
				}
				binary.LittleEndian.PutUint32(slot, uint32(path>>32))
				slot[4] = nodeUsed
				return &slot[4], nil
			}
			if binary.LittleEndian.Uint32(slot) == uint32(path>>32) {
				return &slot[4], nil
			}
		}
	}
	type key struct {
		language Language
		name     string
	}
	if len(lists) > maxLists {
		return nil, fmt.Errorf("feature: %d lists, at most %d fit", len(lists), maxLists)
	}
	numbers := map[key]byte{}
	for i, l := range lists {
		number := byte(i + 1)
		numbers[key{l.Language, l.Name}] = number
		for _, w := range l.Words {
			node, err := put(step(root(l.Language, false)^saltLists, hashed(w)))
			if err != nil {
				return nil, err
			}
			know(hashed(w))
			if *node == nodeUsed {
				*node |= number
			}
		}
	}
	for _, p := range phrases {
		if p.Language == Unknown || p.Meaning == Meaningless || p.Meaning >= meanings ||
			len(p.Words) == 0 || len(p.Words) > maxPhrase || p.Words[len(p.Words)-1] == "_" || p.Words[0] == "_" {
			return nil, fmt.Errorf("feature: %q is no phrase", strings.Join(p.Words, " "))
		}
		path := root(p.Language, p.Begins)
		var node *byte
		var err error
		know(hashed(p.Words[0]))
		for _, w := range p.Words {
			hash := hashed(w)
			switch {
			case w == "_":
				hash = saltAny
				*node |= nodeAny
			case w[0] == '{':
				number, ok := numbers[key{p.Language, strings.Trim(w, "{}")}]
				if !ok {
					return nil, fmt.Errorf("feature: there is no list %s", w)
				}
				hash = listHash(number)
			}
			path = step(path, hash)
			if node, err = put(path); err != nil {
				return nil, err
			}
		}
		shift := 0
		if p.Ends {
			shift = nodeEnding
		}
		if *node>>shift&7 == 0 {
			*node |= byte(p.Meaning) << shift
		}
	}
	return append(append(file, known...), slots...), nil
}

// listHash stands for any word of a list.
func listHash(number byte) uint64 { return saltLists * uint64(number) }

// list returns the number of the list that has a token's word, or 0 if none has.
func (r *reading) list(p *Phrases, lists uint64, at int) byte {
	if r.tokens[at].kind != word || !p.knows(r.tokens[at].hash) {
		return 0
	}
	return p.node(step(lists, r.tokens[at].hash)) &^ nodeUsed
}

// phrase returns the meaning and the end of the longest phrase that begins at a token. Its paths are the roots.
func (r *reading) phrase(p *Phrases, anywhere, begins uint64, at int) (Meaning, int) {
	if r.tokens[at].kind != word || !p.knows(r.tokens[at].hash) {
		return Meaningless, at
	}
	meaning, end := r.follow(p, anywhere, at, 1)
	if at == 0 || r.tokens[at-1].kind != word {
		if m, e := r.follow(p, begins, at, 1); e > end {
			return m, e
		}
	}
	return meaning, end
}

// follow is phrase for a path that already has words.
func (r *reading) follow(p *Phrases, path uint64, at, length int) (meaning Meaning, end int) {
	if at >= r.count || r.tokens[at].kind != word || length > maxPhrase {
		return Meaningless, 0
	}
	meaning, end = r.arrive(p, step(path, r.tokens[at].hash), at, length)
	if list := r.tokens[at].list; list != 0 {
		if m, e := r.arrive(p, step(path, listHash(list)), at, length); e > end {
			meaning, end = m, e
		}
	}
	if length > 1 && p.node(path)&nodeAny != 0 {
		if m, e := r.arrive(p, step(path, saltAny), at, length); e > end {
			meaning, end = m, e
		}
	}
	return meaning, end
}

// arrive is follow for a path whose last word is at a token.
func (r *reading) arrive(p *Phrases, path uint64, at, length int) (meaning Meaning, end int) {
	node := p.node(path)
	if node == 0 {
		return Meaningless, 0
	}
	if meaning, end = r.follow(p, path, at+1, length+1); end > 0 {
		return meaning, end
	}
	if m := Meaning(node >> nodeEnding & 7); m != Meaningless && r.ends(at+1) {
		return m, at + 1
	}
	if m := Meaning(node & 7); m != Meaningless {
		return m, at + 1
	}
	return Meaningless, 0
}

// ends reports whether a clause ends before a token.
func (r *reading) ends(at int) bool { return at >= r.count || r.tokens[at].kind != word }
