package compose

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"earshot/shared/summary"
)

// numbers are the number words of English, and those that say how many without a number.
var numbers = map[string]string{
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
	"nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15",
	"sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40",
	"fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90", "both": "2",
}

var amounts = words(`hundred hundreds thousand thousands million millions billion billions dozen dozens half third thirds
	quarter quarters double doubled triple tripled twice thrice halved most majority minority many all every everyone
	everybody none nobody always never overwhelming overwhelmingly mostly rarely increasingly fewer more less rising growing`)

// A quantity is a word that says how many or how much, in one spelling: "1200", "50%", "$9", "v2.1", "half".
type quantity struct {
	value string
	at    int // its place among the words
}

// spoken is a text as words, with its quantities.
type spoken struct {
	words      []string
	quantities []quantity
}

func isQuantity(word string) bool {
	_, number := numbers[word]
	return number || amounts[word] || strings.IndexFunc(word, unicode.IsNumber) >= 0
}

func read(s string) (out spoken) {
	for _, raw := range strings.Fields(strings.ToLower(s)) {
		for _, word := range strings.FieldsFunc(raw, func(r rune) bool { return strings.ContainsRune("()[]{}\"“”;!?—–…", r) }) {
			if word = strings.Trim(word, ".,:'’‘`*_"); word != "" {
				out.words = append(out.words, word)
			}
		}
	}
	for i, word := range out.words {
		value := word
		parts := strings.Split(word, "-")
		if n, ok := numbers[word]; ok {
			value = n
		} else if !isQuantity(word) && (len(parts) < 2 || !slices.ContainsFunc(parts, isQuantity)) {
			continue
		}
		value = withoutThousands(value)
		if isDigits(value) && percentFollows(out.words[i+1:]) {
			value += "%"
		}
		out.quantities = append(out.quantities, quantity{value, i})
	}
	return out
}

func percentFollows(after []string) bool {
	return len(after) > 0 && (after[0] == "%" || after[0] == "percent" ||
		len(after) > 1 && after[0] == "per" && after[1] == "cent")
}

// withoutThousands returns 1,200 as 1200.
func withoutThousands(value string) string {
	parts := strings.Split(value, ",")
	for i, part := range parts {
		if !isDigits(part) || i > 0 && len(part) != 3 || i == 0 && len(part) > 3 && len(parts) > 1 {
			return value
		}
	}
	return strings.Join(parts, "")
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// gives reports whether the figures or the posts give each quantity of a sentence.
func (m Material) gives(t Theme, sentence string, cited []Post) bool {
	said := read(sentence)
	known := map[string]map[string]bool{} // the words that follow a quantity, by its value
	for _, p := range cited {
		told := read(p.Text)
		for i, q := range told.quantities {
			if known[q.value] == nil {
				known[q.value] = map[string]bool{"": true}
			}
			known[q.value][told.unit(i)] = true
		}
	}
	for i, q := range said.quantities {
		if known[q.value][said.unit(i)] && !said.counts(i) {
			continue
		}
		if !slices.Contains(m.figures(t, said, i, len(cited)), q.value) {
			return false
		}
	}
	return !slices.Contains(said.words, "several") || len(cited) >= 3
}

// unit returns the word after the nth quantity, as words are compared. It is empty for a word that tells nothing.
func (s spoken) unit(n int) string {
	next := s.quantities[n].at + 1
	if next >= len(s.words) || function[s.words[next]] {
		return ""
	}
	return stemOf(s.words[next])
}

// near is how many words after a quantity name what it counts.
const near = 4

// counts reports whether the nth quantity counts mentions: posts alone cannot give that.
func (s spoken) counts(n int) bool {
	return s.denominator(n) || s.tone(n) != "" || s.nouns(n, "mention", "mentions", "post", "posts", "story", "stories")
}

// nouns reports whether one of the words follows soon after the nth quantity, and before the next.
func (s spoken) nouns(n int, nouns ...string) bool {
	for at := s.quantities[n].at + 1; at < len(s.words) && at <= s.quantities[n].at+near; at++ {
		if slices.Contains(nouns, s.words[at]) {
			return true
		}
	}
	return false
}

// denominator reports whether the nth quantity follows "of", as 12 does in "7 of the 12 mentions".
func (s spoken) denominator(n int) bool {
	at := s.quantities[n].at
	return n > 0 && at > 1 && slices.Contains(s.words[max(0, at-3):at], "of") && s.quantities[n-1].at >= at-4
}

// tone returns the sentiment that the nth quantity counts: the first that is named after it, before another count.
func (s spoken) tone(n int) string {
	until := len(s.words)
	for next := n + 1; next < len(s.quantities); next++ {
		if !s.denominator(next) {
			until = s.quantities[next].at
			break
		}
	}
	for _, w := range s.words[s.quantities[n].at:until] {
		if tones[w] != nil {
			return w
		}
	}
	return ""
}

var tones = map[string]func(summary.Tones) int64{
	"positive": func(t summary.Tones) int64 { return t.Positive },
	"neutral":  func(t summary.Tones) int64 { return t.Neutral },
	"negative": func(t summary.Tones) int64 { return t.Negative },
}

// figures lists the values that the nth quantity of a sentence may have.
func (m Material) figures(t Theme, s spoken, n, cited int) (values []string) {
	plain := func(counts ...int64) {
		for _, c := range counts {
			values = append(values, strconv.FormatInt(c, 10))
		}
	}
	tone := s.tone(n)
	toned := slices.ContainsFunc(s.words, func(w string) bool { return tones[w] != nil })
	judged := t.Sentiment.Positive + t.Sentiment.Neutral + t.Sentiment.Negative
	switch {
	case s.denominator(n) && toned:
		plain(t.Count, judged)
	case s.denominator(n):
		plain(t.Count)
		if m.Figures.Why == "" && s.quantities[n-1].value == strconv.FormatInt(t.Count, 10) {
			plain(m.Figures.Mentions)
		}
	case tone != "":
		c := tones[tone](t.Sentiment)
		plain(c)
		values = append(values, strconv.FormatInt(percent(float64(c)/float64(max(1, t.Count))), 10)+"%")
	case toned:
	case s.nouns(n, "mention", "mentions", "post", "posts"):
		plain(t.Count, int64(cited))
	case s.nouns(n, "story", "stories"):
		values = append(values, strconv.FormatInt(percent(t.Share), 10)+"%")
	}
	return values
}
