package keywords

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/keyword"
	"earshot/shared/text/fold"
	"earshot/shared/web"
)

// Faults of texts that a schema cannot express: bounds count the characters of the trimmed text, and a post must be
// able to contain it (match.Fault).

// textFault returns the fault of a text that must have visible characters; empty if it has none. form is the form in
// which it compares.
func textFault(text, form string) (code, message string) {
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return "min_length", "expected 1 to 100 characters that are not blank"
	case n > keyword.MaxText:
		return "max_length", "expected at most 100 characters"
	case strings.ContainsFunc(text, unicode.IsControl):
		return "control_characters", "control characters are not allowed"
	case form == "":
		return "format", "expected text that shows something"
	}
	return "", ""
}

// A termList is one of a keyword's lists.
type termList struct {
	name  string
	of    func(*keyword.Keyword) *[]string
	form  func(term string, cased bool) string
	fault func(term string) (message string) // returns further faults of a term; may be nil
}

func termLists() []termList {
	return []termList{
		{"additionalTerms", func(k *keyword.Keyword) *[]string { return &k.AdditionalTerms }, form, operatorFault},
		{"excludeWords", func(k *keyword.Keyword) *[]string { return &k.ExcludeWords }, form, operatorFault},
		{"wildcardExcludeWords", func(k *keyword.Keyword) *[]string { return &k.WildcardExcludeWords },
			func(word string, cased bool) string { return form(fold.Stem(word), cased) }, prefixFault},
		{"excludeAuthors", func(k *keyword.Keyword) *[]string { return &k.ExcludeAuthors },
			func(handle string, _ bool) string { return fold.Author(handle) }, nil},
	}
}

func form(text string, cased bool) string {
	if cased {
		return fold.CasedForm(text)
	}
	return fold.Form(text)
}

func operatorFault(term string) (message string) {
	if found, _, _, _ := keyword.Operators(term); found {
		return "search operators (quotes, a leading + or -, AND, OR, an asterisk within) are matched literally and would never hit"
	}
	return ""
}

func prefixFault(word string) (message string) {
	if strings.Contains(fold.Stem(word), "*") {
		return "expected the beginning of a word, with no asterisk but at its end"
	}
	return operatorFault(word)
}

// trimmed returns a list as it is stored; nil for none.
func trimmed(terms []string) []string {
	if terms == nil {
		return nil
	}
	texts := make([]string, len(terms))
	for i, term := range terms {
		texts[i] = strings.TrimSpace(term)
	}
	return texts
}

// faults returns the faults of a list's elements.
func (l termList) faults(at *huma.PathBuffer, terms []string) (faults []error) {
	for i, term := range trimmed(terms) {
		code, message := textFault(term, l.form(term, false))
		if code == "" && l.fault != nil {
			if message = l.fault(term); message != "" {
				code = "operator"
			}
		}
		if code != "" {
			faults = append(faults, faultAt(at, fmt.Sprintf("%s[%d]", l.name, i), code, message))
		}
	}
	return faults
}

// distinct leaves of terms that compare as one the first.
func (l termList) distinct(terms []string, cased bool) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(terms), func(term string) bool {
		form := l.form(term, cased)
		double := seen[form]
		seen[form] = true
		return double
	})
}

// faultAt is web.Fault for a path of several steps. A PathBuffer can only remove its last step.
func faultAt(at *huma.PathBuffer, path, code, message string) error {
	return web.Fault(huma.NewPathBuffer([]byte(at.String()), at.Len()), path, code, message)
}
