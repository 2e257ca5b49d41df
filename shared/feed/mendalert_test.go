package feed_test

import (
	"strings"
	"testing"

	"earshot/shared/feed"
	"earshot/shared/filter"
)

// To add a case, write an alert's filters, and what they are without the keyword 7, "nord \"wind\"". Filters that are
// paused stay as they are.
func TestFiltersWithout(t *testing.T) {
	group := func(conditions string) string {
		return `{"operator":"AND","groups":[{"operator":"OR","conditions":[` + conditions + `]}]}`
	}
	for _, c := range []struct{ filters, want, change string }{
		{`{}`, `{}`, ""},
		{`{"keyword":[8,70]}`, `{"keyword":[8,70]}`, ""},
		{group(`{"keyword":[17]}`), group(`{"keyword":[17]}`), ""},
		{`{"keyword":[7,8],"engaged":true}`, `{"keyword":[8],"engaged":true}`, feed.KeywordRemoved},
		{`{"keyword":[8,7.0,70e-1]}`, `{"keyword":[8]}`, feed.KeywordRemoved},
		{`{"keyword":[7]}`, "", feed.Paused},
		{`{"\u006beyword":[7,7],"engaged":true}`, "", feed.Paused},
		{`{"keyword":[7],"text":["a"]}`, "", feed.Paused},
		{`{"keyword":[7,8],"!keyword":[7]}`, `{"keyword":[8],"!text":["nord \"wind\""]}`, feed.TextInstead},
		{`{"!keyword":[7]}`, `{"!text":["nord \"wind\""]}`, feed.TextInstead},
		{`{"!keyword":[7],"!text":["a"]}`, `{"!text":["a","nord \"wind\""]}`, feed.TextInstead},
		{`{"keyword":[7],"!keyword":[7,8]}`, "", feed.Paused},
		{group(`{"keyword":[9,7]},{"engaged":true}`), group(`{"keyword":[9]},{"engaged":true}`), feed.KeywordRemoved},
		{group(`{"!keyword":[7]},{"engaged":true}`), group(`{"!text":["nord \"wind\""]},{"engaged":true}`), feed.TextInstead},
		{group(`{"keyword":[7]}`), "", feed.Paused},
		{group(`{"keyword":[8,7]},{"keyword":[7]}`), "", feed.Paused},
	} {
		if c.want == "" {
			c.want = c.filters
		}
		got, change, named := feed.FiltersWithout([]byte(c.filters), 7, `nord "wind"`)
		if string(got) != c.want || change != c.change || named != (c.change != "") {
			t.Errorf("FiltersWithout(%s) = %s, %q, %t, want %s, %q", c.filters, got, change, named, c.want, c.change)
		}
	}
	for _, excluded := range []string{`{"!keyword":[7],"engaged":true}`, group(`{"!keyword":[7]},{"engaged":true}`)} {
		for _, text := range []string{"", " ", strings.Repeat("a", filter.MaxText+1)} {
			if got, change, _ := feed.FiltersWithout([]byte(excluded), 7, text); string(got) != excluded ||
				change != feed.Paused {
				t.Errorf("FiltersWithout(%s) with a text of %d characters = %s, %q, want it paused", excluded, len(text), got, change)
			}
		}
	}
}
