package candidate_test

import (
	"testing"

	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

// Who is called by a coined word and what the company is, is tracked by the coined word, which finds both.
func TestOf_CoinedWord(t *testing.T) {
	for _, c := range []struct{ domain, company, language, want string }{
		{"pellameredental.com", "Pellamere Dental", "english", "Pellamere"},
		{"hotel-larmorvan.fr", "Hôtel Larmorvan", "french", "Larmorvan"},
		{"trevalour.fr", "Cabinet Trévalour", "french", "Trévalour"},
		{"drovanta.de", "Elektrotechnik Drovanta", "german", "Drovanta"},
		{"summitdental.com", "Summit Dental", "english", "Summit Dental"}, // a word of its own
		{"kowalski-dental.pl", "Kowalski Dental", "polish", "Kowalski Dental"},
		{"nestle.com", "Nestlé Suisse", "french", "Nestlé Suisse"},               // a word where accents are not typed
		{"pellamere.com", "Quenthor Pellamere", "english", "Quenthor Pellamere"}, // no part says what it is
		{"smiles.com", "Pellamere Dental", "english", "Pellamere Dental"},        // which the domain does not say
		{"st-ursen.ch", "St. Ursen", "german", "St. Ursen"},                      // a place's name, which is longer
		{"drpellamere.com", "Dr Pellamere", "english", "Dr Pellamere"},
		{"zorb-cloud.com", "Zorb Cloud", "english", "Zorb Cloud"}, // too short to be one company's
	} {
		got := candidate.Of(c.domain, proposal.Profile{Company: c.company, Language: c.language})
		if brand, _ := got.Of(candidate.RefBrand); brand.Text != c.want {
			t.Errorf("%s: %q, want %q", c.company, brand.Text, c.want)
		}
	}
	// The longer name's other ways of writing are tracked as before.
	got := candidate.Of("pellameredental.com", proposal.Profile{Company: "Pellamere Dental", Language: "english"})
	if joined, ok := got.Of("copy_joined"); !ok || joined.Text != "PellamereDental" {
		t.Errorf("%q", refs(got))
	}
}

// A company that is called in another script than its domain's is tracked as the domain writes it too.
func TestOf_OtherScript(t *testing.T) {
	for _, c := range []struct {
		domain, company string
		others          []string
		want            string
	}{
		{"hoshino-coffee.jp", "星野珈琲", nil, "Hoshino Coffee"},
		{"hoshino-coffee.jp", "星野珈琲", []string{"Hoshino Coffee"}, ""}, // told by the site
		{"vkusnodom.ru", "Вкусный дом", nil, "Vkusnodom"},
		{"apple.jp", "りんご", nil, ""}, // a common word, and nothing is known to anchor it by
		{"acme.jp", "アクメ acme", nil, ""},
	} {
		got := candidate.Of(c.domain, proposal.Profile{Company: c.company, OtherNames: c.others, Language: "japanese"})
		if one, ok := got.Of("copy_domain"); one.Text != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q", c.company, refs(got))
		}
	}
}

// A common word is as common where accents are not typed.
func TestOf_CommonWordWithoutAccents(t *testing.T) {
	p := proposal.Profile{
		Company: "Żywica", Language: "polish",
		IndustryTerms: []string{"drewniane stoły", "meble dębowe"}, Products: []string{"Kelmora", "Vendra"},
	}
	got := candidate.Of("zywica-meble.pl", p)
	if plain, ok := got.Of("copy_plain"); !ok || plain.Text != "Zywica" || plain.Route != proposal.Anchored || !plain.Common {
		t.Errorf("%+v, want Zywica anchored", plain)
	}
	p.Company, p.Products = "Kelmóra", nil
	if plain, ok := candidate.Of("kelmora.pl", p).Of("copy_plain"); !ok || plain.Route != proposal.BrandCopy {
		t.Errorf("%+v, want Kelmora alone", plain)
	}
}
