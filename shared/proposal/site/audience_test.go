package site_test

import (
	"testing"

	"earshot/shared/proposal/site"
)

func TestProfile_Audience(t *testing.T) {
	for said, want := range map[string]string{
		"Acme is payroll software for companies with 20 to 500 employees.":                  "companies with 20 to 500 employees",
		"Acme is payroll software for companies with heart.":                                "companies",
		"We make small-box strategy games for couples and weekly game groups.":              "couples, weekly game groups",
		"Our viscometers are in daily use in quality control laboratories and paint shops.": "quality control laboratories, paint shops",
		"Our viscometers are used in the making of paint.":                                  "",
	} {
		page := `<html lang="en"><title>Acme</title><p>` + said + `</p>`
		if got := site.Profile(site.Page{URL: "https://acme.test/", HTML: []byte(page)}, "acme.test").Audience; got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		}
	}
}
