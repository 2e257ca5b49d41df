package compose_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/proposal/compose"
)

// wide is a company of whose profile every kind of candidate comes.
func wide() *world {
	w := newWorld()
	w.Domain = "lanternly.example"
	w.Profile = proposal.Profile{
		Company: "Lanternly", Description: lanterns, Audience: "sailors", Products: []string{"Wickmaster", "Spark"},
		OtherNames: []string{"Lantern Works"}, Competitors: []string{"Zendrix", "Slack", "Acme Oil Lamps"},
		IndustryTerms: []string{"oil lamps", "chandlery"}, Language: "english",
		Handles: []proposal.Handle{
			{Platform: "twitter", Handle: "lanternly", Linked: true}, {Platform: "github", Handle: "lanternworks"},
		},
	}
	for _, c := range candidate.Of(w.Domain, w.Profile).Candidates {
		w.add(c, 40, 12)
		var posts []proposal.SampledPost
		for i, word := range strings.Fields("wicks oil matches cardboard gift office wicks oil matches sailors") {
			posts = append(posts, post(i, "hackernews", "ann", c.Text+" and "+word, i < 3 || i > 5))
		}
		w.sees(c.Ref, posts, strings.Fields("wicks oil matches sailors"), strings.Fields("cardboard gift office"), nil)
	}
	return w
}

// The description: "agentFallback: code composed the proposal […] (reasons from rules only, template explanations)".
func TestReasons_ByCode(t *testing.T) {
	w := wide()
	_, p := made(t, w)
	if !p.AgentFallback || len(p.Keywords) < 6 {
		t.Fatalf("fallback %t, with %d keywords", p.AgentFallback, len(p.Keywords))
	}
	for _, k := range p.Keywords {
		counted, sampled := false, false
		for _, reason := range k.Reasons {
			if reason.Basis != proposal.ByRule || !ruleIDs[reason.Ref] {
				t.Errorf("%s has the reason %+v, which is no rule's", k.Ref, reason)
			}
			counted = counted || strings.Contains(reason.Text, "40 in 30 days on Hacker News")
			sampled = sampled || strings.Contains(reason.Text, "of 10 sampled posts")
		}
		if !counted || !sampled {
			t.Errorf("%s: counts are quoted: %t, the sample is: %t: %+v", k.Ref, counted, sampled, k.Reasons)
		}
	}
}

// Candidates that an earlier version kept have reasons by guide.
func TestReasons_CandidatesOfEarlierVersion(t *testing.T) {
	w := wide()
	guide := []proposal.Reason{{Basis: proposal.ByGuide, Ref: "routes", Text: "It can be tracked by itself."}}
	for i := range w.Candidates.Candidates {
		w.Candidates.Candidates[i].Reasons = guide
	}
	_, p := made(t, w)
	for _, k := range p.Keywords {
		other := func(r proposal.Reason) bool { return r.Basis != proposal.ByRule }
		if slices.ContainsFunc(k.Reasons, other) || len(k.Reasons) == 0 {
			t.Errorf("%s has the reasons %+v", k.Ref, k.Reasons)
		}
	}
}

// What a model decided keeps the model's reasons, and quotes figures by measurement.
func TestReasons_ByModel(t *testing.T) {
	w := wide()
	d := compose.Study(w.Evidence).Decide()
	d.ByCode = false
	for i := range d.Keywords {
		d.Keywords[i].Reasons = []proposal.Reason{{Basis: proposal.ByJudgement, Ref: "name", Text: "It is short."}}
	}
	p := compose.Study(w.Evidence).Assemble(d)
	holds(t, p, w.Evidence)
	if p.AgentFallback {
		t.Error("it says that code composed it")
	}
	for _, k := range p.Keywords {
		if len(k.Reasons) < 3 || k.Reasons[0].Basis != proposal.ByJudgement {
			t.Errorf("%s has the reasons %+v", k.Ref, k.Reasons)
			continue
		}
		for _, reason := range k.Reasons[1:] {
			if reason.Basis != proposal.ByMeasurement {
				t.Errorf("%s quotes a figure as %+v", k.Ref, reason)
			}
		}
	}
}

// What a scoping keeps of a sample is said without a share of no posts.
func TestReasons_AllRelevant(t *testing.T) {
	w := newWorld()
	w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 900, 90_000)
	var posts []proposal.SampledPost
	for i, word := range []string{"ledger", "ledger", "payroll", "payroll", "receipts", "receipts", "receipts", "nothing"} {
		posts = append(posts, post(i, "reddit", fmt.Sprint("author", i), "Acmely does "+word, true))
	}
	w.sees("brand", posts, []string{"ledger", "payroll", "receipts"}, nil, nil)
	_, p := made(t, w)
	says(t, p, []string{"As it is scoped it keeps 7 of these 8 posts."}, "of the 0")
}
