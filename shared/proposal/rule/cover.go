package rule

import (
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/post"
)

// Covers says whether a finds every post that b finds, by the matcher of live posts. It is asked of posts that b is
// made for, each of which b itself must find: its text by itself (in capitals and small letters too where case does not
// count, within a word where whole words are not asked for), beside each of its additional terms, or all of them. So
//
//   - "acme" covers "Acme", "acme cloud" and, for whole words find a name in its own domain and handle, "acme.com" and "@acme";
//   - a bare keyword covers the same one with terms, and terms cover a part of themselves; never the other way round;
//   - a keyword that minds case does not cover one that does not, nor whole words letters;
//   - one that is narrowed to platforms covers only what is narrowed to some of them;
//   - an exclusion that b does not have lets b find what a does not.
//
// What b would find beside all that by other spellings of its name ("acmecom.io" for "acme.com") is not looked at: it
// is nobody's reason to track b. A keyword that finds nothing is covered by none.
func Covers(a, b keyword.Keyword) bool { return len(covered([]keyword.Keyword{a, b})[1]) > 0 }

// covered are for each keyword the numbers of the others that cover it.
func covered(keywords []keyword.Keyword) [][]int {
	everywhere := slices.Clone(keywords)
	for i := range everywhere {
		everywhere[i].Platforms = nil
	}
	l := listen(everywhere...)
	by := make([][]int, len(keywords))
	for b, k := range keywords {
		by[b] = coverers(l, everywhere, b)
		by[b] = slices.DeleteFunc(
			by[b], func(a int) bool { return !keyword.TakesAll(keywords[a].Platforms, k.Platforms) },
		)
	}
	return by
}

func coverers(l *listener, keywords []keyword.Keyword, b int) (by []int) {
	var shown []post.Post
	for _, p := range made(keywords[b]) {
		heard := l.hears(p)
		if !heard[b] {
			continue
		}
		if shown = append(shown, p); len(shown) == 1 {
			for a := range keywords {
				if heard[a] && a != b {
					by = append(by, a)
				}
			}
		}
		by = slices.DeleteFunc(by, func(a int) bool { return !heard[a] })
		if len(by) == 0 {
			return nil
		}
	}
	return slices.DeleteFunc(by, func(a int) bool {
		return slices.ContainsFunc(shut(keywords[a], shown[0]), func(p post.Post) bool {
			heard := l.hears(p)
			return heard[b] && !heard[a]
		})
	})
}

// made are posts that a keyword is made for. Its terms stand in the title, so that no phrase spans them and its text.
func made(k keyword.Keyword) (posts []post.Post) {
	bodies := []string{k.Text}
	if !k.CaseSensitive {
		bodies = append(bodies, strings.ToUpper(k.Text), strings.ToLower(k.Text))
	}
	if !k.ExactMatch {
		bodies = append(bodies, "x"+k.Text+"x")
	}
	titles := append([]string{""}, k.AdditionalTerms...)
	if k.AdditionalTermsLogic == keyword.All {
		titles = []string{strings.Join(k.AdditionalTerms, apart)}
	}
	for _, title := range titles {
		for _, body := range bodies {
			posts = append(posts, saying(title, body))
		}
	}
	return posts
}

// apart stands between words that are no phrase.
const apart = " … "

// shut are a post with each thing that a keyword excludes.
func shut(k keyword.Keyword, p post.Post) (posts []post.Post) {
	for _, word := range k.ExcludeWords {
		posts = append(posts, saying(*p.Title+apart+word, *p.Body))
	}
	for _, word := range k.WildcardExcludeWords {
		if stem := match.Stem(word); !blank(stem) {
			posts = append(posts, saying(*p.Title+apart+stem, *p.Body), saying(*p.Title+apart+stem+"x", *p.Body))
		}
	}
	for _, author := range k.ExcludeAuthors {
		by := saying(*p.Title, *p.Body)
		by.Author = &author
		posts = append(posts, by)
	}
	return posts
}
