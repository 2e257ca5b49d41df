package site_test

import (
	"slices"
	"testing"

	"earshot/shared/proposal/site"
)

func TestProfile_NumberOfTerms(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		want []string
	}{
		"what the page says most": {
			`<html lang="en"><title>Acme – feature flags that clean up after themselves</title>
			<meta name="description" content="Acme is a self-hosted feature flag service for small engineering teams.">
			<h1>Feature flags that clean up after themselves</h1>`,
			[]string{"feature flags"},
		},
		"a keyword": {
			`<html lang="en"><title>Acme – viscometers</title><meta name="keywords" content="rotational viscometer">
			<h2>Rotational viscometers</h2><p>Our rotational viscometers are in daily use in many laboratories.</p>`,
			[]string{"rotational viscometer"},
		},
		"the singular of as many": {
			`<html lang="fr"><title>Acme</title>
			<meta name="description" content="Acme fabrique des savons : huiles démaquillantes, crèmes hydratantes et savons surgras.">
			<p>Une huile démaquillante le soir, une crème hydratante le matin, un savon surgras pour le corps.</p>`,
			[]string{"huile démaquillante", "crème hydratante", "savon surgras"},
		},
		"an accent that the ending takes": {
			`<html lang="es"><title>Acme</title>
			<meta name="description" content="Fabricantes desde 1958: sartenes de hierro, cuchillos de cocina y ollas de acero para restaurantes.">
			<h2>Cómo curar una sartén de hierro</h2><p>Un cuchillo de cocina se afila dos veces al año, y una olla de acero nunca.</p>`,
			[]string{"sartén de hierro", "cuchillo de cocina", "olla de acero"},
		},
	} {
		got := site.Profile(site.Page{URL: "https://acme.test/", HTML: []byte(c.page)}, "acme.test").IndustryTerms
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
