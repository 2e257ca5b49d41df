package analytics_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/analytics"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// always are limits by which every whole day that is over has a summary.
var always = analytics.Limits{Mentions: 1, Authors: 2000}

// weekBefore is the week before today.
func weekBefore() analytics.Period {
	today := analytics.DaysBefore(worldtest.Now, 0, time.UTC)
	return analytics.Period{Start: today.AddDate(0, 0, -7), End: today, Zone: time.UTC}
}

func byAuthor(orgID string) analytics.Query {
	return analytics.Query{
		WorkspaceID: orgID,
		Period:      weekBefore(),
		Dimensions:  []analytics.Dimension{analytics.Author, analytics.Relevance},
		Aggregates:  []analytics.Aggregate{analytics.Count, analytics.Authors, analytics.Reach},
	}
}

// post is a mention of a day that is over. Posts differ in nothing else.
func post(n int) mention.Mention {
	m := worldtest.Mention(0, fmt.Sprint("post_", n),
		worldtest.Now.AddDate(0, 0, -2).Add(time.Duration(n)*time.Millisecond))
	handle, score := fmt.Sprint("author", n%3), mention.Medium
	m.Author, m.AuthorFollowers, m.RelevanceScore, m.Relevant = &handle, nil, &score, true
	return m
}

func posts(n int) []mention.Mention {
	all := make([]mention.Mention, n)
	for i := range all {
		all[i] = post(i)
	}
	return all
}

// No change of a mention leaves a summary valid that says something else, although most of these changes leave the
// numbers in all cells as they were.
func TestSummary_AnyChange(t *testing.T) {
	w, run, read := worldtest.NewWorld(t), 0, 0
	changes := map[string]func(*rapid.T, *mention.Mention){
		"author": func(t *rapid.T, m *mention.Mention) {
			handle := rapid.SampledFrom([]string{"author0", "author1", "Author9"}).Draw(t, "author")
			m.Author = &handle
		},
		"followers": func(t *rapid.T, m *mention.Mention) {
			followers := rapid.Int64Range(0, 3).Draw(t, "followers")
			m.AuthorFollowers = &followers
		},
		"verdict": func(t *rapid.T, m *mention.Mention) {
			score := mention.Score(rapid.IntRange(1, 2).Draw(t, "score"))
			m.RelevanceScore, m.Relevant = &score, score.Relevant()
		},
		"keywords": func(t *rapid.T, m *mention.Mention) {
			m.Keywords = worldtest.KeywordsOf(rapid.IntRange(6, 7).Draw(t, "first"), rapid.IntRange(0, 2).Draw(t, "keywords"))
		},
		"time": func(t *rapid.T, m *mention.Mention) {
			m.PostedAt = m.PostedAt.Add(time.Duration(rapid.IntRange(-1, 1).Draw(t, "hours")) * time.Hour)
		},
		"likes": func(t *rapid.T, m *mention.Mention) { m.Engagement = map[string]int64{"points": 99} },
	}
	rapid.Check(t, func(t *rapid.T) {
		run++
		h := history{w, fmt.Sprint("org_", run), map[string]mention.Mention{}}
		for _, m := range posts(4) {
			_, err := w.Store.Ingest(t.Context(), h.orgID, 1000, []mention.Mention{m})
			must(t, err)
			m, err = w.Store.Mention(t.Context(), h.orgID, m.SourceID)
			must(t, err)
			h.all[m.SourceID] = m
		}
		store := &summarizing{Store: w.Store}
		for range 12 {
			q := byAuthor(h.orgID)
			if rapid.Bool().Draw(t, "by keyword") {
				q.Dimensions = []analytics.Dimension{analytics.Keyword, analytics.Author}
			}
			answers, err := analytics.RunWithin(t.Context(), store, always, q)
			must(t, err)
			got, want := inReach(q, keyed(q, answers[0])), inReach(q, recount(q, h.all))
			if !answers[0].Exact || !reflect.DeepEqual(got, want) {
				t.Fatalf("Run = %+v, exact %v, want %+v", got, answers[0].Exact, want)
			}
			for range rapid.IntRange(0, 2).Draw(t, "changes") {
				m := h.all[rapid.SampledFrom(slices.Sorted(maps.Keys(h.all))).Draw(t, "post")]
				changes[rapid.SampledFrom(slices.Sorted(maps.Keys(changes))).Draw(t, "change")](t, &m)
				must(t, w.Store.PutMention(t.Context(), h.orgID, m))
				h.all[m.SourceID] = m
			}
		}
		read += store.got
	})
	if read == 0 {
		t.Error("no summary was read")
	}
}

// A summary of rows that lag behind is not stored, even if as many mentions are in each cell.
func TestSummary_LaggingIndex(t *testing.T) {
	for name, change := range map[string]func(*filter.Row) bool{
		"author":    func(row *filter.Row) bool { row.Author = "formerly"; return true },
		"followers": func(row *filter.Row) bool { row.Followers = 99; return true },
		"keywords":  func(row *filter.Row) bool { row.KeywordIDs = nil; return true },
		"missing":   func(row *filter.Row) bool { return false },
	} {
		w := worldtest.NewWorld(t)
		if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, posts(5)); err != nil {
			t.Fatal(err)
		}
		store := &summarizing{Store: lagging{w.Store, change}}
		answers, err := analytics.RunWithin(t.Context(), store, always, byAuthor(w.Main.ID))
		if err != nil || answers[0].Exact || store.put != 0 {
			t.Errorf("%s: exact %v, %v, and %d summaries stored, want none", name, answers[0].Exact, err, store.put)
		}
		store = &summarizing{Store: w.Store}
		if answers, err = analytics.RunWithin(t.Context(), store, always, byAuthor(w.Main.ID)); err != nil ||
			!answers[0].Exact || store.put != 1 {
			t.Errorf("%s: without a lag: exact %v, %v, and %d summaries stored, want 1", name, answers[0].Exact, err, store.put)
		}
	}
}

// asked asks until the figures are exact, and compares them with a recount of what is stored.
func asked(t *testing.T, w *worldtest.World, s analytics.Store) {
	t.Helper()
	all := map[string]mention.Mention{}
	for n := range 20 {
		if m, err := w.Store.Mention(t.Context(), w.Main.ID, post(n).SourceID); err == nil {
			all[m.SourceID] = m
		}
	}
	q := byAuthor(w.Main.ID)
	answers, err := analytics.RunWithin(t.Context(), s, always, q)
	if err != nil {
		t.Fatal(err)
	}
	got, want := inReach(q, keyed(q, answers[0])), inReach(q, recount(q, all))
	if !answers[0].Exact || !reflect.DeepEqual(got, want) {
		t.Errorf("Run = %+v, exact %v, want %+v", got, answers[0].Exact, want)
	}
}

// Another caller stores and changes mentions of the day at each step of a query that makes the day's summary.
func TestSummary_RacedWithIngest(t *testing.T) {
	faulttest.EachStep(t, 4, func(t *testing.T, step *faulttest.Step) {
		w := worldtest.NewWorld(t)
		w.Life.Counts = nil
		if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, posts(5)); err != nil {
			t.Fatal(err)
		}
		err, otherErr := step.Come(w.Life, func() error {
			_, err := analytics.RunWithin(t.Context(), w.Store, always, byAuthor(w.Main.ID))
			return err
		}, func() error {
			if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, posts(8)); err != nil {
				return err
			}
			_, err := w.Store.ChangeMention(t.Context(), w.Main.ID, "post_1", func(m *mention.Mention) (bool, error) {
				handle := "somebody"
				m.Author = &handle
				return true, nil
			})
			return err
		})
		if err != nil || otherErr != nil {
			t.Fatal(err, otherErr)
		}
		asked(t, w, w.Store)
		asked(t, w, w.Store)
	})
}

// A query that dies at any step leaves summaries that are right, or none, and the next one is answered.
func TestSummary_KilledMidway(t *testing.T) {
	faulttest.EachStep(t, 1, func(t *testing.T, step *faulttest.Step) {
		w := worldtest.NewWorld(t)
		if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, posts(5)); err != nil {
			t.Fatal(err)
		}
		_ = step.Die(t, w.Life, func() error {
			_, err := analytics.RunWithin(t.Context(), w.Store, always, byAuthor(w.Main.ID))
			return err
		})
		asked(t, w, w.Store)
	})
}

func TestSummary_MadeAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, posts(5)); err != nil {
		t.Fatal(err)
	}
	faulttest.AtOnce(4, func(n int) {
		if _, err := analytics.RunWithin(context.Background(), w.Store, always, byAuthor(w.Main.ID)); err != nil {
			t.Error(err)
		}
	}, func(n int) {
		if _, err := w.Store.Ingest(context.Background(), w.Main.ID, 1000, posts(6+n)); err != nil {
			t.Error(err)
		}
	})
	asked(t, w, w.Store)
	asked(t, w, w.Store)
}

// summariesOf lists the rows of summaries.
func summariesOf(t *testing.T, w *worldtest.World) (found []worldtest.Row) {
	for _, row := range worldtest.Rows(t, w) {
		if strings.HasPrefix(row.Sort, rows.SortSummary) {
			found = append(found, row)
		}
	}
	return found
}

// A summary whose content is not one is made anew.
func TestSummary_Malformed(t *testing.T) {
	w := worldtest.NewWorld(t)
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, posts(5)); err != nil {
		t.Fatal(err)
	}
	asked(t, w, w.Store)
	row := summariesOf(t, w)[0]
	content := rows.Bytes(row.Item, "content")
	for _, broken := range [][]byte{{}, {'L'}, {'S', 1, 2, 3}, {'?'}, content[:len(content)/2]} {
		_, err := w.Table.Update(t.Context(), table.Update{
			Table: rows.CountersTable, Key: table.KeyOf(row.Item), Set: map[string]any{"content": broken},
		})
		if err != nil {
			t.Fatal(err)
		}
		asked(t, w, w.Store)
		if got := rows.Bytes(summariesOf(t, w)[0].Item, "content"); !slices.Equal(got, content) {
			t.Errorf("after %q: content = %q, want %q", broken, got, content)
		}
	}
}

// A day's cells of before have no sums. Its summary is stored while none of them changes. After a change nothing shows
// that an index lags, so that the day is scanned.
func TestSummary_CellsWithoutSums(t *testing.T) {
	w := worldtest.NewWorld(t)
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, posts(5)); err != nil {
		t.Fatal(err)
	}
	for _, row := range worldtest.Rows(t, w) {
		if strings.HasPrefix(row.Sort, rows.SortVolume) {
			_, err := w.Table.Update(t.Context(), table.Update{
				Table: rows.CountersTable, Key: table.KeyOf(row.Item), Remove: []string{"sum", "summed"},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	store := &summarizing{Store: w.Store}
	asked(t, w, store)
	asked(t, w, store)
	if store.put != 1 || store.got != 1 {
		t.Errorf("%d summaries stored and %d read, want 1 and 1", store.put, store.got)
	}
	_, err := w.Store.ChangeMention(t.Context(), w.Main.ID, "post_1", func(m *mention.Mention) (bool, error) {
		handle := "somebody"
		m.Author = &handle
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	asked(t, w, store)
	if store.put != 1 {
		t.Errorf("%d summaries stored, want 1", store.put)
	}
}

// The present day has no summary, however often it is asked for.
func TestSummary_PresentDay(t *testing.T) {
	w := worldtest.NewWorld(t)
	m := post(1)
	m.PostedAt = worldtest.Now.Add(-time.Minute)
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, []mention.Mention{m}); err != nil {
		t.Fatal(err)
	}
	q := byAuthor(w.Main.ID)
	q.Period.End = q.Period.End.AddDate(0, 0, 1)
	answers, err := analytics.RunWithin(t.Context(), w.Store, always, q)
	if err != nil || len(answers[0].Rows) != 1 {
		t.Fatalf("Run = %+v, %v, want a row", answers, err)
	}
	if found := summariesOf(t, w); len(found) != 0 {
		t.Errorf("summaries = %v, want none", found)
	}
}

// A query over its budget keeps the days that it has read, and the next one gets further until it is answered.
func TestRun_OverBudgetKeepsDays(t *testing.T) {
	s, q := newDays(30, 10, 10), analytics.Query{Aggregates: []analytics.Aggregate{analytics.Authors}}
	q.Period = s.period()
	within := analytics.Limits{Mentions: 1, Authors: 2000, Budget: 9 * rowBytes * 10}
	kept := 0
	for n := 1; ; n++ {
		answers, err := analytics.RunWithin(t.Context(), s, within, q)
		var over analytics.OverBudget
		switch {
		case errors.As(err, &over) && over.Kept > 0 && errors.Is(err, analytics.ErrBudget):
			kept += over.Kept
			continue
		case err != nil:
			t.Fatalf("request %d: %v after %d days", n, err, kept)
		}
		if n != 4 || !answers[0].Exact || answers[0].Rows[0].Authors != 300 {
			t.Errorf("request %d = %+v, want 300 authors at request 4", n, answers[0])
		}
		return
	}
}

// Numbers of authors by sketches are within three standard errors, and said not to be exact.
func TestRun_EstimatedAuthors(t *testing.T) {
	for _, c := range []struct{ days, authors, repeats int }{{2, 5_500, 1}, {4, 6_000, 2}, {3, 20_000, 1}} {
		s := newDays(c.days, c.authors*c.repeats, c.authors)
		q := analytics.Query{Period: s.period(), Aggregates: []analytics.Aggregate{analytics.Authors}}
		var answer analytics.Answer
		for range 2 {
			answers, err := analytics.Run(t.Context(), s, q)
			if err != nil {
				t.Fatal(err)
			}
			answer = answers[0]
		}
		got, want := float64(answer.Rows[0].Authors), float64(c.days*c.authors)
		if off := got/want - 1; off > 3*0.0081 || off < -3*0.0081 {
			t.Errorf("%+v: %v authors, want %v: %.2f %% off", c, got, want, 100*off)
		}
		if answer.Exact || answer.Why != analytics.Estimated || s.scans != 1 {
			t.Errorf("%+v: exact %v (%s) after %d scans, want an estimate after one", c, answer.Exact, answer.Why, s.scans)
		}
		if answer.Rows[0].Mentions != int64(c.days*c.authors*c.repeats) {
			t.Errorf("%+v: %d mentions", c, answer.Rows[0].Mentions)
		}
		// Sketches know no followers and no names.
		for _, other := range []analytics.Query{
			{Period: q.Period, Aggregates: []analytics.Aggregate{analytics.Reach}},
			{Period: q.Period, Aggregates: q.Aggregates, Dimensions: []analytics.Dimension{analytics.Sentiment}},
		} {
			before := s.scans
			answers, err := analytics.Run(t.Context(), s, other)
			if err != nil || !answers[0].Exact || s.scans != before+1 || answers[0].Rows[0].Authors != int64(want) {
				t.Errorf("%+v: Run(%v) = %+v, %v, want the exact number by a scan", c, other.Aggregates, answers, err)
			}
			if s.puts != c.days {
				t.Errorf("%+v: %d summaries stored, want %d once", c, s.puts, c.days)
			}
		}
	}
}

// Top keeps the authors with the most mentions and those with the most followers.
func TestRun_Top(t *testing.T) {
	w := worldtest.NewWorld(t)
	all := posts(20)
	for i := range all {
		handle, followers := fmt.Sprint("author", i), int64(20-i)
		if i < 6 {
			handle = fmt.Sprint("often", i%2)
		}
		if i == 19 {
			followers = 500
		}
		all[i].Author, all[i].AuthorFollowers = &handle, &followers
	}
	all[7].Author = nil
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, all); err != nil {
		t.Fatal(err)
	}
	q := byAuthor(w.Main.ID)
	q.Dimensions, q.Top = []analytics.Dimension{analytics.Author}, 2
	answers, err := analytics.Run(t.Context(), w.Store, q)
	if err != nil || answers[0].Total != 15 {
		t.Fatalf("Run = %+v, %v, want 15 authors", answers, err)
	}
	var names []string
	for _, row := range answers[0].Rows {
		names = append(names, row.Values[0].Text)
	}
	if want := []string{"often0", "often1", "author19"}; !slices.Equal(names, want) {
		t.Errorf("authors = %q, want %q", names, want)
	}
}

// Top bounds the rows of an answer, however many authors there are.
func TestRun_TopOfManyAuthors(t *testing.T) {
	s := newDays(2, 6_000, 5_100)
	q := analytics.Query{
		Period:     s.period(),
		Dimensions: []analytics.Dimension{analytics.Author},
		Aggregates: []analytics.Aggregate{analytics.Count, analytics.Reach},
	}
	divided := q
	divided.Granularity = analytics.Day
	if _, err := analytics.Run(t.Context(), s, divided); !errors.Is(err, analytics.ErrTooManyRows) {
		t.Errorf("Run = %v, want ErrTooManyRows", err)
	}
	q.Top = 20
	answers, err := analytics.Run(t.Context(), s, q)
	if err != nil || answers[0].Total != 10_200 || len(answers[0].Rows) < 20 || len(answers[0].Rows) > 40 {
		t.Errorf("Run = %+v, %v, want 20 to 40 rows of 10,200", answers, err)
	}
}

// The authors of long periods do not fill the memory: their number is estimated, and nothing else is asked of them.
func TestRun_AuthorsInMemory(t *testing.T) {
	s := newDays(10, 600, 500)
	within := analytics.Limits{Mentions: 1, Authors: 5000, Held: 1200}
	q := analytics.Query{Period: s.period(), Aggregates: []analytics.Aggregate{analytics.Authors, analytics.Count}}
	if _, err := analytics.RunWithin(t.Context(), s, analytics.Limits{Mentions: 1, Authors: 5000}, q); err != nil {
		t.Fatal(err)
	}
	answers, err := analytics.RunWithin(t.Context(), s, within, q)
	if err != nil || answers[0].Exact || answers[0].Why != analytics.Estimated {
		t.Fatalf("Run = %+v, %v, want an estimate", answers, err)
	}
	if row := answers[0].Rows[0]; row.Mentions != 6000 || row.Authors < 4880 || row.Authors > 5120 {
		t.Errorf("Run = %+v, want 6000 mentions of about 5000 authors", row)
	}
	reach, names := q, q
	reach.Aggregates = []analytics.Aggregate{analytics.Reach}
	names.Dimensions, names.Top = []analytics.Dimension{analytics.Author}, 5
	for _, refused := range []analytics.Query{reach, names} {
		if _, err := analytics.RunWithin(t.Context(), s, within, refused); !errors.Is(err, analytics.ErrTooManyAuthors) {
			t.Errorf("Run(%v, %v) = %v, want ErrTooManyAuthors", refused.Dimensions, refused.Aggregates, err)
		}
	}
}

// rowBytes is how many bytes a row of days is said to have.
const rowBytes = 400

// A days is a store of days with so many mentions each, by so many authors each, no two days the same authors. It
// stands for one with more mentions than a test has time to store.
type days struct {
	first                time.Time
	n, mentions, authors int
	scans, puts          int
	kept                 map[string]mention.Summary
	analytics.Store      // nil
}

func newDays(n, mentions, authors int) *days {
	return &days{
		first:    time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		n:        n,
		mentions: mentions,
		authors:  authors,
		kept:     map[string]mention.Summary{},
	}
}

func (d *days) period() analytics.Period {
	return analytics.Period{Start: d.first, End: d.first.AddDate(0, 0, d.n), Zone: time.UTC}
}

// fill makes the nth row of a day.
func (d *days) fill(row *filter.Row, day time.Time, n int) {
	row.Reset()
	row.Timestamp = mention.Timestamp(day.Add(12*time.Hour + time.Duration(n)*time.Millisecond))
	row.Source, row.Score, row.Language, row.Followers = "reddit", 1, "english", int64(n)
	row.Author = fmt.Sprint("author", day.Unix()/86400, "_", n%d.authors)
}

func (d *days) Volumes(_ context.Context, _ string, _ int64, start, end time.Time) (cells []mention.Volume, err error) {
	var row filter.Row
	score := mention.Medium
	for day := start; day.Before(end); day = day.AddDate(0, 0, 1) {
		cell := mention.Volume{
			Day:      day,
			Source:   "reddit",
			Score:    &score,
			Language: "english",
			Mentions: int64(d.mentions),
			Summed:   int64(d.mentions),
			Changed:  true,
		}
		for n := range d.mentions {
			d.fill(&row, day, n)
			cell.Sum += row.Sum()
			posted, err := mention.ParseTimestamp(row.Timestamp)
			if err != nil {
				return nil, err
			}
			cell.Hours[posted.Hour()]++
		}
		cells = append(cells, cell)
	}
	return cells, nil
}

func (d *days) Scan(
	_ context.Context, _ string, f *filter.Predicate, start, end time.Time, budget int, all, each func(*filter.Row),
) (spent int, complete bool, err error) {
	d.scans++
	var row filter.Row
	for day := end.AddDate(0, 0, -1); !day.Before(start); day = day.AddDate(0, 0, -1) {
		for n := d.mentions - 1; n >= 0; n-- {
			if spent += rowBytes; spent > budget {
				return spent, false, nil
			}
			d.fill(&row, day, n)
			all(&row)
			if f.Row(&row) {
				each(&row)
			}
		}
	}
	return spent, true, nil
}

func (d *days) Summaries(_ context.Context, _ string, start, end time.Time) (found []mention.Summary, err error) {
	for day := start; day.Before(end); day = day.AddDate(0, 0, 1) {
		if one, ok := d.kept[day.Format(time.DateOnly)]; ok {
			found = append(found, one)
		}
	}
	return found, nil
}

func (*days) DayVersions(context.Context, string, time.Time, time.Time) (mention.DayVersions, error) {
	return mention.DayVersions{}, nil
}

func (*days) Digests(context.Context, string, int64, time.Time, time.Time) ([]mention.Digest, error) {
	return nil, nil
}

func (*days) IsOver(time.Time) bool { return true }

func (d *days) PutSummaries(_ context.Context, _ string, summaries []mention.Summary) (int, error) {
	d.puts += len(summaries)
	for _, one := range summaries {
		d.kept[one.Day.Format(time.DateOnly)] = one
	}
	return len(summaries), nil
}
