package web

// MaxSent is how many bytes of an answer's body may travel from a Lambda: it can send 6 MB, its headers and the event's own words
// included ("Lambda quotas": invocation payload).
const MaxSent = 5 << 20

// Sent is how many bytes a body has on its way from a Lambda, where it is a string in JSON that is written for HTML: a quotation mark
// is two, an angle bracket six.
func Sent(body []byte) int {
	size := len(body)
	for i, c := range body {
		switch {
		case c == '"' || c == '\\':
			size++
		case c < ' ' || c == '<' || c == '>' || c == '&':
			size += 5
		case c == 0xE2 && i+2 < len(body) && body[i+1] == 0x80 && body[i+2]&^1 == 0xA8: // U+2028 and U+2029
			size += 3
		}
	}
	return size
}
