package wizard_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/filter"
	"earshot/shared/wizard"
)

// now is a Friday.
var now = time.Date(2026, 11, 20, 10, 15, 0, 0, time.UTC)

var workspace = wizard.Workspace{
	Keywords: []wizard.Named{
		{ID: 1, Name: "Northwind"}, {ID: 2, Name: "Lanternpage"}, {ID: 5, Name: "Bluesky"}, {ID: 6, Name: "pricing page"},
	},
	Feeds: []wizard.Named{{ID: 11, Name: "Brand"}, {ID: 12, Name: "Twice"}, {ID: 13, Name: "twice"}},
}

func TestUnderstand(t *testing.T) {
	for request, want := range map[string]string{
		"negative Bluesky posts":              "A keyword has the name",
		"negative posts on bluesky":           `{"sentiment":["negative"],"source":["bluesky"]}`,
		"posts about bluesky":                 `{"keyword":[5]}`,
		"pricing page mentions":               `{"keyword":[6]}`,
		"the feed twice":                      "Several feeds have this name",
		"brand":                               `Not understood: "brand"`,
		"no negative tweets":                  "Two things follow",
		"reddit, northwind or more than 5k":   "Not understood",
		"reddit positive or lanternpage":      `It is unclear what "or" joins`,
		"positive, not positive":              "both wants and excludes",
		"since monday until last week":        "nothing in common",
		"posts not from last week":            "A time cannot be excluded",
		"200+ likes":                          "Name one platform",
		"top 101":                             "1 to 100 mentions",
		"posts about the new york office":     `Not understood: "york", "office"`,
		"replies to @alice":                   `Not understood: "alice"`,
		"tweets on mondays":                   `Not understood: "mondays"`,
		"mentions sorted by likes":            `Not understood: "sorted", "likes"`,
		"top 10 authors":                      `Not understood: "top"`,
		"tweets from northwind":               "unclear whether a keyword",
		"tweets by northwind":                 `{"author":["northwind"],"source":["twitter"]}`,
		"posts tagged \"foo\"":                `Not understood: "foo"`,
		"february 30":                         `Not understood: "february"`,
		"next month":                          `Not understood: "next", "month"`,
		"please":                              "names nothing to show",
		"":                                    "names nothing to show",
		"everything not":                      "unclear what to exclude",
		"a\x00b":                              "cannot be read",
		"negative \u202emsalg":                "cannot be read",
		strings.Repeat("reddit ", 200):        "too long",
		`"` + strings.Repeat("a", 201) + `"`:  "at most 200 characters",
		"reddit es_01ab_5ecretsecret":         "A part of the request is not understood",
		"mentioning \"es_01ab_5ecretsecret\"": `{"text":["es_01ab_5ecretsecret"]}`,
	} {
		got := wizard.Understand(request, workspace, now)
		if !strings.Contains(got.Filters+got.Explanation, want) || strings.Contains(got.Explanation, "5ecret") {
			t.Errorf("Understand(%.40q) = %s, %q, want %s", request, got.Filters, got.Explanation, want)
		}
	}
}

// Mentions that are not relevant are wanted beside the others or alone, and the explanation says which.
func TestUnderstand_Irrelevant(t *testing.T) {
	const alone = `{"relevance":[2,"none"]}`
	for request, want := range map[string]string{
		"irrelevant ones too":                "{}",
		"negative tweets, irrelevant too":    `{"sentiment":["negative"],"source":["twitter"]}`,
		"also irrelevant mentions":           "{}",
		"relevant and irrelevant mentions":   "{}",
		"both relevant and not relevant":     "{}",
		"relevant or irrelevant from reddit": `{"source":["reddit"]}`,
		"irrelevant and relevant posts":      "{}",
		"including irrelevant":               "{}",
		"irrelevant only":                    alone,
		"not relevant":                       alone,
		"not relevant, from reddit":          `{"relevance":[2,"none"],"source":["reddit"]}`,
		"reddit and irrelevant":              `{"relevance":[2,"none"],"source":["reddit"]}`,
		"relevant mentions from reddit":      `{"source":["reddit"]}`,
	} {
		got := wizard.Understand(request, workspace, now)
		if got.Filters != want || got.IncludeAll != (request != "relevant mentions from reddit") {
			t.Errorf("Understand(%q) = %s, all %v, want %s", request, got.Filters, got.IncludeAll, want)
		}
		if also := strings.Contains(got.Explanation, "also those"); also != (got.IncludeAll && !strings.Contains(want, "relevance")) {
			t.Errorf("Understand(%q) explains: %s", request, got.Explanation)
		}
	}
}

// Times follow the day, also at the ends of months and years, in any zone.
func TestUnderstand_Times(t *testing.T) {
	for _, c := range []struct{ now, request, want string }{
		{"2026-11-23T00:00:00Z", "last week", `{"endDate":"2026-11-23","startDate":"2026-11-16"}`}, // a Monday
		{"2026-11-22T23:59:59Z", "last week", `{"endDate":"2026-11-16","startDate":"2026-11-09"}`},
		{"2026-11-23T09:00:00Z", "since monday", `{"startDate":"2026-11-16"}`},
		{"2026-11-23T09:00:00Z", "monday", `{"endDate":"2026-11-24","startDate":"2026-11-23"}`},
		{"2026-11-22T09:00:00Z", "weekend", `{"endDate":"2026-11-23","startDate":"2026-11-21"}`},
		{"2026-01-01T00:30:00Z", "yesterday", `{"endDate":"2026-01-01","startDate":"2025-12-31"}`},
		{"2026-01-05T09:00:00Z", "in december", `{"endDate":"2026-01-01","startDate":"2025-12-01"}`},
		{"2026-01-05T09:00:00Z", "last quarter", `{"endDate":"2026-01-01","startDate":"2025-10-01"}`},
		{"2026-03-31T09:00:00Z", "past month", `{"startDate":"2026-02-28"}`},
		{"2024-02-29T09:00:00Z", "past year", `{"startDate":"2023-02-28"}`},
		{"2026-11-20T23:30:00-05:00", "today", `{"startDate":"2026-11-21"}`},
		{"2026-11-20T10:15:00Z", "past 90 minutes", `{"startDate":"2026-11-20T08:45:00.000Z"}`},
	} {
		at, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		if got := wizard.Understand(c.request, workspace, at); got.Filters != c.want {
			t.Errorf("Understand(%q) at %s = %s, %q, want %s", c.request, c.now, got.Filters, got.Explanation, c.want)
		}
	}
}

// pieces are what the property's requests are made of: phrases of the rules, signs, and what is neither.
var pieces = []string{
	"negative", "positive", "not", "no", "or", "and", "but", ",", "either", "both", "anything", "everything", "on",
	"from", "reddit", "tweets", "hacker news", "northwind", "lanternpage", "pricing page", "pricing", "bug reports",
	"german", "non-english", "replies", "unanswered", "last week", "since monday", "until yesterday",
	"between 3 and 5 november", "in october", "2026-11-01", "last 3 hours", "before june", "more than 10k followers",
	"under 500 followers", "with 100+ likes", "between 5 and 9 points", "4 or 5 stars", "reviews", "top 10",
	"limit 200", `"battery life"`, "mentioning", "about", "saying", "thank", "you", "by", "@alice", "user", "bob",
	"-giveaway", "AND", "the", "feed", "brand", "high relevance", "low relevance", "irrelevant", "including",
	"es_key_1", "ünïcode", "日本語", `"`, "@", "-", "(", "?!", "0", "-1", "1e9", "99999999999999",
}

// Whatever a request says, its filter has no fault and no more conditions than a query may have, its limit is one of a
// page, its feed is the workspace's, and it is the same each time.
func TestUnderstand_ValidOrNull(t *testing.T) {
	understood := 0
	rapid.Check(t, func(c *rapid.T) {
		request := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 60).Draw(c, "pieces"), " ")
		if rapid.IntRange(0, 9).Draw(c, "strange") == 0 {
			request += rapid.String().Draw(c, "more")
		}
		got := wizard.Understand(request, workspace, now)
		if again := wizard.Understand(request, workspace, now); again != got {
			c.Fatalf("Understand(%q) = %+v, then %+v", request, got, again)
		}
		if got.Explanation == "" || len(got.Explanation) > 20_000 {
			c.Fatalf("Understand(%q) has an explanation of %d bytes", request, len(got.Explanation))
		}
		if got.Filters == "" {
			return
		}
		understood++
		parsed, faults := filter.Parse([]byte(got.Filters))
		if len(faults) > 0 || parsed.Conditions() > filter.MaxConditions || got.Limit < 0 || got.Limit > 100 ||
			got.View != 0 && got.View != 11 || got.Advanced != strings.Contains(got.Filters, `"groups"`) {
			c.Fatalf("Understand(%q) = %+v, with the faults %v", request, got, faults)
		}
	})
	if understood == 0 {
		t.Error("no request was understood")
	}
}
