package sampling

import (
	"slices"

	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/proposal"
)

// A seen is a post of a sample with what was read of it.
type seen struct {
	proposal.SampledPost
	reading judge.Reading
	terms   []string // words and phrases of two, lowercase, each once
}

// see samples, clips and judges. The judge reads the whole post, as it will when posts come in.
func (s *Sampler) see(c proposal.Candidate, posts []post.Post, limit int) []seen {
	bare := Bare(c)
	matcher := compile([]keyword.Keyword{bare})
	if matcher == nil {
		return nil
	}
	clipper := clipper{matcher: matcher}
	var found []*post.Post
	for i := range posts {
		if clipper.matches(&posts[i]) {
			found = append(found, &posts[i])
		}
	}
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
		one.Job = slices.Contains(verdict.Tags, mention.Tag("hiring")) || offersWork(p)
		one.terms = termsOf(one.Title, one.Body)
		all = append(all, one)
	}
	return all
}
