package site_test

import (
	"fmt"
	"slices"
	"testing"

	"earshot/shared/proposal/site"
)

// The goods of a maker's own shop are its products, in articles as anywhere. Those of a shop that only sells are not.
func TestProfile_GoodsInArticles(t *testing.T) {
	const good = `<article><h3><a href="/%d-%s.html">%s</a></h3><p>28 cm</p><div>64,90&nbsp;€</div></article>`
	goods := fmt.Sprintf(good+good, 11, "sarten-brasa", "Sartén Brasa", 12, "cazuela-lumbre", "Cazuela Lumbre")
	for _, c := range []struct {
		description string
		want        []string
	}{
		{"Fabricantes de menaje de cocina desde 1958.", []string{"Sartén Brasa", "Cazuela Lumbre"}},
		{"Menaje de cocina de las mejores marcas.", []string{}},
	} {
		page := `<html lang="es"><title>Acme</title><meta name="description" content="` + c.description + `">
			<a href="/cesta">Cesta</a><h2>Destacados</h2>` + goods + `
			<article><h3><a href="/noticias/feria-mayo">Feria Mayo</a></h3><p>Nos vemos en mayo.</p></article>`
		got := site.Profile(site.Page{URL: "https://acme.test/", HTML: []byte(page)}, "acme.test").Products
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.description, got, c.want)
		}
	}
}

// Names of products that have no page, or whose headings go on with what the product is.
func TestProfile_NamesWithoutPages(t *testing.T) {
	cards := func(names ...string) (body string) {
		for _, name := range names {
			body += "<h3>" + name + "</h3><p>Para quien lo necesita todos los días.</p>"
		}
		return "<h2>Lo que hacemos</h2>" + body
	}
	good := func(slug, name string) string {
		return `<div><h3><a href="/products/` + slug + `">` + name + `</a></h3><span>£120.00</span></div>`
	}
	for name, c := range map[string]struct {
		language, body string
		want           []string
	}{
		"headings that begin alike": {"nl", cards("FernVast", "FernSnel"), []string{"FernVast", "FernSnel"}},
		"steps":                     {"nl", cards("Rekenen", "Rijden"), nil},
		"others' names":             {"en", cards("GitHub", "HubSpot"), nil},
		"capitals among small words": {"es", cards("Quietfern Tándem", "Mesa Club"),
			[]string{"Mesa Club", "Quietfern Tándem"}},
		"capitals inside beside the company's": {"de", cards("FristenWächter", "BelegKorb", "Quietfern Honorar"),
			[]string{"Quietfern Honorar", "FristenWächter", "BelegKorb"}},
		"half of them": {"en", cards("Quietfern Relay", "Quietfern Desk", "One source of truth", "Mosskit"),
			[]string{"Mosskit", "Quietfern Relay", "Quietfern Desk"}},
		"one that a link has": {"en", `<a href="/changelog/2">New: Quietfern Relay 2.0</a>` +
			cards("Quietfern Relay", "Slow lanes", "Flag sweeps"), []string{"Quietfern Relay"}},
		"one alone": {"en", cards("Quietfern Difference", "Slow lanes", "Flag sweeps"), nil},
		"partners": {"en", "<h2>Works with what you use</h2><h3>Quietfern Relay</h3><p>Pays at once, each day.</p>" +
			"<h3>HubSpot</h3><p>Contacts in, contacts out, each day.</p><h3>GitHub</h3><p>Issues in, each day.</p>", nil},
		"rivals in a table": {"en", "<h2>Benchmarks</h2><table><tr><th>Database</th><th>Rows</th></tr>" +
			"<tr><td>Quietfern DB</td><td>2 M</td></tr><tr><td>GlobexDB</td><td>1 M</td></tr></table>", nil},
		"a heading among them": {"es", cards("Quietfern Tándem", "Mesa Club", "Clases en grupo"), nil},
		"English headings":     {"en", cards("Quietfern Relay", "Better Days"), nil},
		"what the thing is": {"en", `<a href="/cart">Cart</a>` + good("ridge-42", "Ridge 42 Backpack") +
			good("moth-2p", "Moth 2P Trekking Pole Tent") + good("gift-card", "Gift Card"), []string{"Ridge 42", "Moth 2P"}},
		"our own": {"en", "<p>Get straighter teeth in six months with FrondAlign, our own in-house aligner.</p>" +
			"<p>Threadline, our linking engine, finds related ideas and draws lines between them.</p>",
			[]string{"FrondAlign", "Threadline"}},
		"our people": {"en", "<p>Today, our team finds what others have lost, and keeps it for you.</p>" +
			"<p>We pay with Globex, our payment partner, so that you get your money at once.</p>", nil},
	} {
		if got := profiled(c.language, "<title>Quietfern</title>", c.body).Products; !slices.Equal(got, c.want) &&
			len(got)+len(c.want) > 0 {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Whom a heading says that readers leave, and the other rows of a table that has the company's thing.
func TestProfile_RivalsThatAreLeft(t *testing.T) {
	rows := "<table><tr><th>Database</th><th>Rows a second</th></tr><tr><td>QuietfernDB 3</td><td>2 M</td></tr>" +
		"<tr><td>GlobexDB</td><td>1 M</td></tr><tr><td>Initech</td><td>900 k</td></tr></table>"
	for body, want := range map[string][]string{
		"<h2>Leaving Globex, Initech or Hooli?</h2>": {"Globex", "Initech", "Hooli"},
		"<h2>Sie kommen von Globex?</h2>":            {"Globex"},
		"<h2>Leaving no one behind</h2>":             nil,
		"<p>Viele Kanzleien kommen von Globex, Initech oder Hooli zu uns, weil sie weniger zahlen wollen.</p>": {
			"Globex", "Initech", "Hooli"},
		"<p>Die Zutaten kommen von Bauern aus der Region, und wir holen sie jeden Morgen selbst ab.</p>": nil,
		"<p>Reprise de l’historique offerte depuis Globex et Initech. Comptez une heure, café compris.</p>": {
			"Globex", "Initech"},
		"<p>Most of the teams that we know have switched from Globex or Initech in one afternoon.</p>": {
			"Globex", "Initech"},
		"<p>Our people came from Lisbon and Porto, and moved from there to the north in spring.</p>": nil,
		"<h2>Coming from afar?</h2>":        nil,
		"<h2>Honest benchmarks</h2>" + rows: {"GlobexDB", "Initech"},
		"<h2>Sizes</h2>" + rows:             nil,
	} {
		page := `<html lang="en"><title>Quietfern</title><body>` + body + `<p>Quietfern is a database.</p></body></html>`
		got := site.Profile(site.Page{URL: "https://quietfern.net/", HTML: []byte(page)}, "quietfern.net").Competitors
		if !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}
