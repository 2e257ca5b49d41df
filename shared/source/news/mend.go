package news

import (
	"bytes"
	"strings"
)

// tooOften is the meaning of GDELT's sentence about its limit of one request in five seconds.
const tooOften = "was asked too often"

// refusal returns what a sentence instead of JSON means. GDELT sends it with status 200. It returns "" if the body is
// not such a sentence.
func refusal(body []byte) string {
	body = bytes.TrimSpace(body)
	if len(body) == 0 || strings.ContainsRune(`{[<"`, rune(body[0])) || len(body) > 2000 {
		return ""
	}
	sentence := strings.ToLower(string(body))
	for _, known := range []struct{ part, meaning string }{
		{"limit requests", tooOften},
		{"too short", "searches for nothing that short"},
		{"too long", "searches for nothing that long"},
		{"too common", "searches for nothing that common"},
		{"illegal character", "does not search for one of the characters"},
		{"date", "does not search that far back"},
	} {
		if strings.Contains(sentence, known.part) {
			return known.meaning
		}
	}
	return ""
}

// mend makes valid JSON of GDELT's response, whose titles have control characters and backslashes that begin no escape.
func mend(body []byte) []byte {
	if !bytes.ContainsRune(body, '\\') && bytes.IndexFunc(body, control) < 0 {
		return body
	}
	mended := make([]byte, 0, len(body)+16)
	for i := 0; i < len(body); i++ {
		switch b := body[i]; {
		case control(rune(b)):
			mended = append(mended, ' ')
		case b != '\\':
			mended = append(mended, b)
		case escapes(body[i+1:]):
			mended = append(mended, b, body[i+1])
			i++
		default:
			mended = append(mended, '\\', '\\')
		}
	}
	return mended
}

// control reports whether r is a control character. Between JSON's tokens some are white space, for which a space is as
// good.
func control(r rune) bool { return r < ' ' }

func escapes(rest []byte) bool {
	if len(rest) == 0 {
		return false
	}
	if rest[0] != 'u' {
		return strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0
	}
	return len(rest) >= 5 && strings.Trim(string(rest[1:5]), "0123456789abcdefABCDEF") == ""
}
