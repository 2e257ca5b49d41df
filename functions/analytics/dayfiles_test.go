package analytics_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"earshot/functions/analytics"
	"earshot/functions/discovery"
	domain "earshot/shared/analytics"
	"earshot/shared/analytics/files"
	"earshot/shared/analytics/statement"
	"earshot/shared/filter"
	"earshot/shared/store/allstores"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// A filedStore has all mentions in day files, which SQL counts. Its scans are over the budget.
type filedStore struct {
	*allstores.Store
	statement.Counter
}

func (filedStore) ValidDays(_ context.Context, _ string, start, end time.Time) (days []domain.FileDay, err error) {
	for day := start.UTC().Truncate(24 * time.Hour); day.Before(end); day = day.AddDate(0, 0, 1) {
		days = append(days, domain.FileDay{Day: day, Key: "day"})
	}
	return days, nil
}

func (filedStore) Scan(
	context.Context, string, *filter.Predicate, time.Time, time.Time, int, func(*filter.Row), func(*filter.Row),
) (int, bool, error) {
	return 0, false, nil
}

// A query that is over its budget, and that SQL cannot say exactly, is refused with the part that has to go.
func TestQuery_NotInFiles(t *testing.T) {
	d := worldtest.NewDesk(t, discovery.OpenAPI(), func(api *web.API, w *worldtest.World) {
		analytics.Register(api, analytics.Options{Store: filedStore{Store: w.Store}, Clock: w.Clock})
	})
	for _, written := range []string{`{"text":["???"]}`, `{"!text":["northwind","->"]}`} {
		problem := d.Post(t, path+"query", `{"aggregates":["count"],"filters":`+written+`}`).Is(t, 400, "INVALID_INPUT")
		if !strings.Contains(problem.Message, `a text without a letter or a number, such as "???"`) {
			t.Errorf("query(%s) = %s, want a message that names the text", written, problem.Message)
		}
	}
}

// Only days whose file is ready, unmarked and of this version are valid.
func TestManifest_ValidDays(t *testing.T) {
	w := worldtest.NewWorld(t)
	first := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for i, d := range []mentionstore.DayFile{
		{State: mentionstore.DayReady, Key: "ready", Rows: 3, Version: files.Version},
		{State: mentionstore.DayReady, Key: "marked", Rows: 3, Version: files.Version, Marked: true},
		{State: mentionstore.DayReady, Key: "old", Rows: 3, Version: files.Version - 1},
		{State: mentionstore.DayWriting, Key: "writing", Rows: 3, Version: files.Version},
		{State: mentionstore.DayOpen, Key: "open", Rows: 3, Version: files.Version},
		{State: mentionstore.DayReady, Version: files.Version}, // without mentions
		{State: mentionstore.DayReady, Key: "after", Rows: 3, Version: files.Version},
	} {
		d.Day = first.AddDate(0, 0, i)
		if ok, err := w.Store.PutDayFile(t.Context(), w.Main.ID, &d); err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
	days, err := analytics.Manifest{Store: w.Store}.ValidDays(t.Context(), w.Main.ID, first.Add(time.Hour), first.AddDate(0, 0, 6))
	if err != nil {
		t.Fatal(err)
	}
	if len(days) != 2 || days[0].Key != "ready" || !days[0].Day.Equal(first) || days[0].Mentions != 3 ||
		days[1].Key != "" || !days[1].Day.Equal(first.AddDate(0, 0, 5)) {
		t.Errorf("ValidDays = %+v, want the first and the sixth day", days)
	}
}
