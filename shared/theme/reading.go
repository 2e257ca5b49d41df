package theme

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"earshot/shared/text"
)

// Bounds of what is read of a post.
const (
	readBytes = 4 << 10 // of its title and of its body
	readWords = 300     // of both
)

// english is the language of the embedding, and the one whose function words stand in posts of any language.
const english = "english"

// A token is a word of a post, or a run of characters of a script that leaves no blanks between words.
type token struct {
	spelled string
	key     string // by which words are one: lowercase, without a plural s; empty for words that tell nothing
	joint   byte   // what stands between the token before and this one: a blank, a hyphen, or 0 for something else
	dense   bool   // of a script without blanks: labels are parts of spelled
}

// A reading is what was read of a post.
type reading struct {
	tokens  []token
	words   []string // by which the post is compared, sorted, each once
	meaning []byte
}

func readPost(p *Post, own map[string]bool) (r reading) {
	stops := stopsOf(p.Language)
	for _, s := range []string{p.Title, p.Body} {
		if len(r.tokens) > 0 {
			r.tokens = append(r.tokens, token{}) // nothing is joined across it
		}
		for word, joint := range spelled(text.First(strings.ToValidUTF8(s[:min(len(s), readBytes)], " "), readBytes)) {
			if len(r.tokens) >= readWords {
				break
			}
			r.read(word, joint, stops, own)
		}
	}
	slices.Sort(r.words)
	r.words = slices.Compact(r.words)
	if p.Language == english || !isLanguage(p.Language) {
		r.meaning = p.Vector
	}
	return r
}

func isLanguage(name string) bool { return name != "" && name != "undetermined" }

// read adds a word, or the parts of it that have different scripts.
func (r *reading) read(word string, joint byte, stops, own map[string]bool) {
	for word != "" {
		end := scriptEnd(word)
		part := word[:end]
		first, _ := utf8.DecodeRuneInString(part)
		switch {
		case unicode.Is(unicode.Hiragana, first): // what holds a Japanese sentence together
			r.tokens = append(r.tokens, token{})
		case isDense(first):
			r.dense(part, stops, own)
		default:
			r.word(part, joint, stops, own)
		}
		word, joint = word[end:], 0
	}
}

func (r *reading) word(spelled string, joint byte, stops, own map[string]bool) {
	if !isWord(spelled) || manyMarks(spelled) {
		r.tokens = append(r.tokens, token{})
		return
	}
	lower := strings.ToLower(spelled)
	t := token{spelled: spelled, joint: joint}
	if key := keyOf(lower); !stops[lower] && !own[key] && !signs[lower] {
		t.key = key
		r.words = append(r.words, key)
	}
	r.tokens = append(r.tokens, t)
}

// dense adds a run of characters of a script without blanks. Words that posts were selected by divide it.
func (r *reading) dense(run string, stops, own map[string]bool) {
	characters := []rune(run)
	size := gramSize(characters[0])
	from := 0
	for i := 0; i+size <= len(characters); i++ {
		if own[string(characters[i:i+size])] {
			r.segment(characters[from:max(from, i)], stops, own)
			from = i + size
		}
	}
	r.segment(characters[min(from, len(characters)):], stops, own)
}

// segment adds characters of a script without blanks. Their words are unknown: each two characters, or three of an
// alphabet, stand for them.
func (r *reading) segment(characters []rune, stops, own map[string]bool) {
	run := string(characters)
	if len(characters) < 2 || own[run] {
		r.tokens = append(r.tokens, token{})
		return
	}
	r.tokens = append(r.tokens, token{spelled: run, dense: true})
	if isKatakana(characters[0]) {
		if !stops[run] && len(characters) <= mostLetters {
			r.words = append(r.words, run)
		}
		return
	}
	size := gramSize(characters[0])
	for i := 0; i+size <= len(characters) && len(r.words) < 2*readWords; i++ {
		if gram := string(characters[i : i+size]); !stops[gram] {
			r.words = append(r.words, gram)
		}
	}
}

// gramSize returns how many characters of a script without blanks stand for a word.
func gramSize(first rune) int {
	if unicode.Is(unicode.Han, first) {
		return 2
	}
	return 3
}

// scriptEnd returns where the characters end that are of the same kind of script as the first.
func scriptEnd(word string) int {
	kind := -1
	for i, r := range word {
		of := 0
		switch {
		case unicode.Is(unicode.Han, r):
			of = 1
		case isKatakana(r):
			of = 2
		case unicode.Is(unicode.Hiragana, r):
			of = 3
		case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			of = 4
		case unicode.IsMark(r) && kind >= 0:
			of = kind
		}
		if kind >= 0 && of != kind {
			return i
		}
		kind = of
	}
	return len(word)
}

func isKatakana(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' }

func isDense(r rune) bool {
	return isKatakana(r) || unicode.In(r, unicode.Han, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// manyMarks reports whether a word has more marks than letters, as no language has.
func manyMarks(word string) bool {
	marks, letters := 0, 0
	for _, r := range word {
		if unicode.IsMark(r) {
			marks++
		} else {
			letters++
		}
	}
	return marks > letters
}

// keyOf returns by what a lowercase word is compared. It takes away the plural s of words in ASCII and the particle of
// Korean words.
func keyOf(lower string) string {
	last := len(lower) - 1
	if last >= 3 && lower[last] == 's' && lower[last-1] != 's' && lower[last-1] != 'u' && lower[last-1] != 'i' &&
		lower[0] < utf8.RuneSelf {
		return lower[:last]
	}
	if first, size := utf8.DecodeRuneInString(lower); unicode.Is(unicode.Hangul, first) && len(lower) > 2*size {
		return withoutParticle(lower, size)
	}
	return lower
}

// particles of Korean nouns, longer ones first.
var particles = []string{"에서는", "으로는", "에서", "에게", "으로", "까지", "부터", "이나", "처럼", "보다", "하고", "이랑", "은", "는", "이", "가",
	"을", "를",
	"의", "에", "로", "와", "과", "도", "만"}

func withoutParticle(word string, size int) string {
	for _, particle := range particles {
		if stem, found := strings.CutSuffix(word, particle); found && len(stem) >= 2*size {
			return stem
		}
	}
	return word
}

// signs are words of markup and addresses.
var signs = map[string]bool{
	"amp":      true,
	"nbsp":     true,
	"quot":     true,
	"gt":       true,
	"lt":       true,
	"href":     true,
	"http":     true,
	"https":    true,
	"www":      true,
	"com":      true,
	"html":     true,
	"htm":      true,
	"rel":      true,
	"nofollow": true,
	"noopener": true,
	"utm":      true,
	"rt":       true,
	"pdf":      true,
	"via":      true,
}

// ownWords returns the words of texts that posts were selected by, as posts are compared by them.
func ownWords(texts []string) map[string]bool {
	own := map[string]bool{}
	for _, text := range texts {
		var r reading
		joined := ""
		for word, joint := range spelled(norm.NFC.String(strings.NewReplacer("@", " ", "#", " ").Replace(text))) {
			r.read(word, joint, nil, nil)
			joined += strings.ToLower(word)
		}
		for _, t := range r.tokens {
			if t.dense {
				own[t.spelled] = true
			}
		}
		for _, word := range r.words {
			own[word] = true
		}
		if joined != "" {
			own[keyOf(joined)] = true
		}
	}
	return own
}
