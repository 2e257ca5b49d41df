package feature

import (
	"unicode"
	"unicode/utf8"
)

// A token is a word, an emoticon, an emoji or a mark of punctuation of a text.
type token struct {
	kind       kind
	start, end int    // in reading.bytes, without the blanks around it
	hash       uint64 // of its bytes
	valence    float32
	capital    bool // a word of two letters or more, all capital
	negates    bool
	boosts     float32
	turned     bool // stands before "for nothing", or is mocked
	mocked     bool // praise for what happens again
	spent      spent
	quoted     bool // stands between quotation marks
	list       byte // number of the list that has the word
	tone       Tone
}

type kind uint8

const (
	word kind = iota
	face      // emoticon or emoji
	mark
)

const (
	maxScanned = 4 << 10 // bytes of a text that are read
	maxBytes   = 600     // bytes of tokens that are judged
	maxTokens  = 256
)

// A reading is a text's tokens, in lowercase, with a blank before and after each. A letter repeated three times or more
// is written twice. Addresses and handles are left out.
type reading struct {
	bytes  [maxBytes + 64]byte
	length int
	tokens [maxTokens]token
	count  int
	turned int  // end of the turned words in bytes
	quote  rune // the quotation mark that is open, or 0
	quotes int  // the token behind it
	known  int  // words that have a tone
}

// read reads a text. In the scope Toned the lexicon's words have no valence.
func (r *reading) read(t *Tables, language Language, scope Scope, text string) {
	r.split(&t.Lexicon, language, scope, text)
	r.turn(language)
	r.listen(&t.Tones, language)
}

// split reads the tokens of a text.
func (r *reading) split(l *Lexicon, language Language, scope Scope, text string) {
	if len(text) > maxScanned {
		text = text[:maxScanned]
	}
	r.bytes[0], r.length, r.count, r.turned, r.known, r.quote = ' ', 1, 0, 0, 0, 0
	for at := 0; at < len(text) && r.length < maxBytes && r.count < maxTokens; {
		b := text[at]
		switch {
		case b <= ' ':
			at++
			continue
		case at == 0 || text[at-1] <= ' ':
			if skip := outside(text[at:]); skip > 0 {
				at += skip
				continue
			}
			if end := emoticon(text[at:]); end > 0 && r.face(l, text[at:at+end]) {
				at += end
				continue
			}
		}
		if size := r.word(text[at:]); size > 0 {
			if scope == Whole {
				r.look(l)
			} else {
				t := &r.tokens[r.count-1]
				t.negates = r.negates(language, t)
			}
			at += size
			continue
		}
		if b < utf8.RuneSelf {
			if b == '!' || b == '?' || b == '.' || b == ',' || b == ';' || b == ':' {
				r.put(mark, text[at:at+1])
			} else if b == '"' {
				r.quotation('"')
			}
			at++
			continue
		}
		c, size := utf8.DecodeRuneInString(text[at:])
		r.quotation(c)
		if c != utf8.RuneError && (unicode.Is(unicode.So, c) || unicode.Is(unicode.Sk, c) && c > 0xFFFF) {
			r.face(l, text[at:at+size])
		}
		at += size
	}
}

// quotation opens or closes a quotation, if a character is a mark of one. One that is never closed is none.
func (r *reading) quotation(c rune) {
	if r.quote != 0 {
		closes := false
		switch r.quote {
		case '"':
			closes = c == '"'
		case '“':
			closes = c == '”'
		case '„':
			closes = c == '“' || c == '”'
		case '«':
			closes = c == '»'
		case '»':
			closes = c == '«'
		}
		if closes {
			for i := r.quotes; i < r.count; i++ {
				r.tokens[i].quoted = true
			}
			r.quote = 0
		}
		return
	}
	switch c {
	case '"', '“', '„', '«', '»':
		r.quote, r.quotes = c, r.count
	}
}

// word reads the word at the beginning of a text and returns its length in the text, or 0 if there is none.
func (r *reading) word(text string) int {
	start, at := r.length, 0
	letters, capitals := 0, 0
	var last rune
	repeated := 0
	hash := basis
	for at < len(text) && r.length < maxBytes {
		c, size := rune(text[at]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(text[at:])
		}
		switch {
		case c == '’':
			c = '\''
			fallthrough
		case c == '\'':
			if at == 0 || at+size >= len(text) || !letterAt(text[at+size:]) {
				c = 0
			}
		case isLetter(c):
			letters++
			if folded := lower(c); folded != c {
				capitals++
				c = folded
			}
		case '0' <= c && c <= '9' || c == '*' && at > 0:
		default:
			c = 0
		}
		if c == 0 {
			break
		}
		at += size
		if c == last {
			repeated++
		} else {
			last, repeated = c, 0
		}
		if repeated < 2 {
			n := utf8.EncodeRune(r.bytes[r.length:], c)
			for _, b := range r.bytes[r.length : r.length+n] {
				hash = add(hash, b)
			}
			r.length += n
		}
	}
	if at == 0 {
		return 0
	}
	r.tokens[r.count] = token{
		kind:    word,
		start:   start,
		end:     r.length,
		hash:    hash,
		capital: letters > 1 && capitals == letters,
	}
	r.count++
	r.bytes[r.length] = ' '
	r.length++
	return at
}

func (r *reading) put(k kind, text string) {
	start := r.length
	r.length += copy(r.bytes[r.length:maxBytes+60], text)
	r.tokens[r.count] = token{kind: k, start: start, end: r.length, hash: hashed(text)}
	r.count++
	r.bytes[r.length] = ' '
	r.length++
}

// face reads an emoticon or emoji. Every emoji counts, but only the lexicon's emoticons do.
func (r *reading) face(l *Lexicon, text string) bool {
	hash := basis
	for i := range len(text) {
		hash = add(hash, lowerByte(text[i]))
	}
	valence := l.valence(hash)
	if valence == 0 && text[0] < utf8.RuneSelf {
		return false
	}
	r.put(face, text)
	r.tokens[r.count-1].valence, r.tokens[r.count-1].hash = valence, hash
	return true
}

// look sets the last word's valence, and whether it negates or boosts. An unknown word with drawn-out letters is also
// looked up with single letters.
func (r *reading) look(l *Lexicon) {
	t := &r.tokens[r.count-1]
	t.valence = l.valence(t.hash)
	spelt := r.bytes[t.start:t.end]
	t.negates, t.boosts = modifier(spelt)
	if t.valence != 0 {
		return
	}
	if hash, doubled := r.single(t); doubled {
		t.valence = l.valence(hash)
	}
}

// single returns the hash of a word with single letters in place of doubled ones, and whether it has any.
func (r *reading) single(t *token) (hash uint64, doubled bool) {
	hash = basis
	spelt := r.bytes[t.start:t.end]
	for i, b := range spelt {
		if i > 0 && b == spelt[i-1] {
			doubled = true
			continue
		}
		hash = add(hash, b)
	}
	return hash, doubled
}

// negates reports whether a word negates what follows in its language.
func (r *reading) negates(language Language, t *token) bool {
	spelt := r.bytes[t.start:t.end]
	if language == English {
		negates, _ := modifier(spelt)
		return negates
	}
	return negates(language, spelt)
}

// clause is the number of words before "for nothing" that it turns. Punctuation ends them earlier.
const clause = 4

// turn marks the words before "for nothing".
func (r *reading) turn(language Language) {
	for i := 2; i < r.count; i++ {
		p, n := &r.tokens[i-1], &r.tokens[i]
		if p.kind != word || n.kind != word ||
			!forNothing(language, r.bytes[p.start:p.end], r.bytes[n.start:n.end]) {
			continue
		}
		for back := i - 2; back >= max(0, i-1-clause) && r.tokens[back].kind == word; back-- {
			r.tokens[back].turned = true
			r.turned = max(r.turned, r.tokens[back].end)
		}
	}
}

// listen gives the words their tones.
func (r *reading) listen(tones *Tones, language Language) {
	if language == Unknown {
		return
	}
	reach := 0
	for i := range r.tokens[:r.count] {
		t := &r.tokens[i]
		if t.kind != word {
			if t.kind == mark {
				reach = 0
			}
			continue
		}
		negated := t.turned || reach > 0 && !t.negates
		tone, known := tones.tone(language, t.hash, negated)
		if !known {
			tone, known = r.parts(tones, language, t, negated)
		}
		switch {
		case language == English: // learned from its texts
		case t.mocked, !negated && r.waits(language, i):
			tone, known = Tone{Negative: scorn, Positive: -scorn}, true
		case r.denied(language, i):
			tone, known = Tone{Negative: denial, Positive: -denial}, true
		}
		if known {
			t.tone = tone
			r.known++
		}
		switch {
		case t.negates:
			reach = scope
		case reach > 0:
			reach--
		}
	}
}

// parts looks up the part of a word after its last apostrophe: the noun of l'arrêt.
func (r *reading) parts(tones *Tones, language Language, t *token, negated bool) (Tone, bool) {
	hash, found := basis, false
	for _, b := range r.bytes[t.start:t.end] {
		if b == '\'' {
			hash, found = basis, true
			continue
		}
		hash = add(hash, b)
	}
	if !found {
		return Tone{}, false
	}
	return tones.tone(language, hash, negated)
}

func isLetter(c rune) bool {
	if c < utf8.RuneSelf {
		return 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return c != utf8.RuneError && (unicode.IsLetter(c) || unicode.Is(unicode.M, c) && c != 0xFE0F)
}

func letterAt(text string) bool {
	c, _ := utf8.DecodeRuneInString(text)
	return isLetter(c)
}

func lower(c rune) rune {
	if c < utf8.RuneSelf {
		if 'A' <= c && c <= 'Z' {
			return c | 0x20
		}
		return c
	}
	return unicode.ToLower(c)
}

func lowerByte(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b | 0x20
	}
	return b
}

// outside returns the length of the address or handle at the beginning of a text.
func outside(text string) int {
	address := text[0] == '@' || hasPrefix(text, "http://") || hasPrefix(text, "https://") || hasPrefix(text, "www.")
	if !address {
		return 0
	}
	return field(text)
}

// emoticon returns the length of a short run of signs at the beginning of a text that may be an emoticon. It returns 0
// for letters alone.
func emoticon(text string) int {
	end, signs := 0, false
	for ; end < len(text) && text[end] > ' '; end++ {
		if end == 8 {
			return 0
		}
		signs = signs ||
			!isLetter(rune(text[end])) && text[end] < utf8.RuneSelf && text[end] != '.' && text[end] != '!' &&
				text[end] != ','
	}
	if !signs || end < 2 {
		return 0
	}
	return end
}

func field(text string) (n int) {
	for n < len(text) && text[n] > ' ' {
		n++
	}
	return n
}

func hasPrefix(text, prefix string) bool {
	if len(text) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lowerByte(text[i]) != prefix[i] {
			return false
		}
	}
	return true
}
