package searches

import (
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/query"
	"earshot/shared/search"
	"earshot/shared/workspace"
)

// judging judges posts by what the workspace wants to find: its profile, and the words of the query in place of a
// keyword.
type judging struct {
	judge        *judge.Judge
	alternatives []alternative
	profile      bool // whether there is anything to compare a post with
}

// An alternative is a part of the query between two OR.
type alternative struct {
	query   query.Query
	subject *judge.Subject
	words   bool // whether the part has a word or a phrase
}

func newJudging(j *judge.Judge, company workspace.Company, parsed query.Query) judging {
	made := judging{
		judge:   j,
		profile: company.Name != "" || company.Domain != "" || company.Description != "" || len(company.Products) > 0,
	}
	for _, each := range parsed.Each() {
		k := keyword.Keyword{ExactMatch: true}
		for _, t := range each.Alternatives()[0] {
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
		made.alternatives = append(made.alternatives, alternative{each, j.Subject(company, k, nil), k.Text != ""})
	}
	return made
}

// results returns the posts that are relevant enough, as mentions without ids.
func (j judging) results(posts []post.Post, least mention.Score) (results []search.Result) {
	for i := range posts {
		p := &posts[i]
		reading := j.judge.Read(p)
		if verdict := j.verdict(reading, p); verdict.Score <= least {
			results = append(results, search.Result{Mention: toMention(p, reading, verdict)})
		}
	}
	return results
}

// verdict judges a post by the alternatives that it meets. A part without words says nothing about what is meant, so
// that only the profile can speak for the post.
func (j judging) verdict(reading judge.Reading, p *post.Post) judge.Verdict {
	var met []*judge.Subject
	words := false
	for _, each := range j.alternatives {
		if each.query.Matches(p, reading.Language) {
			met, words = append(met, each.subject), words || each.words
		}
	}
	if len(met) == 0 { // its text was cut, and met an alternative before
		for _, each := range j.alternatives {
			met, words = append(met, each.subject), words || each.words
		}
	}
	verdict := j.judge.Judge(reading, p, met)
	switch {
	case words:
	case !j.profile:
		verdict.Score = mention.Medium
		verdict.Comment = "The query has no word, and there is no company profile to compare the post with."
	case verdict.Score.Relevant():
		verdict.Comment = "The post fits your profile."
	default:
		verdict.Comment = "The post does not fit your profile."
	}
	return verdict
}
