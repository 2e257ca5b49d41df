package dictionary

import "iter"

// All iterates over the words that Has knows.
func All() iter.Seq[string] {
	return func(yield func(string) bool) {
		blocks := (Len() + blockSize - 1) / blockSize
		rest := blob[len(magic)+4+4*blocks:]
		for word := []byte(nil); rest != ""; {
			word, rest = next(word, rest)
			if !yield(string(word)) {
				return
			}
		}
	}
}

// Levels iterates over the words of a language that Frequency knows, folded, with their levels.
func Levels(language string) iter.Seq2[string, Level] {
	return func(yield func(string, Level) bool) {
		place, known := numbers()[language]
		f := frameOf(spoken)
		letters := []rune(f.alphabet)
		rest := f.texts
		for word := []byte(nil); known && rest != ""; {
			word, rest = next(word, rest)
			for more := true; more; rest = rest[1:] {
				posting := rest[0]
				more = posting&lastPosting == 0
				if int(posting>>3) == place && !yield(decoded(word, letters), Level(posting>>1&3)+1) {
					return
				}
			}
		}
	}
}

// next returns the first word of texts, as Encode writes it behind another, and the texts behind it.
func next(before []byte, texts string) (word []byte, rest string) {
	word = append(word, before[:texts[0]]...)
	for rest = texts[1:]; ; {
		letter := rest[0]
		rest = rest[1:]
		word = append(word, letter&^last)
		if letter&last != 0 {
			return word, rest
		}
	}
}

func decoded(word []byte, letters []rune) string {
	text := make([]rune, len(word))
	for i, number := range word {
		text[i] = letters[number-1]
	}
	return string(text)
}
