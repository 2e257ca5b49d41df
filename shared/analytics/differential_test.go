package analytics_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"

	"earshot/shared/analytics"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// A history is a workspace's mentions, and what the store should know of them.
type history struct {
	w     *worldtest.World
	orgID string
	all   map[string]mention.Mention
}

// change stores, imports, judges or archives something.
func (h *history) change(t *rapid.T) {
	ctx := t.Context()
	switch kind := rapid.SampledFrom([]string{"ingest", "ingest", "import", "judge", "archive"}).Draw(t, "kind"); {
	case kind == "ingest" || len(h.all) == 0:
		var batch []mention.Mention
		for range rapid.IntRange(1, 12).Draw(t, "posts") {
			m := drawMention(t, len(h.all)+len(batch))
			batch = append(batch, m)
		}
		if _, err := h.w.Store.Ingest(ctx, h.orgID, 1_000_000, slices.Clone(batch)); err != nil {
			t.Fatal(err)
		}
		for _, m := range batch {
			h.all[m.SourceID] = m
		}
	case kind == "import":
		m := drawMention(t, rapid.IntRange(0, len(h.all)).Draw(t, "which"))
		m.ID = int64(1_000_000 + len(h.all))
		if stored, err := h.w.Store.Mention(ctx, h.orgID, m.SourceID); err == nil {
			m.ID = stored.ID
		}
		must(t, h.w.Store.PutMention(ctx, h.orgID, m))
		h.all[m.SourceID] = m
	case kind == "judge":
		sourceID := rapid.SampledFrom(slices.Sorted(maps.Keys(h.all))).Draw(t, "post")
		judged := h.all[sourceID]
		drawJudgement(t, &judged)
		_, err := h.w.Store.ChangeMention(ctx, h.orgID, sourceID, func(m *mention.Mention) (bool, error) {
			m.Sentiment, m.RelevanceScore, m.Relevant, m.Tags = judged.Sentiment, judged.RelevanceScore, judged.Relevant,
				judged.Tags
			return true, nil
		})
		must(t, err)
		h.all[sourceID] = judged
	default:
		_, _, err := h.w.Store.Archive(ctx, h.orgID, 0)
		must(t, err)
	}
}

func must(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func drawMention(t *rapid.T, n int) mention.Mention {
	ago := time.Duration(rapid.IntRange(0, 60*24*20).Draw(t, "minutes ago"))*time.Minute + time.Duration(n)*time.Millisecond // no two at once
	posted := worldtest.Now.Add(-ago)
	m := worldtest.Mention(0, fmt.Sprint("post_", n), posted)
	m.Source = rapid.SampledFrom([]string{"reddit", "hackernews", "TWITTER", "bluesky"}).Draw(t, "source")
	m.Language = rapid.SampledFrom([]string{"english", "german", ""}).Draw(t, "language")
	m.Keywords = nil
	for _, id := range rapid.SliceOfNDistinct(rapid.Int64Range(1, 4), 0, 3, rapid.ID[int64]).Draw(t, "keywords") {
		m.Keywords = append(m.Keywords, mention.Keyword{ID: id, Text: "northwind"})
	}
	m.Author = nil
	if handle := rapid.SampledFrom([]string{"", "quietharbor", "@QuietHarbor", "@@QuietHarbor", "nightferry",
		" @ "}).Draw(t, "author"); handle != "" {
		m.Author = &handle
	}
	m.AuthorFollowers = nil
	if followers := rapid.Int64Range(-1, 3).Draw(t, "followers"); followers >= 0 {
		m.AuthorFollowers = &followers
	}
	m.Engagement = map[string]int64{"points": rapid.Int64Range(0, 3).Draw(t, "points"), "views": 1000}
	m.Title, m.Body = rapid.SampledFrom(someTexts).Draw(t, "title"), rapid.SampledFrom(someTexts).Draw(t, "body")
	drawJudgement(t, &m)
	return m
}

// someTexts meet text conditions of words, phrases, other cases and other forms. Some are hostile.
var someTexts = func() []*string {
	texts := []*string{nil}
	for _, text := range []string{
		"", "Northwind blows", "the north wind; it's here", "NORTH\x00WIND '; DROP TABLE mentions --",
		"Straße 日本 Caf\u0065\u0301 ???",
		"??? northwind\n\nthe", "one \x1f\u200D❤ two", "one \u200D❤ two", "\x1fnorthwind\x1f",
	} {
		texts = append(texts, &text)
	}
	return texts
}()

func drawJudgement(t *rapid.T, m *mention.Mention) {
	m.Sentiment = rapid.SampledFrom(append(mention.Sentiments(), "")).Draw(t, "sentiment")
	m.RelevanceScore, m.Relevant = nil, false
	if score := mention.Score(rapid.IntRange(-1, 2).Draw(t, "score")); score >= 0 {
		m.RelevanceScore, m.Relevant = &score, score.Relevant()
	}
	m.Tags = rapid.SliceOfNDistinct(rapid.SampledFrom(mention.Tags()[:3]), 0, 3, rapid.ID[mention.Tag]).Draw(t, "tags")
}

var (
	someFilters = []string{
		``, `{"relevance":[0,1]}`, `{"source":["reddit","twitter"]}`, `{"!source":["reddit"]}`, `{"keyword":[2]}`,
		`{"keyword":[1,3]}`, `{"!keyword":[2]}`,
		`{"keyword":["none",4]}`, `{"tag":["none"]}`,
		`{"sentiment":["unknown","negative"],"language":["german","undetermined"]}`, `{"author":["quietharbor"]}`,
		`{"text":["northwind"]}`, `{"!text":["absent"],"tag":["buy_intent"]}`,
		`{"startDate":"2026-11-08","endDate":"2026-11-15","relevance":["none",2]}`,
		`{"operator":"OR","groups":[{"operator":"AND","conditions":[{"keyword":[1]},{"source":["reddit"]}]},{"operator":"OR","conditions":[{"tag":["hiring","none"]},{"engaged":true}]}]}`,
	}
	someZones = []string{"UTC", "Europe/Berlin", "Asia/Kolkata", "America/New_York"}
)

// drawQuery also returns the text of the query's filter.
func drawQuery(t *rapid.T, orgID string) (analytics.Query, string) {
	text := rapid.SampledFrom(someFilters).Draw(t, "filter")
	zone, err := time.LoadLocation(rapid.SampledFrom(someZones).Draw(t, "zone"))
	if err != nil {
		t.Fatal(err)
	}
	end := analytics.Tomorrow(worldtest.Now, zone)
	if rapid.Bool().Draw(t, "cut") {
		end = worldtest.Now.Add(-time.Duration(rapid.IntRange(0, 5000).Draw(t, "cut minutes")) * time.Minute)
	}
	q := analytics.Query{
		WorkspaceID: orgID,
		Period: analytics.Period{
			Start: analytics.DaysBefore(end, rapid.IntRange(1, 25).Draw(t, "days"), zone),
			End:   end,
			Zone:  zone,
		},
		Granularity: rapid.SampledFrom(append(analytics.Granularities(), "")).Draw(t, "granularity"),
		Dimensions: rapid.SliceOfNDistinct(rapid.SampledFrom(analytics.Dimensions()), 0, 2,
			rapid.ID[analytics.Dimension]).Draw(t, "dimensions"),
		Aggregates: rapid.SliceOfNDistinct(rapid.SampledFrom([]analytics.Aggregate{analytics.Count, analytics.NegativeShare,
			analytics.Engagement, analytics.Reach}),
			1, 2, rapid.ID[analytics.Aggregate]).Draw(t, "aggregates"),
	}
	if text != "" {
		parsed, faults := filter.Parse([]byte(text))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		q.Filter = parsed
	}
	return q, text
}

// recount counts mentions as a person would: one by one.
func recount(q analytics.Query, all map[string]mention.Mention) map[string]analytics.Figures {
	predicate, figures := filter.Compile(q.Filter), map[string]analytics.Figures{}
	newest, authors := map[string]map[string]mention.Mention{}, map[string]map[string]int64{}
	for _, sourceID := range slices.Sorted(maps.Keys(all)) {
		m := all[sourceID]
		if m.PostedAt.Before(q.Period.Start) || !m.PostedAt.Before(q.Period.End) || !predicate.Mention(&m) {
			continue
		}
		bucket := ""
		local := m.PostedAt.In(q.Period.Zone)
		switch q.Granularity {
		case analytics.Hour:
			bucket = local.Format("2006-01-02 15 -0700")
		case analytics.Day:
			bucket = local.Format(time.DateOnly)
		case analytics.Week:
			for local.Weekday() != time.Monday {
				local = local.AddDate(0, 0, -1)
			}
			bucket = local.Format(time.DateOnly)
		case analytics.Month:
			bucket = local.Format("2006-01")
		}
		keys := []string{bucket}
		for _, d := range q.Dimensions {
			var longer []string
			for _, key := range keys {
				for _, value := range valuesOf(d, m, q) {
					longer = append(longer, key+"|"+value)
				}
			}
			keys = longer
		}
		for _, key := range keys {
			f := figures[key]
			f.Mentions++
			f.Engagement += m.Engagement["points"]
			if m.Sentiment != "" {
				f.Judged++
			}
			if m.Sentiment == mention.Negative {
				f.Negative++
			}
			figures[key] = f
			if m.Author == nil || mention.Handle(*m.Author) == "" {
				continue
			}
			who := strings.ToLower(m.Source + " " + strings.TrimPrefix(*m.Author, "@"))
			if newest[key] == nil {
				newest[key], authors[key] = map[string]mention.Mention{}, map[string]int64{}
			}
			if _, known := authors[key][who]; !known {
				authors[key][who] = 0
			}
			if last, known := newest[key][who]; m.AuthorFollowers != nil && *m.AuthorFollowers > 0 &&
				(!known || later(m, last)) {
				newest[key][who], authors[key][who] = m, *m.AuthorFollowers
			}
		}
	}
	for key, f := range figures {
		f.Authors = int64(len(authors[key]))
		for _, followers := range authors[key] {
			f.Reach += followers
		}
		figures[key] = f
	}
	return figures
}

// later reports whether one mention comes before another in a list of the newest first.
func later(one, other mention.Mention) bool {
	if !one.PostedAt.Equal(other.PostedAt) {
		return one.PostedAt.After(other.PostedAt)
	}
	return one.ID > other.ID
}

func valuesOf(d analytics.Dimension, m mention.Mention, q analytics.Query) []string {
	switch d {
	case analytics.Source:
		return []string{strings.ToLower(m.Source)}
	case analytics.Sentiment:
		return []string{string(m.Sentiment)}
	case analytics.Language:
		if m.Language == "" {
			return []string{"undetermined"}
		}
		return []string{m.Language}
	case analytics.Relevance:
		if m.RelevanceScore == nil {
			return []string{""}
		}
		return []string{fmt.Sprint(int(*m.RelevanceScore))}
	case analytics.Author:
		if m.Author == nil || mention.Handle(*m.Author) == "" {
			return []string{""}
		}
		return []string{strings.ToLower(strings.TrimPrefix(*m.Author, "@") + "@" + m.Source)}
	case analytics.Tag:
		if len(m.Tags) == 0 {
			return []string{""}
		}
		var tags []string
		for _, tag := range m.Tags {
			tags = append(tags, string(tag))
		}
		return tags
	}
	only, _, ok := q.Filter.SplitKeyword()
	var ids []string
	for _, k := range m.Keywords {
		if !ok || only == nil || slices.Contains(only, k.ID) {
			ids = append(ids, strconv.FormatInt(k.ID, 10))
		}
	}
	if len(ids) == 0 {
		return []string{""}
	}
	return ids
}

// keyed gives an answer the form of recount.
func keyed(q analytics.Query, answer analytics.Answer) map[string]analytics.Figures {
	var buckets []analytics.Bucket
	if q.Granularity != "" {
		buckets = q.Period.Buckets(q.Granularity)
	}
	figures := map[string]analytics.Figures{}
	for _, row := range answer.Rows {
		key := ""
		if buckets != nil {
			form := map[analytics.Granularity]string{
				analytics.Hour:  "2006-01-02 15 -0700",
				analytics.Month: "2006-01",
			}[q.Granularity]
			if form == "" {
				form = time.DateOnly
			}
			key = buckets[row.Bucket].Label.In(q.Period.Zone).Format(form)
		}
		for i, v := range row.Values {
			switch {
			case v.Missing:
				key += "|"
			case q.Dimensions[i] == analytics.Author:
				key += "|" + v.Text + "@" + v.Source
			default:
				key += "|" + v.Text
			}
		}
		figures[key] = row.Figures
	}
	return figures
}

// counted keeps the figures that cells know.
func counted(figures map[string]analytics.Figures) map[string]analytics.Figures {
	kept := map[string]analytics.Figures{}
	for key, f := range figures {
		kept[key] = analytics.Figures{Mentions: f.Mentions, Negative: f.Negative, Judged: f.Judged}
	}
	return kept
}

// Cells, a scan and summaries say the same as a recount, and each row's filter opens as many mentions as the row counts,
// whatever happened to the mentions before. Summaries that were stored before a change are not used after it.
func TestRun_AgreesWithRecount(t *testing.T) {
	w, run := worldtest.NewWorld(t), 0
	exact, estimated, stored := 0, 0, &summarizing{Store: w.Store}
	rapid.Check(t, func(t *rapid.T) {
		run++
		h := history{w, fmt.Sprint("org_", run), map[string]mention.Mention{}}
		for range rapid.IntRange(1, 10).Draw(t, "changes") {
			h.change(t)
		}
		for range 5 {
			q, text := drawQuery(t, h.orgID)
			want := recount(q, h.all)
			// The first run stores digests of cells, and the second reads them.
			usual := analytics.Limits{Mentions: 2_000, Authors: 5_000, Digested: 1}
			answers, err := analytics.RunWithin(t.Context(), stored, usual, q, analytics.WithoutCells(q))
			if err != nil {
				t.Fatal(err)
			}
			again, err := analytics.RunWithin(t.Context(), stored, usual, q, analytics.WithoutCells(q))
			if err != nil || !reflect.DeepEqual(again, answers) {
				t.Fatalf("Run again = %+v, %v\nwant %+v", again, err, answers)
			}
			answer, scanned := answers[0], answers[1]
			if !answer.Exact || !scanned.Exact {
				t.Fatalf("Run = exact %v (%s), exact %v (%s)", answer.Exact, answer.Why, scanned.Exact, scanned.Why)
			}
			if got := keyed(q, answer); !reflect.DeepEqual(counted(got), counted(want)) {
				t.Fatalf("Run(%s, %s) = %+v\nwant %+v", text, q.Dimensions, got, want)
			}
			if got := keyed(q, scanned); !reflect.DeepEqual(got, want) {
				t.Fatalf("scanned(%s, %s) = %+v\nwant %+v", text, q.Dimensions, got, want)
			}
			exact++
			opens(t, w, q, text, answer)
			within := analytics.Limits{Mentions: 1, Authors: rapid.SampledFrom([]int{0, 1, 2000}).Draw(t, "authors of a list")}
			for range 2 { // the first builds summaries, the second reads them
				answers, err := analytics.RunWithin(t.Context(), stored, within, analytics.WithoutCells(q))
				if err != nil {
					t.Fatal(err)
				}
				summarized := answers[0]
				if !summarized.Exact {
					estimated++
				}
				if !summarized.Exact && (summarized.Why != analytics.Estimated || within.Authors == 2000 && !stored.mixed) {
					t.Fatalf("summarized: not exact: %s", summarized.Why)
				}
				// So few authors are estimated without an error.
				if got := keyed(q, summarized); !reflect.DeepEqual(inReach(q, got), inReach(q, want)) {
					t.Fatalf("summarized(%s, %s) = %+v\nwant %+v", text, q.Dimensions, got, want)
				}
			}
			stored.mixed = true
			for range rapid.IntRange(0, 2).Draw(t, "changes between") {
				h.change(t)
			}
		}
		stored.mixed = false
	})
	t.Logf("%d queries, %d estimated, %d summaries stored and %d read, %d digests stored and %d read", exact, estimated,
		stored.put, stored.got, stored.packed, stored.unpacked)
	if estimated == 0 || stored.put == 0 || stored.got == 0 {
		t.Error("no summaries")
	}
	if stored.packed == 0 || stored.unpacked == 0 {
		t.Error("no digests")
	}
}

// summarizing counts summaries.
type summarizing struct {
	analytics.Store
	put, got int
	packed   int  // digests that were stored
	unpacked int  // and read
	mixed    bool // whether days may have sketches that a lower limit made
}

func (s *summarizing) Summaries(ctx context.Context, orgID string, start, end time.Time) ([]mention.Summary, error) {
	found, err := s.Store.Summaries(ctx, orgID, start, end)
	s.got += len(found)
	return found, err
}

func (s *summarizing) Digests(ctx context.Context, orgID string, id int64, start, end time.Time) ([]mention.Digest, error) {
	found, err := s.Store.Digests(ctx, orgID, id, start, end)
	s.unpacked += len(found)
	return found, err
}

func (s *summarizing) PutDigests(ctx context.Context, orgID string, id int64, digests []mention.Digest) error {
	s.packed += len(digests)
	return s.Store.PutDigests(ctx, orgID, id, digests)
}

func (s *summarizing) PutSummaries(ctx context.Context, orgID string, summaries []mention.Summary) (int, error) {
	n, err := s.Store.PutSummaries(ctx, orgID, summaries)
	s.put += n
	return n, err
}

// inReach leaves out the figures that the query does not ask for: summaries need not know them.
func inReach(q analytics.Query, figures map[string]analytics.Figures) map[string]analytics.Figures {
	asked := map[string]analytics.Figures{}
	for key, f := range figures {
		if !slices.Contains(q.Aggregates, analytics.Reach) {
			f.Reach = 0
		}
		if !slices.Contains(q.Aggregates, analytics.Engagement) {
			f.Engagement = 0
		}
		asked[key] = f
	}
	return asked
}

// opens checks that rows' filters select as many mentions as the rows count.
func opens(t *rapid.T, w *worldtest.World, q analytics.Query, text string, answer analytics.Answer) {
	rowFilter, err := analytics.NewRowFilter([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range answer.Rows {
		start, end := q.Window()
		if q.Granularity != "" {
			bucket := q.Period.Buckets(q.Granularity)[row.Bucket]
			start, end = latest(start, bucket.Start), earliest(end, bucket.End)
		}
		var conditions []map[string]any
		unnamed := false
		for i, v := range row.Values {
			unnamed = unnamed || q.Dimensions[i] == analytics.Author && v.Missing
			conditions = append(conditions, analytics.Condition(q.Dimensions[i], v, nil)...)
		}
		if unnamed {
			continue // the grammar cannot name mentions without an author
		}
		written, err := json.Marshal(rowFilter.Within(start, end, conditions...))
		if err != nil {
			t.Fatal(err)
		}
		parsed, faults := filter.Parse(written)
		if len(faults) > 0 {
			t.Fatalf("%s: %v", written, faults)
		}
		query := mentionstore.MentionsQuery{WorkspaceID: q.WorkspaceID, All: true, Limit: 100}.Narrowed(parsed)
		opened := int64(0)
		for {
			page, err := w.Store.Mentions(t.Context(), query)
			if err != nil {
				t.Fatal(err)
			}
			opened += int64(len(page.Mentions))
			if query.After = page.Next; page.Next == "" {
				break
			}
		}
		if opened != row.Mentions {
			t.Fatalf("%s opens %d mentions, want %d", written, opened, row.Mentions)
		}
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// counting counts what is read.
type counting struct {
	analytics.Store
	cells, scans int
}

func (c *counting) Volumes(ctx context.Context, orgID string, id int64, start, end time.Time) ([]mention.Volume, error) {
	c.cells++
	return c.Store.Volumes(ctx, orgID, id, start, end)
}

func (c *counting) Scan(ctx context.Context, orgID string, f *filter.Predicate, start, end time.Time, budget int, all,
	each func(*filter.Row)) (int, bool, error) {
	c.scans++
	return c.Store.Scan(ctx, orgID, f, start, end, budget, all, each)
}

// Several queries about the same mentions read cells and rows once.
func TestRun_SeveralQueries(t *testing.T) {
	w := worldtest.NewWorld(t)
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000_000, worldtest.Mentions(30)); err != nil {
		t.Fatal(err)
	}
	period := analytics.Period{
		Start: worldtest.Now.AddDate(0, 0, -30),
		End:   analytics.Tomorrow(worldtest.Now, time.UTC),
		Zone:  time.UTC,
	}
	period.Start = analytics.DaysBefore(period.Start, 0, time.UTC)
	var queries []analytics.Query
	for _, d := range []analytics.Dimension{analytics.Source, analytics.Tag, analytics.Author, analytics.Keyword} {
		q := analytics.Query{
			WorkspaceID: w.Main.ID,
			Period:      period,
			Dimensions:  []analytics.Dimension{d},
			Aggregates:  []analytics.Aggregate{analytics.Count},
		}
		if d == analytics.Keyword {
			q.Groups = [][]int64{{7}, {9}}
		}
		queries = append(queries, q)
	}
	store := &counting{Store: w.Store}
	answers, err := analytics.Run(t.Context(), store, queries...)
	if err != nil || store.cells != 3 || store.scans != 1 {
		t.Fatalf("Run = %d reads of cells and %d scans, %v, want 3 and 1", store.cells, store.scans, err)
	}
	for i, answer := range answers {
		if len(answer.Rows) == 0 || !answer.Exact {
			t.Errorf("query %d = %+v", i, answer)
		}
	}
}

// An index that lags behind is noticed, whether it lacks a mention or has an old judgement.
func TestRun_LaggingIndex(t *testing.T) {
	w := worldtest.NewWorld(t)
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000_000, worldtest.Mentions(30)); err != nil {
		t.Fatal(err)
	}
	q := analytics.Query{
		WorkspaceID: w.Main.ID,
		Period: analytics.Period{
			Start: worldtest.Now.AddDate(0, 0, -30),
			End:   worldtest.Now.AddDate(0, 0, 1),
			Zone:  time.UTC,
		},
		Dimensions: []analytics.Dimension{analytics.Author},
		Aggregates: []analytics.Aggregate{analytics.Count},
	}
	for name, change := range map[string]func(*filter.Row) bool{
		"a mention is missing": func(row *filter.Row) bool { return false },
		"a judgement is old": func(row *filter.Row) bool {
			row.Score = (row.Score + 1) % 3
			return true
		},
	} {
		answers, err := analytics.Run(t.Context(), lagging{w.Store, change}, q)
		if err != nil || answers[0].Exact || answers[0].Why == "" {
			t.Errorf("%s: exact %v, %q, %v, want not exact", name, answers[0].Exact, answers[0].Why, err)
		}
	}
	if answers, err := analytics.Run(t.Context(), w.Store, q); err != nil || !answers[0].Exact {
		t.Errorf("without a lag: exact %v, %v", answers[0].Exact, err)
	}
}

// lagging changes the first row of a scan, or leaves it out.
type lagging struct {
	analytics.Store
	change func(*filter.Row) bool
}

func (l lagging) Scan(ctx context.Context, orgID string, f *filter.Predicate, start, end time.Time, budget int, all,
	each func(*filter.Row)) (int, bool, error) {
	first := true
	return l.Store.Scan(ctx, orgID, f, start, end, budget, func(row *filter.Row) {
		if first {
			first = false
			if !l.change(row) {
				return
			}
		}
		all(row)
	}, each)
}

// crowd is a store with a mention of each of many authors.
type crowd struct{ analytics.Store }

func (crowd) Volumes(context.Context, string, int64, time.Time, time.Time) ([]mention.Volume, error) {
	return nil, nil
}

func (crowd) DayVersions(context.Context, string, time.Time, time.Time) (mention.DayVersions, error) {
	return mention.DayVersions{}, nil
}

func (crowd) Digests(context.Context, string, int64, time.Time, time.Time) ([]mention.Digest, error) {
	return nil, nil
}

func (crowd) Scan(_ context.Context, _ string, _ *filter.Predicate, start, _ time.Time, _ int, all,
	each func(*filter.Row)) (int, bool, error) {
	for i := range analytics.MaxRows + 1 {
		row := filter.Row{Timestamp: mention.Timestamp(start), Source: "reddit", Author: fmt.Sprint("author", i)}
		all(&row)
		each(&row)
	}
	return 0, true, nil
}

func (crowd) IsOver(time.Time) bool { return true }

func (crowd) PutSummaries(context.Context, string, []mention.Summary) (int, error) { return 0, nil }

// As many authors as there are can be counted. An answer that is divided by time is bounded.
func TestRun_ManyAuthors(t *testing.T) {
	q := analytics.Query{
		WorkspaceID: "org_1",
		Period:      analytics.Period{Start: worldtest.Now.AddDate(0, 0, -1), End: worldtest.Now, Zone: time.UTC},
		Dimensions:  []analytics.Dimension{analytics.Author},
		Aggregates:  []analytics.Aggregate{analytics.Count},
	}
	if answers, err := analytics.Run(t.Context(), crowd{}, q); err != nil || len(answers[0].Rows) != analytics.MaxRows+1 {
		t.Errorf("Run = %v, want a row of each author", err)
	}
	q.Granularity = analytics.Day
	if _, err := analytics.Run(t.Context(), crowd{}, q); !errors.Is(err, analytics.ErrTooManyRows) {
		t.Errorf("Run by day = %v, want %v", err, analytics.ErrTooManyRows)
	}
}
