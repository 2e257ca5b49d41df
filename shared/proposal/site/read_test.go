package site_test

import (
	"slices"
	"strings"
	"testing"

	"earshot/shared/proposal/site"
)

// A section is a heading with others below it, each with a text.
func section(title string, headings ...string) string {
	var all strings.Builder
	all.WriteString("<section><h2>" + title + "</h2>")
	for _, heading := range headings {
		name, said, _ := strings.Cut(heading, ": ")
		all.WriteString("<div><h3>" + name + "</h3><p>" + said + "</p></div>")
	}
	return all.String() + "</section>"
}

// Products need no pages of their own where the headings of a section show that they are names of what is sold.
func TestProducts_Sets(t *testing.T) {
	for what, c := range map[string]struct {
		body string
		want []string
	}{
		"the company's name": {section("All in one bed", "Quietfern Root: It waters.", "Quietfern Spore: It sows."),
			[]string{"Quietfern Root", "Quietfern Spore"}},
		"a part of it": {section("All in one bed", "Quiet Root: It waters.", "Quiet Spore: It sows."),
			[]string{"Quiet Root", "Quiet Spore"}},
		"one of it": {section("All in one bed", "Quietfern Root: It waters.", "Ferns by post: They come."), nil},
		"prices": {section("This spring", "Slow Moss Box: £18.", "First Frond: From £22 with a pot."),
			[]string{"Slow Moss Box", "First Frond"}},
		"prices of some": {section("This spring", "Slow Moss Box: £18.", "Fern Talk: Soon.", "Moss Talk: Soon.",
			"Frond Talk: Soon."), nil},
		"plans":                  {section("Grow", "Slow Moss: £18 / month", "First Frond: £22 / month"), nil},
		"a plan":                 {section("Grow", "Slow Moss: £0", "First Frond: £22 billed yearly"), nil},
		"prices under \"Plans\"": {section("Plans", "Slow Moss: £18", "First Frond: £22"), nil},
		"what customers paid": {`<div class="testimonials">` +
			section("Said of us", "Slow Moss: £18", "First Frond: £22") + "</div>", nil},
		"neither": {section("Why us", "Fast Delivery: It is.", "Deep Roots: They are."), nil},
	} {
		if got := profiled("en", "", c.body).Products; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

func TestAudience_Listed(t *testing.T) {
	for _, c := range []struct{ language, description, paragraph, want string }{
		{"de", "Farne für Privatkunden.",
			"Unsere Angebote richten sich an Waldbesitzer, Teichwirte und Rentner, die Ruhe suchen.",
			"Privatkunden, Waldbesitzer, Teichwirte, Rentner"},
		{"fr", "", "Quietfern s’adresse aux pépinières et aux fleuristes de la région.", "pépinières, fleuristes"},
		{"en", "Ferns for gardeners.", "Quietfern is made for rooftop gardeners and small gardening teams.",
			"rooftop gardeners, small gardening teams"},
		{"en", "Ferns for gardeners.", "Quietfern helps caterers of all kinds with ferns, moss and peat.",
			"gardeners, caterers"},
		{"es", "", "Nosotros hacemos helechos para cocineros caseros y restaurantes que esperan.",
			"cocineros caseros, restaurantes"},
		{"es", "", "Nosotros hacemos helechos para pequeñas y medianas empresas que esperan.",
			"pequeñas y medianas empresas"},
	} {
		if got := profiled(c.language, described(c.description), "<p>"+c.paragraph+"</p>").Audience; got != c.want {
			t.Errorf("Audience(%s %s) = %q, want %q", c.description, c.paragraph, got, c.want)
		}
	}
}

func TestIndustry_Lists(t *testing.T) {
	for _, c := range []struct {
		what, language, head, body string
		want, not                  string
	}{
		{"a list", "fr", described("Quietfern cultive pour vous : fougères naines, mousses épaisses et lichens gris."),
			"<h2>La mousse épaisse</h2><h2>La fougère naine</h2>", "mousse épaisse", "lichens gris"},
		{"a slogan", "it", described("Felci di Quietfern. Foglia chiara, radice vera, consegna gratuita."),
			"<p>La foglia è verde, la radice è lunga e la consegna è di domani mattina.</p>", "", "Foglia chiara"},
		{"services", "en", "", section("What we do", "Fern grafting: With care.", "Moss removal: Or not.",
			"Nothing else: At all."), "Fern grafting", ""},
		{"other headings", "en", "", section("Why us", "Fern grafting: With care.", "Moss removal: Or not."), "",
			"Fern grafting"},
		{"half a field", "en", described("Quietfern is an independent fern book publisher."),
			"<p>We are an independent fern book publisher from the west of the north.</p>", "", "independent fern"},
		{"another's", "en", described("Ferns for you."),
			"<p>We are a Globex provider and have been for eleven years now.</p>", "", "Globex provider"},
	} {
		got := profiled(c.language, c.head, c.body).Terms
		if c.want != "" && !slices.Contains(got, c.want) || c.not != "" && slices.Contains(got, c.not) {
			t.Errorf("%s: %q, want %q and not %q", c.what, got, c.want, c.not)
		}
	}
}

func TestCompetitors_Lesser(t *testing.T) {
	for _, c := range []struct {
		language, text string
		want           []string
	}{
		{"pl", "Szukasz prostszego systemu niż Globex albo tańszego niż Initech?", []string{"Globex", "Initech"}},
		{"en", "A simpler way to grow than Globex and Initech, and it is quieter too.", []string{"Globex", "Initech"}},
		{"fr", "Un outil moins cher que Globex, et plus simple que la mousse.", []string{"Globex"}},
		{"en", "Our ferns are faster than weeds and cheaper than you think, every year.", nil},
	} {
		got := site.Profile(site.Page{
			URL:  "https://quietfern.net/",
			HTML: []byte(`<html lang="` + c.language + `"><p>` + c.text + `</p>`),
		},
			"quietfern.net").Competitors
		if !slices.Equal(got, c.want) && len(got)+len(c.want) > 0 {
			t.Errorf("Competitors(%s) = %q, want %q", c.text, got, c.want)
		}
	}
}

// A title names a company whose domain has more letters if the page says what the company is, and signs with its name.
func TestCompany_LongerDomain(t *testing.T) {
	const is, signed = "Ledge is payroll software that closes on time, every month of it.",
		"<footer>© 2024 Ledge Software, Inc.</footer>"
	for _, c := range []struct{ body, want string }{
		{"<p>" + is + "</p>" + signed, "Ledge"},
		{"<p>" + is + "</p>", "Ledgehr"},
		{signed, "Ledgehr"},
	} {
		page := `<html lang="en"><title>Ledge | Payroll software</title>` + c.body
		if got := site.Profile(site.Page{URL: "https://ledgehr.co/", HTML: []byte(page)}, "ledgehr.co").Company; got != c.want {
			t.Errorf("Company(%s) = %q, want %q", c.body, got, c.want)
		}
	}
}
