package sampling

import (
	"slices"

	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/theme"
)

// A seen is a post of a sample with what was read of it.
type seen struct {
	proposal.SampledPost
	reading judge.Reading
	sure    bool     // the judge scored it high
	terms   []string // words and phrases of two, lowercase, each once
}

// matching are the posts that the candidate's text matches bare.
func (s *Sampler) matching(c proposal.Candidate, posts []post.Post) (found []*post.Post) {
	matcher := compile([]keyword.Keyword{Bare(c)})
	if matcher == nil {
		return nil
	}
	clipper := clipper{matcher: matcher}
	for i := range posts {
		if clipper.matches(&posts[i]) {
			found = append(found, &posts[i])
		}
	}
	return found
}

// ambiguous reports whether words beside a candidate's text have to tell its posts apart: it is a common word, or less
// than half of its sample means it.
func ambiguous(c proposal.Candidate, relevant, sampled int) bool {
	return c.Common || c.Route == proposal.Anchored ||
		float64(relevant) < proposal.ConfirmBelow*float64(sampled)
}

// Wanted is how many posts of each source are worth reading for a candidate whose sample has at most limit: more of one
// that words beside it have to tell apart.
func Wanted(c proposal.Candidate, limit int) int {
	if ambiguous(c, 0, 0) {
		return max(limit, Reading)
	}
	return limit
}

// see samples, clips and judges matching posts. The judge reads the whole post, as it will when posts come in.
func (s *Sampler) see(c proposal.Candidate, found []*post.Post, limit int) []seen {
	bare := Bare(c)
	matcher := compile([]keyword.Keyword{bare})
	if matcher == nil {
		return nil
	}
	clipper := clipper{matcher: matcher}
	// What an anchored keyword asks for beside it is part of what the judge is told of it.
	bare.AdditionalTerms = c.Anchors
	subjects := []*judge.Subject{s.judge.Subject(s.company, bare, nil)}
	var all []seen
	for _, p := range spread(found, limit) {
		clipped, ok := clipper.clip(p)
		if !ok {
			continue
		}
		reading := s.judge.Read(p)
		verdict := s.judge.Judge(reading, p, subjects)
		one := seen{SampledPost: clipped, reading: reading}
		one.Language, one.Relevant = reading.Language, verdict.Score.Relevant()
		one.sure = verdict.Score == mention.High
		one.Job = slices.Contains(verdict.Tags, mention.Tag("hiring")) || offersWork(p)
		one.terms = theme.Terms(one.Title, one.Body)
		all = append(all, one)
	}
	return all
}
