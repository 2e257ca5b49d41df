package wizard

import (
	"strconv"
	"strings"
	"unicode"

	"earshot/shared/text"
	"earshot/shared/text/fold"
)

// A token is a word, a number, a quotation or a sign of a request.
type token struct {
	kind kind
	text string  // folded; of a handle without its @
	raw  string  // as it was written
	n    float64 // of a number
	plus bool    // of a number: "50k+"
}

type kind int

const (
	word kind = iota
	number
	quotation
	handle
	comma // ends a phrase
	minus // stands right before a word: "-giveaway"
)

var possessive = text.NewPattern(`(['’]s)([^\pL\pN]|$)`)

// tokens splits a request. A possessive is its word. Apostrophes are dropped, so that "don't" and "dont" are one word.
func tokens(request string) []token {
	request = possessive.ReplaceAllString(request, "$2")
	request = strings.NewReplacer(
		"w/o", "without", "W/o", "without", "w/", "with ", "’", "", "'", "", "\u2013", "-", "\u2014", "-",
		"“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, ">=", " ≥ ", "<=", " ≤ ",
	).Replace(request)
	letters := []rune(request)
	var found []token
	for i := 0; i < len(letters); {
		switch r := letters[i]; {
		case r == '"':
			end := i + 1
			for end < len(letters) && letters[end] != '"' {
				end++
			}
			quoted := strings.TrimSpace(string(letters[i+1 : end]))
			if quoted != "" {
				found = append(found, token{kind: quotation, text: folded(quoted), raw: quoted})
			}
			i = end + 1
		case r == '@' && i+1 < len(letters) && isLetter(letters[i+1]):
			end := i + 1
			for end < len(letters) && (isLetter(letters[end]) || strings.ContainsRune("_.-", letters[end])) {
				end++
			}
			name := strings.TrimRight(string(letters[i+1:end]), ".-")
			found = append(found, token{kind: handle, text: name, raw: name})
			i = end
		case isLetter(r):
			end := i
			for end < len(letters) && (isLetter(letters[end]) || inside(letters, end)) {
				end++
			}
			found = append(found, toToken(string(letters[i:end])))
			if end < len(letters) && letters[end] == '+' && found[len(found)-1].kind == number {
				found[len(found)-1].plus = true
				end++
			}
			i = end
		case r == '-' && i+1 < len(letters) && isLetter(letters[i+1]) && (i == 0 || unicode.IsSpace(letters[i-1])):
			found = append(found, token{kind: minus, text: "-", raw: "-"})
			i++
		case r == '&' || r == '+':
			found = append(found, token{text: "and", raw: "and"})
			i++
		case strings.ContainsRune("<>≤≥", r):
			found = append(found, token{text: string(r), raw: string(r)})
			i++
		case unicode.IsSpace(r) || r == ':' || r == '=' && !strings.HasPrefix(string(letters[i:]), "=="):
			i++
		case r == '-' && i > 0 && unicode.IsSpace(letters[i-1]) && i+1 < len(letters) && unicode.IsSpace(letters[i+1]):
			found = append(found, token{text: "-", raw: "-"}) // as in "nov 3 - nov 5"
			i++
		case strings.ContainsRune(",;()!?.-", r):
			if n := len(found); n > 0 && found[n-1].kind != comma {
				found = append(found, token{kind: comma, text: ",", raw: ","})
			}
			i++
		default: // no sign of a request
			found = append(found, token{text: string(r), raw: string(r)})
			i++
		}
	}
	return found
}

func isLetter(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// inside reports whether a sign joins two letters: "dev.to", "top-level", "10,000", "11/10/2026".
func inside(letters []rune, i int) bool {
	if i+1 >= len(letters) || !isLetter(letters[i+1]) {
		return false
	}
	digits := unicode.IsDigit(letters[i-1]) && unicode.IsDigit(letters[i+1])
	return letters[i] == '.' || letters[i] == '-' || digits && (letters[i] == ',' || letters[i] == '/')
}

func folded(s string) string { return fold.Canonical(s) }

// toToken reads a number such as 10k, 2.5m or 10,000, or a word.
func toToken(raw string) token {
	t := token{text: folded(raw), raw: raw}
	digits, times := strings.ReplaceAll(t.text, ",", ""), 1.0
	for suffix, by := range map[string]float64{"k": 1e3, "m": 1e6} {
		if cut, ok := strings.CutSuffix(digits, suffix); ok {
			digits, times = cut, by
		}
	}
	if digits == "" || digits[0] < '0' || digits[0] > '9' {
		return t
	}
	if n, err := strconv.ParseFloat(digits, 64); err == nil && n*times <= 1e12 {
		t.kind, t.n = number, n*times
	}
	return t
}

// wordsOf returns the folded words of a name.
func wordsOf(name string) []string {
	var words []string
	for _, t := range tokens(name) {
		if t.kind != comma {
			words = append(words, t.text)
		}
	}
	return words
}
