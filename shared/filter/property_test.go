package filter_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

// Few values each, so that filters and mentions meet.
var (
	someSources = []string{"twitter", "TWITTER", "reddit", "hackernews"}
	someWords   = []string{"alpha", "Beta", "STRASSE", "Straße", "caf\u00e9", "Cafe\u0301", "gamma", "4", "x"}
	someHandles = []string{"quietharbor", "QuietHarbor", "@nightferry", "Ünal", "ünal"}
	someMetrics = []string{"likes", "views"}
	someMoments = []string{"2026-11-01T00:00:00Z", "2026-11-02 12:00:00.500", "2026-11-03T01:00:00+01:00",
		"2026-11-04", "2026-11-09T00:00:00Z"}
	someKeywords = rapid.IntRange(1, 4)
)

func texts(values ...string) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any { return rapid.SampledFrom(values).Draw(t, "value") })
}

func numbers(g *rapid.Generator[int]) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any { return g.Draw(t, "number") })
}

// orNone draws a number, or the text that stands for a missing one.
func orNone(of *rapid.Generator[any]) *rapid.Generator[any] { return rapid.OneOf(of, texts("none")) }

func some(of *rapid.Generator[any]) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any { return rapid.SliceOfN(of, 1, 3).Draw(t, "values") })
}

func sentence(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(someWords), 1, 5).Draw(t, "words"),
		rapid.SampledFrom([]string{" ", ", ", " – "}).Draw(t, "between"))
}

// values draws the value of each key.
var values = map[string]*rapid.Generator[any]{
	"source":    some(texts(someSources...)),
	"sentiment": some(texts("positive", "neutral", "negative", "unknown")),
	"keyword":   some(orNone(numbers(someKeywords))),
	"language":  some(texts("de", "german", "EN", "undetermined")),
	"tag":       some(texts("buy_intent", "hiring", "pricing", "none")),
	"relevance": some(orNone(numbers(rapid.IntRange(0, 2)))),
	"postType":  some(texts("top-level", "reply")), "reviewRating": some(numbers(rapid.IntRange(1, 5))),
	"engaged":       rapid.Custom(func(t *rapid.T) any { return rapid.Bool().Draw(t, "flag") }),
	"author":        some(texts(someHandles...)),
	"text":          some(rapid.Custom(func(t *rapid.T) any { return sentence(t) })),
	"minXFollowers": numbers(rapid.IntRange(0, 3)), "maxXFollowers": numbers(rapid.IntRange(0, 3)),
	"engagement": some(rapid.Custom(func(t *rapid.T) any {
		wanted := map[string]any{"source": rapid.SampledFrom(someSources).Draw(t, "source"),
			"metric": rapid.SampledFrom(someMetrics).Draw(t, "metric"),
			"value":  rapid.IntRange(0, 3).Draw(t, "value")}
		if operator := rapid.SampledFrom([]string{"", ">=", "<=", "=", "equals"}).Draw(t, "operator"); operator != "" {
			wanted["operator"] = operator
		}
		return wanted
	})),
}

func drawCondition(t *rapid.T, into map[string]any) {
	names := make([]string, 0, len(values))
	for _, d := range filter.Definitions() {
		names = append(names, string(d.Key))
	}
	name := rapid.SampledFrom(names).Draw(t, "key")
	into[rapid.SampledFrom([]string{"", "!"}).Draw(t, "not")+name] = values[name].Draw(t, name)
}

func drawForm(t *rapid.T) map[string]any {
	form := map[string]any{}
	operator := rapid.SampledFrom([]string{"AND", "OR"})
	if rapid.Bool().Draw(t, "advanced") {
		form["operator"] = operator.Draw(t, "operator")
		var groups []any
		for range rapid.IntRange(1, 3).Draw(t, "groups") {
			var conditions []any
			for range rapid.IntRange(1, 30).Draw(t, "conditions") {
				condition := map[string]any{}
				drawCondition(t, condition)
				conditions = append(conditions, condition)
			}
			groups = append(groups, map[string]any{"operator": operator.Draw(t, "operator"), "conditions": conditions})
		}
		form["groups"] = groups
	} else {
		for range rapid.IntRange(0, 3).Draw(t, "keys") {
			drawCondition(t, form)
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "dated") == 0 {
		start := rapid.IntRange(0, len(someMoments)-2).Draw(t, "start")
		given := rapid.SampledFrom([]string{"both", "start", "end"}).Draw(t, "given")
		if given != "end" {
			form["startDate"] = someMoments[start]
		}
		if given != "start" {
			form["endDate"] = someMoments[rapid.IntRange(start+1, len(someMoments)-1).Draw(t, "end")]
		}
	}
	return form
}

func maybe[V any](t *rapid.T, draw func() V) *V {
	if rapid.IntRange(0, 3).Draw(t, "missing") == 0 {
		return nil
	}
	value := draw()
	return &value
}

func drawMention(t *rapid.T) *mention.Mention {
	posted := momentOf(rapid.SampledFrom(someMoments).Draw(t, "posted"))
	m := &mention.Mention{
		ID: 1, SourceID: "reddit_post_1", Source: rapid.SampledFrom(someSources).Draw(t, "source"),
		PostedAt:        posted.Add(time.Duration(rapid.IntRange(-1, 1).Draw(t, "off")) * time.Millisecond),
		Sentiment:       rapid.SampledFrom(append(mention.Sentiments(), "")).Draw(t, "sentiment"),
		Language:        rapid.SampledFrom([]string{"german", "english", ""}).Draw(t, "language"),
		Tags:            rapid.SliceOfN(rapid.SampledFrom([]mention.Tag{"buy_intent", "hiring", "event"}), 0, 2).Draw(t, "tags"),
		Engaged:         rapid.Bool().Draw(t, "engaged"),
		IsReply:         rapid.Bool().Draw(t, "reply"),
		Title:           maybe(t, func() string { return sentence(t) }),
		Body:            maybe(t, func() string { return sentence(t) }),
		Author:          maybe(t, func() string { return rapid.SampledFrom(someHandles).Draw(t, "author") }),
		AuthorFollowers: maybe(t, func() int64 { return int64(rapid.IntRange(0, 4).Draw(t, "followers")) }),
		RelevanceScore:  maybe(t, func() mention.Score { return mention.Score(rapid.IntRange(0, 2).Draw(t, "score")) }),
		Review: maybe(t, func() mention.Review {
			return mention.Review{Rating: float64(rapid.IntRange(1, 24).Draw(t, "rating")) / 4}
		}),
		Engagement: map[string]int64{},
	}
	for _, id := range rapid.SliceOfN(someKeywords, 0, 2).Draw(t, "keywords") {
		m.Keywords = append(m.Keywords, mention.Keyword{ID: int64(id)})
	}
	for _, metric := range someMetrics {
		if count := maybe(t, func() int64 { return int64(rapid.IntRange(0, 4).Draw(t, "count")) }); count != nil {
			m.Engagement[metric] = *count
		}
	}
	return m
}

func compact(t interface{ Fatal(...any) }, form map[string]any) filter.Filter {
	raw, err := json.Marshal(form)
	if err != nil {
		t.Fatal(err)
	}
	parsed, faults := filter.Parse(raw)
	if len(faults) > 0 {
		t.Fatal(fmt.Sprintf("Parse(%s) has the faults %v, want none", raw, faults))
	}
	return parsed
}

// A predicate answers as the reference does, a row never refuses what the mention satisfies, and what it lets pass does match
// where no text is in question.
func TestPredicate_AgreesWithReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		form, other := drawForm(t), drawForm(t)
		one := compact(t, form)
		p, both := filter.Compile(one), filter.Compile(filter.And(one, compact(t, other)))
		for range 10 {
			m := drawMention(t)
			want := reference(form, m)
			if got := p.Mention(m); got != want {
				t.Fatalf("%v\n%+v\n%v, want %v", form, m, got, want)
			}
			if got := both.Mention(m); got != (want && reference(other, m)) {
				t.Fatalf("%v\n%v\n%+v\n%v", form, other, m, got)
			}
			var row filter.Row
			row.Fill(m)
			for _, words := range [][]byte{filter.Digest(m.Title, m.Body), nil} {
				row.Words = words
				switch possible := p.Row(&row); {
				case !possible && want:
					t.Fatalf("%v\n%+v\nthe row is refused", form, m)
				case possible && !want && !p.NeedsText():
					t.Fatalf("%v\n%+v\nthe row is let pass", form, m)
				}
			}
		}
	})
}

// Of a condition and its negation, one holds.
func TestPredicate_Negation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		form := map[string]any{}
		drawCondition(t, form)
		opposite := map[string]any{}
		for name, value := range maps.All(form) {
			if plain, negated := strings.CutPrefix(name, "!"); negated {
				opposite[plain] = value
			} else {
				opposite["!"+name] = value
			}
		}
		m := drawMention(t)
		if filter.Compile(compact(t, form)).Mention(m) == filter.Compile(compact(t, opposite)).Mention(m) {
			t.Fatalf("%v and %v agree on %+v", form, opposite, m)
		}
	})
}
