package feature

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// A Language is one whose words have tones.
type Language uint8

// The languages of the tables of tones and phrases. Unknown has no words: only emoticons, emoji and marks count.
const (
	Unknown Language = iota
	English
	French
	German
	Italian
	Portuguese
	Spanish
	Dutch  // has phrases alone
	Polish // has phrases alone
	languages
)

// A Tone tells how much a word speaks for a negative and for a positive text, against a neutral one.
type Tone struct{ Negative, Positive float32 }

// Tones give words their tones, by language: one for the plain word, one for the word after a negation. The file is
// used where it lies; numbers are little-endian:
//
//	"TON1"
//	u32        bits of the number of slots
//	f32        step: what 1 in a slot is worth
//	2^bits × 6 slots: u16 check, 4 × i8 in steps: negative and positive of the plain word, then of the negated one
//
// A check of 0 is an empty slot. A hash of the word and its language names the slot by its low bits and is known by its
// high 16.
type Tones struct {
	slots string
	mask  uint64
	step  float32
}

const (
	tonesMagic = "TON1"
	tonesHead  = 12
	tonesSlot  = 6
)

// OpenTones checks a file's frame.
func OpenTones(file string) (Tones, error) {
	if len(file) < tonesHead || file[:4] != tonesMagic {
		return Tones{}, errors.New("feature: not a file of tones")
	}
	bits := u32(file[4:])
	if bits < 1 || bits > 24 || len(file) != tonesHead+tonesSlot<<bits {
		return Tones{}, errors.New("feature: the tones are truncated or have a wrong size")
	}
	return Tones{slots: file[tonesHead:], mask: 1<<bits - 1, step: math.Float32frombits(u32(file[8:]))}, nil
}

// tone returns the tone of a word by its hash, and whether the table has the word.
func (t *Tones) tone(language Language, hash uint64, negated bool) (Tone, bool) {
	if len(t.slots) == 0 {
		return Tone{}, false
	}
	hash = toneHash(language, hash)
	check := toneCheck(hash)
	for probe, at := uint64(0), hash&t.mask; probe <= t.mask; probe, at = probe+1, (at+1)&t.mask {
		slot := t.slots[at*tonesSlot : at*tonesSlot+tonesSlot]
		switch uint16(slot[0]) | uint16(slot[1])<<8 {
		case 0:
			return Tone{}, false
		case check:
			if negated {
				slot = slot[2:]
			}
			return Tone{float32(int8(slot[2])) * t.step, float32(int8(slot[3])) * t.step}, true
		}
	}
	return Tone{}, false
}

func toneHash(language Language, hash uint64) uint64 {
	return mix(hash ^ uint64(language)*0xbe5466cf34e90c6c) // pi's digits again
}

func toneCheck(hash uint64) uint16 { return max(uint16(hash>>48), 1) }

// A Word is a lowercase word of a language with the steps of its four tones.
type Word struct {
	Language Language
	Spelling string
	Steps    [4]int8
}

// BuildTones writes a table's file. Equal words make equal bytes. It ignores a repeated word.
func BuildTones(words []Word, step float32, bits int) ([]byte, error) {
	if bits < 1 || bits > 24 || len(words) >= 1<<bits {
		return nil, errors.New("feature: the words do not fit the slots")
	}
	file := binary.LittleEndian.AppendUint32([]byte(tonesMagic), uint32(bits))
	file = binary.LittleEndian.AppendUint32(file, math.Float32bits(step))
	slots := make([]byte, tonesSlot<<bits)
	for _, w := range words {
		if w.Language == Unknown || w.Language >= languages || w.Spelling == "" {
			return nil, fmt.Errorf("feature: %q has no language of the table", w.Spelling)
		}
		hash := toneHash(w.Language, hashed(w.Spelling))
		check := toneCheck(hash)
		for at, mask := hash, uint64(1)<<bits-1; ; at++ {
			slot := slots[(at&mask)*tonesSlot : (at&mask)*tonesSlot+tonesSlot]
			held := binary.LittleEndian.Uint16(slot)
			if held == check {
				break
			}
			if held == 0 {
				binary.LittleEndian.PutUint16(slot, check)
				for i, s := range w.Steps {
					slot[2+i] = byte(s)
				}
				break
			}
		}
	}
	return append(file, slots...), nil
}

// negates reports whether a lowercase word of a language other than English negates what follows.
func negates(language Language, spelt []byte) bool {
	switch language {
	case French:
		switch string(spelt) {
		case "pas", "jamais", "rien", "aucun", "aucune", "sans", "ni", "personne", "plus", "non":
			return true
		}
	case German:
		switch string(spelt) {
		case "nicht", "kein", "keine", "keinem", "keinen", "keiner", "keinerlei", "nie", "niemals", "nichts", "niemand",
			"ohne", "weder":
			return true
		}
	case Italian:
		switch string(spelt) {
		case "non", "mai", "niente", "nulla", "nessun", "nessuno", "nessuna", "senza", "né", "neanche":
			return true
		}
	case Portuguese:
		switch string(spelt) {
		case "não", "nao", "nunca", "nada", "ninguém", "nem", "sem", "nenhum", "nenhuma", "jamais":
			return true
		}
	case Dutch:
		switch string(spelt) {
		case "niet", "geen", "nooit", "niets", "niks", "niemand", "zonder", "nergens":
			return true
		}
	case Polish:
		switch string(spelt) {
		case "nie", "nigdy", "nic", "nikt", "bez", "żaden", "żadna", "żadnych", "ani":
			return true
		}
	case Spanish:
		switch string(spelt) {
		case "no", "nunca", "jamás", "nada", "nadie", "ni", "sin", "ningún", "ninguna", "tampoco":
			return true
		}
	}
	return false
}

// forNothing reports whether two words say "for nothing", which turns the thanks or praise before it.
func forNothing(language Language, preposition, nothing []byte) bool {
	p, n := string(preposition), string(nothing)
	switch language {
	case English:
		return (p == "for" || p == "4") && (n == "nothing" || n == "nothin" || n == "nuthin")
	case French:
		return p == "pour" && n == "rien"
	case German:
		return p == "für" && (n == "nichts" || n == "nix")
	case Italian:
		return p == "per" && (n == "niente" || n == "nulla")
	case Portuguese:
		return (p == "por" || p == "pra" || p == "para") && n == "nada"
	case Spanish:
		return p == "por" && n == "nada"
	}
	return false
}
