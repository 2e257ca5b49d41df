package agent

import (
	"context"
	"errors"

	"earshot/functions/setupstages"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/agent"
	"earshot/shared/proposal/candidate"
	"earshot/shared/proposal/measure"
	"earshot/shared/proposal/sampling"
	"earshot/shared/proposal/survey"
)

// tools answer the agent's questions by the survey of its own run.
type tools struct {
	Options
	s *setupstages.Session
	e proposal.Evidence
}

// asked is the ref of what the agent asks about by a text of its own.
const asked = "asked"

// about is the candidate that a question is about.
func (t tools) about(q agent.Query) (proposal.Candidate, error) {
	if q.Ref == "" {
		return proposal.Candidate{
			Ref:   asked,
			Text:  q.Text,
			Exact: q.Exact,
			Cased: q.Cased,
			Class: candidate.Class(q.Text, t.spoken()...),
		}, nil
	}
	c, known := t.e.Candidates.Of(q.Ref)
	if !known {
		return proposal.Candidate{}, errors.New("there is no such candidate")
	}
	return c, nil
}

// spoken lists what is spoken besides English on the site and in the posts of all samples, since a text that is asked
// about has no sample of its own.
func (t tools) spoken() []string {
	sampled := map[string]int{}
	for _, seen := range t.e.Sampled.Sightings {
		for language, posts := range seen.Languages {
			sampled[language] += posts
		}
	}
	return candidate.Spoken(t.e.Profile.Language, sampled)
}

// Measure counts in every source, one after the other.
func (t tools) Measure(ctx context.Context, q agent.Query) (proposal.Volume, error) {
	c, err := t.about(q)
	if err != nil {
		return proposal.Volume{}, err
	}
	only := proposal.Candidates{Candidates: []proposal.Candidate{c}}
	surveyed, err := t.Survey(ctx, t.s.Key)
	if err != nil {
		return proposal.Volume{}, err
	}
	var counts []proposal.Counts
	for _, name := range surveyed.Names() {
		counts = append(counts, surveyed.Branch(ctx, name, only))
	}
	if err := ctx.Err(); err != nil {
		return proposal.Volume{}, err
	}
	return measure.Join(only, counts, nil, surveyed.Names(), t.s.Clock.Now().UTC()).Volumes[c.Ref], nil
}

// Sample reads posts of every source that has any.
func (t tools) Sample(ctx context.Context, q agent.Query) (proposal.Sighting, error) {
	c, err := t.about(q)
	if err != nil {
		return proposal.Sighting{}, err
	}
	surveyed, err := t.Survey(ctx, t.s.Key)
	if err != nil {
		return proposal.Sighting{}, err
	}
	limit := t.e.Tier.Depth().Posts
	var posts []post.Post
	var failures []error
	answered := 0
	for _, name := range surveyed.Names() {
		found, err := surveyed.Posts(ctx, name, c, limit)
		switch {
		case err == nil:
			posts, answered = append(posts, found...), answered+1
		case !errors.Is(err, survey.ErrNotThere):
			failures = append(failures, err)
		}
	}
	if answered == 0 && len(failures) > 0 {
		return proposal.Sighting{}, errors.Join(failures...)
	}
	return sampling.New(t.Judge, t.e.Profile, t.e.Domain).Look(c, posts, limit), nil
}
