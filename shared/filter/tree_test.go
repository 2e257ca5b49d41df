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

// A phrase is in Words exactly if the predicate finds it in the texts. The predicate decides the same by them. Joiners
// make words of pictographs and what stands before them.
func TestWords_AgreeWithPredicate(t *testing.T) {
	text := rapid.StringOf(rapid.SampledFrom(
		[]rune("aaB ßÉé\u0301.,-'\x1f\x00\n\n\r\u0085\u2028\u200D\u200D\u00AD❤❤\uFE0F中K1 ")))
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
		want := filter.Compile(f).Mention(&m)
		if got != want {
			t.Errorf("Words(%q, %q) contain %q = %v, want %v", title, body, phrases[0], got, want)
		}
		var row filter.Row
		row.Fill(&m)
		if got := filter.Compile(f).RowWithWords(&row, filter.Words(m.Title, m.Body)); got != want {
			t.Errorf("RowWithWords(%q) of %q, %q = %v, want %v", value, title, body, got, want)
		}
	})
}

// A joiner makes one word of a pictograph and any character before it but a line break. So of all characters that are
// no part of a usual word, only a line break can stand between words.
func TestWords_JoinedPictographs(t *testing.T) {
	for _, before := range []string{"\x1f", "\x00", " ", "\u00A0", "|", "\n", "\r\n", "\u2028"} {
		body := "one " + before + "\u200D❤ two"
		m := worldtest.Mention(0, "post", worldtest.Now)
		m.Title, m.Body = nil, &body
		for _, value := range []string{"\u200D❤", "❤", before + "\u200D❤", "\u200D❤ two"} {
			written, err := json.Marshal(map[string][]string{"text": {value}})
			if err != nil {
				t.Fatal(err)
			}
			f, faults := filter.Parse(written)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			got := strings.Contains(filter.Words(m.Title, m.Body), filter.PhraseWords(f.Tree().Terms[0].Condition.Phrases[0]))
			if want := filter.Compile(f).Mention(&m); got != want {
				t.Errorf("Words(%q) contain %q = %v, want %v", body, value, got, want)
			}
		}
	}
}
