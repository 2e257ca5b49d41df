package story

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"html"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"earshot/shared/text"
	"earshot/shared/text/fold"
)

// A reader writes texts in the canonical form into a hash, and counts what they say.
type reader struct {
	normalizer fold.Normalizer
	names      []string // of the sites that the post links to, without blanks
	digest     hash.Hash
	pending    []byte // of the canonical form
	number     bool   // whether the form so far ends with a digit
	seen       map[string]bool
	words      int
	letters    float64
}

// mostCounted bounds the words that are counted for a Bound. The hash takes all words.
const mostCounted = 64

func (r *reader) begin() {
	r.digest, r.seen = sha256.New(), make(map[string]bool, 16)
	r.pending, r.number, r.words, r.letters = r.pending[:0], false, 0, 0
}

func (r *reader) reaches(b Bound) bool { return r.words >= b.Words && int(r.letters) >= b.Letters }

func (r *reader) fingerprint(b Bound) Fingerprint {
	if !r.reaches(b) {
		return 0
	}
	r.flush()
	return max(1, Fingerprint(binary.BigEndian.Uint64(r.digest.Sum(nil))))
}

func (r *reader) flush() {
	_, _ = r.digest.Write(r.pending) // it never fails
	r.pending = r.pending[:0]
}

// MaxBytes is how many bytes of a title and of a body count. A post says early what it says, and a longer one costs no
// more.
const MaxBytes = 16 << 10

// text reads one text of the post.
func (r *reader) text(raw string) {
	if len(raw) > MaxBytes {
		raw = strings.ToValidUTF8(raw[:MaxBytes], "")
	}
	if strings.Contains(raw, "&") {
		raw = html.UnescapeString(raw)
	}
	normal, _ := r.normalizer.Normal(nil, nil, raw, true)
	plain, links := withoutLinks(string(normal))
	before := len(r.names)
	r.hosts(links)
	plain = r.core(plain)
	r.names = r.names[:before]
	r.read(plain)
}

// core returns the text without what people and programs put around a text that they pass on.
func (r *reader) core(plain string) string {
	plain = strings.TrimSpace(plain)
	for range mostTrims {
		short := withoutLabel(plain)
		if short == plain {
			break
		}
		plain = short
	}
	for range mostTrims {
		short := withoutNote(plain)
		if short == plain {
			short = r.withoutSite(plain)
		}
		if short == plain {
			break
		}
		plain = short
	}
	return plain
}

// mostTrims bounds what is removed from each end of a text, so that the work stays linear.
const mostTrims = 8

// labels begin texts and say nothing of them. They are in the normal form.
var labels = []string{
	"show hn", "ask hn", "tell hn", "launch hn", "breaking", "breaking news", "icymi", "psa", "til", "[oc]", "(oc)",
}

// withoutLabel removes a label or the head of a retweet from the text's beginning.
func withoutLabel(plain string) string {
	plain = strings.TrimLeft(plain, " \"“”„«'‘’.")
	if rest, ok := strings.CutPrefix(plain, "rt @"); ok {
		end := strings.IndexFunc(rest, func(c rune) bool { return !handleRune(c) })
		if end < 0 {
			return ""
		}
		return strings.TrimLeft(rest[end:], " :")
	}
	for _, label := range labels {
		rest, ok := strings.CutPrefix(plain, label)
		if !ok || rest == "" {
			continue
		}
		after := strings.TrimLeft(rest, " ")
		for _, mark := range []string{":", "-", "–", "—", "|"} {
			if strings.HasPrefix(after, mark) {
				return strings.TrimLeft(after[len(mark):], " ")
			}
		}
		if strings.HasSuffix(label, "]") || strings.HasSuffix(label, ")") {
			return after
		}
	}
	return plain
}

func handleRune(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' || c == '.' || c == '-'
}

// notes end texts and say nothing of them.
var notes = []string{"[pdf]", "(pdf)", "[video]", "(video)", "[oc]", "(oc)", "[audio]", "…", "...", "read more", "|"}

// withoutNote removes a note, or the account from which somebody has the text, from the text's end.
func withoutNote(plain string) string {
	plain = strings.TrimRight(plain, " \"“”«»'‘’:→>")
	for _, note := range notes {
		if short, ok := strings.CutSuffix(plain, note); ok && short != "" {
			return strings.TrimRight(short, " ")
		}
	}
	open := strings.TrimSuffix(plain, ")")
	first := max(0, len(open)-longestSite)
	if at := first + strings.LastIndexByte(open[first:], '@'); at > first && strings.IndexFunc(
		open[at+1:], func(c rune) bool { return !handleRune(c) },
	) < 0 {
		before := strings.TrimRight(open[:at], " ")
		for _, from := range []string{" via", "(via", " h/t", "(h/t"} {
			if short, ok := strings.CutSuffix(before, from); ok {
				return strings.TrimRight(short, " ")
			}
		}
	}
	return plain
}

// longestSite is how many bytes a site's name or an account at a text's end has at most.
const longestSite = 64

// withoutSite removes a site's name from the text's end, if a link of the post or the list of outlets knows the name.
// Other words stay, whatever is before them: they may be what the text is about.
func (r *reader) withoutSite(plain string) string {
	tail := plain[max(0, len(plain)-longestSite):]
	at, width := -1, 0
	for _, mark := range []string{" - ", " – ", " — ", " | ", " · ", " • ", " :: ", " » ", "|", "｜"} {
		if i := strings.LastIndex(tail, mark); i > at {
			at, width = i, len(mark)
		}
	}
	if at < 0 {
		return plain
	}
	name := bare(tail[at+width:])
	if name == "" || !slices.Contains(r.names, name) && !isOutlet(name) {
		return plain
	}
	return strings.TrimRight(plain[:len(plain)-len(tail)+at], " ")
}

// bare returns the letters and digits of a text, without an article at its beginning.
func bare(name string) string {
	name = strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, name)
	if len(name) > len("the")+2 {
		name = strings.TrimPrefix(name, "the")
	}
	return name
}

// hosts adds the names of the sites of links: "theverge" and "thevergecom" for theverge.com.
func (r *reader) hosts(links []string) {
	const most = 8 // links of one post
	for _, link := range links[:min(len(links), most)] {
		if !strings.Contains(link, "://") {
			link = "http://" + link
		}
		parsed, err := url.Parse(link)
		if err != nil {
			continue
		}
		host := strings.TrimPrefix(strings.ToLower(parsed.Hostname()), "www.")
		labels := strings.Split(host, ".")
		if len(labels) < 2 || len(labels) > 5 {
			continue
		}
		r.names = append(r.names, bare(host))
		for _, label := range labels[:len(labels)-1] {
			if len(label) > 2 {
				r.names = append(r.names, bare(label))
			}
		}
	}
}

// withoutLinks cuts links out of a text in the normal form, and returns the first of them.
func withoutLinks(plain string) (string, []string) {
	const most = 4
	var links []string
	var out strings.Builder
	kept := 0
	for at := 0; at < len(plain); {
		if !startsWord(plain, at) || !startsLink(plain[at:]) {
			at++
			continue
		}
		end := at
		for end < len(plain) && plain[end] > ' ' && plain[end] < utf8.RuneSelf && strings.IndexByte(`<>"`, plain[end]) < 0 {
			end++
		}
		if len(links) < most {
			links = append(links, plain[at:end])
		}
		out.WriteString(plain[kept:at])
		out.WriteByte(' ')
		at, kept = end, end
	}
	if kept == 0 {
		return plain, nil
	}
	out.WriteString(plain[kept:])
	return out.String(), links
}

// startsWord reports whether no ASCII letter, digit, dot or dash is right before a place.
func startsWord(s string, at int) bool { return at == 0 || !hostByte(s[at-1]) }

func hostByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '@' || c == '/'
}

// startsLink reports whether a text begins with an address: with a scheme, or a host and a path.
func startsLink(s string) bool {
	if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "www.") {
		return true
	}
	const longest = 80 // bytes of a host
	dot := 0
	for i := range min(len(s), longest) {
		c := s[i]
		switch {
		case c == '/':
			return dot > 0 && i-dot > 2 && strings.Trim(s[dot+1:i], "abcdefghijklmnopqrstuvwxyz") == ""
		case c == '.':
			if i == dot+1 || i == 0 {
				return false
			}
			dot = i
		case c == '@' || !hostByte(c):
			return false
		}
	}
	return false
}

// read hashes the words of a text. Words are hashed without what separates them, because "live-coded" and "livecoded"
// are one word. A blank stays between two numbers.
func (r *reader) read(plain string) {
	var word []byte
	weight, before := 0.0, rune(0)
	end := func() {
		r.count(word, weight)
		word, weight = word[:0], 0
	}
	for i, c := range plain {
		digit := unicode.IsDigit(c)
		switch {
		case digit || unicode.IsLetter(c) || unicode.Is(unicode.M, c):
			if digit && r.number && !unicode.IsDigit(before) && before != '.' && before != ',' {
				r.pending = append(r.pending, ' ')
			}
			if digit && (before == '-' || before == '+' || before == '−') && startsNumber(plain[:i], before) {
				r.pending = utf8.AppendRune(r.pending, before)
			}
			r.pending, r.number = utf8.AppendRune(r.pending, c), digit
			alone, per := density(c)
			if alone && len(word) > 0 && weight >= 5 { // as much as a word of five letters
				end()
			}
			word, weight = utf8.AppendRune(word, c), weight+per
		case (c == '.' || c == ',') && unicode.IsDigit(before) && nextDigit(plain[i+1:]),
			c == '%' && unicode.IsDigit(before),
			(c == '+' || c == '#') && (unicode.IsLetter(before) || before == '+'),
			unicode.Is(unicode.Sc, c):
			r.pending = utf8.AppendRune(r.pending, c)
		case c == '\'' || c == '’':
		default:
			end()
		}
		before = c
		if len(r.pending) >= 1<<10 {
			r.flush()
		}
	}
	end()
}

// startsNumber reports whether the sign at the text's end has a blank before it, and is therefore a number's.
func startsNumber(head string, sign rune) bool {
	head = head[:len(head)-utf8.RuneLen(sign)]
	return head == "" || strings.HasSuffix(head, " ")
}

func nextDigit(tail string) bool {
	c, _ := utf8.DecodeRuneInString(tail)
	return unicode.IsDigit(c)
}

// density returns how many letters of an alphabet a character is worth, and whether its script writes words without
// blanks between them.
func density(c rune) (alone bool, letters float64) {
	switch {
	case c < 0x0E00:
		return false, 1
	case unicode.Is(unicode.Han, c):
		return true, 2.5
	case unicode.Is(unicode.Hangul, c):
		return false, 2
	case unicode.Is(unicode.Katakana, c):
		return true, 1
	case unicode.Is(unicode.Hiragana, c): // mostly endings and particles
		return true, 0.5
	case unicode.In(c, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		if unicode.Is(unicode.M, c) {
			return true, 0
		}
		return true, 0.8
	}
	return false, 1
}

// count counts a word once, unless it is a function word.
func (r *reader) count(word []byte, weight float64) {
	if len(word) == 0 || r.words >= mostCounted || r.seen[string(word)] || isFunctionWord(string(word)) {
		return
	}
	r.seen[string(word)] = true
	r.words++
	r.letters += weight
}

// functionWords returns the function words of all languages, without apostrophes. Package text has them folded.
var functionWords = sync.OnceValue(func() map[string]bool {
	all := make(map[string]bool, 800) // without growing on the way
	for _, language := range text.FunctionWordLanguages() {
		for _, word := range text.FunctionWords(language) {
			all[strings.ReplaceAll(word, "'", "")] = true
		}
	}
	return all
})

func isFunctionWord(word string) bool { return functionWords()[word] }
