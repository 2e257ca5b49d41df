package suggest

import (
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/mention"
	"earshot/shared/post"
)

// A verdict is what is known about a mention's relevance.
type verdict uint8

const (
	unknown verdict = iota
	relevant
	notRelevant
)

// A seen is a mention in a sample.
type seen struct {
	*mention.Mention
	post     post.Post
	verdict  verdict
	byUser   bool
	weight   int      // how much it counts in chance
	author   string   // folded handle; empty if there is none
	platform string   // platformOf
	cut      []string // words, once they were needed
}

// userWeight is how many of the judge's verdicts a user's counts for when a finding is compared with chance. Users are
// right; the judge is right in about nine of ten.
const userWeight = 2

// see reads a mention. A user's judgement replaces the judge's. A mention that arrived without a score is relevant if
// it says so, and otherwise unknown, because it may be waiting for the judge.
func see(m *mention.Mention) seen {
	s := seen{
		Mention: m,
		weight:  1,
		post: post.Post{
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
		},
	}
	s.platform = platformOf(s.post.Source, m.IsReply)
	if m.Author != nil {
		s.author = handle(*m.Author)
	}
	switch {
	case m.FeedbackRelevant != nil && *m.FeedbackRelevant > 0:
		s.verdict, s.byUser, s.weight = relevant, true, userWeight
	case m.FeedbackRelevant != nil && *m.FeedbackRelevant < 0:
		s.verdict, s.byUser, s.weight = notRelevant, true, userWeight
	case m.RelevanceScore != nil && *m.RelevanceScore == mention.Low:
		s.verdict = notRelevant
	case m.Relevant:
		s.verdict = relevant
	}
	return s
}

// size returns the length of its texts in bytes.
func (s *seen) size() (bytes int) {
	for _, text := range []*string{s.Title, s.Body} {
		if text != nil {
			bytes += len(*text)
		}
	}
	return bytes
}

// A sample is the mentions of one keyword that the keyword matches now. Other mentions teach nothing about it.
type sample struct {
	keyword keyword.Keyword
	seen    []*seen
	all     tally
}

// newSample returns what the keyword matches; an empty sample if it cannot be compiled.
func newSample(k keyword.Keyword, mentions []*seen) *sample {
	k.Paused = false
	s := &sample{keyword: k, seen: mentions}
	matched := s.matched([]keyword.Keyword{k})[0]
	s.seen = nil
	for i, m := range mentions {
		if matched.has(i) {
			s.seen = append(s.seen, m)
		}
	}
	s.all = s.count(s.everything())
	return s
}

// matched returns for each keyword the mentions that it takes, by the matcher that matches posts.
func (s *sample) matched(keywords []keyword.Keyword) []set {
	variants := make([]keyword.Keyword, len(keywords))
	sets := make([]set, len(keywords))
	for i, k := range keywords {
		k.ID = int64(i)
		variants[i], sets[i] = k, newSet(len(s.seen))
	}
	// A keyword that cannot be compiled, because a term is no text, takes nothing. Then nothing is proposed for it.
	matcher, _ := match.Compile([]match.Workspace{{Keywords: variants}})
	if matcher == nil {
		return sets
	}
	var hits match.Hits
	for i, m := range s.seen {
		matcher.Match(&m.post, &hits)
		for _, hit := range hits.List {
			for _, k := range hit.Keywords {
				sets[k.ID].add(i)
			}
		}
	}
	return sets
}

// removed returns for each change the mentions that the changed keyword does not take.
func (s *sample) removed(changes []Suggestion) []set {
	variants := make([]keyword.Keyword, len(changes))
	for i, change := range changes {
		k := s.keyword
		change.Apply(&k)
		variants[i] = k
	}
	sets := s.matched(variants)
	for _, kept := range sets {
		kept.invert(len(s.seen))
	}
	return sets
}

// A tally counts mentions of a sample.
type tally struct {
	mentions, relevant, notRelevant, byUser, approved int // approved: relevant by a user
	weightRelevant, weightNotRelevant                 int
	// of the irrelevant mentions; each mention without an author counts as one
	authors int
}

func (s *sample) count(of set) (t tally) {
	authors := map[string]bool{}
	for i, m := range s.seen {
		if !of.has(i) {
			continue
		}
		t.take(m)
		switch {
		case m.verdict != notRelevant:
		case m.author == "":
			t.authors++
		default:
			authors[m.author] = true
		}
	}
	t.authors += len(authors)
	return t
}

// take counts one more, but for its author.
func (t *tally) take(m *seen) {
	t.mentions++
	if m.byUser {
		t.byUser++
	}
	switch m.verdict {
	case relevant:
		t.relevant++
		t.weightRelevant += m.weight
		if m.byUser {
			t.approved++
		}
	case notRelevant:
		t.notRelevant++
		t.weightNotRelevant += m.weight
	}
}

func (s *sample) everything() set {
	all := newSet(len(s.seen))
	all.invert(len(s.seen))
	return all
}

// A set holds positions in a sample.
type set []uint64

func newSet(size int) set { return make(set, (size+63)/64) }

func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 == 1 }
func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }

func (s set) invert(size int) {
	for i := range s {
		s[i] = ^s[i]
	}
	if size%64 != 0 {
		s[len(s)-1] &= 1<<(size%64) - 1
	}
}

// with returns the union.
func (s set) with(other set) set {
	both := make(set, len(s))
	for i := range s {
		both[i] = s[i] | other[i]
	}
	return both
}

// within reports whether the other set has all its positions.
func (s set) within(other set) bool {
	for i := range s {
		if s[i]&^other[i] != 0 {
			return false
		}
	}
	return true
}
