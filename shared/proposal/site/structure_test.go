package site_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func anchor(href, text string) string { return `<a href="` + href + `">` + text + `</a>` }

// numberedLinks are links whose addresses and texts end with letters.
func numberedLinks(n int, href, text string) (all string) {
	for i := range n {
		all += anchor(fmt.Sprintf(href, 'a'+i), fmt.Sprintf(text, 'A'+i))
	}
	return all
}

func TestProducts_Structure(t *testing.T) {
	menu := func(label string, links ...string) string {
		return "<nav><ul><li><button>" + label + "</button><ul><li>" + strings.Join(links, "</li><li>") +
			"</li></ul></li><li>" +
			anchor("/pricing", "Pricing") + "</li></ul></nav>"
	}
	for what, c := range map[string]struct {
		html string
		want []string
	}{
		"a menu": {menu("Products", anchor("/relay", "Relay"), anchor("/timeline", "Timeline")),
			[]string{"Relay", "Timeline"}},
		"a menu of a link": {`<nav><ul><li><a href="/products">Products</a><ul><li>` + anchor("/relay", "Relay") +
			`</li></ul></li></ul></nav>`, []string{"Relay"}},
		"a menu with texts": {menu("Platform", anchor("/relay", "<div>Relay</div><div>Pages the right person</div>")),
			[]string{"Relay"}},
		"a menu in Spanish": {`<html lang=es>` +
			menu("Productos", anchor("/faro", "Faro"), anchor("/precios", "Precios")), []string{"Faro"}},
		"a menu of solutions":   {menu("Solutions", anchor("/retail", "Retail")), nil},
		"a menu of the company": {menu("Company", anchor("/ethos", "Ethos"), anchor("/xlab", "XLab")), nil},
		"the menu's end": {menu("Products", anchor("/relay", "Relay")) + "<nav>" + anchor("/lanterns", "Lanterns") +
			"</nav>", []string{"Relay"}},
		"a flat menu": {"<nav>" + anchor("/viphone/", "ViPhone") + anchor("/support/", "Support") +
			anchor("/culture/", "Culture") + "</nav><h2>The new ViPhone is here</h2>", []string{"ViPhone"}},
		"a card": {"<div><h3>MileageWings</h3><p>Earn miles.</p>" + anchor("/mileagewings", "Learn more") +
			"</div>", []string{"MileageWings"}},
		"a card of brands": {"<h2>Our brands</h2><div><h3>Good Bowl</h3>" + anchor("/good-bowl", "More") + "</div>",
			[]string{"Good Bowl"}},
		"a card of news":     {"<div><h3>MileageWings</h3>" + anchor("/news/mileagewings", "Learn more") + "</div>", nil},
		"a trade mark":       {"<h2>Powered by Deep Light™ and more</h2><p>With Halberd® you can see what there is to see, always.</p>", []string{"Deep Light", "Halberd"}},
		"the company's mark": {"<h1>Acme® is here</h1>", nil},
		"a host of its own": {`<footer><h4>Products</h4>` + anchor("https://relay.acme.com", "Relay") +
			anchor("https://docs.acme.com", "Docs") + "</footer>", []string{"Relay"}},
		"the field's own words": {"<nav>" + anchor("/fintech", "Fintech") + anchor("/healthcare", "Healthcare") +
			"</nav><footer>" + anchor("/fintech", "Fintech") +
			"</footer><p>We write programs for fintech and for healthcare, and for Fintech founders too.</p>", nil},
		"a shop": {anchor("/cart", "Cart (0)") +
			menu("Brands", anchor("/brands/globex", "Globex"), anchor("/tents", "Tents")), nil},
		"a shop by its prices": {menu("Products", anchor("/tents", "Tents")) + strings.Repeat("<div>€ 20</div>", 10), nil},
		"a shop's own": {anchor("/cart", "Cart (0)") + "<div><h3>Borea</h3>" + anchor("/products/borea", "Buy") +
			"</div>", []string{"Borea"}},
		"many brands": {numberedLinks(13, "/brands/globex%c", "Globex%c"), nil},
		"authors and users": {"<nav>" + anchor("/contributors/jane-roe", "Jane Roe") +
			anchor("/users/janeroe", "JaneRoe") +
			"</nav><h2>Jane Roe</h2><p>This was written by Jane Roe for us and our readers.</p>", nil},
		"places": {"<nav>" + anchor("/mumbai", "Mumbai") +
			"</nav><h2>Mumbai</h2><p>See the cars that people sell in Mumbai today, and their prices.</p><footer>" +
			anchor("/mumbai", "Mumbai") + "</footer>", nil},
		"another maker's things": {"<nav>" + anchor("/hondux-i10", "Hondux i10") +
			anchor("/hondux-i20", "Hondux i20") +
			"</nav><p>We sell the Hondux i10 and the Hondux i20 to people near you.</p>", nil},
		"dates":            {menu("Products", anchor("/awards-2015", "Lantern Awards 2015")), nil},
		"shouting":         {menu("Products", anchor("/tents", "BIG TENTS")), nil},
		"related products": {anchor("/related-products/pump", "Pump") + anchor("/related-products/hose", "Hose"), nil},
		"sub-organizations": {ld(
			`{"@type":"Organization","name":"Acme","subOrganization":{"@type":"Organization","name":"Halberd"}}`),
			[]string{"Halberd"}},
		"another's mark": {"<p>Acme Pager runs on Globex™, Android™ and iOS®.</p>", nil},
		"integrations": {menu("Integrations", anchor("/integrations/quickledger", "QuickLedger")) +
			anchor("/integrations/netbooks", "NetBooks™"), nil},
		"customers": {menu("Customers", anchor("/customers/orchardlabs", "OrchardLabs")), nil},
		"German nouns": {`<html lang=de><nav>` + anchor("/lohn", "Lohn") + anchor("/zeiterfassung", "Zeiterfassung") +
			anchor("/ueber-uns", "Über uns") + anchor("/karriere", "Karriere") +
			`</nav><p>Unsere Zeiterfassung ist einfach, und die Abrechnung der Löhne auch.</p><h2>Zeiterfassung</h2>`, nil},
		"a German menu": {`<html lang=de>` +
			menu("Produkte", anchor("/stempeluhr", "Stempeluhr"), anchor("/preise", "Preise")), []string{"Stempeluhr"}},
		"a newspaper": {"<nav>" + anchor("/politics", "Politics") + anchor("/world", "World") +
			anchor("/obituaries", "Obituaries") + "</nav><h2>Politics</h2>" + anchor("/politics", "Politics"), nil},
		"generic words": {menu("Products", anchor("/pricing", "Pricing"), anchor("/tarifs", "Tarifs"),
			anchor("/preise", "Preise"), anchor("/precios", "Precios"), anchor("/prezzi", "Prezzi"),
			anchor("/prijzen", "Prijzen"), anchor("/cennik", "Cennik"), anchor("/priser", "Priser"), anchor("/preços", "Preços"),
			anchor("/料金", "料金"), anchor("/overview", "Overview"),
			anchor("/all", "All products")), nil},
		"JSON-LD": {ld(`{"@type":"Organization","name":"Acme","brand":[{"@type":"Brand","name":"Halberd"}]}`),
			[]string{"Halberd"}},
		"an app store": {ld(`{"@type":"MobileApplication","name":"Acme - Feature Flags"}`) +
			"<h2>More by this developer</h2><div><h3>Windwick</h3></div><h2>You might also like</h2><div><h3>Globex</h3></div>",
			[]string{"Windwick"}},
	} {
		html := c.html
		if !strings.Contains(html, "lang=") {
			html = "<html lang=en>" + html
		}
		if got := profile(t, "acme.com", html).Products; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

func TestCompetitors_Languages(t *testing.T) {
	for html, want := range map[string][]string{
		anchor("/x", "Alternative zu Globex") +
			anchor("/vergleich/initech", "Mehr"): {"Globex", "Initech"},
		anchor("/x", "La meilleure alternative à Globex"): {
			"Globex"},
		anchor("/x", "Alternativa a Globex") +
			anchor("/y", "Migrar desde Initech"): {"Globex", "Initech"},
		anchor("/x", "Alternatief voor Globex"): {
			"Globex"},
		anchor("/x", "Globexの代替"): {
			"Globex"},
		"<footer><h4>Compare</h4><ul><li>" + anchor("/gx", "Underwriting") + "</li></ul></footer>": nil,
		"<h2>Acme vs #Versus</h2>": nil,
		ld(`{"@type":"MobileApplication","name":"Acme"}`) +
			"<h2>You Might Also Like</h2><div><h3>Globex</h3></div>": {"Globex"},
		"<nav><p>Compare</p><ul><li>" + anchor("/loans", "Personal Loans") + "</li></ul></nav>": nil,
		"<h2>You Might Also Like</h2><div><h3>Red Shoes</h3></div>":                             nil,
	} {
		if got := profile(t, "acme.com", html).Competitors; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", html, got, want)
		}
	}
}

func TestAudience(t *testing.T) {
	for html, want := range map[string]string{
		"<title>Acme | Flaggen für kleine Betriebe</title>":                                                    "kleine Betriebe",
		"<title>Acme | Des drapeaux pour les équipes</title>":                                                  "équipes",
		"<title>Acme | Banderas para pequeñas empresas</title>":                                                "pequeñas empresas",
		"<title>Acme｜小さなチームのための旗</title>":                                                                      "小さなチーム",
		"<title>Acme | Made for surfers and anglers</title>":                                                   "surfers and anglers",
		"<title>Acme | Made for walking</title>":                                                               "",
		"<title>Acme | For the world's largest companies</title>":                                              "",
		"<html lang=en><title>Acme | For designer jeans</title>":                                               "",
		"<html lang=en><title>Acme | Flags for the company</title>":                                            "",
		anchor("/cart", "Cart") + "<nav><div><p>Industries</p>" + anchor("/retail", "Retail") + "</div></nav>": "",
		"<title>Acme | Flags for the modern web</title>":                                                       "",
		"<nav><div><p>Industries</p><ul><li>" + anchor("/retail", "Retail") + "</li><li>" +
			anchor("/health", "For Healthcare") + "</li></ul></div></nav>": "Retail, Healthcare",
		"<footer>" + anchor("/solutions/startups", "Solutions for Startups") + anchor("/use-cases/ci", "CI") +
			"</footer>": "Startups",
		"<nav><div><p>Use cases</p>" + anchor("/solutions/ci", "CI") +
			"</div></nav>": "",
	} {
		if got := profile(t, "acme.com", html).Audience; got != want {
			t.Errorf("%s: %q, want %q", html, got, want)
		}
	}
}

// Where function words of a page's language are not known, phrases of it are not either.
func TestIndustry_UnknownLanguage(t *testing.T) {
	page := `<html lang=hu><title>Acme</title><meta name=description content="hasonlítsd össze az árakat"><h2>hasonlítsd össze az árakat itt</h2>`
	if got := profile(t, "acme.com", page).IndustryTerms; len(got) > 0 {
		t.Errorf("terms = %q, want none", got)
	}
}

// A slogan is no field, however often a page repeats it.
func TestIndustry_Slogan(t *testing.T) {
	for html, want := range map[string][]string{
		`<title>Acme | Close on time</title><meta property="og:title" content="Close on time"><h1>Close on time</h1>`:                               nil,
		`<title>Acme | Better mornings</title><h1>Better mornings</h1><h2>Better mornings</h2>`:                                                     nil,
		`<title>Acme | Great coffee for everyone</title><h1>Great coffee for everyone</h1>`:                                                         nil,
		`<title>Acme</title><meta name=description content="Acme sells feature flags and remote config."><h2>Why feature flags</h2>`:                {"feature flags"},
		`<title>Acme: feature flags, done well</title><p>With Acme, feature flags are set by the people who need them most, in seconds.</p>`:        {"feature flags"},
		`<html lang=de><title>Lohnabrechnung leicht | Acme</title><meta name=description content="Acme erledigt die Lohnabrechnung für Betriebe.">`: {"Lohnabrechnung"},
	} {
		if got := profile(t, "acme.com", html).IndustryTerms; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", html, got, want)
		}
	}
}
