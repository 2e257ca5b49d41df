package filter

import (
	"slices"
	"strings"

	"earshot/shared/text/fold"
)

// A Term is a part of a filter's tree, for executors other than Predicate: a condition, or terms that are joined. The
// zero value holds for every mention.
type Term struct {
	Condition *Condition // nil: Terms are joined
	Any       bool       // one of Terms must hold; otherwise each. Of no terms, each holds and none does
	Terms     []Term
}

// A Condition is a key with its value in the form of the evaluation. A mention meets it if it has one of the values, or
// lacks a value and Absent says so. A negated condition is the exact opposite.
type Condition struct {
	Key      Key
	Negated  bool
	Absent   bool       // also mentions without a value
	Texts    []string   // sources and authors folded, sentiments as mention has them, languages by their full names
	Numbers  []int64    // of Numbers, and the single one of Number
	Flag     bool       // of Engaged
	Counters []Bound    // of Engagement
	Phrases  [][]string // of Text: folded words, side by side
	Literals []string   // of Text: folded values without a word, which may occur anywhere
}

// A Bound compares an engagement counter of a platform with a value.
type Bound struct {
	Source   string // folded
	Metric   string
	Operator string // one of ">=", "<=" and "="
	Value    int64
}

// Tree returns the filter's conditions without its window.
func (f Filter) Tree() Term { return Term{Terms: termsOf(f.all)} }

func termsOf(nodes []node) []Term {
	terms := make([]Term, len(nodes))
	for i, n := range nodes {
		if n.leaf == nil {
			terms[i] = Term{Any: n.any, Terms: termsOf(n.kids)}
			continue
		}
		terms[i].Condition = n.leaf.view()
	}
	return terms
}

func (c *condition) view() *Condition {
	v := &Condition{
		Key:     c.key,
		Negated: c.negated,
		Absent:  c.absent,
		Numbers: slices.Clone(c.numbers),
		Flag:    c.flag,
	}
	for _, counter := range c.counters {
		v.Counters = append(v.Counters, Bound{counter.source, counter.metric, counter.operator, counter.value})
	}
	if c.key != Text {
		v.Texts = slices.Clone(c.texts)
		return v
	}
	for _, text := range c.texts {
		if words := words(text); len(words) > 0 {
			v.Phrases = append(v.Phrases, words)
		} else if text = fold.Canonical(text); text != "" {
			v.Literals = append(v.Literals, text)
		}
	}
	return v
}

// wordEnd stands before and after each word in the form of Words. No word contains it: a line feed is a segment of its
// own (UAX 29, rules WB3a and WB3b). Other characters, such as a blank or a control character, are joined to a
// pictograph that follows them and a zero-width joiner.
const wordEnd = "\n"

// Words returns the folded words of a mention's texts in a form in which a phrase is a part of the text. Each word
// stands between two line feeds, which neighbours share. The words of title and of body do not touch.
func Words(title, body *string) string {
	var joined strings.Builder
	for _, text := range []*string{title, body} {
		if text != nil {
			joined.WriteString(PhraseWords(words(*text)))
		}
	}
	return joined.String()
}

// PhraseWords returns words in the form of Words. A mention's texts have these words side by side if its Words contain
// the result.
func PhraseWords(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return wordEnd + strings.Join(words, wordEnd) + wordEnd
}
