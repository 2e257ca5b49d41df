package site_test

import (
	"slices"
	"strings"
	"testing"

	"earshot/shared/proposal"
	"earshot/shared/proposal/site"
)

// described as a page without a description made for programs tells it.
func TestDescription_Undescribed(t *testing.T) {
	const told = "<p>Quietfern grows tree ferns in three glasshouses, and sends them by rail.</p>"
	for _, c := range []struct{ what, html, want string }{
		{"two words of a title",
			"<title>Fern Nursery - Start</title><p>We grow tree ferns in three glasshouses, and send them by rail.</p>",
			"We grow tree ferns in three glasshouses, and send them by rail."},
		{"a slogan before a paragraph", "<title>Quietfern</title><h1>A green room in every house</h1>" + told,
			"Quietfern grows tree ferns in three glasshouses, and sends them by rail."},
		{"a slogan alone", "<title>Quietfern</title><h1>A green room in every house</h1>", "A green room in every house"},
		{"Japanese without blanks", "<title>木生シダの温室と通信販売｜Quietfern</title>", "木生シダの温室と通信販売"},
	} {
		page := site.Page{URL: "https://quietfern.net/", HTML: []byte(c.html)}
		if got := site.Profile(page, "quietfern.net").Description; got != c.want {
			t.Errorf("%s: Description = %q, want %q", c.what, got, c.want)
		}
	}
}

// Whom a company is for stands in many ways on pages, and not only in the first text.
func TestAudience_Ways(t *testing.T) {
	const title, blurb = "<title>Quietfern</title>", "<p>It takes three days to arrive, and the box is made of moss.</p>"
	for _, c := range []struct{ language, head, body, want string }{
		{"en", described("Ferns for people who live under a roof."), "", "people who live under a roof"},
		{"en", described("Ferns for people who ship."), "", ""},
		{"de", described("Farne für alle, die im Keller wohnen."), "", "alle die im Keller wohnen"},
		{"es", described("Helechos para quienes viven sin sol."), "", "quienes viven sin sol"},
		{"en", described("Fern crates for mid-sized shippers and forwarders."), "", "mid-sized shippers, forwarders"},
		{"en", described("Quietfern makes oil for boilers and heaters."), "", ""},
		{"en", described("Quietfern gives chefs and caterers fresh fronds."), "", "chefs, caterers"},
		{"it", described("Quietfern aiuta le imprese manifatturiere."), "", "imprese manifatturiere"},
		{"it", described("Felci per le imprese manifatturiere."), "", "imprese manifatturiere"},
		{"it", described("Felci per le imprese crescono sempre."), "", "imprese"},
		{"fr", title, "<p>Quietfern accueille couples, familles et randonneurs dans trois serres.</p>",
			"couples, familles, randonneurs"},
		{"en", "<title>Ferns for teams | Quietfern</title>" + described("Ferns for kitchen teams."), "", "kitchen teams"},
		{"es", title, "<h2>También para bares y restaurantes</h2>", "bares, restaurantes"},
		{"en", title, "<article><h2>For parents</h2></article>", ""},
		{"es", described("Helechos para mayoristas, fabricantes y tiendas online: en tren."), "",
			"mayoristas, fabricantes, tiendas online"},
		{"en", described("Ferns for florists, caterers and hotels."), "", "florists, caterers, hotels"},
		{"en", described("Ferns for sales, marketing and finance teams."), "", ""},
		{"en", described("Ferns for sales, marketing and support teams."), "", ""},
		{"en", described("We advise family businesses and landowners on ferns."), "", "family businesses, landowners"},
		{"en", described("We supply ferns to farm shops and hotels."), "", "farm shops, hotels"},
		{"en", described("Trusted by 400 gardening teams."), "", "gardening teams"},
		{"de", described("Wir liefern Farne an Hotels."), "", "Hotels"},
		{"es", described("Trabajamos con hoteles de toda Galicia."), "", "hoteles"},
		{"en", described("Ferns for people living with dry air."), "", "people living with dry air"},
		{"de", described("Farne für kleine Gartenbaubetriebe und Händler."), "", "kleine Gartenbaubetriebe, Händler"},
		{"fr", described("Des fougères pour les peaux sensibles."), "", "peaux sensibles"},
		{"en", title, blurb + blurb + blurb + blurb + blurb +
			"<p>We grow our ferns for hotels, and for nobody else at all.</p>", "hotels"},
		{"en", title, blurb + "<p>They grow their ferns for hotels, and for nobody else at all.</p>", ""},
		{"en", title, blurb + "<blockquote><p>We bought our ferns for parents, and they loved them a lot.</p></blockquote>",
			""},
	} {
		if got := profiled(c.language, c.head, c.body).Audience; got != c.want {
			t.Errorf("Audience(%s%s) = %q, want %q", c.head, c.body, got, c.want)
		}
	}
}

// What shows a product besides folders that are called so: prices, the pages beside a priced one, the company's name.
func TestProducts_Shown(t *testing.T) {
	card := func(href, name, more string) string {
		return "<div><div><h3>" + name + "</h3></div><p>" + more + "</p>" + anchor(href, "More") + "</div>"
	}
	for _, c := range []struct {
		what, body string
		want       []string
	}{
		{"a price in a card", card("/rooms/moss-suite", "Moss Suite", "From 260 €"), []string{"Moss Suite"}},
		{"no price", card("/rooms/moss-suite", "Moss Suite", "A view of the sea"), nil},
		{"a card beside a priced one",
			card("./games/brackwell", "Brackwell", "19,99 €") + card("./games/sedgemoor", "Sedgemoor", "Soon"),
			[]string{"Brackwell", "Sedgemoor"}},
		{"a price of another card",
			card("/games/brackwell", "Brackwell", "19,99 €") + card("/crew/sedgemoor", "Sedgemoor", "Soon"),
			[]string{"Brackwell"}},
		{"a medicine", "<div>" + anchor("/pipeline/fer-101", "<h4>FER-101</h4><div>Preclinical</div>") + "</div>",
			[]string{"FER-101"}},
		{"a plan", card("/pricing/brackwell", "Brackwell", "$20") + "<h2>Pricing</h2>" +
			card("/x/sedgemoor", "Sedgemoor", "$9"), nil},
		{"an event", card("/events/moss-night", "Moss Night", "$20"), nil},
		{"the company's name in the header",
			"<header>" + anchor("/cloud", "Quietfern Cloud") + anchor("/blog", "Quietfern Blog") + "</header>",
			[]string{"Quietfern Cloud"}},
		{"a sentence that says what it is",
			"<header>" + anchor("/brackwell", "Brackwell") + "</header><h2>Meet Brackwell</h2>" +
				"<p>Brackwell is our watering can. It finds plants that nobody waters any more.</p>", []string{"Brackwell"}},
		{"a sentence of something else", "<header>" + anchor("/brackwell", "Brackwell") + "</header><h2>Meet Brackwell</h2>" +
			"<p>Brackwell is where our plants grow up, and where you can visit them.</p>", nil},
		{"articles of what the header links", "<header>" + anchor("/programmes/moss-watch", "Moss Watch") + "</header>" +
			"<article><h3>" + anchor("/programmes/moss-watch", "Moss Watch") + "</h3></article><article><h3>" +
			anchor("/programmes/fern-walks", "Fern Walks") + "</h3></article>", []string{"Moss Watch"}},
		{"a shop's own, with a price",
			anchor("/cart", "Cart (0)") + "<header>" + anchor("/moss-suite", "Moss Suite") + "</header>" +
				card("/moss-suite", "Moss Suite", "From 260 €"), []string{"Moss Suite"}},
		{"another language", `<header><div><p>Products</p><ul><li><a hreflang="de" href="/products/alemannisch">Alemannisch</a></li></ul></div></header>`, nil},
		{"a page below no language",
			"<nav><p>Products</p><ul><li>" + anchor("/go/brackwell", "Brackwell") + "</li></ul></nav>", []string{"Brackwell"}},
	} {
		if got := profiled("en", "<title>Quietfern</title>", c.body).Products; !slices.Equal(got, c.want) {
			t.Errorf("%s: Products = %q, want %q", c.what, got, c.want)
		}
	}
}

// A word of every site behind a mark is no part of the name.
func TestProducts_Marked(t *testing.T) {
	for body, want := range map[string]string{
		`<nav><a href="/products/mossplus-program">MossPlus® Program</a></nav>`:                           "MossPlus",
		`<nav><a href="/products/brelkomoss-app">Brelkomoss™ app</a></nav>`:                               "Brelkomoss",
		`<nav><a href="/products/brelkomoss-max">Brelkomoss™ Max</a></nav>`:                               "Brelkomoss Max",
		`<nav><a href="/products/brelkomoss-suite">Brelkomoss™ Suite</a></nav>`:                           "Brelkomoss",
		ld(`{"@type":"Product","name":"MossPlus® program","brand":{"@type":"Brand","name":"Quietfern"}}`): "MossPlus",
	} {
		if got := profiled("en", "<title>Quietfern</title>", body).Products; !slices.Equal(got, []string{want}) {
			t.Errorf("%s: Products = %q, want %q", body, got, want)
		}
	}
}

func TestProducts_LinkedWords(t *testing.T) {
	card := "<div><h3>Casa do Faroleiro</h3><p>Desde 180 €</p>" + anchor("/quartos/casa-do-faroleiro", "Ver") + "</div>"
	if got := profiled("pt", "<title>Quietfern</title>", card).Products; !slices.Equal(got, []string{"Casa do Faroleiro"}) {
		t.Errorf("Products = %q", got)
	}
}

func TestProducts_SmallLetters(t *testing.T) {
	html := "<title>quietfern</title><h1>quietfern</h1><p>Everyone who grows plants knows what quietfern is for, or should.</p>" +
		"<h2>quietfern-vim</h2>" + anchor("/quietfern-vim", "quietfern-vim")
	page := site.Page{URL: "https://quietfern.net/", HTML: []byte(html)}
	if got := site.Profile(page, "quietfern.net").Products; !slices.Equal(got, []string{"quietfern-vim"}) {
		t.Errorf("Products = %q", got)
	}
}

// Pages of programming languages are no choice of a language or a country.
func TestState_ProgrammingLanguages(t *testing.T) {
	links := anchor("/go", "Go") + anchor("/js", "JavaScript") + anchor("/rb", "Ruby") + anchor("/ts", "TypeScript")
	page := site.Page{URL: "https://quietfern.net/", HTML: []byte("<title>Quietfern</title>" + links)}
	if got := judged(t, page, "quietfern.net"); got == string(proposal.NoticeChooser) {
		t.Errorf("state = %q", got)
	}
}

func TestCompetitors_Compared(t *testing.T) {
	grid := func(section, row string, heads ...string) string {
		html := "<h2>" + section + "</h2><table><tr><th></th>"
		for _, head := range heads {
			html += "<th>" + head + "</th>"
		}
		return html + "</tr><tr><td>Moss</td>" + row + "</tr><tr><td>Fronds</td>" + row + "</tr></table>"
	}
	const yes, sold = "<td>✓</td><td>✗</td><td>✗</td>", "<td>3</td><td>4</td><td>5</td>"
	for _, c := range []struct {
		what, language, body string
		want                 []string
	}{
		{"a table of answers", "en", grid("Our ferns", yes, "Quietfern", "Globex", "Initech Ferns"),
			[]string{"Globex", "Initech Ferns"}},
		{"a table that compares", "en", grid("How we compare", sold, "Quietfern", "Globex"), []string{"Globex"}},
		{"a table of numbers", "en", grid("Sales", sold, "Quietfern", "Globex"), nil},
		{"a table without the company", "en", grid("How we compare", yes, "Hobby", "Globex"), nil},
		{"plans", "en", grid("Compare plans", yes, "Quietfern", "Quietfern Plus", "Enterprise"), nil},
		{"a page of those who come from another", "en", anchor("/moving/from/globex", "From Globex"), []string{"Globex"}},
		{"a page of a journey", "en", anchor("/travel/globex", "From Globex"), nil},
		{"what everyone does", "en", grid("How we compare", yes, "Quietfern", "Other nurseries", "DIY"), nil},
		{"a thing", "en", "<p>It is greener than mosses are, and it needs no light at all.</p>" +
			grid("How we compare", yes, "Quietfern", "Mosses"), nil},
		{"unlike two", "en", "<p>Unlike Globex and Initech Ferns, we send our ferns by rail and not by air.</p>",
			[]string{"Globex", "Initech Ferns"}},
		{"a link from several", "en", anchor("/switch", "Switching from Globex, Initech and Hooli"),
			[]string{"Globex", "Initech", "Hooli"}},
		{"a link from several in German", "de", anchor("/umstieg", "Umstieg von Globex oder Initech"),
			[]string{"Globex", "Initech"}},
		{"a heading from two", "en", "<h2>Switching from Globex and Initech takes a day</h2>", []string{"Globex", "Initech"}},
		{"versus several", "en", "<h2>Quietfern vs Globex, Initech or Hooli: prices and moss</h2>",
			[]string{"Globex", "Initech", "Hooli"}},
		{"versus one, with more behind it", "en", "<h2>Quietfern vs Globex, Explained</h2>", []string{"Globex"}},
		{"versus one and words", "en", "<h2>Quietfern vs Globex: Moss and Light</h2>", []string{"Globex"}},
		{"names without blanks", "en", "<h2>Quietfern vs Globex,Initech</h2>", []string{"Globex"}},
		{"instead of two", "en", "<p>Most nurseries choose Quietfern instead of Globexo or Initechno since it is quiet.</p>",
			[]string{"Globexo", "Initechno"}},
		{"instead of two in Polish", "pl", "<h2>Quietfern zamiast Globexo i Initechno</h2>",
			[]string{"Globexo", "Initechno"}},
		{"instead of things", "en", "<h2>Quietfern Instead of Guesswork and Noise</h2>", nil},
		{"instead of somebody else", "en", "<h2>Grow Moss instead of Globexo</h2>", nil},
		{"a sentence with a comma before the last", "en",
			"<p>Most nurseries switched from Globex, Initech, or Hooli, and stay for many years.</p>",
			[]string{"Globex", "Initech", "Hooli"}},
		{"unlike things", "en", "<p>Unlike plastic plants, we send ferns that grow for a hundred years.</p>", nil},
		{"unlike in French", "fr", "<p>Contrairement à Globex, nous envoyons nos fougères par le train.</p>",
			[]string{"Globex"}},
		{"a customer's sentence", "en",
			"<blockquote><p>Unlike Globex, we always got our ferns in time from them.</p></blockquote>", nil},
	} {
		page := site.Page{
			URL:  "https://quietfern.net/",
			HTML: []byte(`<html lang="` + c.language + `"><title>Quietfern</title>` + c.body),
		}
		if got := site.Profile(page, "quietfern.net").Competitors; !slices.Equal(got, c.want) {
			t.Errorf("%s: Competitors = %q, want %q", c.what, got, c.want)
		}
	}
}

func TestIndustry_Told(t *testing.T) {
	for _, c := range []struct{ language, head, body, want, not string }{
		{"es", "<title>Viveros artesanos en Valencia | Quietfern</title>", "", "Viveros artesanos", ""},
		{"en", "<title>Stay longer in Valencia | Quietfern</title>", "", "", "Stay longer"},
		{"it", "<title>Quietfern - Consulenza botanica per le imprese</title>", "", "Consulenza botanica", ""},
		{"it", described("Quietfern è la società di consulenza botanica per le imprese."), "", "consulenza botanica", ""},
		{"en", described("A spore counting tool for nurseries."), "", "spore counting", ""},
		{"en", described("Quietfern is the leading provider of spore counting solutions."), "", "spore counting", ""},
		{"en", described("Quietfern is a tiny spore counter in Go."), "", "spore counter", ""},
		{"en", described("A warm welcome to all of you."), "", "", "warm welcome"},
		{"de", described("Farne ohne Grundgebühr und Gewächshäuser."),
			"<p>Unsere Gewächshäuser stehen am Fluss, und Sie zahlen keine Grundgebühr im Jahr.</p>", "Gewächshäuser",
			"Grundgebühr"},
		{"en", described("Rare ferns from people nearby."), "<h2>Rare ferns</h2><h2>From people nearby</h2>", "Rare ferns",
			"people nearby"},
		{"en", "<title>Quietfern is hiring welders | Quietfern</title>", "<h2>Quietfern is hiring welders again</h2>", "",
			"hiring welders"},
		{"en", described("Fern nursery. We are hiring pot welders."), "<h2>Pot welders</h2><h2>Fern nursery</h2>",
			"Fern nursery", ""},
	} {
		got := profiled(c.language, c.head, c.body).Terms
		if c.want != "" && !slices.Contains(got, c.want) || slices.Contains(got, c.not) {
			t.Errorf("IndustryTerms(%s%s) = %q, want %q and no %q", c.head, c.body, got, c.want, c.not)
		}
	}
}

func TestCompany_KindBefore(t *testing.T) {
	const told = "<p>Hotel Quietfern stands above the bay, and has been there for a hundred years.</p>"
	for _, c := range []struct{ html, want string }{
		{"<title>Hotel Quietfern - home</title>" + told + "<footer><p>© 2026 Hotel Quietfern</p></footer>",
			"Hotel Quietfern"},
		{"<title>Hotel Quietfern - home</title><p>Quietfern stands above the bay, and has been there for a hundred years.</p>", "Quietfern"},
		{"<title>Discover Quietfern - home</title><h1>Discover Quietfern</h1>", "Quietfern"},
	} {
		page := site.Page{URL: "https://quietfern.net/", HTML: []byte(c.html)}
		if got := site.Profile(page, "quietfern.net").Company; got != c.want {
			t.Errorf("Company(%s) = %q, want %q", c.html, got, c.want)
		}
	}
}

func TestOtherNames_Article(t *testing.T) {
	page := site.Page{
		URL:  "https://quietfern.net/",
		HTML: []byte(`<title>The Quietfern</title><meta property="og:site_name" content="The Quietfern">`),
	}
	if got := site.Profile(page, "quietfern.net").OtherNames; !slices.Equal(got, []string{"Quietfern"}) {
		t.Errorf("OtherNames = %q", got)
	}
}

// A domain that leads to a store is its app's author's.
func TestState_AuthorOfApp(t *testing.T) {
	for author, want := range map[string]string{"Quietfern Games K.K.": "", "Globex Games": string(proposal.NoticeOtherSite)} {
		app := `{"@type":"SoftwareApplication","name":"Mossy","author":{"@type":"Organization","name":"` + author + `"}}`
		page := site.Page{
			URL: "https://apps.apple.com/jp/app/id1",
			HTML: []byte(`<title>Mossy on the App Store</title><meta property="og:site_name" content="App Store">` + ld(app) +
				"<h1>Mossy</h1>" + filler(2, 6)),
		}
		if got := judged(t, page, "quietfern.net"); got != want {
			t.Errorf("author %s: state = %q, want %q", author, got, want)
		}
		if got := site.Profile(page, "quietfern.net").Company; want == "" && got != "Quietfern Games" {
			t.Errorf("author %s: Company = %q", author, got)
		}
	}
}

// A piece of a sentence, and what every company is, name no field.
func TestIndustry_Pieces(t *testing.T) {
	for _, c := range []struct{ language, description, heading, not string }{
		{"de", "Ihr Anbieter für Farne.", "Ihr Anbieter für Farne", "Ihr Anbieter für Farne"},
		{"de", "Meisterbetrieb für Farne, und der Meisterbetrieb wächst.", "Unser Meisterbetrieb", "Meisterbetrieb"},
		{"de", "Farne mieten und Angebote erstellen.", "Angebote erstellen", "Angebote erstellen"},
		{"fr", "Votre partenaire pour les fougères.", "Votre partenaire", "Votre partenaire"},
		{"fr", "Créez des devis et gérez fougères.", "Gérez fougères", "Gérez fougères"},
		{"es", "Helechos de muchos colores.", "Muchos colores", "Muchos colores"},
		{"en", "Quietfern donates half of all ferns.", "Donates half of", "Donates half of"},
		{"en", "Create forms for ferns.", "Create forms", "Create forms"},
		{"en", "With Quietfern you can share files of ferns.", "Share files", "Share files"},
		{"en", "Ferns in many flavors.", "Many flavors", "Many flavors"},
		{"en", "A shopping destination for ferns.", "Shopping destination", "Shopping destination"},
		{"en", "A family-run group of nurseries.", "Family-run group", "Family-run group"},
		{"en", "The assistant Le Chat waters ferns.", "Assistant Le Chat", "Assistant Le Chat"},
		{"en", "Write plain SQL for ferns.", "Plain SQL", "Plain SQL"},
	} {
		got := profiled(c.language, described(c.description), "<h2>"+c.heading+"</h2>").Terms
		if slices.ContainsFunc(got, func(term string) bool { return strings.EqualFold(term, c.not) }) {
			t.Errorf("%s: IndustryTerms = %q, want no %q", c.description, got, c.not)
		}
	}
	for _, c := range []struct{ language, field string }{
		{"en", "Track lighting"}, {"en", "Support tickets"}, {"en", "US payroll"}, {"en", "Mobile OS"},
		{"pt", "Passeios a cavalo"}, {"es", "Cuidado de la piel"}, {"en", "Family law group"},
	} {
		got := profiled(c.language, described(c.field+", Quietfern."), "<h2>"+c.field+"</h2>").Terms
		if !slices.Contains(got, c.field) {
			t.Errorf("IndustryTerms = %q, want %q", got, c.field)
		}
	}
}

func TestIndustry_NoTerms(t *testing.T) {
	const list = "<ul><li>Fern nursery</li><li>Moss walls</li></ul>"
	about := described("Fern nursery, moss walls and rock gardens.")
	for _, c := range []struct {
		what, head, body string
		want             []string
		not              string
	}{
		{"a list", about, list, []string{"Fern nursery", "moss walls"}, "rock gardens"},
		{"a menu", described("Ferns, gift cards."), "<nav><ul><li>Gift cards</li></ul></nav>", nil, "gift cards"},
		{"a quoted list", about, "<blockquote>" + list + "</blockquote>", nil, "Fern nursery"},
		{"list items without ends", about, "<ul><li>Fern nursery<li>Moss walls</ul>", []string{"Fern nursery", "moss walls"},
			""},
		{"what it builds", "", "<p>Quietfern builds a spore counting robot for nurseries all over the world.</p>",
			[]string{"spore counting robot"}, ""},
		{"what it offers", "", "<p>Quietfern offers a spore counting platform that nurseries all over use.</p>",
			[]string{"spore counting"}, ""},
		{"a kindness", "", "<p>Quietfern offers a warm welcome for families who come to see ferns.</p>", nil, "warm welcome"},
		{"a testimonial", "", "<blockquote><p>A brilliant watering tool for nurseries, and we love it so.</p></blockquote>",
			nil, "brilliant watering"},
		{"two testimonials", "",
			"<blockquote><p>Our kitchen garden has never looked as good as it does.</p></blockquote>" +
				"<blockquote><p>They know what a kitchen garden wants in the spring.</p></blockquote>", nil, "kitchen garden"},
		{"two in quotation marks", "",
			"<p>“Our kitchen garden has never looked as good as it does.”</p>" +
				"<p>“They know what a kitchen garden wants in the spring.”</p>", nil, "kitchen garden"},
		{"a banner", "", "<p>We use cookies for a browsing experience that is a little better.</p>" +
			"<p>Our nursery is open on all days, and the browsing experience is free.</p>", nil, "browsing experience"},
		{"a call", described("Fern nursery. Call us now or write."), "<h2>Call us now</h2>", nil, "Call us now"},
		{"a field that begins as calls do", described("Order management for nurseries."), "<h2>Order management</h2>",
			[]string{"Order management"}, ""},
		{"a slogan", "<title>Grow with quiet | Quietfern</title>", "<h1>Grow with quiet</h1>", nil, "Grow with quiet"},
	} {
		got := profiled("en", c.head, c.body).Terms
		for _, want := range c.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: IndustryTerms = %q, want %q", c.what, got, want)
			}
		}
		if slices.Contains(got, c.not) {
			t.Errorf("%s: IndustryTerms = %q, want no %q", c.what, got, c.not)
		}
	}
}
