package rule_test

import (
	"math"
	"strings"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
)

// A mutation makes one fault in what is valid. Exactly the rule that it is for finds it.
type mutation struct {
	rule, what string
	do         func(*proposal.Proposal, *proposal.Evidence)
}

var mutations = []mutation{
	{"K1", "the brand is only offered", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[brand].SelectedByDefault, p.Keywords[domain].SelectedByDefault = false, false
		p.Totals.ProjectedMonthly, p.Totals.DedupedMonthly = 300, 300
	}},
	{"K1", "its domain alone", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[brand].SelectedByDefault = false
		p.Totals.ProjectedMonthly, p.Totals.DedupedMonthly = 400, 400
	}},
	{"K2", "its terms wait for the clean-up", func(p *proposal.Proposal, _ *proposal.Evidence) {
		delete(p.Keywords[brand].Approval, proposal.SettingAdditionalTerms)
	}},
	{"K2", "an option has no terms",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Options[0].AdditionalTerms = []string{} }},
	{"K2", "the site's language has the word", func(p *proposal.Proposal, e *proposal.Evidence) {
		e.Profile.Language = "french"
		p.Keywords[rival].Keyword = "Boulanger"
		delete(e.Sampled.Sightings, "rival") // which would clear it
	}},
	{"K2", "the sample says otherwise", func(_ *proposal.Proposal, e *proposal.Evidence) { spoil(e, "rival", 5) }},
	{"K2", "its capital proves nothing", func(p *proposal.Proposal, _ *proposal.Evidence) {
		k := &p.Keywords[brand]
		k.Keyword, k.Route, k.CaseSensitive, k.AdditionalTerms = "Jetty", proposal.Bare, true, []string{}
	}},
	{"K2", "a common word is a copy", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].Keyword, p.Keywords[rival].Route = "anchor", proposal.BrandCopy
	}},
	{"K3", "one covers another", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].Keyword = "private container registry"
	}},
	{"K3", "the same text twice", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[account].Keyword = "@KUBERNAUTIX"
		p.Keywords[rival].Keyword = "@kubernautix"
		confirm(p, rival)
	}},
	{"K4", "without the flag",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[account].Flags = []proposal.Flag{} }},
	{"K4", "selected", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[account].SelectedByDefault, p.Totals.ProjectedMonthly = true, 600
	}},
	{"K5", "quotation marks",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Keyword = `"kubernautix"` }},
	{"K5", "a sign alone", func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Keyword = "+" }},
	{"K5", "an exclusion alone",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Keyword = "-kubernautix" }},
	{"K5", "an excluded word with a sign",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].ExcludeWords = []string{"-boats"} }},
	{"K6", "two sentences", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].Context = "For Jetty. Posts about it."
	}},
	{"K6", "nobody named", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].Context = "Posts about kubernautix."
	}},
	{"K6", "a name and no more",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Context = "Jetty." }},
	{"K7", "one word without enough posts", func(_ *proposal.Proposal, e *proposal.Evidence) {
		s := e.Sampled.Sightings["word"]
		s.Posts, s.Relevant = s.Posts[:4], 4
		e.Sampled.Sightings["word"] = s
	}},
	{"A1", "a generic anchor", func(p *proposal.Proposal, e *proposal.Evidence) {
		p.Keywords[brand].AdditionalTerms[0] = "software"
		say(e, "brand", "jetty software")
	}},
	{"A1", "a generic anchor of an option",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Options[0].AdditionalTerms[0] = "platform" }},
	{"A2", "two anchors", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[brand].AdditionalTerms = p.Keywords[brand].AdditionalTerms[:2]
	}},
	{"A2", "one of three is there twice",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[brand].AdditionalTerms[0] = "REGISTRY" }},
	{"A2", "one that keeps nothing relevant",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[brand].AdditionalTerms[0] = "sails" }},
	{"A2", "all of them", func(p *proposal.Proposal,
		_ *proposal.Evidence) {
		p.Keywords[brand].AdditionalTermsLogic = keyword.All
	}},
	{"A2", "terms by another route", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].AdditionalTerms = []string{"deploy", "registry", "kubernetes"}
	}},
	{"X1", "an exclusion of the relevant", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[brand].ExcludeWords = []string{"kubernetes"}
	}},
	{"X1", "an exclusion of the brand", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].WildcardExcludeWords = []string{"jett*"}
	}},
	{"X2", "an exclusion at once", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[brand].Approval[proposal.SettingExcludeWords] = proposal.Quietly
	}},
	{"V1", "a point", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].Volume.Low, p.Keywords[rival].Volume.High = 100, 100
	}},
	{"V1", "another band", func(p *proposal.Proposal,
		_ *proposal.Evidence) {
		p.Keywords[rival].Volume.Band = proposal.BandHigh
	}},
	{"V1", "sampled of nothing", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].Volume.PerSource = []proposal.SourceCount{}
		p.Keywords[rival].Flags = []proposal.Flag{proposal.FlagUnverified}
	}},
	{"V2", "selected at the top end", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].Volume.Open, p.Keywords[rival].Volume.Band = true, proposal.BandTopEnd
		p.Keywords[rival].Flags = []proposal.Flag{proposal.FlagMustSplit}
	}},
	{"V2", "top end without the flag", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[account].Volume.Open, p.Keywords[account].Volume.Band = true, proposal.BandTopEnd
	}},
	{"V3", "a source that is not named", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].Volume.UnmeasuredSources = []string{}
	}},
	{"V3", "a failed source", func(p *proposal.Proposal, e *proposal.Evidence) {
		e.Measured.Failed = []string{"dev"}
		p.Measurement.Unmeasured = append(p.Measurement.Unmeasured, "dev")
		for n := range p.Keywords[1:] {
			p.Keywords[n+1].Volume.UnverifiedSources = []string{"dev"}
			p.Keywords[n+1].Flags = append(p.Keywords[n+1].Flags, proposal.FlagUnverified)
		}
	}},
	{"V3", "the majority is missing", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].Volume.UnverifiedSources = []string{"dev"}
	}},
	{"V3", "not in the measurement",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Measurement.Unmeasured = []string{} }},
	{"F1", "a tag's feed", func(p *proposal.Proposal,
		_ *proposal.Evidence) {
		p.Feeds[topicFeed].Purpose = proposal.ByTag
	}},
	{"F2", "in two feeds", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Feeds[topicFeed].KeywordRefs = append(p.Feeds[topicFeed].KeywordRefs, "rival")
	}},
	{"F2", "in none", func(p *proposal.Proposal,
		_ *proposal.Evidence) {
		p.Feeds[topicFeed].KeywordRefs = []string{"topic"}
	}},
	{"F2", "another feedRef",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].FeedRef = "feed_topics" }},
	{"F2", "a feedRef of nothing",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[account].FeedRef = "nowhere" }},
	{"F2", "a feed of nothing", func(p *proposal.Proposal, _ *proposal.Evidence) {
		f := validFeed("more", proposal.ForTopic)
		f.KeywordRefs = []string{}
		p.Feeds = append(p.Feeds, f)
	}},
	{"F2", "a keyword that is not there", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Feeds[topicFeed].KeywordRefs = append(p.Feeds[topicFeed].KeywordRefs, "gone")
	}},
	{"F2", "a circle", func(p *proposal.Proposal, _ *proposal.Evidence) {
		merge(p, rivalFeed, "feed_topics")
		merge(p, topicFeed, "feed_rivals")
	}},
	{"F2", "merged into nothing", func(p *proposal.Proposal, _ *proposal.Evidence) { merge(p, rivalFeed, "nowhere") }},
	{"F3", "too few", func(p *proposal.Proposal, _ *proposal.Evidence) { p.Feeds[rivalFeed].Gate.WeeklySample = 2.9 }},
	{"F3", "too much noise",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Feeds[rivalFeed].Gate.RelevanceRate = 0.49 }},
	{"F3", "one subject", func(p *proposal.Proposal,
		_ *proposal.Evidence) {
		p.Feeds[rivalFeed].Gate.DominantClusterShare = 0.81
	}},
	{"F3", "the same as another",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Feeds[rivalFeed].Gate.DuplicateOf = "feed_brand" }},
	{"F3", "hidden for no reason",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Feeds[rivalFeed].Visible = false }},
	{"F3", "the brand's, which is quiet", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Feeds[brandFeed].Visible, p.Feeds[brandFeed].Gate.WeeklySample = false, 0.4
	}},
	{"F3", "the brand's, of one subject", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Feeds[brandFeed].Visible, p.Feeds[brandFeed].Gate.DominantClusterShare = false, 1
	}},
	{"F3", "the brand's, which is noise",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Feeds[brandFeed].Gate.RelevanceRate = 0.3 }},
	{"F3", "the brand's, merged into one that is hidden", func(p *proposal.Proposal, _ *proposal.Evidence) {
		merge(p, brandFeed, "feed_rivals")
		p.Feeds[rivalFeed].Visible, p.Feeds[rivalFeed].Gate.RelevanceRate = false, 0
	}},
	{"F3", "every feed is hidden", func(p *proposal.Proposal, _ *proposal.Evidence) {
		for n := range p.Feeds {
			p.Feeds[n].Visible, p.Feeds[n].Gate.RelevanceRate = false, 0
		}
	}},
	{"F3", "merged and visible",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Feeds[rivalFeed].MergedIntoRef = "feed_brand" }},
	{"E8", "found in mentions",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Feeds[topicFeed].Source = proposal.FromMentions }},
	{"P1", "no reason", func(p *proposal.Proposal, _ *proposal.Evidence) { p.Platforms.Off[0].Reason = " " }},
	{"P1", "on and off", func(p *proposal.Proposal,
		_ *proposal.Evidence) {
		p.Platforms.On = append(p.Platforms.On, "twitter")
	}},
	{"P1", "neither", func(p *proposal.Proposal, _ *proposal.Evidence) { p.Platforms.On = []string{"hackernews"} }},
	{"P1", "not in the plan",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Platforms.On = append(p.Platforms.On, "tiktok") }},
	{"P1", "unknown", func(p *proposal.Proposal, e *proposal.Evidence) {
		p.Platforms.On, e.Plan.Platforms = append(p.Platforms.On, "usenet"), append(e.Plan.Platforms, "usenet")
	}},
	{"P1", "narrowed to nothing",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Platforms = []string{} }},
	{"P1", "narrowed to what is off",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Platforms = []string{"twitter"} }},
	{"P1", "mostly noise", func(_ *proposal.Proposal, e *proposal.Evidence) {
		s := e.Sampled.Sightings["rival"]
		for range 6 {
			s.Posts = append(s.Posts, proposal.SampledPost{Source: "reddit", Body: "kubernautix"})
		}
		e.Sampled.Sightings["rival"] = s
	}},
	{"T1", "another sum", func(p *proposal.Proposal, _ *proposal.Evidence) { p.Totals.ProjectedMonthly = 500.6 }},
	{"T1", "more than all", func(p *proposal.Proposal, _ *proposal.Evidence) { p.Totals.DedupedMonthly = 501 }},
	{"T1", "another allowance", func(p *proposal.Proposal, _ *proposal.Evidence) { p.Totals.Allowance = 6_000 }},
	{"T1", "another band", func(p *proposal.Proposal, _ *proposal.Evidence) { p.Totals.Band = proposal.Confirm }},
	{"T2", "not in order", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Totals.NarrowingApplied = []proposal.Narrowing{step(proposal.SourceOff, "twitter"),
			step(proposal.TightenAnchors, "brand")}
	}},
	{"T2", "the brand is dropped", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Totals.NarrowingApplied = []proposal.Narrowing{step(proposal.DropIndustryAnchorSet, "account")}
	}},
	{"T2", "dropped and selected", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Totals.NarrowingApplied = []proposal.Narrowing{step(proposal.DropIndustryAnchorSet, "topic")}
	}},
	{"T2", "off and on", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Totals.NarrowingApplied = []proposal.Narrowing{step(proposal.SourceOff, "reddit")}
	}},
	{"T2", "saves nobody knows what", func(p *proposal.Proposal, _ *proposal.Evidence) {
		s := step(proposal.TightenAnchors, "brand")
		s.SavedMonthly = nil
		p.Totals.NarrowingApplied = []proposal.Narrowing{s}
	}},
	{"T3", "over the allowance", func(p *proposal.Proposal, e *proposal.Evidence) {
		p.Totals.Allowance, e.Plan.Allowance, p.Totals.Band = 449, 449, proposal.Blocked
	}},
	{"W1", "four sentences", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].Explanation = "You see. You do. You can. You may."
	}},
	{"W1", "nothing", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].Explanation = ""
	}},
	{"W1", "to nobody", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].Explanation = "Posts about it are found."
	}},
	{"W1", "a rule's id", func(p *proposal.Proposal,
		_ *proposal.Evidence) {
		p.Keywords[rival].Explanation = "You have it by K2."
	}},
	{"W1", "an option's", func(p *proposal.Proposal,
		_ *proposal.Evidence) {
		p.Options[0].Explanation = "More is found."
	}},

	{rule.InSchema, "no id", func(p *proposal.Proposal, _ *proposal.Evidence) { p.ID = "" }},
	{rule.InSchema, "an archetype that is none",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Archetype = "loud" }},
	{rule.InSchema, "confidence above 1",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Confidence = 1.01 }},
	{rule.InSchema, "confidence that is no number",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Confidence = math.NaN() }},
	{rule.InSchema, "a list that is nil",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].ExcludeAuthors = nil }},
	{rule.InSchema, "no approvals", func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Approval = nil }},
	{rule.InSchema, "an approval of nothing", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].Approval["colour"] = proposal.Quietly
	}},
	{rule.InSchema, "a class that is none", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].Approval[proposal.SettingTag] = "soon"
	}},
	{rule.InSchema, "a flag twice", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[account].Flags = append(p.Keywords[account].Flags, proposal.FlagConfirmHandle)
	}},
	{rule.InSchema, "bytes",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Warnings = []proposal.Warning{{Message: "\xff"}} }},
	{rule.InSchema, "a factor of 0",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Volume.PerSource[0].Factor = 0 }},
	{rule.InSchema, "a window that is none",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Volume.PerSource[0].Window = "2d" }},
	{rule.InSchema, "a share above 1",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Sample.Clusters[0].Share = 1.5 }},
	{rule.InSchema, "a count below 0",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Sample.Scored = -1 }},
	{rule.InSchema, "an option of nothing",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Options[0].KeywordRef = "gone" }},
	{rule.InSchema, "two options of an id",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Options = append(p.Options, p.Options[0]) }},
	{rule.InSchema, "a reason by no rule",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Reasons[0].Ref = "K9" }},
	{rule.InSchema, "a reason without words",
		func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Reasons[0].Text = "" }},
	{rule.InSchema, "a gate below 0", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Feeds[0].Gate.RelevanceRate = -0.1
		p.Feeds[0].Visible = false
	}},
	{rule.InSchema, "savings below 0", func(p *proposal.Proposal, _ *proposal.Evidence) {
		s := step(proposal.TightenAnchors, "brand")
		*s.SavedMonthly = -1
		p.Totals.NarrowingApplied = []proposal.Narrowing{s}
	}},
	{rule.InSchema, "a term that is too long", func(p *proposal.Proposal, _ *proposal.Evidence) {
		p.Keywords[rival].ExcludeWords = []string{strings.Repeat("a", keyword.MaxText+1)}
	}},
}

func step(s proposal.NarrowingStep, target string) proposal.Narrowing {
	saved := 10.0
	return proposal.Narrowing{Step: s, Target: target, SavedMonthly: &saved, Reason: "It saved much."}
}

func merge(p *proposal.Proposal, feed int, into string) {
	p.Feeds[feed].Visible, p.Feeds[feed].MergedIntoRef = false, into
}

// confirm makes a keyword one that is offered only.
func confirm(p *proposal.Proposal, n int) {
	p.Keywords[n].SelectedByDefault, p.Keywords[n].Flags = false, []proposal.Flag{proposal.FlagConfirmHandle}
	p.Totals.ProjectedMonthly, p.Totals.DedupedMonthly = 400, 400
}

// spoil has the first posts of a sample be noise.
func spoil(e *proposal.Evidence, ref string, posts int) {
	s := e.Sampled.Sightings[ref]
	for i := range posts {
		s.Posts[i].Relevant = false
		s.Relevant--
	}
	e.Sampled.Sightings[ref] = s
}

// say adds a relevant post to a sample.
func say(e *proposal.Evidence, ref, body string) {
	s := e.Sampled.Sightings[ref]
	s.Posts = append(s.Posts, proposal.SampledPost{Source: "hackernews", Body: body, Relevant: true})
	s.Relevant++
	e.Sampled.Sightings[ref] = s
}

func TestValid(t *testing.T) {
	p, e := valid()
	for _, f := range rule.Check(p, e) {
		t.Errorf("%+v", f)
	}
}

func TestMutations(t *testing.T) {
	found := map[string]bool{}
	for _, m := range mutations {
		t.Run(m.rule+" "+m.what, func(t *testing.T) {
			p, e := valid()
			m.do(&p, &e)
			all := rule.Check(p, e)
			if len(all) == 0 {
				t.Fatal("nothing found")
			}
			for _, f := range all {
				if f.Rule != m.rule {
					t.Errorf("found by %s: %+v", f.Rule, f)
				}
				if f.Place == "" || len(f.Text) < 15 || !strings.HasSuffix(f.Text, ".") {
					t.Errorf("says too little: %+v", f)
				}
			}
		})
		found[m.rule] = true
	}
	// Every rule is needed: without it, a fault of the table would pass.
	for _, r := range rule.Catalogue() {
		if !found[r.ID] {
			t.Errorf("no mutation is for %s", r.ID)
		}
	}
}
