// Package tags finds the topics of a post by phrases, forms of questions and the first person. Its rules are a table
// that favours precision: a topic that a post only hints at is missed. The tags of a keyword itself (own_brand_mention,
// competitor_mention) are not among them. It keeps no state and is safe for concurrent use.
//
// Only shared/judge imports it.
package tags

import (
	"strings"

	"earshot/shared/judge/words"
	"earshot/shared/mention"
)

// A Tagger holds the rules. Patterns are compiled when a text has a word that they begin with.
type Tagger struct {
	topics []mention.Tag
	begins map[string][]*pattern // by each word that the pattern may begin with
	number []*pattern            // patterns that begin with a number
}

// Points of a pattern, and the points that a topic needs.
const (
	strong  = 2
	weak    = 1
	against = -4
	needed  = 2
)

// New indexes the rules by the words that they begin with.
func New() *Tagger {
	t := &Tagger{begins: make(map[string][]*pattern, 512)}
	for _, rule := range rules {
		topic := len(t.topics)
		t.topics = append(t.topics, rule.tag)
		for _, group := range []struct {
			points   int
			patterns []string
		}{{strong, rule.strong}, {weak, rule.weak}, {against, rule.against}} {
			patterns := make([]pattern, len(group.patterns))
			for i, text := range group.patterns {
				patterns[i].text, patterns[i].topic, patterns[i].points = text, topic, group.points
				t.add(&patterns[i])
			}
		}
	}
	return t
}

func (t *Tagger) add(p *pattern) {
	first, _, _ := strings.Cut(strings.TrimPrefix(p.text, "^ "), " ")
	if first == "#" || first == "$" || first == "%" {
		t.number = append(t.number, p)
		return
	}
	for word := range strings.SplitSeq(first, "|") {
		t.begins[word] = append(t.begins[word], p)
	}
}

// Tags returns the topics of a text in English, each once, in the order of mention.Tags. A weak pattern counts once,
// however often it occurs.
func (t *Tagger) Tags(text []words.Word) (found []mention.Tag) {
	var points [len(rules)]int
	var seen [len(rules)][weakKept]*pattern
	for at := range text {
		candidates := t.number
		if text[at].Kind == words.Letters {
			candidates = t.begins[text[at].Text]
		} else if text[at].Kind != words.Number {
			continue
		}
		for _, p := range candidates {
			if !p.matches(text, at) || p.points == weak && !first(&seen[p.topic], p) {
				continue
			}
			points[p.topic] += p.points
		}
	}
	for _, tag := range order {
		for topic := range points {
			if t.topics[topic] == tag && points[topic] >= needed {
				found = append(found, tag)
			}
		}
	}
	return found
}

// weakKept is how many different weak patterns of a topic are counted. Two are enough for the topic.
const weakKept = 2

// first notes a weak pattern and reports whether it is new. A rule's pattern under another first word is the same
// pattern.
func first(seen *[weakKept]*pattern, p *pattern) bool {
	for i, other := range seen {
		switch {
		case other == nil:
			seen[i] = p
			return true
		case other.text == p.text:
			return false
		}
	}
	return false
}

var order = mention.Tags()
