package candidate_test

import (
	"strings"
	"testing"

	"earshot/shared/proposal/candidate"
)

func TestName(t *testing.T) {
	for text, want := range map[string]string{
		"Acme":                           "Acme",
		" Acme \n\t Cloud ":              "Acme Cloud",
		"Acme, Inc.":                     "Acme",
		"Acme Inc":                       "Acme",
		"Acme Co., Ltd.":                 "Acme",
		"Acme GmbH & Co. KG":             "Acme",
		"Metro AG":                       "Metro",
		"LLC":                            "LLC",
		"Acme | Hosting for teams":       "Acme",
		"Acme – Hosting":                 "Acme",
		"https://www.acme.com/":          "acme.com",
		`"Acme Cloud"`:                   "Acme Cloud",
		"AND Digital":                    "and Digital",
		"Acme -cartoon":                  "Acme",
		"+Acme":                          "Acme",
		"Ac*me":                          "Acme",
		"Ac\x00me":                       "Ac me",
		"Ac\xffme":                       "Acme",
		"\u202eAcme\u202c":               "Acme",
		"\u200d\"\u0301Acme":             "Acme", // a joiner that joins nothing, and an accent of a quotation mark
		"می\u200cخواهم":                  "می\u200cخواهم",
		"C++":                            "C++",
		".NET":                           ".NET",
		"AT&T":                           "AT&T",
		"Yahoo!":                         "Yahoo",
		"Yahoo!, Inc.":                   "Yahoo",
		"Yahoo! Finance":                 "Yahoo Finance",
		"¿Qué Tal?":                      "Qué Tal",
		"Acme®":                          "Acme",
		"Acme™ Cloud":                    "Acme Cloud",
		"🚀 Acme 🚀":                       "Acme",
		"I ♥ NY":                         "I ♥ NY",
		"Acme.":                          "Acme",
		"Acme…":                          "Acme",
		"モーニング娘。":                        "モーニング娘",
		"C#":                             "C#",
		"Disney+":                        "Disney+",
		"7-Eleven":                       "7-Eleven",
		"M&M's":                          "M&M's",
		"H&M":                            "H&M",
		"Ben & Jerry's":                  "Ben & Jerry's",
		"Node.js":                        "Node.js",
		"Booking.com":                    "Booking.com",
		"Dr. Martens":                    "Dr. Martens",
		"Wham-O":                         "Wham-O",
		`Toys"R"Us`:                      "Toys R Us",
		"E*TRADE":                        "ETRADE",
		"P!nk":                           "P!nk",
		"(RED)":                          "(RED)",
		"? !":                            "",
		"monday.com":                     "monday.com",
		"1Password":                      "1Password",
		"小米":                             "小米",
		"":                               "",
		" \n ":                           "",
		"!!!":                            "",
		"🎯":                              "",
		strings.Repeat("a", 101):         "",
		strings.Repeat("x y ", 100_000):  "",
		"<script>alert(1)</script> Acme": "<script>alert(1)</script> Acme", // it is text, and whoever shows it escapes it
	} {
		if got := candidate.Name(text); got != want {
			t.Errorf("%.60q is %q, not %q", text, got, want)
		}
	}
}

func TestHandle(t *testing.T) {
	for text, want := range map[string]string{
		"acme": "acme", "@acme": "acme", "https://x.com/acme?lang=en": "acme", "company/acme": "acme", "r/acme": "acme",
		"u/acme/":          "acme",
		"acme.bsky.social": "acme.bsky.social", "@acme@mastodon.example": "acme", "acme_hq": "acme_hq", "": "", "@": "",
		"a b": "", "@-": "",
		"acme\nOR": "", strings.Repeat("a", 51): "", "\xff": "", "*": "", `"x"`: "",
	} {
		if got := candidate.Handle(text); got != want {
			t.Errorf("%.60q is %q, not %q", text, got, want)
		}
	}
}

func TestCopiesOf(t *testing.T) {
	for brand, want := range map[string]string{
		"Acme":              "",
		"Acme Cloud":        "joined:AcmeCloud hyphenated:acme-cloud",
		"AcmeCloud":         "spaced:Acme Cloud hyphenated:acme-cloud",
		"acme-cloud":        "joined:acmecloud spaced:acme cloud",
		"YouTube":           "spaced:You Tube hyphenated:you-tube",
		"eBay":              "",
		"SimpleX":           "",
		"IBM":               "",
		"Node.js":           "joined:Nodejs spaced:Node js hyphenated:node-js",
		"monday.com":        "short:monday",
		"Nestlé":            "plain:Nestle",
		"Johnson & Johnson": "ampersand_joined:Johnson&Johnson and:Johnson and Johnson",
		"H&M":               "ampersand:H & M",
		"Häagen-Dazs": "joined:HäagenDazs spaced:Häagen Dazs plain:Haagen-Dazs joined_plain:HaagenDazs " +
			"spaced_plain:Haagen Dazs",
		"Søstrene":      "plain:Sostrene",
		"हिन्दी":        "",
		"C++":           "",
		"Disney+":       "plus:Disney Plus",
		"McDonald's":    "spaced:Mc Donald's hyphenated:mc-donald's unmarked:McDonalds",
		"L'Oréal":       "plain:L'Oreal unmarked:LOréal unmarked_plain:LOreal",
		"Ben & Jerry's": "ampersand_joined:Ben&Jerry's and:Ben and Jerry's unmarked:Ben & Jerrys",
	} {
		if got := strings.Join(candidate.CopiesOf(brand), " "); got != want {
			t.Errorf("%q has %q, not %q", brand, got, want)
		}
	}
}
