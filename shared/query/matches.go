package query

import (
	"sync"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/text/fold"
)

// An engine runs a query against posts. The words and phrases of all terms are keywords of one matcher, so a post's
// text is folded and read once however many terms there are.
type engine struct {
	alternatives []conditions
	texts        *match.Matcher // nil if there are no terms of the kind
	titles       *match.Matcher
	states       sync.Pool // of *state
}

// conditions are an alternative's terms. Texts have numbers, which are bits here.
type conditions struct {
	has, lacks uint64
	others     []condition
}

// A condition is a term about neither texts nor titles.
type condition struct {
	negated bool
	field   Field
	value   string // an author in the form of fold.Author; else the term's own
	site    site
}

// A state is the working memory of one call.
type state struct {
	hits       match.Hits
	normalizer fold.Normalizer
	handle     []byte
}

func newEngine(alternatives [][]Term) *engine {
	e := &engine{}
	e.states.New = func() any { return new(state) }
	numbers := map[Term]int{}
	words := map[Field][]keyword.Keyword{}
	for _, terms := range alternatives {
		var c conditions
		for _, t := range terms {
			if t.Field != Text && t.Field != Title {
				c.others = append(c.others, toCondition(t))
				continue
			}
			plain := Term{Field: t.Field, Value: t.Value}
			n, known := numbers[plain]
			if !known {
				n = len(numbers)
				numbers[plain] = n
				words[t.Field] = append(words[t.Field], keyword.Keyword{ID: int64(n), Text: t.Value, ExactMatch: true})
			}
			if t.Negated {
				c.lacks |= 1 << n
			} else {
				c.has |= 1 << n
			}
		}
		e.alternatives = append(e.alternatives, c)
	}
	e.texts, e.titles = compiled(words[Text]), compiled(words[Title])
	return e
}

// compiled returns the matcher of keywords, or nil if there are none. Parse refuses each text that Compile would.
func compiled(words []keyword.Keyword) *match.Matcher {
	if len(words) == 0 {
		return nil
	}
	m, _ := match.Compile([]match.Workspace{{ID: "query", Keywords: words}})
	return m
}

func toCondition(t Term) condition {
	c := condition{negated: t.Negated, field: t.Field, value: t.Value}
	switch t.Field {
	case Author:
		c.value = fold.Author(t.Value)
	case Site:
		c.site, _ = parseSite(t.Value)
	}
	return c
}

// Matches reports whether a post meets the query. language is the full name of the post's language as package language
// has it. Empty means that it is unknown. Matches takes time linear in the post's text. Once the query has seen a post
// of that length, Matches allocates nothing for a query without site:.
func (q Query) Matches(p *post.Post, language string) bool {
	if q.parsed == nil {
		return false
	}
	e := q.engine()
	s := e.states.Get().(*state)
	defer e.states.Put(s)
	found := s.found(e.texts, p)
	if e.titles != nil && p.Title != nil {
		found |= s.found(e.titles, &post.Post{Title: p.Title})
	}
	for i := range e.alternatives {
		c := &e.alternatives[i]
		if found&c.has == c.has && found&c.lacks == 0 && s.meets(c.others, p, language) {
			return true
		}
	}
	return false
}

// found returns the bits of the texts that a post has.
func (s *state) found(m *match.Matcher, p *post.Post) (bits uint64) {
	if m == nil {
		return 0
	}
	m.Match(p, &s.hits)
	for _, hit := range s.hits.List {
		for _, k := range hit.Keywords {
			bits |= 1 << k.ID
		}
	}
	return bits
}

func (s *state) meets(conditions []condition, p *post.Post, language string) bool {
	for i := range conditions {
		if s.holds(&conditions[i], p, language) == conditions[i].negated {
			return false
		}
	}
	return true
}

// holds reports whether a post meets a condition, its negation aside.
func (s *state) holds(c *condition, p *post.Post, language string) bool {
	switch c.field {
	case Author:
		if p.Author == nil {
			return false
		}
		s.handle = fold.AppendHandle(&s.normalizer, s.handle[:0], *p.Author)
		return string(s.handle) == c.value
	case Site:
		at, ok := siteOf(p.URL)
		return ok && c.site.holds(at)
	case Lang:
		return languageOf(language) == c.value
	case Source:
		return keyword.Admits(c.value, p.Source, p.IsReply)
	}
	return false
}

func languageOf(language string) string {
	if language == "" {
		return mention.Undetermined
	}
	return language
}
