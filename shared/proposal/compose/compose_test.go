package compose_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/compose"
	"earshot/shared/proposal/sampling"
)

// narrow decides and narrows, each with a study of its own.
func narrow(e proposal.Evidence) (proposal.Decisions, proposal.Proposal) {
	return compose.Study(e).Narrow(compose.Study(e).Decide())
}

// made is a proposal of code's own decisions, which keeps to every rule.
func made(t *testing.T, w *world) (proposal.Decisions, proposal.Proposal) {
	t.Helper()
	d, p := narrow(w.Evidence)
	holds(t, p, w.Evidence)
	return d, p
}

func TestDistinctiveBrand(t *testing.T) {
	_, p := made(t, distinctive())
	brand := keywordOf(t, p, "brand")
	if p.Archetype != proposal.Quiet || brand.Route != proposal.Bare || !brand.SelectedByDefault ||
		len(brand.AdditionalTerms) > 0 {
		t.Errorf("a distinctive name is %s, %s, selected %t", p.Archetype, brand.Route, brand.SelectedByDefault)
	}
	if brand.Sample == nil || brand.Sample.Scored != 10 || brand.Sample.RelevanceRate != 1 {
		t.Errorf("its sample is %+v", brand.Sample)
	}
	if proposes(p, "brand_domain") || !warns(p, "covered") {
		t.Error("its domain, which the name finds as well, is proposed or not spoken of")
	}
	for _, purpose := range []proposal.Purpose{proposal.ForBrand, proposal.ForCompetitors, proposal.ForTopic} {
		if f := feedOf(t, p, purpose); !f.Visible {
			t.Errorf("the feed %s is hidden: %+v", f.Name, f.Gate)
		}
	}
	if p.ID != "draft_1.3" || p.Totals.Band != proposal.Pass || p.Model != proposal.NoModel || p.Confidence <= 0.5 {
		t.Errorf("the proposal is %s, %s, %s, %v", p.ID, p.Totals.Band, p.Model, p.Confidence)
	}
	for figure, ref := range map[string]string{"12 in 30 days on Hacker News": "V1", "10 of 10 sampled posts": "K2"} {
		quotes := func(r proposal.Reason) bool { return r.Ref == ref && strings.Contains(r.Text, figure) }
		if !slices.ContainsFunc(brand.Reasons, quotes) {
			t.Errorf("no reason by %s quotes %q: %+v", ref, figure, brand.Reasons)
		}
	}
}

func TestCommonWordBrand(t *testing.T) {
	w := commonWord(90, 60)
	_, p := made(t, w)
	brand := keywordOf(t, p, "brand")
	if p.Archetype != proposal.CommonWord || brand.Route != proposal.Anchored || !brand.SelectedByDefault {
		t.Errorf("a common word is %s, %s, selected %t", p.Archetype, brand.Route, brand.SelectedByDefault)
	}
	// The default of the own brand's terms is the clean-up: until then it would be tracked bare.
	if brand.Approval[proposal.SettingAdditionalTerms] != proposal.Quietly ||
		len(brand.Initially().AdditionalTerms) != len(brand.AdditionalTerms) {
		t.Error("its anchors are not written at apply")
	}
	if slices.Contains(brand.AdditionalTerms, "enterprise") || !brand.Has(proposal.FlagGenericRejected) {
		t.Error("a generic anchor is there, or the rejected one is not flagged")
	}
	posts := w.Sampled.Sightings["brand"].Posts
	kept, relevant, all := sampling.Keeps(brand.Tracked(), posts), 0, 0
	for _, at := range kept {
		if posts[at].Relevant {
			relevant++
		}
	}
	for _, one := range posts {
		if one.Relevant {
			all++
		}
	}
	if precision, bare := float64(relevant)/float64(len(kept)), float64(all)/float64(len(posts)); precision < 2*bare ||
		float64(relevant) < 0.8*float64(all) {
		t.Errorf("it keeps %d of %d relevant posts among %d, of %d", relevant, all, len(kept), len(posts))
	}
	if brand.Sample.Scored != len(kept) {
		t.Errorf("%d posts are scored and %d kept", brand.Sample.Scored, len(kept))
	}
	bare := w.Measured.Volumes["brand"]
	if brand.Volume.Mid() > bare.Mid()/2 || brand.Volume.High <= brand.Volume.Low {
		t.Errorf("its volume is %v to %v, bare %v to %v", brand.Volume.Low, brand.Volume.High, bare.Low, bare.High)
	}
	if !proposes(p, "brand_domain") {
		t.Error("the domain, which the anchored name does not cover, is not proposed")
	}
}

// What is excluded leaves out noise that anchors let through, nothing relevant and never the brand; of the own brand it waits.
func TestExclusions(t *testing.T) {
	w := newWorld()
	w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 100, 100)
	w.add(proposal.Candidate{Ref: "competitor_1", Text: "Zendrix", Tag: keyword.Competitor, Route: proposal.Bare}, 100, 100)
	for _, ref := range []string{"brand", "competitor_1"} {
		c, _ := w.Candidates.Of(ref)
		var posts []proposal.SampledPost
		for i := range 12 {
			posts = append(posts, post(i, "reddit", "ann", fmt.Sprintf("%s ledger %d", c.Text, i), true))
		}
		for i := range 4 {
			posts = append(posts, post(20+i, "reddit", "spambot", fmt.Sprintf("%s giveaway voucher %d", c.Text, i), false))
		}
		posts = append(posts, post(30, "reddit", "bob", c.Text+" newsletter, ledger", false))
		w.sees(ref, posts, nil, []string{"giveaway", "voucher", "ledger", "newsletter", "acmely"}, []string{"spambot", "ann"})
	}
	_, p := made(t, w)
	for ref, class := range map[string]proposal.Approves{"brand": proposal.InCleanup, "competitor_1": proposal.Quietly} {
		k := keywordOf(t, p, ref)
		if !slices.Equal(k.ExcludeWords, []string{"giveaway"}) {
			t.Errorf("%s excludes %q", ref, k.ExcludeWords)
		}
		if k.Approved(proposal.SettingExcludeWords) != class {
			t.Errorf("the exclusions of %s are %s", ref, k.Approved(proposal.SettingExcludeWords))
		}
		if k.Sample.Scored != 13 {
			t.Errorf("%s keeps %d posts", ref, k.Sample.Scored)
		}
	}
}

// A common word whose capital tells the company from the word is tracked by its capital, as far as the plan has room.
func TestCommonWordBrand_ByCase(t *testing.T) {
	w := commonWord(90, 60)
	w.sees("brand", boxesWritten("box"), []string{"Dropbox", "storage", "OneDrive"}, nil, nil)
	_, p := made(t, w)
	brand := keywordOf(t, p, "brand")
	if brand.Route != proposal.Bare || !brand.CaseSensitive || len(brand.AdditionalTerms) > 0 || !brand.SelectedByDefault {
		t.Errorf("route %s, by case %t, beside %q, selected %t, want bare by its capital, alone and selected",
			brand.Route, brand.CaseSensitive, brand.AdditionalTerms, brand.SelectedByDefault)
	}
	if !brand.Initially().CaseSensitive {
		t.Error("Initially() listens for either case")
	}
	if brand.Sample.Scored != 10 || brand.Volume.High >= 90 {
		t.Errorf("Sample %+v, Volume %+v, want the ten posts with a capital and a third of what was counted", brand.Sample,
			brand.Volume)
	}
	if !strings.Contains(brand.Explanation, "with its capital") {
		t.Errorf("Explanation = %q, want the capital named", brand.Explanation)
	}
	quotes := func(r proposal.Reason) bool {
		return r.Ref == "K2" && strings.Contains(r.Text, "10 of 10 sampled posts")
	}
	if !slices.ContainsFunc(brand.Reasons, quotes) {
		t.Errorf("Reasons = %+v, want one by K2 that quotes the sample", brand.Reasons)
	}
	w.sees("brand", boxesWritten("box"), []string{"Dropbox", "storage", "OneDrive", "sync", "SSO"}, nil, nil)
	_, p = made(t, w)
	if brand := keywordOf(t, p, "brand"); brand.Route != proposal.Anchored || brand.CaseSensitive {
		t.Errorf("beside anchors that keep nine of ten it is %s, by case %t, want anchored in either case",
			brand.Route, brand.CaseSensitive)
	}
	crowded := commonWord(9_000, 9_000)
	crowded.sees("brand", boxesWritten("box"), []string{"Dropbox", "storage", "OneDrive"}, nil, nil)
	_, p = made(t, crowded)
	if brand := keywordOf(t, p, "brand"); brand.Route != proposal.Anchored || brand.CaseSensitive {
		t.Errorf("of 18,000 posts a month it is %s, by case %t, want anchored in either case", brand.Route, brand.CaseSensitive)
	}
}

func TestHardCase(t *testing.T) {
	_, p := made(t, commonWord(9_000, 9_000))
	if p.Archetype != proposal.HardCase {
		t.Errorf("a common word with 6,000 relevant posts a month is %s: %s", p.Archetype, p.ArchetypeReason)
	}
	if brand := keywordOf(t, p, "brand"); brand.Route != proposal.Anchored || !brand.Has(proposal.FlagHighVolume) {
		t.Errorf("it is %s with %v", brand.Route, brand.Flags)
	}
}

// A common word without enough anchors is not tracked bare: words of its relevant posts anchor it, and it is not dropped.
func TestCommonWordWithoutAnchors(t *testing.T) {
	w := commonWord(90, 60)
	w.sees("brand", boxPosts(), []string{"Dropbox", "app", "box"}, nil, nil)
	w.Candidates.Candidates[0].Anchors = nil
	_, p := made(t, w)
	brand := keywordOf(t, p, "brand")
	if brand.Route != proposal.Anchored || !brand.SelectedByDefault || brand.Has(proposal.FlagUnverified) ||
		brand.Sample.RelevanceRate <= 0.5 {
		t.Errorf("it is %s beside %q, selected %t, with %v and %+v", brand.Route, brand.AdditionalTerms,
			brand.SelectedByDefault, brand.Flags, brand.Sample)
	}
	if p.Archetype != proposal.CommonWord {
		t.Errorf("it is %s", p.Archetype)
	}
}

// A name that no list has is a common word when its sample says so.
func TestSampleConfirms(t *testing.T) {
	w := distinctive()
	var posts []proposal.SampledPost
	for i := range 12 {
		posts = append(posts, post(i, "reddit", "ann",
			fmt.Sprintf("Acmely %s %d", []string{"ledger", "SSO", "invoice", "river"}[i%4], i), i%4 != 3 && i < 6))
	}
	w.sees("brand", posts, []string{"ledger", "SSO", "invoice", "river"}, nil, nil)
	_, p := made(t, w)
	if brand := keywordOf(t, p, "brand"); brand.Route != proposal.Anchored ||
		slices.Contains(brand.AdditionalTerms, "river") {
		t.Errorf("it is %s with %q", brand.Route, brand.AdditionalTerms)
	}
}

// With everything failed, there is still a proposal: of estimates, with nothing but the brand's feed.
func TestEverythingFailed(t *testing.T) {
	for name, change := range map[string]func(w *world){
		"failed": func(w *world) { w.Measured, w.Sampled = proposal.Measured{}, proposal.Sampled{} },
		"interrupted": func(w *world) {
			w.Interrupted = true
			w.Measured.Failed, w.Measured.Unmeasured = []string{"github"}, []string{"newsletter"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := distinctive()
			change(w)
			_, p := made(t, w)
			for _, k := range p.Keywords {
				if name == "interrupted" && !slices.Contains(k.Volume.UnverifiedSources, "github") {
					t.Errorf("%s does not name the source that failed", k.Ref)
				}
				if !k.Has(proposal.FlagUnverified) || k.Volume.Basis != proposal.BasisPrior || len(k.Volume.PerSource) > 0 {
					t.Errorf("%s: flags %v, basis %s", k.Ref, k.Flags, k.Volume.Basis)
				}
			}
			for _, f := range p.Feeds {
				if f.Visible != (f.Purpose == proposal.ForBrand) {
					t.Errorf("the feed %s: visible %t", f.Name, f.Visible)
				}
			}
			if !keywordOf(t, p, "brand").SelectedByDefault || !warns(p, "feed_hidden") {
				t.Error("the brand is not selected, or nothing says why feeds are hidden")
			}
			if p.Measurement.MeasuredAt.IsZero() {
				t.Error("the proposal has no time")
			}
		})
	}
}

// A sample that failed leaves a common word to the profile's anchors, with no more than an estimate of what they let through.
func TestSampleFailed(t *testing.T) {
	w := commonWord(30_000, 30_000)
	w.Sampled = proposal.Sampled{}
	w.Candidates.Candidates[0].Anchors = []string{"OneDrive", "Dropbox", "box.example", "Egnyte"}
	_, p := made(t, w)
	brand := keywordOf(t, p, "brand")
	// Of what the profile offers, "box.example" has the name in it and anchors nothing by that; it is still another text.
	if brand.Route != proposal.Anchored || len(brand.AdditionalTerms) < proposal.MinAnchors ||
		brand.Volume.Basis != proposal.BasisPrior {
		t.Errorf("it is %s with %q and %s", brand.Route, brand.AdditionalTerms, brand.Volume.Basis)
	}
	if f := feedOf(t, p, proposal.ForBrand); !f.Visible {
		t.Error("the brand's feed is hidden")
	}
}

// With room for five and three texts tracked, the brand comes first, then competitors, then the field; what is tracked
// takes no room.
func TestRoom(t *testing.T) {
	w := newWorld()
	w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 40, 40)
	for i, name := range []string{"Zendrix", "Quillora", "Tavolix", "Brontix", "Miravo", "Orlenza"} {
		w.add(proposal.Candidate{
			Ref:   fmt.Sprintf("competitor_%d", i+1),
			Text:  name,
			Tag:   keyword.Competitor,
			Route: proposal.Bare,
		}, 40, 40)
	}
	for i, term := range []string{"invoice matching", "accounts payable"} {
		w.add(proposal.Candidate{
			Ref:   fmt.Sprintf("industry_%d", i+1),
			Text:  term,
			Tag:   keyword.IndustryTerm,
			Route: proposal.Bare,
		}, 40, 40)
	}
	w.Plan.Keywords, w.Plan.Tracked = 5, []string{"ZENDRIX", "quillora", "something else"}
	_, p := made(t, w)
	var chosen []string
	for _, k := range p.Keywords {
		if k.SelectedByDefault {
			chosen = append(chosen, k.Ref)
		}
	}
	if want := []string{"brand", "competitor_3", "competitor_4", "competitor_5", "competitor_6"}; !slices.Equal(chosen, want) {
		t.Errorf("selected are %q, not %q", chosen, want)
	}
	for ref, says := range map[string]string{"competitor_1": "track it already", "industry_1": "room for 5 more"} {
		if k := keywordOf(t, p, ref); !strings.Contains(k.Explanation, says) {
			t.Errorf("%s: %s", ref, k.Explanation)
		}
	}
	says(t, p, []string{"The plan's room goes to keywords that come first."}, "no room for more")
	if !warns(p, "keyword_limit") || !warns(p, "already_tracked") {
		t.Errorf("the warnings are %+v", p.Warnings)
	}
}

func TestCompetitorCoveredByTheBrand(t *testing.T) {
	w := distinctive()
	w.add(proposal.Candidate{Ref: "competitor_2", Text: "Acmely Pro", Tag: keyword.Competitor, Route: proposal.Bare}, 5, 5)
	_, p := made(t, w)
	if proposes(p, "competitor_2") || !warns(p, "covered") || !proposes(p, "brand") {
		t.Error("what the brand covers is proposed, or nothing says why not")
	}
}

// Every sampled post of a product has the brand too: that it is left out is said.
func TestProduct_CoveredByItsSample(t *testing.T) {
	w := distinctive()
	w.add(proposal.Candidate{Ref: "product_1", Text: "Ledgerbox", Tag: keyword.OwnBrand, Route: proposal.Bare}, 4, 4)
	var posts []proposal.SampledPost
	for i := range 8 {
		posts = append(posts, post(300+i, "reddit", "di", fmt.Sprintf("Ledgerbox by Acmely closed our books %d times", i), true))
	}
	w.sees("product_1", posts, nil, nil, nil)
	_, p := made(t, w)
	if proposes(p, "product_1") || !slices.ContainsFunc(p.Warnings, func(one proposal.Warning) bool {
		return one.Code == "covered" && one.Keyword == "Ledgerbox" && strings.HasSuffix(one.Message, "Acmely")
	}) {
		t.Errorf("Ledgerbox is proposed, or nothing says why not: %+v", p.Warnings)
	}
}

// What is wider than the brand and not of it goes, and the brand stays.
func TestBrandCoveredByAnother(t *testing.T) {
	w := newWorld()
	w.add(proposal.Candidate{Ref: "brand", Text: "Zendrix Cloud", Tag: keyword.OwnBrand, Route: proposal.Bare}, 40, 40)
	w.add(proposal.Candidate{Ref: "competitor_1", Text: "Zendrix", Tag: keyword.Competitor, Route: proposal.Bare}, 90, 90)
	if _, p := made(t, w); !keywordOf(t, p, "brand").SelectedByDefault || proposes(p, "competitor_1") {
		t.Error("the brand is dropped for what is wider")
	}
}

func TestUnconfirmedHandles(t *testing.T) {
	w := distinctive()
	w.add(proposal.Candidate{
		Ref:       "handle_1",
		Text:      "@getacmely",
		Tag:       keyword.OwnBrand,
		Route:     proposal.HandleVariant,
		Confirm:   true,
		Platforms: []string{"twitter"},
	}, 0, 0)
	w.add(proposal.Candidate{
		Ref:     "handle_2",
		Text:    "@acmelyhq",
		Tag:     keyword.OwnBrand,
		Route:   proposal.HandleVariant,
		Confirm: true,
	}, 2, 1)
	_, p := made(t, w)
	for _, ref := range []string{"handle_1", "handle_2"} {
		if k := keywordOf(t, p, ref); k.SelectedByDefault || !k.Has(proposal.FlagConfirmHandle) ||
			!strings.Contains(k.Explanation, "confirm") {
			t.Errorf("%s: selected %t, %v, %s", ref, k.SelectedByDefault, k.Flags, k.Explanation)
		}
	}
}

// A platform whose posts are mostly noise is off, and says why.
func TestNoisyPlatform(t *testing.T) {
	w := distinctive()
	var posts []proposal.SampledPost
	for i := range 10 {
		posts = append(posts, post(i, "hackernews", "ann", fmt.Sprintf("Acmely %d", i), true),
			post(50+i, "reddit", "bob", fmt.Sprintf("Acmely, bot %d", i), i == 0))
	}
	w.sees("brand", posts, nil, nil, nil)
	w.Candidates.Candidates = w.Candidates.Candidates[:1]
	_, p := made(t, w)
	at := slices.IndexFunc(p.Platforms.Off, func(o proposal.PlatformOff) bool { return o.Source == "reddit" })
	if at < 0 || slices.Contains(p.Platforms.On, "reddit") ||
		!strings.Contains(p.Platforms.Off[at].Reason, "mostly noise") &&
			!strings.Contains(p.Platforms.Off[at].Reason, "1 of 10") {
		t.Errorf("the platforms are %+v", p.Platforms)
	}
	if brand := keywordOf(t, p, "brand"); slices.Contains(brand.Platforms, "reddit") || brand.Platforms == nil ||
		brand.Volume.Mid() > 20 {
		t.Errorf("the brand listens on %q for %v", brand.Platforms, brand.Volume.Mid())
	}
}

// A distinctive name that brings too much is anchored before it is selected.
func TestTopEnd(t *testing.T) {
	w := distinctive()
	w.Measured.Volumes["brand"] = volume(w.Candidates.Candidates[0],
		map[string]int64{"hackernews": 60_000, "reddit": 9_000}, w.Measured)
	var posts []proposal.SampledPost
	for i := range 12 {
		posts = append(posts, post(i, "reddit", "ann",
			fmt.Sprintf("Acmely %s %d", []string{"ledger", "SSO", "invoice", "river"}[i%4], i), true))
	}
	w.sees("brand", posts, []string{"ledger", "SSO", "invoice"}, nil, nil)
	_, p := made(t, w)
	if brand := keywordOf(t, p, "brand"); p.Archetype != proposal.HighVolume || brand.Route != proposal.Anchored ||
		!brand.SelectedByDefault {
		t.Errorf("it is %s, %s, selected %t", p.Archetype, brand.Route, brand.SelectedByDefault)
	}
	// With nothing to anchor it, its sources are what is left to split it by.
	w.sees("brand", posts, nil, nil, nil)
	w.Candidates.Candidates = w.Candidates.Candidates[:1]
	w.Measured.Volumes["brand"] = volume(w.Candidates.Candidates[0], map[string]int64{"hackernews": 60_000, "reddit": 900},
		w.Measured)
	_, p = made(t, w)
	if brand := keywordOf(t, p, "brand"); !brand.SelectedByDefault || brand.Volume.Band == proposal.BandTopEnd ||
		!keyword.Takes(brand.Platforms, "reddit", false) {
		t.Errorf("it is selected %t, %s on %q", brand.SelectedByDefault, brand.Volume.Band, brand.Platforms)
	}
}

// A competitor of whom most is about something else is offered and not selected.
func TestNoisyCompetitor(t *testing.T) {
	w := distinctive()
	var posts []proposal.SampledPost
	for i := range 12 {
		posts = append(posts, post(400+i, "reddit", "ann",
			fmt.Sprintf("Zendrix %s %d", []string{"ledger", "SSO", "invoice"}[i%3], i), i < 4))
	}
	w.sees("competitor_1", posts, []string{"ledger", "SSO", "invoice"}, nil, nil)
	_, p := made(t, w)
	if k := keywordOf(t, p, "competitor_1"); k.SelectedByDefault || !strings.Contains(k.Explanation, "something else") {
		t.Errorf("it is selected %t: %s", k.SelectedByDefault, k.Explanation)
	}
}

// A word that is only in noise, and the brand's own, is not excluded from anybody's posts.
func TestTheBrandIsNeverExcluded(t *testing.T) {
	w := distinctive()
	posts := slices.Clone(w.Sampled.Sightings["competitor_1"].Posts)
	for i := range 4 {
		posts = append(posts, post(500+i, "reddit", "eve", fmt.Sprintf("Zendrix or acmely for a voucher %d", i), false))
	}
	w.sees("competitor_1", posts, nil, []string{"acmely", "voucher"}, nil)
	_, p := made(t, w)
	if k := keywordOf(t, p, "competitor_1"); !slices.Equal(k.ExcludeWords, []string{"voucher"}) {
		t.Errorf("it excludes %q", k.ExcludeWords)
	}
}

// A name whose noisy platform is off covers its domain once that platform is off for all (rule K3).
func TestCoveredOncePlatformsAreOff(t *testing.T) {
	w := named("Zorbly", lanterns, 3, 20)
	w.sees("brand", w.Sampled.Sightings["brand"].Posts, []string{"lanterns", "wicks", "payments"}, nil, nil)
	c, _ := w.Candidates.Of("brand")
	w.Measured.Volumes["brand"] = volume(c, map[string]int64{"hackernews": 6, "reddit": 4}, w.Measured)
	_, p := made(t, w)
	brand := keywordOf(t, p, "brand")
	if !slices.Contains(brand.AdditionalTerms, "zorbly.example") || slices.Contains(p.Platforms.On, "hackernews") {
		t.Fatalf("the anchors are %q, on are %v", brand.AdditionalTerms, p.Platforms.On)
	}
	if proposes(p, "brand_domain") || !warns(p, "covered") {
		t.Error("the domain, which the name covers, is proposed or not spoken of")
	}
}

// What the profile says of a common word stands although no post has it. What only noise has does not, and neither does a
// word of posts that the profile does not have.
func TestAnchors_Profile(t *testing.T) {
	w := commonWord(90, 60)
	c, _ := w.Candidates.Of("brand")
	c.Anchors = append(c.Anchors, "cardboard", "BoxWorks")
	w.Candidates.Candidates[0] = c
	w.sees("brand", boxPosts(), []string{"Dropbox", "storage", "OneDrive", "sync", "SSO", "cardboard", "zebra"}, nil, nil)
	_, p := made(t, w)
	brand := keywordOf(t, p, "brand")
	for term, want := range map[string]bool{"BoxWorks": true, "Dropbox": true, "cardboard": false, "zebra": false,
		"box.example": false} {
		if got := slices.Contains(brand.AdditionalTerms, term); got != want {
			t.Errorf("AdditionalTerms = %q, has %s = %t, want %t", brand.AdditionalTerms, term, got, want)
		}
	}
}

// A word that was found in relevant posts beyond the sample is an anchor like one of the sample's.
func TestAnchors_ReadBeyondTheSample(t *testing.T) {
	w := commonWord(90, 60)
	s := w.Sampled.Sightings["brand"]
	s.Anchors = append([]proposal.TermFigure{{Term: "folders", Relevant: 9, Noise: 1}}, s.Anchors...)
	w.Sampled.Sightings["brand"] = s
	_, p := made(t, w)
	if brand := keywordOf(t, p, "brand"); !slices.Contains(brand.AdditionalTerms, "folders") {
		t.Errorf("AdditionalTerms = %q, want folders among them", brand.AdditionalTerms)
	}
}

// Nobody is excluded on four posts of noise, or with a relevant post among all that was read.
func TestAuthors_Few(t *testing.T) {
	for _, tt := range []struct {
		noise, relevant int
		excluded        bool
	}{{4, 0, false}, {5, 0, true}, {6, 1, false}} {
		w := distinctive()
		posts := slices.Clone(w.Sampled.Sightings["competitor_1"].Posts)
		for i := range tt.noise {
			posts = append(posts, post(500+i, "reddit", "eve", fmt.Sprintf("Zendrix voucher %d", i), false))
		}
		w.sees("competitor_1", posts, nil, nil, []string{"eve"})
		s := w.Sampled.Sightings["competitor_1"]
		s.Authors[0].Relevant = tt.relevant
		w.Sampled.Sightings["competitor_1"] = s
		_, p := made(t, w)
		if k := keywordOf(t, p, "competitor_1"); slices.Contains(k.ExcludeAuthors, "eve") != tt.excluded {
			t.Errorf("with %d posts of noise and %d relevant ExcludeAuthors = %q, want excluded = %t",
				tt.noise, tt.relevant, k.ExcludeAuthors, tt.excluded)
		}
	}
}

// A plan's few keywords go first to what somebody wrote: not to other writings of the name that nobody uses.
func TestDecide_RoomForWhatIsSaid(t *testing.T) {
	w := distinctive()
	for _, text := range []string{"Acme ly", "acme-ly"} {
		w.add(proposal.Candidate{
			Ref: "copy_" + text, Text: text, Tag: keyword.OwnBrand, Route: proposal.BrandCopy,
		}, 0, 0)
	}
	w.Plan.Keywords = 3
	_, p := made(t, w)
	for ref, want := range map[string]bool{
		"brand": true, "competitor_1": true, "industry_1": true, "copy_Acme ly": false, "copy_acme-ly": false,
	} {
		if got := keywordOf(t, p, ref).SelectedByDefault; got != want {
			t.Errorf("%s is selected: %t, want %t", ref, got, want)
		}
	}
}

// No anchor has another of them in it, since it would let nothing in that this one does not.
func TestDecide_AnchorsWithinOthers(t *testing.T) {
	w := commonWord(90, 60)
	w.sees("brand", boxPosts(), []string{"sync", "Box sync", "sync in Box", "SSO", "without SSO", "Dropbox", "storage"},
		nil, nil)
	_, p := made(t, w)
	terms := keywordOf(t, p, "brand").AdditionalTerms
	for _, term := range terms {
		for _, other := range terms {
			if term != other && strings.Contains(" "+strings.ToLower(term)+" ", " "+strings.ToLower(other)+" ") {
				t.Errorf("the anchors have %q besides %q: %q", term, other, terms)
			}
		}
	}
}
