package listenstore

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// A keyword that is deleted goes out of the feeds of its workspace, unless a feed was changed meanwhile.
func TestMendFeeds(t *testing.T) {
	now := &clock.Adjustable{}
	now.Freeze(time.Date(2026, 11, 20, 10, 15, 0, 0, time.UTC))
	tables, err := sqlitetable.Open(filepath.Join(t.TempDir(), "earshot.db"), rows.Schemas(),
		sqlitetable.Options{Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	s, ctx := New(store.New(table.Retrying(tables), now)), t.Context()
	for org, feeds := range map[string][]feed.Feed{
		"org_1": {
			{ID: 1, Name: "alone", SimpleFilters: []byte(`{"keyword":[7]}`), Default: true,
				Destinations: []feed.Destination{{
					Type:      feed.Email,
					Emails:    []string{"a@b.co"},
					Frequency: feed.Daily,
					Time:      "09:00",
					Timezone:  "UTC",
				}}},
			{ID: 2, Name: "beside", SimpleFilters: []byte(`{"keyword":[7,8]}`)},
			{ID: 3, Name: "other", SimpleFilters: []byte(`{"keyword":[8]}`)},
		},
		"org_2": {{ID: 1, Name: "theirs", SimpleFilters: []byte(`{"keyword":[7]}`)}},
	} {
		for _, f := range feeds {
			if err := s.RestoreFeed(ctx, org, f); err != nil {
				t.Fatal(err)
			}
		}
	}
	now.Freeze(time.Date(2026, 11, 20, 11, 0, 0, 0, time.UTC))
	writes, mended, err := s.mendFeeds(ctx, "org_1", keyword.Keyword{ID: 7, Text: "northwind"})
	if err != nil || len(writes) != 2 || len(mended) != 2 ||
		mended[0] != (feed.Mended{ID: 1, Name: "alone", Change: feed.TextInstead}) ||
		mended[1] != (feed.Mended{ID: 2, Name: "beside", Change: feed.KeywordRemoved}) {
		t.Fatalf("%v %+v %v", writes, mended, err)
	}
	if err := s.Table.Transact(ctx, table.Transaction{Writes: writes}); err != nil {
		t.Fatal(err)
	}
	f, err := s.Feed(ctx, "org_1", 1)
	if err != nil || string(f.SimpleFilters) != `{"text":["northwind"]}` || f.Revision != 2 || !f.Default ||
		len(f.Destinations) != 1 ||
		f.Destinations[0].Emails[0] != "a@b.co" || !f.UpdatedAt.After(f.CreatedAt) {
		t.Errorf("%+v %s %v", f, f.SimpleFilters, err)
	}
	if theirs, err := s.Feed(ctx, "org_2", 1); err != nil || theirs.Revision != 1 {
		t.Errorf("%+v %v", theirs, err)
	}
	if writes, _, err := s.mendFeeds(ctx, "org_1", keyword.Keyword{ID: 7, Text: "northwind"}); err != nil ||
		len(writes) != 0 {
		t.Errorf("%v %v", writes, err)
	}
	writes, _, err = s.mendFeeds(ctx, "org_1", keyword.Keyword{ID: 8, Text: "lanternpage"})
	if err != nil || len(writes) != 2 {
		t.Fatal(writes, err)
	}
	if _, err := s.ChangeFeed(ctx, "org_1", 3, "", func(f *feed.Feed) error { f.Name = "mine"; return nil }); err != nil {
		t.Fatal(err)
	}
	var canceled *table.Canceled
	if err := s.Table.Transact(ctx, table.Transaction{Writes: writes}); !errors.As(err, &canceled) || !canceled.Failed(1) {
		t.Errorf("a change was overwritten: %v", err)
	}
	// What all feeds weigh is the sum of what each is counted for, whatever was mended, changed and deleted.
	for id := int64(1); id <= 3; id++ {
		if err := s.DeleteFeed(ctx, "org_1", id, ""); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.Get(ctx, rows.CoreTable, rows.FeedsKey("org_1"))
	if err != nil || rows.Integer(all, "feeds") != 0 || rows.Integer(all, "weight") != 0 || all["default"] != nil {
		t.Errorf("%v %v", all, err)
	}
}

// The row of all feeds stands in nobody's way: a change that needs it is made whatever happens to the row, and refused
// by its bounds.
func TestFeedsTogether(t *testing.T) {
	tables, err := sqlitetable.Open(filepath.Join(t.TempDir(), "earshot.db"), rows.Schemas(), sqlitetable.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	s, ctx := New(store.New(table.Retrying(tables), clock.System{})), t.Context()
	for range 2 {
		if _, err := s.CreateFeed(ctx, "org_1", feed.Feed{Name: "a", Default: true}, ""); err != nil {
			t.Fatal(err)
		}
	}
	together := func(change map[string]int64) {
		t.Helper()
		if _, err := s.Table.Update(ctx, table.Update{Table: rows.CoreTable, Key: rows.FeedsKey("org_1"), Add: change}); err != nil {
			t.Fatal(err)
		}
	}
	// Another takes the default between the read and the write.
	f, err := s.ChangeFeed(ctx, "org_1", 2, "", func(f *feed.Feed) error {
		if !f.Default {
			t.Error("it is not the default")
		}
		together(map[string]int64{"default": -1})
		f.Default, f.Name = false, strings.Repeat("a", 100)
		return nil
	})
	if err != nil || f.Default || f.Revision != 2 {
		t.Errorf("%+v %v", f, err)
	}
	if one, err := s.Feed(ctx, "org_1", 1); err != nil || !one.Default {
		t.Errorf("%+v %v", one, err)
	}
	// Others fill the room between the read and the write.
	_, err = s.ChangeFeed(ctx, "org_1", 2, "", func(f *feed.Feed) error {
		together(map[string]int64{"weight": feed.MaxTogether})
		f.Icon = "x"
		return nil
	})
	if !errors.Is(err, ErrFeedTooLarge) {
		t.Error(err)
	}
	if _, err := s.CreateFeed(ctx, "org_1", feed.Feed{Name: "a"}, ""); !errors.Is(err, ErrFeedTooLarge) {
		t.Error(err)
	}
	// A change that makes a feed lighter is made all the same.
	if _, err := s.ChangeFeed(ctx, "org_1", 2, "", func(f *feed.Feed) error { f.Name = "a"; return nil }); err != nil {
		t.Error(err)
	}
	together(map[string]int64{"weight": -feed.MaxTogether, "feeds": feed.MaxFeeds - 2})
	if _, err := s.CreateFeed(ctx, "org_1", feed.Feed{Name: "a"}, ""); !errors.Is(err, ErrFeedLimit) {
		t.Error(err)
	}
}
