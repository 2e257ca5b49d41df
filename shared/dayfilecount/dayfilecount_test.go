package dayfilecount_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
	_ "time/tzdata"

	"earshot/shared/analytics"
	"earshot/shared/dayfilecount"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/parquetfile"
	"earshot/shared/worldtest"
)

// A shelf is a store whose scans of filed days are over the budget, with files of some of its days.
type shelf struct {
	analytics.Store
	dayfilecount.Counter
	days    []analytics.FileDay
	files   map[string][]byte
	counted int
}

func (s *shelf) Scan(
	ctx context.Context, orgID string, f *filter.Predicate, start, end time.Time, budget int, all, each func(*filter.Row),
) (int, bool, error) {
	for _, day := range s.days {
		if day.Day.Before(end) && day.Day.Add(24*time.Hour).After(start) {
			return 0, false, nil
		}
	}
	return s.Store.Scan(ctx, orgID, f, start, end, budget, all, each)
}

func (s *shelf) ValidDays(_ context.Context, _ string, start, end time.Time) (days []analytics.FileDay, err error) {
	for _, day := range s.days {
		if day.Day.Before(end) && day.Day.Add(24*time.Hour).After(start) {
			days = append(days, day)
		}
	}
	return days, nil
}

func (s *shelf) CountDays(ctx context.Context, q analytics.Query, days []analytics.FileDay,
	apart []analytics.AuthorKey) ([]analytics.DayRow, error) {
	s.counted++
	return s.Counter.CountDays(ctx, q, days, apart)
}

func (s *shelf) Get(_ context.Context, key string) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(s.files[key])), nil
}

func ref[T any](value T) *T { return &value }

// random returns a mention whose properties are few, so that mentions share them, and its texts hostile.
func random(r *rand.Rand, n int) mention.Mention {
	m := worldtest.Mention(0, fmt.Sprint("post_", n), worldtest.Now.Add(-time.Duration(r.IntN(9*24*60*60))*time.Second))
	m.Source = []string{"reddit", "twitter", "hackernews"}[r.IntN(3)]
	m.Language = []string{"english", "german", ""}[r.IntN(3)]
	m.Sentiment = []mention.Sentiment{"", mention.Positive, mention.Negative}[r.IntN(3)]
	m.RelevanceScore, m.Relevant, m.Tags, m.Keywords, m.Author, m.AuthorFollowers = nil, false, nil, nil, nil, nil
	if r.IntN(3) > 0 {
		m.RelevanceScore = ref(mention.Score(r.IntN(3)))
		m.Relevant = m.RelevanceScore.Relevant()
	}
	for _, i := range r.Perm(3)[:r.IntN(4)] {
		m.Tags = append(m.Tags, mention.Tags()[i])
		m.Keywords = append(m.Keywords, mention.Keyword{ID: int64(i + 1), Text: "northwind"})
	}
	m.Author = []*string{nil, ref("quietharbor"), ref(" @QuietHarbor"), ref("night'; --\x00"), ref("日本")}[r.IntN(5)]
	if r.IntN(3) > 0 {
		m.AuthorFollowers = ref(r.Int64N(3))
	}
	m.Body = []*string{nil, ref("the northwind blows"), ref("\"quotes\" and\x00nul ???"), ref("💥 NORTHWIND")}[r.IntN(4)]
	m.Title = []*string{nil, ref("Blows"), ref("one \x1f\u200D💥")}[r.IntN(3)]
	m.Engagement = map[string]int64{"points": r.Int64N(4), "views": 1000}
	m.IsReply, m.Engaged = r.IntN(2) == 0, r.IntN(2) == 0
	if r.IntN(4) == 0 {
		m.Review = &mention.Review{Rating: float64(r.IntN(11)) / 2, RatingMax: 5}
	}
	return m
}

var filters = []string{
	``, `{"relevance":[0,1]}`, `{"!source":["reddit"]}`, `{"keyword":[1,3]}`, `{"keyword":["none",2]}`, `{"tag":["none"]}`,
	`{"sentiment":["unknown","negative"],"language":["german","undetermined"]}`, `{"author":["quietharbor"]}`,
	`{"text":["northwind"]}`,
	`{"!text":["northwind"],"source":["twitter"]}`, `{"engagement":[{"source":"reddit","metric":"points","value":2}]}`,
	`{"minXFollowers":1}`,
	`{"reviewRating":[4,5]}`, `{"postType":["reply"],"engaged":true}`, `{"startDate":"2026-11-14 05:30:00.000"}`,
	`{"text":["Northwind blows","quotes and"]}`, `{"text":["blows the"]}`, `{"text":["\u200d💥"]}`, `{"text":["???"]}`,
	`{"!text":["???","💥"],"tag":["none"]}`,
	`{"operator":"OR","groups":[{"operator":"AND","conditions":[{"text":["nul"]},{"!text":["blows"]}]},{"operator":"OR","conditions":[{"keyword":[3]}]}]}`,
}

// The files of days answer as a scan of the table does, to the unit, also if some days have no file.
func TestCounter_AgreesWithScan(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 18))
		w := worldtest.NewWorld(t)
		var mentions []mention.Mention
		for n := range 300 {
			mentions = append(mentions, random(r, n))
		}
		_, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000_000, mentions)
		worldtest.Must(t, err)
		s := &shelf{Store: w.Store, files: map[string][]byte{}}
		s.Counter = dayfilecount.Counter{Manifest: s, Files: s}
		for ago := 8; ago > 0; ago-- {
			day := worldtest.Now.Truncate(24*time.Hour).AddDate(0, 0, -ago)
			if r.IntN(4) == 0 {
				continue
			}
			var out bytes.Buffer
			file := parquetfile.NewWriter(&out)
			worldtest.Must(t, w.Store.EachMention(t.Context(), w.Main.ID, day, day.AddDate(0, 0, 1), file.Write))
			worldtest.Must(t, file.Close())
			key := day.Format(time.DateOnly)
			s.files[key] = out.Bytes()
			s.days = append(s.days, analytics.FileDay{Day: day, Key: key, Mentions: file.Rows()})
		}
		for range 60 {
			q, text := query(t, r, w.Main.ID)
			want, err := analytics.Run(t.Context(), w.Store, q)
			worldtest.Must(t, err)
			got, err := analytics.Run(t.Context(), s, q)
			if err != nil {
				t.Fatalf("seed %d, filter %s: %v", seed, text, err)
			}
			if !got[0].Exact || !reflect.DeepEqual(asked(q, got[0].Rows), asked(q, want[0].Rows)) {
				t.Fatalf("seed %d, filter %s, %v by %v and %s: the files answer\n%+v (%s)\na scan\n%+v", seed, text, q.Aggregates,
					q.Dimensions,
					q.Granularity, got[0].Rows, got[0].Why, want[0].Rows)
			}
		}
		if s.counted < 30 {
			t.Errorf("seed %d: the files answered %d queries of 60", seed, s.counted)
		}
	}
}

// asked returns rows with those figures only that a query asks for. Others may be anything.
func asked(q analytics.Query, rows []analytics.Row) (kept []analytics.Row) {
	for _, row := range rows {
		figures := analytics.Figures{Mentions: row.Mentions}
		for _, aggregate := range q.Aggregates {
			switch aggregate {
			case analytics.Authors:
				figures.Authors = row.Authors
			case analytics.Reach:
				figures.Reach = row.Reach
			case analytics.Engagement:
				figures.Engagement = row.Engagement
			case analytics.NegativeShare:
				figures.Negative, figures.Judged = row.Negative, row.Judged
			}
		}
		kept = append(kept, analytics.Row{Bucket: row.Bucket, Values: row.Values, Figures: figures})
	}
	return kept
}

// query draws a query that cells cannot answer more often than not.
func query(t *testing.T, r *rand.Rand, orgID string) (analytics.Query, string) {
	t.Helper()
	text := filters[r.IntN(len(filters))]
	zone, err := time.LoadLocation([]string{"UTC", "Asia/Kolkata", "America/New_York"}[r.IntN(3)])
	worldtest.Must(t, err)
	q := analytics.Query{WorkspaceID: orgID, Period: analytics.Period{
		Start: worldtest.Now.Add(-time.Duration(100+r.IntN(200)) * time.Hour),
		End:   worldtest.Now.Add(-time.Duration(r.IntN(90)) * time.Hour),
		Zone:  zone,
	}}
	if text != "" {
		parsed, faults := filter.Parse([]byte(text))
		if faults != nil {
			t.Fatalf("%s: %v", text, faults)
		}
		q.Filter = parsed
	}
	q.Granularity = []analytics.Granularity{"", analytics.Hour, analytics.Day, analytics.Week}[r.IntN(4)]
	for _, i := range r.Perm(len(analytics.Dimensions()))[:r.IntN(3)] {
		q.Dimensions = append(q.Dimensions, analytics.Dimensions()[i])
	}
	for _, i := range r.Perm(len(analytics.Aggregates()))[:1+r.IntN(3)] {
		q.Aggregates = append(q.Aggregates, analytics.Aggregates()[i])
	}
	if !slices.Contains(q.Aggregates, analytics.Engagement) && r.IntN(2) == 0 {
		q.Aggregates = append(q.Aggregates, analytics.Engagement)
	}
	return q, text
}
