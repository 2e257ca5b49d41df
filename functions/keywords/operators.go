package keywords

import (
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/text/fold"
	"earshot/shared/web/problem"
)

// A stripped text is the result of removing search operators. Each of its texts can be a keyword's.
type stripped struct {
	found        bool     // the text has operators
	texts        []string // what to track instead, best first
	excludeWords []string
}

// withoutOperators strips a text that has no other fault.
func withoutOperators(text string) stripped {
	found, suggestion, alternatives, excludeWords := keyword.Operators(strings.TrimSpace(text))
	// texts without visible characters have a fault of their own
	mute := func(text string) bool { return fold.Form(text) == "" }
	return stripped{
		found:        found,
		texts:        slices.DeleteFunc(append([]string{suggestion}, alternatives...), mute),
		excludeWords: slices.DeleteFunc(excludeWords, mute),
	}
}

// nothing reports whether the text had operators and nothing is left to track.
func (s stripped) nothing() bool { return s.found && len(s.texts) == 0 }

// nothingLeft is the fault of a text of operators alone, without its full stop.
const nothingLeft = "the keyword has nothing but search operators: name what to look for, " +
	"and put words to leave out into excludeWords"

// refuseOperators refuses a text with search operators. If the text has nothing else, there is nothing to suggest, so
// it is a fault of the request.
func refuseOperators(text string) error {
	s := withoutOperators(text)
	switch {
	case !s.found:
		return nil
	case s.nothing():
		sentence := strings.ToUpper(nothingLeft[:1]) + nothingLeft[1:] + "."
		return problem.Invalid(problem.Detail{Path: "keyword", Code: "operator", Message: sentence})
	}
	const message = "The keyword has search operators, which are matched literally and would never hit. Track the " +
		"suggestion instead. Use additionalTerms and excludeWords to narrow it."
	return problem.New(problem.KeywordOperatorSyntax, "%s", message).With("suggestion", s.texts[0]).
		With("alternatives", there(s.texts[1:])).With("excludeWords", there(s.excludeWords))
}
