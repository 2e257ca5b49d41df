package site_test

import (
	"slices"
	"testing"

	"earshot/shared/proposal/site"
)

func TestProfile_StructuredTypes(t *testing.T) {
	for name, c := range map[string]struct {
		data    string
		company string
		terms   []string
	}{
		"a type of its own": {
			`{"@type": "HairSalon", "name": "Acme Salon Ltd", "url": "https://acme.test/", "address": "1 Mill Lane", "telephone": "0"}`,
			"Acme Salon", []string{"hair salon"},
		},
		"a bank": {
			`{"@type": "BankOrCreditUnion", "name": "Acme Bank eG", "url": "https://acme.test/", "address": "1 Mill Lane", "telephone": "0"}`,
			"Acme Bank", []string{},
		},
		"a service": {
			`{"@type": "Organization", "name": "Acme", "url": "https://acme.test/", "serviceType": "Water damage restoration"}`,
			"Acme", []string{"Water damage restoration"},
		},
		"initials": {`{"@type": "NGO", "name": "Acme", "url": "https://acme.test/"}`, "Acme", []string{}},
		"a person": {
			`{"@type": "Person", "name": "Quenthor Pellamere", "address": "1 Mill Lane", "telephone": "0"}`, "Acme", []string{},
		},
	} {
		page := `<html lang="en"><title>Welcome</title><script type="application/ld+json">` + c.data + `</script>`
		got := site.Profile(site.Page{URL: "https://acme.test/", HTML: []byte(page)}, "acme.test")
		if got.Company != c.company || !slices.Equal(got.IndustryTerms, c.terms) {
			t.Errorf("%s: %q, terms %q", name, got.Company, got.IndustryTerms)
		}
	}
}
