package compose_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/compose"
)

// Something of the own brand is listened for (rule K1), also where its name brings more than can be read (rule V2) and
// what else there is cannot be selected.
func TestOwnBrandIsSelected(t *testing.T) {
	for name, prepare := range map[string]func(w *world){
		"an account where nothing can be listened to": func(w *world) {
			w.add(proposal.Candidate{
				Ref:       "handle_linkedin",
				Text:      "@acmely",
				Tag:       keyword.OwnBrand,
				Route:     proposal.HandleVariant,
				Platforms: []string{"linkedin"},
			}, -1, -1)
		},
		"the name is tracked, and there is no room": func(w *world) {
			w.Plan.Tracked, w.Plan.Keywords = []string{"Acmely"}, 0
		},
		"all is tracked": func(w *world) {
			w.add(proposal.Candidate{
				Ref:   "brand_domain",
				Text:  "acmely.example",
				Tag:   keyword.OwnBrand,
				Route: proposal.DomainVariant,
			}, 400_000, 7)
			w.Plan.Tracked = []string{"Acmely", "acmely.example"}
		},
		"the least cannot be split": func(w *world) {
			w.add(proposal.Candidate{Ref: "handle_github", Text: "@acmely", Tag: keyword.OwnBrand, Route: proposal.HandleVariant,
				Platforms: []string{"hackernews"}}, 9_000, 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.Profile.Handles = []proposal.Handle{{Platform: "github", Handle: "acmely", Linked: true},
				{Platform: "linkedin", Handle: "acmely", Linked: true}}
			w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 400_000, 12)
			w.Plan.Allowance = 10_000_000 // nothing is narrowed for the total to fit
			prepare(w)
			_, p := narrow(w.Evidence)
			holds(t, p, w.Evidence)
		})
	}
}

// The brand that brings more than one keyword may, of which nothing can be anchored or split, is selected all the same:
// a person narrows it, and has options that fit. Its domain alone does not stand for it.
func TestBrandOfTooMuchNeedsNarrowing(t *testing.T) {
	for _, room := range []int{0, 5} {
		w := newWorld()
		w.Plan.Keywords = room
		w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 400_000, 400_000)
		w.add(proposal.Candidate{
			Ref:   "brand_domain",
			Text:  "acmely.example",
			Tag:   keyword.OwnBrand,
			Route: proposal.DomainVariant,
		}, 3, 1)
		if v := w.Measured.Volumes["brand"]; !v.Open || v.Band != proposal.BandTopEnd {
			t.Fatalf("the name brings %+v", v)
		}
		_, p := made(t, w)
		brand := keywordOf(t, p, "brand")
		if !brand.SelectedByDefault || !compose.Blocked(p) || !fitting(p, "brand") {
			t.Errorf("selected %t in %+v, with the options %+v", brand.SelectedByDefault, p.Totals, p.Options)
		}
	}
}

// fitting reports whether an option of a keyword fits the allowance, and says what it costs.
func fitting(p proposal.Proposal, ref string) bool {
	return slices.ContainsFunc(p.Options, func(o proposal.Option) bool {
		return o.KeywordRef == ref && o.ProjectedMonthly <= p.Totals.Allowance && strings.Contains(o.Description, "a month")
	})
}

// The brand of error 7: some 2,500 posts a month, competitors, and a plan of 5,000. It is selected, whole, and no
// source that speaks of it is off.
func TestBrandAtTheTopEnd(t *testing.T) {
	w := newWorld()
	w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 2_600, 90)
	w.add(proposal.Candidate{
		Ref:   "brand_domain",
		Text:  "acmely.example",
		Tag:   keyword.OwnBrand,
		Route: proposal.DomainVariant,
	}, 3, 1)
	w.add(proposal.Candidate{Ref: "competitor_1", Text: "Zendrix", Tag: keyword.Competitor, Route: proposal.Bare}, 2_000, 300)
	w.add(proposal.Candidate{Ref: "competitor_2", Text: "Tavolix", Tag: keyword.Competitor, Route: proposal.Bare}, 100, 30)
	_, p := made(t, w)
	brand := keywordOf(t, p, "brand")
	if !brand.SelectedByDefault || brand.Platforms != nil || !brand.Has(proposal.FlagMustSplit) ||
		p.Totals.Band == proposal.Blocked {
		t.Errorf("selected %t on %q, with %v in %+v", brand.SelectedByDefault, brand.Platforms, brand.Flags, p.Totals)
	}
	if !keywordOf(t, p, "competitor_2").SelectedByDefault {
		t.Error("a competitor that fits beside it is not selected")
	}
	if k := keywordOf(t, p, "competitor_1"); k.SelectedByDefault ||
		!strings.Contains(k.Explanation, "more than your plan's 5,000 posts") {
		t.Errorf("a competitor that does not fit: %t, %s", k.SelectedByDefault, k.Explanation)
	}
}

// The last source that speaks of the brand stays, however small the allowance, and though its sample is noise.
func TestBrandKeepsItsSource(t *testing.T) {
	w := distinctive()
	w.Measured.Volumes["brand"] = volume(w.Candidates.Candidates[0], map[string]int64{"hackernews": 700}, w.Measured)
	w.Plan.Allowance = 50
	_, p := made(t, w)
	if brand := keywordOf(t, p, "brand"); !keyword.Takes(brand.Platforms, "hackernews", false) ||
		!slices.Contains(p.Platforms.On, "hackernews") || !fitting(p, "brand") {
		t.Errorf("it listens on %q, and on are %q: %+v", brand.Platforms, p.Platforms.On, p.Options)
	}
	w = named("Zorbly", lanterns, 3, 20) // counted on Hacker News alone, where it is mostly noise
	w.sees("brand", w.Sampled.Sightings["brand"].Posts, []string{"lanterns", "wicks", "payments"}, nil, nil)
	_, p = made(t, w)
	if !slices.Contains(p.Platforms.On, "hackernews") {
		t.Errorf("on are %q", p.Platforms.On)
	}
}

// What a brand is narrowed by is recorded, with what it saved: nothing of it is left out without a step.
func TestBrandNarrowedIsRecorded(t *testing.T) {
	w := newWorld()
	w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 2_600, 90)
	w.Plan.Allowance = 500
	_, p := made(t, w)
	steps := p.Totals.NarrowingApplied
	if len(steps) != 1 || steps[0].Step != proposal.SourceOff || steps[0].Target != "hackernews" ||
		*steps[0].SavedMonthly < 2_000 {
		t.Fatalf("the steps are %+v", steps)
	}
	if brand := keywordOf(t, p, "brand"); !brand.SelectedByDefault || compose.Blocked(p) ||
		p.Archetype != proposal.HighVolume {
		t.Errorf("selected %t, %s, %s: %s", brand.SelectedByDefault, p.Totals.Band, p.Archetype, p.ArchetypeReason)
	}
}

// Where the posts that write out the domain fit, they are one option, and none for each platform.
func TestOwnBrand_DomainOnce(t *testing.T) {
	w := newWorld()
	w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 400_000, 400_000)
	w.add(proposal.Candidate{
		Ref: "brand_domain", Text: "acmely.example", Tag: keyword.OwnBrand, Route: proposal.DomainVariant,
	}, 3, 1)
	_, p := made(t, w)
	var ids []string
	for _, o := range p.Options {
		if strings.HasPrefix(o.ID, "domain_") {
			ids = append(ids, o.ID)
		}
	}
	if !slices.Equal(ids, []string{"domain_brand"}) {
		t.Errorf("the options with the domain are %q, want one", ids)
	}
}

// A busy brand whose name hardly means anything else is tracked whole where the plan has room for all of it, and beside
// words where it has not. Beside words it can be had all the same.
func TestOwnBrand_BusyWithRoom(t *testing.T) {
	busy := func(allowance float64) proposal.Proposal {
		w := distinctive()
		w.Measured.Volumes["brand"] = volume(w.Candidates.Candidates[0],
			map[string]int64{"hackernews": 1500, "reddit": 1400}, w.Measured)
		var posts []proposal.SampledPost
		for i := range 12 {
			text := []string{"invoices", "ledgers", "payments", "everything"}[i%4]
			posts = append(posts, post(i, "reddit", fmt.Sprint("u", i), fmt.Sprintf("Acmely and %s: %d", text, i), true))
		}
		w.sees("brand", posts, []string{"invoices", "ledgers", "payments"}, nil, nil)
		w.Plan.Allowance = allowance
		_, p := made(t, w)
		return p
	}
	p := busy(25_000)
	brand := keywordOf(t, p, "brand")
	if brand.Route != proposal.Bare || !brand.SelectedByDefault || brand.Volume.Band != proposal.BandTopEnd ||
		!strings.Contains(brand.Explanation, "your plan has room for all of it") {
		t.Errorf("it is %s, selected %t, %s: %s", brand.Route, brand.SelectedByDefault, brand.Volume.Band,
			brand.Explanation)
	}
	if brand.Approval[proposal.SettingAdditionalTerms] != proposal.Quietly {
		t.Error("the words of its option are not written at apply")
	}
	if len(p.Options) != 1 || len(p.Options[0].AdditionalTerms) != 3 ||
		p.Options[0].ProjectedMonthly >= brand.Volume.Mid() || brand.OptionGroup == "" {
		t.Errorf("its options are %+v", p.Options)
	}
	if brand := keywordOf(t, busy(3_200), "brand"); brand.Route != proposal.Anchored {
		t.Errorf("with little room it is %s", brand.Route)
	}
}

// A name of two characters that its sample nearly always means is listened for without anchors, which would keep the
// few posts that have one of them.
func TestBrand_TwoCharacters(t *testing.T) {
	for text, want := range map[string]proposal.Route{
		"HP": proposal.Bare, "3M": proposal.Bare, "X": proposal.Anchored,
	} {
		w := newWorld()
		w.Profile.Company = text
		w.add(proposal.Candidate{Ref: "brand", Text: text, Tag: keyword.OwnBrand, Route: proposal.Anchored}, 20, 20)
		said := []string{"printers", "laptops", "scanners"}
		var posts []proposal.SampledPost
		for i := range 30 {
			word := fmt.Sprintf("number%d", i)
			if i < 3*len(said) {
				word = said[i%3]
			}
			posts = append(posts, post(i, "reddit", fmt.Sprintf("author%d", i), "What "+text+" says of "+word, i > 0))
		}
		w.sees("brand", posts, said, nil, nil)
		_, p := made(t, w)
		if got := keywordOf(t, p, "brand").Route; got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// A common word that its sample nearly always writes with a capital and means is listened for by the capital: anchors
// keep the few posts that have one of them.
func TestBrand_CommonWordThatIsMeant(t *testing.T) {
	for meant, cased := range map[int]bool{28: true, 16: false} {
		w := newWorld()
		w.Profile.Company = "Trowel"
		w.add(proposal.Candidate{Ref: "brand", Text: "Trowel", Tag: keyword.OwnBrand, Route: proposal.Anchored}, 20, 20)
		said := []string{"phones", "chargers", "earbuds"}
		var posts []proposal.SampledPost
		for i := range 30 {
			word := fmt.Sprintf("number%d", i)
			if i < 4*len(said) {
				word = said[i%3]
			}
			posts = append(posts, post(i, "reddit", fmt.Sprintf("author%d", i), "What Trowel says of "+word, i < meant))
		}
		w.sees("brand", posts, said, nil, nil)
		_, p := made(t, w)
		if k := keywordOf(t, p, "brand"); k.CaseSensitive != cased || (len(k.AdditionalTerms) == 0) != cased {
			t.Errorf("with %d of 30 relevant it is %s, minds case: %v, and has the anchors %q", meant, k.Route, k.CaseSensitive,
				k.AdditionalTerms)
		}
	}
}
