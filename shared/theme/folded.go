package theme

import (
	"strings"
	"unicode"
)

const foldedBytes = 2 << 10 // of a folded text tell it from others

// Folded returns what people say in a text: its letters and digits in lowercase, without links and without the head of a
// repost ("RT @name:"). What differs in signs, blanks, case or links alone is the same.
func Folded(text string) string {
	var out strings.Builder
	number := 0
	repost := false
	for word := range strings.FieldsSeq(text) {
		number++
		switch {
		case number == 1 && word == "RT":
			repost = true
			continue
		case number == 2 && repost && strings.HasPrefix(word, "@"), strings.Contains(word, "://"):
			continue
		}
		for _, r := range word {
			if inWord(r) {
				out.WriteRune(unicode.ToLower(r))
			}
		}
		if out.Len() > foldedBytes {
			break
		}
	}
	return out.String()
}
