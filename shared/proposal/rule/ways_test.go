package rule_test

import (
	"slices"
	"testing"

	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
)

// What more than one rule finds, or a rule finds in one of several ways.
func TestFoundBy(t *testing.T) {
	rivalPosts := func(e *proposal.Evidence, relevant bool, bodies ...string) {
		s := e.Sampled.Sightings["rival"]
		for _, body := range bodies {
			s.Posts = append(s.Posts,
				proposal.SampledPost{Source: "hackernews", Body: "kubernautix " + body, Relevant: relevant})
			if relevant {
				s.Relevant++
			}
		}
		e.Sampled.Sightings["rival"] = s
	}
	for _, c := range []struct {
		what  string
		rules []string
		do    func(*proposal.Proposal, *proposal.Evidence)
	}{
		{"a common word by a bare route, with terms", []string{"K2", "A2"}, func(p *proposal.Proposal, _ *proposal.Evidence) {
			p.Keywords[brand].Route = proposal.Bare
		}},
		{"one exclusion that the other makes up for", []string{"X1"}, func(p *proposal.Proposal, e *proposal.Evidence) {
			p.Keywords[rival].ExcludeWords = []string{"moose", "elk"}
			rivalPosts(e, true, "moose")
			rivalPosts(e, false, "elk", "elk")
		}},
		{"two exclusions that are good by themselves only", []string{"X1"}, func(p *proposal.Proposal, e *proposal.Evidence) {
			p.Keywords[rival].ExcludeWords = []string{"moose", "elk"}
			rivalPosts(e, true, "moose", "elk")
			rivalPosts(e, false, "moose elk")
		}},
		{"a context that is too long", []string{rule.InSchema, "K6"}, func(p *proposal.Proposal, _ *proposal.Evidence) {
			for len(p.Keywords[rival].Context) <= proposal.MaxContext {
				p.Keywords[rival].Context = "Much, " + p.Keywords[rival].Context
			}
		}},
		{"a volume that is no number", []string{rule.InSchema, "V1", "T1"}, func(p *proposal.Proposal, _ *proposal.Evidence) {
			zero := 0.0
			p.Keywords[rival].Volume.Low = zero / zero
		}},
	} {
		p, e := valid()
		c.do(&p, &e)
		var found []string
		for _, f := range rule.Check(p, e) {
			if !slices.Contains(found, f.Rule) {
				found = append(found, f.Rule)
			}
		}
		if !slices.Equal(found, c.rules) {
			t.Errorf("%s: found by %v, want %v", c.what, found, c.rules)
		}
	}
}
