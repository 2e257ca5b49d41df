package mentionstore_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// What was lost comes back as it was, whatever has changed or moved since stays as it is, and a second time does nothing.
func TestRestoreMentions(t *testing.T) {
	w, ctx := worldtest.NewWorld(t), t.Context()
	org, other := w.Main.ID, w.Other.ID
	backup, err := sqlitetable.Open(filepath.Join(t.TempDir(), "backup.db"), rows.Schemas(),
		sqlitetable.Options{Clock: w.Clock})
	if err != nil {
		t.Fatal(err)
	}
	defer backup.Close()
	const count = 130 // some pages
	row := func(id string) table.Key { return table.Key{Partition: org, Sort: id} }
	for i := range count {
		w.Put(t, org, worldtest.Mention(int64(i+1), fmt.Sprintf("reddit_post_%d", i),
			worldtest.Now.Add(-time.Duration(i)*time.Minute)))
	}
	w.Put(t, other, worldtest.Mention(1, "reddit_post_0", worldtest.Now))
	whole := map[string]table.Item{}
	for i := range count {
		key := row(fmt.Sprintf("reddit_post_%d", i))
		item, err := w.Table.Get(ctx, table.Get{Table: rows.MentionsTable, Key: key, Consistent: true})
		if err != nil {
			t.Fatal(err)
		}
		whole[key.Sort] = item
		if err := backup.Put(ctx, table.Put{Table: rows.MentionsTable, Item: item}); err != nil {
			t.Fatal(err)
		}
	}
	// Of five, two are lost, one has changed, one is in the archive, and one is as it was.
	lost := []table.Key{row("reddit_post_7"), row("reddit_post_120")}
	moved, changed := row("reddit_post_8"), row("reddit_post_9")
	for _, key := range append(lost, moved) {
		if err := w.Table.Delete(ctx, table.Delete{Table: rows.MentionsTable, Key: key}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Table.Put(ctx, table.Put{Table: rows.ArchiveTable, Item: whole[moved.Sort]}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Table.Update(ctx,
		table.Update{Table: rows.MentionsTable, Key: changed, Set: map[string]any{"changed": "since"}}); err != nil {
		t.Fatal(err)
	}

	for _, step := range []struct {
		put  bool
		want mentionstore.Restored
	}{
		{false, mentionstore.Restored{Rows: count, Lost: 2}},
		{true, mentionstore.Restored{Rows: count, Lost: 2, Back: 2}},
		{true, mentionstore.Restored{Rows: count}},
	} {
		if done, err := w.Store.RestoreMentions(ctx, backup, rows.MentionsTable, org, step.put); err != nil ||
			done != step.want {
			t.Errorf("put %t: %+v %v, want %+v", step.put, done, err, step.want)
		}
	}
	for _, key := range lost {
		item, err := w.Table.Get(ctx, table.Get{Table: rows.MentionsTable, Key: key, Consistent: true})
		if err != nil || fmt.Sprint(item) != fmt.Sprint(whole[key.Sort]) {
			t.Errorf("%v %v, it was %v", item, err, whole[key.Sort])
		}
	}
	if item, err := w.Table.Get(ctx, table.Get{Table: rows.MentionsTable, Key: changed, Consistent: true}); err != nil ||
		item["changed"] != "since" {
		t.Errorf("what has changed since is %v, %v", item, err)
	}
	if item, err := w.Table.Get(ctx, table.Get{Table: rows.MentionsTable, Key: moved, Consistent: true}); err != nil ||
		item != nil {
		t.Errorf("what has moved is here again: %v, %v", item, err)
	}

	if _, err := w.Store.RestoreMentions(ctx, backup, rows.CoreTable, org, true); err == nil {
		t.Error("rows of core are taken for mentions")
	}
	gone := workspace.NewID(workspace.PrefixWorkspace, worldtest.Now)
	if _, err := w.Store.RestoreMentions(ctx, backup, rows.MentionsTable, gone, true); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a workspace that is not there: %v", err)
	}
}
