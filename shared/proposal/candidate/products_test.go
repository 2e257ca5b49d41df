package candidate_test

import (
	"fmt"
	"slices"
	"testing"

	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

// products are the names of a profile's products that become candidates.
func products(p proposal.Profile) (found []string) {
	for _, c := range candidate.Of("acme.com", p).Candidates {
		if len(c.Ref) > len("product_") && c.Ref[:len("product_")] == "product_" {
			found = append(found, c.Text)
		}
	}
	return found
}

func TestOf_ManyProducts(t *testing.T) {
	p := proposal.Profile{Company: "Zelphor"}
	for i := range 12 {
		p.Products = append(p.Products, fmt.Sprintf("Vivthing%c", 'a'+i))
	}
	if got, want := products(p), p.Products[:6]; !slices.Equal(got, want) {
		t.Errorf("products = %q, want %q", got, want)
	}
	p.Products = []string{"Vivphone", "Vivphone 9", "Vivphone Air", "Lanternix"}
	if got, want := products(p), []string{"Vivphone", "Lanternix"}; !slices.Equal(got, want) {
		t.Errorf("products = %q, want %q", got, want)
	}
}

func TestOf_ProductOfCommonWord(t *testing.T) {
	for _, c := range candidate.Of("acme.com", proposal.Profile{Company: "Zelphor", Products: []string{"Ring"}}).Candidates {
		if c.Text == "Ring" && (c.Route != proposal.Anchored || !slices.Contains(c.Anchors, "Zelphor")) {
			t.Errorf("Ring = %s beside %q, want it anchored beside Zelphor", c.Route, c.Anchors)
		}
	}
}

func TestOf_ProductOfFieldWord(t *testing.T) {
	p := proposal.Profile{
		Company: "Zelphor", Language: "english",
		Products:      []string{"Payroll", "Rotas", "Payroll Desk", "Ring"},
		IndustryTerms: []string{"payroll software", "rota"},
	}
	if got, want := products(p), []string{"Payroll Desk", "Ring"}; !slices.Equal(got, want) {
		t.Errorf("products = %q, want %q", got, want)
	}
	for _, w := range candidate.Of("acme.com", p).Warnings {
		if w.Keyword == "Payroll" && w.Code == candidate.WarnGeneric {
			return
		}
	}
	t.Error("nothing is said of Payroll")
}
