package site_test

import "earshot/shared/proposal"

// pages are what is to be read of the pages of testdata, by their names.
func pages() map[string]expected {
	return map[string]expected{
		"product": {"lanternpage.com", proposal.Profile{
			Company:       "Lanternpage",
			Language:      "english",
			Description:   "Lanternpage wakes the right person when something breaks: schedules, escalations and timelines.",
			Audience:      "small engineering teams",
			Products:      []string{"Relay", "Timeline"},
			Competitors:   []string{"Globex", "InitechOps"},
			IndustryTerms: []string{"On-call alerting"},
			Handles: []proposal.Handle{account("twitter", "lanternpage"), account("github", "lanternpage"),
				account("linkedin", "lanternpage")},
		}},
		"bakery": {"baeckerei-morgenrot.de", proposal.Profile{
			Company:       "Bäckerei Morgenrot",
			Language:      "german",
			Description:   "Herzlich willkommen bei der Bäckerei Morgenrot: Sauerteigbrot und Kuchen aus Freiburg.",
			IndustryTerms: []string{"Bäckerei", "Brot", "Kuchen", "Sauerteigbrot Freiburg"},
			Handles:       []proposal.Handle{account("instagram", "morgenrot.baeckerei")},
		}},
		"japanese": {"toudai.jp", proposal.Profile{
			Company: "とうだい", Language: "japanese", Description: "とうだいは、障害が起きたときに正しい人に知らせる監視サービスです。",
			Audience:      "小さなチーム",
			IndustryTerms: []string{"監視", "アラート"}, OtherNames: []string{"Toudai"},
		}},
		"renamed": {"fernway.io", proposal.Profile{
			Company:       "Fernway",
			Language:      "english",
			Description:   "Fernway (formerly Tipjar) is payroll software for restaurants and bars.",
			Audience:      "restaurants",
			Competitors:   []string{"Globex Payroll"},
			IndustryTerms: []string{"Payroll software"},
			OtherNames:    []string{"Tipjar"},
			Handles:       []proposal.Handle{account("twitter", "tipjar")},
		}},
		"spa": {"acme.com", proposal.Profile{Company: "Acme", Language: "english"}},
		"blog": {"quietharbor.com",
			proposal.Profile{
				Company:     "Quiet Harbor",
				Language:    "english",
				Description: "Ten ways to ship faster",
				Handles:     []proposal.Handle{account("twitter", "quietharborhq")},
			}},
	}
}
