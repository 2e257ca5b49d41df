package analytics_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"earshot/shared/analytics"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/worldtest"
)

// A period with more rows than a scan reads is read in parts. What they say of the whole is right on average.
func TestRead_Parts(t *testing.T) {
	w := worldtest.NewWorld(t)
	var batch []mention.Mention
	for i := range 3_000 {
		m := worldtest.Mention(0, fmt.Sprint("post", i), worldtest.Now.Add(-time.Duration(i)*20*time.Minute))
		m.Source = []string{"reddit", "hackernews"}[i%2]
		batch = append(batch, m)
	}
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000_000, batch); err != nil {
		t.Fatal(err)
	}
	reddit, faults := filter.Parse([]byte(`{"source":["reddit"]}`))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	ratio, periods := 0.0, 20
	for i := range periods {
		end := worldtest.Now.Add(-time.Duration(i) * 7 * time.Hour)
		query := analytics.Query{
			WorkspaceID: w.Main.ID,
			Period:      analytics.Period{Start: end.AddDate(0, 0, -30), End: end, Zone: time.UTC},
			Filter:      reddit,
		}
		whole, err := analytics.Read(t.Context(), w.Store, query, 100)
		if worldtest.Must(t, err); whole.Why != "" || len(whole.Mentions) != 100 || whole.Selected < 1_000 {
			t.Fatalf("Read = %d of %d mentions, why %q", len(whole.Mentions), whole.Selected, whole.Why)
		}
		part, err := analytics.ReadOf(t.Context(), w.Store, query, 100, 400)
		worldtest.Must(t, err)
		again, err := analytics.ReadOf(t.Context(), w.Store, query, 100, 400)
		worldtest.Must(t, err)
		if !strings.Contains(part.Why, "of 256 parts") || part.Scanned > 600 || len(part.Mentions) != 100 ||
			again.Selected != part.Selected {
			t.Errorf("Read by parts = %d of %d mentions by %d rows, and then %d, why %q", len(part.Mentions), part.Selected, part.Scanned,
				again.Selected, part.Why)
		}
		ratio += float64(part.Selected) / float64(whole.Selected) / float64(periods)
	}
	if math.Abs(ratio-1) > 0.05 {
		t.Errorf("estimates are %.3f times the counts on average, want about 1", ratio)
	}
}
