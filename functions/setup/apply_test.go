package setup_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"earshot/functions/setup"
	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// tailored is a proposal with something of everything that applying heeds: a brand whose terms wait, one whose terms
// are written at once, a competitor with an exclusion that waits, a term that is not selected; options; a visible feed,
// one that is merged into it, a hidden one.
func tailored(draftID string) proposal.Proposal {
	p := example(draftID)
	k := func(ref, text string, tag keyword.Tag, feedRef string) proposal.Keyword {
		return proposal.Keyword{
			Ref:               ref,
			Keyword:           text,
			Tag:               tag,
			Route:             proposal.Bare,
			ExactMatch:        true,
			Context:           "Northwind, the pager.",
			FeedRef:           feedRef,
			SelectedByDefault: true,
			Volume:            p.Keywords[1].Volume,
		}
	}
	brand, plain := k("brand", "northwind", keyword.OwnBrand, "feed_brand"),
		k("product_1", "wind", keyword.OwnBrand, "feed_product")
	brand.AdditionalTerms, brand.CaseSensitive = []string{"pager", "on-call", "alert"}, true
	plain.AdditionalTerms, plain.AdditionalTermsLogic = []string{"pager", "alert", "incident"}, keyword.Any
	plain.Approvals = []proposal.Approval{{Setting: proposal.SettingAdditionalTerms, Approval: proposal.Quietly}}
	rival, term := k("competitor_1", "southwind", keyword.Competitor, "feed_competitors"),
		k("term_1", "on-call schedule", keyword.IndustryTerm, "feed_topics")
	rival.ExcludeWords, rival.ExcludeAuthors, rival.Platforms = []string{"sailing", "snow"}, []string{"weatherbot"},
		[]string{"hackernews", "reddit"}
	rival.Approvals = []proposal.Approval{{
		Setting:  proposal.SettingExcludeWords,
		Terms:    []string{"Snow"},
		Approval: proposal.InCleanup,
	}}
	rival.Approval = map[proposal.Setting]proposal.Approves{proposal.SettingContext: proposal.InCleanup}
	term.SelectedByDefault = false
	p.Keywords = []proposal.Keyword{brand, plain, rival, term}
	p.Options = []proposal.Option{
		{
			ID:              "wider_product_1",
			KeywordRef:      "product_1",
			Label:           "Wider",
			AdditionalTerms: []string{"pager", "alert", "incident", "outage"},
		},
		{
			ID:              "narrower_product_1",
			KeywordRef:      "product_1",
			Label:           "Narrower",
			AdditionalTerms: []string{"incident", "pager", "status"},
		},
		{ID: "wider_brand", KeywordRef: "brand", Label: "Wider", AdditionalTerms: []string{"pager", "alert", "outage"}},
	}
	p.Feeds = []proposal.Feed{
		{
			Ref:         "feed_brand",
			Name:        "Brand",
			Purpose:     proposal.ForBrand,
			KeywordRefs: []string{"brand"},
			Visible:     true,
			Source:      proposal.FromSetup,
		},
		{
			Ref:           "feed_product",
			Name:          "Wind",
			Purpose:       proposal.ForBrand,
			KeywordRefs:   []string{"product_1"},
			MergedIntoRef: "feed_brand",
			Source:        proposal.FromSetup,
		},
		{
			Ref:         "feed_competitors",
			Name:        "Competitors",
			Purpose:     proposal.ForCompetitors,
			KeywordRefs: []string{"competitor_1"},
			Visible:     true,
			Source:      proposal.FromSetup,
		},
		{
			Ref:          "feed_topics",
			Name:         "Topics",
			Purpose:      proposal.ForTopic,
			KeywordRefs:  []string{"term_1"},
			Source:       proposal.FromMentions,
			ContentTerms: []string{"rota"},
		},
	}
	return p
}

// ready makes a draft whose proposal is ready.
func (d desk) ready(t testing.TB, of func(draftID string) proposal.Proposal) string {
	t.Helper()
	id := d.scanned(t)
	made := of(id)
	d.finish(t, d.proposed(t, id), proposal.End{Status: proposal.Ready, Proposal: &made})
	return id
}

func applyPath(id string) string { return "/api/v2/setup/proposals/" + id + "/apply" }

func (d desk) apply(t testing.TB, id, body string, headers ...string) (done setup.SetupApplied) {
	t.Helper()
	d.Client.Post(t, applyPath(id), body, headers...).OK(t, &done)
	if done.DraftID != id || done.Status != "applied" {
		t.Errorf("%+v", done)
	}
	return done
}

func (d desk) keywords(t testing.TB) []keyword.Keyword {
	t.Helper()
	all, err := d.Store.Keywords(t.Context(), d.Main.ID)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (d desk) feeds(t testing.TB) (all []string) {
	t.Helper()
	feeds, err := d.Store.Feeds(t.Context(), d.Main.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range feeds {
		all = append(all, fmt.Sprint(f.ID, " ", f.Name, " ", string(f.SimpleFilters), " ", f.Default))
	}
	return all
}

// waiting are the settings that wait, by their keywords' texts.
func (d desk) waiting(t testing.TB) map[string]string {
	t.Helper()
	listed, err := d.Store.Cleanups(t.Context(), d.Main.ID)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, row := range listed {
		for _, w := range row.Waits {
			all[row.Keyword.Text] += fmt.Sprint(w.Setting, w.Terms)
		}
	}
	return all
}

func TestApplyWhatIsSelected(t *testing.T) {
	d := newDesk(t)
	id := d.ready(t, tailored)
	done := d.apply(t, id, `{}`)
	want := setup.SetupApplied{DraftID: id, Status: "applied",
		Keywords: []setup.SetupKeywordMade{{Ref: "brand", ID: 1, Keyword: "northwind", Created: true},
			{Ref: "product_1", ID: 2, Keyword: "wind", Created: true},
			{Ref: "competitor_1", ID: 3, Keyword: "southwind", Created: true}},
		Options: []setup.SetupOptionApplied{},
		Feeds: []setup.SetupFeedMade{{Ref: "feed_brand", ID: 1, Name: "Brand", Created: true},
			{Ref: "feed_competitors", ID: 2, Name: "Competitors", Created: true}},
		Skipped: []setup.SetupSkippedRef{}}
	if !reflect.DeepEqual(done, want) {
		t.Errorf("got  %+v\nwant %+v", done, want)
	}
	all := d.keywords(t)
	if len(all) != 3 {
		t.Fatalf("%+v", all)
	}
	brand, product, rival := all[0], all[1], all[2]
	if len(brand.AdditionalTerms) != 0 || !brand.ExactMatch || !brand.CaseSensitive || brand.Tag != keyword.OwnBrand ||
		brand.Context != "Northwind, the pager." ||
		brand.Platforms != nil || brand.AdditionalTermsLogic != keyword.Any {
		t.Errorf("the brand's terms wait: %+v", brand)
	}
	if !slices.Equal(product.AdditionalTerms, []string{"pager", "alert", "incident"}) {
		t.Errorf("terms that are quiet are written at once: %+v", product)
	}
	if !slices.Equal(rival.ExcludeWords, []string{"sailing"}) ||
		!slices.Equal(rival.ExcludeAuthors, []string{"weatherbot"}) || rival.Context != "" ||
		!slices.Equal(rival.Platforms, []string{"hackernews", "reddit"}) || rival.Tag != keyword.Competitor {
		t.Errorf("%+v", rival)
	}
	if got := d.waiting(t); !reflect.DeepEqual(got, map[string]string{"northwind": "additionalTerms[pager on-call alert]",
		"southwind": "excludeWords[snow]context[Northwind, the pager.]"}) {
		t.Errorf("%v", got)
	}
	if got := d.feeds(t); !slices.Equal(got, []string{`1 Brand {"keyword":[1,2]} true`, `2 Competitors {"keyword":[3]} false`}) {
		t.Errorf("%q", got)
	}
	company, err := d.Store.Company(t.Context(), d.Main.ID)
	if err != nil || company.Name != "Northwind" || company.Domain != "northwind.example" || company.Revision != 1 ||
		!slices.Equal(company.Handles, []string{"nwind"}) {
		t.Errorf("%+v %v", company, err)
	}
	if found := d.poll(t, id); found["status"] != "applied" || found["proposal"] != nil {
		t.Errorf("%v", found)
	}
	d.balanced(t)
}

// balanced checks that what counts keywords and feeds agrees with what there is.
func (d desk) balanced(t testing.TB) {
	t.Helper()
	weight := int64(0)
	all := d.keywords(t)
	for _, k := range all {
		weight += int64(k.Weight())
	}
	row, err := d.Table.Get(t.Context(),
		table.Get{Table: rows.CoreTable, Key: table.Key{Partition: "listeners", Sort: d.Main.ID}, Consistent: true})
	if err != nil || row["keywords"] != int64(len(all)) || row["weight"] != weight {
		t.Errorf("%v %v, want %d keywords and a weight of %d", row, err, len(all), weight)
	}
	feeds, err := d.Store.Feeds(t.Context(), d.Main.ID)
	if err != nil {
		t.Fatal(err)
	}
	weight = 0
	for _, f := range feeds {
		weight += int64(f.Weight())
	}
	row, err = d.Table.Get(t.Context(),
		table.Get{Table: rows.CoreTable, Key: table.Key{Partition: d.Main.ID, Sort: "feeds"}, Consistent: true})
	if err != nil || row["feeds"] != int64(len(feeds)) || row["weight"] != weight {
		t.Errorf("%v %v, want %d feeds and a weight of %d", row, err, len(feeds), weight)
	}
}

// Applied again, everything is there and nothing is made; what was left out can be applied then, and goes into the feed
// that is there.
func TestApplyAgain(t *testing.T) {
	d := newDesk(t)
	id := d.ready(t, tailored)
	first := d.apply(t, id, `{"keywordRefs":["brand"]}`)
	if len(first.Keywords) != 1 || len(first.Feeds) != 1 || first.Feeds[0].Ref != "feed_brand" {
		t.Fatalf("%+v", first)
	}
	same := d.apply(t, id, `{"keywordRefs":["brand"]}`)
	first.Keywords[0].Created, first.Feeds[0].Created = false, false
	if !reflect.DeepEqual(same, first) {
		t.Errorf("got  %+v\nwant %+v", same, first)
	}
	before, err := d.Store.Draft(t.Context(), d.Main.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	d.apply(t, id, `{"keywordRefs":["brand"]}`)
	if after, _ := d.Store.Draft(t.Context(), d.Main.ID, id); after.Revision != before.Revision {
		t.Error("it wrote what is in place")
	}
	rest := d.apply(t, id, `{}`)
	if len(rest.Keywords) != 3 || rest.Keywords[0].Created || !rest.Keywords[1].Created || len(rest.Feeds) != 2 ||
		rest.Feeds[0].Created || !rest.Feeds[1].Created {
		t.Errorf("%+v", rest)
	}
	if got := d.feeds(t); !slices.Equal(got, []string{`1 Brand {"keyword":[1,2]} true`, `2 Competitors {"keyword":[3]} false`}) {
		t.Errorf("%q", got)
	}
	// Not by default: a keyword that is not selected, and a hidden feed with its content terms.
	hidden := d.apply(t, id, `{"keywordRefs":["term_1"],"feedRefs":["feed_topics"]}`)
	if len(hidden.Keywords) != 1 || len(hidden.Feeds) != 1 ||
		d.feeds(t)[2] != `3 Topics {"keyword":[4],"text":["rota"]} false` {
		t.Errorf("%+v %q", hidden, d.feeds(t))
	}
	d.balanced(t)
	none := d.apply(t, id, `{"keywordRefs":[],"optionIds":[],"feedRefs":[]}`)
	if len(none.Keywords)+len(none.Feeds)+len(none.Options)+len(none.Skipped) != 0 || len(d.keywords(t)) != 4 {
		t.Errorf("%+v", none)
	}
}

// What users did to what was made stays.
func TestApplyAfterChanges(t *testing.T) {
	d := newDesk(t)
	id := d.ready(t, tailored)
	d.apply(t, id, `{"keywordRefs":["brand","competitor_1"]}`)
	if _, err := d.Store.ChangeFeed(t.Context(), d.Main.ID, 1, "", func(f *feed.Feed) error {
		f.SimpleFilters = []byte(`{"keyword":[1],"engaged":true}`)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := d.Store.DeleteKeyword(t.Context(), d.Main.ID, 2); err != nil {
		t.Fatal(err)
	}
	if err := d.Store.DeleteFeed(t.Context(), d.Main.ID, 2, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Store.ChangeKeyword(t.Context(), d.Main.ID, 1,
		func(k *keyword.Keyword) error { k.Text = "Northwind Inc"; return nil }); err != nil {
		t.Fatal(err)
	}
	done := d.apply(t, id, `{"keywordRefs":["brand","product_1","competitor_1"],"feedRefs":["feed_brand","feed_competitors"]}`)
	if len(done.Keywords) != 2 ||
		done.Keywords[0] != (setup.SetupKeywordMade{Ref: "brand", ID: 1, Keyword: "Northwind Inc"}) ||
		done.Keywords[1].ID != 3 || len(done.Feeds) != 1 {
		t.Errorf("%+v", done)
	}
	if got := skips(done); !slices.Equal(got, []string{"competitor_1 KEYWORD_NOT_FOUND", "feed_competitors FEED_NOT_FOUND"}) {
		t.Errorf("%q", got)
	}
	if got := d.feeds(t); !slices.Equal(got, []string{`1 Brand {"keyword":[1],"engaged":true} true`}) {
		t.Errorf("%q", got)
	}
	// Another proposal is another matter: its refs were never applied, whatever they stand for.
	d.finish(t, d.proposed(t, id), proposal.End{Status: proposal.Ready, Proposal: ptr(tailored(id))})
	again := d.apply(t, id, `{}`)
	if got := skips(again); !slices.Equal(got, []string{"product_1 ITEM_EXISTS"}) || len(again.Keywords) != 3 {
		t.Errorf("%q %+v", got, again)
	}
	if got := d.feeds(t); len(got) != 2 || got[1] != `3 Competitors {"keyword":[5]} false` {
		t.Errorf("%q", got)
	}
}

// A feed whose keywords were all deleted shows the keywords that a later proposal makes. A person's own filter stays.
func TestApply_FeedAfterItsKeywords(t *testing.T) {
	for name, c := range map[string]struct{ filter, want string }{
		"deleted":         {"", `2 Competitors {"keyword":[5]} false`},
		"another's words": {`{"text":["my own words"]}`, `2 Competitors {"text":["my own words"]} false`},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			id := d.ready(t, tailored)
			d.apply(t, id, `{"keywordRefs":["brand","competitor_1"]}`)
			if err := d.Store.DeleteKeyword(t.Context(), d.Main.ID, 2); err != nil {
				t.Fatal(err)
			}
			if got := d.feeds(t)[1]; got != `2 Competitors {"text":["southwind"]} false` {
				t.Fatalf("the deletion left %s", got)
			}
			if c.filter != "" {
				if _, err := d.Store.ChangeFeed(t.Context(), d.Main.ID, 2, "", func(f *feed.Feed) error {
					f.SimpleFilters = []byte(c.filter)
					return nil
				}); err != nil {
					t.Fatal(err)
				}
			}
			other := tailored(id)
			other.Keywords[2].Keyword = "eastwind"
			d.finish(t, d.proposed(t, id), proposal.End{Status: proposal.Ready, Proposal: &other})
			done := d.apply(t, id, `{}`)
			d.balanced(t)
			made := done.Keywords[slices.IndexFunc(done.Keywords,
				func(k setup.SetupKeywordMade) bool { return k.Ref == "competitor_1" })]
			want := strings.Replace(c.want, "[5]", fmt.Sprintf("[%d]", made.ID), 1)
			if got := d.feeds(t)[1]; got != want {
				t.Errorf("the feed is %s, want %s", got, want)
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }

func skips(done setup.SetupApplied) (all []string) {
	for _, s := range done.Skipped {
		all = append(all, s.Ref+" "+s.Code)
	}
	return all
}

// What the workspace tracks already stays as it is, and is in the feeds. A company that is there stays, and so does the
// default feed.
func TestApplyBesideWhatIsThere(t *testing.T) {
	d := newDesk(t)
	if _, err := d.Store.CreateKeyword(t.Context(), d.Main.ID, keyword.Keyword{Text: "NorthWind", Context: "mine"}, 20); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Store.CreateFeed(t.Context(), d.Main.ID, feed.Feed{Name: "mine"}, ""); err != nil {
		t.Fatal(err)
	}
	if err := d.Store.PutCompany(t.Context(), d.Main.ID, workspace.Company{Name: "Mine"}); err != nil {
		t.Fatal(err)
	}
	id := d.ready(t, func(id string) proposal.Proposal {
		p := tailored(id)
		p.Keywords[2].Keyword = "WIND" // the product's, too
		p.Keywords[2].FeedRef = "feed_competitors"
		return p
	})
	for range 2 {
		done := d.apply(t, id, `{"optionIds":["wider_brand"]}`)
		if got := skips(done); !slices.Equal(got,
			[]string{"brand ITEM_EXISTS", "wider_brand ITEM_EXISTS", "competitor_1 ITEM_EXISTS"}) {
			t.Errorf("%q", got)
		}
		if done.Keywords[0] != (setup.SetupKeywordMade{Ref: "brand", ID: 1, Keyword: "NorthWind"}) ||
			done.Keywords[2].ID != done.Keywords[1].ID || len(done.Options) != 0 {
			t.Errorf("%+v", done)
		}
	}
	all := d.keywords(t)
	if len(all) != 2 || all[0].Context != "mine" || all[0].Revision != 1 || len(d.waiting(t)) != 0 {
		t.Errorf("%+v", all)
	}
	if got := d.feeds(t); !slices.Equal(got,
		[]string{`1 mine  false`, `2 Brand {"keyword":[1,2]} false`, `3 Competitors {"keyword":[2]} false`}) {
		t.Errorf("%q", got)
	}
	if company, _ := d.Store.Company(t.Context(), d.Main.ID); company.Name != "Mine" {
		t.Errorf("%+v", company)
	}
}

func TestApplyOptions(t *testing.T) {
	d := newDesk(t)
	id := d.ready(t, func(id string) proposal.Proposal {
		p := tailored(id)
		p.Options[0].SelectedByDefault = true
		return p
	})
	done := d.apply(t, id, `{}`)
	wider := []setup.SetupOptionApplied{{ID: "wider_product_1", KeywordRef: "product_1"}}
	if !reflect.DeepEqual(done.Options, wider) ||
		!slices.Equal(d.keywords(t)[1].AdditionalTerms, []string{"pager", "alert", "incident", "outage"}) {
		t.Errorf("%+v", done)
	}
	if again := d.apply(t, id, `{}`); !reflect.DeepEqual(again.Options, wider) {
		t.Errorf("%+v", again)
	}
	// Another one later, of a keyword that is as it was made; where terms wait, others wait in their place.
	done = d.apply(t, id, `{"keywordRefs":[],"feedRefs":[],"optionIds":["wider_brand","narrower_product_1"]}`)
	all := d.keywords(t)
	if len(done.Options) != 2 || len(done.Keywords) != 0 ||
		!slices.Equal(all[1].AdditionalTerms, []string{"incident", "pager", "status"}) || len(all[0].AdditionalTerms) != 0 ||
		d.waiting(t)["northwind"] != "additionalTerms[pager alert outage]" || all[0].Revision != 1 || all[1].Revision != 2 {
		t.Errorf("%+v %+v %v", done, all, d.waiting(t))
	}
	d.balanced(t)
	again := d.apply(t, id, `{"keywordRefs":[],"feedRefs":[],"optionIds":["narrower_product_1"]}`)
	if len(again.Options) != 1 || d.keywords(t)[1].Revision != 2 {
		t.Errorf("%+v", again)
	}
	// What is chosen by default is chosen for what is new.
	again = d.apply(t, id, `{}`)
	if !reflect.DeepEqual(again.Options, []setup.SetupOptionApplied{{ID: "wider_brand", KeywordRef: "brand"},
		{ID: "narrower_product_1", KeywordRef: "product_1"}}) ||
		d.keywords(t)[1].Revision != 2 {
		t.Errorf("%+v", again)
	}
	if _, err := d.Store.ChangeKeyword(t.Context(), d.Main.ID, 2,
		func(k *keyword.Keyword) error { k.AdditionalTerms = []string{"mine"}; return nil }); err != nil {
		t.Fatal(err)
	}
	changed := d.apply(t, id, `{"keywordRefs":[],"feedRefs":[],"optionIds":["wider_product_1"]}`)
	if got := skips(changed); !slices.Equal(got, []string{"wider_product_1 INVALID_INPUT"}) ||
		!slices.Equal(d.keywords(t)[1].AdditionalTerms, []string{"mine"}) {
		t.Errorf("%+v", changed)
	}
}

// An option narrows the platforms of a keyword as often as it is chosen anew, until a person changes them.
func TestApplyOptions_PlatformsChanged(t *testing.T) {
	d := newDesk(t)
	id := d.ready(t, func(id string) proposal.Proposal {
		p := tailored(id)
		p.Options[0].Platforms, p.Options[1].Platforms = []string{"reddit"}, []string{"bluesky", "news"}
		for i := range p.Options[:2] {
			p.Options[i].AdditionalTerms = p.Keywords[1].AdditionalTerms
		}
		return p
	})
	d.apply(t, id, `{}`)
	listens := func(option string, skipped, platforms []string) {
		t.Helper()
		done := d.apply(t, id, `{"keywordRefs":[],"feedRefs":[],"optionIds":["`+option+`"]}`)
		if got := d.keywords(t)[1].Platforms; !slices.Equal(skips(done), skipped) || !slices.Equal(got, platforms) {
			t.Errorf("with %s it listens on %q, want %q: %+v", option, got, platforms, done)
		}
	}
	listens("wider_product_1", nil, []string{"reddit"})
	listens("narrower_product_1", nil, []string{"bluesky", "news"})
	_, err := d.Store.ChangeKeyword(t.Context(), d.Main.ID, 2,
		func(k *keyword.Keyword) error { k.Platforms = []string{"news"}; return nil })
	if err != nil {
		t.Fatal(err)
	}
	listens("wider_product_1", []string{"wider_product_1 INVALID_INPUT"}, []string{"news"})
}
