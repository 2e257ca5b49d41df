package site_test

import (
	"slices"
	"testing"

	"earshot/shared/proposal/site"
)

// Sites put their products into folders of solutions and features too. What is coined there is a product and no reader.
func TestProfile_CoinedNames(t *testing.T) {
	page := `<html lang="pt"><head><title>Aprendix — Plataforma de ensino</title></head><body><header><nav><ul>` +
		`<li>` + anchor("/solucoes/classe", "Aprendix Classe") + `</li><li>` + anchor("/solucoes/tutoria", "TutorIA") +
		`</li><li>` + anchor("/solucoes/escolas", "Escolas") + `</li></ul></nav></header>` +
		`<h1>Ensinar pode ser mais leve</h1><h2>Aprendix Classe</h2><h2>TutorIA</h2></body></html>`
	p := site.Profile(site.Page{URL: "https://aprendix.com.br/", HTML: []byte(page)}, "aprendix.com.br")
	if want := []string{"Aprendix Classe", "TutorIA"}; !slices.Equal(slices.Sorted(slices.Values(p.Products)), want) {
		t.Errorf("products = %q, want %q", p.Products, want)
	}
	if want := "Escolas"; p.Audience != want {
		t.Errorf("audience = %q, want %q", p.Audience, want)
	}
}

// A part of the company's own name is no industry, and an announcement describes nobody.
func TestProfile_OwnWords(t *testing.T) {
	page := `<html lang="de"><head><title>Kranzbach Pumpen – Technik</title>
		<meta name="description" content="Kranzbach fertigt Kreiselpumpen."></head><body><h1>Willkommen bei Kranzbach</h1>
		<h2>Kreiselpumpen</h2></body></html>`
	p := site.Profile(site.Page{URL: "https://kranzbach-pumpen.de/", HTML: []byte(page)}, "kranzbach-pumpen.de")
	if slices.Contains(p.IndustryTerms, "Kranzbach") {
		t.Errorf("industry terms = %q, want none of the company's name", p.IndustryTerms)
	}
	for _, html := range []string{
		titled("Opening soon", `<h1>Opening soon</h1>`),
		titled("Wartungsmodus", "<p>Bitte versuchen Sie es in Kürze erneut, wir sind gleich wieder da.</p>"),
	} {
		p := site.Profile(site.Page{URL: "https://acme.com/", HTML: []byte(html)}, "acme.com")
		if p.Description != "" {
			t.Errorf("description of %s = %q, want none", html, p.Description)
		}
		if len(p.IndustryTerms) > 0 {
			t.Errorf("industry terms of %s = %q, want none", html, p.IndustryTerms)
		}
	}
}

// Readers stand behind the prepositions of Dutch and Polish too.
func TestProfile_ReadersElsewhere(t *testing.T) {
	for title, want := range map[string]string{
		"Acme | Leasefietsen voor werknemers":  "werknemers",
		"Acme - przesyłki kurierskie dla firm": "firm",
	} {
		p := site.Profile(site.Page{URL: "https://acme.com/", HTML: []byte(titled(title, ""))}, "acme.com")
		if p.Audience != want {
			t.Errorf("audience of %q = %q, want %q", title, p.Audience, want)
		}
	}
}

// Whom headings compare the company with: each of several names, and those of questions.
func TestProfile_ComparedInHeadings(t *testing.T) {
	for heading, want := range map[string][]string{
		"Alternatywa dla Zendesk i Freshdesk":            {"Zendesk", "Freshdesk"},
		"The best alternative to Heroku, Render and Fly": {"Heroku", "Render", "Fly"},
		"An alternative to Bank of America":              {"Bank of America"},
		"Alternativa ao Moloni e ao InvoiceXpress":       {"Moloni", "InvoiceXpress"},
		"How is Acme different from Flagsmith?":          {"Flagsmith"},
		"How does Acme compare to Globex?":               {"Globex"},
		"A Acme é diferente do Google Classroom?":        {"Google Classroom"},
		"How is Acme different from other tools?":        {},
		"How are cats different from Dogs?":              {},
	} {
		p := site.Profile(site.Page{URL: "https://acme.com/", HTML: []byte(titled("Acme", "<h2>"+heading+"</h2>"))}, "acme.com")
		if !slices.Equal(p.Competitors, want) {
			t.Errorf("competitors of %q = %q, want %q", heading, p.Competitors, want)
		}
	}
}

// Romance languages say whose a thing is behind it. A part of the company's name is no industry.
func TestProfile_NameBehind(t *testing.T) {
	page := `<html lang="pt"><head><title>Banco Quintal | Conta digital</title></head><body><header>` +
		anchor("/cartao-quintal", "Cartão Quintal") + `</header><h1>Banco Quintal</h1><h2>Cartão Quintal</h2></body></html>`
	p := site.Profile(site.Page{URL: "https://bancoquintal.com.br/", HTML: []byte(page)}, "bancoquintal.com.br")
	if want := []string{"Cartão Quintal"}; !slices.Equal(p.Products, want) {
		t.Errorf("products = %q, want %q", p.Products, want)
	}
	page = `<html lang="it"><head><title>Trattoria Dal Ghiro - Cucina umbra</title>
		<meta name="description" content="Trattoria Dal Ghiro: cucina umbra a Spoleto."></head><body><h1>Dal Ghiro</h1>
		<h2>Benvenuti Dal Ghiro</h2><p>Da noi Dal Ghiro si mangia bene ogni sera fino a tardi.</p></body></html>`
	p = site.Profile(site.Page{URL: "https://trattoria-dalghiro.it/", HTML: []byte(page)}, "trattoria-dalghiro.it")
	if slices.Contains(p.IndustryTerms, "Dal Ghiro") {
		t.Errorf("industry terms = %q, want none of the company's name", p.IndustryTerms)
	}
}
