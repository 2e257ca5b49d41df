package match

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/text/fold"
)

// A Fault says why a keyword cannot be compiled.
type Fault struct {
	Workspace string // its id
	Keyword   int64  // its id; 0 for the workspace's filters
	Reason    string
}

func (f *Fault) Error() string {
	if f.Keyword == 0 {
		return fmt.Sprintf("match: workspace %s: filters: %s", f.Workspace, f.Reason)
	}
	return fmt.Sprintf("match: workspace %s: keyword %d: %s", f.Workspace, f.Keyword, f.Reason)
}

// Compile builds the matcher of all keywords that are not paused. It keeps workspaces and their contents, which must
// not change afterwards.
//
// Compile leaves out a keyword that can never match: one that is not UTF-8, or that has only blanks and invisible
// characters. A term that is not UTF-8 leaves out its keyword. The error joins a *Fault for each. The matcher has all
// other keywords even then, so that one bad row silences no other. Blank terms and exclusions are ignored.
func Compile(workspaces []Workspace) (*Matcher, error) {
	c := compiler{m: &Matcher{platforms: keyword.Platforms(), authors: map[string]uint32{}}}
	for i := range workspaces {
		c.workspace(&workspaces[i])
	}
	m := c.m
	var err error
	if m.keywords, err = c.keywords.compile(&c.normalizer); err != nil {
		return nil, err
	}
	if m.conditions, err = c.conditions.compile(&c.normalizer); err != nil {
		return nil, err
	}
	m.postings = newPostings(c.found, m.keywords.count)
	m.rules, m.scopes, m.lists = slices.Clip(m.rules), slices.Clip(m.scopes), slices.Clip(m.lists)
	return m, errors.Join(c.faults...)
}

type compiler struct {
	normalizer
	m                    *Matcher
	keywords, conditions gather
	found                []uint32 // the phrase of each rule
	faults               []error
}

func (c *compiler) fault(w *Workspace, k int64, reason string) {
	c.faults = append(c.faults, &Fault{w.ID, k, reason})
}

func (c *compiler) workspace(w *Workspace) {
	s := scope{workspace: w}
	var bad string
	s.negative, bad = c.phrases(w.Filters.NegativeKeywords, asWhole, false)
	if bad != "" {
		c.fault(w, 0, bad)
	}
	s.authors = c.handles(w.Filters.NegativeAuthors)
	s.withoutSubreddits = places(w.Filters.NegativeSubreddits, "r/")
	s.onlySubreddits = places(w.Filters.PositiveSubreddits, "r/")
	s.withoutRepos = places(w.Filters.NegativeRepos, "")
	number := uint32(len(c.m.scopes))
	c.m.scopes = append(c.m.scopes, s)
	for i := range w.Keywords {
		if !w.Keywords[i].Paused {
			c.keyword(w, number, &w.Keywords[i])
		}
	}
}

func (c *compiler) keyword(w *Workspace, scope uint32, k *keyword.Keyword) {
	text := c.normalised(k.Text)
	switch {
	case !utf8.ValidString(k.Text):
		c.fault(w, k.ID, "its text is not UTF-8")
		return
	case text == "":
		c.fault(w, k.ID, "its text is empty")
		return
	case len(text) > math.MaxUint16/3:
		c.fault(w, k.ID, "its text is too long")
		return
	}
	occurs := anywhere
	if k.ExactMatch {
		occurs = asWord
	}
	r := rule{keyword: k, scope: scope, all: k.AdditionalTermsLogic == keyword.All}
	var bad [3]string
	var words, prefixes list
	r.terms, bad[0] = c.phrases(k.AdditionalTerms, occurs, k.CaseSensitive)
	words, bad[1] = c.phrases(k.ExcludeWords, asWhole, k.CaseSensitive)
	prefixes, bad[2] = c.phrases(stems(k.WildcardExcludeWords), asPrefix, k.CaseSensitive)
	for _, reason := range bad {
		if reason != "" {
			c.fault(w, k.ID, reason)
			return
		}
	}
	r.excludes = list{words.from, prefixes.to} // the two lists follow one another
	r.authors = c.handles(k.ExcludeAuthors)
	r.platforms = c.platforms(k.Platforms)
	c.found = append(c.found, c.keywords.number(phrase{text, occurs, k.CaseSensitive}))
	c.m.rules = append(c.m.rules, r)
}

// normalised returns the normal form with its case, without blanks at its ends.
func (c *compiler) normalised(s string) string {
	normal, _ := c.Normal(nil, nil, s, false)
	return strings.Trim(string(normal), " ")
}

// phrases puts the conditions' phrases into a list.
func (c *compiler) phrases(terms []string, h how, cased bool) (l list, reason string) {
	l.from = uint32(len(c.m.lists))
	for _, term := range terms {
		if !utf8.ValidString(term) {
			reason = "a term is not UTF-8"
			continue
		}
		text := c.normalised(term)
		if len(text) > math.MaxUint16/3 {
			reason = "a term is too long"
			continue
		}
		if text != "" {
			c.m.lists = append(c.m.lists, c.conditions.number(phrase{text, h, cased}))
		}
	}
	l.to = uint32(len(c.m.lists))
	return l, reason
}

// stems returns the words without the asterisks at their ends.
func stems(words []string) []string {
	stems := make([]string, len(words))
	for i, word := range words {
		stems[i] = fold.Stem(word)
	}
	return stems
}

// handles puts authors into a list.
func (c *compiler) handles(handles []string) (l list) {
	l.from = uint32(len(c.m.lists))
	for _, handle := range handles {
		name := string(fold.AppendHandle(&c.normalizer, nil, handle))
		if name == "" {
			continue
		}
		number, ok := c.m.authors[name]
		if !ok {
			number = uint32(len(c.m.authors))
			c.m.authors[name] = number
		}
		c.m.lists = append(c.m.lists, number)
	}
	l.to = uint32(len(c.m.lists))
	return l
}

// platforms returns the bits of the platforms, or of all if there is no name.
func (c *compiler) platforms(names []string) (bits uint32) {
	if len(names) == 0 {
		return everywhere
	}
	for i, platform := range c.m.platforms {
		if slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, platform) }) {
			bits |= 1 << i
		}
	}
	return bits
}

// places returns names of subreddits or repositories in the form in which they compare.
func places(names []string, prefix string) []string {
	var places []string
	for _, name := range names {
		name = strings.TrimPrefix(strings.Trim(strings.ToLower(strings.TrimSpace(name)), "/"), prefix)
		if name != "" {
			places = append(places, name)
		}
	}
	return places
}
