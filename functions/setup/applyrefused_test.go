package setup_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

func TestApplyFaults(t *testing.T) {
	d := newDesk(t)
	id := d.ready(t, tailored)
	for body, want := range map[string]string{
		`{"keywordRefs":["brand","x","brand"],"optionIds":["y"],"feedRefs":["","feed_brand","feed_brand"]}`: "keywordRefs[1] unknown keywordRefs[2] duplicate " +
			"optionIds[0] unknown feedRefs[0] unknown feedRefs[2] duplicate",
		`{"optionIds":["wider_product_1","narrower_product_1"]}`: "optionIds[1] conflict",
		`{"optionIds":["wider_brand"],"keywordRefs":["term_1"]}`: "optionIds[0] keyword_not_applied",
		`{"optionIds":["wider_brand","wider_brand"]}`:            "optionIds[1] duplicate",
		`{"keywordRefs":null}`:                                   "keywordRefs type",
		`{"keywords":[]}`:                                        "keywords unknown",
		`{"keywordRefs":[1]}`:                                    "keywordRefs[0] type",
		``:                                                       "body required",
		`{"feedRefs":[` + strings.Repeat(`"x",`, 100) + `"x"]}`: "feedRefs max_items",
	} {
		var got []string
		for _, detail := range d.Client.Post(t, applyPath(id), body).Is(t, 400, "VALIDATION_ERROR").Details {
			got = append(got, detail.Path+" "+detail.Code)
			if first := detail.Message[:1]; first != strings.ToUpper(first) || !strings.HasSuffix(detail.Message, ".") {
				t.Errorf("%s: the message of %s = %q, want a sentence", body, detail.Path, detail.Message)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
	empty := d.apply(t, id, `{"keywordRefs":[],"feedRefs":["feed_brand"]}`)
	if got := skips(empty); !slices.Equal(got, []string{"feed_brand KEYWORDS_NOT_FOUND"}) || len(d.feeds(t)) != 0 {
		t.Errorf("%+v", empty)
	}
	if len(d.keywords(t)) != 0 {
		t.Error("something was made")
	}
}

func TestApplyInEveryState(t *testing.T) {
	d := newDesk(t)
	refused := func(id string, status int, code, says string) {
		t.Helper()
		if p := d.Client.Post(t, applyPath(id), `{}`).Is(t, status, code); !strings.Contains(p.Message, says) {
			t.Errorf("%s", p.Message)
		}
	}
	id := d.begin(t)
	refused(id, 404, "SETUP_PROPOSAL_NOT_FOUND", "draftId")
	refused("draft_x", 404, "SETUP_PROPOSAL_NOT_FOUND", "draftId")
	if err := d.Store.ScanDone(t.Context(), d.Main.ID, id, &proposal.Profile{Company: "Northwind"}, ""); err != nil {
		t.Fatal(err)
	}
	refused(id, 404, "SETUP_PROPOSAL_NOT_FOUND", "draftId")
	key := d.proposed(t, id)
	refused(id, 400, "INVALID_INPUT", "still being made")
	d.finish(t, key, proposal.End{Status: proposal.NeedsNarrowing, Proposal: ptr(tailored(id))})
	refused(id, 400, "INVALID_INPUT", "narrowing")
	d.finish(t, d.proposed(t, id), proposal.End{Status: proposal.Failed, Message: "x"})
	refused(id, 400, "INVALID_INPUT", "failed")
	d.finish(t, d.proposed(t, id), proposal.End{Status: proposal.Ready, Proposal: ptr(tailored(id))})
	edit := func(company string) {
		t.Helper()
		d.Client.Patch(t, "/api/v2/setup/drafts/"+id, `{"profile":{"company":"`+company+`"}}`).OK(t, nil)
	}
	edit("Southwind")
	refused(id, 400, "INVALID_INPUT", "edited")
	key = d.proposed(t, id)
	d.finish(t, key, proposal.End{Status: proposal.Ready, Proposal: ptr(tailored(id))})
	d.apply(t, id, `{"keywordRefs":["brand"]}`)
	edit("Eastwind")
	refused(id, 400, "INVALID_INPUT", "edited")
	key = d.proposed(t, id)
	refused(id, 400, "INVALID_INPUT", "still being made")
	d.finish(t, key, proposal.End{Status: proposal.Ready, Proposal: ptr(tailored(id))})
	d.apply(t, id, `{}`)
	if n := len(d.keywords(t)); n != 3 {
		t.Errorf("%d keywords", n)
	}
	theirs := d.Client.As(d.OtherKey).Post(t, applyPath(id), `{}`)
	nobodys := d.Client.As(d.OtherKey).Post(t, applyPath("draft_01KAF3Y3W2V4GZ9M6T8Q5X7B1C"), `{}`)
	if theirs.Is(t, 404, "SETUP_PROPOSAL_NOT_FOUND"); string(theirs.Body) != string(nobodys.Body) {
		t.Errorf("%s\n%s", theirs.Body, nobodys.Body)
	}
	d.Client.As(d.Read).Post(t, applyPath(id), `{}`).Is(t, 403, "FORBIDDEN")
}

// What is just more than the allowance is not said to be the allowance, and a choice of half a mention a month, which the
// proposal says brings about one, is not said to bring none.
func TestApplyRefusalsRound(t *testing.T) {
	d := newDesk(t)
	id := d.begin(t)
	if err := d.Store.ScanDone(t.Context(), d.Main.ID, id, &proposal.Profile{Company: "Northwind"}, ""); err != nil {
		t.Fatal(err)
	}
	p := tailored(id)
	p.Totals.Allowance, p.Totals.DedupedMonthly = 5000, 5000.5
	for i := range p.Options {
		p.Options[i].ProjectedMonthly = 0.5
	}
	d.finish(t, d.proposed(t, id), proposal.End{Status: proposal.NeedsNarrowing, Proposal: &p})
	refused := d.Client.Post(t, applyPath(id), `{}`).Is(t, 400, "INVALID_INPUT")
	if !strings.Contains(refused.Message, "about 5001 mentions a month, and the plan allows 5000") ||
		!strings.Contains(refused.Message, "is about 1.") {
		t.Error(refused.Message)
	}
}

// A keyword that was applied with an option costs what the option does when more is applied.
func TestApplyMoreThanAnOption(t *testing.T) {
	d := newDesk(t)
	id := d.begin(t)
	if err := d.Store.ScanDone(t.Context(), d.Main.ID, id, &proposal.Profile{Company: "Northwind"}, ""); err != nil {
		t.Fatal(err)
	}
	p := tailored(id)
	p.Totals.Allowance, p.Totals.DedupedMonthly = 5000, 9010
	for i := range p.Keywords {
		k := &p.Keywords[i]
		if k.Volume.Low, k.Volume.High = 5, 15; k.Ref == "brand" {
			k.Volume.Low, k.Volume.High = 8000, 10_000
		}
	}
	for i := range p.Options {
		p.Options[i].ProjectedMonthly = 4000
	}
	d.finish(t, d.proposed(t, id), proposal.End{Status: proposal.NeedsNarrowing, Proposal: &p})
	d.apply(t, id, `{"keywordRefs":["brand"],"optionIds":["wider_brand"]}`)
	made := d.apply(t, id, `{"keywordRefs":["product_1"],"optionIds":[]}`)
	if len(made.Keywords) != 1 || !made.Keywords[0].Created {
		t.Errorf("%+v", made)
	}
	p.Keywords[0].Volume.High++ // of another run, of which nothing is applied
	d.finish(t, d.proposed(t, id), proposal.End{Status: proposal.NeedsNarrowing, Proposal: &p})
	d.Client.Post(t, applyPath(id), `{"keywordRefs":["brand"]}`).Is(t, 400, "INVALID_INPUT")
}

// A keyword that was applied and deleted costs nothing when more is applied. One that is tracked again does.
func TestApply_DeletedCostsNothing(t *testing.T) {
	for _, tracked := range []bool{false, true} { // before the proposal was applied
		d := newDesk(t)
		id := d.begin(t)
		if err := d.Store.ScanDone(t.Context(), d.Main.ID, id, &proposal.Profile{Company: "Northwind"}, ""); err != nil {
			t.Fatal(err)
		}
		p := tailored(id)
		p.Totals.Allowance, p.Totals.DedupedMonthly = 5000, 9000
		for i := range p.Keywords {
			p.Keywords[i].Volume.Low, p.Keywords[i].Volume.High = 3000, 3000
		}
		if tracked {
			if _, err := d.Store.CreateKeyword(t.Context(), d.Main.ID, keyword.Keyword{Text: p.Keywords[0].Keyword}, 5); err != nil {
				t.Fatal(err)
			}
		}
		d.finish(t, d.proposed(t, id), proposal.End{Status: proposal.NeedsNarrowing, Proposal: &p})
		first := d.apply(t, id, `{"keywordRefs":["brand"],"optionIds":[]}`)
		d.Client.Post(t, applyPath(id), `{"keywordRefs":["product_1"],"optionIds":[]}`).Is(t, 400, "INVALID_INPUT")
		if err := d.Store.DeleteKeyword(t.Context(), d.Main.ID, first.Keywords[0].ID); err != nil {
			t.Fatal(err)
		}
		both := `{"keywordRefs":["brand","product_1"],"optionIds":[]}`
		if tracked { // the ref made nothing yet, so that it would make the keyword now
			d.Client.Post(t, applyPath(id), both).Is(t, 400, "INVALID_INPUT")
			both = `{"keywordRefs":["product_1"],"optionIds":[]}`
		}
		made := d.apply(t, id, both)
		if len(made.Keywords) != 1 || made.Keywords[0].Ref != "product_1" || !made.Keywords[0].Created {
			t.Errorf("tracked %t: apply = %+v, want product_1 alone", tracked, made)
		}
	}
}

// A plan without the room refuses all of it, with the figures, before anything is written.
func TestApplyBeyondThePlan(t *testing.T) {
	d := newDesk(t)
	if err := d.Store.ChangeWorkspace(t.Context(), d.Main.ID,
		func(w *workspace.Workspace) error { w.Plan = workspace.FreeTrial; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Store.CreateKeyword(t.Context(), d.Main.ID, keyword.Keyword{Text: "mine"}, 5); err != nil {
		t.Fatal(err)
	}
	id := d.ready(t, largest)
	p := d.Client.Post(t, applyPath(id), `{}`).Is(t, 400, "KEYWORD_LIMIT_EXCEEDED")
	for _, figure := range []string{"24 keywords", "to the 1 ", "free_trial has room for 5", "at most 4"} {
		if !strings.Contains(p.Message, figure) {
			t.Errorf("%q lacks %q", p.Message, figure)
		}
	}
	if company, _ := d.Store.Company(t.Context(), d.Main.ID); len(d.keywords(t)) != 1 || len(d.feeds(t)) != 0 ||
		company.Name != "" {
		t.Error("something was written")
	}
	if found := d.poll(t, id); found["status"] != "ready" {
		t.Errorf("%v", found["status"])
	}
	done := d.apply(t, id, `{"keywordRefs":["k0","k1","k2","k3"]}`)
	if len(done.Keywords) != 4 || len(done.Feeds) != 4 {
		t.Errorf("%+v", done)
	}
	p = d.Client.Post(t, applyPath(id), `{"keywordRefs":["k4"]}`).Is(t, 400, "KEYWORD_LIMIT_EXCEEDED")
	if strings.Contains(p.Message, "at most 0") || !strings.Contains(p.Message, "add 1 keyword to") {
		t.Errorf("without any room it says %q", p.Message)
	}
	d.apply(t, id, `{"keywordRefs":["k0","k3"]}`) // what is there needs no room
}

// What fitted the plan when it was proposed has to fit the plan on which it is applied.
func TestApply_PlanBecameSmaller(t *testing.T) {
	d := newDesk(t)
	plan := func(plan workspace.Plan) {
		t.Helper()
		err := d.Store.ChangeWorkspace(t.Context(), d.Main.ID,
			func(w *workspace.Workspace) error { w.Plan = plan; return nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	plan(workspace.Scale)
	id := d.ready(t, func(draftID string) proposal.Proposal {
		p := tailored(draftID)
		for n := range p.Keywords {
			p.Keywords[n].Volume.Low, p.Keywords[n].Volume.High = 3_900, 4_100
		}
		p.Options = nil
		p.Totals = proposal.Totals{ProjectedMonthly: 12_000, DedupedMonthly: 12_000, Allowance: 100_000, Band: proposal.Pass}
		return p
	})
	plan(workspace.FreeTrial)
	for body, monthly := range map[string]string{`{}`: "12000", `{"keywordRefs":["brand","product_1"]}`: "8000"} {
		p := d.Client.Post(t, applyPath(id), body).Is(t, 400, "INVALID_INPUT")
		if !strings.Contains(p.Message, monthly) || !strings.Contains(p.Message, "the plan allows 5000") ||
			!strings.Contains(p.Message, "Propose again") {
			t.Errorf("%s says %q, want it to name %s, what the plan allows, and what helps", body, p.Message, monthly)
		}
	}
	if n := len(d.keywords(t)); n != 0 {
		t.Errorf("%d keywords were written", n)
	}
	d.apply(t, id, `{"keywordRefs":["brand"]}`)
	d.Client.Post(t, applyPath(id), `{"keywordRefs":["product_1"]}`).Is(t, 400, "INVALID_INPUT")
	plan(workspace.Scale)
	d.apply(t, id, `{}`)
	plan(workspace.FreeTrial)
	for _, body := range []string{`{}`, `{"keywordRefs":["brand","product_1"]}`} {
		d.apply(t, id, body) // what is there can be read, whatever the plan
	}
}

// largest is a proposal of as much as one can have, with something that waits of every keyword.
func largest(draftID string) proposal.Proposal {
	p := tailored(draftID)
	of := p.Keywords[0]
	p.Keywords, p.Options, p.Feeds = nil, nil, nil
	for n := range proposal.MaxKeywords {
		k := of
		k.Ref, k.Keyword, k.FeedRef = fmt.Sprint("k", n), fmt.Sprint("keyword ", n), fmt.Sprint("f", n%proposal.MaxFeeds)
		p.Keywords = append(p.Keywords, k)
		p.Options = append(p.Options,
			proposal.Option{
				ID:                fmt.Sprint("o", n),
				KeywordRef:        k.Ref,
				Label:             "x",
				AdditionalTerms:   []string{"a", "b"},
				SelectedByDefault: true,
			})
	}
	for n := range proposal.MaxFeeds {
		p.Feeds = append(p.Feeds,
			proposal.Feed{Ref: fmt.Sprint("f", n), Name: fmt.Sprint("feed ", n), Purpose: proposal.ForBrand, Visible: true,
				KeywordRefs: []string{fmt.Sprint("k", n), fmt.Sprint("k", n+proposal.MaxFeeds)}, Source: proposal.FromSetup})
	}
	return p
}

// A proposal that is as large as it can be is one transaction.
func TestApplyLargest(t *testing.T) {
	d := newDesk(t)
	if err := d.Store.ChangeWorkspace(t.Context(), d.Main.ID,
		func(w *workspace.Workspace) error { w.Plan = workspace.Scale; return nil }); err != nil {
		t.Fatal(err)
	}
	id := d.ready(t, largest)
	done := d.apply(t, id, `{}`)
	if len(done.Keywords) != 24 || len(done.Options) != 24 || len(done.Feeds) != 12 || len(d.waiting(t)) != 24 ||
		d.feeds(t)[11] != `12 feed 11 {"keyword":[12,24]} false` {
		t.Errorf("%+v", done)
	}
	d.balanced(t)
}

// What would be too much of other kinds is refused as a whole, too.
func TestApplyWithoutRoom(t *testing.T) {
	d := newDesk(t)
	id := d.ready(t, tailored)
	count := func(key table.Key, counts map[string]any) {
		t.Helper()
		if _, err := d.Table.Update(t.Context(), table.Update{Table: rows.CoreTable, Key: key, Set: counts}); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(says string) {
		t.Helper()
		if p := d.Client.Post(t, applyPath(id), `{}`).Is(t, 400, "INVALID_INPUT"); !strings.Contains(p.Message, says) ||
			!strings.Contains(p.Message, "Nothing was written") {
			t.Errorf("%s", p.Message)
		}
		if company, _ := d.Store.Company(t.Context(), d.Main.ID); len(d.keywords(t))+len(d.feeds(t)) != 0 ||
			company.Name != "" {
			t.Error("something was written")
		}
	}
	listens, shows := table.Key{Partition: "listeners", Sort: d.Main.ID}, table.Key{Partition: d.Main.ID, Sort: "feeds"}
	count(shows, map[string]any{"feeds": int64(feed.MaxFeeds)})
	refused("no room for further feeds")
	count(shows, map[string]any{"feeds": int64(1), "weight": int64(feed.MaxTogether)})
	refused("feeds would be too large")
	count(shows, map[string]any{"feeds": int64(0), "weight": int64(0)})
	count(listens, map[string]any{"weight": int64(keyword.MaxTogether)})
	refused("keywords would be too large")
	count(listens, map[string]any{"weight": int64(0)})
	d.apply(t, id, `{}`)
	d.balanced(t)
}
