package query_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/query"
	"earshot/shared/source"
)

func TestLive(t *testing.T) {
	many := make([]string, 12)
	for i := range many {
		many[i] = fmt.Sprintf("w%d", i)
	}
	long := strings.Repeat("lantern ", 20)
	for _, c := range []struct {
		name, text string
		source     string
		also, most int
		want       []string // phrases of each ask, joined by +
		missed     []int
	}{
		{"one word", "acme -jobs lang:en", "hackernews", 0, 3, []string{"acme"}, nil},
		{"the phrase says most", `the acme "acme cloud" title:x`, "hackernews", 0, 3, []string{"acme cloud"}, nil},
		{"function words say nothing", `"to be or not" lantern`, "hackernews", 0, 3, []string{"lantern"}, nil},
		{"letters of unspaced scripts say more", "tower 東京都", "hackernews", 0, 3, []string{"東京都"}, nil},
		{"also", `acme "acme cloud" lantern -x`, "hackernews", 1, 3, []string{"acme cloud+lantern"}, nil},
		{"or", "acme OR title:lantern", "hackernews", 3, 3, []string{"acme", "lantern"}, nil},
		{"covered", "acme cloud OR acme OR lantern acme", "hackernews", 3, 3, []string{"acme"}, nil},
		{"covered once cut", "lantern a OR lantern b", "hackernews", 0, 3, []string{"lantern"}, nil},
		{"joined", "acme a1 OR acme a2 OR b acme OR z", "hackernews", 3, 2, []string{"acme", "z"}, nil},
		{"over budget", "a1 OR b1 OR c1 d1", "hackernews", 3, 2, []string{"a1", "b1"}, []int{2}},
		{"bounded", strings.Join(many, " OR "), "hackernews", 0, 100, many[:query.MaxAsks], []int{8, 9, 10, 11}},
		{"no text", "acme OR author:jane", "hackernews", 0, 3, []string{"acme"}, []int{1}},
		{"signs", `":)" OR acme`, "hackernews", 0, 3, []string{"acme"}, []int{0}},
		{"elsewhere", "a source:reddit OR b -source:hackernews OR c source:hackernews", "hackernews", 0, 3, []string{"c"},
			nil},
		{"Bluesky's two ways", "a source:firehose", "bluesky", 0, 3, []string{"a"}, nil},
		{"comments", "a source:reddit_comment OR b source:reddit", "reddit", 0, 3, []string{"b"}, nil},
		{"long", `"` + long + `"`, "hackernews", 0, 3, []string{strings.TrimSpace(long[:96])}, nil},
		{"long without a blank", strings.Repeat("é", 101) + " OR x", "hackernews", 0, 3, []string{"x"}, []int{0}},
	} {
		plan := parsed(t, c.text).Live(source.About{Name: c.source, Also: c.also, Max: 100}, c.most)
		var got []string
		for _, ask := range plan.Asks {
			got = append(got, strings.Join(append([]string{ask.Text}, ask.Also...), "+"))
			if !ask.Exact {
				t.Errorf("%s: Live asks for %q anywhere in words, want whole words", c.name, ask.Text)
			}
		}
		if !slices.Equal(got, c.want) || !slices.Equal(plan.Missed, c.missed) || plan.Skipped != "" {
			t.Errorf("%s: Live(%q) = %q, missed %v %q, want %q, missed %v", c.name, c.text, got, plan.Missed, plan.Skipped,
				c.want, c.missed)
		}
	}
}

func TestLive_Skipped(t *testing.T) {
	for _, c := range []struct {
		text   string
		about  source.About
		most   int
		reason string
	}{
		{"acme", source.About{Name: "newsletter", Stream: true}, 3, "Newsletters is read as a stream"},
		{"acme", source.About{Name: "linkedin"}, 3, "LinkedIn's API"},
		{"acme source:reddit", source.About{Name: "hackernews"}, 3, "The query's source: terms leave out Hacker News."},
		{"author:jane", source.About{Name: "hackernews"}, 3, "the query has none"},
		{"acme", source.About{Name: "hackernews"}, 0, "No search of Hacker News is left"},
		{"acme", source.About{Name: "hackernews"}, -1, "No search of Hacker News is left"},
	} {
		plan := parsed(t, c.text).Live(c.about, c.most)
		if len(plan.Asks) > 0 || !strings.Contains(plan.Skipped, c.reason) || !strings.HasSuffix(plan.Skipped, ".") {
			t.Errorf("Live(%q) of %s = %+v, want no asks because %q", c.text, c.about.Name, plan, c.reason)
		}
	}
}

// Every post that a query matches on a platform has all phrases of an ask, or only alternatives that are missed.
func TestLive_Finds(t *testing.T) {
	all := subjects(60)
	rapid.Check(t, func(t *rapid.T) {
		want := drawQuery(t, all)
		q, faults := query.Parse(written(want))
		if len(faults) > 0 {
			t.Fatalf("%+v", faults)
		}
		about := source.About{
			Name: rapid.SampledFrom([]string{"reddit", "hackernews", "github", "bluesky"}).Draw(t, "platform"),
			Also: rapid.IntRange(0, 3).Draw(t, "also"),
		}
		most := rapid.IntRange(0, 3).Draw(t, "most")
		plan := q.Live(about, most)
		if len(plan.Asks) > most || len(plan.Asks) == 0 != (plan.Skipped != "") {
			t.Fatalf("Live(%q, %d) = %+v", q, most, plan)
		}
		for _, s := range all {
			if s.post.Source != about.Name || about.Name == "reddit" && s.post.IsReply {
				continue
			}
			for i, terms := range want {
				if !s.meets([][]wanted{terms}) || slices.Contains(plan.Missed, i) {
					continue
				}
				if !slices.ContainsFunc(plan.Asks, func(ask source.Query) bool {
					return !slices.ContainsFunc(append([]string{ask.Text}, ask.Also...), func(phrase string) bool {
						return len(ask.Also) > about.Also || !s.has(wanted{text: phrase})
					})
				}) {
					t.Fatalf("Live(%q) of %s = %+v: no ask finds %q of alternative %d", q, about.Name, plan, texts(&s.post), i)
				}
			}
		}
	})
}

// Terms are in the query's order, without negated ones, and each once.
func TestTerms(t *testing.T) {
	q := parsed(t, `acme "acme cloud" -jobs title:acme author:jane OR title:"new lantern" acme -title:x`)
	if got, want := q.Terms(), []string{"acme", "acme cloud", "new lantern"}; !reflect.DeepEqual(got, want) {
		t.Errorf("Terms() = %q, want %q", got, want)
	}
}
