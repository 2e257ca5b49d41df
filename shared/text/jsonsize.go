package text

// JSONSize returns an upper bound of the bytes of a text in a Lambda's JSON response, without the quotation marks
// around it. The text is a string in the JSON of the body, which itself is a string in JSON that is written for HTML. A
// quotation mark is therefore escaped twice, and an angle bracket takes six bytes.
//
// Domain packages bound by it what a client stores, so that a list that is returned whole (keywords, feeds) fits the
// 6 MB of a Lambda's response ("Lambda quotas").
func JSONSize[T ~string | ~[]byte](text T) (bytes int) {
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			bytes += 4
		case c < ' ':
			bytes += 7 // its escape has a backslash, which is escaped
		case c == '<' || c == '>' || c == '&':
			bytes += 6
		case c == 0xE2: // U+2028 and U+2029, which are escaped, begin so
			bytes += 5
		default:
			bytes++
		}
	}
	return bytes
}
