package analytics_test

import (
	"testing"
	"time"

	"earshot/functions/analytics"
	"earshot/shared/analytics/files"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

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
