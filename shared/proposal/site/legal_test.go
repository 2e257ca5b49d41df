package site_test

import (
	"slices"
	"testing"

	"earshot/shared/proposal/site"
)

func TestProfile_LegalName(t *testing.T) {
	for name, c := range map[string]struct {
		domain, page, company string
		others                []string
	}{
		"begins alike": {
			"tarndb.dev", `<title>TarnDB</title><p>TarnDB is a database.</p><p>© 2026 Tarn Data, Inc.</p>`,
			"TarnDB", []string{"Tarn Data"},
		},
		"found by the name": {
			"tarndb.dev", `<title>TarnDB</title><p>TarnDB is a database.</p><p>© 2026 TarnDB Labs, Inc.</p>`,
			"TarnDB", []string{},
		},
		"with its trade": {
			"cortevola.it", `<html lang="it"><title>Cortevola</title><p>Il nostro frantoio di famiglia lavora le olive di ogni giorno in poche ore.</p>
			<p>© 2026 Frantoio Cortevola Società Agricola</p>`,
			"Cortevola", []string{"Frantoio Cortevola"},
		},
		"with its trade, of a cooperative": {
			"parlavela.es", `<html lang="es"><title>Parlavela</title><p>Somos una escuela de idiomas para adultos que todavía no se atreven.</p>
			<p>© 2026 Parlavela Idiomas, S. Coop. Valladolid.</p>`,
			"Parlavela", []string{"Parlavela Idiomas"},
		},
		"with a word that the page does not say": {
			"cortevola.it", `<html lang="it"><title>Cortevola</title><p>Il nostro olio viene dalle olive che raccogliamo a mano ogni anno.</p>
			<p>© 2026 Partecipazioni Cortevola S.r.l.</p>`,
			"Cortevola", []string{},
		},
		"another's": {
			"tarndb.dev", `<title>TarnDB</title><p>TarnDB is a database.</p><p>© 2026 Mothlight Labs, Inc.</p>`,
			"TarnDB", []string{},
		},
		"one word in common": {
			"hornoverasol.es", `<html lang="es"><title>Horno Verasol</title><p>© 2026 Panificadora Verasol S.L.</p>`,
			"Horno Verasol", []string{"Verasol"},
		},
		"an ordinary word in common": {
			"quenthorinsurance.com", `<html lang="en"><title>Quenthor Insurance</title><p>We sell insurance for students and their parents.
			<p>© 2026 Pineharrow Insurance, Inc.</p>`,
			"Quenthor Insurance", []string{},
		},
		"an address": {
			"drovanta.de", `<html lang="de"><title>DROVANTA</title><p>Unter der Marke DROVANTA baut die Maschinenfabrik Oberwimmel GmbH & Co. KG
			Pflüge.</p><p>Maschinenfabrik Oberwimmel GmbH &amp; Co. KG<br>Werkstraße 1, 00000 Oberwimmel</p>`,
			"DROVANTA", []string{"Maschinenfabrik Oberwimmel"},
		},
		"customers": {
			"drovanta.de", `<html lang="de"><title>DROVANTA</title><p>Auch die Stadtwerke Oberwimmel GmbH pflügt seit Jahren mit uns.</p>
			<p>Stadtwerke Oberwimmel GmbH: ein Kunde seit 2004, der im Winter das Eis von den Straßen räumt und das im Sommer
			auch für uns alle gern tut.</p>`,
			"DROVANTA", []string{},
		},
		"signed in the title": {
			"bracken.co.uk", `<html lang="en"><title>Bracken Instruments Ltd. - Viscometers</title>
			<p>© 2005 Bracken Instruments Ltd., Unit 4. All rights reserved.</p>`,
			"Bracken Instruments", []string{"Bracken"},
		},
		"why": {
			"tarnhollowtrails.co.uk", `<html lang="en"><title>Tarnhollow Trails</title><h2>Why Tarnhollow?</h2>`,
			"Tarnhollow Trails", []string{"Tarnhollow"},
		},
		"why something else": {
			"tarnhollowtrails.co.uk",
			`<html lang="en"><title>Tarnhollow Trails</title><h2>Why Tarns?</h2><h2>Why Tarnhollow Trails?</h2>`,
			"Tarnhollow Trails", []string{},
		},
	} {
		got := site.Profile(site.Page{URL: "https://" + c.domain + "/", HTML: []byte(c.page)}, c.domain)
		if got.Company != c.company || !slices.Equal(got.OtherNames, c.others) {
			t.Errorf("%s: %q, others %q", name, got.Company, got.OtherNames)
		}
	}
}
