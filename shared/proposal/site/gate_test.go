package site_test

import (
	"testing"

	"earshot/shared/proposal/site"
)

// places are links to a site's countries, or to its languages.
const places = `<a href="/de-de/">Deutschland</a><a href="/en-gb/">United Kingdom</a><a href="/fr-fr/">France</a>`

func TestRead_Gates(t *testing.T) {
	for html, want := range map[string]string{
		titled("Quietfern", `<h1>Are you over 18?</h1><button>Yes</button><button>No</button>`):             "age_gate",
		titled("Quietfern", `<p>You must be of legal drinking age in your country to enter this site.</p>`): "age_gate",
		titled("Quietfern", `<h2>Sind Sie über 18 Jahre alt?</h2><a href="/start">Ja</a>`):                  "age_gate",
		titled("Quietfern", `<h2>Avez-vous plus de 18 ans ?</h2>`):                                          "age_gate",
		titled("Quietfern", `<h2>¿Eres mayor de edad?</h2>`):                                                "age_gate",
		titled("Quietfern", `<h2>Sei maggiorenne?</h2>`):                                                    "age_gate",
		titled("Quietfern", `<h2>Você tem mais de 18 anos?</h2>`):                                           "age_gate",
		titled("Quietfern", `<h2>Ben je 18 jaar of ouder?</h2>`):                                            "age_gate",
		titled("Quietfern", `<h2>Czy masz ukończone 18 lat?</h2>`):                                          "age_gate",
		titled("Quietfern", `<h2>20歳以上ですか？</h2>`):                                                           "age_gate",
		titled("Quietfern", `<h1>Welcome</h1>`+places):                                                      "chooser",
		titled("Quietfern", `<a href="https://de.quietfern.net/">Deutsch</a><a href="https://fr.quietfern.net/">Français</a><a href="https://quietfern.it">Italiano</a>`): "chooser",
		titled("Quietfern", `<p>Kies uw taal / Choisissez votre langue</p><a href="/nl">NL</a><a href="/fr">FR</a>`):                                                      "chooser",
		titled("Quietfern", `<h1>Select your country</h1><form><select><option>Peru</option></select></form>`):                                                            "chooser",
		titled("Quietfern - Einwilligung",
			`<p>Wir nutzen Tracking.</p><button>Akzeptieren</button>`): "consent_wall",
		titled("Quietfern", `<h1>Mit Werbung weiterlesen</h1><a href="/pur">Zum Abo</a>`): "consent_wall",
		titled("Before you continue to Quietfern",
			`<button>Accept all</button>`): "consent_wall",
		`<html><head><title>Quietfern</title></head><frameset cols="20,*"><frame src="menu.html"><frame src="a.html"></frameset></html>`: "frames_only",
		titled("Quietfern", `<iframe src="https://builder.example/quietfern"></iframe>`):                                                 "frames_only",
		`<html><head><title>Redirecting</title><meta http-equiv="refresh" content="0; url=/home/"></head></html>`:                        "empty_page",

		titled("Quietfern Brewery",
			`<h1>Beer from the moor</h1>`+filler(1, 2)+`<p>You must be 18 or over to buy.</p>`): "",
		titled("Quietfern", `<h1>Fern care</h1>`+filler(2, 2)+
			places): "",
		titled("Quietfern", `<h1>Fern care</h1><p>We care for ferns.</p>`+places+anchor("/ferns", "Ferns")+
			anchor("/prices", "Prices list")): "",
		titled("Quietfern", `<h2>We value your privacy</h2><p>We use cookies.</p><h1>Fern care</h1>`+
			filler(1, 2)): "",
		titled("Quietfern", `<h1>Age verification for shops</h1>`+
			filler(6, 12)): "",
		titled("Quietfern", `<h1>Fern care</h1>`+filler(1, 2)+
			`<iframe src="https://maps.example/"></iframe>`): "",
	} {
		page := site.Page{URL: "https://quietfern.net/", HTML: []byte(html)}
		if got := judged(t, page, "quietfern.net"); got != want {
			t.Errorf("Read(%s) = %q, want %q", html, got, want)
		}
	}
}

// Small pages of companies have words of gates below or above their own text.
func TestRead_NoGate(t *testing.T) {
	menu := `<nav>` + anchor("/rings", "Rings") + anchor("/necklaces", "Necklaces") + anchor("/bracelets", "Bracelets") +
		`</nav>`
	wines := `<h1>Wines from the moor</h1><p>Our family makes red wine and port on steep terraces. Visit the cellar, or order a case.</p>`
	rings := `<h1>Silver rings</h1><p>We make silver rings by hand and ship them to all countries.</p>`
	for _, html := range []string{
		titled("Quietfern Winery", wines+`<footer>You must be 18 or over to visit our shop.</footer>`),
		titled("Quietfern Winery", wines+`<p>Visitors must be at least 18 years old to access the tasting room.</p>`),
		titled("Weingut Quietfern",
			`<h1>Weine vom Moor</h1><p>Riesling aus steilen Lagen von unserer Familie. Besuchen Sie unsere Vinothek `+
				`am Ufer der Mosel.</p><p>Altersnachweis bei Lieferung.</p>`),
		titled("Quietfern Garages", `<h1>Garages</h1><p>Cars must be less than two metres high to enter the garage.</p>`),
		titled("Quietfern", menu+`<h1>Age verification for online shops</h1><p>Our API checks ages.</p>`),
		titled("Quietfern", menu+`<h1>Rings</h1><h2>Choose your location</h2><p>Five shops in Leeds.</p>`),
		titled("Quietfern", `<h1>Choose your market data plan</h1><p>Quotes from forty exchanges.</p>`),
		titled("Quietfern", `<h1>Select a language and translate</h1><p>Documents in seconds.</p>`),
		titled("Quietfern | Cookie consent", menu+`<h1>Consent for your shop</h1><p>One line of code.</p>`),
		titled("Cookies | Quietfern bakery", menu+`<h1>Cookies</h1><p>We bake them in Bath.</p>`),
		titled("Quietfern", `<h1>We value your privacy</h1><p>We use cookies.</p>`+menu+rings),
		titled("Quietfern", menu+rings+
			`<footer><h3>Select your country</h3><a href="/de">DE</a><a href="/fr">FR</a></footer>`),
		titled("Quietfern", `<h1>Industrial pumps</h1><p>We build pumps for mines and mills.</p>`+places+
			anchor("/contact", "Contact")),
		titled("Quietfern", `<h1>Drone films</h1><p>We film your house from above.</p><iframe src="https://player.example/1"></iframe>`),
		`<html><head><title>Quietfern</title><meta http-equiv="refresh" content="300; url=/"></head><h1>Live prices</h1><p>Gold, silver and tin.</p>`,
	} {
		page := site.Page{URL: "https://quietfern.net/", HTML: []byte(html)}
		if got := judged(t, page, "quietfern.net"); got != "" {
			t.Errorf("Read(%s) = %q, want no notice", html, got)
		}
	}
}

// A gate that lies over a whole page leaves the page's own texts.
func TestProfile_GateOverPage(t *testing.T) {
	p := site.Profile(site.Page{URL: "https://quietfern.net/", HTML: []byte(titled("Quietfern | Peat whisky",
		`<div class="gate"><h1>Are you of legal drinking age?</h1><p>You must be of legal drinking age in your country to `+
			`enter this site, and so must everybody with you.</p></div><h2>Our peat whisky</h2>`+filler(6, 12)))},
		"quietfern.net")
	for _, term := range p.IndustryTerms {
		if term == "legal drinking age" || term == "drinking age" {
			t.Errorf("IndustryTerms = %q, want none of the gate", p.IndustryTerms)
		}
	}
}

func TestRefresh(t *testing.T) {
	for declared, want := range map[string]string{
		"0; url=/en/":               "/en/",
		"0;URL='/en/'":              "/en/",
		" 5 ; url = /en/?a=b ":      "/en/?a=b",
		"0, url=/en/":               "/en/",
		"0;/en/":                    "/en/",
		"0; /en/?url=a":             "/en/?url=a",
		"0; url=javascript:alert()": "javascript:alert()", // the caller follows addresses of web pages alone
		"0":                         "",
		"0;":                        "",
		"0; url=":                   "",
		"url=/en/":                  "",
		"11; url=/en/":              "",
		"1e400; url=/en/":           "",
		"nan; url=/en/":             "",
		"-1; url=/en/":              "",
	} {
		page := site.Page{HTML: []byte(`<meta http-equiv="refresh" content="` + declared + `">`)}
		if got := site.Refresh(page); got != want {
			t.Errorf("Refresh(%q) = %q, want %q", declared, got, want)
		}
	}
}
