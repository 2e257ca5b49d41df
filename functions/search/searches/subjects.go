package searches

import (
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/query"
	"earshot/shared/workspace"
)

// subjects returns what the workspace wants to find, by each alternative of the query: the profile, the alternative's
// words in place of a keyword, and its negated words as words to exclude.
func subjects(j *judge.Judge, company workspace.Company, parsed query.Query) []*judge.Subject {
	var all []*judge.Subject
	for _, terms := range parsed.Alternatives() {
		k := keyword.Keyword{ExactMatch: true}
		for _, t := range terms {
			switch {
			case t.Field != query.Text && t.Field != query.Title:
			case t.Negated:
				k.ExcludeWords = append(k.ExcludeWords, t.Value)
			case k.Text == "":
				k.Text = t.Value
			default:
				k.AdditionalTerms = append(k.AdditionalTerms, t.Value)
			}
		}
		all = append(all, j.Subject(company, k, nil))
	}
	return all
}
