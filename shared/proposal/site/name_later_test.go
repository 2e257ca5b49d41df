package site_test

import (
	"slices"
	"testing"

	"earshot/shared/proposal/site"
)

// The company is called as its page calls it, also where the domain is longer or shorter, or a template names another.
func TestProfile_PagesOwnName(t *testing.T) {
	plugin := `<script type="application/ld+json">{"@type":"Organization","name":"Plugin Default"}</script>`
	for what, c := range map[string]struct{ domain, html, want string }{
		"a longer domain": {
			"emberfall-game.com", titled("EMBERFALL – Official Site", `<h1>EMBERFALL</h1>
			<p>Emberfall is a game of survival for four friends who carry the last ember.</p>`), "Emberfall",
		},
		"a shorter domain": {
			"uni-falkenau.de", titled("Universität Falkenau: Startseite", `<h1>Universität Falkenau</h1>`),
			"Universität Falkenau",
		},
		"an ampersand": {
			"fix-und-fertig.de", titled("Fix & Fertig – Umzüge", `<h1>Fix & Fertig umgezogen</h1>`), "Fix & Fertig",
		},
		"two letters behind the first word": {
			"emberfalltx.com", titled("Emberfall Therapeutics", `<h1>Warm again</h1>
			<p>Emberfall develops medicines for people who are cold at all times.</p><p>© 2026 Emberfall Therapeutics.</p>`),
			"Emberfall Therapeutics",
		},
		"two colons": {"emberfall.com", titled("Emberfall :: Home", ""), "Emberfall"},
		"words that link": {
			"universidadbrena.es", titled("Universidad de Breña | Inicio", `<meta property="og:site_name" content="UBreña">
			<h1>Universidad de Breña</h1>`), "Universidad de Breña",
		},
		"a template's default": {
			"mintwell.co", titled("Best snacks", plugin+`<p>Mintwell brings a box of snacks to offices on Mondays.</p>
			<p>Two nutritionists founded Mintwell in a garage in Leeds in 2014.</p>`), "Mintwell",
		},
		"another name": {
			"mintwell.co", titled("Plugin Default", plugin+`<p>Mintwell is what Plugin Default calls its shop for snacks.</p>
			<p>Plugin Default has sold snacks by its shop Mintwell since 2014.</p>`), "Plugin Default",
		},
		"a name and its trade": {
			"mossfernkitchens.com", titled("Mossfern: kitchens made to measure", `<h1>Kitchens that last</h1>`), "Mossfern",
		},
		"a name of two words and its trade": {
			"latemossmeals.com", titled("Late Moss | meals for busy people", `<h1>Meals at your door</h1>`), "Late Moss",
		},
		"a page that signs as its domain": {
			"berlinkaffee.de", titled("Berlin | Kaffee aus eigener Röstung", `<p>© 2026 Berlinkaffee GmbH</p>`), "Berlinkaffee",
		},
		"a page that says its whole domain": {
			"mossfernkitchens.com", titled("Mossfern | Kitchens that last", `<p>Mossfern Kitchens has built kitchens by hand
			for forty years.</p><p>Come and see what Mossfern Kitchens can build for you.</p>`), "Mossfern Kitchens",
		},
		"a domain of other letters": {
			"mf-leeds.com", titled("Fern walls | Mossfern", `<header><img src="l.png" alt="Mossfern logo"></header>
			<p>© 2026 Mossfern</p>`), "Mossfern",
		},
		"a domain of other letters and one line": {
			"mf-leeds.com", titled("Fern walls | Mossfern", `<p>© 2026 Mossfern</p>`), "Mf Leeds",
		},
		"a page of every site": {
			"homekitchens.com", titled("Home | Kitchens made to measure", `<h1>Kitchens</h1>`), "Homekitchens",
		},
		"a word that the page repeats": {
			"mf-leeds.com", titled("Kitchens | Made to measure", `<h1>Kitchens</h1><p>© 2026 Kitchens</p>
			<p>We build kitchens that last longer than we do ourselves.</p>`), "Mf Leeds",
		},
		"a field": {
			"harbor-payroll.com", titled("Payroll | For restaurants", `<h1>Payroll</h1>`), "Harbor Payroll",
		},
	} {
		p := site.Profile(site.Page{URL: "https://" + c.domain + "/", HTML: []byte(c.html)}, c.domain)
		if p.Company != c.want {
			t.Errorf("%s: company %q, want %q", what, p.Company, c.want)
		}
		if c.want == "Mintwell" && len(p.OtherNames) > 0 {
			t.Errorf("%s: other names %q, want none", what, p.OtherNames)
		}
	}
}

// What a domain shortens is called so as well.
func TestProfile_ShortNameToo(t *testing.T) {
	html := titled("Universität Falkenau: Startseite", `<h1>Universität Falkenau</h1>`)
	p := site.Profile(site.Page{URL: "https://uni-falkenau.de/", HTML: []byte(html)}, "uni-falkenau.de")
	if want := []string{"Uni Falkenau"}; !slices.Equal(p.OtherNames, want) {
		t.Errorf("other names = %q, want %q", p.OtherNames, want)
	}
}

// What a page signs with is said too where its title says less.
func TestProfile_LongNameToo(t *testing.T) {
	html := titled("Mossfern: kitchens made to measure", `<p>© 2026 Mossfern Kitchens</p>`)
	p := site.Profile(site.Page{URL: "https://mossfernkitchens.com/", HTML: []byte(html)}, "mossfernkitchens.com")
	if want := []string{"Mossfern Kitchens"}; p.Company != "Mossfern" || !slices.Equal(p.OtherNames, want) {
		t.Errorf("company %q, other names %q, want %q", p.Company, p.OtherNames, want)
	}
}

// Words that have the company's name in the plural are a field all the same.
func TestProfile_NameInField(t *testing.T) {
	html := titled("Mossfern: wall mossferns for kitchens", `<h1>Wall mossferns for kitchens</h1>`)
	p := site.Profile(site.Page{URL: "https://mossfern.com/", HTML: []byte(html)}, "mossfern.com")
	if want := []string{"wall mossferns"}; !slices.Equal(p.IndustryTerms, want) {
		t.Errorf("terms = %q, want %q", p.IndustryTerms, want)
	}
}
