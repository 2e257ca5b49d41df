package judge

import (
	"slices"
	"strings"
	"unicode"

	"earshot/shared/judge/relevance"
	"earshot/shared/keyword"
	"earshot/shared/workspace"
)

// Feedback is a user's judgement of one post.
type Feedback struct {
	Relevant bool
	Vector   []byte // Reading.Vector of the post; other bytes are ignored
}

// A Subject is what one workspace wants to find by one keyword, compiled. It is immutable. Keep it until the profile,
// the keyword or the feedback changes.
type Subject struct {
	company  workspace.Company
	keyword  keyword.Keyword
	compiled *relevance.Subject
}

// Subject compiles a workspace's profile, a keyword, and users' feedback on its mentions, newest first. The first
// relevance.MaxLabels count. It takes about a millisecond, and about 20 with 200 labels.
func (j *Judge) Subject(c workspace.Company, k keyword.Keyword, feedback []Feedback) *Subject {
	wish := relevance.Wish{
		Keyword:    k.Text,
		Substring:  !k.ExactMatch,
		Profile:    []string{c.Name, c.Description, c.Audience, k.Context},
		Terms:      k.AdditionalTerms,
		Domain:     c.Domain,
		Handles:    append([]string{joined(c.Name), joined(withoutForm(c.Name)), label(c.Domain)}, c.Handles...),
		Named:      isName(c, k),
		Exclude:    append(append([]string{}, c.ExcludeTerms...), k.ExcludeWords...),
		Guidelines: c.RelevanceGuidelines,
		Labels:     make([]relevance.Label, 0, min(len(feedback), relevance.MaxLabels)),
	}
	// A company's products and domain speak for its own brand, not for a competitor's.
	if k.Tag == keyword.Competitor {
		wish.Domain, wish.Handles = "", nil
		wish.Profile = append(wish.Profile, c.Products...)
	} else {
		wish.Products = c.Products
	}
	for _, f := range feedback[:min(len(feedback), relevance.MaxLabels)] {
		wish.Labels = append(wish.Labels, relevance.Label(f))
	}
	return &Subject{company: c, keyword: k, compiled: j.space.Subject(wish)}
}

// isName reports whether a keyword is the proper name of a company: a competitor's, or the workspace's own by its name
// or its domain. Another keyword, such as an industry term, is a word that texts write in lowercase.
func isName(c workspace.Company, k keyword.Keyword) bool {
	switch name := joined(k.Text); {
	case k.Tag == keyword.IndustryTerm || name == "":
		return false
	case k.Tag == keyword.Competitor || k.Tag == keyword.OwnBrand && c.Name == "" && c.Domain == "":
		return true
	default:
		return name == joined(c.Name) || name == joined(withoutForm(c.Name)) || name == joined(label(c.Domain)) ||
			slices.ContainsFunc(c.Products, func(product string) bool {
				return name == joined(product)
			})
	}
}

// withoutForm returns a company's name without its legal form, such as "Acme" for "Acme, Inc.".
func withoutForm(name string) string {
	if last := strings.LastIndexAny(name, " ,"); last > 0 && slices.Contains(legalForms, joined(name[last:])) {
		return name[:last]
	}
	return name
}

// legalForms are the legal forms that company names end with.
var legalForms = []string{
	"inc", "incorporated", "corp", "corporation", "co", "company", "llc", "ltd", "limited", "plc", "gmbh", "ag", "se",
	"sa", "sas", "sarl", "srl", "spa", "bv", "nv", "ab", "as", "oy", "kk", "lda", "ltda", "kg", "ug", "pty",
}

// label returns the first label of a company's domain.
func label(domain string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(strings.ToLower(domain), "www."), ".")
	return first
}

// joined returns the letters and digits of a name, in lowercase.
func joined(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
