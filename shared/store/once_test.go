package store_test

import (
	"testing"
	"time"

	"earshot/shared/feed"
	"earshot/shared/worldtest"
)

// For a day the same request makes the same thing, as long as an answer is kept; after that it is a new one.
func TestRequestsAreKnownForADay(t *testing.T) {
	w := worldtest.NewWorld(t)
	create := func(after time.Duration) int64 {
		t.Helper()
		w.Clock.Freeze(worldtest.Now.Add(after))
		f, err := w.Store.CreateFeed(t.Context(), w.Main.ID, feed.Feed{Name: "a"}, "a request")
		if err != nil {
			t.Fatal(err)
		}
		return f.ID
	}
	const day = 24 * time.Hour
	first := create(0)
	if again := create(day - time.Second); again != first {
		t.Errorf("on the same day: %d and %d", first, again)
	}
	next := create(day)
	if next == first {
		t.Error("a day later it made nothing")
	}
	if again := create(2*day - time.Second); again != next {
		t.Errorf("on the next day: %d and %d", next, again)
	}
}

// What one workspace's request made is nothing to another's of the same name.
func TestRequestsAreOfAWorkspace(t *testing.T) {
	w := worldtest.NewWorld(t)
	w.WithFeeds(t)
	for range 2 {
		for _, orgID := range []string{w.Main.ID, w.Other.ID} {
			if _, err := w.Store.CreateNotification(t.Context(), orgID, worldtest.Notification("a"), "a request"); err != nil {
				t.Fatal(err)
			}
			if all, err := w.Store.Notifications(t.Context(), orgID); err != nil || len(all) != 1 {
				t.Errorf("%+v, %v", all, err)
			}
		}
	}
}
