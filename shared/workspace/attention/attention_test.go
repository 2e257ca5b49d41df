package attention_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/workspace"
	"earshot/shared/workspace/attention"
)

var now = time.Date(2026, 11, 20, 10, 15, 0, 0, time.UTC)

// calm is a workspace that needs nothing.
func calm() attention.Facts {
	old := now.AddDate(0, -6, 0)
	return attention.Facts{
		Workspace: workspace.Workspace{ID: "org_a", CreatedAt: old},
		Now:       now,
		Stored:    10,
		Limit:     100,
		ResetAt:   time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC),
		Keywords: []keyword.Keyword{{ID: 7, Text: "northwind", CreatedAt: old, UpdatedAt: old},
			{ID: 8, Text: "lanternpage", CreatedAt: old, UpdatedAt: old, Platforms: []string{"github"}}},
		Mentioned: map[int64]time.Time{7: now.Truncate(24 * time.Hour), 8: now.AddDate(0, 0, -29).Truncate(24 * time.Hour)},
		Company:   workspace.Company{Name: "Northwind"},
	}
}

// kinds are the kinds of the items, with what their titles quote.
func kinds(items []attention.Item) string {
	var list []string
	for _, item := range items {
		kind := string(item.Kind)
		if _, rest, quoted := strings.Cut(item.Title, `"`); quoted {
			kind += " " + rest[:strings.IndexByte(rest, '"')]
		}
		list = append(list, kind)
	}
	return strings.Join(list, ", ")
}

// To add a case, change something of a calm workspace and say what needs attention then.
func TestRules(t *testing.T) {
	ago := func(days int) time.Time { return now.AddDate(0, 0, -days).Truncate(24 * time.Hour) }
	for name, c := range map[string]struct {
		change func(*attention.Facts)
		want   string
	}{
		"nothing":     {func(*attention.Facts) {}, ""},
		"79 of 100":   {func(f *attention.Facts) { f.Stored = 79 }, ""},
		"80 of 100":   {func(f *attention.Facts) { f.Stored = 80 }, "quota_nearly_used"},
		"100 of 100":  {func(f *attention.Facts) { f.Stored = 100 }, "quota_used"},
		"no plan":     {func(f *attention.Facts) { f.Stored, f.Limit = 0, 0 }, ""},
		"no keywords": {func(f *attention.Facts) { f.Keywords = nil }, "no_keywords"},
		"one paused":  {func(f *attention.Facts) { f.Keywords[0].Paused = true }, ""},
		"all paused": {func(f *attention.Facts) { f.Keywords[0].Paused, f.Keywords[1].Paused = true, true },
			"keywords_paused"},
		"silent for 30 days": {func(f *attention.Facts) { f.Mentioned[8] = ago(30) }, "keyword_silent lanternpage"},
		"never mentioned":    {func(f *attention.Facts) { delete(f.Mentioned, 7) }, "keyword_silent northwind"},
		"silent and paused":  {func(f *attention.Facts) { delete(f.Mentioned, 7); f.Keywords[0].Paused = true }, ""},
		"silent and 7 days old": {func(f *attention.Facts) {
			delete(f.Mentioned, 7)
			f.Keywords[0].CreatedAt = now.AddDate(0, 0, -7)
		}, "keyword_silent northwind"},
		"silent and young": {func(f *attention.Facts) {
			delete(f.Mentioned, 7)
			f.Keywords[0].CreatedAt = now.AddDate(0, 0, -7).Add(1)
		}, ""},
		"failed four times": {func(f *attention.Facts) { f.Tasks = []attention.Task{{7, "reddit", 4, ago(2)}} }, ""},
		"failed five times": {func(f *attention.Facts) {
			f.Tasks = []attention.Task{{7, "reddit", 5, ago(2)}, {8, "reddit", 9, ago(1)}}
		}, "source_failing"},
		"of a deleted keyword": {func(f *attention.Facts) { f.Tasks = []attention.Task{{6, "reddit", 5, ago(2)}} }, ""},
		"of a paused keyword": {func(f *attention.Facts) {
			f.Tasks = []attention.Task{{7, "reddit", 5, ago(2)}}
			f.Keywords[0].Paused = true
		}, ""},
		"read whole": {func(f *attention.Facts) { f.Tasks = []attention.Task{{0, "hackernews", 5, ago(2)}} },
			"source_failing"},
		"read whole for no one": {func(f *attention.Facts) {
			f.Tasks = []attention.Task{{0, "hackernews", 5, ago(2)}}
			f.Keywords[0].Paused = true
		}, ""},
		"5 of 9 not relevant": {func(f *attention.Facts) { f.Judged = map[int64]attention.Judged{7: {4, 5}} }, ""},
		"5 of 10 not relevant": {func(f *attention.Facts) { f.Judged = map[int64]attention.Judged{7: {5, 5}} },
			"many_false_positives northwind"},
		"4 of 10 not relevant": {func(f *attention.Facts) { f.Judged = map[int64]attention.Judged{7: {6, 4}, 99: {0, 50}} },
			""},
		"no company": {func(f *attention.Facts) { f.Company = workspace.Company{} }, "no_company"},
		"a key for 8 days": {func(f *attention.Facts) {
			f.Keys = []workspace.Key{{ID: "key_a", Name: "CI", ExpiresAt: now.AddDate(0, 0, 8)}, {Name: "never"}}
		}, ""},
		"a key for 7 days": {func(f *attention.Facts) {
			f.Keys = []workspace.Key{{ID: "key_a", Name: "CI", ExpiresAt: now.AddDate(0, 0, 7)}}
		}, "key_expires CI"},
		"a webhook given up": {func(f *attention.Facts) {
			f.Disabled = []attention.Endpoint{{
				Name:  "feed/7/WEBHOOK",
				Owner: "Launch",
				Kind:  "webhook",
				Why:   "It is gone.",
				Since: ago(1),
			}}
		}, "delivery_broken Launch"},
		"an alert whose keyword is gone": {func(f *attention.Facts) {
			f.Paused = []attention.PausedAlert{{ID: 4, Name: "Outages", Since: ago(1)}}
		}, "alert_paused Outages"},
		"feeds that tell nobody": {func(f *attention.Facts) { f.Feeds = []feed.Feed{{ID: 1, CreatedAt: ago(1)}} },
			"no_destination"},
		"feeds that tell": {
			func(f *attention.Facts) { f.Feeds, f.Told = []feed.Feed{{ID: 1, CreatedAt: ago(1)}}, true }, ""},
		"loud mentions": {func(f *attention.Facts) {
			f.Loud = []attention.Loud{
				{"a", "a", "x", 10_000, ago(7)}, {"b", "b", "x", 10_000, ago(8)}, {"c", "c", "x", 9_999, ago(1)},
				{"d", "d", "x", 50_000, ago(4)},
				{"e", "e", "x", 10_001, ago(3)}, {"f", "f", "x", 10_002, ago(2)},
			}
		}, "high_reach_unanswered d, high_reach_unanswered e, high_reach_unanswered f"},
		"a key that has expired": {
			func(f *attention.Facts) { f.Keys = []workspace.Key{{ID: "key_a", Name: "CI", ExpiresAt: now}} }, ""},
		"the most urgent is first": {func(f *attention.Facts) {
			f.Company, f.Stored = workspace.Company{}, 100
			f.Tasks = []attention.Task{{7, "reddit", 5, ago(2)}}
		}, "quota_used, source_failing, no_company"},
	} {
		f := calm()
		c.change(&f)
		items := attention.Items(f)
		if got := kinds(items); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		for _, item := range items {
			path := item.Action.Path
			if !attention.ValidID(item.ID) || item.Title == "" || !strings.HasSuffix(item.Message, ".") ||
				item.CreatedAt.IsZero() || item.CreatedAt.After(now) ||
				(item.Action.Type != attention.None) != strings.HasPrefix(path, "/api/v2/") ||
				(item.Action.Type == attention.Apply) != (item.Action.Endpoint != "") ||
				(item.Action.Type == attention.None) != (path == "") ||
				!slices.Contains(attention.Kinds(), item.Kind) || !slices.Contains(attention.Severities(), item.Severity) {
				t.Errorf("%s: %+v", name, item)
			}
		}
	}
}

// What goes on is the same item; what happens anew, or to another workspace, is another.
func TestOccurrences(t *testing.T) {
	day := 24 * time.Hour
	for name, c := range map[string]struct {
		first, then func(*attention.Facts)
		same        bool
	}{
		"more of the month is used": {func(f *attention.Facts) { f.Stored = 80 },
			func(f *attention.Facts) { f.Stored = 90 }, true},
		"the next month": {func(f *attention.Facts) { f.Stored = 80 },
			func(f *attention.Facts) { f.ResetAt = f.ResetAt.AddDate(0, 1, 0) }, false},
		"used up again, on a larger plan": {func(f *attention.Facts) { f.Stored = 100 },
			func(f *attention.Facts) { f.Stored, f.Limit = 200, 200 }, false},
		"a day of no keywords": {func(f *attention.Facts) { f.Keywords = nil },
			func(f *attention.Facts) { f.Now = f.Now.Add(day) }, true},
		"no keywords anew": {func(f *attention.Facts) { f.Keywords = nil },
			func(f *attention.Facts) { f.KeywordsMade = 9 }, false},
		"a day of silence": {func(f *attention.Facts) { f.Mentioned[8] = now.AddDate(0, 0, -40) },
			func(f *attention.Facts) { f.Now = f.Now.Add(day) }, true},
		"silence anew": {func(f *attention.Facts) { f.Mentioned[8] = now.AddDate(0, 0, -40) },
			func(f *attention.Facts) { f.Mentioned[8] = now.AddDate(0, 0, -30).Truncate(day) }, false},
		"another failure": {func(f *attention.Facts) { f.Tasks = []attention.Task{{7, "reddit", 5, now.Add(-day)}} },
			func(f *attention.Facts) { f.Tasks[0].Failures = 6 }, true},
		"failures anew": {func(f *attention.Facts) { f.Tasks = []attention.Task{{7, "reddit", 5, now.Add(-day)}} },
			func(f *attention.Facts) { f.Tasks[0].Since = now }, false},
		"some more judgements": {func(f *attention.Facts) { f.Judged = map[int64]attention.Judged{7: {0, 10}} },
			func(f *attention.Facts) { f.Judged[7] = attention.Judged{NotRelevant: 19} }, true},
		"twice as many": {func(f *attention.Facts) { f.Judged = map[int64]attention.Judged{7: {0, 10}} },
			func(f *attention.Facts) { f.Judged[7] = attention.Judged{NotRelevant: 20} }, false},
		"another key": {func(f *attention.Facts) {
			f.Keys = []workspace.Key{{
				ID:        "key_a",
				Name:      "CI",
				ExpiresAt: now.Add(day),
			}}
		},
			func(f *attention.Facts) { f.Keys[0].ID = "key_b" }, false},
		"another workspace": {func(f *attention.Facts) { f.Company = workspace.Company{} },
			func(f *attention.Facts) { f.Workspace.ID = "org_b" }, false},
	} {
		f := calm()
		c.first(&f)
		first := attention.Items(f)
		c.then(&f)
		then := attention.Items(f)
		if len(first) != 1 || len(then) != 1 || (first[0].ID == then[0].ID) != c.same {
			t.Errorf("%s: %+v, then %+v", name, first, then)
		}
	}
}

// A message says no more than what is so.
func TestMessages(t *testing.T) {
	for name, c := range map[string]struct {
		change          func(*attention.Facts)
		says, saysNever string
	}{
		"a keyword without any mention": {func(f *attention.Facts) {
			delete(f.Mentioned, 7)
			f.Keywords[0].CreatedAt = now.AddDate(0, 0, -8)
		},
			"no mention yet", "30 days"},
		// Days are not kept for ever: of an old keyword nobody knows that it never had one.
		"an old one without any known": {func(f *attention.Facts) { delete(f.Mentioned, 7) }, "no mention in 30 days",
			"yet"},
		"a keyword without one for long": {func(f *attention.Facts) { f.Mentioned[7] = now.AddDate(0, 0, -40) },
			"no mention in 30 days", "yet"},
		"there is a larger plan": {func(f *attention.Facts) { f.Workspace.Plan, f.Stored = workspace.Pro, 100 },
			"A larger plan", "operator"},
		"there is none": {
			func(f *attention.Facts) { f.Workspace.Plan, f.Stored = workspace.Enterprise, 100 }, "until 1 December",
			"larger plan"},
		"soon, and there is none": {func(f *attention.Facts) { f.Workspace.Plan, f.Stored = workspace.Enterprise, 80 },
			"narrow keywords", "larger plan"},
	} {
		f := calm()
		c.change(&f)
		items := attention.Items(f)
		if len(items) != 1 || !strings.Contains(items[0].Message, c.says) || strings.Contains(items[0].Message, c.saysNever) {
			t.Errorf("%s: %+v", name, items)
		}
	}
}

func TestValidID(t *testing.T) {
	good := "att_" + strings.Repeat("0a", 16)
	for _, bad := range []string{"", "att_", good[4:], good + "00", strings.ToUpper(good),
		"att_" + strings.Repeat("zz", 16), " " + good} {
		if attention.ValidID(bad) || !attention.ValidID(good) {
			t.Errorf("%q", bad)
		}
	}
}
