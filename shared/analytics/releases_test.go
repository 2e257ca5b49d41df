package analytics_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// Code of before the versions of days changes cells without them: beside a release that replaces it, and alone after a
// roll-back. Figures stay exact, because a release stores no digests until such code has ended, and trusts no other
// release's.
func TestDigest_OlderCodeBeside(t *testing.T) {
	w := worldtest.NewWorld(t)
	ingest(t, w, pastPosts(40))
	release := func(id string) *allstores.Store {
		s := allstores.New(w.Table, w.Clock)
		s.OfRelease(id, time.Hour)
		return s
	}
	exact := func(when string, s *allstores.Store) {
		t.Helper()
		if got, direct := bySource(t, w, s), bySource(t, w, withoutDigests{s}); !reflect.DeepEqual(got, direct) {
			t.Errorf("%s: %+v, want %+v", when, got, direct)
		}
	}
	first := release("1")
	exact("first query", first)
	olderCode(t, w, "past5")
	exact("beside older code", first)
	if found := digestRows(t, w); len(found) > 0 {
		t.Fatalf("%d digests while older code may run, want none", len(found))
	}
	w.Clock.Freeze(w.Clock.Now().Add(time.Hour))
	exact("settled", first)
	if len(digestRows(t, w)) == 0 {
		t.Fatal("no digests after older code has ended")
	}
	exact("from digests, in another process", release("1"))

	olderCode(t, w, "past6") // after a roll-back
	again := release("2")
	exact("deployed again", again)
	w.Clock.Freeze(w.Clock.Now().Add(time.Hour))
	exact("deployed again, and settled", again)
	exact("deployed again, from digests", release("2"))
}

// olderCode changes a mention as code of before the versions of days did.
func olderCode(t *testing.T, w *worldtest.World, sourceID string) {
	t.Helper()
	var before []worldtest.Row
	for _, row := range worldtest.Rows(t, w) {
		if strings.HasPrefix(row.Sort, rows.SortQuota) {
			before = append(before, row)
		}
	}
	_, err := w.Store.ChangeMention(t.Context(), w.Main.ID, sourceID, func(m *mention.Mention) (bool, error) {
		m.Source = "news"
		score := mention.Low
		m.RelevanceScore, m.Sentiment = &score, mention.Sentiments()[2]
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range before {
		if err := w.Table.Put(t.Context(), table.Put{Table: rows.CountersTable, Item: row.Item}); err != nil {
			t.Fatal(err)
		}
	}
}
