package rule_test

import (
	"encoding/json"
	"fmt"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// valid is a proposal that holds to every rule, with the evidence that it was made from: a company whose name is a
// common word, its domain, a competitor, two terms of its field and a handle that nobody linked.
func valid() (proposal.Proposal, proposal.Evidence) {
	return validProposal(), validEvidence()
}

// Where the keywords and feeds of valid are.
const (
	brand = iota
	domain
	rival
	topic
	word
	account
)

const (
	brandFeed = iota
	rivalFeed
	topicFeed
)

func validKeyword(ref, text string, tag proposal.Tag, route proposal.Route, feed string) proposal.Keyword {
	return proposal.Keyword{
		Ref:                  ref,
		Keyword:              text,
		Tag:                  tag,
		Route:                route,
		ExactMatch:           true,
		AdditionalTerms:      []string{},
		AdditionalTermsLogic: keyword.Any,
		ExcludeWords:         []string{},
		WildcardExcludeWords: []string{},
		ExcludeAuthors:       []string{},
		Context:              "For Jetty, posts about " + text + ".",
		FeedRef:              feed,
		Confidence:           0.8,
		Volume: proposal.Volume{
			Low: 80, High: 120, Band: proposal.BandStandard, Basis: proposal.BasisSampled, Window: proposal.Month,
			PerSource: []proposal.SourceCount{{
				Source: "hackernews",
				Count:  100,
				Window: proposal.Month,
				Factor: 1,
				Low:    80,
				High:   120,
			}},
			UnverifiedSources: []string{}, UnmeasuredSources: []string{},
		},
		Sample: &proposal.Sample{
			Scored:        10,
			RelevanceRate: 0.8,
			Clusters:      []proposal.Cluster{{Label: "deploys", Share: 0.6}},
		},
		Explanation:       "You hear of " + text + " here.",
		Reasons:           []proposal.Reason{{Basis: proposal.ByRule, Ref: "K1", Text: "The brand is tracked."}},
		Flags:             []proposal.Flag{},
		SelectedByDefault: true,
		Approvals:         []proposal.Approval{},
		Approval:          map[proposal.Setting]proposal.Approves{},
	}
}

func validProposal() proposal.Proposal {
	p := proposal.Proposal{
		ID: "draft_1.1", DraftID: "draft_1", Domain: "jetty.example", SkillVersion: "1.0.0", Model: proposal.NoModel,
		Archetype: proposal.CommonWord, ArchetypeReason: "The name is a word that people use.",
		Keywords: []proposal.Keyword{
			validKeyword("brand", "jetty", keyword.OwnBrand, proposal.Anchored, "feed_brand"),
			validKeyword("brand_domain", "jettycloud.example", keyword.OwnBrand, proposal.DomainVariant, "feed_brand"),
			validKeyword("rival", "kubernautix", keyword.Competitor, proposal.Bare, "feed_rivals"),
			validKeyword("topic", "container registry", keyword.IndustryTerm, proposal.Bare, "feed_topics"),
			validKeyword("word", "devsecops", keyword.IndustryTerm, proposal.Bare, "feed_topics"),
			validKeyword("account", "@quietjetty", keyword.OwnBrand, proposal.HandleVariant, "feed_brand"),
		},
		Options: []proposal.Option{{
			ID: "wide", KeywordRef: "brand", Label: "Wide", Description: "More terms.", Explanation: "You hear more.",
			AdditionalTerms: []string{"deploy", "registry", "kubernetes", "cluster"}, ProjectedMonthly: 140,
		}},
		Feeds: []proposal.Feed{
			validFeed("feed_brand", proposal.ForBrand, "brand", "brand_domain", "account"),
			validFeed("feed_rivals", proposal.ForCompetitors, "rival"),
			validFeed("feed_topics", proposal.ForTopic, "topic", "word"),
		},
		Platforms: proposal.Platforms{
			On:  []string{"hackernews", "reddit"},
			Off: []proposal.PlatformOff{{Source: "twitter", Reason: "It cannot be read."}},
		},
		Totals: proposal.Totals{
			ProjectedMonthly: 500,
			DedupedMonthly:   450,
			Allowance:        5_000,
			Band:             proposal.Pass,
			NarrowingApplied: []proposal.Narrowing{},
		},
		Warnings: []proposal.Warning{},
		Measurement: proposal.Measurement{
			MeasuredAt: time.Unix(1_700_000_000, 0),
			Sources:    []string{"hackernews"},
			Unmeasured: []string{"twitter"},
		},
		Confidence: 0.8,
	}
	for n := range p.Keywords {
		p.Keywords[n].Volume.UnmeasuredSources = []string{"twitter"}
	}
	p.Keywords[brand].AdditionalTerms = []string{"deploy", "registry", "kubernetes"}
	p.Keywords[brand].Approval[proposal.SettingAdditionalTerms] = proposal.Quietly
	p.Keywords[brand].ExcludeWords = []string{"boat"}
	p.Keywords[brand].Approval[proposal.SettingExcludeWords] = proposal.InCleanup
	p.Keywords[account].Flags = []proposal.Flag{proposal.FlagConfirmHandle}
	p.Keywords[account].SelectedByDefault = false
	return p
}

func validFeed(ref string, purpose proposal.Purpose, keywords ...string) proposal.Feed {
	return proposal.Feed{
		Ref: ref, Name: ref, Purpose: purpose, KeywordRefs: keywords, Visible: true, Source: proposal.FromSetup,
		Gate: proposal.FeedGate{WeeklySample: 20, RelevanceRate: 0.8, DominantClusterShare: 0.6},
	}
}

func validEvidence() proposal.Evidence {
	p := validProposal()
	e := proposal.Evidence{
		DraftID: "draft_1",
		Run:     1,
		Domain:  p.Domain,
		Profile: proposal.Profile{Company: "Jetty", Handles: []proposal.Handle{{Platform: "twitter", Handle: "quietjetty"}}},
		Measured: proposal.Measured{
			At:         time.Unix(1_700_000_000, 0),
			Sources:    []string{"hackernews"},
			Unmeasured: []string{"twitter"},
		},
		Sampled: proposal.Sampled{Sightings: map[string]proposal.Sighting{}},
		Plan:    proposal.Room{Allowance: 5_000, Keywords: 20, Platforms: []string{"hackernews", "reddit", "twitter"}},
	}
	for _, k := range p.Keywords {
		says := []string{"deploy", "registry", "kubernetes"}
		s := proposal.Sighting{}
		for i := range 8 {
			s.Posts = append(s.Posts,
				proposal.SampledPost{
					ID:       fmt.Sprint(k.Ref, i),
					Source:   "hackernews",
					Body:     k.Keyword + " for our " + says[i%3],
					Relevant: true,
				})
			s.Relevant++
		}
		for i := range 2 {
			s.Posts = append(s.Posts,
				proposal.SampledPost{
					ID:     fmt.Sprint(k.Ref, 8+i),
					Source: "hackernews",
					Body:   "a boat in " + k.Keyword + ", we deploy sails",
					Author: "sailor",
				})
		}
		e.Sampled.Sightings[k.Ref] = s
	}
	return e
}

// clone is a copy that shares nothing.
func clone[T any](v T) (copied T) {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(raw, &copied); err != nil {
		panic(err)
	}
	return copied
}
