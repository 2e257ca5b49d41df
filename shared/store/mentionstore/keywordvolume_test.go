package mentionstore_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// volumesOf are the volumes as they must be, counted from the mentions.
func volumesOf(all map[string]mention.Mention, now time.Time) map[int64]listenstore.KeywordVolume {
	want := map[int64]listenstore.KeywordVolume{}
	today := now.UTC().Truncate(24 * time.Hour)
	for _, m := range all {
		back := int(today.Sub(m.PostedAt.UTC().Truncate(24*time.Hour)) / (24 * time.Hour))
		for _, k := range m.Keywords {
			v := want[k.ID]
			if back >= 0 && back < 30 {
				v.Last30++
			}
			if back >= 0 && back < 7 {
				v.Last7++
			}
			want[k.ID] = v
		}
	}
	return want
}

func checkVolumes(ctx context.Context, t *rapid.T, w *worldtest.World, orgID string, all map[string]mention.Mention, ids int64) {
	want := volumesOf(all, w.Clock.Now())
	got, err := w.Store.KeywordVolumes(ctx, orgID)
	if err != nil {
		t.Fatal(err)
	}
	for id := int64(1); id <= ids; id++ {
		one, err := w.Store.KeywordVolume(ctx, orgID, id)
		pair, pairErr := w.Store.KeywordVolumesBetween(ctx, orgID, id, id+1)
		if pairErr != nil || pair[id] != want[id] || pair[id+1] != want[id+1] || pair[id-1] != (listenstore.KeywordVolume{}) {
			t.Fatalf("at %v keywords %d and %d: %+v, want %+v (%v)", w.Clock.Now(), id, id+1, pair, want, pairErr)
		}
		if err != nil || got[id] != want[id] || one != want[id] {
			t.Fatalf("at %v keyword %d: %+v in the list, %+v alone, want %+v (%v)", w.Clock.Now(), id, got[id], one, want[id], err)
		}
	}
}

// Volumes are what is stored, whatever comes, changes, is imported anew or grows old.
func TestKeywordVolumes(t *testing.T) {
	const ids = 5
	w, run := worldtest.NewWorld(t), 0
	rapid.Check(t, func(r *rapid.T) {
		w.Clock.Freeze(worldtest.Now)
		run++
		orgID, all := fmt.Sprint("org_", run), map[string]mention.Mention{}
		keywords := rapid.SliceOfNDistinct(rapid.Int64Range(1, ids), 0, ids, rapid.ID[int64])
		r.Repeat(map[string]func(*rapid.T){
			"ingest": func(r *rapid.T) {
				var batch []mention.Mention
				for range rapid.IntRange(1, 8).Draw(r, "posts") {
					m := drawMention(r, w.Clock.Now(), keywords.Draw(r, "keywords"))
					if _, known := all[m.SourceID]; known ||
						slices.ContainsFunc(batch, func(o mention.Mention) bool { return o.SourceID == m.SourceID }) {
						continue
					}
					batch = append(batch, m)
				}
				if _, err := w.Store.Ingest(t.Context(), orgID, 1_000_000, slices.Clone(batch)); err != nil {
					r.Fatal(err)
				}
				for _, m := range batch {
					all[m.SourceID] = m
				}
			},
			"import": func(r *rapid.T) {
				m := drawMention(r, w.Clock.Now(), keywords.Draw(r, "keywords"))
				m.ID = int64(1_000_000 + len(all))
				if stored, err := w.Store.Mention(t.Context(), orgID, m.SourceID); err == nil {
					m.ID = stored.ID
				}
				if err := w.Store.PutMention(t.Context(), orgID, m); err != nil {
					r.Fatal(err)
				}
				all[m.SourceID] = m
			},
			"judge": func(r *rapid.T) {
				if len(all) > 0 {
					sourceID := rapid.SampledFrom(slices.Sorted(maps.Keys(all))).Draw(r, "post")
					if _, err := w.Store.ChangeMention(t.Context(), orgID, sourceID, func(m *mention.Mention) (bool, error) {
						m.Sentiment = mention.Negative
						return true, nil
					}); err != nil {
						r.Fatal(err)
					}
				}
			},
			"later": func(r *rapid.T) {
				w.Clock.Freeze(w.Clock.Now().Add(time.Duration(rapid.IntRange(1, 24*45).Draw(r, "hours")) * time.Hour))
			},
			"": func(r *rapid.T) { checkVolumes(t.Context(), r, w, orgID, all, ids) },
		})
	})
}

// drawMention is one of twelve posts, of some day around a month back.
func drawMention(r *rapid.T, now time.Time, ids []int64) mention.Mention {
	posted := now.Add(-time.Duration(rapid.IntRange(-30, 24*40).Draw(r, "hours ago")) * time.Hour)
	m := worldtest.Mention(0, fmt.Sprint("post ", rapid.IntRange(0, 11).Draw(r, "post")), posted)
	m.Sentiment = rapid.SampledFrom(mention.Sentiments()).Draw(r, "sentiment")
	m.Keywords = nil
	for _, id := range ids {
		m.Keywords = append(m.Keywords, mention.Keyword{ID: id, Text: "northwind"})
	}
	return m
}

// Today is the first of the 7 and of the 30 days, up to the last moment of the day, and tomorrow is in neither.
func TestDaysOfVolumes(t *testing.T) {
	w := worldtest.NewWorld(t)
	today := worldtest.Now.Truncate(24 * time.Hour)
	for i, c := range []struct {
		posted time.Time
		want   listenstore.KeywordVolume
	}{
		{today.AddDate(0, 0, 1), listenstore.KeywordVolume{}},
		{today.AddDate(0, 0, 1).Add(-time.Millisecond), listenstore.KeywordVolume{Last7: 1, Last30: 1}},
		{today.AddDate(0, 0, -6), listenstore.KeywordVolume{Last7: 1, Last30: 1}},
		{today.AddDate(0, 0, -6).Add(-time.Millisecond), listenstore.KeywordVolume{Last30: 1}},
		{today.AddDate(0, 0, -29), listenstore.KeywordVolume{Last30: 1}},
		{today.AddDate(0, 0, -29).Add(-time.Millisecond), listenstore.KeywordVolume{}},
	} {
		m := worldtest.Mention(int64(i+1), fmt.Sprint("post ", i), c.posted)
		m.Keywords = worldtest.KeywordsOf(i+1, 1)
		w.Put(t, w.Main.ID, m)
		got, err := w.Store.KeywordVolume(t.Context(), w.Main.ID, int64(i+1))
		if err != nil || got != c.want {
			t.Errorf("posted at %v: %+v %v", c.posted, got, err)
		}
	}
}

// The last 30 days of the first of March are of three months.
func TestVolumeOfThreeMonths(t *testing.T) {
	w := worldtest.NewWorld(t)
	march := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	w.Clock.Freeze(march)
	for i, back := range []int{0, 1, 28, 29, 30} {
		m := worldtest.Mention(int64(i+1), fmt.Sprint("post ", i), march.AddDate(0, 0, -back))
		m.Keywords = worldtest.KeywordsOf(1, 1)
		w.Put(t, w.Main.ID, m)
	}
	want := listenstore.KeywordVolume{Last7: 2, Last30: 4}
	ctx, meter := table.WithMeter(t.Context())
	one, err := w.Store.KeywordVolume(ctx, w.Main.ID, 1)
	if all, listErr := w.Store.KeywordVolumes(ctx, w.Main.ID); one != want || all[1] != want || err != nil ||
		listErr != nil {
		t.Errorf("%+v, %+v", one, all[1])
	}
	if used := meter.Total(); used.Reads != 2 {
		t.Errorf("%+v", used)
	}
}

// widest counts the writes of the largest transaction that passes.
type widest struct {
	table.Table
	most int
	last table.Transaction
}

func (x *widest) Transact(ctx context.Context, tx table.Transaction) error {
	x.most, x.last = max(x.most, len(tx.Writes)), tx
	return x.Table.Transact(ctx, tx)
}

// A mention of as many keywords as it can have, all of which change together with everything else that is counted of
// it, still fits a transaction.
func TestWorstChangeFits(t *testing.T) {
	w := worldtest.NewWorld(t)
	seen := &widest{Table: w.Table}
	s := allstores.New(table.Retrying(seen), w.Clock)
	m := worldtest.Mention(1, "worst", worldtest.Now)
	m.Keywords = worldtest.KeywordsOf(1, mention.MaxKeywords)
	down, up := -1, 1
	m.FeedbackRelevant = &down
	if err := s.PutMention(t.Context(), w.Main.ID, m); err != nil {
		t.Fatal(err)
	}
	m.ID, m.Keywords = 2, worldtest.KeywordsOf(100, mention.MaxKeywords)
	m.Sentiment, m.PostedAt, m.FeedbackRelevant = mention.Negative, m.PostedAt.AddDate(0, -1, 0), &up
	if err := s.PutMention(t.Context(), w.Main.ID, m); err != nil {
		t.Fatalf("%d writes: %v", len(seen.last.Writes), err)
	}
	// The row, its cells, days and versions of before and after, at the least.
	if least := 1 + 2*(mention.MaxKeywords+1) + 2*mention.MaxKeywords + 2; seen.most < least ||
		seen.most > table.MaxTransaction {
		t.Errorf("%d writes, of at least %d", seen.most, least)
	}
	t.Logf("%d writes", seen.most)
	if got, err := s.KeywordVolume(t.Context(), w.Main.ID, 1); err != nil || got != (listenstore.KeywordVolume{}) {
		t.Errorf("%+v %v", got, err)
	}
}

// A change of a mention's tone leaves the days alone: it costs no write there.
func TestDaysCancelOut(t *testing.T) {
	w := worldtest.NewWorld(t)
	seen := &widest{Table: w.Table}
	s := allstores.New(table.Retrying(seen), w.Clock)
	w.Put(t, w.Main.ID, worldtest.Mention(1, "one", worldtest.Now))
	if _, err := s.ChangeMention(t.Context(), w.Main.ID, "one",
		func(m *mention.Mention) (bool, error) { m.Sentiment = mention.Negative; return true, nil }); err != nil {
		t.Fatal(err)
	}
	if len(seen.last.Writes) != 6 { // the mention, its two cells of before and its two of now, and their version
		t.Errorf("%d writes", len(seen.last.Writes))
	}
}

// Rows of months that are over do not stay, and none is made that would be gone at once.
func TestDaysExpire(t *testing.T) {
	w := worldtest.NewWorld(t)
	days := func() (listed []table.Item) {
		page, err := w.Table.Query(t.Context(), table.Query{Table: rows.CountersTable, Partition: w.Main.ID, Prefix: "days#"})
		if err != nil {
			t.Fatal(err)
		}
		return page.Items
	}
	seen := &widest{Table: w.Table}
	if err := allstores.New(table.Retrying(seen), w.Clock).PutMention(t.Context(), w.Main.ID,
		worldtest.Mention(1, "old", worldtest.Now.AddDate(-1, 0, 0))); err != nil {
		t.Fatal(err)
	}
	if len(seen.last.Writes) != 4 { // the mention, its two cells and their version
		t.Errorf("%d writes", len(seen.last.Writes))
	}
	w.Put(t, w.Main.ID, worldtest.Mention(2, "new", worldtest.Now))
	want := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 100)
	if listed := days(); len(listed) != 1 || listed[0]["expiresAt"] != want.Unix() {
		t.Errorf("%v", listed)
	}
	w.Clock.Freeze(want.Add(time.Second))
	if listed := days(); len(listed) != 0 {
		t.Errorf("%v", listed)
	}
}
