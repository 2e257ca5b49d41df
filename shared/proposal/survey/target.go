package survey

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/post"
	"earshot/shared/proposal"
)

// A target is a candidate's text as a keyword without conditions.
type target struct {
	text    string
	exact   bool
	name    string // equal for equal targets
	matcher *match.Matcher
	hits    *match.Hits
	test    func(*post.Post) bool // in place of matcher, if it is not nil
}

// aim compiles a candidate's text; a text that can never match is refused.
func aim(c proposal.Candidate) (target, error) {
	matcher, err := match.Compile([]match.Workspace{{ID: "survey", Keywords: []keyword.Keyword{{
		ID: 1, Text: c.Text, ExactMatch: c.Exact, CaseSensitive: c.Cased, Platforms: c.Platforms,
	}}}})
	if err != nil {
		return target{}, fmt.Errorf("survey: the candidate %s cannot be matched: %w", c.Ref, err)
	}
	return target{text: c.Text, exact: c.Exact, name: nameOf(c), matcher: matcher, hits: &match.Hits{}}, nil
}

// nameOf is equal for candidates that match the same posts.
func nameOf(c proposal.Candidate) string {
	form := match.Form(c.Text)
	if c.Cased {
		form = match.CasedForm(c.Text)
	}
	platforms := slices.Clone(c.Platforms)
	slices.Sort(platforms)
	return fmt.Sprintf("%q %t %t %t %s", form, c.Exact, c.Cased, c.Platforms == nil, strings.Join(platforms, " "))
}

func (t target) matches(p *post.Post) bool {
	if t.test != nil {
		return t.test(p)
	}
	t.matcher.Match(p, t.hits)
	return len(t.hits.List) > 0
}

// clip shortens a post's texts to a bound of bytes each, of a body to the part that has the text when its beginning
// does not.
func (t target) clip(p post.Post, bound int) post.Post {
	if p.Title != nil {
		short := cut(*p.Title, 0, bound)
		p.Title = &short
	}
	if p.Body == nil || len(*p.Body) <= bound {
		return p
	}
	body := *p.Body
	head := cut(body, 0, bound)
	p.Body = &head
	// Parts overlap by more than a text's greatest length in bytes, so that none is cut in all of them.
	overlap := min(bound/2, 4*keyword.MaxText+utf8.UTFMax)
	for from := bound - overlap; !t.matches(&p) && from < len(body); from += bound - overlap {
		part := cut(body, from, bound)
		p.Body = &part
	}
	if !t.matches(&p) {
		p.Body = &head
	}
	return p
}

// cut is at most bound bytes of a text from somewhere on, of whole characters.
func cut(text string, from, bound int) string {
	for from > 0 && from < len(text) && !utf8.RuneStart(text[from]) {
		from--
	}
	text = text[min(from, len(text)):]
	if len(text) <= bound {
		return text
	}
	for bound > 0 && !utf8.RuneStart(text[bound]) {
		bound--
	}
	return text[:bound]
}
