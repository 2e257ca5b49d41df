package sampling

import (
	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/post"
	"earshot/shared/proposal"
)

// Keeps answers which of the posts a keyword matches, by the matcher that listens for posts: their places, in order. A
// keyword that cannot be compiled keeps none; one that is paused, what it would otherwise.
func Keeps(k keyword.Keyword, posts []proposal.SampledPost) []int {
	return KeepsEach([]keyword.Keyword{k}, posts)[0]
}

// KeepsEach is Keeps of several keywords, with one pass over the posts: for scopings that are compared.
func KeepsEach(keywords []keyword.Keyword, posts []proposal.SampledPost) [][]int {
	kept := make([][]int, len(keywords))
	for i := range kept {
		kept[i] = []int{}
	}
	matcher := compile(keywords)
	if matcher == nil {
		return kept
	}
	var hits match.Hits
	for i := range posts {
		p := whole(&posts[i])
		each(matcher, &p, &hits, func(number int) { kept[number] = append(kept[number], i) })
	}
	return kept
}

// compile is the matcher of keywords, each with its place as its id; nil when there is none.
func compile(keywords []keyword.Keyword) *match.Matcher {
	numbered := make([]keyword.Keyword, len(keywords))
	for i, k := range keywords {
		k.ID, k.Paused = int64(i), false
		numbered[i] = k
	}
	// One that cannot be compiled, since a term of it is no text, is left out and keeps nothing.
	matcher, _ := match.Compile([]match.Workspace{{Keywords: numbered}})
	return matcher
}

func each(matcher *match.Matcher, p *post.Post, hits *match.Hits, do func(number int)) {
	matcher.Match(p, hits)
	for _, hit := range hits.List {
		for _, k := range hit.Keywords {
			do(int(k.ID))
		}
	}
}
