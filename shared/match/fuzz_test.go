package match

import (
	"strings"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/post"
)

// The matcher agrees with the rules on any text. The bits of flags are options. "|" separates the entries of lists.
func FuzzMatch(f *testing.F) {
	f.Add("acme cloud", "term|two", "out|beta*", "A title", "Acme  Cloud's @acme_cloud at acme-cloud.io", uint8(1))
	f.Add("Straße", "", "", "STRASSE", "stra\u00adße", uint8(3))
	f.Fuzz(func(t *testing.T, text, terms, excludes, title, body string, flags uint8) {
		if len(text)+len(terms)+len(excludes) > 300 || len(title)+len(body) > 600 {
			return // the reference is slow
		}
		k := keyword.Keyword{
			ID:              1,
			Text:            text,
			ExactMatch:      flags&1 > 0,
			CaseSensitive:   flags&2 > 0,
			AdditionalTerms: strings.Split(terms, "|"),
		}
		if flags&4 > 0 {
			k.AdditionalTermsLogic = keyword.All
		}
		for _, word := range strings.Split(excludes, "|") {
			if strings.HasSuffix(word, "*") {
				k.WildcardExcludeWords = append(k.WildcardExcludeWords, word)
			} else {
				k.ExcludeWords = append(k.ExcludeWords, word)
			}
		}
		w := Workspace{ID: "org_1", Keywords: []keyword.Keyword{k}}
		if flags&8 > 0 {
			w.Filters.NegativeKeywords, w.Keywords[0].ExcludeWords = k.ExcludeWords, nil
		}
		if _, err := Compile([]Workspace{w}); err != nil {
			return
		}
		var hits Hits
		held(t, []Workspace{w}, &post.Post{Source: "news", Title: &title, Body: &body}, &hits)
	})
}
