package fold

import "strings"

// Form returns the form in which texts of keywords, terms and excluded words compare if their case does not count: the
// normal form, folded, without blanks at its ends. It is empty if the text shows nothing: as a keyword's text that is a
// match.Fault, and as a condition it is passed over.
func Form(text string) string { return form(text, true) }

// CasedForm is Form where case counts.
func CasedForm(text string) string { return form(text, false) }

func form(text string, folded bool) string {
	var n Normalizer
	normal, _ := n.Normal(nil, nil, text, folded)
	return strings.Trim(string(normal), " ")
}

// Stem returns a word of WildcardExcludeWords without the asterisk at its end.
func Stem(word string) string { return strings.TrimRight(strings.TrimSpace(word), "*") }

// Author returns the form in which handles of ExcludeAuthors compare: see AppendHandle. It is empty if the handle is
// nobody's.
func Author(handle string) string {
	var n Normalizer
	return string(AppendHandle(&n, nil, handle))
}

// AppendHandle appends a handle in the form in which handles compare: folded, without blanks around it and without an @
// or Reddit's u/ before it.
func AppendHandle(n *Normalizer, dst []byte, handle string) []byte {
	handle = strings.TrimLeft(strings.TrimSpace(handle), "@")
	handle = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(handle, "/"), "u/"), "U/")
	dst, _ = n.Normal(dst, nil, handle, true)
	return dst
}
