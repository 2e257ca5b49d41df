package compose_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

// told is everything that a person reads of a proposal.
func told(p proposal.Proposal) string {
	said := []string{p.ArchetypeReason}
	for _, k := range p.Keywords {
		said = append(said, k.Explanation)
		for _, reason := range k.Reasons {
			said = append(said, reason.Text)
		}
	}
	for _, w := range p.Warnings {
		said = append(said, w.Message)
	}
	for _, off := range p.Platforms.Off {
		said = append(said, off.Reason)
	}
	for _, step := range p.Totals.NarrowingApplied {
		said = append(said, step.Reason)
	}
	return strings.Join(said, "\n")
}

func says(t *testing.T, p proposal.Proposal, wanted []string, unwanted ...string) {
	t.Helper()
	text := told(p)
	for _, part := range wanted {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not said:\n%s", part, text)
		}
	}
	for _, part := range unwanted {
		if strings.Contains(text, part) {
			t.Errorf("%q is said:\n%s", part, text)
		}
	}
}

// named is a company as the stage candidates reads its profile, of whose name a sample has been drawn.
func named(company, description string, relevant, sampled int) *world {
	w := newWorld()
	w.Domain = strings.ToLower(company) + ".example"
	w.Profile.Company, w.Profile.Description = company, description
	for _, c := range candidate.Of(w.Domain, w.Profile).Candidates {
		w.add(c, 6, 0)
	}
	w.Candidates.Warnings = candidate.Of(w.Domain, w.Profile).Warnings
	if sampled > 0 {
		var posts []proposal.SampledPost
		for i := range sampled {
			posts = append(posts, post(i, "hackernews", fmt.Sprint("u", i),
				fmt.Sprintf("%s and payments, invoices, ledgers: number %d", company, i), i < relevant))
		}
		w.sees("brand", posts, nil, nil, nil)
	}
	return w
}

const lanterns = "It sells lanterns, wicks, oil and matches to sailors and miners."

// A word that is a brand's name first of all is tracked by itself, and nothing says that it stands beside other words.
func TestSentencesOfAKnownBrand(t *testing.T) {
	_, p := made(t, named("Slack", lanterns, 8, 12))
	brand := keywordOf(t, p, "brand")
	if brand.Route != proposal.Bare || brand.Has(proposal.FlagGenericRejected) {
		t.Fatalf("it is %s, with the flags %v", brand.Route, brand.Flags)
	}
	says(t, p, []string{"8 of 12 sampled posts with it are relevant", "at least half of such posts are about you",
		"is a word too, but mostly means you"},
		"beside words that point to you", "one of the listed words", "hardly means anything else", "distinctive")
	if warns(p, candidate.WarnCommon) {
		t.Error("it is warned of words beside it")
	}
}

// Where it brings more than can be read it stands beside words after all.
func TestSentencesOfAKnownBrandOfManyPosts(t *testing.T) {
	w := named("Slack", lanterns, 12, 12)
	c, _ := w.Candidates.Of("brand")
	w.Measured.Volumes["brand"] = volume(c, map[string]int64{"hackernews": 9_000}, w.Measured)
	w.sees("brand", w.Sampled.Sightings["brand"].Posts, []string{"invoices", "payments", "ledgers"}, nil, nil)
	w.Plan.Allowance = 1e6
	_, p := made(t, w)
	if brand := keywordOf(t, p, "brand"); brand.Route != proposal.Anchored {
		t.Fatalf("it is %s", brand.Route)
	}
	says(t, p, []string{"by itself it brings more than 2,500 posts a month"}, "tracked by itself")
}

// One that is split for the total to fit is not tracked by itself any more.
func TestSentencesOfAKnownBrandThatIsSplit(t *testing.T) {
	w := named("Slack", lanterns, 12, 12)
	var posts []proposal.SampledPost
	for i, word := range strings.Fields(strings.Repeat("invoices payments ledgers nothing ", 4)) {
		posts = append(posts, post(i, "hackernews", fmt.Sprint("u", i), fmt.Sprintf("Slack and %s, number %d", word, i), true))
	}
	c, _ := w.Candidates.Of("brand")
	w.Measured.Volumes["brand"] = volume(c, map[string]int64{"hackernews": 900}, w.Measured)
	w.sees("brand", posts, []string{"invoices", "payments", "ledgers"}, nil, nil)
	w.Plan.Allowance, w.Plan.Platforms = 800, []string{"hackernews"}
	_, p := made(t, w)
	if brand := keywordOf(t, p, "brand"); brand.Route != proposal.Anchored {
		t.Fatalf("it is %s: %+v", brand.Route, p.Totals)
	}
	says(t, p, []string{"is split and listens for 3 of its words"}, "tracked by itself")
	if len(p.Options) > 0 {
		t.Errorf("a rest is offered, of a name that had no words: %+v", p.Options)
	}
}

// A word of the site's language is common, whatever the judge makes of its sample.
func TestSentences_WordOfTheSite(t *testing.T) {
	w := named("Vivo", lanterns, 12, 12)
	w.Profile.Language = "portuguese"
	w.sees("brand", w.Sampled.Sightings["brand"].Posts, []string{"invoices", "payments", "ledgers"}, nil, nil)
	_, p := made(t, w)
	if brand := keywordOf(t, p, "brand"); brand.Route != proposal.Anchored {
		t.Fatalf("it is %s", brand.Route)
	}
	says(t, p, []string{"it is a common word of Portuguese", "people use it for other things as well"},
		"hardly means anything else", "tracked by itself")
}

// A name of two common words stands beside others, even if its whole sample means it: nothing says what else people
// mean.
func TestSentences_MadeOfWords(t *testing.T) {
	w := named("Quillfern", lanterns, 12, 12)
	w.add(proposal.Candidate{Ref: "copy_1", Text: "Quill Fern", Tag: keyword.OwnBrand, Route: proposal.Anchored}, 12, 0)
	var posts []proposal.SampledPost
	for i := range 12 {
		posts = append(posts, post(50+i, "reddit", fmt.Sprint("u", i),
			fmt.Sprintf("Quill Fern and payments, invoices, ledgers, books: %d", i), true))
	}
	w.sees("copy_1", posts, []string{"invoices", "payments", "ledgers", "books"}, nil, nil)
	_, p := made(t, w)
	if other := keywordOf(t, p, "copy_1"); other.Route != proposal.Anchored {
		t.Fatalf("it is %s", other.Route)
	}
	says(t, p, []string{"12 of 12 sampled posts are relevant", "since it is made of common words"}, "other things")
	for _, o := range p.Options { // each word keeps all of the sample
		t.Errorf("“%s” %s: %s", o.Label, o.Description, o.Explanation)
	}
}

// A common word without its accents is one word, and is not said to be made of several.
func TestSentences_WithoutAccents(t *testing.T) {
	w := named("Quillfern", lanterns, 12, 12)
	w.add(proposal.Candidate{Ref: "copy_plain", Text: "Quilfern", Tag: keyword.OwnBrand, Route: proposal.Anchored,
		Anchors: []string{"invoices", "payments", "ledgers"}}, 12, 0)
	_, p := made(t, w)
	if other := keywordOf(t, p, "copy_plain"); other.Route != proposal.Anchored {
		t.Fatalf("it is %s", other.Route)
	}
	says(t, p, []string{"people use it for other things as well"}, "made of common words")
}

// A word that is rarer is common in a sample of its language, until the sample says that most mean the brand.
func TestSentences_WordOfTheSample(t *testing.T) {
	spoken := func(language string) proposal.Proposal {
		w := named("Boulanger", lanterns, 8, 12)
		seen := w.Sampled.Sightings["brand"]
		seen.Languages = map[string]int{language: 12}
		w.Sampled.Sightings["brand"] = seen
		_, p := made(t, w)
		if brand := keywordOf(t, p, "brand"); brand.Route != proposal.Bare {
			t.Fatalf("%s: it is %s", language, brand.Route)
		}
		return p
	}
	says(t, spoken("french"), []string{"8 of 12 sampled posts with it are relevant", "is a word too"},
		"hardly means anything else")
	says(t, spoken("german"), []string{"at least half of such posts are about you"}, "is a word too")
}

// Few posts, of which less than half are relevant, are not said to be half of them.
func TestSentencesOfAFewPosts(t *testing.T) {
	_, p := made(t, named("Zorbly", lanterns, 3, 7))
	if brand := keywordOf(t, p, "brand"); brand.Route != proposal.Bare {
		t.Fatalf("it is %s", brand.Route)
	}
	says(t, p, []string{"too few were read to say that it means other things"}, "at least half",
		"hardly means anything else")
}

// A common word of which nothing is known but its domain is tracked beside unproven words, and says so.
func TestSentencesOfABrandWithoutProof(t *testing.T) {
	_, p := made(t, named("Empty", "", 0, 0))
	brand := keywordOf(t, p, "brand")
	if !brand.SelectedByDefault || brand.Route != proposal.Anchored || !brand.Has(proposal.FlagUnverified) ||
		!slices.Contains(brand.AdditionalTerms, "empty.example") {
		t.Errorf("it is %s beside %q, with %v", brand.Route, brand.AdditionalTerms, brand.Flags)
	}
	if !warns(p, "anchors_unproven") || warns(p, "not_anchored") {
		t.Errorf("the warnings are %+v", p.Warnings)
	}
	says(t, p, []string{"No sampled post of yours proves these words yet"})
}

// A distinctive name that its sample has anchored is not said to be fit to be tracked by itself.
func TestSentencesOfANameThatIsAnchored(t *testing.T) {
	w := named("Zorbly", lanterns, 3, 20)
	w.sees("brand", w.Sampled.Sightings["brand"].Posts, []string{"lanterns", "wicks", "payments"}, nil, nil)
	_, p := made(t, w)
	if brand := keywordOf(t, p, "brand"); brand.Route != proposal.Anchored {
		t.Fatalf("it is %s", brand.Route)
	}
	says(t, p, []string{"only 3 of 20 sampled posts"}, "can be tracked by itself")
}

// What was counted is not said to be beyond counting, and the volume of a scoping that nothing is known of rests on it.
func TestCountedWithoutASample(t *testing.T) {
	_, p := made(t, named("Square", lanterns, 0, 0))
	brand := keywordOf(t, p, "brand")
	v := brand.Volume
	if brand.Route != proposal.Anchored || v.Basis != proposal.BasisSparse || v.Low != 0 || len(v.PerSource) == 0 ||
		brand.Has(proposal.FlagUnverified) {
		t.Errorf("it is %s of %+v, with the flags %v", brand.Route, v, brand.Flags)
	}
	says(t, p, []string{"6 in 30 days on Hacker News, nothing on 1 other source"}, "Nothing could be counted", "0% of its sample")
	if !feedOf(t, p, proposal.ForBrand).Visible {
		t.Error("the brand's feed is hidden, though nothing says that it is noise")
	}
}

// Sentences have the form of their numbers.
func TestSentencesOfOne(t *testing.T) {
	w := distinctive()
	w.sees("brand", w.Sampled.Sightings["brand"].Posts[:1], nil, nil, nil)
	_, p := made(t, w)
	says(t, p, []string{"1 of 1 sampled ones was relevant", "1 of 1 sampled posts is relevant"}, "1 of 1 sampled ones were")
	w = distinctive()
	w.Plan.Keywords = 0
	_, p = made(t, w)
	says(t, p, []string{"no room for another keyword", "Your plan has room for no more keywords"}, "0 more")
}

// A sample that looked further back than the counts says so.
func TestSentencesOfOlderPosts(t *testing.T) {
	w := named("Zorbly", lanterns, 12, 12) // of six that were counted
	_, p := made(t, w)
	says(t, p, []string{"12 of 12 sampled posts of the past year are relevant",
		"12 of 12 sampled ones from the past year were relevant"})
}

// A source that failed to count and shows posts all the same makes none of them old.
func TestSentences_SampleOfUncountedSource(t *testing.T) {
	w := newWorld()
	w.Measured.Sources, w.Measured.Failed = []string{"hackernews"}, []string{"reddit"}
	w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 5, 0)
	var posts []proposal.SampledPost
	for i := range 12 {
		source := []string{"hackernews", "reddit", "reddit"}[i%3]
		posts = append(posts, post(i, source, fmt.Sprint("u", i), fmt.Sprintf("Acmely helped us, %d", i), true))
	}
	w.sees("brand", posts, nil, nil, nil)
	_, p := made(t, w)
	says(t, p, []string{"12 of 12 sampled ones were relevant", "Reddit could not be measured"}, "past year")
}

// Sources go off in the order of what that saves: not those where nothing was counted. Each is named.
func TestSourcesOffSave(t *testing.T) {
	w := newWorld()
	w.Measured.Sources = []string{"dev", "hackernews", "medium", "reddit"}
	w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 600, 500)
	var posts []proposal.SampledPost
	for i := range 20 {
		posts = append(posts, post(i, []string{"hackernews", "reddit"}[i%2], "ann", fmt.Sprintf("Acmely works, number %d", i), true))
	}
	w.sees("brand", posts, nil, nil, nil)
	w.Plan.Allowance = 700
	_, p := narrow(w.Evidence)
	steps := p.Totals.NarrowingApplied
	if len(steps) != 1 || steps[0].Step != proposal.SourceOff || steps[0].Target != "hackernews" ||
		!strings.HasPrefix(steps[0].Reason, "You do not listen on Hacker News, so that") {
		t.Errorf("the steps are %+v", steps)
	}
	if !slices.Contains(p.Platforms.On, "dev") || !slices.Contains(p.Platforms.On, "medium") {
		t.Errorf("%v are on", p.Platforms.On)
	}
	says(t, p, []string{"You do not listen on Hacker News, so that"}, "It is off")
}

// A name that no list has, and that a good part of the sample writes small, is not said to mean hardly anything else.
func TestSentences_WordOfNoList(t *testing.T) {
	for _, c := range []struct {
		small int
		said  string
		not   string
	}{
		{5, "5 of 12 sampled ones write it small, as a word: check what you get", "hardly means anything else"},
		{2, "hardly means anything else", "as a word"},
	} {
		w := named("Zorbly", lanterns, 12, 12)
		seen := w.Sampled.Sightings["brand"]
		for i := range c.small {
			seen.Posts[i].Body = fmt.Sprintf("We lost a zorbly in the Alps, number %d", i)
		}
		w.Sampled.Sightings["brand"] = seen
		_, p := made(t, w)
		says(t, p, []string{c.said}, c.not)
	}
}

// A source that failed widens a range that was counted, and no estimate. One that answered for some keywords is in their
// counts.
func TestSentencesOfFailedSources(t *testing.T) {
	w := newWorld()
	w.Measured.Failed = []string{"github", "reddit"}
	w.Measured.Reasons = map[string]string{"github": "answered 503", "reddit": "answered 429"}
	brand := proposal.Candidate{Ref: "brand", Text: "Zorbly", Tag: keyword.OwnBrand, Route: proposal.Bare}
	w.add(brand, 40, 40)
	_, p := made(t, w)
	says(t, p, []string{
		"These sources were not measured, so they are in no count: GitHub (answered 503).",
		"These answered for some keywords only: Reddit (answered 429).",
		"GitHub failed, so that the range is wider for it.",
	})
	w.Measured.Unmeasured = []string{"dev", "news", "youtube"}
	for _, source := range w.Measured.Unmeasured {
		w.Measured.Reasons[source] = "it cannot be searched here"
	}
	_, p = made(t, w)
	says(t, p, []string{"in no count: GitHub (answered 503); DEV, News and YouTube (cannot be searched here)."})
	w = newWorld()
	w.Measured.Sources, w.Measured.Failed = nil, []string{"github"}
	w.add(brand, -1, -1)
	_, p = made(t, w)
	says(t, p, []string{"GitHub failed, so that the range is an estimate.", "so they are in no count: GitHub."},
		"wider for it", "some keywords only")
}
