package setup_test

import (
	"fmt"
	"reflect"
	"testing"

	"earshot/functions/setup"
)

func TestProfileFaults(t *testing.T) {
	d := newDesk(t)
	id := d.scanned(t)
	long := fmt.Sprintf("%0101d", 0)
	for body, want := range map[string][]string{
		`{}`:                      {"profile required"},
		`{"profile":null}`:        {"profile type"},
		`{"profile":{"x":1}}`:     {"profile.x unknown"},
		`{"profile":{},"tier":1}`: {"tier unknown"},
		`{"profile":{"company":"","audience":1,"language":"klingon"}}`: {"profile.audience type",
			"profile.company min_length", "profile.language enum"},
		`{"profile":{"company":" ","language":"klingon","products":["ok","","` + long +
			`"]}}`: {"profile.company min_length", "profile.language enum", "profile.products[1] min_length",
			"profile.products[2] max_length"},
		`{"profile":{"company":"a\u0007","otherNames":["\u200b"],"competitors":["a\nb"]}}`: {
			"profile.company control_characters", "profile.competitors[0] control_characters", "profile.otherNames[0] format"},
		`{"profile":{"handles":[{"platform":"x"},{"handle":"y","platform":" ","linked":"no"}]}}`: {
			"profile.handles[0].handle required", "profile.handles[1].linked type", "profile.handles[1].platform min_length"},
		`{"profile":{"handles":[{"platform":"x","handle":"@"},{"handle":"a b","platform":" "}]}}`: {
			"profile.handles[0].handle format", "profile.handles[1].handle format", "profile.handles[1].platform min_length"},
		`{"profile":{"products":null}}`:   {"profile.products type"},
		`{"profile":{"products":[null]}}`: {"profile.products[0] type"},
		`{"profile":{"company":null}}`:    {"profile.company type"},
		`{"profile":{"description":"` + repeat("x", 2001) +
			`","audience":"a\u0000"}}`: {"profile.audience control_characters", "profile.description max_length"},
		`{"profile":{"products":[` + repeat(`"a",`, 30) + `"a"]}}`: {"profile.products max_items"},
	} {
		found := d.Client.Patch(t, "/api/v2/setup/drafts/"+id, body).Is(t, 400, "VALIDATION_ERROR")
		var got []string
		for _, detail := range found.Details {
			got = append(got, detail.Path+" "+detail.Code)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%.80s\ngot  %q\nwant %q", body, got, want)
		}
	}
	var edited setup.SetupDraft
	text := repeat("é", 2000)
	d.Client.Patch(t, "/api/v2/setup/drafts/"+id,
		`{"profile":{"description":"  a\r\nb ","audience":"`+text+`","company":"`+repeat("é", 100)+`"}}`).OK(t, &edited)
	if p := edited.Profile.OrZero(); p.Description != "a\nb" || p.Audience != text {
		t.Errorf("%+v", p)
	}
}

func repeat(text string, n int) string {
	all := ""
	for range n {
		all += text
	}
	return all
}
