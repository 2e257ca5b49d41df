package mentions_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/mentions"
	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/worldtest"
)

// varied stores mentions that differ in what filters look at, the newest first: 6 to 1, and 7 that is not relevant.
func varied(t testing.TB, w *worldtest.World) {
	t.Helper()
	for _, k := range []string{"northwind", "lanternpage"} {
		if _, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, keyword.Keyword{Text: k}, 10); err != nil {
			t.Fatal(err)
		}
	}
	for id := int64(1); id <= 7; id++ {
		m := worldtest.Mention(id, fmt.Sprint("s", id), worldtest.Now.Add(time.Duration(id)*time.Hour))
		m.Keywords = []mention.Keyword{{ID: 1 + id%2, Text: "k"}}
		switch id {
		case 1:
			m.Sentiment, m.Source, m.Engagement = mention.Negative, "REDDIT", map[string]int64{"score": 50}
		case 2:
			m.Sentiment, m.Language, m.Tags = "", "german", nil
		case 3:
			m.IsReply, m.Engaged, m.Body = true, true, pointer("Straße nach Westen")
		case 4:
			m.Review = &mention.Review{Rating: 4.4, RatingMax: 5}
		case 5:
			m.Source, m.AuthorFollowers, m.Author = "twitter", pointer(int64(1000)), pointer("@QuietHarbor")
		case 7:
			low := mention.Low
			m.Relevant, m.RelevanceScore = false, &low
		}
		w.Put(t, w.Main.ID, m)
	}
}

func pointer[T any](value T) *T { return &value }

// To add a case, write a body and the ids that it lists, newest first.
func TestFilters(t *testing.T) {
	w := worldtest.NewWorld(t)
	varied(t, w)
	for id, f := range map[int64]feed.Feed{
		1: {
			SimpleFilters: []byte(`{"sentiment":["positive"]}`),
			AdvancedFilters: []byte(
				`{"operator":"OR","groups":[{"operator":"AND","conditions":[{"author":["quietharbor"]}]},{"operator":"AND","conditions":[{"engaged":true}]}]}`),
		},
		2: {SimpleFilters: []byte(`{"keyword":[99]}`)},
	} {
		f.ID, f.Name = id, "a feed"
		if err := w.Store.RestoreFeed(t.Context(), w.Main.ID, f); err != nil {
			t.Fatal(err)
		}
	}
	client := serve(t, w)
	for _, c := range []struct{ body, want string }{
		{`{}`, "[6 5 4 3 2 1]"},
		{`{"includeAll":true}`, "[7 6 5 4 3 2 1]"},
		{`{"simpleFilters":{}}`, "[6 5 4 3 2 1]"},
		{`{"simpleFilters":{"source":["reddit","twitter"]}}`, "[5 1]"},
		{`{"filters":{"!source":["reddit","twitter"]}}`, "[6 4 3 2]"},
		{`{"simpleFilters":{"sentiment":["negative"]}}`, "[1]"},
		{`{"simpleFilters":{"!sentiment":["positive"]}}`, "[2 1]"},
		{`{"simpleFilters":{"keyword":[1]}}`, "[6 4 2]"},
		{`{"simpleFilters":{"keyword":[2,1,2]}}`, "[6 5 4 3 2 1]"},
		{`{"simpleFilters":{"language":["de"]}}`, "[2]"},
		{`{"simpleFilters":{"!tag":["own_brand_mention"]}}`, "[2]"},
		{`{"simpleFilters":{"relevance":[2]},"includeAll":true}`, "[7]"},
		{`{"simpleFilters":{"relevance":[2]}}`, "[]"},
		{`{"simpleFilters":{"postType":["reply"]}}`, "[3]"},
		{`{"simpleFilters":{"reviewRating":[4]}}`, "[4]"},
		{`{"simpleFilters":{"engaged":true}}`, "[3]"},
		{`{"simpleFilters":{"author":["quietharbor"]}}`, "[5]"},
		{`{"simpleFilters":{"text":["STRASSE nach"]}}`, "[3]"},
		{`{"simpleFilters":{"!text":["northwind"]}}`, "[3]"},
		{`{"simpleFilters":{"engagement":[{"source":"reddit","metric":"score","value":50}]}}`, "[1]"},
		{`{"simpleFilters":{"engagement":[{"source":"reddit","metric":"score","value":49,"operator":"<="}]}}`, "[]"},
		{`{"simpleFilters":{"minXFollowers":1000}}`, "[5]"},
		{`{"simpleFilters":{"maxXFollowers":999}}`, "[]"},
		{`{"simpleFilters":{"startDate":"2026-11-20T12:15:00Z","endDate":"2026-11-20T14:15:00Z"}}`, "[3 2]"},
		{`{"filters":{"startDate":"2026-11-20","endDate":"2026-11-21"},"advancedFilters":{"operator":"AND","groups":[{"operator":"AND","conditions":[{"engaged":false}]}],"startDate":"2026-11-20T15:00:00Z","endDate":"2027-01-01"}}`, "[6 5]"},
		{`{"simpleFilters":{"startDate":"2026-11-20","endDate":"2026-11-21"},"filters":{"startDate":"2026-12-20","endDate":"2026-12-21"}}`, "[]"},
		{`{"advancedFilters":{"operator":"OR","groups":[{"operator":"AND","conditions":[{"sentiment":["negative"]},{"!engaged":true}]},{"operator":"OR","conditions":[{"language":["german"]},{"postType":["reply"]}]}]}}`, "[3 2 1]"},
		{`{"filters":{"operator":"OR","groups":[{"operator":"OR","conditions":[{"language":["german"]},{"engaged":true}]}]},"simpleFilters":{"!engaged":true}}`, "[2]"},
		{`{"view":1}`, "[5 3]"},
		{`{"view":1,"simpleFilters":{"!engaged":true}}`, "[5]"},
		{`{"view":2}`, "[]"},
	} {
		var page mentions.MentionList
		client.Post(t, "/api/v2/mentions", c.body).OK(t, &page)
		ids := make([]int64, len(page.Data))
		for i, m := range page.Data {
			ids[i] = m.ID
		}
		if fmt.Sprint(ids) != c.want {
			t.Errorf("%s lists %v, want %s", c.body, ids, c.want)
		}
	}
}

func TestSelectionsThatAreRefused(t *testing.T) {
	w := worldtest.NewWorld(t)
	varied(t, w)
	if err := w.Store.RestoreFeed(t.Context(), w.Other.ID, feed.Feed{ID: 5, Name: "theirs"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Store.RestoreFeed(t.Context(), w.Main.ID,
		feed.Feed{ID: 1, Name: "ours", SimpleFilters: []byte(`{"engaged":true}`)}); err != nil {
		t.Fatal(err)
	}
	client := serve(t, w)
	conditions := func(n int) string {
		return `{"operator":"AND","groups":[{"operator":"OR","conditions":[` +
			strings.TrimSuffix(strings.Repeat(`{"engaged":true},`, n), ",") + `]}]}`
	}
	many := make([]int, 300) // in several conditions, for one has 100 values at most
	for i := range many {
		many[i] = i + 1
	}
	ids := func(from, to int) string { text, _ := json.Marshal(many[from:to]); return string(text) }
	for _, c := range []struct {
		body   string
		status int
		code   string
	}{
		{`{"advancedFilters":` + conditions(50) + `}`, 200, ""},
		{`{"advancedFilters":` + conditions(51) + `}`, 400, "FILTER_LIMIT_EXCEEDED"},
		{`{"advancedFilters":` + conditions(50) + `,"simpleFilters":{"engaged":true}}`, 400, "FILTER_LIMIT_EXCEEDED"},
		{`{"advancedFilters":` + conditions(49) + `,"view":1}`, 200, ""},
		{`{"advancedFilters":` + conditions(50) + `,"view":1}`, 400, "FILTER_LIMIT_EXCEEDED"},
		{`{"view":5}`, 404, "VIEW_NOT_FOUND"},
		{`{"view":6}`, 404, "VIEW_NOT_FOUND"},
		{`{"simpleFilters":{"keyword":[1,3]}}`, 400, "MENTION_KEYWORD_UNKNOWN"},
		{`{"simpleFilters":{"!keyword":[3]}}`, 400, "MENTION_KEYWORD_UNKNOWN"},
		{`{"filters":{"keyword":` + ids(0, 100) + `},"simpleFilters":{"keyword":` + ids(100, 200) + `}}`, 400,
			"MENTION_KEYWORD_UNKNOWN"},
	} {
		for _, operation := range []string{"/api/v2/mentions", "/api/v2/mentions/export"} {
			body := c.body
			if operation != "/api/v2/mentions" {
				body = `{"format":"csv",` + body[1:]
			}
			w.Clock.Freeze(w.Clock.Now().Add(time.Hour))
			answer := client.Post(t, operation, body)
			if answer.Status != c.status {
				t.Errorf("%s %.80s: %d %s", operation, body, answer.Status, answer.Body)
			} else if c.status != 200 {
				answer.Is(t, c.status, c.code)
			}
		}
	}
}

// A mention's own timestamp bounds a list, an export and a view, and each date stands alone.
func TestDates_Alone(t *testing.T) {
	w := worldtest.NewWorld(t)
	varied(t, w)
	client := serve(t, w)
	var all mentions.MentionList
	client.Post(t, "/api/v2/mentions", `{}`).OK(t, &all)
	third := all.Data[3].Timestamp // of the mention 3
	const advanced = `{"operator":"AND","groups":[{"operator":"AND","conditions":[` +
		`{"!engagement":[{"source":"x","metric":"y","value":1}]}]}],`
	for i, c := range []struct{ dates, want string }{
		{`"startDate":"` + third + `"}`, "[6 5 4 3]"},
		{`"endDate":"` + third + `"}`, "[2 1]"},
		{`"startDate":"2026-11-20T13:15:00+00:00"}`, "[6 5 4 3]"},
		{`"endDate":"2026-11-20"}`, "[]"},
		{`"startDate":"2026-11-21"}`, "[]"},
		{`"startDate":"2026-11-20"}`, "[6 5 4 3 2 1]"},
		{`"endDate":"2026-11-21"}`, "[6 5 4 3 2 1]"},
	} {
		view := feed.Feed{ID: int64(i + 1), Name: "a feed", SimpleFilters: []byte(`{` + c.dates)}
		if err := w.Store.RestoreFeed(t.Context(), w.Main.ID, view); err != nil {
			t.Fatal(err)
		}
		for _, body := range []string{`{"simpleFilters":{` + c.dates + `}`, `{"filters":` + advanced + c.dates + `}`,
			`{"advancedFilters":` + advanced + c.dates + `}`, fmt.Sprintf(`{"view":%d}`, view.ID)} {
			for _, operation := range []string{"/api/v2/mentions", "/api/v2/mentions/export"} {
				if strings.HasSuffix(operation, "export") {
					w.Clock.Freeze(w.Clock.Now().Add(time.Hour))
					body = `{"format":"json",` + body[1:]
				}
				var page mentions.MentionList
				answer := client.Post(t, operation, body)
				if err := json.Unmarshal(answer.Body, &page); answer.Status != 200 || err != nil {
					t.Fatalf("%s %s = %d %s", operation, body, answer.Status, answer.Body)
				}
				ids := make([]int64, len(page.Data))
				for i, m := range page.Data {
					ids[i] = m.ID
				}
				if fmt.Sprint(ids) != c.want {
					t.Errorf("%s %s lists %v, want %s", operation, body, ids, c.want)
				}
			}
		}
	}
}

// Filters of a wrong shape say where, in the words of the request. What the grammar says of each is tested with it.
func TestFaultsOfFilters(t *testing.T) {
	client := serve(t, worldtest.NewWorld(t))
	for _, c := range []struct{ body, want string }{
		{`{"simpleFilters":[]}`, "[simpleFilters type]"},
		{`{"simpleFilters":null}`, "[simpleFilters type]"},
		{`{"simpleFilters":{"sorce":["x"],"!sentiment":["happy"]},"limit":0}`,
			"[limit minimum simpleFilters.!sentiment[0] enum simpleFilters.sorce unknown]"},
		{`{"filters":{"groups":[{"conditions":[{"engaged":1}]}]},"verbose":1}`,
			"[filters.groups[0].conditions[0].engaged type filters.groups[0].operator required filters.operator required verbose unknown]"},
		{`{"advancedFilters":{"operator":"AND","groups":[{"operator":"XOR","conditions":[{}]}]}}`,
			"[advancedFilters.groups[0].conditions[0] min_properties advancedFilters.groups[0].operator enum]"},
		{`{"simpleFilters":{"startDate":"yesterday"},"filters":{"endDate":20261120}}`,
			"[filters.endDate type simpleFilters.startDate format]"},
		{`{"simpleFilters":{"startDate":"2026-11-20","endDate":"2026-11-20"}}`, "[simpleFilters.endDate range]"},
		{`{"simpleFilters":{"engagement":[{"source":"x","metric":"y","value":-1,"operator":">"}]}}`,
			"[simpleFilters.engagement[0].operator enum simpleFilters.engagement[0].value minimum]"},
		{`{"simpleFilters":{"source":["a"],"source":["b"]}}`, "[simpleFilters.source duplicate]"},
		{`{"view":0,"includeAll":"yes","cursor":7}`, "[cursor type includeAll type view minimum]"},
		{`{"view":"main"}`, "[view type]"},
	} {
		found := client.Post(t, "/api/v2/mentions", c.body).Is(t, 400, "VALIDATION_ERROR")
		var got []string
		for _, detail := range found.Details {
			got = append(got, detail.Path+" "+detail.Code)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s:\ngot  %v\nwant %s", c.body, got, c.want)
		}
	}
}

// A filtered list is walked while mentions arrive before, at and behind the walk: each that was there at the start comes once.
func TestFilteredListPages(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	var want []int64
	for id := int64(60); id >= 1; id-- {
		m := worldtest.Mention(id, fmt.Sprint("s", id), worldtest.Now.Add(time.Duration(id/2)*time.Minute))
		if id%3 == 0 {
			m.Sentiment = mention.Negative
			want = append(want, id)
		}
		w.Put(t, w.Main.ID, m)
	}
	var got []int64
	cursor, arrived := "", int64(1000)
	for {
		// The same filter in other words: a cursor is bound to what it means as JSON, not to how it was written.
		filters := []string{`{"sentiment":["negative"],"engaged":false}`,
			`{ "engaged" : false, "sentiment":["negative"] }`}[arrived%2]
		var page mentions.MentionList
		client.Post(t, "/api/v2/mentions", fmt.Sprintf(`{"limit":3,"simpleFilters":%s%s}`, filters, cursor)).OK(t, &page)
		for _, m := range page.Data {
			if m.ID < 1000 {
				got = append(got, m.ID)
			}
		}
		for _, at := range []time.Duration{time.Hour, 15 * time.Minute, -time.Hour} {
			m := worldtest.Mention(arrived, fmt.Sprint("new", arrived), worldtest.Now.Add(at))
			m.Sentiment = mention.Negative
			w.Put(t, w.Main.ID, m)
			arrived++
		}
		if page.Pagination.NextCursor.Value == nil {
			break
		}
		cursor = fmt.Sprintf(`,"cursor":%q`, *page.Pagination.NextCursor.Value)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// A cursor is void once what it belongs to takes other mentions: by another filter, or by a view that was changed.
func TestCursorBelongsToItsFilters(t *testing.T) {
	w := worldtest.NewWorld(t)
	varied(t, w)
	view := feed.Feed{ID: 1, Name: "a feed", SimpleFilters: []byte(`{"engaged":false}`)}
	if err := w.Store.RestoreFeed(t.Context(), w.Main.ID, view); err != nil {
		t.Fatal(err)
	}
	change := func(change func(*feed.Feed)) {
		_, err := w.Store.ChangeFeed(t.Context(), w.Main.ID, 1, "", func(f *feed.Feed) error {
			change(f)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	client := serve(t, w)
	var page mentions.MentionList
	client.Post(t, "/api/v2/mentions", `{"limit":1,"view":1}`).OK(t, &page)
	cursor := fmt.Sprintf(`"cursor":%q}`, *page.Pagination.NextCursor.Value)
	client.Post(t, "/api/v2/mentions", `{"view":1,"includeEngagementMetrics":true,`+cursor).OK(t, nil)
	client.Post(t, "/api/v2/mentions", `{"view":1,"simpleFilters":{"engaged":false},`+cursor).Is(t, 400, "INVALID_INPUT")
	change(func(f *feed.Feed) { f.Name = "another name" })
	client.Post(t, "/api/v2/mentions", `{"view":1,`+cursor).OK(t, nil)
	change(func(f *feed.Feed) { f.SimpleFilters = []byte(`{"engaged":true}`) })
	client.Post(t, "/api/v2/mentions", `{"view":1,`+cursor).Is(t, 400, "INVALID_INPUT")
}
