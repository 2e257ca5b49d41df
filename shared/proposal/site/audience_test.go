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

// A description tells more of whom a company is for than its title does.
func TestProfile_AudienceOfDescription(t *testing.T) {
	for page, want := range map[string]string{
		`<html lang="de"><title>Acme | Software für Transportunternehmen</title><meta name="description" content="Planung in einem System. Für kleine und mittlere Speditionen.">`: "Transportunternehmen, kleine und mittlere Speditionen",
		`<html lang="en"><title>Acme</title><meta name="description" content="A desktop lathe for product designers, instrument makers and school workshops.">`:                    "product designers, instrument makers, school workshops",
		`<html lang="en"><title>Acme</title><meta name="description" content="Notes for researchers, consultants and anyone who leaves meetings with three pages.">`:               "researchers, consultants",
		`<html lang="fr"><title>Acme | Savons pour les peaux sensibles</title><meta name="description" content="Des savons doux pour les peaux.">`:                                 "peaux sensibles",
		`<html lang="en"><title>Acme | Flags for backend teams</title><meta name="description" content="Feature flags, hosted anywhere. For your whole company.">`:                 "backend teams",
		`<html lang="de"><title>Acme</title><meta name="description" content="Strom aus der Region. Für immer günstig.">`:                                                          "",
		`<html lang="en"><title>Acme</title><meta name="description" content="Bread from our own oven. For a better life.">`:                                                       "",
		`<html lang="en"><title>Acme</title><meta name="description" content="Lathes, kits and manuals. For model clockmakers.">`:                                                  "model clockmakers",
	} {
		got := site.Profile(site.Page{URL: "https://acme.test/", HTML: []byte(page)}, "acme.test").Audience
		if got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}
