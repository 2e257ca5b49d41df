package rule_test

import (
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
)

func TestCatalogue(t *testing.T) {
	ids := ""
	for _, r := range rule.Catalogue() {
		ids += r.ID + " "
		if r.Title == "" || !strings.HasSuffix(r.Says, ".") || strings.Count(r.Says, ". ") > 0 || r.Check == nil {
			t.Errorf("%s is not one sentence with a title: %q %q", r.ID, r.Title, r.Says)
		}
	}
	if want := "K1 K2 K3 K4 K5 K6 K7 A1 A2 X1 X2 V1 V2 V3 F1 F2 F3 E8 P1 T1 T2 T3 W1 "; ids != want {
		t.Errorf("the catalogue is %s, want %s", ids, want)
	}
}

// What a rule finds alone is what Check says it found.
func TestRulesByThemselves(t *testing.T) {
	for _, m := range mutations {
		p, e := valid()
		m.do(&p, &e)
		for _, r := range rule.Catalogue() {
			for _, f := range r.Check(p, e) {
				if f.Rule != r.ID {
					t.Errorf("%s %s: %s answers a finding of %s", m.rule, m.what, r.ID, f.Rule)
				}
			}
		}
	}
}

func TestNarrowingRefusesNothing(t *testing.T) {
	p, e := valid()
	p.Totals.Allowance, e.Plan.Allowance, p.Totals.Band = 449, 449, proposal.Blocked
	if all := rule.Check(p, e); len(all) != 1 || len(rule.Refused(all)) != 0 {
		t.Errorf("blocked: %v", all)
	}
}

// A lost list, a wild number or a huge text in any place is found or borne, never a panic, and always in the same way.
func TestArbitrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, e := valid()
		p, e = clone(p), clone(e)
		for range rapid.IntRange(1, 6).Draw(t, "wounds") {
			wound(t, reflect.ValueOf(&p).Elem())
		}
		for range rapid.IntRange(0, 3).Draw(t, "wounds of the evidence") {
			wound(t, reflect.ValueOf(&e).Elem())
		}
		first := rule.Check(p, e)
		if again := rule.Check(p, e); !reflect.DeepEqual(first, again) {
			t.Fatalf("once %v, and once %v", first, again)
		}
		for _, f := range first {
			if !utf8.ValidString(f.Text) || len(f.Text) > 2_000 {
				t.Fatalf("a finding of %d bytes: %.200q", len(f.Text), f.Text)
			}
		}
		for _, k := range p.Keywords {
			k.Initially()
		}
	})
}

func TestNothing(t *testing.T) {
	if len(rule.Check(proposal.Proposal{}, proposal.Evidence{})) == 0 {
		t.Error("an empty proposal is found to hold")
	}
	rule.Check(proposal.Proposal{
		Keywords: make([]proposal.Keyword, 3),
		Options:  make([]proposal.Option, 2),
		Feeds:    make([]proposal.Feed, 2),
	}, proposal.Evidence{})
}

// wound changes one value somewhere below.
func wound(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.NumField() == 0 || !v.Field(0).CanSet() {
			return
		}
		wound(t, v.Field(rapid.IntRange(0, v.NumField()-1).Draw(t, "field")))
	case reflect.Slice:
		switch n := v.Len(); {
		case n == 0 || rapid.IntRange(0, 4).Draw(t, "list") == 0:
			v.SetZero()
		case rapid.IntRange(0, 4).Draw(t, "twice") == 0:
			v.Set(reflect.AppendSlice(v, v))
		default:
			wound(t, v.Index(rapid.IntRange(0, n-1).Draw(t, "entry")))
		}
	case reflect.Map:
		if rapid.Bool().Draw(t, "map") {
			v.SetZero()
			return
		}
		for _, key := range v.MapKeys() {
			one := reflect.New(v.Type().Elem()).Elem()
			one.Set(v.MapIndex(key))
			if key.String() == "word" || v.Len() == 1 {
				wound(t, one)
				v.SetMapIndex(key, one)
			}
		}
	case reflect.Pointer:
		v.SetZero()
	case reflect.String:
		v.SetString(rapid.SampledFrom([]string{"", " ", "\xff\xfe", "\x00", "*", `" OR "`, strings.Repeat("jetty. ", 20_000),
			strings.Repeat("é", 101), "\u200b",
			"brand", "feed_topics", "@", "jetty", "@jetty", "..", "K1", "u/", "İ", "\U000E0001"}).Draw(t, "text"))
	case reflect.Float64:
		v.SetFloat(rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, 1e300, 0.5, 5_000}).Draw(t, "number"))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.SampledFrom([]int64{-1, 0, 1, math.MaxInt64, math.MinInt64}).Draw(t, "integer"))
	case reflect.Bool:
		v.SetBool(!v.Bool())
	}
}

func TestCovers(t *testing.T) {
	exact := func(text string) keyword.Keyword { return keyword.Keyword{Text: text, ExactMatch: true} }
	with := func(k keyword.Keyword, do func(*keyword.Keyword)) keyword.Keyword { do(&k); return k }
	any := func(terms ...string) func(*keyword.Keyword) {
		return func(k *keyword.Keyword) { k.AdditionalTerms = terms }
	}
	all := func(terms ...string) func(*keyword.Keyword) {
		return func(k *keyword.Keyword) { k.AdditionalTerms, k.AdditionalTermsLogic = terms, keyword.All }
	}
	on := func(platforms ...string) func(*keyword.Keyword) {
		return func(k *keyword.Keyword) { k.Platforms = platforms }
	}
	without := func(words ...string) func(*keyword.Keyword) {
		return func(k *keyword.Keyword) { k.ExcludeWords = words }
	}
	cased := func(k *keyword.Keyword) { k.CaseSensitive = true }
	letters := func(k *keyword.Keyword) { k.ExactMatch = false }
	for _, c := range []struct {
		a, b       keyword.Keyword
		ab, ba     bool
		difference string
	}{
		{exact("acme"), exact("ACME"), true, true, "case"},
		{exact("acme"), exact("acme cloud"), true, false, "a word more"},
		{exact("acme"), exact("acmecloud"), false, false, "another word"},
		{exact("acme"), exact("acme.com"), true, false, "its own domain"},
		{exact("acme"), exact("docs.acme.com"), true, false, "a host of its own domain"},
		{exact("acme"), exact("@acme"), true, false, "its own handle"},
		{exact("acme cloud"), exact("acmecloud"), false, false, "no handle, no host"},
		{exact("acme"), with(exact("acme"), letters), false, true, "letters"},
		{with(exact("acme"), letters), exact("acmecloud"), true, false, "letters within a word"},
		{exact("acme"), with(exact("Acme"), cased), true, false, "minding case"},
		{exact("acme"), with(exact("acme"), any("api", "sdk")), true, false, "anchored"},
		{with(exact("acme"), any("api", "sdk", "cli")), with(exact("acme"), any("sdk", "API")), true, false, "more anchors"},
		{with(exact("acme"), any("api")), with(exact("acme"), any("sdk")), false, false, "other anchors"},
		{with(exact("acme"), any("api", "sdk")), with(exact("acme"), all("api", "sdk")), true, false, "any and all"},
		{with(exact("acme"), any("cloud")), exact("acme cloud"), true, false, "its anchor is in the other"},
		{exact("cloud"), with(exact("acme"), any("cloud")), true, false, "the other's anchor"},
		{exact("acme"), with(exact("acme"), on("reddit")), true, false, "narrowed"},
		{with(exact("acme"), on("reddit", "dev")), with(exact("acme"), on("dev")), true, false, "narrowed more"},
		{with(exact("acme"), on("reddit")), with(exact("acme"), on("reddit_comment")), false, false, "posts and comments"},
		{with(exact("acme"), on("bluesky")), with(exact("acme"), on("firehose")), true, true, "two ways to read one network"},
		{exact("acme"), with(exact("acme"), without("anvil")), true, false, "an exclusion"},
		{with(exact("acme"), without("anvil")), exact("acme cloud"), false, false, "an exclusion that the narrower has not"},
		{with(exact("acme"), without("anvil")), with(exact("acme cloud"), without("anvil", "coyote")), true, false,
			"an exclusion of both"},
		{with(exact("acme"), without("cloud")), exact("acme cloud"), false, false, "excluded"},
		{exact("acme"), with(exact("acme"), without("acme")), false, false, "finds nothing"},
		{exact("acme"), exact(" "), false, false, "no keyword"},
		{exact("café"), exact("cafe"), false, false, "accents"},
	} {
		if got := rule.Covers(c.a, c.b); got != c.ab {
			t.Errorf("%s: %q covers %q: %v", c.difference, c.a.Text, c.b.Text, got)
		}
		if got := rule.Covers(c.b, c.a); got != c.ba {
			t.Errorf("%s: %q covers %q: %v", c.difference, c.b.Text, c.a.Text, got)
		}
	}
}

func TestHolds(t *testing.T) {
	context := func(said string) func(*proposal.Proposal, *proposal.Evidence) {
		return func(p *proposal.Proposal, e *proposal.Evidence) { p.Keywords[rival].Context = said }
	}
	explained := func(said string) func(*proposal.Proposal, *proposal.Evidence) {
		return func(p *proposal.Proposal, _ *proposal.Evidence) { p.Keywords[rival].Explanation = said }
	}
	// What looks like a fault and is none.
	for what, do := range map[string]func(*proposal.Proposal, *proposal.Evidence){
		"a possessive":    context("Jetty's rival Kubernautix, e.g. in comparisons."),
		"an abbreviation": context("Jetty Inc. wants posts about its rival"),
		"by its domain":   context("Comparisons with what jetty.example sells"),
		"a number":        context("Jetty 2.5 compared with others"),
		"three sentences": explained("Your rival is named. You see it. It costs you little!"),
		"you're":          explained("You're told of it."),
		"a name that is an id": func(p *proposal.Proposal, e *proposal.Evidence) {
			e.Profile.Products = []string{"V2"}
			p.Keywords[rival].Explanation = "You hear of V2."
		},
		"a name with a full stop": func(p *proposal.Proposal, e *proposal.Evidence) {
			e.Profile.Company = "Jetty! Inc."
			p.Keywords[rival].Context = "Jetty! Inc. Users who compare"
		},
		"a linked handle": func(p *proposal.Proposal, e *proposal.Evidence) {
			e.Profile.Handles[0].Linked = true
			p.Keywords[account].Flags = []proposal.Flag{}
		},
		"a hidden feed of nothing selected": func(p *proposal.Proposal, _ *proposal.Evidence) {
			confirm(p, rival)
			p.Feeds[rivalFeed].Visible = false
		},
		"a merged feed": func(p *proposal.Proposal, _ *proposal.Evidence) { merge(p, rivalFeed, "feed_topics") },
		"rounded":       func(p *proposal.Proposal, _ *proposal.Evidence) { p.Totals.ProjectedMonthly = 499.6 },
		"no savings known": func(p *proposal.Proposal, e *proposal.Evidence) {
			s := step(proposal.TightenAnchors, "brand")
			s.SavedMonthly = nil
			p.Totals.NarrowingApplied = []proposal.Narrowing{s}
			e.Measured = proposal.Measured{}
		},
		"nothing sampled, and the brand is shown": func(p *proposal.Proposal, e *proposal.Evidence) {
			e.Sampled.Sightings = nil
			p.Keywords[word].Keyword = "shift left security"
			for n := range p.Feeds {
				p.Feeds[n].Gate = proposal.FeedGate{}
				p.Feeds[n].Visible = n == brandFeed
			}
		},
		"an exclusion as good as bad": func(p *proposal.Proposal, e *proposal.Evidence) {
			say(e, "brand", "jetty deploy boat")
			say(e, "brand", "jetty registry boat")
		},
		"top end, anchored": func(p *proposal.Proposal, _ *proposal.Evidence) {
			p.Keywords[brand].Volume.Open, p.Keywords[brand].Volume.Band = true, proposal.BandTopEnd
		},
		"top end, split": func(p *proposal.Proposal, _ *proposal.Evidence) {
			p.Keywords[rival].Volume.Open, p.Keywords[rival].Volume.Band = true, proposal.BandTopEnd
			p.Keywords[rival].Flags = []proposal.Flag{proposal.FlagMustSplit}
			p.Totals.NarrowingApplied = []proposal.Narrowing{step(proposal.Split, "rival")}
		},
		"found in mentions with terms": func(p *proposal.Proposal, _ *proposal.Evidence) {
			p.Feeds[topicFeed].Source, p.Feeds[topicFeed].ContentTerms = proposal.FromMentions, []string{"outage"}
		},
		"an approval of values": func(p *proposal.Proposal, _ *proposal.Evidence) {
			delete(p.Keywords[brand].Approval, proposal.SettingAdditionalTerms)
			p.Keywords[brand].Approvals = []proposal.Approval{
				{
					Setting:  proposal.SettingAdditionalTerms,
					Terms:    []string{"Deploy", "registry", "kubernetes", "cluster"},
					Approval: proposal.Quietly,
				}}
		},
	} {
		t.Run(what, func(t *testing.T) {
			p, e := valid()
			do(&p, &e)
			for _, f := range rule.Check(p, e) {
				t.Errorf("%+v", f)
			}
		})
	}
}

// The description is stricter about nothing that a rule's number says in words.
func TestSaysItsNumbers(t *testing.T) {
	numbers := regexp.MustCompile(`\d+(\.\d+)?`)
	for _, r := range rule.Catalogue() {
		switch r.ID {
		case "A2":
			if got := numbers.FindAllString(r.Says, -1); !reflect.DeepEqual(got, []string{"3", "12"}) ||
				proposal.MinAnchors != 3 || proposal.MaxAnchors != 12 {
				t.Errorf("%s says %v", r.ID, got)
			}
		case "F3":
			if got := numbers.FindAllString(r.Says, -1); !reflect.DeepEqual(got, []string{"3", "0.5", "0.8"}) ||
				proposal.FeedWeekly != 3 || proposal.FeedRelevance != 0.5 || proposal.FeedDominant != 0.8 {
				t.Errorf("%s says %v", r.ID, got)
			}
		case "K6":
			if !strings.Contains(r.Says, "200") || proposal.MaxContext != 200 {
				t.Errorf("%s says %s", r.ID, r.Says)
			}
		}
	}
}
