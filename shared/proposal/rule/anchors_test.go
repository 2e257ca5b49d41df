package rule_test

import (
	"testing"

	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
)

// A2 takes a term that the sample has no post of when the profile offers it, and one that was found in relevant posts
// beyond the sample.
func TestA2_NotInTheSample(t *testing.T) {
	offered := func(terms ...string) func(*proposal.Evidence) {
		return func(e *proposal.Evidence) {
			e.Candidates.Candidates = []proposal.Candidate{{Ref: "brand", Text: "jetty", Anchors: terms}}
		}
	}
	read := func(f proposal.TermFigure) func(*proposal.Evidence) {
		return func(e *proposal.Evidence) {
			s := e.Sampled.Sightings["brand"]
			s.Anchors = []proposal.TermFigure{f}
			e.Sampled.Sightings["brand"] = s
		}
	}
	for _, tt := range []struct {
		name, term string
		do         func(*proposal.Evidence)
		works      bool
	}{
		{"nobody offers it", "helm", offered(), false},
		{"the profile offers it", "helm", offered("Helm"), true},
		{"the profile offers it, and noise has it", "sails", offered("sails"), false},
		{"relevant posts beyond the sample have it", "helm", read(proposal.TermFigure{Term: "Helm", Relevant: 2}), true},
		{"only noise beyond the sample has it", "helm", read(proposal.TermFigure{Term: "helm", Noise: 2}), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, e := valid()
			p.Keywords[brand].AdditionalTerms[0] = tt.term
			tt.do(&e)
			works := true
			for _, f := range rule.Check(p, e) {
				works = works && f.Rule != "A2"
			}
			if works != tt.works {
				t.Errorf("Check(%s) finds that it works = %t, want %t", tt.term, works, tt.works)
			}
		})
	}
}
