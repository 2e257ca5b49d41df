package cleanup

import (
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/proposal"
)

// An Item is a change as it is shown.
type Item struct {
	KeywordID   int64
	Keyword     string // its text
	Setting     proposal.Setting
	Terms       []string
	Found       bool // in what came in, by Find: no proposal had it
	Ready       bool // the keyword's first collection has taken place
	Evidence    Evidence
	Explanation string // 1 to 3 sentences, second person
	Recommended bool   // never before it is ready
}

// Evidence is what was counted over the mentions that the keyword matches as it is.
type Evidence struct {
	Mentions            int
	Relevant            int // of them, by users or else by the judge
	NotRelevant         int // of them; what nobody has judged is neither
	WouldRemove         int // that the changed keyword does not match
	WouldRemoveRelevant int // of those, relevant
}

// Look tries every change of a keyword that is Open on mentions, and what Find finds in them, each by itself, by the
// matcher that listens for posts. ready says that the keyword's first collection has taken place: before, nothing is
// tried or found.
//
// A change is recommended unless it would take away more relevant mentions than ones that are not, or one that a user
// marked as relevant. What nobody has judged speaks neither way.
func Look(k keyword.Keyword, waits []Change, mentions []mention.Mention, ready bool) []Item {
	var items []Item
	variants := []keyword.Keyword{k}
	for _, change := range waits {
		if change.State(k) != Open {
			continue
		}
		variant := k
		change.Apply(&variant)
		variants = append(variants, variant)
		items = append(
			items,
			Item{KeywordID: k.ID, Keyword: k.Text, Setting: change.Setting, Terms: change.Left(k).Terms, Ready: ready},
		)
	}
	if !ready {
		for i := range items {
			items[i].Explanation = "You see what this does once the first posts of " + quoted(k.Text) + " have come in."
		}
		return items
	}
	for _, change := range Find(k, waits, matching(k, mentions)) {
		variant := k
		change.Apply(&variant)
		variants = append(variants, variant)
		items = append(
			items,
			Item{KeywordID: k.ID, Keyword: k.Text, Setting: change.Setting, Terms: change.Terms, Found: true, Ready: true},
		)
	}
	if len(items) == 0 {
		return nil
	}
	matched, compiled := matches(variants, mentions)
	for i := range items {
		item := &items[i]
		approved, noise := 0, 0
		for n := range mentions {
			if !matched[0][n] {
				continue
			}
			verdict, byUser := verdictOf(&mentions[n])
			removed := !matched[i+1][n]
			item.Evidence.take(verdict, removed)
			switch {
			case removed && byUser && verdict == relevant:
				approved++
			case removed && verdict == notRelevant:
				noise++
			}
		}
		e := item.Evidence
		item.Recommended = compiled && approved == 0 && e.WouldRemoveRelevant <= noise
		item.Explanation = explain(*item, k, approved)
	}
	// The matcher may read a found word otherwise than Find does, and reads more of a long text.
	return slices.DeleteFunc(items, func(i Item) bool {
		return i.Found && (!i.Recommended || i.Evidence.WouldRemoveRelevant > 0)
	})
}

// matching keeps the mentions that a keyword matches.
func matching(k keyword.Keyword, mentions []mention.Mention) (kept []mention.Mention) {
	matched, _ := matches([]keyword.Keyword{k}, mentions)
	for i := range mentions {
		if matched[0][i] {
			kept = append(kept, mentions[i])
		}
	}
	return kept
}

// take counts one more mention.
func (e *Evidence) take(v verdict, removed bool) {
	e.Mentions++
	switch v {
	case relevant:
		e.Relevant++
	case notRelevant:
		e.NotRelevant++
	}
	if removed {
		e.WouldRemove++
		if v == relevant {
			e.WouldRemoveRelevant++
		}
	}
}

// matches says of each keyword which of the mentions it takes; not compiled when one of them is none that can listen,
// and then none takes any.
func matches(keywords []keyword.Keyword, mentions []mention.Mention) (matched [][]bool, compiled bool) {
	variants := make([]keyword.Keyword, len(keywords))
	matched = make([][]bool, len(keywords))
	for i, k := range keywords {
		k.ID, k.Paused = int64(i), false
		variants[i], matched[i] = k, make([]bool, len(mentions))
	}
	matcher, err := match.Compile([]match.Workspace{{Keywords: variants}})
	if err != nil {
		return matched, false
	}
	var hits match.Hits
	for n := range mentions {
		p := postOf(&mentions[n])
		matcher.Match(&p, &hits)
		for _, hit := range hits.List {
			for _, k := range hit.Keywords {
				matched[k.ID][n] = true
			}
		}
	}
	return matched, true
}

func postOf(m *mention.Mention) post.Post {
	return post.Post{
		Source:     strings.ToLower(m.Source),
		SourceID:   m.SourceID,
		URL:        m.URL,
		PostedAt:   m.PostedAt,
		Title:      m.Title,
		Body:       m.Body,
		Author:     m.Author,
		AuthorName: m.AuthorName,
		AuthorURL:  m.AuthorURL,
		IsReply:    m.IsReply,
	}
}

// A verdict is what is known of a mention.
type verdict int

const (
	unknown verdict = iota
	relevant
	notRelevant
)

// verdictOf goes by users first. A mention without a score is what it says it is when it is relevant, and unknown when
// not, since it may be waiting for the judge.
func verdictOf(m *mention.Mention) (v verdict, byUser bool) {
	switch {
	case m.FeedbackRelevant != nil && *m.FeedbackRelevant > 0:
		return relevant, true
	case m.FeedbackRelevant != nil && *m.FeedbackRelevant < 0:
		return notRelevant, true
	case m.RelevanceScore != nil && *m.RelevanceScore == mention.Low:
		return notRelevant, false
	case m.Relevant:
		return relevant, false
	}
	return unknown, false
}
