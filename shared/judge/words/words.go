// Package words cuts a post into words for the judges of relevance and tags: folded to lowercase, each with the text
// before and after it, and links kept apart. It never fails; a post without text has no words.
//
// Only shared/judge and its packages import it.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxBytes bounds what is read of a text. A post says early what it says, and a longer one costs no more.
const MaxBytes = 8 << 10

// Kind is the kind of a word.
type Kind uint8

// The kinds.
const (
	Letters Kind = iota // letters, with digits among them, and with apostrophes between
	Number              // digits, with separators between them
	Link                // a URL; Text is its host
)

// A Word is a part of a text.
type Word struct {
	Text    string // lowercase; the host without "www." for a link
	Kind    Kind
	Before  rune // '#', '$', '€' or '£' right before the word, '@' before a handle, or 0
	Starts  bool // begins a sentence or a line
	Ends    rune // '.', '!', '?' or '\n' at the end of a sentence or line, '%' right after a number, ',' at another break, or 0
	Upper   bool // has two letters or more, all of them capitals
	Capital bool // begins with a capital
}

// Cut returns the text's words, in order. The words share one folded copy of the text.
func Cut(text string) []Word {
	if len(text) > MaxBytes {
		text = text[:MaxBytes]
		for range utf8.UTFMax { // a character that the cut divided
			if r, size := utf8.DecodeLastRuneInString(text); r != utf8.RuneError || size != 1 {
				break
			}
			text = text[:len(text)-1]
		}
	}
	c := cutter{text: text, words: make([]Word, 0, len(text)/5+1), starts: true}
	c.folded.Grow(len(text) + 16)
	for c.at < len(text) {
		c.next()
	}
	c.settle()
	return c.words
}

type cutter struct {
	text   string
	at     int
	folded strings.Builder
	words  []Word
	starts bool // the next word begins a sentence
	before rune // the mark right before the next word
	tight  bool // an @ here would be part of an e-mail address
}

// next reads one word, or one character between words.
func (c *cutter) next() {
	r, size := c.rune(c.at)
	switch {
	case isWord(r):
		if host, length := link(c.text[c.at:]); length > 0 {
			c.take(Word{Text: host, Kind: Link})
			c.at += length
			return
		}
		c.word()
		c.tight = true
	default:
		c.between(r)
		c.at += size
		c.tight = r == '_' || r == '-' || r == '+'
	}
}

func (c *cutter) rune(at int) (rune, int) {
	if b := c.text[at]; b < utf8.RuneSelf {
		return rune(b), 1
	}
	return utf8.DecodeRuneInString(c.text[at:])
}

// between notes a character between words.
func (c *cutter) between(r rune) {
	c.before = 0
	switch r {
	case '@':
		if !c.tight { // else it is an e-mail address
			c.before = r
		}
	case '#', '$', '€', '£':
		c.before = r
	case '.', '!', '?', '。', '！', '？', '…':
		c.end(plain(r))
	case '\n', '\r':
		c.end('\n')
	case '%':
		c.mark('%')
	case ',', ';', ':', '(', ')', '"', '“', '”', '—', '–', '|', '/', '[', ']':
		c.mark(',')
	}
}

func plain(r rune) rune {
	switch r {
	case '！', '!':
		return '!'
	case '？', '?':
		return '?'
	}
	return '.'
}

// end closes a sentence. Of several marks in a row the most telling stays: "?!" is a question.
func (c *cutter) end(mark rune) {
	c.starts = true
	if n := len(c.words); n > 0 {
		if last := &c.words[n-1]; mark == '?' ||
			last.Ends != '?' && (mark == '!' || last.Ends == 0 || last.Ends == ',') {
			last.Ends = mark
		}
	}
}

func (c *cutter) mark(mark rune) {
	if n := len(c.words); n > 0 && c.words[n-1].Ends == 0 {
		c.words[n-1].Ends = mark
	}
}

// word reads a run of letters and digits. An apostrophe joins them, and so do a point or comma between digits and an
// underline in a handle.
func (c *cutter) word() {
	start, kind, letters, capitals := c.folded.Len(), Number, 0, 0
	first, _ := c.rune(c.at)
	for c.at < len(c.text) {
		r, size := c.rune(c.at)
		switch {
		case r >= 'a' && r <= 'z':
			kind, letters = Letters, letters+1
		case r >= 'A' && r <= 'Z':
			kind, letters, capitals = Letters, letters+1, capitals+1
			r += 'a' - 'A'
		case r >= '0' && r <= '9':
		case r == '\'' || r == '’':
			if !c.joins(c.at+size, unicode.IsLetter) {
				goto done
			}
			r = '\''
		case r == '.' || r == ',':
			if kind != Number || !c.joins(c.at+size, unicode.IsDigit) {
				goto done
			}
		case r >= utf8.RuneSelf && isWord(r):
			kind, letters = Letters, letters+1
			if unicode.IsUpper(r) {
				capitals++
			}
			r = unicode.ToLower(r)
		case r == '_' && c.before == '@' && c.joins(c.at+size, isHandle):
		default:
			goto done
		}
		c.folded.WriteRune(r)
		c.at += size
	}
done:
	c.take(Word{
		Text:    c.folded.String()[start:],
		Kind:    kind,
		Upper:   letters >= 2 && letters == capitals,
		Capital: unicode.IsUpper(first),
	})
}

func isHandle(r rune) bool { return r == '_' || isWord(r) }

func (c *cutter) joins(at int, is func(rune) bool) bool {
	if at >= len(c.text) {
		return false
	}
	r, _ := c.rune(at)
	return is(r)
}

func (c *cutter) take(word Word) {
	word.Before, word.Starts = c.before, c.starts
	c.words = append(c.words, word)
	c.starts, c.before = false, 0
}

// settle ends the last sentence.
func (c *cutter) settle() {
	if n := len(c.words); n > 0 && (c.words[n-1].Ends == 0 || c.words[n-1].Ends == ',') {
		c.words[n-1].Ends = '\n'
	}
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// link returns the host and the length of the URL at the beginning of the text. The length is 0 if there is no URL.
func link(text string) (host string, length int) {
	rest := text
	switch {
	case hasPrefixFold(rest, "https://"):
		rest = rest[len("https://"):]
	case hasPrefixFold(rest, "http://"):
		rest = rest[len("http://"):]
	case !hasPrefixFold(rest, "www."):
		return "", 0
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || r == '<' || r == '>' || r == '"' })
	if end < 0 {
		end = len(rest)
	}
	url := strings.TrimRight(rest[:end], ".,;:!?)]}'")
	host = url
	if cut := strings.IndexAny(host, "/?#:"); cut >= 0 {
		host = host[:cut]
	}
	return strings.TrimPrefix(strings.ToLower(host), "www."), len(text) - len(rest) + len(url)
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}
