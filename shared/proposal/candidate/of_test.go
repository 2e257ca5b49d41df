package candidate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

func linear() proposal.Profile {
	return proposal.Profile{
		Company:     "Linear",
		Description: "Linear is a purpose-built tool for planning and building products. Streamline issues, sprints, and roadmaps.",
		Products:    []string{"Linear Asks", "Insights"},
		Audience:    "software teams, engineers and designers",
		Handles: []proposal.Handle{{Platform: "twitter", Handle: "@linear", Linked: true},
			{Platform: "github", Handle: "linear", Linked: true},
			{Platform: "youtube", Handle: "LinearApp"}},
		Competitors:   []string{"Jira", "Asana", "Jira Cloud", "linear", "Shortcut"},
		IndustryTerms: []string{"issue tracking", "software", "devops"},
		OtherNames:    []string{"Linear Orbit, Inc."},
	}
}

func refs(c proposal.Candidates) (refs []string) {
	for _, one := range c.Candidates {
		refs = append(refs, one.Ref)
	}
	return refs
}

func codes(c proposal.Candidates) (codes []string) {
	for _, one := range c.Warnings {
		codes = append(codes, one.Code)
	}
	return codes
}

func TestOfCommonWord(t *testing.T) {
	got := candidate.Of("www.linear.app", linear())
	want := []string{"brand", "brand_domain", "handle_twitter", "handle_youtube", "copy_1", "product_1", "product_2",
		"competitor_1", "competitor_2", "competitor_5",
		"industry_1", "industry_3"}
	if !slices.Equal(refs(got), want) {
		t.Errorf("%q", refs(got))
	}
	if want := []string{"brand_common_word", "handle_unconfirmed", "generic_term", "covered",
		"covered"}; !slices.Equal(codes(got), want) {
		t.Errorf("%+v", got.Warnings)
	}
	for _, c := range []struct {
		ref, text string
		route     proposal.Route
		common    bool
		confirm   bool
		platforms string
		has, not  string // anchors
	}{
		{"brand", "Linear", proposal.Anchored, true, false, "",
			"linear.app|Linear Asks|tracking|sprints|roadmaps|devops|engineers",
			"linear|software|tool|teams|insights|jira|purpose-built"},
		{"brand_domain", "linear.app", proposal.DomainVariant, false, false, "", "", ""},
		{"handle_twitter", "@linear", proposal.HandleVariant, false, false, "twitter github", "", ""},
		{"handle_youtube", "@LinearApp", proposal.HandleVariant, false, true, "youtube", "", ""},
		{"copy_1", "Linear Orbit", proposal.BrandCopy, false, false, "", "", ""},
		{"product_1", "Linear Asks", proposal.Bare, false, false, "", "tracking", "linear asks"},
		{"product_2", "Insights", proposal.Anchored, true, false, "", "Linear|tracking", "Linear Asks|linear.app"}, // which have "Linear" in them
		{"competitor_1", "Jira", proposal.Bare, false, false, "", "tracking", "linear.app|Linear"},
		{"competitor_2", "Asana", proposal.Anchored, true, false, "", "tracking|devops", "linear.app|Linear|Jira"},
		{"industry_1", "issue tracking", proposal.Bare, false, false, "", "devops", "tracking"},
		{"industry_3", "devops", proposal.Anchored, true, false, "", "tracking", "devops"},
	} {
		one, ok := got.Of(c.ref)
		if !ok || one.Text != c.text || one.Route != c.route || one.Common != c.common || one.Confirm != c.confirm ||
			strings.Join(one.Platforms, " ") != c.platforms || one.Cased {
			t.Errorf("%s: %+v", c.ref, one)
		}
		for _, anchor := range strings.Split(c.has, "|") {
			if anchor != "" && !slices.Contains(one.Anchors, anchor) {
				t.Errorf("%s: no %q in %q", c.ref, anchor, one.Anchors)
			}
		}
		for _, anchor := range strings.Split(c.not, "|") {
			if slices.Contains(one.Anchors, anchor) {
				t.Errorf("%s: %q in %q", c.ref, anchor, one.Anchors)
			}
		}
	}
	brand, _ := got.Of("brand")
	if brand.Context != "Posts that mean Linear, the company behind linear.app: a purpose-built tool for planning and building products." || brand.Anchors[0] != "linear.app" {
		t.Errorf("%s %q", brand.Context, brand.Anchors)
	}
	if want := []string{"insights", "software", "tool", "products", "teams"}; !slices.Equal(brand.RejectedAnchors, want) {
		t.Errorf("%q", brand.RejectedAnchors)
	}
	for ref, rule := range map[string]string{"brand": "K2", "handle_youtube": "K4", "industry_1": "K7", "industry_3": "K7",
		"product_2": "K2"} {
		one, _ := got.Of(ref)
		if !slices.ContainsFunc(one.Reasons, func(r proposal.Reason) bool { return r.Basis == proposal.ByRule && r.Ref == rule }) {
			t.Errorf("%s: %+v", ref, one.Reasons)
		}
	}
}

// A distinctive name finds the company's other names by itself: they are no candidates. The domain and the accounts are,
// because the name may be anchored after all.
func TestOfDistinctiveName(t *testing.T) {
	got := candidate.Of("datadoghq.com",
		proposal.Profile{
			Company:     "Datadog, Inc.",
			OtherNames:  []string{"DataDog"},
			Products:    []string{"Datadog APM", "Watchdog"},
			Competitors: []string{"Datadog", "New Relic"},
			Handles:     []proposal.Handle{{Platform: "x", Handle: "datadog", Linked: true}},
		})
	if want := []string{"brand", "brand_domain", "handle_twitter", "product_2", "competitor_2"}; !slices.Equal(refs(got), want) {
		t.Errorf("%q", refs(got))
	}
	brand, _ := got.Of("brand")
	if brand.Text != "Datadog" || brand.Route != proposal.Bare || brand.Class != proposal.ClassDistinctive {
		t.Errorf("%+v", brand)
	}
}

// A company that is called by a part of a host which another registered has that host, and no more of the domain.
func TestOf_SiteBelowAnother(t *testing.T) {
	for host, want := range map[string]string{
		"lantern.cloudery.com": "lantern.cloudery.com", "getlantern.cloudery.com": "getlantern.cloudery.com",
		"www.cloudery.com": "cloudery.com", "docs.cloudery.com": "cloudery.com", "shop.lantern.com": "lantern.com",
		"lantern.lantern.com": "lantern.com", "lantern.example.co.uk": "lantern.example.co.uk",
	} {
		got, _ := candidate.Of(host, proposal.Profile{Company: "Lantern"}).Of(candidate.RefDomain)
		if got.Text != want {
			t.Errorf("domain of %s = %q, want %q", host, got.Text, want)
		}
	}
}

func TestCopies(t *testing.T) {
	for _, c := range []struct{ domain, company, others, want string }{
		{"zorb-cloud.com", "Zorb Cloud", "", "copy_joined=ZorbCloud|copy_hyphenated=zorb-cloud"},
		{"zorb.com", "Zorb Software", "Zorb", "brand=Zorb"}, // the shorter name finds both
		{"zorb.com", "Zorb", "Old Lantern|ZORB|Old  lantern", "brand=Zorb|copy_1=Old Lantern"},
		{"nestle.com", "Nestlé Suisse", "",
			"copy_joined=NestléSuisse|copy_hyphenated=nestlé-suisse|copy_plain=Nestle Suisse|copy_joined_plain=NestleSuisse"},
		{"fullstory.com", "FullStory", "", "brand=FullStory"}, // "full story" would need anchors, and the profile offers none
		{"zorb.com", "Zorb", "zorb.com", "brand=Zorb"},
		{"zoerbel.de", "Zörbel", "", "copy_plain=Zorbel|copy_umlauts=Zoerbel"},
		{"zorbel.fi", "Zörbel", "", "copy_plain=Zorbel"},
	} {
		p := proposal.Profile{Company: c.company}
		if strings.HasSuffix(c.domain, ".de") {
			p.Language = "german"
		}
		if c.others != "" {
			p.OtherNames = strings.Split(c.others, "|")
		}
		got := candidate.Of(c.domain, p)
		wanted := strings.Split(c.want, "|")
		for _, want := range wanted {
			ref, text, _ := strings.Cut(want, "=")
			if one, ok := got.Of(ref); !ok || one.Text != text {
				t.Errorf("%s: no %s of %q in %q", c.company, ref, text, refs(got))
			}
		}
		for _, one := range got.Candidates {
			if strings.HasPrefix(one.Ref, "copy") && !slices.Contains(wanted, one.Ref+"="+one.Text) {
				t.Errorf("%s has %s: %q", c.company, one.Ref, one.Text)
			}
		}
	}
	spaced, ok := candidate.Of("fullstory.com",
		proposal.Profile{Company: "FullStory", Description: "Behavioral analytics, session replay, heatmaps and funnels."}).
		Of("copy_spaced")
	if !ok || spaced.Text != "Full Story" || spaced.Route != proposal.Anchored || !spaced.Common ||
		len(spaced.Anchors) < proposal.MinAnchors {
		t.Errorf("%+v", spaced)
	}
}

func TestOfNameThatIsADomain(t *testing.T) {
	got := candidate.Of("monday.com",
		proposal.Profile{Company: "monday.com", Description: "Workflows, sprints, kanban and timesheets."})
	if want := []string{"brand", "copy_short"}; !slices.Equal(refs(got), want) {
		t.Fatalf("%q", refs(got))
	}
	if brand, short := got.Candidates[0], got.Candidates[1]; brand.Route != proposal.Bare || short.Text != "monday" ||
		short.Route != proposal.Anchored {
		t.Errorf("%+v", got.Candidates)
	}
}

// A word of the site's language is anchored, and so are its parts.
func TestOf_SiteLanguage(t *testing.T) {
	for _, c := range []struct {
		company, language string
		route             proposal.Route
	}{
		{"Boulanger", "french", proposal.Anchored},
		{"Boulanger", "english", proposal.Bare},
		{"Vivo", "portuguese", proposal.Anchored},
	} {
		got := candidate.Of("zorb.example", proposal.Profile{Company: c.company, Language: c.language})
		brand, _ := got.Of(candidate.RefBrand)
		if common := c.route == proposal.Anchored; brand.Route != c.route || brand.Common != common ||
			(brand.Class == proposal.ClassCommon) != common {
			t.Errorf("%s on a site in %s is %s, %s", c.company, c.language, brand.Route, brand.Class)
		}
	}
	profile := proposal.Profile{
		Company:     "MaisonBoulanger",
		Language:    "french",
		Description: "Lanterns, wicks, oil and matches for sailors and miners.",
	}
	spaced, ok := candidate.Of("zorb.example", profile).Of("copy_spaced")
	if !ok || spaced.Text != "Maison Boulanger" || spaced.Route != proposal.Anchored {
		t.Errorf("the copy of two words is %+v", spaced)
	}
}

// A name is tracked as posts write it, and its own spelling is tracked beside it only where the name does not find it.
func TestOf_Signs(t *testing.T) {
	for company, want := range map[string]string{
		"Zorbly!":        "Zorbly",
		"Zorbly!, Inc.":  "Zorbly",
		"Zorbly! Brands": "Zorbly Brands|Zorbly! Brands|ZorblyBrands|zorbly-brands",
		"Zorbly®":        "Zorbly",
		"Zorbly+":        "Zorbly+|Zorbly Plus",
		"Zorbly++":       "Zorbly++",
	} {
		var texts []string
		for _, c := range candidate.Of("quietharbor.example", proposal.Profile{Company: company}).Candidates {
			if c.Route == proposal.Bare || c.Route == proposal.BrandCopy {
				texts = append(texts, c.Text)
			}
		}
		if got := strings.Join(texts, "|"); got != want {
			t.Errorf("%s: %s, want %s", company, got, want)
		}
	}
}

func TestFromDomain(t *testing.T) {
	for domain, want := range map[string]string{
		"zorb.com":             "brand=Zorb/bare brand_domain=zorb.com/domain_variant handle=@zorb/handle_variant?",
		"www.acme-cloud.co.uk": "brand=Acme Cloud/bare brand_domain=acme-cloud.co.uk/domain_variant handle=@acmecloud/handle_variant?",
		"dhl.com":              "brand=DHL/bare brand_domain=dhl.com/domain_variant handle=@dhl/handle_variant?",
		"box.com":              "brand=Box/anchored brand_domain=box.com/domain_variant handle=@box/handle_variant?",
		"zorb.github.io":       "brand=Zorb/bare brand_domain=zorb.github.io/domain_variant handle=@zorb/handle_variant?",
		"quietharbor.example":  "brand=Quietharbor/bare brand_domain=quietharbor.example/domain_variant handle=@quietharbor/handle_variant?",
		"xn--mller-kva.de": "brand=Müller/anchored brand_domain=müller.de/domain_variant brand_domain_ascii=xn--mller-kva.de/domain_variant " +
			"handle=@müller/handle_variant?",
	} {
		var got []string
		for _, c := range candidate.FromDomain(domain).Candidates {
			one := fmt.Sprintf("%s=%s/%s", c.Ref, c.Text, c.Route)
			if c.Confirm {
				one += "?"
			}
			got = append(got, one)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s", domain, strings.Join(got, " "))
		}
	}
}

// A company's name that cannot be tracked is taken from the domain.
func TestOfUnusableName(t *testing.T) {
	for _, company := range []string{"", "!!!", "\x00\x01", strings.Repeat("a", 101), strings.Repeat("word ", 40)} {
		got := candidate.Of("quiet-harbor.example", proposal.Profile{Company: company})
		if brand := got.Candidates[0]; brand.Ref != "brand" || brand.Text != "Quiet Harbor" ||
			!slices.Contains(codes(got), candidate.WarnFallback) {
			t.Errorf("%.20q: %+v", company, got)
		}
	}
}

// Each kind has its share, and what one leaves the others get.
func TestTooMany(t *testing.T) {
	var many, terms []string
	for i := range proposal.MaxProfileTerms {
		many, terms = append(many, fmt.Sprintf("Zorb%c%c", 'a'+i, 'q'-i/2)),
			append(terms, fmt.Sprintf("lantern %cwick", 'a'+i))
	}
	got := candidate.Of("acme.com", proposal.Profile{Company: "Acme", Competitors: many, IndustryTerms: terms})
	tags := map[proposal.Tag]int{}
	for _, c := range got.Candidates {
		tags[c.Tag]++
	}
	if len(got.Candidates) != proposal.MaxKeywords || tags[keyword.IndustryTerm] < 5 || tags[keyword.Competitor] < 5 ||
		!slices.Contains(codes(got), candidate.WarnTooMany) {
		t.Errorf("%v %+v", tags, got.Warnings)
	}
}

// A ref names the place in the profile, so that what is taken out of the list leaves the others theirs.
func TestRefsStay(t *testing.T) {
	p := linear()
	p.Competitors[0] = ""
	if asana, ok := candidate.Of("linear.app", p).Of("competitor_2"); !ok || asana.Text != "Asana" {
		t.Error(asana)
	}
}

func BenchmarkOf(b *testing.B) {
	small := linear()
	large := linear()
	for i := range proposal.MaxProfileTerms {
		large.Products = append(large.Products, fmt.Sprintf("Zorb%c Lamp", 'a'+i))
		large.Competitors = append(large.Competitors, fmt.Sprintf("Zorb%c", 'a'+i))
		large.IndustryTerms = append(large.IndustryTerms, fmt.Sprintf("lantern %cwick", 'a'+i))
	}
	large.Description = strings.Repeat(large.Description+" ", 18)
	for name, p := range map[string]proposal.Profile{"a profile": small, "a full profile": large} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				candidate.Of("linear.app", p)
			}
		})
	}
}

// Posts that compare a company with its competitors mean the company. A competitor that is called by a common word
// anchors nothing, and no competitor is anchored by its rivals.
func TestOf_CompetitorsAnchor(t *testing.T) {
	got := candidate.Of("visa.example",
		proposal.Profile{Company: "Visa", Description: "Payment cards for merchants and banks.",
			Competitors: []string{"Mastercard", "Square", "Paypal", "Worldpay", "Adyen"}})
	brand, _ := got.Of(candidate.RefBrand)
	for name, want := range map[string]bool{"Mastercard": true, "Paypal": true, "Worldpay": true, "Square": false, "Adyen": false} {
		if has := slices.Contains(brand.Anchors, name); has != want {
			t.Errorf("the anchors are %q, has %s = %t, want %t", brand.Anchors, name, has, want)
		}
	}
	if rival, ok := got.Of("competitor_2"); !ok || slices.Contains(rival.Anchors, "Mastercard") {
		t.Errorf("competitor_2 is anchored on %q", rival.Anchors)
	}
}
