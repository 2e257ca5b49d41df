package filters

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/text"
)

// A list is one of the five lists: where it is kept, how its values compare, and what a value must look like.
type list struct {
	name     string
	of       func(*keyword.Filters) *[]string
	form     func(string) string // values of one form mean the same to the matcher
	shape    func(string) bool   // checks the form; nil accepts any value that is not empty
	expected string              // describes the shape to clients
}

var lists = []*list{
	{name: "negativeKeywords", of: func(f *keyword.Filters) *[]string { return &f.NegativeKeywords }, form: phraseForm},
	{name: "negativeAuthors", of: func(f *keyword.Filters) *[]string { return &f.NegativeAuthors }, form: handleForm},
	{
		name:     "negativeSubreddits",
		of:       func(f *keyword.Filters) *[]string { return &f.NegativeSubreddits },
		form:     subredditForm,
		shape:    subreddit,
		expected: "expected the name of a subreddit, such as golang or r/golang",
	},
	{
		name:     "positiveSubreddits",
		of:       func(f *keyword.Filters) *[]string { return &f.PositiveSubreddits },
		form:     subredditForm,
		shape:    subreddit,
		expected: "expected the name of a subreddit, such as golang or r/golang",
	},
	{name: "negativeRepos", of: func(f *keyword.Filters) *[]string { return &f.NegativeRepos }, form: repositoryForm,
		shape: repository, expected: "expected owner/name, or owner"},
}

var (
	subreddit  = text.NewPattern(`^[a-z0-9_-]+$`).MatchString
	repository = text.NewPattern(`^[a-z0-9_-]+(/[a-z0-9._-]+)?$`).MatchString
)

// listOf returns the list of a name; nil if there is none.
func listOf(name string) *list {
	for _, l := range lists {
		if l.name == name {
			return l
		}
	}
	return nil
}

// The forms follow the matcher's own ("Texts" in package match): values that are equal here are equal there.

// plain returns a text folded, composed, with single blanks, and without invisible characters.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
			return -1
		case r == '\u2018' || r == '\u2019' || r == '\u02bc':
			return '\''
		case r == '\u2010' || r == '\u2011':
			return '-'
		}
		return r
	}, norm.NFC.String(text))
	return norm.NFC.String(cases.Fold().String(strings.Join(strings.Fields(text), " ")))
}

func phraseForm(text string) string { return plain(text) }

func handleForm(text string) string {
	text = strings.TrimLeft(strings.TrimSpace(text), "@")
	return plain(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(text, "/"), "u/"), "U/"))
}

func subredditForm(text string) string {
	text = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), "/")
	if text == "r/" {
		return ""
	}
	return strings.TrimPrefix(strings.TrimSuffix(text, "/"), "r/")
}

func repositoryForm(text string) string {
	return strings.Trim(strings.ToLower(strings.TrimSpace(text)), "/")
}

// A fault of a value. Without a code there is none.
type fault struct{ code, message string }

// check returns the fault of each value.
func (l *list) check(values []FilterValue) []fault {
	faults := make([]fault, len(values))
	mute := l.mute(values)
	for i, value := range values {
		text := strings.TrimSpace(string(value))
		switch {
		case strings.ContainsFunc(string(value), unicode.IsControl):
			faults[i] = fault{"pattern", "expected no control characters"}
		case text == "" || l.form(text) == "" || mute[i]:
			faults[i] = fault{"min_length", "expected something that can be found"}
		case utf8.RuneCountInString(text) > maxCharacters:
			faults[i] = fault{"max_length", "expected at most 100 characters"}
		case l.shape != nil && !l.shape(l.form(text)):
			faults[i] = fault{"format", l.expected}
		}
	}
	return faults
}

// mute returns the positions of the phrases that the matcher cannot look for.
func (l *list) mute(values []FilterValue) map[int]bool {
	if l.name != "negativeKeywords" || len(values) == 0 {
		return nil
	}
	tried := match.Workspace{Keywords: make([]keyword.Keyword, len(values))}
	for i, value := range values {
		tried.Keywords[i] = keyword.Keyword{ID: int64(i + 1), Text: string(value)}
	}
	_, err := match.Compile([]match.Workspace{tried})
	mute := map[int]bool{}
	joined, _ := err.(interface{ Unwrap() []error })
	if joined == nil {
		return mute
	}
	for _, one := range joined.Unwrap() {
		var found *match.Fault
		if errors.As(one, &found) {
			mute[int(found.Keyword-1)] = true
		}
	}
	return mute
}

// replace sets the list to these values, without duplicates, and reports whether that changed it.
func (l *list) replace(f *keyword.Filters, values []FilterValue) (changed bool) {
	kept := l.of(f)
	var next keyword.Filters
	l.add(&next, values)
	if slices.Equal(*kept, *l.of(&next)) {
		return false
	}
	*kept = *l.of(&next)
	return true
}

// add adds the values that the list lacks, and reports whether there were any.
func (l *list) add(f *keyword.Filters, values []FilterValue) (added bool) {
	kept := l.of(f)
	known := make(map[string]bool, len(*kept)+len(values))
	for _, value := range *kept {
		known[l.form(value)] = true
	}
	for _, value := range values {
		if form := l.form(string(value)); !known[form] {
			known[form], added = true, true
			*kept = append(*kept, strings.TrimSpace(string(value)))
		}
	}
	return added
}

// remove removes the values that mean the same as one of the given values, and reports whether there were any.
func (l *list) remove(f *keyword.Filters, values []FilterValue) (removed bool) {
	kept := l.of(f)
	gone := make(map[string]bool, len(values))
	for _, value := range values {
		gone[l.form(string(value))] = true
	}
	before := len(*kept)
	*kept = slices.DeleteFunc(*kept, func(value string) bool { return gone[l.form(value)] })
	return len(*kept) != before
}
