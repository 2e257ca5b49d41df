package site_test

import (
	"slices"
	"testing"

	"earshot/shared/proposal/site"
)

// profiled reads a page of quietfern.net that has a language, a head and a body.
func profiled(language, head, body string) (p struct {
	Company, Audience string
	Products, Terms   []string
}) {
	read := site.Profile(site.Page{
		URL:  "https://quietfern.net/",
		HTML: []byte(`<html lang="` + language + `"><head>` + head + `</head><body>` + body + `</body></html>`),
	}, "quietfern.net")
	p.Company, p.Audience, p.Products, p.Terms = read.Company, read.Audience, read.Products, read.IndustryTerms
	return p
}

func described(text string) string { return `<meta name="description" content="` + text + `">` }

func TestIndustry_Defined(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"en", "Quietfern is payroll software built for restaurants.", "payroll software"},
		{"en", "Quietfern is the modern workflow engine that never sleeps.", "workflow engine"},
		{"de", "Quietfern ist eine Agenturgruppe mit fünf Marken.", "Agenturgruppe"},
		{"en", "We are a small mail-order law firm in Leeds.", "mail-order law firm"},
		{"es", "Somos una asociación de huertos urbanos.", "huertos urbanos"},
		{"fr", "Quietfern est un cabinet de conseil indépendant.", "cabinet de conseil indépendant"},
		{"ja", "Quietfernは中小企業向けの勤怠管理システムです。", "勤怠管理システム"},
		{"pl", "Quietfern to system księgowy dla sklepów.", "system księgowy"},
		{"en", "Shops use Quietfern to pay bills on time.", ""}, // "to" is "is" in Polish alone
		{"en", "Quietfern is a simple tool for everyone.", ""},
		{"en", "Quietfern is loved by thousands of gardeners.", ""},
		{"en", "Quietfern is a small studio in Porto.", ""},
	} {
		got := profiled(c.language, "<title>Quietfern | Payroll</title>"+described(c.text), "").Terms
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("IndustryTerms(%s) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestIndustry_NoField(t *testing.T) {
	for _, c := range []struct{ what, language, head, body, not string }{
		{"what the company does", "en", described("Quietfern moves plants between gardens."),
			"<p>Quietfern moves plants in its own vans, on time and in order, every day.</p>", "moves plants"},
		{"a place", "pt", described("Cozinha de mercado, em Campo de Ourique."),
			"<p>Servimos cozinha de mercado todos os dias, ao balcão, em Campo de Ourique.</p>", "Campo de Ourique"},
		{"the end of a field", "pt", described("Cozinha portuguesa de mercado."),
			"<p>Servimos cozinha portuguesa de mercado todos os dias, ao balcão da casa.</p>", "portuguesa de mercado"},
		{"what something is for", "en", described("A watering can for stone troughs."),
			"<p>It took us ten years to make a watering can for stone troughs.</p>", "stone troughs"},
		{"what a company is doing", "en", described("A nursery developing rain barrels."),
			"<p>We are developing rain barrels that last for all of ten years.</p>", "developing rain barrels"},
		{"how many work there", "en", described("A fern nursery of eleven people."),
			"<p>We are eleven people, and a dog that has never dug up a fern.</p>", "eleven people"},
		{"what is left out", "pl", described("Paprocie prosto z ogrodu, bez pośredników."),
			"<p>Kupujesz paprocie prosto z ogrodu, bez pośredników i bez czekania na kuriera.</p>", "bez pośredników"},
		{"a keyword that sells", "en", `<meta name="keywords" content="ferns, free trial, cheap ferns, 2026">`, "",
			"free trial"},
		{"a keyword of a year", "en", `<meta name="keywords" content="ferns, free trial, cheap ferns, 2026">`, "", "2026"},
	} {
		if got := profiled(c.language, c.head, c.body).Terms; slices.Contains(got, c.not) {
			t.Errorf("%s: IndustryTerms = %q, want no %q", c.what, got, c.not)
		}
	}
}

func TestIndustry_ShortName(t *testing.T) {
	head := `<title>Quietfern Nurseries</title><meta property="og:site_name" content="Quietfern Nurseries">` +
		described("Quietfern is a mail-order fern nursery.")
	if got := profiled("en", head, "").Terms; !slices.Contains(got, "mail-order fern nursery") {
		t.Errorf("IndustryTerms = %q, want mail-order fern nursery", got)
	}
}

// A text that begins with an article says what the company is, if another speaks of it.
func TestIndustry_Article(t *testing.T) {
	for text, want := range map[string][]string{
		"A small, shady moss nursery in the rain.": {"shady moss nursery"},
		"A small, shady green room in the rain.":   {},
	} {
		got := profiled("en", described(text),
			"<p>Our two nurseries send ferns by rail, and the nursery shop is open on Sundays.</p>").Terms
		if !slices.Equal(got, want) {
			t.Errorf("IndustryTerms(%s) = %q, want %q", text, got, want)
		}
	}
}

func TestAudience_Readers(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"en", "Quietfern builds cranes for shipyards and foundries.", "shipyards, foundries"},
		{"de", "Quietfern baut leichte E-Bikes für Pendler.", "Pendler"},
		{"es", "Quietfern ofrece seguros para familias y estudiantes.", "familias, estudiantes"},
		{"fr", "Quietfern assure les vélos pour les étudiants.", "étudiants"},
		{"en", "Quietfern sews pouches for designer jeans.", ""},
		{"en", "Quietfern cooks for children's hospitals.", "children's hospitals"},
		{"en", "Quietfern sews mattresses for firm support.", ""},
		{"pl", "Quietfern to system dla firm.", "firm"},
	} {
		if got := profiled(c.language, described(c.text), "").Audience; got != c.want {
			t.Errorf("Audience(%s) = %q, want %q", c.text, got, c.want)
		}
	}
	menu := `<header><nav><ul><li>Solutions<ul><li><a href="/solutions/security">For security teams</a></li>` +
		`<li><a href="/solutions/platform-engineering">For platform engineering</a></li></ul></li></ul></nav></header>`
	if got, want := profiled("en", "", menu).Audience, "security teams, platform engineering"; got != want {
		t.Errorf("Audience of a menu = %q, want %q", got, want)
	}
}

func TestProducts_Ampersand(t *testing.T) {
	cards := `<div><h2>Fern & Moss</h2><p>A pot for two.</p><a href="/products/fern-and-moss">More</a></div>`
	if got := profiled("en", "", cards).Products; !slices.Contains(got, "Fern & Moss") {
		t.Errorf("Products of a card = %q, want Fern & Moss", got)
	}
	menu := `<header><nav><ul><li>Products<ul><li><a href="/products/sofas-chairs">Sofas & Chairs</a></li></ul></li></ul></nav></header>`
	if got := profiled("en", "", menu).Products; len(got) > 0 {
		t.Errorf("Products of a menu of departments = %q, want none", got)
	}
}

func TestProducts_ClientsWork(t *testing.T) {
	for _, folder := range []string{"work", "projects", "case-studies"} {
		work := `<a href="/` + folder + `/greenmile"><h3>GreenMile</h3><p>App design</p></a>`
		if got := profiled("en", "", "<h2>Selected work</h2>"+work).Products; len(got) > 0 {
			t.Errorf("Products of /%s = %q, want none: clients are no products", folder, got)
		}
	}
}

func TestCompany_PartOfSite(t *testing.T) {
	for _, name := range []string{"Quietfern Docs", "Quietfern Help Center", "Quietfern – Official Site"} {
		head := `<meta property="og:site_name" content="` + name + `"><title>Introduction | ` + name + `</title>`
		if got := profiled("en", head, "").Company; got != "Quietfern" {
			t.Errorf("Company(%s) = %q, want Quietfern", name, got)
		}
	}
	head := `<meta property="og:site_name" content="Quietfern Studio"><title>Quietfern Studio</title>`
	if got := profiled("en", head, "<h1>Quietfern Studio</h1>").Company; got != "Quietfern Studio" {
		t.Errorf("Company = %q, want Quietfern Studio", got)
	}
}

func TestProducts_PunctuatedCompany(t *testing.T) {
	body := `<header><nav><ul><li>Products<ul><li><a href="/products/bravi-baby">Bravi! Baby</a></li></ul></li></ul></nav></header>` +
		`<p>With Bravi! children learn to play, and with Bravi! Baby they begin.</p>`
	read := site.Profile(site.Page{
		URL:  "https://bravi.it/",
		HTML: []byte(`<html lang="en"><head><meta property="og:site_name" content="Bravi!"><title>Bravi!</title></head><body>` + body),
	}, "bravi.it")
	if !slices.Contains(read.Products, "Bravi! Baby") {
		t.Errorf("Products = %q, want Bravi! Baby", read.Products)
	}
}

func TestProducts_JapaneseCalls(t *testing.T) {
	card := `<div><h2>クモ打刻</h2><p>ワンタップで打刻。</p><a href="/products/dakoku">詳しく見る</a></div>`
	if got := profiled("ja", "", card).Products; slices.Contains(got, "詳しく見る") {
		t.Errorf("Products = %q, want no call to read on", got)
	}
}

func TestIndustry_StoreHeadings(t *testing.T) {
	page := `<html lang="en"><head><title>Quietfern: Fern Care - App Store</title>` +
		described("See screenshots, ratings and reviews, and more apps like Quietfern.") +
		`</head><body><h1>Quietfern: Fern Care</h1><h2>Ratings and Reviews</h2></body></html>`
	for _, url := range []string{"https://apps.apple.com/us/app/quietfern/id1", "https://quietfern.net/"} {
		read := site.Profile(site.Page{URL: url, HTML: []byte(page)}, "quietfern.net")
		if slices.Contains(read.IndustryTerms, "Ratings and Reviews") {
			t.Errorf("%s: IndustryTerms = %q, want none of the store", url, read.IndustryTerms)
		}
	}
}

func TestLanguage_Unstated(t *testing.T) {
	for text, want := range map[string]string{
		"Wir bauen die Uhren in der Manufaktur, und jede ist von einem Meister gemacht.": "german",
		"Quietfern. 1961.": "undetermined",
	} {
		read := site.Profile(site.Page{URL: "https://quietfern.net/", HTML: []byte("<body><p>" + text + "</p></body>")},
			"quietfern.net")
		if read.Language != want {
			t.Errorf("Language(%s) = %s, want %s", text, read.Language, want)
		}
	}
}
