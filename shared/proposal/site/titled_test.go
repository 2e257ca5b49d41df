package site_test

import (
	"slices"
	"testing"

	"earshot/shared/judge/dictionary"
	"earshot/shared/proposal/site"
)

func TestProducts_Titles(t *testing.T) {
	const said = "</h3><p>It waters ferns while nobody is at home, and says so.</p></div>"
	card := func(name string) string { return "<div><h3>" + name + said }
	const sentences = "<h2>What we grow on the hill</h2><h2>How we send pots</h2><h2>Ferns for small gardens</h2>"
	for _, c := range []struct {
		what, language, body string
		want                 []string
	}{
		{"a coined word", "en", "<h2>Our garden</h2>" + card("Brelkomoss"), []string{"Brelkomoss"}},
		{"a word", "en", "<h2>Our garden</h2>" + card("Scheduling"), nil},
		{"a compound", "de", "<h2>Unser Garten</h2>" + card("Gewächshausheizung"), nil},
		{"two names among sentences", "en", sentences + card("Quiet Puddle") + card("Seven Stones"),
			[]string{"Quiet Puddle", "Seven Stones"}},
		{"two headings among headings", "en", "<h2>What We Grow Here</h2><h2>How We Send Ferns</h2>" +
			card("Smart Watering") + card("Fair Prices"), nil},
		{"words beside coined ones", "fr", card("Brelkoud") + card("Lucarne") + card("Vostelou"),
			[]string{"Brelkoud", "Lucarne", "Vostelou"}},
		{"words beside coined ones in English", "en", card("Brelkomoss") + card("Theft") + card("Vostelmoss"),
			[]string{"Brelkomoss", "Vostelmoss"}},
		{"a person", "en", "<h2>Our team</h2>" + card("Ada Brelkomoss"), nil},
		{"a customer", "en", "<div><h3>Brelkomoss</h3><p>“They water ferns while nobody is at home.”</p></div>", nil},
		{"a town", "en", "<div><h3>Brelkomoss</h3><p>12 Fern Street, 46000 Moss. Open from 7 to 9</p></div>", nil},
		{"a heading alone", "en", "<div><h3>Brelkomoss</h3><p>Ferns</p></div>", nil},
		{"a step", "pl", "<h2>Jak to działa</h2>" + card("Brelkowisz"), nil},
		{"a word of the page", "en", "<p>Everyone who grows ferns has a brelkomoss to water them.</p>" +
			card("Brelkomoss"), nil},
		{"a language without a list", "tr", card("Brelkomoss"), nil},
	} {
		if got := profiled(c.language, "<title>Quietfern</title>", c.body).Products; !slices.Equal(got, c.want) {
			t.Errorf("%s: Products = %q, want %q", c.what, got, c.want)
		}
	}
}

func TestDescription_Identifies(t *testing.T) {
	const slogan = "Know what grows, where it grows and when it wilts."
	for _, c := range []struct{ language, head, body, want string }{
		{"en", described(slogan), "<p>Quietfern is fern watering software with a small pump.</p>",
			"Quietfern is fern watering software with a small pump."},
		{"es", described("Riega poco y mira mucho."), "<p>Somos un vivero de helechos en la ladera de la sierra.</p>",
			"Somos un vivero de helechos en la ladera de la sierra."},
		{"it", described("Dal 1921 annaffiamo a mano e spediamo ovunque."),
			"<p>Siamo un'azienda di felci sulle colline, e non vendiamo altro.</p>",
			"Siamo un'azienda di felci sulle colline, e non vendiamo altro."},
		{"en", described(slogan), "<p>The watering app for people who are never at home.</p>",
			"The watering app for people who are never at home."},
		{"en", described("Fern watering for people who travel."), "<p>Quietfern is a small and quiet company in Leeds.</p>",
			"Fern watering for people who travel."},
		{"en", described(slogan), "<p>Quietfern is where our ferns grow up and where you can see them.</p>", slogan},
		{"en", described(slogan), "<blockquote><p>Quietfern is the best fern nursery that I know.</p></blockquote>", slogan},
	} {
		page := site.Page{
			URL:  "https://quietfern.net/",
			HTML: []byte(`<html lang="` + c.language + `"><title>Quietfern</title>` + c.head + c.body),
		}
		if got := site.Profile(page, "quietfern.net").Description; got != c.want {
			t.Errorf("Description(%s%s) = %q, want %q", c.head, c.body, got, c.want)
		}
	}
}

func TestLexicon_HasTheDictionary(t *testing.T) {
	for _, language := range site.LexiconLanguages() {
		for word := range dictionary.Levels(language) {
			if !site.Known(word) {
				t.Fatalf("Known(%s) of %s = false: run command lexicon", word, language)
			}
		}
	}
	for word := range dictionary.All() {
		if !site.Known(word) {
			t.Fatalf("Known(%s) = false: run command lexicon", word)
		}
	}
}

func TestLexicon_CoinedWords(t *testing.T) {
	for _, word := range []string{"Brelkomoss", "Facturon", "Diskora", "Szybownik", "Talpax"} {
		if site.Known(word) {
			t.Errorf("Known(%s) = true", word)
		}
	}
	if !site.Known("Integracje") { // the lists have "integracja"
		t.Error("Known(Integracje) = false")
	}
}
