package compose_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/compose"
	"earshot/shared/proposal/rule"
)

// What leaves the package keeps to every rule, whatever the evidence; but that it may need narrowing by a person.
func TestWhateverTheEvidence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawn(t).Evidence
		studied := compose.Study(e) // once, as a run does
		d := studied.Decide()
		p := studied.Assemble(d)
		holds(t, p, e)
		narrowed, n := studied.Narrow(d)
		holds(t, n, e)
		needful(t, n)
		if !compose.Blocked(p) && !reflect.DeepEqual(p, n) {
			t.Errorf("a total that fits was narrowed")
		}
		if n.Totals.DedupedMonthly > p.Totals.DedupedMonthly {
			t.Errorf("narrowing made the total larger: %v from %v", n.Totals.DedupedMonthly, p.Totals.DedupedMonthly)
		}
		again := studied.Assemble(narrowed)
		again.Totals.NarrowingApplied = n.Totals.NarrowingApplied
		if !reflect.DeepEqual(again, n) {
			t.Errorf("the narrowed decisions do not give the narrowed proposal")
		}
		selected, own := 0, 0
		for _, k := range n.Keywords {
			if k.SelectedByDefault {
				if k.Tag == keyword.OwnBrand {
					own++
				}
				switch tracked := slices.ContainsFunc(e.Plan.Tracked, func(text string) bool { return strings.EqualFold(text, k.Keyword) }); {
				case !tracked:
					selected++
				case k.Ref != "brand": // which is selected as it is there (rule K1)
					t.Errorf("%q is tracked already and selected", k.Keyword)
				}
			}
			if len(k.Reasons) == 0 || k.Explanation == "" {
				t.Errorf("%q has no reason or no explanation", k.Keyword)
			}
			onePopulation(t, k, e)
			for _, reason := range k.Reasons {
				if reason.Basis != proposal.ByRule || !ruleIDs[reason.Ref] {
					t.Errorf("%q has the reason %+v, which is no rule's", k.Keyword, reason)
				}
			}
			if (e.Interrupted || e.Measured.At.IsZero()) &&
				(!k.Has(proposal.FlagUnverified) || k.Volume.Basis != proposal.BasisPrior) {
				t.Errorf("%q was not measured and does not say so", k.Keyword)
			}
		}
		if selected > e.Plan.Keywords {
			t.Errorf("%d keywords are selected and there is room for %d", selected, e.Plan.Keywords)
		}
		for _, f := range n.Feeds {
			if f.Visible && f.Purpose != proposal.ForBrand && (e.Interrupted || e.Sampled.Sightings == nil) {
				t.Errorf("the feed %s is visible and nothing was sampled", f.Name)
			}
		}
		if second, q := narrow(e); !reflect.DeepEqual(second, narrowed) || !reflect.DeepEqual(q, n) {
			t.Errorf("the same evidence, studied for each step, gave another proposal")
		}
	})
}

// Whatever a model decides, Assemble makes a proposal of it; the gate refuses what does not hold to the rules, and
// nothing panics.
func TestWhateverIsDecided(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawn(t).Evidence
		d := compose.Study(e).Decide()
		refs := []string{"", "nobody"}
		for _, c := range e.Candidates.Candidates {
			refs = append(refs, c.Ref)
		}
		ref := rapid.SampledFrom(refs)
		text := rapid.SampledFrom([]string{"", "box", "storage", "app", "\xff", strings.Repeat("long ", 40)})
		for range rapid.IntRange(0, 4).Draw(t, "more") {
			d.Keywords = append(d.Keywords, proposal.Decision{
				Ref:               ref.Draw(t, "ref"),
				Route:             proposal.Route(rapid.SampledFrom([]string{"bare", "anchored", "nonsense"}).Draw(t, "route")),
				AdditionalTerms:   rapid.SliceOfN(text, 0, 4).Draw(t, "terms"),
				ExcludeWords:      rapid.SliceOfN(text, 0, 3).Draw(t, "excluded"),
				Platforms:         rapid.SampledFrom([][]string{nil, {}, {"reddit"}, {"nowhere"}}).Draw(t, "platforms"),
				Confidence:        rapid.Float64().Draw(t, "confidence"),
				SelectedByDefault: rapid.Bool().Draw(t, "selected"),
			})
			d.Options = append(d.Options,
				proposal.OptionDecision{
					ID:              "x",
					KeywordRef:      ref.Draw(t, "option"),
					AdditionalTerms: []string{text.Draw(t, "term")},
				})
			d.Feeds = append(d.Feeds,
				proposal.FeedDecision{Ref: text.Draw(t, "feed"), KeywordRefs: []string{ref.Draw(t, "of"), ref.Draw(t, "and")}})
		}
		studied := compose.Study(e)
		rule.Check(studied.Assemble(d), e)
		rule.Check(studied.Assemble(proposal.Decisions{}), e)
		_, shared := studied.Narrow(d)
		if _, fresh := compose.Study(e).Narrow(d); !same(shared, fresh) {
			t.Errorf("a study that was used before gave another proposal")
		}
	})
}

// same reports whether two proposals are the same JSON, as they are stored.
func same(a, b proposal.Proposal) bool {
	one, errA := json.Marshal(a)
	other, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(one, other)
}

// ruleIDs are the ids of the catalogue.
var ruleIDs = func() map[string]bool {
	ids := map[string]bool{}
	for _, r := range rule.Catalogue() {
		ids[r.ID] = true
	}
	return ids
}()

var (
	brandNames = []string{"Acmely", "Box", "Orchard", "Acme Cloud", "monday", "K2", "Yahoo! Japan", "Node.js", "A1"}
	rivals     = []string{"Zendrix", "Slack", "Acmely Pro", "Box Drive", "Notion", "Stripe", "Dropbox", "Zendrix Cloud"}
	fields     = []string{"invoice matching", "observability", "box storage", "file sync", "pricing", "accounts payable"}
	subjects   = []string{"Dropbox", "sync", "invoice", "ledger", "SSO", "cardboard", "gift", "office", "hiring",
		"storage", "tapes", "Kubernetes"}
)

// drawn is evidence of any kind.
func drawn(t *rapid.T) *world {
	w := newWorld()
	company := rapid.SampledFrom(brandNames).Draw(t, "company")
	w.Profile.Company = company
	unmeasured, unsampled := rapid.IntRange(0, 5).Draw(t, "measured") == 0, rapid.IntRange(0, 5).Draw(t, "sampled") == 0
	w.Interrupted = rapid.IntRange(0, 7).Draw(t, "interrupted") == 0
	if rapid.Bool().Draw(t, "some sources failed") {
		w.Measured.Failed = rapid.SampledFrom([][]string{{"github"}, {"github", "youtube", "twitter"}}).Draw(t, "failed")
		w.Measured.Unmeasured = []string{"newsletter"}
		w.Measured.Reasons["github"] = "it did not answer"
	}
	count := rapid.Map(rapid.IntRange(0, 9),
		func(n int) int64 { return []int64{0, 1, 4, 12, 40, 150, 700, 4_000, 40_000, 400_000}[n] })
	add := func(ref, text string, tag proposal.Tag, route proposal.Route) {
		c := proposal.Candidate{
			Ref:     ref,
			Text:    text,
			Tag:     tag,
			Route:   route,
			Context: fmt.Sprintf("%s: what is said of it and of its field.", company),
		}
		c.Anchors = rapid.SliceOfNDistinct(rapid.SampledFrom(append(slices.Clone(subjects), "app", "software platform")), 0,
			8, rapid.ID).Draw(t, "anchors")
		c.Confirm = route == proposal.HandleVariant
		if c.Confirm && rapid.Bool().Draw(t, "on one platform") {
			c.Platforms = []string{rapid.SampledFrom([]string{"twitter", "github", "linkedin"}).Draw(t, "platform")}
		}
		posts := count.Draw(t, "posts")
		if unmeasured {
			posts = -1
		}
		w.add(c, posts, count.Draw(t, "more posts"))
		if !unsampled && rapid.IntRange(0, 4).Draw(t, "seen") > 0 {
			w.sees(ref, drawnPosts(t, text), rapid.Permutation(subjects).Draw(t, "terms")[:8],
				rapid.Permutation(subjects).Draw(t, "noise")[:5], []string{"dealbot", "eve"})
		}
	}
	add("brand", company, keyword.OwnBrand, proposal.Bare)
	add("brand_domain", "acmely.example", keyword.OwnBrand, proposal.DomainVariant)
	if rapid.Bool().Draw(t, "copy") {
		add("brand_copy", strings.ReplaceAll(company, " ", ""), keyword.OwnBrand, proposal.BrandCopy)
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "handles") {
		add(fmt.Sprintf("handle_%d", i), []string{"@acmely", "getacmely"}[i], keyword.OwnBrand, proposal.HandleVariant)
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "competitors") {
		add(fmt.Sprintf("competitor_%d", i), rapid.SampledFrom(rivals).Draw(t, "rival"), keyword.Competitor, proposal.Bare)
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "terms of the field") {
		add(fmt.Sprintf("industry_%d", i), rapid.SampledFrom(fields).Draw(t, "field"), keyword.IndustryTerm, proposal.Bare)
	}
	if unmeasured {
		w.Measured = proposal.Measured{}
	}
	if unsampled {
		w.Sampled = proposal.Sampled{}
	}
	w.Plan.Keywords = rapid.IntRange(1, 24).Draw(t, "room")
	w.Plan.Allowance = rapid.SampledFrom([]float64{10, 200, 5_000, 100_000}).Draw(t, "allowance")
	w.Plan.Tracked = rapid.SliceOfN(rapid.SampledFrom(rivals), 0, 3).Draw(t, "tracked")
	if rapid.Bool().Draw(t, "the brand is tracked") {
		w.Plan.Tracked = append(w.Plan.Tracked, w.Candidates.Candidates[0].Text)
	}
	if rapid.Bool().Draw(t, "tracked bare") {
		w.Plan.Bare = w.Plan.Tracked
	}
	if rapid.Bool().Draw(t, "a small plan") {
		w.Plan.Platforms = []string{"hackernews", "reddit", "github"}
	}
	return w
}

func drawnPosts(t *rapid.T, text string) (posts []proposal.SampledPost) {
	relevant := rapid.Float64Range(0, 1).Draw(t, "relevance")
	for range rapid.IntRange(0, 24).Draw(t, "size") {
		words := rapid.SliceOfN(rapid.SampledFrom(subjects), 0, 3).Draw(t, "words")
		source := rapid.SampledFrom([]string{"hackernews", "reddit", "github"}).Draw(t, "source")
		author := rapid.SampledFrom([]string{"ann", "dealbot", "eve"}).Draw(t, "author")
		p := post(rapid.IntRange(0, 60).Draw(t, "n"), source, author, text+" and "+strings.Join(words, " or "),
			rapid.Float64Range(0, 1).Draw(t, "r") < relevant)
		p.IsReply = rapid.Bool().Draw(t, "reply")
		posts = append(posts, p)
	}
	return posts
}
