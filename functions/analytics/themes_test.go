package analytics_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"earshot/functions/analytics"
	figures "earshot/shared/analytics"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/worldtest"
)

// utterances are what mentions of northwind say, by subject.
var utterances = map[string][]string{
	"login": {
		"Northwind login page throws an error since the update", "Cannot login to Northwind, error 500 on the login page",
		"Anyone else get a login error with Northwind today?", "The Northwind login error is back after the password reset",
		"Password reset mail from Northwind never arrives, login error again",
		"Login error, the password reset link is broken too",
		"northwind login keeps failing with an error after password reset",
		"Is the login error at Northwind known to support?",
	},
	"battery": {
		"Northwind headphones battery drains within two hours",
		"Battery of my Northwind headphones died, charging does not help",
		"How long does the battery of Northwind headphones last when charging overnight?",
		"Replaced the battery, the Northwind headphones charging case works again",
		"Charging the Northwind headphones takes forever and the battery drains",
		"Headphones battery swollen after charging, careful",
	},
	"退款": {"客服态度太差了，退款一直没有到账", "申请退款三个星期，客服不回复", "退款终于到账，客服还可以", "客服说退款需要七天"},
}

// uttered returns mentions on the subjects in a period of ten days that ends days before now: all of login, two of
// battery if there is a period before, and so on as counts says.
func uttered(name string, days int, counts map[string]int) (list []mention.Mention) {
	for _, subject := range []string{"login", "battery", "退款"} {
		for i, body := range utterances[subject][:counts[subject]] {
			m := worldtest.Mention(0, fmt.Sprint(name, subject, i),
				worldtest.Now.AddDate(0, 0, -days).Add(-time.Duration(i)*time.Hour))
			author := fmt.Sprint("author", i/2)
			m.Title, m.Body, m.Author = nil, &body, &author
			m.Source = []string{"reddit", "hackernews", "x"}[i%3]
			m.Sentiment = mention.Sentiments()[i%3]
			m.Keywords = []mention.Keyword{{ID: 7, Text: "northwind"}}
			if subject == "退款" {
				m.Language = "chinese"
			}
			list = append(list, m)
		}
	}
	return list
}

const tenDays = `"startDate":"2026-11-11","endDate":"2026-11-21"`

// newThemes returns a workspace with mentions on three subjects, in ten days and in the ten days before.
func newThemes(t testing.TB, more ...mention.Mention) worldtest.Desk {
	t.Helper()
	d := newBareDesk(t)
	batch := append(uttered("now", 1, map[string]int{"login": 8, "battery": 6, "退款": 4}),
		uttered("before", 12, map[string]int{"login": 4, "battery": 6})...)
	for i := range 2 { // say nothing
		short := worldtest.Mention(0, fmt.Sprint("short", i), worldtest.Now.Add(-time.Hour))
		body := []string{"northwind!", "@northwind https://northwind.example"}[i]
		short.Title, short.Body = nil, &body
		batch = append(batch, short)
	}
	batch = append(batch, more...)
	rand.New(rand.NewPCG(uint64(len(more)), 1)).
		Shuffle(len(batch), func(i, j int) { batch[i], batch[j] = batch[j], batch[i] })
	if _, err := d.Store.Ingest(t.Context(), d.Main.ID, 1_000_000, batch); err != nil {
		t.Fatal(err)
	}
	return d
}

func themesOf(t testing.TB, d worldtest.Desk, body string) (list analytics.ThemeList) {
	t.Helper()
	d.Post(t, path+"themes", body).OK(t, &list)
	sum := list.Omitted.Share + list.Other.Share + list.Short.Share
	count, stories := list.Omitted.Count+list.Other.Count+list.Short.Count,
		list.Omitted.Stories+list.Other.Stories+list.Short.Stories
	for _, row := range list.Data {
		sum, count, stories = sum+row.Share, count+row.Count, stories+row.Stories
		tones := row.Sentiment.Positive + row.Sentiment.Neutral + row.Sentiment.Negative + row.Sentiment.Unknown
		languages, sources := int64(0), int64(0)
		for _, one := range row.Languages {
			languages += one.Count
		}
		for _, one := range row.Sources {
			sources += one.Count
		}
		if tones != row.Count || languages != row.Count || sources != row.Count {
			t.Errorf("theme %q of %d mentions has %d by sentiment, %d by language, %d by source", row.Label, row.Count, tones,
				languages, sources)
		}
	}
	if list.Read > 0 && math.Abs(sum-1) > 1e-9 || count != list.Read || stories != list.Stories {
		t.Errorf("themes(%s): shares come to %v, mentions to %d of %d, stories to %d of %d", body, sum, count, list.Read,
			stories, list.Stories)
	}
	return list
}

func named(list analytics.ThemeList, part string) analytics.ThemeRow {
	at := slices.IndexFunc(list.Data,
		func(row analytics.ThemeRow) bool { return strings.Contains(strings.ToLower(row.Label), part) })
	if at < 0 {
		return analytics.ThemeRow{}
	}
	return list.Data[at]
}

func TestThemes(t *testing.T) {
	d := newThemes(t)
	list := themesOf(t, d, `{`+tenDays+`}`)
	if !list.Exact || list.Selected != 20 || list.Read != 20 || list.Stories != 20 || list.Short.Count != 2 ||
		list.ComparedTo.StartDate != "2026-11-01T00:00:00.000Z" || list.ComparedTo.Read != 10 || list.Scanned != 30 {
		t.Errorf("themes = %+v", list)
	}
	for part, want := range map[string]struct {
		stories, before int64
		growth          float64
	}{"login": {8, 4, 1}, "battery": {6, 6, 0}, "退款": {4, 0, math.NaN()}} {
		row := named(list, part)
		growth := math.NaN()
		if row.Growth.Value != nil {
			growth = *row.Growth.Value
		}
		if row.Stories != want.stories || row.Count != want.stories || row.Before != want.before ||
			row.Share != float64(want.stories)/20 ||
			growth != want.growth && !(math.IsNaN(growth) && math.IsNaN(want.growth)) {
			t.Errorf("theme %s = %+v, want %+v", part, row, want)
		}
		authors, sources := map[string]bool{}, map[string]bool{}
		for _, m := range row.Mentions {
			authors[m.Author.OrZero()], sources[m.Source] = true, true
			if !slices.ContainsFunc(utterances[part], func(body string) bool { return body == m.Snippet }) || m.ID == 0 ||
				m.URL == "" {
				t.Errorf("mention of %s = %+v", part, m)
			}
		}
		if len(row.Mentions) != 3 || len(sources) != 3 || len(authors) < 2 {
			t.Errorf("mentions of %s = %+v, want three of three sources", part, row.Mentions)
		}
		if strings.Contains(strings.ToLower(fmt.Sprint(row.Label, row.Terms)), "northwind") {
			t.Errorf("theme %s has the keyword among its terms: %+v", part, row)
		}
	}
}

// A story that others pass on counts once in shares and growth, and each time in count.
func TestThemes_Stories(t *testing.T) {
	var copies []mention.Mention
	for i := range 5 {
		m := worldtest.Mention(0, fmt.Sprint("copy", i), worldtest.Now.Add(-time.Duration(i)*time.Minute))
		body := strings.ToUpper(utterances["login"][3]) + fmt.Sprintf(" https://copy.example/%d", i)
		m.Title, m.Body, m.Source = nil, &body, "reddit"
		copies = append(copies, m)
	}
	d := newThemes(t, copies...)
	list := themesOf(t, d, `{`+tenDays+`}`)
	row := named(list, "login")
	if list.Read != 25 || list.Stories != 20 || row.Stories != 8 || row.Count != 13 || row.Share != 0.4 ||
		row.Growth.OrZero() != 1 {
		t.Errorf("themes = %+v, want five copies of a story in count alone", list)
	}
	ids := map[string]bool{}
	for _, m := range row.Mentions {
		ids[strings.ToLower(m.Snippet)] = true
	}
	if len(ids) != 3 {
		t.Errorf("mentions = %+v, want three stories", row.Mentions)
	}
}

func TestThemes_SameMentions(t *testing.T) {
	d, again := newThemes(t), newThemes(t) // ids differ: they are given in the order of coming in
	first, second := themesOf(t, d, `{`+tenDays+`}`), themesOf(t, again, `{`+tenDays+`}`)
	for _, list := range []*analytics.ThemeList{&first, &second} {
		for i := range list.Data {
			for n := range list.Data[i].Mentions {
				list.Data[i].Mentions[n].ID = 0
			}
		}
	}
	if !reflect.DeepEqual(first, second) {
		t.Errorf("themes = %+v, and then %+v", first, second)
	}
}

func TestThemes_Limit(t *testing.T) {
	d := newThemes(t)
	list := themesOf(t, d, `{`+tenDays+`,"limit":1}`)
	if len(list.Data) != 1 || list.Omitted.Stories != 10 || list.Omitted.Share != 0.5 {
		t.Errorf("themes = %+v, want two themes omitted", list)
	}
}

// A request selects the mentions that a query with the same fields counts.
func TestThemes_Selection(t *testing.T) {
	d := newThemes(t, worldtest.Mentions(40)...)
	for _, fields := range []string{
		tenDays, tenDays + `,"timezone":"Asia/Kolkata"`, tenDays + `,"relevance":[2,"none"]`,
		`"startDate":"2026-11-19T10:30:00Z"`,
		tenDays + `,"filters":{"source":["reddit"]}`, tenDays + `,"filters":{"text":["battery"]}`,
		tenDays + `,"filters":{"!text":["battery"]}`,
		tenDays + `,"filters":{"author":["author1"]}`, tenDays + `,"filters":{"language":["chinese"]}`,
		tenDays + `,"filters":{"keyword":[8]}`,
		tenDays + `,"filters":{"sentiment":["negative"]}`, tenDays + `,"filters":{"startDate":"2026-11-18"}`,
		tenDays + `,"filters":{"endDate":"2026-11-01"}`,
		tenDays + `,"filters":{"!tag":["own_brand_mention"]}`,
		tenDays + `,"filters":{"operator":"OR","groups":[{"operator":"AND","conditions":[{"text":["login"]}]},{"operator":"AND","conditions":[{"source":["x"]}]}]}`,
	} {
		var counted struct{ Data []struct{ Count int64 } }
		d.Post(t, path+"query", `{"aggregates":["count"],`+fields+`}`).OK(t, &counted)
		want := int64(0)
		for _, row := range counted.Data {
			want += row.Count
		}
		if list := themesOf(t, d, `{`+fields+`}`); list.Selected != want || list.Read != want || !list.Exact {
			t.Errorf("themes(%s) = exact %v of %d mentions, want %d", fields, list.Exact, list.Selected, want)
		}
	}
}

// The dates of a filter narrow both periods.
func TestThemes_FilterDates(t *testing.T) {
	d := newThemes(t)
	list := themesOf(t, d, `{"filters":{"startDate":"2026-11-11","endDate":"2026-11-21"}}`)
	if list.ComparedTo.StartDate != "2026-11-01T00:00:00.000Z" || list.ComparedTo.Read != 10 ||
		named(list, "login").Growth.OrZero() != 1 {
		t.Errorf("themes = %+v, want growth against the ten days before", list)
	}
}

func TestThemes_Nothing(t *testing.T) {
	d := newThemes(t)
	list := themesOf(t, d, `{"startDate":"2026-01-01","endDate":"2026-01-02"}`)
	if !list.Exact || len(list.Data) != 0 || list.Data == nil || list.Read != 0 {
		t.Errorf("themes of an empty period = %+v", list)
	}
	var theirs analytics.ThemeList
	d.As(d.OtherKey).Post(t, path+"themes", `{}`).OK(t, &theirs)
	if theirs.Read != 0 || theirs.ComparedTo.Read != 0 {
		t.Errorf("another workspace reads %d mentions", theirs.Read)
	}
}

func TestThemes_Faults(t *testing.T) {
	d := newDesk(t)
	for body, want := range map[string]string{
		`{"timezone":"Mars/Olympus"}`:      "INVALID_TIMEZONE ",
		`{"startDate":"2025-01-01"}`:       "VALIDATION_ERROR startDate range",
		`{"startDate":"yesterday"}`:        "VALIDATION_ERROR startDate format",
		`{"limit":51}`:                     "VALIDATION_ERROR limit maximum",
		`{"relevance":["some"]}`:           "VALIDATION_ERROR relevance[0] type",
		`{"filters":{"keyword":[70]}}`:     "MENTION_KEYWORD_UNKNOWN ",
		`{"filters":{"colour":["x"]}}`:     "VALIDATION_ERROR filters.colour unknown",
		`{"filters":` + wide(50) + `}`:     "FILTER_LIMIT_EXCEEDED ",
		`{"aggregates":["count"]}`:         "VALIDATION_ERROR aggregates unknown",
		`{"endDate":"2026-11-01T0:00:00"}`: "VALIDATION_ERROR endDate format",
		`{"endDate":"tomorrow","limit":0}`: "VALIDATION_ERROR endDate format, limit minimum",
	} {
		answer := d.Post(t, path+"themes", body)
		if got := faultsOf(t, answer); got != want {
			t.Errorf("%s: %s, want %s", body, answer.Body, want)
		}
	}
}

// More mentions than are read make a sample, of which the response says so.
func TestThemes_Sample(t *testing.T) {
	var flood []mention.Mention
	for i := range 2_400 {
		m := worldtest.Mention(0, fmt.Sprint("flood", i), worldtest.Now.Add(-time.Duration(i)*time.Minute))
		subject := []string{"parcel delivery late courier", "invoice billing charged twice",
			"dashboard widget colour theme"}[i%3]
		body := fmt.Sprintf("%s number%c%c%c", subject, 'a'+i%26, 'a'+i/26%26, 'a'+i/676)
		m.Title, m.Body = nil, &body
		flood = append(flood, m)
	}
	d := newThemes(t, flood...)
	list := themesOf(t, d, `{`+tenDays+`}`)
	if list.Exact || !strings.Contains(list.Why, "2000 of 2420") || list.Read != 2_000 || list.Selected != 2_420 {
		t.Errorf("themes = exact %v, why %q, %d of %d", list.Exact, list.Why, list.Read, list.Selected)
	}
	for _, part := range []string{"delivery", "invoice", "widget"} {
		if row := named(list, part); math.Abs(row.Share-1.0/3) > 0.05 {
			t.Errorf("theme %q = %+v, want about a third", part, row)
		}
	}
}

// What a request costs is what its description says.
func TestThemes_ReadUnits(t *testing.T) {
	var flood []mention.Mention
	for i := range 3_000 {
		m := worldtest.Mention(0, fmt.Sprint("flood", i), worldtest.Now.Add(-time.Duration(i)*time.Minute))
		body := fmt.Sprintf("parcel delivery late courier number %d", i) + strings.Repeat(" and so on", 40)
		m.Body, m.Vector = &body, make([]byte, 101)
		flood = append(flood, m)
	}
	d := newBareDesk(t)
	if _, err := d.Store.Ingest(t.Context(), d.Main.ID, 1_000_000, flood); err != nil {
		t.Fatal(err)
	}
	units := func(most int) float64 {
		ctx, meter := table.WithMeter(t.Context())
		query := figures.Query{
			WorkspaceID: d.Main.ID,
			Period: figures.Period{
				Start: worldtest.Now.AddDate(0, 0, -9),
				End:   worldtest.Now.AddDate(0, 0, 1),
				Zone:  time.UTC,
			},
		}
		read, err := figures.Read(ctx, d.Store, query, most)
		if must(t, err); len(read.Mentions) != most || read.Selected != 3_000 {
			t.Fatalf("Read = %d of %d mentions", len(read.Mentions), read.Selected)
		}
		return meter.Total().ReadUnits
	}
	selecting := units(0)
	reading := units(1_000) - selecting
	if selecting > 3_000/25 || reading != 1_000/2 {
		t.Errorf("%.1f units to select 3,000 mentions and %.1f to read 1,000, want at most 120 and 500", selecting, reading)
	}
}

func TestSnippet(t *testing.T) {
	hostile := "\u202egnp.exe\u202c \x00\x1b[31mred\u200b\u2066 line\nbreak " + strings.Repeat("\u200d", 3_000) + " end"
	d := newThemes(t, func() (list []mention.Mention) {
		for i := range 3 {
			m := worldtest.Mention(0, fmt.Sprint("hostile", i), worldtest.Now.Add(-time.Minute))
			title, body := fmt.Sprint("Turbine manual ", i, hostile), fmt.Sprint("Turbine manual wanted ", i, " ", hostile)
			m.Title, m.Body = &title, &body
			list = append(list, m)
		}
		return list
	}()...)
	list := themesOf(t, d, `{`+tenDays+`,"filters":{"text":["turbine"]}}`)
	raw, err := json.Marshal(list)
	must(t, err)
	if len(list.Data) != 1 ||
		strings.ContainsFunc(string(raw), func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }) {
		t.Errorf("themes = %s, want no character that cannot be seen", raw)
	}
}
