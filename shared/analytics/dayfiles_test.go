package analytics_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"earshot/shared/analytics"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// shelf is a store with day files whose engine gives the rows that a test wants.
type shelf struct {
	analytics.Store
	days    [][]analytics.FileDay // by call; the last one stays
	rows    []analytics.DayRow
	scarce  bool // scans of more than a day are over the budget
	ingest  func(context.Context, string, int, []mention.Mention) (mentionstore.Taken, error)
	scans   []string
	counted []analytics.FileDay
	apart   []analytics.AuthorKey
}

func (s *shelf) ValidDays(context.Context, string, time.Time, time.Time) ([]analytics.FileDay, error) {
	days := s.days[0]
	if len(s.days) > 1 {
		s.days = s.days[1:]
	}
	return days, nil
}

func (s *shelf) CountDays(
	_ context.Context, _ analytics.Query, days []analytics.FileDay, apart []analytics.AuthorKey,
) ([]analytics.DayRow, error) {
	s.counted, s.apart = days, apart
	return s.rows, nil
}

func (s *shelf) Scan(
	ctx context.Context, orgID string, f *filter.Predicate, start, end time.Time, budget int, all, each func(*filter.Row),
) (int, bool, error) {
	s.scans = append(s.scans, start.Format("01-02")+" "+end.Format("01-02"))
	if s.scarce && end.Sub(start) > 24*time.Hour {
		return 0, false, nil
	}
	return s.Store.Scan(ctx, orgID, f, start, end, budget, all, each)
}

// newShelf makes a workspace with a mention on each of the days 17, 18 and 19 of November 2026. The files hold the
// first two days.
func newShelf(t *testing.T) (*shelf, analytics.Query) {
	t.Helper()
	w := worldtest.NewWorld(t)
	day := func(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }
	handle, followers := "quietharbor", int64(7)
	var mentions []mention.Mention
	for n := range 3 {
		m := worldtest.Mention(0, fmt.Sprint("post_", n), day(17+n).Add(time.Hour))
		m.Source, m.Author, m.AuthorFollowers = "reddit", &handle, &followers
		mentions = append(mentions, m)
	}
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000_000, mentions); err != nil {
		t.Fatal(err)
	}
	s := &shelf{Store: w.Store, ingest: w.Store.Ingest, scarce: true}
	s.days = [][]analytics.FileDay{{
		{Day: day(17), Key: "first", Mentions: 1},
		{Day: day(18), Key: "second", Mentions: 1},
	}}
	s.rows = []analytics.DayRow{{
		Row:    analytics.Row{Figures: analytics.Figures{Mentions: 2, Judged: 2, Authors: 1, Reach: 9}},
		Author: &analytics.AuthorKey{Source: "reddit", Handle: "quietharbor"},
		Seen:   day(18).Add(time.Hour),
	}}
	return s, analytics.Query{
		WorkspaceID: w.Main.ID,
		Period:      analytics.Period{Start: day(17), End: day(20), Zone: time.UTC},
		Aggregates:  []analytics.Aggregate{analytics.Count, analytics.Authors, analytics.Reach},
	}
}

// An author of both the files and the table counts once, with the newest followers.
func TestRun_AuthorInFilesAndTable(t *testing.T) {
	s, q := newShelf(t)
	answers, err := analytics.Run(t.Context(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	got := answers[0].Rows[0].Figures
	if got.Mentions != 3 || got.Authors != 1 || got.Reach != 7 {
		t.Errorf("Run = %+v, want 3 mentions of 1 author with 7 followers", got)
	}
	if !answers[0].Exact {
		t.Errorf("Run = not exact: %s", answers[0].Why)
	}
	if want := []analytics.AuthorKey{{Source: "reddit", Handle: "quietharbor"}}; !slices.Equal(s.apart, want) {
		t.Errorf("CountDays got apart %v, want %v", s.apart, want)
	}
	if want := []string{"11-17 11-20", "11-19 11-20"}; !slices.Equal(s.scans, want) {
		t.Errorf("scans = %v, want %v", s.scans, want)
	}
}

// More mentions in the files than a scan can read need no scan of the whole window.
func TestRun_ManyMentionsInFiles(t *testing.T) {
	s, q := newShelf(t)
	s.days[0][0].Mentions = 2_000_000
	answers, err := analytics.Run(t.Context(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"11-19 11-20"}; !slices.Equal(s.scans, want) {
		t.Errorf("scans = %v, want %v", s.scans, want)
	}
	// The cells count one mention on that day.
	if answers[0].Exact {
		t.Error("Run = exact, want not exact: the file and the cells differ")
	}
}

// A day that becomes dirty while it is read makes the figures inexact.
func TestRun_DayDirtyMeanwhile(t *testing.T) {
	s, q := newShelf(t)
	s.days = append(s.days, s.days[0][:1])
	answers, err := analytics.Run(t.Context(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	if answers[0].Exact || answers[0].Why == "" {
		t.Errorf("Run = exact %v, why %q, want not exact with a reason", answers[0].Exact, answers[0].Why)
	}
}

// Without a valid day, a query over its budget is refused. Within its budget, files are not read.
func TestRun_FilesAreLast(t *testing.T) {
	s, q := newShelf(t)
	valid := s.days[0]
	s.days = [][]analytics.FileDay{nil}
	if _, err := analytics.Run(t.Context(), s, q); !errors.Is(err, analytics.ErrBudget) {
		t.Errorf("Run without a valid day = %v, want ErrBudget", err)
	}
	s.days, s.scarce = [][]analytics.FileDay{valid}, false
	answers, err := analytics.Run(t.Context(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	if s.counted != nil || answers[0].Rows[0].Mentions != 3 {
		t.Errorf("Run = %+v and read files of %v, want 3 mentions without files", answers[0].Rows, s.counted)
	}
}

// More authors than can be counted apart, and more times without a file than are scanned, are over the budget.
func TestRun_UnionTooLarge(t *testing.T) {
	s, q := newShelf(t)
	var mentions []mention.Mention
	for n := range 501 {
		handle := fmt.Sprint("author", n)
		m := worldtest.Mention(0, fmt.Sprint("more_", n), q.Period.End.Add(-time.Hour).Add(time.Duration(n)*time.Millisecond))
		m.Author = &handle
		mentions = append(mentions, m)
	}
	for part := range slices.Chunk(mentions, 100) {
		if _, err := s.ingest(t.Context(), q.WorkspaceID, 1_000_000, part); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := analytics.Run(t.Context(), s, q); !errors.Is(err, analytics.ErrBudget) {
		t.Errorf("Run with 502 authors apart = %v, want ErrBudget", err)
	}
	s, q = newShelf(t)
	s.days[0] = nil
	for n := range 9 {
		s.days[0] = append(s.days[0], analytics.FileDay{Day: q.Period.Start.AddDate(0, 0, -2*n-1), Mentions: 1})
	}
	slices.Reverse(s.days[0])
	q.Period.Start = q.Period.Start.AddDate(0, 0, -20)
	if _, err := analytics.Run(t.Context(), s, q); !errors.Is(err, analytics.ErrBudget) {
		t.Errorf("Run with 10 times without a file = %v, want ErrBudget", err)
	}
}
