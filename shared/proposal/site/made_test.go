package site_test

import (
	"testing"

	"earshot/shared/proposal/site"
)

// described as a page without a description made for programs tells it.
func TestDescription_Undescribed(t *testing.T) {
	const told = "<p>Quietfern grows tree ferns in three glasshouses, and sends them by rail.</p>"
	for _, c := range []struct{ what, html, want string }{
		{"two words of a title", "<title>Fern Nursery - Start</title><p>We grow tree ferns in three glasshouses, and send them by rail.</p>",
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
