package filter_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/filter"
	"earshot/shared/worldtest"
)

func TestTree_Conditions(t *testing.T) {
	f, faults := filter.Parse([]byte(`{"operator":"OR","groups":[
		{"operator":"AND","conditions":[{"!source":["Reddit"]},{"sentiment":["unknown","negative"]}]},
		{"operator":"OR","conditions":[{"text":["Two  WORDS","???"]},{"engagement":[{"source":"X","metric":"likes","value":3}]}]}],
		"startDate":"2026-11-01"}`))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	want := filter.Term{Terms: []filter.Term{{Any: true, Terms: []filter.Term{
		{Terms: []filter.Term{
			{Condition: &filter.Condition{Key: filter.Source, Negated: true, Texts: []string{"reddit"}}},
			{Condition: &filter.Condition{Key: filter.Sentiment, Absent: true, Texts: []string{"Negative"}}},
		}},
		{Any: true, Terms: []filter.Term{
			{Condition: &filter.Condition{Key: filter.Text, Phrases: [][]string{{"two", "words"}}, Literals: []string{"???"}}},
			{Condition: &filter.Condition{Key: filter.Engagement, Counters: []filter.Bound{{"x", "likes", ">=", 3}}}},
		}},
	}}}}
	got := f.Tree()
	if fmt.Sprint(plain(t, got)) != fmt.Sprint(plain(t, want)) {
		t.Errorf("Tree() = %s, want %s", plain(t, got), plain(t, want))
	}
}

func plain(t *testing.T, term filter.Term) string {
	t.Helper()
	written, err := json.Marshal(term)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(written), "[]", "null")
}

// A phrase is in Words exactly if the predicate finds it in the texts.
func TestWords_AgreeWithPredicate(t *testing.T) {
	text := rapid.StringOf(rapid.SampledFrom([]rune("aB ßÉé\u0301.,-'\x1f\u00AD❤\uFE0F中K1 ")))
	rapid.Check(t, func(t *rapid.T) {
		m := worldtest.Mention(0, "post", worldtest.Now)
		title, body, value := text.Draw(t, "title"), text.Draw(t, "body"), text.Draw(t, "value")
		m.Title, m.Body = nil, &body
		if rapid.Bool().Draw(t, "titled") {
			m.Title = &title
		}
		written, err := json.Marshal(map[string][]string{"text": {value}})
		if err != nil {
			t.Fatal(err)
		}
		f, faults := filter.Parse(written)
		if len(faults) > 0 {
			t.Skip("no value of a text")
		}
		phrases := f.Tree().Terms[0].Condition.Phrases
		if len(phrases) == 0 {
			t.Skip("no word")
		}
		got := strings.Contains(filter.Words(m.Title, m.Body), filter.PhraseWords(phrases[0]))
		if want := filter.Compile(f).Mention(&m); got != want {
			t.Errorf("Words(%q, %q) contain %q = %v, want %v", title, body, phrases[0], got, want)
		}
	})
}
