package compose

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"earshot/shared/analytics/themes"
	"earshot/shared/summary"
	"earshot/shared/text"
)

// Reasons for which Check refuses a draft.
var (
	ErrForm     = errors.New("compose: the sentence is not one line of plain text")
	ErrCitation = errors.New("compose: the sentence cites nothing, or what is not of the theme and the time")
	ErrQuantity = errors.New("compose: neither the figures nor the cited mentions give a quantity")
	ErrClaim    = errors.New("compose: the cited mentions do not say this")
)

const (
	leastSentence = 15 // characters
	stem          = 5  // the characters by which words are compared
)

// markup lists what a sentence of a model has no use for.
const markup = "<>{}[]|\\`*_#@~^“”„«»=/"

// addressing lists words that speak to the reader or to a program, as an instruction in a post would.
var addressing = words(`you your yours click visit subscribe ignore disregard prompt prompts instruction instructions
	assistant system http https www`)

// telling lists words that introduce what somebody says. They need no support.
var telling = words(`report reports reported reporting mention mentions mentioned post posts posted user users customer
	customers people person author authors writer writers complain complains complained complaint complaints praise
	praises praised asks asked asking says said saying describe describes described note notes noted discuss discusses
	discussed several story stories positive negative neutral find finds found want wants wanted theme`)

// Check returns nil if a draft may be part of a theme of a material. The draft must be one plain sentence. The mentions
// that it cites must be those that were chosen for the theme, and of the material's time. Each quantity must be one that
// the figures or a cited mention gives, with what it counts. Names, quotes, a negation and two thirds of the words that
// tell something must be in the cited mentions, and each of these must have one of the words.
//
// Check cannot tell whether a sentence means what the mentions mean: one that has their words and turns them round
// passes.
func Check(m Material, t Theme, draft summary.Sentence) error {
	if !plain(draft.Text) {
		return ErrForm
	}
	cited, ok := t.cited(draft.MentionIDs, m.Start, m.End)
	if !ok {
		return ErrCitation
	}
	if !m.gives(t, draft.Text, cited) {
		return ErrQuantity
	}
	if !says(cited, draft.Text) {
		return ErrClaim
	}
	return nil
}

// plain reports whether a text is one sentence in one line, without markup, addresses and words to the reader.
func plain(s string) bool {
	n := utf8.RuneCountInString(s)
	if n < leastSentence || n > summary.MaxSentence || themes.Visible(s, n) != s || strings.ContainsAny(s, markup) ||
		strings.Count(s, `"`)%2 != 0 {
		return false
	}
	runes := []rune(s)
	for i, r := range runes {
		if i == 0 || i == len(runes)-1 {
			continue
		}
		next := runes[i+1]
		if strings.ContainsRune(".!?…", r) && next == ' ' { // another sentence
			return false
		}
		if r == '.' && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(next) { // a host
			return false
		}
	}
	return !slices.ContainsFunc(wordsOf(s), func(w string) bool { return addressing[w] })
}

// cited returns the posts with these ids. ok is false if there are none, or if one is not of the theme and the time.
func (t Theme) cited(ids []int64, start, end time.Time) (posts []Post, ok bool) {
	for i, id := range ids {
		at := slices.IndexFunc(t.Posts, func(p Post) bool { return p.ID == id })
		if at < 0 || slices.Contains(ids[:i], id) || t.Posts[at].PostedAt.Before(start) || !t.Posts[at].PostedAt.Before(end) {
			return nil, false
		}
		posts = append(posts, t.Posts[at])
	}
	return posts, len(posts) > 0
}

// says reports whether posts have the names, the quotes and enough of the words of a sentence.
func says(posts []Post, sentence string) bool {
	together := ""
	for _, p := range posts {
		together += p.Text + "\n"
	}
	lower, stems := strings.ToLower(together), stemsOf(together)
	for i, part := range strings.Split(sentence, `"`) {
		if i%2 == 1 && !strings.Contains(lower, strings.ToLower(strings.TrimRight(part, ".,!?"))) {
			return false
		}
	}
	found, all := 0, 0
	var tellers []string
	for i, raw := range strings.Fields(sentence) {
		word := strings.TrimFunc(raw, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		name := i > 0 && strings.IndexFunc(word, unicode.IsUpper) >= 0
		lowered := strings.ToLower(word)
		if !name && (utf8.RuneCountInString(word) < 4 || telling[lowered] || function[lowered] || isQuantity(lowered)) {
			continue
		}
		all++
		switch has := stems[stemOf(lowered)]; {
		case has:
			found++
			tellers = append(tellers, stemOf(lowered))
		case name:
			return false
		}
	}
	if found == 0 || 3*found < 2*all || negates(sentence) && !negates(together) {
		return false
	}
	return !slices.ContainsFunc(posts, func(p Post) bool { return !affirms(p.Text, tellers, negates(sentence)) })
}

// affirms reports whether the part of a post that says most of some words says one of them, and negates them or not as
// it is asked. Of parts that say equally many, one is enough. Parts end at punctuation and at "but".
func affirms(post string, tellers []string, negated bool) bool {
	most, agrees := 0, false
	for _, part := range partEnd.Split(post, -1) {
		own, n := stemsOf(part), 0
		for _, s := range tellers {
			if own[s] {
				n++
			}
		}
		if n > most {
			most, agrees = n, false
		}
		if n == most {
			agrees = agrees || negates(part) == negated
		}
	}
	return most > 0 && agrees
}

var partEnd = text.NewPattern(`[.!?;:,\n]+(?:\s|$)|(?i)\bbut\b`)

func negates(s string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(s)), func(w string) bool {
		w = strings.Trim(w, `.,;:!?"()`)
		return negations[w] || strings.HasSuffix(w, "n't") || strings.HasSuffix(w, "n’t")
	})
}

var negations = words("no not never without cannot none nobody nothing neither nor")

var function = words(strings.Join(text.FunctionWords("english"), " "))

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// wordsOf returns the words of a text in lowercase.
func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

func stemsOf(s string) map[string]bool {
	stems := map[string]bool{}
	for _, w := range wordsOf(s) {
		stems[stemOf(w)] = true
	}
	for _, raw := range strings.Fields(strings.ToLower(s)) { // "re-use" is a word, and two
		stems[stemOf(strings.TrimFunc(raw, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))] = true
	}
	delete(stems, "")
	return stems
}

func stemOf(word string) string { return text.First(word, stem) }
