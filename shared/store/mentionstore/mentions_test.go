package mentionstore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/allstores"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

func list(t *testing.T, w *worldtest.World, query mentionstore.MentionsQuery) (ids []int64) {
	t.Helper()
	query.WorkspaceID = w.Main.ID
	for {
		page, err := w.Store.Mentions(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range page.Mentions {
			ids = append(ids, m.ID)
		}
		if query.After = page.Next; page.Next == "" {
			return ids
		}
	}
}

// A mention that becomes irrelevant leaves the list of relevant ones and stays in the list of all.
func TestRelevanceMovesAMention(t *testing.T) {
	w := worldtest.NewWorld(t)
	for i := range 5 {
		w.Put(t, w.Main.ID, worldtest.Mention(int64(i+1), fmt.Sprint("s", i),
			worldtest.Now.Add(time.Duration(i)*time.Second)))
	}
	low := mention.Low
	third := worldtest.Mention(3, "s2", worldtest.Now.Add(2*time.Second))
	third.Relevant, third.RelevanceScore = false, &low
	w.Put(t, w.Main.ID, third)
	if got := list(t, w, mentionstore.MentionsQuery{Limit: 2}); fmt.Sprint(got) != "[5 4 2 1]" {
		t.Errorf("relevant: %v", got)
	}
	if got := list(t, w, mentionstore.MentionsQuery{Limit: 2, All: true}); fmt.Sprint(got) != "[5 4 3 2 1]" {
		t.Errorf("all: %v", got)
	}
}

// An index that lags shows what is gone and what has changed; the page is made from the table.
func TestListWhileTheIndexLags(t *testing.T) {
	w := worldtest.NewWorld(t)
	tables, ok := w.Table.(*sqlitetable.Table)
	if !ok {
		t.Skip("this server cannot be told to let its indexes lag")
	}
	for i := range 4 {
		w.Put(t, w.Main.ID, worldtest.Mention(int64(i+1), fmt.Sprint("s", i),
			worldtest.Now.Add(time.Duration(i)*time.Second)))
	}
	if err := tables.Misbehave(sqlitetable.Misbehave{IndexLag: true, PageRows: 1, BatchReads: 1}); err != nil {
		t.Fatal(err)
	}
	low := mention.Low
	changed := worldtest.Mention(2, "s1", worldtest.Now.Add(time.Second))
	changed.Relevant, changed.RelevanceScore = false, &low
	w.Put(t, w.Main.ID, changed)
	if err := w.Table.Delete(t.Context(),
		table.Delete{Table: rows.MentionsTable, Key: table.Key{Partition: w.Main.ID, Sort: "s2"}}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := list(t, w, mentionstore.MentionsQuery{Limit: 3}); fmt.Sprint(got) != "[4 1]" {
			t.Errorf("got %v", got)
		}
		if err := tables.CatchUp(); err != nil {
			t.Fatal(err)
		}
	}
	if got := list(t, w, mentionstore.MentionsQuery{Limit: 1, All: true}); fmt.Sprint(got) != "[4 2 1]" {
		t.Errorf("all: %v", got)
	}
}

// behind is a table whose reads at half the price have not caught up with any write.
type behind struct{ table.Table }

func (b behind) BatchGet(ctx context.Context, gets []table.Get) (table.Batch, error) {
	batch, err := b.Table.BatchGet(ctx, gets)
	for i, get := range gets {
		if !get.Consistent && err == nil {
			batch.Items[i] = nil
		}
	}
	return batch, err
}

// A row that the index shows and a read that lags does not is there all the same.
func TestListWhileReadsLag(t *testing.T) {
	w := worldtest.NewWorld(t)
	for i := range 3 {
		w.Put(t, w.Main.ID, worldtest.Mention(int64(i+1), fmt.Sprint("s", i),
			worldtest.Now.Add(time.Duration(i)*time.Second)))
	}
	w.Store = allstores.New(behind{w.Table}, w.Clock)
	if got := list(t, w, mentionstore.MentionsQuery{Limit: 2}); fmt.Sprint(got) != "[3 2 1]" {
		t.Errorf("got %v", got)
	}
}

// An invocation that dies in one of the two reads of a list dies as any other: where its caller can see it.
func TestCrashInAList(t *testing.T) {
	w := worldtest.NewWorld(t)
	w.CrashOnce("query")
	defer func() {
		if _, crashed := recover().(fault.Crashed); !crashed {
			t.Error("the crash did not reach the caller")
		}
	}()
	w.Store.Mentions(t.Context(), mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Limit: 1, All: true})
}

// Reads look in the archive second, by either id.
func TestArchivedMentions(t *testing.T) {
	w := worldtest.NewWorld(t)
	old := worldtest.Mention(9, "old", worldtest.Now.AddDate(-1, 0, 0))
	w.Put(t, w.Main.ID, old)
	key := table.Key{Partition: w.Main.ID, Sort: "old"}
	item, err := w.Table.Get(t.Context(), table.Get{Table: rows.MentionsTable, Key: key, Consistent: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Table.Put(t.Context(), table.Put{Table: rows.ArchiveTable, Item: item}); err != nil {
		t.Fatal(err)
	}
	if err := w.Table.Delete(t.Context(), table.Delete{Table: rows.MentionsTable, Key: key}); err != nil {
		t.Fatal(err)
	}
	bySource, err := w.Store.Mention(t.Context(), w.Main.ID, "old")
	if err != nil || bySource.ID != 9 {
		t.Error(bySource, err)
	}
	byID, err := w.Store.MentionByID(t.Context(), w.Main.ID, 9)
	if err != nil || byID.SourceID != "old" {
		t.Error(byID, err)
	}
	if _, err := w.Store.MentionByID(t.Context(), w.Other.ID, 9); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
}

func TestNumericIDsAreUnique(t *testing.T) {
	w := worldtest.NewWorld(t)
	w.Put(t, w.Main.ID, worldtest.Mention(1, "a", worldtest.Now))
	w.Put(t, w.Main.ID, worldtest.Mention(1, "a", worldtest.Now)) // the same again
	if err := w.Store.PutMention(t.Context(), w.Main.ID, worldtest.Mention(1, "b", worldtest.Now)); !errors.Is(err,
		mentionstore.ErrIDTaken) {
		t.Error(err)
	}
	w.Put(t, w.Other.ID, worldtest.Mention(1, "b", worldtest.Now)) // another workspace's
}

// What reading another workspace's mention costs is what reading an unused one does.
func TestUnusedAndForeignCostTheSame(t *testing.T) {
	w := worldtest.NewWorld(t)
	w.Put(t, w.Other.ID, worldtest.Mention(77, "theirs", worldtest.Now))
	var usage []table.Usage
	for _, id := range []string{"theirs", "unused"} {
		ctx, meter := table.WithMeter(t.Context())
		if _, err := w.Store.Mention(ctx, w.Main.ID, id); !errors.Is(err, store.ErrNotFound) {
			t.Fatal(err)
		}
		usage = append(usage, meter.Total())
	}
	for _, id := range []int64{77, 78} {
		ctx, meter := table.WithMeter(t.Context())
		if _, err := w.Store.MentionByID(ctx, w.Main.ID, id); !errors.Is(err, store.ErrNotFound) {
			t.Fatal(err)
		}
		usage = append(usage, meter.Total())
	}
	if usage[0] != usage[1] || usage[2] != usage[3] {
		t.Errorf("%+v", usage)
	}
}
