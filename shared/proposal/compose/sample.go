package compose

import (
	"fmt"
	"math/bits"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/sampling"
)

// A set is of the posts of one sample, by their places in it.
type set []uint64

func newSet(size int) set { return make(set, (size+63)/64) }

func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s set) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

func (s set) count() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// both counts what is in s and in other.
func (s set) both(other set) (n int) {
	for i, word := range s {
		n += bits.OnesCount64(word & other[i])
	}
	return n
}

// beyond counts what is in s, not in seen, and in of.
func (s set) beyond(seen, of set) (n int) {
	for i, word := range s {
		n += bits.OnesCount64(word &^ seen[i] & of[i])
	}
	return n
}

func (s set) join(other set) {
	for i, word := range other {
		s[i] |= word
	}
}

func (s set) minus(other set) set {
	left := make(set, len(s))
	for i, word := range s {
		left[i] = word &^ other[i]
	}
	return left
}

func (s set) and(other set) set {
	left := make(set, len(s))
	for i, word := range s {
		left[i] = word & other[i]
	}
	return left
}

// A sample is the posts of one candidate, with which of them are relevant.
type sample struct {
	posts           []proposal.SampledPost
	relevant, noise set
	known           map[string]set // what keywords keep, by scoping
}

func sampleOf(posts []proposal.SampledPost) sample {
	s := sample{posts: posts, relevant: newSet(len(posts)), noise: newSet(len(posts)), known: map[string]set{}}
	for i, p := range posts {
		if p.Relevant {
			s.relevant.add(i)
		} else {
			s.noise.add(i)
		}
	}
	return s
}

// keeps says of each keyword which posts of the sample it matches, by the matcher that live posts go through: what is
// promised is what will come in. What was asked once is known. The answers are not to be changed.
func (s *sample) keeps(keywords ...keyword.Keyword) []set {
	scopings := make([]string, len(keywords))
	for i, k := range keywords {
		scopings[i] = scoping(k)
	}
	return s.keepsAs(scopings, keywords)
}

// keepsAs is keeps when the keywords' scopings are at hand.
func (s *sample) keepsAs(scopings []string, keywords []keyword.Keyword) []set {
	kept, asked, unknown := make([]set, len(keywords)), []keyword.Keyword{}, []string{}
	for i, k := range keywords {
		if _, known := s.known[scopings[i]]; !known {
			s.known[scopings[i]] = newSet(len(s.posts))
			asked, unknown = append(asked, k), append(unknown, scopings[i])
		}
	}
	if len(asked) > 0 && len(s.posts) > 0 {
		for i, places := range sampling.KeepsEach(asked, s.posts) {
			of := s.known[unknown[i]]
			for _, at := range places {
				of.add(at)
			}
		}
	}
	for i, one := range scopings {
		kept[i] = s.known[one]
	}
	return kept
}

// scoping is all that a keyword's matching depends on, as one text.
func scoping(k keyword.Keyword) string {
	return fmt.Sprintf(
		"%q %t %t %s %q %q %q %q %q", k.Text, k.ExactMatch, k.CaseSensitive, k.AdditionalTermsLogic, k.AdditionalTerms,
		k.ExcludeWords, k.WildcardExcludeWords, k.ExcludeAuthors, k.Platforms,
	)
}

// inTexts says of each keyword which of the texts it matches, each as a post that says nothing else.
func inTexts(texts []string, keywords ...keyword.Keyword) []set {
	posts := make([]proposal.SampledPost, len(texts))
	for i, text := range texts {
		posts[i] = proposal.SampledPost{Source: "text", Body: text}
	}
	said := sampleOf(posts)
	return said.keeps(keywords...)
}

// asKeyword is the keyword that a decision makes of its candidate.
func asKeyword(c proposal.Candidate, d proposal.Decision) keyword.Keyword {
	return keyword.Keyword{
		Text: c.Text, ExactMatch: d.ExactMatch, CaseSensitive: d.CaseSensitive,
		AdditionalTerms: d.AdditionalTerms, AdditionalTermsLogic: d.AdditionalTermsLogic,
		ExcludeWords: d.ExcludeWords, WildcardExcludeWords: d.WildcardExcludeWords, ExcludeAuthors: d.ExcludeAuthors,
		Platforms: d.Platforms,
	}
}
