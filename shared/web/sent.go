package web

// MaxSent is how many bytes of a response's body may leave a Lambda. A Lambda can send 6 MB, headers and the event's
// own members included ("Lambda quotas": invocation payload).
const MaxSent = 5 << 20

// MostSent is how many bytes a byte of a body takes at most when it leaves a Lambda.
const MostSent = 6

// Sent returns how many bytes a body has when it leaves a Lambda. There it is a JSON string with HTML escapes: a
// quotation mark takes two bytes, an angle bracket six.
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
