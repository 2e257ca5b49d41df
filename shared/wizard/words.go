package wizard

import (
	"slices"
	"strings"

	"earshot/shared/filter"
)

// glue reads connectives, negations and words without a meaning of their own.
func (r *reader) glue() int {
	w := r.word(0)
	written := r.token(0).raw
	switch {
	case w == "":
		return 0
	case r.intro == "literal" && !ends[w] && w != "the" && w != "a" && w != "words" && w != "word" && w != "phrase":
		return 0
	case w == "either":
		r.either = len(r.items) + 1
	case w == "both":
		r.both = true
	case w == "or" || w == "and":
		r.connect(w)
		if written == strings.ToUpper(written) { // an operator: words without a meaning beside it are texts
			r.intro = "text"
		}
	case w == "but":
		r.connect("and")
		if open := r.word(-1); isOpen(open) {
			r.negating, r.negated = true, ""
		} else {
			r.negating = false
		}
	case r.has(0, []string{"apart", "from"}), r.has(0, []string{"other", "than"}):
		r.negating, r.negated = true, ""
		return 2
	case negators[w]:
		r.negating, r.negated = true, ""
	case isFeed(w):
		if r.word(1) == "" && r.view == 0 {
			return 0
		}
		r.feed = r.view == 0
	case w == "mention" || w == "mentions" && slices.Contains([]string{"that", "which", "who"}, r.word(-1)),
		w == "mentioning", w == "contain", w == "contains", w == "containing", w == "mentioned" && r.word(1) != "":
		r.intro = "text"
	case w == "word", w == "words", w == "phrase", w == "saying", w == "say", w == "says":
		r.intro = "literal"
	case w == "about" || w == "by":
		r.intro = w
	case w == "-":
		r.connect(",")
	case slices.Contains([]string{"big", "large", "huge", "small", "tiny"}, w) && strings.HasPrefix(r.word(1), "account"):
		r.sized = w
	case !fillers[w] && !heads[w] && !isOpen(w):
		return 0
	}
	if heads[w] || isOpen(w) {
		r.headed = true
	}
	if fillers[w] && !articles[w] && r.intro != "by" && !introduces(w) { // "about people in …" is no text to look for
		r.intro = ""
	}
	if isOpen(w) && r.joint == "or" {
		r.open = true
	}
	return 1
}

var articles = set("the a an these those")

func introduces(w string) bool {
	return slices.Contains([]string{
		"mention", "mentions", "mentioned", "contain", "contains", "containing", "word", "words", "phrase", "saying", "say",
		"says", "about",
	}, w)
}

// author reads a handle, or a name after "user" or "by".
func (r *reader) author() int {
	if t := r.token(0); t.kind == handle {
		if slices.Contains([]string{"to", "at", "of", "about", "with", "mention", "mentioning", "tagging", "cc"}, r.word(-1)) {
			return 0 // an author is who wrote a mention
		}
		r.add(texts(filter.Author, t.raw))
		r.intro = "by"
		return 1
	}
	before := r.word(-1)
	named := before == "user" || before == "author"
	t := r.token(0)
	if t.kind != word || vague[t.text] || !named && r.intro != "by" {
		return 0
	}
	if next := r.token(1); next.kind == word && !ends[next.text] {
		return 0 // a name of two words is no handle
	}
	r.add(texts(filter.Author, t.raw))
	r.intro = "by"
	return 1
}

// free reads words without a meaning as a text to look for, where the request says that they are one.
func (r *reader) free() int {
	most := map[string]int{"literal": 12, "text": 4, "about": 3}[r.intro]
	var run []string
	for len(run) < most {
		t := r.token(len(run))
		if t.kind != word && t.kind != number || ends[t.text] {
			break
		}
		if r.intro != "literal" && (vague[t.text] || fillers[t.text] || vocabulary().meanings[t.text] != nil) {
			return 0
		}
		run = append(run, t.raw)
		if r.token(-1).kind == minus {
			break
		}
	}
	if most == 0 || len(run) == 0 {
		return 0
	}
	if t := r.token(len(run)); t.kind != comma && !ends[t.text] && r.token(-1).kind != minus && t.kind == word {
		return 0 // more words than such a text has
	}
	intro := r.intro
	r.literal(strings.Join(run, " "))
	if r.intro = intro; r.token(-1).kind == minus {
		r.intro, r.negating = "", false
	}
	return len(run)
}

// literal adds a text to look for.
func (r *reader) literal(text string) {
	if characters := []rune(text); len(characters) > filter.MaxText {
		r.problem = "A text to look for has at most 200 characters. Shorten it."
		return
	}
	r.add(texts(filter.Text, text))
}

// nearly reads a platform or a tone with a letter too many, too few or wrong.
func (r *reader) nearly() int {
	w := r.word(0)
	if len(w) < 5 {
		return 0
	}
	var found []condition
	for key, names := range map[filter.Key]map[string][]string{filter.Source: sourceNames, filter.Sentiment: sentimentNames} {
		for value := range names {
			if nearby(w, value) {
				found = append(found, texts(key, value))
			}
		}
	}
	if len(found) != 1 {
		return 0
	}
	r.add(found[0])
	return 1
}

// nearby reports whether two words differ by one letter, or by two neighbours in the wrong order.
func nearby(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || len(a) < 5 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return i < len(a) && (a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:])
}
