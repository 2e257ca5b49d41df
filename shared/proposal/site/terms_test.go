package site_test

import (
	"slices"
	"testing"

	"earshot/shared/proposal/site"
)

func TestProfile_Terms(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		want []string
	}{
		"below the first heading": {
			`<html lang="en"><title>Acme</title><h1>Books, balanced.</h1><p>Cloud accounting for bakeries</p>`,
			[]string{"Cloud accounting"},
		},
		"a list's entry that a paragraph speaks of": {
			`<html lang="en"><title>Acme</title><meta name="description" content="Acme runs payrolls on time."><p>Simple time tracking and accruals that flow straight to the pay run.</p>
			<ul><li>Time tracking</li><li>Multi-state payroll</li></ul>`,
			[]string{"Time tracking"},
		},
		"a compound of a term": {
			`<html lang="de"><title>Acme</title><meta name="description" content="Zahnklinik: Implantate, Prophylaxe und mehr.">
			<h1>Lächeln Sie wieder.</h1><h2>Unsere Leistungen</h2><h3>Zahnimplantate</h3>
			<h2>Angst?</h2><p>Wir setzen Implantate auch unter Vollnarkose, wenn Sie das möchten.</p>`,
			[]string{"Implantate", "Zahnimplantate"},
		},
		"a noun in both numbers behind it": {
			`<html lang="en"><title>Acme | Benchtop lathe kits that cut brass</title><meta name="description" content="A benchtop lathe kit for clockmakers.">
			<p>Acme builds a benchtop lathe kit that is stiff enough for brass and quiet enough for a flat.</p>`,
			[]string{"benchtop lathe kit"},
		},
		"whom an entry is for": {
			`<html lang="pl"><title>Acme</title><meta name="description" content="Kursy online z rachunkowości.">
			<nav><a href="/dla-biur">Dla biur rachunkowych</a></nav><h2>Dla biur rachunkowych</h2><p>Wszystkie kursy online są tu zawsze aktualne i krótkie, dla biur rachunkowych też.</p>`,
			[]string{"Kursy online"},
		},
		"whom a list ends with": {
			`<html lang="en"><title>Acme</title><meta name="description" content="A desktop lathe for product designers, instrument makers and school workshops.">
			<h2>Why a desktop lathe</h2><p>Most school workshops have no room for a machine as large as this one.</p>`,
			[]string{"desktop lathe"},
		},
		"who works for its readers": {
			`<html lang="nl"><title>Acme</title><meta name="description" content="Fietslease voor werkgevers en hun medewerkers.">
			<h2>Wat kiezen medewerkers?</h2><p>De meeste medewerkers kiezen hier een fiets die bij hun dagelijkse reis past.</p>`,
			[]string{},
		},
		"a name": {
			`<html lang="en"><title>Acme</title><meta name="description" content="Acme prints news each day."><p>Subscribers also get our weekly podcast, Slack Water, on each Monday.</p>
			<ul><li>Slack Water</li></ul>`,
			[]string{},
		},
		"a list with single words": {
			`<html lang="es"><title>Acme</title><meta name="description" content="Sartenes de hierro, ollas y cuchillos.">
			<h2>Ollas</h2><h2>Cuchillos</h2><h2>Cómo curar una sartén de hierro</h2>`,
			[]string{"sartén de hierro"},
		},
	} {
		got := site.Profile(site.Page{URL: "https://acme.test/", HTML: []byte(c.page)}, "acme.test").IndustryTerms
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
