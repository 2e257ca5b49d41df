package site_test

import (
	"slices"
	"testing"

	"earshot/shared/proposal/site"
)

// A sentence that begins with a name in bold speaks of the company's own thing. What a paragraph begins with is a heading,
// and what is named later may be another company's.
func TestProducts_Bold(t *testing.T) {
	for body, want := range map[string][]string{
		`<p>With <strong>KelpView</strong> you follow each parcel: where it is, and when it comes.</p>`:         {"KelpView"},
		`<p>Every parcel is followed. The <b>KelpView</b> shows where it is and when it comes.</p>`:             {"KelpView"},
		`<p><strong>KelpView</strong> is what we called it, and nobody has used that name since.</p>`:           nil,
		`<p>You follow each parcel, since our shop works with <strong>GlobexPay</strong> and others.</p>`:       nil,
		`<p>With <strong>Same Day</strong> delivery you follow each parcel from the door to the very door.</p>`: nil,
	} {
		page := site.Page{URL: "https://kelpway.com/", HTML: []byte(
			`<html lang="en"><title>Kelpway – cold logistics</title><h1>Kelpway</h1>` + body + `</html>`)}
		if got := site.Profile(page, "kelpway.com").Products; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// Readers are named with what describes them, and competitors where a sentence asks for others than them.
func TestProfile_InSentences(t *testing.T) {
	for _, c := range []struct{ language, said, audience, competitor string }{
		{"pl", "Kelpway to platforma szkoleń dla działów HR i specjalistów BHP w firmach.", "działów HR, specjalistów BHP", ""},
		{"es", "Kelpway es una plataforma para equipos de ventas.", "equipos de ventas", ""},
		{"es", "Kelpway es una plataforma para tiendas online de alimentación.", "tiendas online de alimentación", ""},
		{"de", "Kelpway ist eine Klinik für Angstpatienten und Familien in der Stadt.", "Angstpatienten, Familien", ""},
		{"pl", "Szukasz alternatywy dla Globex? Przeniesiemy twoje kursy i wyniki w tydzień.", "", "Globex"},
		{"en", "Looking for an alternative to Globex? We move your courses within a week.", "", "Globex"},
		{"en", "There is no alternative to patience, and we have moved courses for years.", "", ""},
	} {
		page := site.Page{URL: "https://kelpway.com/", HTML: []byte(
			`<html lang="` + c.language + `"><title>Kelpway</title><h1>Kelpway</h1><p>` + c.said + `</p></html>`)}
		got := site.Profile(page, "kelpway.com")
		if got.Audience != c.audience {
			t.Errorf("%s: audience %q, want %q", c.said, got.Audience, c.audience)
		}
		var want []string
		if c.competitor != "" {
			want = []string{c.competitor}
		}
		if !slices.Equal(got.Competitors, want) {
			t.Errorf("%s: competitors %q, want %q", c.said, got.Competitors, want)
		}
	}
}
