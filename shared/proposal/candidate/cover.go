package candidate

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/post"
	"earshot/shared/proposal"
)

// asksNoMore says whether wide, as its route tracks it, asks for nothing beside its text that narrow does not ask for
// as well.
func asksNoMore(wide, narrow proposal.Candidate) bool {
	if wide.Platforms != nil && (narrow.Platforms == nil || !subset(narrow.Platforms, wide.Platforms)) {
		return false
	}
	return wide.Route != proposal.Anchored || narrow.Route == proposal.Anchored && subset(narrow.Anchors, wide.Anchors)
}

// A written text is one with what it takes to compare it with others as the matcher does.
type written struct {
	text     string
	squeezed string
}

func newWritten(text string) written { return written{text, squeezed(text)} }

// squeezed is a text's letters and digits alone, folded and without accents. Whatever the matcher finds in a text, as
// words, as a handle or in a host's name, is a part of it so.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, norm.NFD.String(match.Form(text)))
}

// has says whether a term occurs in the text as the matcher finds it: as an anchor it would be met by the text itself.
func (w written) has(term written) bool {
	return strings.Contains(w.squeezed, term.squeezed) && finds(term.text, w.text)
}

// covers says whether the text is found wherever another is written: by itself, amid a sentence, as a possessive and,
// of a domain, in an address.
func (w written) covers(narrow written) bool {
	if !strings.Contains(narrow.squeezed, w.squeezed) {
		return false
	}
	bodies := []string{narrow.text, "see " + narrow.text + " there", narrow.text + "'s"}
	if Class(narrow.text) == proposal.ClassDomain {
		bodies = append(bodies, "https://www."+narrow.text+"/page", "docs."+narrow.text)
	}
	return finds(w.text, bodies...)
}

// finds says whether a keyword of whole words finds each of some posts.
func finds(text string, bodies ...string) bool {
	matcher, err := match.Compile([]match.Workspace{{Keywords: []keyword.Keyword{{Text: text, ExactMatch: true}}}})
	if err != nil {
		return false // it can never match
	}
	var hits match.Hits
	for _, body := range bodies {
		if matcher.Match(&post.Post{Body: &body}, &hits); len(hits.List) == 0 {
			return false
		}
	}
	return true
}

func subset(small, large []string) bool {
	return !slices.ContainsFunc(small, func(one string) bool { return !slices.Contains(large, one) })
}
