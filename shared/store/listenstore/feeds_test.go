package listenstore_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/feed"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/worldtest"
)

// However many create at once, a workspace has MaxFeeds at most.
func TestFeedsAreLimited(t *testing.T) {
	w := worldtest.NewWorld(t)
	create := func() error {
		_, err := w.Store.CreateFeed(t.Context(), w.Main.ID, feed.Feed{Name: "a"}, "")
		return err
	}
	for range feed.MaxFeeds - 3 {
		if err := create(); err != nil {
			t.Fatal(err)
		}
	}
	var made, refused atomic.Int32
	faulttest.AtOnce(8, func(int) {
		switch err := create(); {
		case err == nil:
			made.Add(1)
		case errors.Is(err, listenstore.ErrFeedLimit):
			refused.Add(1)
		default:
			t.Error(err)
		}
	})
	feeds, err := w.Store.Feeds(t.Context(), w.Main.ID)
	if err != nil || made.Load() != 3 || refused.Load() != 5 || len(feeds) != feed.MaxFeeds {
		t.Errorf("%d made, %d refused, %d there, %v", made.Load(), refused.Load(), len(feeds), err)
	}
	for i, f := range feeds[1:] {
		if f.ID <= feeds[i].ID {
			t.Fatalf("%d comes after %d", f.ID, feeds[i].ID)
		}
	}
	if err := w.Store.DeleteFeed(t.Context(), w.Main.ID, feeds[0].ID, ""); err != nil {
		t.Fatal(err)
	}
	if err := create(); err != nil {
		t.Error(err)
	}
	if _, err := w.Store.CreateFeed(t.Context(), w.Other.ID, feed.Feed{Name: "a"}, ""); err != nil {
		t.Error(err)
	}
}

// An id that comes from outside is not drawn, and not taken twice.
func TestRestoreFeed(t *testing.T) {
	w := worldtest.NewWorld(t)
	if err := w.Store.RestoreFeed(t.Context(), w.Main.ID, feed.Feed{ID: 40, Name: "a", Default: true}); err != nil {
		t.Fatal(err)
	}
	if err := w.Store.RestoreFeed(t.Context(), w.Main.ID, feed.Feed{ID: 40, Name: "b"}); !errors.Is(err, store.ErrConflict) {
		t.Error(err)
	}
	next, err := w.Store.CreateFeed(t.Context(), w.Main.ID, feed.Feed{Name: "c"}, "")
	if err != nil || next.ID <= 40 {
		t.Errorf("%d %v", next.ID, err)
	}
	f, err := w.Store.Feed(t.Context(), w.Main.ID, 40)
	if err != nil || f.Name != "a" || !f.Default || f.Revision != 1 || !f.CreatedAt.Equal(worldtest.Now) {
		t.Errorf("%+v %v", f, err)
	}
	for _, missing := range []int64{41, 0} {
		if _, err := w.Store.Feed(t.Context(), w.Main.ID, missing); !errors.Is(err, store.ErrNotFound) {
			t.Error(err)
		}
	}
	if _, err := w.Store.Feed(t.Context(), w.Other.ID, 40); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
}

// What goes in comes out, and requests of one name make one feed, however many are sent at once.
func TestFeedsAreMadeOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	want := feed.Feed{
		Name: "a", Icon: "🔥", SimpleFilters: []byte(`{"engaged":true}`), AdvancedFilters: []byte(`{"x":1}`), Default: true,
		Destinations: []feed.Destination{
			{
				Type:         feed.Email,
				Frequency:    feed.Weekly,
				DeliveryMode: feed.Batch,
				Time:         "09:00",
				Timezone:     "UTC",
				DayOfWeek:    "monday",
				Emails:       []string{"a@b.co"},
			},
			{Type: feed.Slack, Frequency: feed.Instant, DeliveryMode: feed.Individual, Channels: []string{"C1", "C2"}},
			{Type: feed.Webhook, Frequency: feed.Hourly, DeliveryMode: feed.Batch, URL: "https://hooks.example.com"},
		},
	}
	answers := make([]feed.Feed, 5)
	faulttest.AtOnce(len(answers), func(i int) {
		var err error
		if answers[i], err = w.Store.CreateFeed(t.Context(), w.Main.ID, want, "one"); err != nil {
			t.Error(err)
		}
	})
	kept, err := w.Store.Feeds(t.Context(), w.Main.ID)
	if err != nil || len(kept) != 1 {
		t.Fatalf("%+v %v", kept, err)
	}
	want.ID, want.CreatedAt, want.UpdatedAt, want.Revision = kept[0].ID, worldtest.Now, worldtest.Now, 1
	for _, got := range append(answers, kept...) {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}
