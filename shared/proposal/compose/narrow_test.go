package compose_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/compose"
)

// large is a common word with much said of it and a term of its field.
func large() *world {
	w := newWorld()
	w.Domain, w.Profile.Company = "box.example", "Box"
	w.add(proposal.Candidate{Ref: "brand", Text: "Box", Tag: keyword.OwnBrand, Route: proposal.Bare}, 900, 600)
	w.add(proposal.Candidate{Ref: "industry_1", Text: "team folders", Tag: keyword.IndustryTerm, Route: proposal.Bare}, 300, 100)
	w.add(proposal.Candidate{Ref: "industry_2", Text: "cloud folders", Tag: keyword.IndustryTerm, Route: proposal.Bare}, 30, 10)
	said := []string{"Dropbox", "Dropbox", "OneDrive", "OneDrive", "sync", "SSO", "Egnyte", "Nextcloud", "SharePoint",
		"ledger", "Dropbox and SSO", "Dropbox and sync"}
	var posts []proposal.SampledPost
	for i := range 24 {
		posts = append(posts, post(i, []string{"hackernews", "reddit"}[i%2], "ann",
			fmt.Sprintf("Box and %s %d", said[i%12], i), i%12 != 5 || i < 12))
	}
	for i := range 4 {
		posts = append(posts, post(60+i, "hackernews", "bob", fmt.Sprintf("the box %d", i), false))
	}
	w.sees("brand", posts, []string{"Dropbox", "OneDrive", "sync", "SSO", "Egnyte", "Nextcloud", "SharePoint", "ledger"}, nil, nil)
	for n, ref := range []string{"industry_1", "industry_2"} {
		c, _ := w.Candidates.Of(ref)
		var about []proposal.SampledPost
		for i := range 8 {
			about = append(about, post(100*n+200+i, "reddit", "cy", fmt.Sprintf("%s %d", c.Text, i), i > 1))
		}
		w.sees(ref, about, nil, nil, nil)
	}
	return w
}

// A total that is over the allowance is narrowed in the order of the steps, no further than it must be, and never by
// the own brand.
func TestNarrowingInOrder(t *testing.T) {
	free := large()
	free.Plan.Allowance = 1e6
	_, whole := made(t, free)
	if len(whole.Totals.NarrowingApplied) > 0 || whole.Totals.Band != proposal.Pass {
		t.Fatalf("with room for all it is narrowed: %+v", whole.Totals)
	}
	total := whole.Totals.DedupedMonthly
	deepest := 0
	for _, share := range []float64{0.97, 0.8, 0.7, 0.5, 0.2, 0.1} {
		w := large()
		w.Plan.Allowance = share * total
		_, p := made(t, w)
		steps := p.Totals.NarrowingApplied
		if len(steps) == 0 {
			t.Errorf("a total of %.0f in %.0f is not narrowed", total, w.Plan.Allowance)
			continue
		}
		saved := 0.0
		for _, step := range steps {
			at := slices.Index(proposal.NarrowingSteps(), step.Step)
			deepest = max(deepest, at)
			if step.SavedMonthly == nil || *step.SavedMonthly <= 0 || step.Reason == "" {
				t.Errorf("the step %+v saves nothing or says nothing", step)
				continue
			}
			saved += *step.SavedMonthly
		}
		if diff := total - saved - p.Totals.DedupedMonthly; diff > 1 || diff < -1 {
			t.Errorf("%.0f less %.0f is not %.0f", total, saved, p.Totals.DedupedMonthly)
		}
		if !keywordOf(t, p, "brand").SelectedByDefault {
			t.Errorf("the brand is dropped at %v", share)
		}
		if share == 0.97 && len(steps) != 1 {
			t.Errorf("one step would do, and %d were taken", len(steps))
		}
		t.Logf("%.0f in %.0f: %v → %.0f, %s", total, w.Plan.Allowance, names(steps), p.Totals.DedupedMonthly, p.Totals.Band)
	}
	if deepest != len(proposal.NarrowingSteps())-1 {
		t.Errorf("the last step that was ever needed is %s", proposal.NarrowingSteps()[deepest])
	}
}

func names(steps []proposal.Narrowing) (names []string) {
	for _, step := range steps {
		names = append(names, string(step.Step)+" "+step.Target)
	}
	return names
}

func TestStillBlocked(t *testing.T) {
	w := large()
	w.Plan.Allowance = 1
	_, p := made(t, w)
	if !compose.Blocked(p) || !warns(p, "volume_blocked") || !keywordOf(t, p, "brand").SelectedByDefault {
		t.Errorf("in an allowance of 1 it is %s", p.Totals.Band)
	}
}

// However small the allowance, a keyword goes on listening somewhere where it was counted.
func TestSomeSourceStays(t *testing.T) {
	w := distinctive()
	w.Measured.Volumes["brand"] = volume(w.Candidates.Candidates[0], map[string]int64{"hackernews": 700, "reddit": 600}, w.Measured)
	w.Plan.Allowance = 100
	_, p := made(t, w)
	if brand := keywordOf(t, p, "brand"); len(brand.Volume.PerSource) != 1 || !compose.Blocked(p) {
		t.Errorf("the brand listens on %q for %+v", brand.Platforms, brand.Volume)
	}
}

// What fits if a person agrees is not narrowed.
func TestConfirm(t *testing.T) {
	w := large()
	w.Plan.Allowance = 1e6
	_, whole := made(t, w)
	w.Plan.Allowance = whole.Totals.DedupedMonthly / 0.9
	_, p := made(t, w)
	if p.Totals.Band != proposal.Confirm || len(p.Totals.NarrowingApplied) > 0 || !warns(p, "volume_confirm") {
		t.Errorf("at nine tenths it is %s after %v", p.Totals.Band, p.Totals.NarrowingApplied)
	}
}

// What two keywords bring both counts once.
func TestSamePostsCountOnce(t *testing.T) {
	w := distinctive()
	posts := slices.Clone(w.Sampled.Sightings["brand"].Posts)
	for i := range 5 {
		posts[i].Body = fmt.Sprintf("Zendrix and Acmely %d", i)
	}
	var other []proposal.SampledPost
	for i := range 10 {
		other = append(other, post(300+i, "reddit", "dan",
			fmt.Sprintf("Zendrix and %s %d", []string{"Acmely", "others"}[i%2], i), true))
	}
	w.sees("brand", posts, nil, nil, nil)
	w.sees("competitor_1", other, nil, nil, nil)
	_, p := made(t, w)
	once := p.Totals.ProjectedMonthly - p.Totals.DedupedMonthly
	if half := keywordOf(t, p, "competitor_1").Volume.Mid() / 2; once < half-0.2 || once > half+0.2 {
		t.Errorf("half of the competitor's %.1f posts are the brand's too, and %.1f are taken off", 2*half, once)
	}
}

// A model's decisions get what nobody may claim: figures, and approvals that keep a common word from being tracked bare.
func TestOthersDecide(t *testing.T) {
	w := commonWord(90, 60)
	d := proposal.Decisions{Keywords: []proposal.Decision{{
		Ref:               "brand",
		Route:             proposal.Anchored,
		ExactMatch:        true,
		AdditionalTerms:   []string{"Dropbox", "sync", "SSO"},
		ExcludeWords:      []string{"cardboard"},
		Context:           "Box: what is said of Box.",
		Explanation:       "You get what is said of Box.",
		SelectedByDefault: true,
		Reasons: []proposal.Reason{{Basis: proposal.ByMeasurement, Ref: "count", Text: "A million a day."},
			{Basis: proposal.ByJudgement, Ref: "name", Text: "It is short."}},
	}}, Feeds: []proposal.FeedDecision{{Ref: "mine", Name: "Mine", Purpose: proposal.ForBrand, KeywordRefs: []string{"brand"}}}}
	p := compose.Study(w.Evidence).Assemble(d)
	holds(t, p, w.Evidence)
	brand := keywordOf(t, p, "brand")
	if slices.ContainsFunc(brand.Reasons, func(r proposal.Reason) bool { return r.Text == "A million a day." }) {
		t.Error("a measurement is claimed")
	}
	if !slices.ContainsFunc(brand.Reasons, func(r proposal.Reason) bool { return r.Basis == proposal.ByJudgement }) {
		t.Error("a judgement is lost")
	}
	if brand.Approval[proposal.SettingAdditionalTerms] != proposal.Quietly ||
		brand.Approval[proposal.SettingExcludeWords] != proposal.InCleanup {
		t.Errorf("the approvals are %v", brand.Approval)
	}
	if brand.FeedRef != "mine" {
		t.Errorf("it is in %s", brand.FeedRef)
	}
}

// A step that would leave a keyword with nothing but what another brings is not taken.
func TestNarrowingKeepsKeywordsApart(t *testing.T) {
	w := newWorld()
	w.Domain, w.Profile.Company = "box.example", "Box"
	w.add(proposal.Candidate{Ref: "brand", Text: "Box", Tag: keyword.OwnBrand, Route: proposal.Bare}, 300, 300)
	w.add(proposal.Candidate{Ref: "competitor_1", Text: "Box Drive", Tag: keyword.Competitor, Route: proposal.Bare}, 300, 300)
	for at, ref := range []string{"brand", "competitor_1"} {
		c, _ := w.Candidates.Of(ref)
		said := []string{"Dropbox", "OneDrive", "Egnyte"}
		var posts []proposal.SampledPost
		for i := range 12 {
			posts = append(posts, post(100*at+i, "reddit", "ann", fmt.Sprintf("%s, %s %d", c.Text, said[i%3], i), true))
		}
		for i := range 20 {
			posts = append(posts, post(100*at+20+i, "reddit", "bob", fmt.Sprintf("%s %d", c.Text, i), false))
		}
		if at == 1 {
			posts = append(posts, post(180, "reddit", "ann", c.Text+", Nextcloud", true),
				post(181, "reddit", "ann", c.Text+", SharePoint", true))
			said = append(said, "Nextcloud", "SharePoint")
		}
		w.sees(ref, posts, said, nil, nil)
	}
	w.Plan.Allowance = 1e6
	_, whole := made(t, w)
	if k := keywordOf(t, whole, "competitor_1"); len(k.AdditionalTerms) != 5 || !k.SelectedByDefault {
		t.Fatalf("the competitor is beside %q", k.AdditionalTerms)
	}
	w.Plan.Allowance = whole.Totals.DedupedMonthly - 1
	made(t, w)
}

// Posts and comments of Reddit are one source here: while one of the platforms is on, what was counted is in the total. They
// go off together, in a step that says so.
func TestSourcesOffTogether(t *testing.T) {
	w := newWorld()
	w.Measured.Sources = append(w.Measured.Sources, "reddit_comment")
	w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 1_500, 9_000)
	_, p := made(t, w)
	for _, platform := range []string{"reddit", "reddit_comment"} {
		if slices.Contains(p.Platforms.On, platform) {
			t.Errorf("%s is on: %+v", platform, p.Totals)
		}
	}
	says(t, p, []string{"You do not listen on Reddit and Reddit comments, so that the total comes nearer to the allowance"})
	if p.Totals.Band == proposal.Blocked || len(p.Totals.NarrowingApplied) != 1 {
		t.Errorf("%+v", p.Totals)
	}
}

// needful checks that what is not selected because of the total has no room in it. A platform that is off for the total
// would be on with a keyword that is for it alone.
func needful(t rapid.TB, p proposal.Proposal) {
	t.Helper()
	if slices.ContainsFunc(p.Totals.NarrowingApplied, func(s proposal.Narrowing) bool { return s.Step == proposal.SourceOff }) {
		return
	}
	for _, k := range p.Keywords {
		with := p.Totals.DedupedMonthly + k.Volume.Mid()
		if !k.SelectedByDefault && with <= p.Totals.Allowance &&
			(strings.Contains(k.Explanation, "you would get more than your plan") ||
				strings.Contains(k.Explanation, "so that the total fits")) {
			t.Errorf("%q makes the total %.1f of %.0f, and says: %s", k.Keyword, with, p.Totals.Allowance, k.Explanation)
		}
	}
}

// What the last steps made room for is selected, and listened on, after all.
func TestNarrowing_RoomAfterTheSplit(t *testing.T) {
	w := large()
	w.add(proposal.Candidate{Ref: "competitor_1", Text: "Zendrix", Tag: keyword.Competitor, Route: proposal.Bare}, 90, 30)
	w.Plan.Allowance = 1e6
	_, whole := made(t, w)
	w.Plan.Allowance = keywordOf(t, whole, "brand").Volume.Mid() - 1
	_, p := made(t, w)
	if k := keywordOf(t, p, "competitor_1"); !k.SelectedByDefault || strings.Contains(k.Explanation, "not selected") {
		t.Errorf("the competitor of %.1f is not selected in %+v: %s", k.Volume.Mid(), p.Totals, k.Explanation)
	}
	needful(t, p)
	w.Plan.Keywords = 3
	_, full := made(t, w)
	if k, field := keywordOf(t, full, "competitor_1"), keywordOf(t, full, "industry_2"); !k.SelectedByDefault ||
		field.SelectedByDefault {
		t.Errorf("with room for three: %s %s", k.Explanation, field.Explanation)
	}
	for _, step := range p.Totals.NarrowingApplied {
		tightens := step.Step == proposal.TightenAnchors || step.Step == proposal.Split
		if room := w.Plan.Allowance - p.Totals.DedupedMonthly; !tightens && *step.SavedMonthly <= room {
			t.Errorf("%s saves %.1f where %.1f are left", step.Reason, *step.SavedMonthly, room)
		}
	}
}
