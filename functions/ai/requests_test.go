package ai_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/worldtest"
)

// The filter of each labelled request, as the wizard returns it and as its label has it, is accepted by the list of
// mentions and by a feed. The test looks at no result of the rules.
func TestWizard_LabelledRequests(t *testing.T) {
	content, err := os.ReadFile("../../shared/wizard/accuracy/requests.tsv")
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, nil, 0)
	for id, text := range map[int64]string{
		1: "Northwind Traders", 2: "Lanternpage", 3: "Harbour Metrics", 4: "incident management",
	} {
		k := keyword.Keyword{ID: id, Text: text, Tag: keyword.OwnBrand}
		worldtest.Must(t, d.Store.RestoreKeyword(t.Context(), d.Main.ID, k))
	}
	for id, name := range map[int64]string{12: "Competitors", 13: "Launch week", 14: "Support queue"} {
		worldtest.Must(t, d.Store.RestoreFeed(t.Context(), d.Main.ID, feed.Feed{ID: id, Name: name}))
	}
	accepted := 0
	accepts := func(filters json.RawMessage, limit *int, includeAll bool, view *int64) {
		body := map[string]any{"filters": filters, "includeAll": includeAll}
		if limit != nil {
			body["limit"] = *limit
		}
		if view != nil {
			body["view"] = *view
		}
		list, _ := json.Marshal(body)
		kept, other := "simpleFilters", "advancedFilters"
		if strings.Contains(string(filters), `"groups"`) {
			kept, other = other, kept
		}
		for _, got := range []worldtest.Answer{
			d.Post(t, "/api/v2/mentions", string(list)),
			d.Patch(t, "/api/v2/feeds/11", fmt.Sprintf(`{%q:%s,%q:null}`, kept, filters, other)),
		} {
			if accepted++; got.Status != 200 {
				t.Errorf("%s is refused: %d %s", list, got.Status, got.Body)
			}
		}
	}
	requests := 0
	for line := range strings.Lines(string(content)) {
		requests++
		d.Clock.Set(d.Clock.Now().Add(time.Minute)) // another minute has requests of its own
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if fields[1] != "null" {
			accepts(json.RawMessage(fields[1]), nil, false, nil)
		}
		if got := ask(t, d, fields[0]); string(got.Filters) != "null" {
			accepts(got.Filters, got.Limit, got.IncludeAll, got.View)
		}
	}
	if requests != 200 || accepted < 400 {
		t.Errorf("%d requests, %d filters accepted, want 200 and 400 or more", requests, accepted)
	}
}
