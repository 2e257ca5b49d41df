package analytics_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/analytics"
	"earshot/functions/discovery"
	"earshot/functions/mentions"
	domain "earshot/shared/analytics"
	"earshot/shared/filter"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/store/allstores"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

const path = "/api/v2/analytics/"

var must = worldtest.Must

// newBareDesk returns a workspace without mentions, with the keywords 7 (own brand), 8 and 9 (competitors).
func newBareDesk(t testing.TB) worldtest.Desk {
	t.Helper()
	d := worldtest.NewDesk(t, discovery.OpenAPI(), func(api *web.API, w *worldtest.World) {
		analytics.Register(api, analytics.Options{Store: w.Store, Clock: w.Clock})
		mentions.Register(api, mentions.Options{Store: w.Store})
	})
	for id, text := range map[int64]string{7: "northwind", 8: "southwind", 9: "eastwind"} {
		tag := keyword.Competitor
		if id == 7 {
			tag = keyword.OwnBrand
		}
		must(t, d.Store.RestoreKeyword(t.Context(), d.Main.ID, keyword.Keyword{ID: id, Text: text, Tag: tag}))
	}
	return d
}

// newDesk returns a workspace with 40 mentions of the keywords, one every seven hours.
func newDesk(t testing.TB) worldtest.Desk {
	t.Helper()
	d := newBareDesk(t)
	batch := worldtest.Mentions(40)
	for i := range batch {
		handle, followers := fmt.Sprint("author", i%4), int64(100*(i%4))
		batch[i].Author, batch[i].AuthorFollowers = &handle, &followers
		if i%5 == 0 {
			batch[i].Tags = nil
		}
	}
	if _, err := d.Store.Ingest(t.Context(), d.Main.ID, 1_000_000, batch); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDoors(t *testing.T) {
	d := newDesk(t)
	want := []string{"getAuthors", "getDashboard", "getKeywordCounts", "getLanguages", "getSentiment", "getShareOfVoice",
		"getSources", "getTagCounts",
		"getVolume", "listThemes", "queryAnalytics"}
	if got := d.Doors(t, analytics.Group, d.World); !slices.Equal(got, want) {
		t.Errorf("Doors = %v, want %v", got, want)
	}
}

// opens counts the mentions that a row's filters open.
func opens(t *testing.T, d worldtest.Desk, filters json.RawMessage) (n int64) {
	t.Helper()
	cursor := ""
	for {
		var page struct {
			Data       []json.RawMessage
			Pagination struct{ NextCursor *string }
		}
		d.Post(t, "/api/v2/mentions", fmt.Sprintf(`{"includeAll":true,"limit":100,"filters":%s%s}`, filters, cursor)).
			OK(t, &page)
		n += int64(len(page.Data))
		if page.Pagination.NextCursor == nil {
			return n
		}
		cursor = fmt.Sprintf(`,"cursor":%q`, *page.Pagination.NextCursor)
	}
}

type row struct {
	Count   int64
	Filters json.RawMessage
}

// Every row of every read opens as many mentions as it counts.
func TestReads_RowsOpenTheirMentions(t *testing.T) {
	d := newDesk(t)
	for _, read := range []string{"volume", "volume?granularity=hour", "volume?granularity=week&timezone=Asia/Kolkata",
		"volume?fill=true&keywordIds=7,9",
		"sentiment", "sentiment?relevance=0,1,2,none", "sources?platforms=reddit&platforms=HackerNews", "keywords",
		"keywords?keywordIds=7&keywordIds=8", "tags",
		"tags?tag=none&sentiment=POSITIVE", "languages?startDate=2026-11-15T10:30:00Z", "authors", "share-of-voice",
		"share-of-voice?granularity=day"} {
		var list struct {
			Exact bool
			Data  []row
		}
		d.Get(t, path+read).OK(t, &list)
		if !list.Exact || len(list.Data) == 0 {
			t.Errorf("%s: exact %v, %d rows", read, list.Exact, len(list.Data))
		}
		for _, r := range list.Data {
			if got := opens(t, d, r.Filters); got != r.Count {
				t.Errorf("%s: %s opens %d mentions, want %d", read, r.Filters, got, r.Count)
			}
		}
	}
}

func TestReads_Figures(t *testing.T) {
	d := newDesk(t)
	for read, want := range map[string]string{
		"sentiment?relevance=0,1,2": `Positive 14, Negative 13, Neutral 13`,
		"sources":                   `reddit 14, hackernews 13`,
		"keywords":                  `7 northwind 27, 9 eastwind 14`,
		"tags":                      `own_brand_mention 22, none 5`,
		"languages":                 `english 27`,
		"volume?granularity=month":  `2026-11-01 27`,
		"volume?startDate=2026-11-19&endDate=2026-11-20&timezone=Europe/Berlin": `2026-11-19 2`,
	} {
		var list struct{ Data []map[string]any }
		d.Get(t, path+read).OK(t, &list)
		var got []string
		for _, r := range list.Data {
			var cells []string
			for _, name := range []string{"bucket", "sentiment", "source", "keywordId", "keyword", "tag", "language", "count"} {
				if r[name] != nil {
					cells = append(cells, fmt.Sprint(r[name]))
				}
			}
			got = append(got, strings.Join(cells, " "))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s = %s, want %s", read, strings.Join(got, ", "), want)
		}
	}
}

func TestKeywords_Deleted(t *testing.T) {
	d := newDesk(t)
	must(t, d.Store.DeleteKeyword(t.Context(), d.Main.ID, 9))
	var list analytics.KeywordCounts
	d.Get(t, path+"keywords").OK(t, &list)
	if len(list.Data) != 2 || list.Data[1].Keyword.Value != nil || list.Data[1].Count != 14 ||
		!list.Data[1].Filters.IsZero() {
		t.Errorf("keywords = %+v, want the deleted one without a text and filters", list.Data)
	}
	d.Get(t, path+"keywords?keywordIds=9").Is(t, http.StatusNotFound, "KEYWORDS_NOT_FOUND")
}

func TestShareOfVoice(t *testing.T) {
	d := newDesk(t)
	must(t, d.Store.RestoreKeyword(t.Context(), d.Main.ID,
		keyword.Keyword{ID: 5, Text: "north wind", Tag: keyword.OwnBrand}))
	both := worldtest.Mention(0, "both", worldtest.Now)
	both.Keywords = []mention.Keyword{{ID: 5, Text: "north wind"}, {ID: 7, Text: "northwind"}}
	if _, err := d.Store.Ingest(t.Context(), d.Main.ID, 1_000_000, []mention.Mention{both}); err != nil {
		t.Fatal(err)
	}
	var got analytics.ShareOfVoice
	d.Get(t, path+"share-of-voice?granularity=month").OK(t, &got)
	want := []string{"north wind [5 7] 28 of 42", "eastwind [9] 14 of 42", "southwind [8] 0 of 42"}
	for i, r := range got.Data {
		if line := fmt.Sprint(r.Name, " ", r.KeywordIDs, " ", r.Count, " of ",
			math.Round(float64(r.Count)/math.Max(r.Share, 1e-9))); r.Share > 0 && line != want[i] ||
			r.Name != strings.Split(want[i], " [")[0] {
			t.Errorf("row %d = %s, want %s", i, line, want[i])
		}
	}
	if len(got.Data) != 3 || !got.Exact {
		t.Errorf("share of voice = %+v", got)
	}
}

func TestDashboard(t *testing.T) {
	d := newDesk(t)
	var got analytics.Dashboard
	d.Get(t, path+"dashboard?startDate=2026-11-15&endDate=2026-11-21").OK(t, &got)
	var volume analytics.Volume
	d.Get(t, path+"volume?startDate=2026-11-15&endDate=2026-11-21").OK(t, &volume)
	total := int64(0)
	for _, r := range volume.Data {
		total += r.Count
	}
	if got.Count != total || len(got.Volume.Data) != len(volume.Data) || len(got.Keywords.Data) != 2 ||
		got.Usage.Count != 40 {
		t.Errorf("dashboard = %+v, want %d mentions", got, total)
	}
	if got.ComparedTo.StartDate != "2026-11-09T00:00:00.000Z" || got.ComparedTo.Count == 0 ||
		got.ComparedTo.Change.Value == nil {
		t.Errorf("comparedTo = %+v", got.ComparedTo)
	}
	if ratio := got.FilteringRatio.OrZero(); ratio < 0.2 || ratio > 0.5 {
		t.Errorf("filteringRatio = %v, want about a third", ratio)
	}
	if got.Projected <= 40 || got.Projected > 80 {
		t.Errorf("projected = %d, want the month's pace on the 20th", got.Projected)
	}
}

func TestQuery(t *testing.T) {
	d := newDesk(t)
	for body, want := range map[string]string{
		`{"aggregates":["count"]}`: `[{"count":27}]`,
		`{"aggregates":["count","negativeShare"],"dimensions":["source","relevance"]}`: `[{"source":"hackernews","relevance":0,"count":7,"negativeShare":0},` +
			`{"source":"reddit","relevance":0,"count":7,"negativeShare":0},{"source":"reddit","relevance":1,"count":7,"negativeShare":0},` +
			`{"source":"hackernews","relevance":1,"count":6,"negativeShare":0}]`,
		`{"aggregates":["authors","reach","engagement"],"relevance":[0,1,2,"none"]}`:                                          `[{"authors":4,"reach":600,"engagement":480}]`,
		`{"aggregates":["count"],"dimensions":["author"],"limit":1,"filters":{"text":["northwind"]}}`:                         `[{"author":"author0","source":"hackernews","count":7}]`,
		`{"aggregates":["count"],"dimensions":["keyword"],"filters":{"keyword":[9]}}`:                                         `[{"keyword":9,"count":14}]`,
		`{"aggregates":["count"],"dimensions":["tag"],"filters":{"!tag":["own_brand_mention"]},"granularity":"month"}`:        `[{"bucket":"2026-11-01","tag":"none","count":5}]`,
		`{"aggregates":["count"],"filters":{"startDate":"2026-11-20"},"time":true,"granularity":"hour"}`:                      `[{"bucket":"2026-11-20T03:00:00.000Z","count":1},{"bucket":"2026-11-20T10:00:00.000Z","count":1}]`,
		`{"aggregates":["count"],"startDate":"2026-11-19","endDate":"2026-11-20","compareTo":"previous","relevance":[0,1,2]}`: `[{"count":3}]`,
	} {
		var got struct {
			Exact bool
			Data  []map[string]json.RawMessage
		}
		d.Post(t, path+"query", body).OK(t, &got)
		for _, r := range got.Data {
			if string(r["count"]) != "" && fmt.Sprint(opens(t, d, r["filters"])) != string(r["count"]) {
				t.Errorf("%s: %s does not open %s mentions", body, r["filters"], r["count"])
			}
			delete(r, "filters")
		}
		var wanted []map[string]json.RawMessage
		must(t, json.Unmarshal([]byte(want), &wanted))
		if !got.Exact || !slices.EqualFunc(got.Data, wanted, func(a, b map[string]json.RawMessage) bool {
			return maps.EqualFunc(a, b, func(x, y json.RawMessage) bool { return string(x) == string(y) })
		}) {
			t.Errorf("query(%s) = exact %v %s, want %s", body, got.Exact, got.Data, want)
		}
	}
}

// deskOfUnnamed makes a desk that has mentions without an author too.
func deskOfUnnamed(t *testing.T) worldtest.Desk {
	t.Helper()
	d := newDesk(t)
	unnamed := worldtest.Mentions(30)
	for i := range unnamed {
		unnamed[i].SourceID, unnamed[i].Author = fmt.Sprint("unnamed", i), nil
	}
	if _, err := d.Store.Ingest(t.Context(), d.Main.ID, 1_000_000, unnamed); err != nil {
		t.Fatal(err)
	}
	return d
}

// Mentions without an author take no author's place.
func TestQuery_LimitOfAuthors(t *testing.T) {
	d := deskOfUnnamed(t)
	for limit, omitted := range map[int]int{1: 3, 3: 1, 4: 0, 9: 0} {
		var got struct {
			Omitted int
			Data    []struct{ Author string }
		}
		body := fmt.Sprintf(`{"aggregates":["reach"],"dimensions":["author"],"relevance":[0,1,2],"limit":%d}`, limit)
		d.Post(t, path+"query", body).OK(t, &got)
		if got.Omitted != omitted || len(got.Data) != 4-omitted || got.Data[0].Author != "author0" {
			t.Errorf("query(%s) = %+v, want %d of 4 authors", body, got, 4-omitted)
		}
	}
}

// Buckets and mentions without an author are no combinations of values that the limit leaves out.
func TestQuery_OmittedOfBuckets(t *testing.T) {
	d := deskOfUnnamed(t)
	for _, divided := range []string{
		`"dimensions":["author"],"granularity":"day"`, `"dimensions":["language","author"]`,
		`"dimensions":["author","language"],"time":true`,
	} {
		for limit, want := range map[int]int{1: 3, 3: 1, 4: 0, 9: 0} {
			var got, before struct {
				Omitted    int
				ComparedTo struct{ Omitted int }
			}
			body := fmt.Sprintf(`{"aggregates":["count"],"relevance":[0,1,2],%s,"limit":%d`, divided, limit)
			d.Post(t, path+"query", body+"}").OK(t, &got)
			d.Post(t, path+"query", body+`,"startDate":"2026-12-01","endDate":"2026-12-31","compareTo":"previous"}`).
				OK(t, &before)
			if got.Omitted != want || before.ComparedTo.Omitted != want {
				t.Errorf("query(%s}) omits %d, and %d of the period before, want %d of 4 authors", body, got.Omitted,
					before.ComparedTo.Omitted, want)
			}
		}
	}
}

// large is a workspace whose rows do not fit the budget.
type large struct {
	*allstores.Store
	kept int
}

func (l large) Scan(
	context.Context, string, *filter.Predicate, time.Time, time.Time, int, func(*filter.Row), func(*filter.Row),
) (int, bool, error) {
	return domain.ScanBudget, false, nil
}

func (l large) PutSummaries(context.Context, string, []mention.Summary) (int, error) {
	return l.kept, nil
}

// A refusal says what to narrow, and whether it helps to ask again.
func TestAuthors_OverBudget(t *testing.T) {
	for kept, says := range map[int]string{0: "Ask for a shorter period.", 12: "12 days were counted and kept. Ask again"} {
		d := worldtest.NewDesk(t, discovery.OpenAPI(), func(api *web.API, w *worldtest.World) {
			analytics.Register(api, analytics.Options{Store: large{w.Store, kept}, Clock: w.Clock})
		})
		if problem := d.Get(t, path+"authors").Is(t, 400, "INVALID_INPUT"); !strings.Contains(problem.Message, says) {
			t.Errorf("GET authors = %q, want %q", problem.Message, says)
		}
	}
}

func TestFaults(t *testing.T) {
	d := newDesk(t)
	for request, want := range map[string]string{
		"volume?timezone=Berlin":                              "INVALID_TIMEZONE ",
		"volume?startDate=2025-01-01":                         "VALIDATION_ERROR query.startDate range",
		"volume?startDate=2026-11-02&endDate=2026-11-01":      "VALIDATION_ERROR query.endDate range",
		"volume?startDate=2026-12-24":                         "VALIDATION_ERROR query.startDate range",
		"volume?startDate=yesterday":                          "VALIDATION_ERROR query.startDate format",
		"volume?granularity=minute":                           "VALIDATION_ERROR query.granularity enum",
		"volume?keywordIds=7,70":                              "KEYWORDS_NOT_FOUND ",
		"volume?keywordIds=northwind":                         "VALIDATION_ERROR query.keywordIds type",
		"sentiment?sentiment=happy":                           "VALIDATION_ERROR query.sentiment enum",
		"tags?tag=pricing,unheard":                            "VALIDATION_ERROR query.tag enum",
		"sources?relevance=3":                                 "VALIDATION_ERROR query.relevance enum",
		`{"aggregates":["count"],"dimensions":["colour"]}`:    "VALIDATION_ERROR dimensions[0] enum",
		`{"aggregates":["median"]}`:                           "VALIDATION_ERROR aggregates[0] enum",
		`{"aggregates":[]}`:                                   "VALIDATION_ERROR aggregates min_items",
		`{"aggregates":["count"],"relevance":["some"]}`:       "VALIDATION_ERROR relevance[0] type",
		`{"aggregates":["count"],"relevance":[null]}`:         "VALIDATION_ERROR relevance[0] type",
		`{"aggregates":["count"],"timezone":""}`:              "VALIDATION_ERROR timezone min_length",
		`{"aggregates":["count"],"startDate":""}`:             "VALIDATION_ERROR startDate min_length",
		`{"aggregates":["count"],"filters":{"keyword":[70]}}`: "MENTION_KEYWORD_UNKNOWN ",
		`{"aggregates":["count"],"filters":{"colour":["x"]}}`: "VALIDATION_ERROR filters.colour unknown",
		`{"aggregates":["count"],"timezone":"Mars/Olympus"}`:  "INVALID_TIMEZONE ",
		`{"aggregates":["count"],"startDate":"2025-01-01"}`:   "VALIDATION_ERROR startDate range",
		`{"aggregates":["count"],"filters":` + wide(50) + `}`: "FILTER_LIMIT_EXCEEDED ",
		// All faults come together, also with those of a schema.
		"volume?fill=1&keywordIds=x&sentiment=happy&startDate=yesterday&timezone=Berlin": "VALIDATION_ERROR " +
			"query.fill type, query.keywordIds type, query.sentiment enum, query.startDate format",
		"authors?limit=0&startDate=2026-11-02&endDate=2026-11-01&tag=x": "VALIDATION_ERROR " +
			"query.endDate range, query.limit minimum, query.tag enum",
		"sources?platforms=reddit&platforms=&tag=pricing,": "VALIDATION_ERROR query.platforms[1] min_length, query.tag enum",
		`{"aggregates":["median"],"filters":{"colour":["x"]},"startDate":"yesterday","endDate":"tomorrow"}`: "VALIDATION_ERROR " +
			"aggregates[0] enum, endDate format, filters.colour unknown, startDate format",
	} {
		answer := worldtest.Answer{}
		if strings.HasPrefix(request, "{") {
			answer = d.Post(t, path+"query", request)
		} else {
			answer = d.Get(t, path+request)
		}
		if got := faultsOf(t, answer); got != want {
			t.Errorf("%s: %s, want %s", request, answer.Body, want)
		}
	}
}

// faultsOf returns the code of a problem, and the paths and codes of all its details.
func faultsOf(t *testing.T, answer worldtest.Answer) string {
	t.Helper()
	told := answer.Problem(t)
	faults := make([]string, len(told.Details))
	for i, detail := range told.Details {
		faults[i] = detail.Path + " " + detail.Code
	}
	return string(told.Code) + " " + strings.Join(faults, ", ")
}

// wide returns a filter of n conditions.
func wide(n int) string {
	conditions := make([]string, n)
	for i := range conditions {
		conditions[i] = `{"engaged":true}`
	}
	return `{"operator":"AND","groups":[{"operator":"AND","conditions":[` + strings.Join(conditions, ",") + `]}]}`
}

// Corrections show at once, and another workspace's mentions never do.
func TestVolume_AfterCorrection(t *testing.T) {
	d := newDesk(t)
	count := func(token string) (n int64) {
		t.Helper()
		var list analytics.Volume
		d.As(token).Get(t, path+"volume?granularity=month&startDate=2026-11-01").OK(t, &list)
		for _, r := range list.Data {
			n += r.Count
		}
		return n
	}
	before := count(d.Read)
	if _, err := d.Store.ChangeMention(t.Context(), d.Main.ID, "post0", func(m *mention.Mention) (bool, error) {
		low := mention.Low
		m.RelevanceScore, m.Relevant = &low, false
		return true, nil
	}); err != nil {
		t.Fatal(err)
	}
	if after := count(d.Read); after != before-1 {
		t.Errorf("count after a correction = %d, want %d", after, before-1)
	}
	if theirs := count(d.OtherKey); theirs != 0 {
		t.Errorf("another workspace counts %d mentions, want 0", theirs)
	}
}

// Mentions without an author take no place among the limit's authors.
func TestQuery_NoAuthor(t *testing.T) {
	d := newDesk(t)
	batch := worldtest.Mentions(60)
	for i := range batch {
		batch[i].SourceID, batch[i].Author = fmt.Sprint("unsigned", i), nil
		batch[i].PostedAt = batch[i].PostedAt.Add(-time.Minute)
	}
	if _, err := d.Store.Ingest(t.Context(), d.Main.ID, 1_000_000, batch); err != nil {
		t.Fatal(err)
	}
	var got analytics.QueryResult
	d.Post(t, path+"query", `{"aggregates":["count"],"dimensions":["author"],"limit":1}`).OK(t, &got)
	if len(got.Data) != 1 || got.Data[0].Author == "" || got.Omitted != 3 {
		t.Errorf("query = %+v, %d omitted, want the author with the most mentions and 3 omitted", got.Data, got.Omitted)
	}
}

// Dates of the filter narrow the period. What it is compared with is as long, and opens its own mentions.
func TestQuery_CompareWithinDatesOfTheFilter(t *testing.T) {
	d := newDesk(t)
	for compareTo, want := range map[string][2]string{
		"previous": {"2026-11-15T00:00:00.000Z", "2026-11-17T00:00:00.000Z"},
		"year":     {"2025-11-17T00:00:00.000Z", "2025-11-19T00:00:00.000Z"},
	} {
		var got struct {
			ComparedTo struct {
				StartDate, EndDate string
				Data               []struct {
					Count   int64
					Filters json.RawMessage
				}
			}
		}
		d.Post(t, path+"query", `{"aggregates":["count"],"compareTo":"`+compareTo+`",`+
			`"filters":{"startDate":"2026-11-17","endDate":"2026-11-19"}}`).OK(t, &got)
		before := got.ComparedTo
		if before.StartDate != want[0] || before.EndDate != want[1] {
			t.Errorf("%s: compared to %s until %s, want %s", compareTo, before.StartDate, before.EndDate, want)
		}
		if compareTo == "previous" && (len(before.Data) != 1 || before.Data[0].Count != opens(t, d, before.Data[0].Filters)) {
			t.Errorf("previous: %+v, want a row that opens its mentions", before.Data)
		}
	}
}

// Handles are in lower case whatever their script, and open what they count.
func TestAuthors_LowerCase(t *testing.T) {
	d := newBareDesk(t)
	handles := []string{"Müller", "ЖЕНЯ", "Straße", "@ΝΊΚΟΣ", "İrem", "KELVIN"}
	batch := worldtest.Mentions(len(handles))
	for i := range batch {
		batch[i].Author = &handles[i]
	}
	if _, err := d.Store.Ingest(t.Context(), d.Main.ID, 1_000_000, batch); err != nil {
		t.Fatal(err)
	}
	type row struct {
		Author  string
		Count   int64
		Filters json.RawMessage
	}
	var list, asked struct{ Data []row }
	d.Get(t, path+"authors?relevance=0,1,2").OK(t, &list)
	d.Post(t, path+"query", `{"aggregates":["count"],"dimensions":["author"],"relevance":[0,1,2]}`).OK(t, &asked)
	for _, rows := range [][]row{list.Data, asked.Data} {
		var got []string
		for _, r := range rows {
			got = append(got, r.Author)
			if n := opens(t, d, r.Filters); n != r.Count {
				t.Errorf("%s opens %d mentions, want %d", r.Filters, n, r.Count)
			}
		}
		slices.Sort(got)
		if want := []string{"kelvin", "müller", "straße", "İrem", "νίκοσ", "женя"}; !slices.Equal(got, want) {
			t.Errorf("authors = %q, want %q", got, want)
		}
	}
}
