package setup_test

import (
	"math"
	"strings"

	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/worldtest"
)

// drawn is a proposal within the bounds of the description, with no sense in it.
func drawn(r *rapid.T, draftID string) proposal.Proposal {
	p := proposal.Proposal{
		ID:              some(r),
		DraftID:         draftID,
		Domain:          some(r),
		SkillVersion:    text(r),
		Model:           text(r),
		Archetype:       of(r, proposal.Archetype("").Values()...),
		ArchetypeReason: text(r),
		Keywords:        list(r, 3, func() proposal.Keyword { return drawnKeyword(r) }),
		Options: list(r, 2, func() proposal.Option {
			return proposal.Option{
				ID:                some(r),
				KeywordRef:        some(r),
				Label:             some(r),
				Description:       text(r),
				Explanation:       text(r),
				AdditionalTerms:   texts(r),
				ProjectedMonthly:  amount(r),
				SelectedByDefault: rapid.Bool().Draw(r, "selected"),
			}
		}),
		Feeds: list(r, 2, func() proposal.Feed {
			return proposal.Feed{
				Ref:           some(r),
				Name:          text(r),
				Purpose:       of(r, proposal.ForBrand, proposal.ForCompetitors, proposal.ForTopic, proposal.Merged),
				KeywordRefs:   texts(r),
				ContentTerms:  texts(r),
				Visible:       rapid.Bool().Draw(r, "visible"),
				MergedIntoRef: text(r),
				Source:        of(r, proposal.FromSetup, proposal.FromMentions),
				Gate: proposal.FeedGate{
					WeeklySample:         amount(r),
					RelevanceRate:        share(r),
					DominantClusterShare: share(r),
					DuplicateOf:          text(r),
				},
			}
		}),
		Platforms: proposal.Platforms{
			On:  texts(r),
			Off: list(r, 2, func() proposal.PlatformOff { return proposal.PlatformOff{Source: text(r), Reason: text(r)} }),
		},
		Totals: proposal.Totals{ProjectedMonthly: amount(r), DedupedMonthly: amount(r), Allowance: amount(r) + 1,
			Band: of(r, proposal.Pass, proposal.Confirm, proposal.Blocked),
			NarrowingApplied: list(r, 2, func() proposal.Narrowing {
				n := proposal.Narrowing{Step: of(r, proposal.NarrowingSteps()...), Target: text(r), Reason: text(r)}
				if rapid.Bool().Draw(r, "known") {
					saved := amount(r)
					n.SavedMonthly = &saved
				}
				return n
			})},
		Warnings: list(r, 2, func() proposal.Warning {
			return proposal.Warning{Code: text(r), Keyword: text(r), Message: text(r)}
		}),
		Measurement:   proposal.Measurement{MeasuredAt: worldtest.Now, Sources: texts(r), Unmeasured: texts(r)},
		Confidence:    share(r),
		AgentFallback: rapid.Bool().Draw(r, "fallback"),
	}
	return p
}

// wild are ways out of the bounds of the description.
func wild() []func(*proposal.Proposal) {
	ways := []func(*proposal.Proposal){
		func(p *proposal.Proposal) { p.ID = "" },
		func(p *proposal.Proposal) { p.DraftID = "" },
		func(p *proposal.Proposal) { p.Domain = "" },
		func(p *proposal.Proposal) { p.Archetype = "loud" },
		func(p *proposal.Proposal) { p.Confidence = 1.5 },
		func(p *proposal.Proposal) { p.Totals.Allowance = 0 },
		func(p *proposal.Proposal) { p.Totals.Band = "x" },
		func(p *proposal.Proposal) { p.Totals.ProjectedMonthly = -1 },
		func(p *proposal.Proposal) { p.Totals.DedupedMonthly = math.Inf(1) },
		func(p *proposal.Proposal) {
			p.Totals.NarrowingApplied = append(p.Totals.NarrowingApplied, proposal.Narrowing{Step: "x"})
		},
		func(p *proposal.Proposal) { p.Options = append(p.Options, proposal.Option{ID: "o", KeywordRef: "k"}) },
		func(p *proposal.Proposal) {
			p.Feeds = append(p.Feeds, proposal.Feed{Ref: "f", Purpose: "x", Source: proposal.FromSetup})
		},
		func(p *proposal.Proposal) {
			p.Feeds = append(p.Feeds, proposal.Feed{Ref: "f", Purpose: proposal.ForBrand})
		},
		func(p *proposal.Proposal) {
			p.Feeds = append(p.Feeds,
				proposal.Feed{
					Ref:     "f",
					Purpose: proposal.ForBrand,
					Source:  proposal.FromSetup,
					Gate:    proposal.FeedGate{RelevanceRate: 2},
				})
		},
	}
	for _, way := range []func(*proposal.Keyword){
		func(k *proposal.Keyword) { k.Ref = "" },
		func(k *proposal.Keyword) { k.FeedRef = "" },
		func(k *proposal.Keyword) { k.Tag = "x" },
		func(k *proposal.Keyword) { k.Route = "x" },
		func(k *proposal.Keyword) { k.AdditionalTermsLogic = "x" },
		func(k *proposal.Keyword) { k.Context = strings.Repeat("é", 201) },
		func(k *proposal.Keyword) { k.Confidence = -0.1 },
		func(k *proposal.Keyword) { k.Platforms = []string{"myspace"} },
		func(k *proposal.Keyword) { k.Flags = []proposal.Flag{"x"} },
		func(k *proposal.Keyword) { k.Volume.Low = -1 },
		func(k *proposal.Keyword) { k.Volume.High = math.NaN() },
		func(k *proposal.Keyword) { k.Volume.Band = "" },
		func(k *proposal.Keyword) { k.Volume.Basis = "" },
		func(k *proposal.Keyword) { k.Volume.Window = "2d" },
		func(k *proposal.Keyword) {
			k.Volume.PerSource = []proposal.SourceCount{{Source: "x", Window: proposal.Day}}
		},
		func(k *proposal.Keyword) { k.Sample = &proposal.Sample{Scored: -1} },
		func(k *proposal.Keyword) { k.Sample = &proposal.Sample{RelevanceRate: 2} },
		func(k *proposal.Keyword) { k.Reasons = []proposal.Reason{{Basis: proposal.ByRule, Ref: "K1"}} },
		func(k *proposal.Keyword) { k.Reasons = []proposal.Reason{{Basis: "x", Ref: "K1", Text: "x"}} },
		func(k *proposal.Keyword) {
			k.Approvals = []proposal.Approval{{Setting: "x", Approval: proposal.Quietly}}
		},
		func(k *proposal.Keyword) {
			k.Approvals = []proposal.Approval{{Setting: proposal.SettingTag, Approval: "x"}}
		},
		func(k *proposal.Keyword) {
			k.Approval = map[proposal.Setting]proposal.Approves{proposal.SettingTag: "x"}
		},
	} {
		ways = append(ways, func(p *proposal.Proposal) { way(&p.Keywords[0]) })
	}
	return ways
}

func drawnKeyword(r *rapid.T) proposal.Keyword {
	k := proposal.Keyword{
		Ref:                  some(r),
		Keyword:              text(r),
		Tag:                  of(r, keyword.OwnBrand, keyword.Competitor, keyword.IndustryTerm),
		Route:                of(r, proposal.Routes()...),
		ExactMatch:           rapid.Bool().Draw(r, "exact"),
		CaseSensitive:        rapid.Bool().Draw(r, "cased"),
		AdditionalTerms:      texts(r),
		AdditionalTermsLogic: of(r, keyword.Any, keyword.All),
		ExcludeWords:         texts(r),
		WildcardExcludeWords: texts(r),
		ExcludeAuthors:       texts(r),
		Context:              rapid.StringN(0, proposal.MaxContext, -1).Draw(r, "context"),
		FeedRef:              some(r),
		Explanation:          text(r),
		Confidence:           share(r),
		Volume: proposal.Volume{
			Low:               amount(r),
			High:              amount(r),
			Band:              of(r, proposal.BandQuiet, proposal.BandStandard, proposal.BandHigh, proposal.BandTopEnd),
			Basis:             of(r, proposal.BasisAnalog, proposal.BasisSampled, proposal.BasisPrior, proposal.BasisSparse),
			Window:            of(r, proposal.Windows()...),
			UnverifiedSources: texts(r),
			UnmeasuredSources: texts(r),
			PerSource: list(r, 2, func() proposal.SourceCount {
				return proposal.SourceCount{
					Source: text(r),
					Count:  amount(r),
					Window: of(r, proposal.Windows()...),
					Factor: amount(r) + 0.01,
					Low:    amount(r),
					High:   amount(r),
				}
			}),
		},
		Reasons: list(r, 2, func() proposal.Reason {
			return proposal.Reason{
				Basis: of(r, proposal.ByRule, proposal.ByGuide, proposal.ByMeasurement, proposal.ByJudgement),
				Ref:   some(r),
				Text:  some(r),
			}
		}),
		Flags: list(r, 2, func() proposal.Flag {
			return of(r, proposal.FlagHighVolume, proposal.FlagMustSplit, proposal.FlagConfirmHandle, proposal.FlagUnverified,
				proposal.FlagSparse,
				proposal.FlagJobSpamWall, proposal.FlagLanguageWall, proposal.FlagGenericRejected)
		}),
		SelectedByDefault: rapid.Bool().Draw(r, "selected"),
		OptionGroup:       text(r),
		Approvals: list(r, 2, func() proposal.Approval {
			return proposal.Approval{
				Setting:  of(r, proposal.Settings()...),
				Terms:    texts(r),
				Approval: of(r, proposal.Quietly, proposal.InCleanup),
				Reason:   text(r),
			}
		}),
	}
	for _, setting := range proposal.Settings() {
		if rapid.Bool().Draw(r, "named") {
			if k.Approval == nil {
				k.Approval = map[proposal.Setting]proposal.Approves{}
			}
			k.Approval[setting] = of(r, proposal.Quietly, proposal.InCleanup)
		}
	}
	if rapid.Bool().Draw(r, "narrowed") {
		k.Platforms = list(r, 3, func() string { return of(r, keyword.Platforms()...) })
	}
	if rapid.Bool().Draw(r, "sampled") {
		k.Sample = &proposal.Sample{Scored: rapid.IntRange(0, 60).Draw(r, "scored"), RelevanceRate: share(r),
			Clusters: list(r, 2, func() proposal.Cluster { return proposal.Cluster{Label: text(r), Share: share(r)} })}
	}
	return k
}

func of[T any](r *rapid.T, values ...T) T { return rapid.SampledFrom(values).Draw(r, "value") }

// list is nil as often as it is empty.
func list[T any](r *rapid.T, most int, element func() T) []T {
	var all []T
	for range rapid.IntRange(0, most).Draw(r, "n") {
		all = append(all, element())
	}
	return all
}

func text(r *rapid.T) string    { return rapid.StringN(0, 20, -1).Draw(r, "text") }
func some(r *rapid.T) string    { return rapid.StringN(1, 20, -1).Draw(r, "text") }
func texts(r *rapid.T) []string { return list(r, 2, func() string { return text(r) }) }

func amount(r *rapid.T) float64 { return rapid.Float64Range(0, 1e6).Draw(r, "amount") }
func share(r *rapid.T) float64  { return rapid.Float64Range(0, 1).Draw(r, "share") }
