package mentionstore_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// newlyDeployed returns the stores of a deployment that has just begun: they write rows in the form of before.
func newlyDeployed(w *worldtest.World, version string) *allstores.Store {
	stored := allstores.New(table.Retrying(w.Table), w.Clock)
	stored.PacksFrom(version)
	return stored
}

// packedRow reports whether the row of a mention is packed. Rows of before have its source as an attribute.
func packedRow(t *testing.T, w *worldtest.World, name, sourceID string) bool {
	t.Helper()
	item, err := w.Table.Get(t.Context(), table.Get{
		Table: name, Key: table.Key{Partition: w.Main.ID, Sort: sourceID}, Consistent: true,
	})
	if err != nil || item == nil {
		t.Fatalf("Get(%s, %s) = %v, %v, want a row", name, sourceID, item, err)
	}
	return item["source"] == nil
}

// A deployment packs rows two hours after it was first seen, whatever process saw it, and the next one waits again.
func TestPacksFrom_Deployments(t *testing.T) {
	w := worldtest.NewWorld(t)
	stored := 0
	for _, c := range []struct {
		version string
		after   time.Duration
		want    bool
	}{
		{"ingest#7", 0, false}, {"ingest#7", 2*time.Hour - time.Second, false}, {"ingest#7", time.Second, true},
		{"ingest#8", 0, false}, {"ingest#7", 0, true}, {"ingest#8", 2 * time.Hour, true},
	} {
		w.Clock.Freeze(w.Clock.Now().Add(c.after))
		stored++
		sourceID := fmt.Sprint("s", stored)
		m := worldtest.Mention(0, sourceID, worldtest.Now)
		_, err := newlyDeployed(w, c.version).Ingest(t.Context(), w.Main.ID, 1000, []mention.Mention{m})
		worldtest.Must(t, err)
		if got := packedRow(t, w, rows.MentionsTable, sourceID); got != c.want {
			t.Errorf("%s at %s packs: %t, want %t", c.version, w.Clock.Now().Format(time.TimeOnly), got, c.want)
		}
	}
}

// Half of the rows are of before. Lists, filters, authors, ids, counts, changes and the archive do not tell them apart.
func TestRowsOfBefore(t *testing.T) {
	w := worldtest.NewWorld(t)
	all := worldtest.Mentions(60)
	for i := range all {
		all[i].StoryID = fmt.Sprintf("%016x", i/4)
	}
	var of, now []mention.Mention
	for i, m := range all {
		if i/3%2 == 0 {
			of = append(of, m)
		} else {
			now = append(now, m)
		}
	}
	_, err := newlyDeployed(w, "ingest#1").Ingest(t.Context(), w.Main.ID, 1000, of)
	worldtest.Must(t, err)
	ingest(t, w, 1000, now)
	if packedRow(t, w, rows.MentionsTable, all[0].SourceID) || !packedRow(t, w, rows.MentionsTable, all[3].SourceID) {
		t.Fatal("the rows are not of both forms")
	}
	counted(t, w, w.Main.ID)
	bySource := map[string]mention.Mention{}
	for _, m := range all {
		got, err := w.Store.Mention(t.Context(), w.Main.ID, m.SourceID)
		worldtest.Must(t, err)
		m.ID, m.StoredAt = got.ID, got.StoredAt
		if !reflect.DeepEqual(got, m) {
			t.Errorf("Mention(%s) = %+v\nwant %+v", m.SourceID, got, m)
		}
		if byID, err := w.Store.MentionByID(t.Context(), w.Main.ID, got.ID); err != nil || byID.SourceID != m.SourceID {
			t.Errorf("MentionByID(%d) = %s, %v, want %s", got.ID, byID.SourceID, err, m.SourceID)
		}
		bySource[m.SourceID] = got
	}
	for _, filter := range []string{
		`{"source":["hackernews"]}`, `{"!source":["hackernews"]}`, `{"relevance":[0]}`, `{"relevance":[1,2]}`,
		`{"sentiment":["negative"]}`, `{"!sentiment":["negative"]}`, `{"tag":["own_brand_mention"]}`, `{"keyword":[7]}`,
		`{"language":["english"]}`, `{"author":["someone"]}`, `{"text":["northwind"]}`, `{"text":["zeppelin"]}`,
		`{"engagement":[{"source":"hackernews","metric":"points","value":5,"operator":">="}]}`, `{"minXFollowers":1}`,
		`{"postType":["reply"]}`, `{"engaged":true}`,
	} {
		predicate := parsed(t, filter)
		var want []int64
		for _, m := range bySource {
			if predicate.Mention(&m) {
				want = append(want, m.ID)
			}
		}
		got := list(t, w, mentionstore.MentionsQuery{All: true, Limit: 7, Filter: predicate})
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("Mentions(%s) = %v, want %v", filter, got, want)
		}
	}
	author := &mentionstore.Author{Source: "hackernews", Handle: "someone"}
	if got := list(t, w, mentionstore.MentionsQuery{Limit: 50, Author: author}); len(got) == 0 {
		t.Error("the author has no mentions")
	}
	changeAndArchive(t, w, all)
}

// changeAndArchive changes mentions of both forms, and moves them to the archive.
func changeAndArchive(t *testing.T, w *worldtest.World, all []mention.Mention) {
	t.Helper()
	for _, m := range all[:4] {
		changed, err := w.Store.ChangeMention(t.Context(), w.Main.ID, m.SourceID, func(m *mention.Mention) (bool, error) {
			m.Engaged = true
			return true, nil
		})
		worldtest.Must(t, err)
		got, err := w.Store.Mention(t.Context(), w.Main.ID, m.SourceID)
		worldtest.Must(t, err)
		changed.Judgements = nil
		if !reflect.DeepEqual(got, changed) || !packedRow(t, w, rows.MentionsTable, m.SourceID) {
			t.Errorf("ChangeMention(%s) stored %+v\nwant %+v, packed", m.SourceID, got, changed)
		}
	}
	counted(t, w, w.Main.ID)
	before := map[string]mention.Mention{}
	for _, m := range all {
		got, err := w.Store.Mention(t.Context(), w.Main.ID, m.SourceID)
		worldtest.Must(t, err)
		before[m.SourceID] = got
	}
	w.Clock.Freeze(worldtest.Now.AddDate(1, 0, 0))
	for range 2 {
		if _, finished, err := w.Store.Archive(t.Context(), w.Main.ID, 0); err != nil || !finished {
			t.Fatalf("Archive() = %t, %v", finished, err)
		}
		w.Clock.Freeze(w.Clock.Now().Add(2 * time.Hour))
	}
	for _, m := range all {
		_ = packedRow(t, w, rows.ArchiveTable, m.SourceID)
		got, err := w.Store.Mention(t.Context(), w.Main.ID, m.SourceID)
		if want := before[m.SourceID]; err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("archived, Mention(%s) = %+v, %v\nwant %+v", m.SourceID, got, err, want)
		}
		get := table.Get{Table: rows.MentionsTable, Key: table.Key{Partition: w.Main.ID, Sort: m.SourceID}}
		if item, err := w.Table.Get(t.Context(), get); err != nil || item != nil {
			t.Errorf("%s is still among the mentions: %v", m.SourceID, err)
		}
	}
	counted(t, w, w.Main.ID)
}
