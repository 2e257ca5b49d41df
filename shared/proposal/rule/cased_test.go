package rule_test

import (
	"fmt"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
)

// written are posts that write a name: relevant ones with a capital and without, and others likewise.
func written(meant, meantSmall, other, otherSmall int) (posts []proposal.SampledPost) {
	add := func(n int, text string, relevant bool) {
		for range n {
			posts = append(posts, proposal.SampledPost{
				ID:       fmt.Sprintf("post_%d", len(posts)),
				Source:   "reddit",
				Body:     text,
				Relevant: relevant,
			})
		}
	}
	add(meant, "we moved to Box", true)
	add(meantSmall, "we moved to box", true)
	add(other, "The Box was wet", false)
	add(otherSmall, "a wet box", false)
	return posts
}

// The keyword of the posts that written makes, in its own case, in small letters, and in either case.
var (
	cased  = keyword.Keyword{ID: 1, Text: "Box", ExactMatch: true, CaseSensitive: true}
	small  = keyword.Keyword{ID: 1, Text: "box", ExactMatch: true, CaseSensitive: true}
	either = keyword.Keyword{ID: 1, Text: "Box", ExactMatch: true}
)

// A sampled case is what a function says of a keyword and its sample.
type sampledCase struct {
	name  string
	k     keyword.Keyword
	posts []proposal.SampledPost
	want  bool
}

func eachCase(t *testing.T, name string, says func(keyword.Keyword, []proposal.SampledPost) bool, cases []sampledCase) {
	t.Helper()
	for _, test := range cases {
		if got := says(test.k, test.posts); got != test.want {
			t.Errorf("%s() = %t for %s, want %t", name, got, test.name, test.want)
		}
	}
}

func TestToldByCase(t *testing.T) {
	eachCase(t, "ToldByCase", rule.ToldByCase, []sampledCase{
		{"noise is small", cased, written(8, 1, 2, 10), true},
		{"just enough", cased, written(5, 2, 5, 5), true},
		{"too few relevant posts", cased, written(4, 0, 0, 20), false},
		{"half of the relevant posts are small", cased, written(6, 6, 0, 20), false},
		{"most posts with the capital are noise", cased, written(6, 0, 7, 20), false},
		{"most noise has the capital", cased, written(12, 0, 9, 6), false},
		{"hardly any noise", cased, written(20, 0, 0, 4), false},
		{"no posts", cased, nil, false},
		{"a text without a capital", small, written(8, 1, 2, 10), false},
		{"a keyword in either case", either, written(8, 1, 2, 10), false},
	})
}

// A sample that hardly has noise cannot show what the capital leaves out.
func TestMeantByCase(t *testing.T) {
	eachCase(t, "MeantByCase", rule.MeantByCase, []sampledCase{
		{"no noise", cased, written(20, 0, 0, 0), true},
		{"hardly any noise", cased, written(20, 0, 2, 4), true},
		{"just enough", cased, written(12, 6, 4, 4), true},
		{"too few relevant posts", cased, written(9, 0, 0, 0), false},
		{"half of the relevant posts are small", cased, written(12, 12, 0, 0), false},
		{"a third of the posts with the capital are noise", cased, written(20, 0, 10, 0), false},
		{"no posts", cased, nil, false},
		{"a text without a capital", small, written(20, 0, 0, 0), false},
		{"a keyword in either case", either, written(20, 0, 0, 0), false},
	})
}
