package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"earshot/shared/analytics"
	"earshot/shared/mention"
)

// A counter is a workspace whose figures are counted a second time, one mention after the other.
type counter struct {
	*bench
	t      *testing.T
	random *rand.Rand
	org    string
	now    time.Time
	zone   *time.Location
	left   int               // requests of this hour
	own    []int64           // keywords of the own brand
	tags   map[int64]string  // of keywords that are there
	all    map[string]listed // by sourceId
	tried  map[string]bool   // combinations of dimensions
}

// A listed is a mention as POST /mentions lists it.
type listed struct {
	ID                  int64
	SourceID, Timestamp string
	Source, Language    string
	Author, Sentiment   *string
	RelevanceScore      *int
	AuthorFollowers     *int64
	Tags                []string
	Keywords            []struct{ ID int64 }
	posted              time.Time
	EngagementMetrics   map[string]int64
}

// Every row of every read and query counts the mentions that its filters open: those that a recount finds, each one of
// them. Clocks change in the periods, values are missing, and users correct, judge and delete.
func TestAnalyticsRows_OpenTheirMentions(t *testing.T) {
	b := begin(t)
	tried := map[string]bool{}
	for seed, place := range []struct{ now, zone string }{
		{"2027-03-15T14:30:00Z", "America/New_York"},    // a day of 23 hours: 14 March
		{"2027-03-29T06:10:00Z", "Europe/Berlin"},       // 28 March
		{"2027-04-04T20:00:00Z", "Australia/Lord_Howe"}, // half an hour more: 4 April
		{"2027-05-02T08:00:00Z", "Asia/Kathmandu"},
		{"2027-06-01T00:00:00Z", "UTC"},
		{"2027-07-11T11:59:59.999Z", "America/St_Johns"},
		{"2027-10-31T22:15:00Z", "Europe/Berlin"},    // 25 hours
		{"2027-11-07T18:00:00Z", "America/New_York"}, // 25 hours
		{"2027-11-08T05:00:00Z", "America/Havana"},   // midnight twice: 7 November
	} {
		now, err := time.Parse(time.RFC3339, place.now)
		if err != nil {
			t.Fatal(err)
		}
		zone, err := time.LoadLocation(place.zone)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(place.now+" "+place.zone, func(t *testing.T) {
			c := &counter{bench: b, t: t, random: rand.New(rand.NewPCG(18, uint64(seed))), now: now, zone: zone, tried: tried}
			c.begin()
			c.live()
			c.relist()
			c.reads()
			for range 14 {
				c.query()
			}
		})
	}
	if want := 1 + 7 + 21; len(tried) != want {
		t.Errorf("%d combinations of dimensions were tried, want %d", len(tried), want)
	}
}

// send sends a request of the workspace. The clock moves on to the next hour if this one has no requests left.
func (c *counter) send(method, target, body string) answer {
	c.t.Helper()
	if c.left == 0 {
		c.now, c.left = c.now.Add(time.Hour), 450
		c.ask(c.t, "POST", "/_local/clock", fmt.Sprintf(`{"now":%q}`, c.now.UTC().Format(time.RFC3339Nano))).ok(c.t, nil)
	}
	c.left--
	header := []string{"Authorization", "Bearer " + c.demo.Keys.AgencyMaster, "Content-Type", "application/json"}
	if c.org != "" {
		header = append(header, "x-earshot-organization-id", c.org)
	}
	got := c.ask(c.t, method, target, body, header...)
	if got.StatusCode/100 != 2 {
		c.t.Fatalf("%s %s %s = %d %s", method, target, body, got.StatusCode, got.body)
	}
	return got
}

func read[T any](c *counter, got answer) (into T) {
	c.t.Helper()
	if err := json.Unmarshal([]byte(got.body), &into); err != nil {
		c.t.Fatalf("%s: %v", got.body, err)
	}
	return into
}

// begin makes a workspace with four keywords: two of the own brand, which are not told apart, and two competitors.
func (c *counter) begin() {
	c.now = c.now.Add(-time.Hour) // the first request moves it on
	made := read[struct{ ID, OrgID, OrganizationID string }](c,
		c.send("POST", "/api/v2/agency/workspaces", fmt.Sprintf(`{"name":"Rows %d","plan":"pro"}`, c.random.Uint64())))
	c.org = made.ID + made.OrgID + made.OrganizationID
	c.tags = map[int64]string{}
	for _, k := range [][2]string{{"northwind", "own_brand"}, {"north wind", "own_brand"}, {"southwind", "competitor"},
		{"eastwind", "competitor"}} {
		id := read[struct{ ID int64 }](c,
			c.send("POST", "/api/v2/keywords", fmt.Sprintf(`{"keyword":%q,"tag":%q}`, k[0], k[1]))).ID
		c.tags[id] = k[1]
		if k[1] == "own_brand" {
			c.own = append(c.own, id)
		}
	}
	slices.Sort(c.own)
}

func pick[T any](c *counter, from ...T) T { return from[c.random.IntN(len(from))] }

// maybe returns a value, or null.
func maybe(c *counter, value any) any {
	if c.random.IntN(4) == 0 {
		return nil
	}
	return value
}

// mention draws a mention. Many are posted at the edge of an hour or a day, or about a change of the clock.
func (c *counter) mention(n int) map[string]any {
	posted := c.now.Add(-time.Duration(c.random.IntN(9*24*60)) * time.Minute)
	local := posted.In(c.zone)
	switch c.random.IntN(4) {
	case 0:
		posted = time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, c.zone)
	case 1:
		posted = time.Date(local.Year(), local.Month(), local.Day(), c.random.IntN(4), 0, 0, 0, c.zone).Add(-time.Millisecond)
	}
	m := map[string]any{
		"id": 1000 + n, "sourceId": fmt.Sprint("post_", n), "url": "https://posts.example/" + strconv.Itoa(n),
		"title": maybe(c, "Northwind"),
		"body":  "It names northwind.", "source": pick(c, "reddit", "Reddit", "HACKERNEWS", "bluesky"),
		"timestamp": mention.Timestamp(posted.UTC()),
		"author": maybe(c,
			pick(c, "quietharbor", "@QuietHarbor", "ÉCLAIR", "éclair", " ", "@", "", "a b", strings.Repeat("long", 90))),
		"authorFollowers": maybe(c, c.random.IntN(3)*10), "sentiment": maybe(c, pick(c, "Positive", "Neutral", "Negative")),
		"language":          pick(c, "english", "german", "", "undetermined"),
		"engagementMetrics": map[string]int{"points": c.random.IntN(5), "views": 100},
	}
	if score := c.random.IntN(5) - 1; score >= 0 {
		score = min(score, 2)
		m["relevanceScore"], m["relevance"] = score, []string{"relevant", "relevant", "not_relevant"}[score]
	}
	var tags []string
	for range c.random.IntN(3) {
		tags = append(tags, pick(c, "pricing", "hiring", "bug_report"))
	}
	m["tags"] = slices.Compact(tags)
	keywords := []map[string]any{}
	for _, id := range slices.Sorted(maps.Keys(c.tags)) {
		if c.random.IntN(3) == 0 {
			keywords = append(keywords, map[string]any{"id": id, "keyword": "northwind"})
		}
	}
	m["keywords"] = keywords
	return m
}

// live lets a history happen: mentions come, are put in again as others, corrected and judged, move to the archive, and
// lose a keyword.
func (c *counter) live() {
	put := func(n int) {
		line, err := json.Marshal(c.mention(n))
		if err != nil {
			c.t.Fatal(err)
		}
		var report struct{ Stored int }
		if got := c.ask(c.t, "POST", "/_local/mentions?workspace="+c.org, string(line)); got.StatusCode != 200 ||
			json.Unmarshal([]byte(got.body), &report) != nil || report.Stored != 1 {
			c.t.Fatalf("POST /_local/mentions %s = %s", line, got.body)
		}
	}
	for n := range 40 {
		put(n)
	}
	c.relist()
	for _, m := range c.sorted() {
		said := fmt.Sprintf(`"timestamp":%q`, m.Timestamp)
		switch target := "/api/v2/mentions/" + url.PathEscape(m.SourceID); c.random.IntN(6) {
		case 0:
			c.send("PATCH", target, fmt.Sprintf(`{"action":"relevance","postId":%d,"relevance":%d,%s}`, m.ID, c.random.IntN(4), said))
		case 1:
			c.send("PATCH", target, fmt.Sprintf(`{"action":"sentiment","postId":%d,"sentimentLabel":%q,%s}`, m.ID,
				pick(c, "Positive", "Neutral", "Negative"), said))
		case 2:
			if len(m.Keywords) > 0 {
				c.send("POST", "/api/v2/feedback", fmt.Sprintf(`{"sourceId":%q,"keywordId":%d,"source":%q,"feedbackType":%q,%s}`,
					m.SourceID, m.Keywords[0].ID, m.Source, pick(c, "RELEVANT", "NOT_RELEVANT"), said))
				if c.random.IntN(3) == 0 {
					c.send("DELETE", fmt.Sprintf("/api/v2/feedback?sourceId=%s&keywordId=%d", url.QueryEscape(m.SourceID), m.Keywords[0].ID), "")
				}
			}
		case 3:
			n, _ := strconv.Atoi(strings.TrimPrefix(m.SourceID, "post_"))
			put(n)
		}
	}
	c.ask(c.t, "POST", "/_local/schedules/archive", "").ok(c.t, nil)
	if c.random.IntN(2) == 0 {
		ids := slices.Sorted(maps.Keys(c.tags))
		gone := pick(c, ids...)
		c.send("DELETE", fmt.Sprint("/api/v2/keywords/", gone), "")
		delete(c.tags, gone)
		c.own = slices.DeleteFunc(c.own, func(id int64) bool { return id == gone })
	}
}

// list opens filters.
func (c *counter) list(filters string) map[string]listed {
	c.t.Helper()
	found, cursor := map[string]listed{}, ""
	for {
		page := read[struct {
			Data       []listed
			Pagination struct{ NextCursor *string }
		}](c, c.send("POST", "/api/v2/mentions", `{"includeAll":true,"includeEngagementMetrics":true,"limit":100`+filters+cursor+`}`))
		for _, m := range page.Data {
			if _, twice := found[m.SourceID]; twice {
				c.t.Fatalf("%s lists %s twice", filters, m.SourceID)
			}
			var err error
			if m.posted, err = mention.ParseTimestamp(m.Timestamp); err != nil {
				c.t.Fatal(err)
			}
			found[m.SourceID] = m
		}
		if page.Pagination.NextCursor == nil {
			return found
		}
		cursor = fmt.Sprintf(`,"cursor":%q`, *page.Pagination.NextCursor)
	}
}

func (c *counter) relist() { c.all = c.list("") }

func (c *counter) sorted() (all []listed) {
	for _, id := range slices.Sorted(maps.Keys(c.all)) {
		all = append(all, c.all[id])
	}
	return all
}

// values returns what a mention counts for in a dimension, as rows write it. It is empty if there is no row for it.
func (c *counter) values(d string, m listed) (values []string) {
	switch d {
	case "source":
		return []string{strings.ToLower(m.Source)}
	case "sentiment":
		if m.Sentiment == nil {
			return []string{"unknown"}
		}
		return []string{*m.Sentiment}
	case "relevance":
		if m.RelevanceScore == nil {
			return []string{"none"}
		}
		return []string{strconv.Itoa(*m.RelevanceScore)}
	case "language":
		if m.Language == "" {
			return []string{"undetermined"}
		}
		return []string{m.Language}
	case "tag":
		if values = slices.Clone(m.Tags); len(values) == 0 {
			return []string{"none"}
		}
	case "keyword":
		for _, k := range m.Keywords {
			values = append(values, strconv.FormatInt(k.ID, 10))
		}
		if len(values) == 0 {
			return []string{"none"}
		}
	case "author":
		if m.Author != nil && mention.Handle(*m.Author) != "" {
			return []string{strings.ToLower(mention.Handle(*m.Author)) + "@" + strings.ToLower(m.Source)}
		}
	}
	return values
}

// bucket returns the name of the bucket of a time, found without the package that is tested.
func (c *counter) bucket(granularity string, at time.Time) string {
	local := at.In(c.zone)
	switch granularity {
	case "hour": // the moment at which the clock showed a full hour last
		for at = at.Truncate(time.Minute); at.In(c.zone).Minute() != 0; {
			at = at.Add(-time.Minute)
		}
		return at.UTC().Format("2006-01-02T15:04:05.000Z")
	case "week":
		for local.Weekday() != time.Monday {
			local = local.AddDate(0, 0, -1)
		}
	case "month":
		return local.Format("2006-01") + "-01"
	case "":
		return ""
	}
	return local.Format(time.DateOnly)
}

// expected groups mentions by bucket and values.
func (c *counter) expected(granularity string, dimensions []string, takes func(listed) bool) map[string][]string {
	groups := map[string][]string{}
	for _, m := range c.sorted() {
		if !takes(m) {
			continue
		}
		keys := []string{c.bucket(granularity, m.posted)}
		for _, d := range dimensions {
			var longer []string
			for _, key := range keys {
				for _, value := range c.values(d, m) {
					longer = append(longer, key+"|"+value)
				}
			}
			keys = longer
		}
		for _, key := range keys {
			groups[key] = append(groups[key], m.SourceID)
		}
	}
	return groups
}

// A figure is a row of any answer.
type figure struct {
	Bucket, Source, Sentiment, Language, Tag, Author, Name string
	Relevance, Keyword, KeywordID                          any
	KeywordIDs                                             []int64
	Count                                                  int
	Filters                                                json.RawMessage
}

func (f figure) key(dimensions []string) string {
	key := f.Bucket
	for _, d := range dimensions {
		key += "|" + map[string]string{"source": f.Source, "sentiment": f.Sentiment, "language": f.Language, "tag": f.Tag,
			"author":    f.Author + "@" + f.Source,
			"relevance": fmt.Sprint(f.Relevance), "keyword": fmt.Sprint(f.Keyword)}[d]
	}
	return key
}

// compare holds rows against the expected groups, and opens each row.
func (c *counter) compare(what string, rows []figure, dimensions []string, want map[string][]string) {
	c.t.Helper()
	seen := map[string]bool{}
	for _, row := range rows {
		key := row.key(dimensions)
		if seen[key] {
			c.t.Errorf("%s: the row %s is there twice", what, key)
		}
		seen[key] = true
		c.opens(what, row, want[key])
	}
	for key, group := range want {
		if !seen[key] {
			c.t.Errorf("%s: the row %s is missing, of %d mentions", what, key, len(group))
		}
	}
}

// opens checks that a row counts and opens exactly a group.
func (c *counter) opens(what string, row figure, want []string) {
	c.t.Helper()
	if row.Count != len(want) {
		c.t.Errorf("%s: %+v counts %d, want %d: %v", what, row, row.Count, len(want), want)
	}
	if len(row.Filters) == 0 {
		if c.opensNot(row) {
			return
		}
		c.t.Errorf("%s: %+v has no filters", what, row)
		return
	}
	if got := slices.Sorted(maps.Keys(c.list(`,"filters":` + string(row.Filters)))); !slices.Equal(got, want) {
		c.t.Errorf("%s: %s opens %v, want %v", what, row.Filters, got, want)
	}
}

// opensNot reports whether a row may be without filters: the list refuses the id of a deleted keyword, and handles that
// are too long.
func (c *counter) opensNot(row figure) bool {
	for _, id := range []any{row.Keyword, row.KeywordID} {
		if number, is := id.(float64); is && c.tags[int64(number)] == "" {
			return true
		}
	}
	return len(row.Author) > 200
}

func relevant(m listed) bool { return m.RelevanceScore != nil && *m.RelevanceScore < 2 }

// reads asks the nine reads.
func (c *counter) reads() {
	rows := func(target string) []figure {
		answer := read[struct {
			Exact bool
			Why   string
			Data  []figure
		}](c, c.send("GET", "/api/v2/analytics/"+target, ""))
		if !answer.Exact {
			c.t.Errorf("%s is not exact: %s", target, answer.Why)
		}
		return answer.Data
	}
	zone := "timezone=" + url.QueryEscape(c.zone.String())
	for _, g := range []string{"hour", "day", "week", "month"} {
		c.compare("volume by "+g, rows("volume?granularity="+g+"&"+zone), nil, c.expected(g, nil, relevant))
	}
	scored := func(m listed) bool { return relevant(m) && m.Sentiment != nil && *m.Sentiment == "Negative" }
	c.compare("volume of one tone", rows("volume?sentiment=NEGATIVE&"+zone), nil, c.expected("day", nil, scored))
	for name, d := range map[string]string{"sentiment": "sentiment", "sources": "source", "tags": "tag",
		"languages": "language", "authors": "author"} {
		c.compare(name, rows(name+"?"+zone), []string{d}, c.expected("", []string{d}, relevant))
		c.compare(name+" of all", rows(name+"?relevance=0,1,2,none"), []string{d},
			c.expected("", []string{d}, func(listed) bool { return true }))
	}
	keywords := rows("keywords?" + zone)
	for i := range keywords {
		keywords[i].Keyword = keywords[i].KeywordID
	}
	want := c.expected("", []string{"keyword"}, relevant)
	delete(want, "|none")
	c.compare("keywords", keywords, []string{"keyword"}, want)
	c.voices(rows("share-of-voice?granularity=day&" + zone))
	c.dashboard(zone)
}

// voices checks share of voice: the own brand's keywords are one name.
func (c *counter) voices(rows []figure) {
	for _, row := range rows {
		group := c.expected("day", nil, func(m listed) bool {
			return relevant(m) && slices.ContainsFunc(m.Keywords,
				func(k struct{ ID int64 }) bool { return slices.Contains(row.KeywordIDs, k.ID) })
		})[row.Bucket]
		c.opens("share of voice", row, group)
		if row.KeywordIDs[0] == c.own[0] && !slices.Equal(row.KeywordIDs, c.own) {
			c.t.Errorf("the own brand is %v, want %v", row.KeywordIDs, c.own)
		}
	}
	if len(rows) == 0 {
		c.t.Error("share of voice has no rows")
	}
}

func (c *counter) dashboard(zone string) {
	type part struct {
		Exact bool
		Data  []figure
	}
	got := read[struct {
		Count                                      int
		Volume, Sentiment, Sources, Keywords, Tags part
	}](c, c.send("GET", "/api/v2/analytics/dashboard?"+zone, ""))
	for i := range got.Keywords.Data {
		got.Keywords.Data[i].Keyword = got.Keywords.Data[i].KeywordID
	}
	c.compare("dashboard.volume", got.Volume.Data, nil, c.expected("day", nil, relevant))
	c.compare("dashboard.sentiment", got.Sentiment.Data, []string{"sentiment"},
		c.expected("", []string{"sentiment"}, relevant))
	c.compare("dashboard.sources", got.Sources.Data, []string{"source"}, c.expected("", []string{"source"}, relevant))
	c.compare("dashboard.tags", got.Tags.Data, []string{"tag"}, c.expected("", []string{"tag"}, relevant))
	keyworded := c.expected("", []string{"keyword"}, relevant)
	delete(keyworded, "|none")
	c.compare("dashboard.keywords", got.Keywords.Data, []string{"keyword"}, keyworded)
	if want := len(c.expected("", nil, relevant)[""]); got.Count != want {
		c.t.Errorf("dashboard counts %d, want %d", got.Count, want)
	}
}

// query asks for figures by the next combination of dimensions that was not tried.
func (c *counter) query() {
	names := []string{""}
	for _, d := range analytics.Dimensions() {
		names = append(names, string(d))
	}
	var next []string
	for i, one := range names {
		for _, other := range names[i:] {
			pair := slices.DeleteFunc(slices.Compact([]string{one, other}), func(d string) bool { return d == "" })
			if key := strings.Join(pair, " "); next == nil && !c.tried[key] {
				c.tried[key], next = true, append([]string{}, pair...)
			}
		}
	}
	if next == nil {
		next = []string{names[1+c.random.IntN(3)], names[4+c.random.IntN(4)]}
	}
	granularity := pick(c, "", "hour", "day", "week", "month")
	takes := relevant
	body := map[string]any{"aggregates": []string{"count"}, "dimensions": next, "timezone": c.zone.String(), "limit": 1000}
	if granularity != "" {
		body["granularity"] = granularity
	}
	switch c.random.IntN(5) {
	case 0:
		takes = func(listed) bool { return true }
		body["relevance"] = []any{0, 1, 2, "none"}
	case 1:
		body["filters"] = map[string]any{"!source": []string{"reddit"}}
		takes = func(m listed) bool { return relevant(m) && !strings.EqualFold(m.Source, "reddit") }
	case 2:
		body["filters"] = map[string]any{"tag": []string{"none"}}
		takes = func(m listed) bool { return relevant(m) && len(m.Tags) == 0 }
	case 3:
		body["filters"] = map[string]any{"operator": "OR", "groups": []any{
			map[string]any{"operator": "AND", "conditions": []any{map[string]any{"sentiment": []string{"unknown"}}}},
			map[string]any{"operator": "OR",
				"conditions": []any{map[string]any{"text": []string{"northwind"}}, map[string]any{"engaged": true}}},
		}}
	}
	sent, err := json.Marshal(body)
	if err != nil {
		c.t.Fatal(err)
	}
	got := read[struct {
		Exact   bool
		Why     string
		Omitted int
		Data    []figure
	}](c, c.send("POST", "/api/v2/analytics/query", string(sent)))
	if !got.Exact || got.Omitted != 0 {
		c.t.Errorf("%s: exact %v (%s), %d omitted", sent, got.Exact, got.Why, got.Omitted)
	}
	c.compare(string(sent), got.Data, next, c.expected(granularity, next, takes))
}
