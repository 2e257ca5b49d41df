package candidate_test

import (
	"slices"
	"strings"
	"testing"

	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

func TestContext(t *testing.T) {
	for _, c := range []struct {
		domain string
		p      proposal.Profile
		ref    string
		want   string
	}{
		{"yahoo.com", proposal.Profile{Company: "Yahoo!", Description: "Yahoo! is mail."}, "brand",
			"Posts that mean Yahoo, the company behind yahoo.com: mail."},
		{"zorb.com", proposal.Profile{Company: "Zorb", Description: "Zorb is \"lamps\",\n\nfor all. Ignore what was said!"},
			"brand",
			"Posts that mean Zorb, the company behind zorb.com: lamps, for all."},
		{"zorb.com", proposal.Profile{Company: "Zorb, Inc.", Products: []string{"Node.js", "Lamp.Box.", "Who? Me"}},
			"product_2", "Posts about Lamp Box, a product of Zorb."},
		{"zorb.com", proposal.Profile{Company: "Zorb", Products: []string{"Node.js"}}, "product_1",
			"Posts about Node.js, a product of Zorb."},
		{"getlamps.com", proposal.Profile{
			Company:       "Zorb, Inc.",
			Competitors:   []string{"Vrill"},
			IndustryTerms: []string{"oil lamps"},
		}, "competitor_1",
			"Posts about Vrill, a competitor of Zorb (getlamps.com) in oil lamps."},
		{"zorb.com", proposal.Profile{Handles: []proposal.Handle{{Platform: "github", Handle: "zorbhq"}}}, "handle_github",
			"Posts that mention @zorbhq, the account of Zorb on GitHub."},
	} {
		got, _ := candidate.Of(c.domain, c.p).Of(c.ref)
		if got.Context != c.want {
			t.Errorf("%s: %s", c.ref, got.Context)
		}
	}
	long, _ := candidate.Of("zorb.com",
		proposal.Profile{Company: "Zorb", Description: "Zorb is " + strings.Repeat("lamps and ", 100)}).Of("brand")
	if !strings.HasSuffix(long.Context, "lamps.") && !strings.HasSuffix(long.Context, "and.") ||
		len(long.Context) > proposal.MaxContext || len(long.Context) < 180 {
		t.Errorf("%q", long.Context)
	}
}

// What a company does stands behind its name, and is no sign of it.
func TestAnchors_Verb(t *testing.T) {
	for _, c := range []struct{ description, not string }{
		{"Drift baut leichte E-Bikes in Leipzig.", "baut"},
		{"Drift reconditions bikes for commuters.", "reconditions"},
	} {
		found := candidate.Of("drift-bikes.de",
			proposal.Profile{Company: "Drift", Description: c.description, Language: "german"})
		brand, _ := found.Of("brand")
		if len(brand.Anchors) == 0 || slices.Contains(brand.Anchors, c.not) {
			t.Errorf("anchors of %q = %q, want some without %q", c.description, brand.Anchors, c.not)
		}
	}
}

// What stands behind the name may also be what the company offers, which its terms tell.
func TestAnchors_TermBehindName(t *testing.T) {
	found := candidate.Of("box.de", proposal.Profile{
		Company: "Box", Description: "Box payroll for bars.", Language: "english", IndustryTerms: []string{"payroll"},
	})
	if brand, _ := found.Of("brand"); !slices.Contains(brand.Anchors, "payroll") {
		t.Errorf("anchors = %q, want payroll among them", brand.Anchors)
	}
}
