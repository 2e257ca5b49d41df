package theme

import "strings"

// Overlap reports whether two terms have a word in common, or one and its plural.
func Overlap(a, b string) bool {
	for word := range strings.FieldsSeq(a) {
		for other := range strings.FieldsSeq(b) {
			if word == other || word+"s" == other || other+"s" == word {
				return true
			}
		}
	}
	return false
}
