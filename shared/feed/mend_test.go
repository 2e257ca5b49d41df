package feed_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"earshot/shared/feed"
	"earshot/shared/filter"
)

// To add a case, write both sides of a feed, and what they are without the keyword 7, "nord \"wind\"".
func TestWithout(t *testing.T) {
	const text = `nord "wind"`
	group := func(conditions string) string {
		return `{"operator":"AND","groups":[{"operator":"OR","conditions":[` + conditions + `]}]}`
	}
	// The keyword's text in a group of its own, alone and behind another group.
	const own = `{"operator":"AND","groups":[{"operator":"AND","conditions":[{"text":["nord \"wind\""]}]}]}`
	withOwn := func(conditions string) string {
		return `{"operator":"AND","groups":[{"operator":"OR","conditions":[` + conditions + `]},` +
			`{"operator":"AND","conditions":[{"text":["nord \"wind\""]}]}]}`
	}
	const either = `{"operator":"OR","groups":[{"operator":"OR","conditions":[{"engaged":true}]},{"operator":"OR","conditions":[{"tag":["hiring"]}]}]}`
	full := `["a"` + strings.Repeat(`,"a"`, filter.MaxValues-1) + `]`
	for _, c := range []struct{ simple, advanced, wantSimple, wantAdvanced, change string }{
		{``, ``, ``, ``, ""},
		{`{}`, ``, `{}`, ``, ""},
		{`{"keyword":[8,70,77]}`, group(`{"keyword":[17]}`), `{"keyword":[8,70,77]}`, group(`{"keyword":[17]}`), ""},
		{`{"text":["7"],"relevance":[1]}`, ``, `{"text":["7"],"relevance":[1]}`, ``, ""},
		{`{"keyword":[7,8]}`, ``, `{"keyword":[8]}`, ``, feed.KeywordRemoved},
		{`{"keyword":[8,7.0,9,70e-1,7]}`, ``, `{"keyword":[8,9]}`, ``, feed.KeywordRemoved},
		{`{"source":["REDDIT"],"keyword":[7],"engaged":true}`, ``,
			`{"source":["REDDIT"],"text":["nord \"wind\""],"engaged":true}`, ``, feed.TextInstead},
		{`{"!keyword":[7,7]}`, ``, `{"!text":["nord \"wind\""]}`, ``, feed.TextInstead},
		{`{"keyword":[7],"text":["a"]}`, ``, `{"text":["a"]}`, own, feed.TextInstead},
		{`{"keyword":[7],"text":["a"]}`, group(`{"engaged":true}`), `{"text":["a"]}`, withOwn(`{"engaged":true}`),
			feed.TextInstead},
		{`{"keyword":[7],"text":["a"]}`, group(`{"keyword":[7]}`), `{"text":["a"]}`, withOwn(`{"text":["nord \"wind\""]}`),
			feed.TextInstead},
		{`{"keyword":[7],"text":["a"]}`,
			`{"operator":"OR","groups":[{"operator":"OR","conditions":[{"engaged":true}]}],"endDate":"2026-11-01"}`,
			`{"text":["a"]}`, strings.TrimSuffix(withOwn(`{"engaged":true}`), "}") + `,"endDate":"2026-11-01"}`,
			feed.TextInstead},
		{`{"keyword":[7],"text":["a"]}`, either, `{"text":["a"]}`, either, feed.KeywordRemoved},
		{`{"!keyword":[7],"!text":["a"]}`, ``, `{"!text":["a","nord \"wind\""]}`, ``, feed.TextInstead},
		{`{"!keyword":[7],"!text":` + full + `}`, ``, `{"!text":` + full + `}`, strings.Replace(own, "text", "!text", 1),
			feed.TextInstead},
		{`{"keyword":[7],"text":["a"],"!keyword":[7],"!text":["b"]}`, ``, `{"text":["a"],"!text":["b","nord \"wind\""]}`, own,
			feed.TextInstead},
		{`{"keyword":[7],"!text":["a"]}`, ``, `{"text":["nord \"wind\""],"!text":["a"]}`, ``, feed.TextInstead},
		{`{"keyword":[7,8],"!keyword":[7]}`, ``, `{"keyword":[8],"!text":["nord \"wind\""]}`, ``, feed.TextInstead},
		{`{"\u006beyword":[7,8.0],"so\u0075rce":["\u0072eddit"]}`, ``, `{"\u006beyword":[8.0],"so\u0075rce":["\u0072eddit"]}`,
			``, feed.KeywordRemoved},
		{``, group(`{"keyword":[7]},{"engaged":true}`), ``, group(`{"text":["nord \"wind\""]},{"engaged":true}`),
			feed.TextInstead},
		{``, group(`{"!keyword":[7]},{"text":["a"]},{"keyword":[9,7]}`), ``,
			group(`{"!text":["nord \"wind\""]},{"text":["a"]},{"keyword":[9]}`), feed.TextInstead},
		{`{"keyword":[7,9]}`, group(`{"keyword":[9,7]}`), `{"keyword":[9]}`, group(`{"keyword":[9]}`), feed.KeywordRemoved},
		{`{"keyword":[7,9]}`, group(`{"keyword":[7]}`), `{"keyword":[9]}`, group(`{"text":["nord \"wind\""]}`),
			feed.TextInstead},
	} {
		f := feed.Feed{ID: 3, Name: "n", SimpleFilters: []byte(c.simple), AdvancedFilters: []byte(c.advanced)}
		got, change, named := f.Without(7, text)
		if string(got.SimpleFilters) != c.wantSimple || string(got.AdvancedFilters) != c.wantAdvanced || change != c.change ||
			named != (c.change != "") {
			t.Errorf("%s %s:\ngot  %s %s %q %v\nwant %s %s %q", c.simple, c.advanced, got.SimpleFilters, got.AdvancedFilters,
				change, named, c.wantSimple, c.wantAdvanced, c.change)
		}
		if got.ID != 3 || got.Name != "n" || string(f.SimpleFilters) != c.simple || string(f.AdvancedFilters) != c.advanced {
			t.Errorf("%s %s: something else was changed", c.simple, c.advanced)
		}
	}
}

// A keyword that no filter can hold as a text leaves nothing behind, not even an empty group.
func TestWithout_UnstorableText(t *testing.T) {
	long := strings.Repeat("a", filter.MaxText+1)
	for _, text := range []string{"", " ", long, "\xff"} {
		f := feed.Feed{SimpleFilters: []byte(`{"keyword":[7],"engaged":true}`), AdvancedFilters: []byte(
			`{"operator":"AND","groups":[{"operator":"OR","conditions":[{"keyword":[7]}]},{"operator":"OR","conditions":[{"engaged":true},{"!keyword":[7]}]}]}`)}
		got, change, named := f.Without(7, text)
		if string(got.SimpleFilters) != `{"engaged":true}` || change != feed.KeywordRemoved || !named ||
			string(got.AdvancedFilters) != `{"operator":"AND","groups":[{"operator":"OR","conditions":[{"engaged":true}]}]}` {
			t.Errorf("%.9q: %s %s %s", text, got.SimpleFilters, got.AdvancedFilters, change)
		}
		f = feed.Feed{AdvancedFilters: []byte(
			`{"operator":"AND","groups":[{"operator":"OR","conditions":[{"keyword":[7]}]}]}`)}
		if got, _, _ := f.Without(7, text); got.AdvancedFilters != nil {
			t.Errorf("%.9q: %s", text, got.AdvancedFilters)
		}
	}
}

// The longest text that a filter can hold replaces its keyword.
func TestWithout_LongestText(t *testing.T) {
	longest := strings.Repeat("é", filter.MaxText)
	got, change, _ := feed.Feed{SimpleFilters: []byte(`{"keyword":[7]}`)}.Without(7, longest)
	if _, faults := filter.ParseSimple(got.SimpleFilters); change != feed.TextInstead || len(faults) > 0 {
		t.Errorf("Without(7, %d characters) = %s and %s, with faults %v", filter.MaxText, got.SimpleFilters, change, faults)
	}
}

// What the store has of another grammar stays as it is.
func TestWithout_OtherGrammar(t *testing.T) {
	for _, raw := range []string{`[`, `[7]`, `7`, `null`, `{"keyword"`, `{"keyword":7}`, `{"keyword":{"7":7}}`,
		`{"groups":7}`, `{"groups":[7]}`,
		`{"groups":[{"conditions":7}]}`, `{"groups":[{"conditions":[7,{"keyword":[7],"text":["a"]}]}]}`,
		`{"groups":[{"conditions":[]}]}`, `{"groups":[]}`} {
		f := feed.Feed{SimpleFilters: []byte(raw), AdvancedFilters: []byte(raw)}
		got, _, named := f.Without(7, "a")
		if named || string(got.SimpleFilters) != raw || string(got.AdvancedFilters) != raw {
			t.Errorf("%s: %s %s", raw, got.SimpleFilters, got.AdvancedFilters)
		}
	}
}

// ids draws the value of a condition on keywords, in any spelling.
var ids = rapid.Custom(func(t *rapid.T) string {
	spelled := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		id := rapid.IntRange(6, 9).Draw(t, "id")
		return fmt.Sprintf(rapid.SampledFrom([]string{"%d", "%d.0", "%de0", "%d00E-2"}).Draw(t, "spelling"), id)
	}), 1, 4).Draw(t, "ids")
	return "[" + strings.Join(spelled, ",") + "]"
})

var condition = rapid.Custom(func(t *rapid.T) [2]string {
	not := rapid.SampledFrom([]string{"", "!"}).Draw(t, "not")
	key := rapid.SampledFrom([]string{"keyword", "keyword", "text", "source", "engaged"}).Draw(t, "key")
	value := map[string]string{"text": `["a b"]`, "source": `["reddit","X"]`, "engaged": "true"}[key]
	if key == "keyword" {
		value = ids.Draw(t, "value")
	}
	return [2]string{not + key, value}
})

// side draws a filter, as it is written, of one form.
func side(t *rapid.T, advanced bool) string {
	if rapid.IntRange(0, 4).Draw(t, "none") == 0 {
		return ""
	}
	if !advanced {
		drawn := rapid.SliceOfNDistinct(condition, 0, 5, func(c [2]string) string { return c[0] }).Draw(t, "conditions")
		members := make([]string, len(drawn))
		for i, one := range drawn {
			members[i] = fmt.Sprintf("%q:%s", one[0], one[1])
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	groups := make([]string, rapid.IntRange(1, 3).Draw(t, "groups"))
	for i := range groups {
		var conditions []string
		for _, one := range rapid.SliceOfN(condition, 1, 4).Draw(t, "conditions") {
			conditions = append(conditions, fmt.Sprintf("{%q:%s}", one[0], one[1]))
		}
		groups[i] = `{"operator":"OR","conditions":[` + strings.Join(conditions, ",") + `]}`
	}
	operator := rapid.SampledFrom([]string{"AND", "OR"}).Draw(t, "operator")
	return fmt.Sprintf(`{"operator":%q,"groups":[%s]}`, operator, strings.Join(groups, ","))
}

// Whatever the filters and the keyword's text, what is left is a filter of no more conditions, which does not name the
// keyword; it names all others; doing it twice is doing it once; and the feed does not weigh more than was foreseen.
func TestWithout_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := feed.Feed{SimpleFilters: []byte(side(t, false)), AdvancedFilters: []byte(side(t, true))}
		text := rapid.OneOf(
			rapid.StringOfN(rapid.RuneFrom(nil, unicode.L, unicode.P, unicode.S, unicode.Z), 0, 100, -1),
			rapid.SampledFrom([]string{
				"northwind", "???", "\u00ad", `"<&>\`, strings.Repeat("<", 100), strings.Repeat(`\`, 100),
			}),
		).Draw(t, "text")
		got, change, named := f.Without(7, text)
		conditions, atMost := 0, 0
		for _, c := range []struct {
			before, after []byte
			parse         func([]byte) (filter.Filter, []filter.Fault)
		}{{f.SimpleFilters, got.SimpleFilters, filter.ParseSimple}, {f.AdvancedFilters, got.AdvancedFilters, filter.ParseAdvanced}} {
			var before, after filter.Filter
			var faults []filter.Fault
			if len(c.before) > 0 {
				if before, faults = c.parse(c.before); len(faults) > 0 {
					t.Fatalf("parse(%s) has the faults %v, want none", c.before, faults)
				}
			}
			if len(c.after) > 0 {
				if after, faults = c.parse(c.after); len(faults) > 0 {
					t.Fatalf("parse(%s) has the faults %v, want none", c.after, faults)
				}
			}
			left := slices.DeleteFunc(before.Keywords(), func(id int64) bool { return id == 7 })
			if !slices.Equal(after.Keywords(), left) {
				t.Fatalf("%s became %s", c.before, c.after)
			}
			conditions, atMost = conditions+after.Conditions(), atMost+before.Conditions()
			if strings.Contains(change, feed.TextInstead) && len(c.after) == 0 && len(c.before) > 0 {
				t.Fatalf("%s is gone", c.before)
			}
			if named == (change == "") || !named && string(c.before) != string(c.after) {
				t.Fatalf("%s became %s: %q", c.before, c.after, change)
			}
		}
		if conditions > atMost {
			t.Fatalf("Without(7, %q) = %s and %s, with %d conditions, want at most %d", text, got.SimpleFilters,
				got.AdvancedFilters, conditions, atMost)
		}
		if again, _, twice := got.Without(7, text); twice ||
			string(again.SimpleFilters)+string(again.AdvancedFilters) != string(got.SimpleFilters)+string(got.AdvancedFilters) {
			t.Fatal("it is there still")
		}
		if got.Weight() > f.Weight() {
			t.Fatalf("it weighs %d, %d before", got.Weight(), f.Weight())
		}
	})
}

// What a feed weighs is no less than what it is on its way, however it is spelled.
func TestWeight_UpperBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("a<>&\"\\\u2028\u00e9 \t"))).Draw(t, "text")
		texts := rapid.SliceOfN(rapid.Just(text), 0, 20).Draw(t, "texts")
		written, err := json.Marshal(map[string][]string{"text": {text}})
		if err != nil {
			t.Fatal(err)
		}
		f := feed.Feed{
			Name:          text,
			Icon:          text,
			SimpleFilters: written,
			Destinations:  []feed.Destination{{Emails: texts}, {Channels: texts}, {URL: text, Timezone: text}},
		}
		answer, err := json.Marshal(map[string]any{"name": text, "icon": text, "simpleFilters": json.RawMessage(written),
			"destinations": []any{
				map[string]any{"emails": texts}, map[string]any{"channels": texts}, map[string]any{"url": text, "timezone": text}}})
		if err != nil {
			t.Fatal(err)
		}
		event, err := json.Marshal(string(answer))
		if err != nil {
			t.Fatal(err)
		}
		if f.Weight() < len(event) {
			t.Fatalf("%d, and %d on the way", f.Weight(), len(event))
		}
	})
}

// The texts that take the most room on their way, of a feed that has little else.
func TestWeight_Heaviest(t *testing.T) {
	heavy := strings.Repeat("\u2028", 80)
	for _, texts := range [][]string{slices.Repeat([]string{heavy}, 20),
		slices.Repeat([]string{strings.Repeat("\"", 80)}, 20), slices.Repeat([]string{strings.Repeat("<", 80)}, 20)} {
		var answer strings.Builder
		encoder := json.NewEncoder(&answer)
		encoder.SetEscapeHTML(false) // as the API writes it; a Lambda's answer is escaped again
		if err := encoder.Encode(texts); err != nil {
			t.Fatal(err)
		}
		event, err := json.Marshal(answer.String())
		if err != nil {
			t.Fatal(err)
		}
		f := feed.Feed{Destinations: []feed.Destination{{Channels: texts}}}
		if f.Weight() < len(event) {
			t.Errorf("%q: %d, and %d on the way", texts[0][:3], f.Weight(), len(event))
		}
	}
	var conditions []string
	for range 50 {
		conditions = append(conditions, `{"\u006beyword":[7]}`)
	}
	spelled := feed.Feed{AdvancedFilters: []byte(`{"operator":"AND","groups":[{"operator":"OR","conditions":[` +
		strings.Join(conditions, ",") + `]}]}`)}
	if mended, _, _ := spelled.Without(7, strings.Repeat("<", 100)); mended.Weight() > spelled.Weight() {
		t.Errorf("it weighs %d without the keyword, %d before", mended.Weight(), spelled.Weight())
	}
}
