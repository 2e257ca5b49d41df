package match

import "strings"

// Form is how a text of a keyword, a term or an excluded word compares with others of its kind whose case does not count: its normal
// form, folded, without blanks at its ends. It is empty when the text shows nothing: as a keyword's text it is a Fault, and as a
// condition it is passed over.
func Form(text string) string { return form(text, true) }

// CasedForm is Form where case counts.
func CasedForm(text string) string { return form(text, false) }

func form(text string, folded bool) string {
	var n normalizer
	normal, _ := n.normal(nil, nil, text, folded)
	return strings.Trim(string(normal), " ")
}

// Stem is a word of WildcardExcludeWords without the asterisk at its end.
func Stem(word string) string { return stems([]string{word})[0] }

// Author is how handles of ExcludeAuthors compare: folded, without the @ or Reddit's u/ before them. It is empty when the handle is of
// nobody.
func Author(handle string) string {
	var n normalizer
	return string(appendHandle(&n, nil, handle))
}
