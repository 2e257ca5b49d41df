package rule

import (
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/post"
	"earshot/shared/proposal"
)

// A listener asks the matcher of live posts what some keywords find. Keywords that can never match find nothing.
type listener struct {
	matcher *match.Matcher
	hits    match.Hits
	heard   []bool
}

func listen(keywords ...keyword.Keyword) *listener {
	numbered := slices.Clone(keywords)
	for i := range numbered {
		numbered[i].ID, numbered[i].Paused = int64(i+1), false
	}
	matcher, _ := match.Compile([]match.Workspace{{Keywords: numbered}}) // its error names those that it leaves out
	return &listener{matcher: matcher, heard: make([]bool, len(keywords))}
}

// hears says of each keyword whether it finds a post. The answer is good until the next call.
func (l *listener) hears(p post.Post) []bool {
	clear(l.heard)
	if l.matcher == nil {
		return l.heard
	}
	l.matcher.Match(&p, &l.hits)
	for _, hit := range l.hits.List {
		for _, k := range hit.Keywords {
			l.heard[k.ID-1] = true
		}
	}
	return l.heard
}

// saying is a post of no platform that says something.
func saying(title, body string) post.Post {
	return post.Post{Source: elsewhere, Title: &title, Body: &body}
}

// elsewhere is a source that is no platform.
const elsewhere = "web"

func sampled(p proposal.SampledPost) post.Post {
	return post.Post{
		Source:   p.Source,
		SourceID: p.ID,
		Title:    &p.Title,
		Body:     &p.Body,
		Author:   &p.Author,
		IsReply:  p.IsReply,
	}
}

// bare is a keyword without what narrows it.
func bare(k keyword.Keyword) keyword.Keyword {
	return keyword.Keyword{Text: k.Text, ExactMatch: k.ExactMatch, CaseSensitive: k.CaseSensitive}
}

// alone says whether a keyword finds its text by itself, with nothing beside it: no additional term has a say, or one
// is in the text.
func alone(k keyword.Keyword) bool {
	k.ExcludeWords, k.WildcardExcludeWords, k.ExcludeAuthors, k.Platforms = nil, nil, nil, nil
	return listen(k).hears(saying("", k.Text))[0]
}

// names says whether a text has one of some names as words, in its own domain, handle or possessive.
func names(said string, all []string) bool {
	keywords := make([]keyword.Keyword, len(all))
	for i, name := range all {
		keywords[i] = keyword.Keyword{Text: name, ExactMatch: true}
	}
	return slices.Contains(listen(keywords...).hears(saying("", said)), true)
}

// terms are the texts of a list that say something.
func terms(list []string) []string {
	said := make([]string, 0, len(list))
	for _, term := range list {
		if match.Form(term) != "" {
			said = append(said, term)
		}
	}
	return said
}

// scopings are a keyword as it is proposed and as each of its options would have it.
func scopings(p proposal.Proposal, n int) []scoping {
	k := p.Keywords[n]
	all := []scoping{{at(n, "additionalTerms"), k.Ref, k}}
	for i, option := range p.Options {
		if option.KeywordRef == k.Ref {
			k.AdditionalTerms = option.AdditionalTerms
			all = append(all, scoping{path("options", i, "additionalTerms"), option.ID, k})
		}
	}
	return all
}

type scoping struct {
	place, ref string
	keyword    proposal.Keyword
}

// handle is how handles compare.
func handle(s string) string { return match.Author(strings.TrimSpace(s)) }
