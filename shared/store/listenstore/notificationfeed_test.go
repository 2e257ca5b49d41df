package listenstore_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/feed"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/allstores"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// notified lists the names of the notifications, with their feeds, and holds their number to the count.
func notified(t *testing.T, w *worldtest.World) (names []string) {
	t.Helper()
	all, err := w.Store.Notifications(t.Context(), w.Main.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range all {
		names = append(names, fmt.Sprint(n.FeedID, n.Name))
	}
	key := table.Key{Partition: w.Main.ID, Sort: "notifications"}
	row, err := w.Table.Get(t.Context(), table.Get{Table: rows.CoreTable, Key: key, Consistent: true})
	if err != nil {
		t.Fatal(err)
	}
	if counted, _ := row["notifications"].(int64); counted != int64(len(all)) {
		t.Errorf("counted %d notifications, want %d", counted, len(all))
	}
	return names
}

// toFirst ties a notification to the feed 1.
func toFirst(n *feed.Notification) error {
	n.FeedID = 1
	return nil
}

// A feed takes its notifications with it, all of them, and no other's.
func TestDeleteFeed_Notifications(t *testing.T) {
	for _, many := range []int{0, 1, 95, 96, 97, feed.MaxNotifications - 1} {
		w := worldtest.NewWorld(t)
		w.WithFeeds(t, 1, 2)
		create := func(org string, n feed.Notification) {
			t.Helper()
			if _, err := w.Store.CreateNotification(t.Context(), org, n, ""); err != nil {
				t.Fatal(err)
			}
		}
		for range many {
			create(w.Main.ID, worldtest.Notification("goes"))
		}
		create(w.Main.ID, feed.Notification{Name: "stays", FeedID: 2})
		create(w.Other.ID, worldtest.Notification("theirs"))
		if err := w.Store.DeleteFeed(t.Context(), w.Main.ID, 1, "request"); err != nil {
			t.Fatalf("DeleteFeed with %d notifications: %v", many, err)
		}
		if got := fmt.Sprint(notified(t, w)); got != "[2stays]" {
			t.Errorf("with %d notifications: %s are left, want the other feed's", many, got)
		}
		if all, err := w.Store.Notifications(t.Context(), w.Other.ID); err != nil || len(all) != 1 {
			t.Errorf("another workspace's: %+v, %v", all, err)
		}
		if err := w.Store.DeleteFeed(t.Context(), w.Main.ID, 1, "request"); err != nil {
			t.Errorf("the same request again: %v", err)
		}
		_, err := w.Store.CreateNotification(t.Context(), w.Main.ID, worldtest.Notification("late"), "")
		if !errors.Is(err, listenstore.ErrNoFeed) {
			t.Errorf("CreateNotification of the deleted feed = %v, want ErrNoFeed", err)
		}
		_, err = w.Store.ChangeNotification(t.Context(), w.Main.ID, int64(many+1), "", toFirst)
		if !errors.Is(err, listenstore.ErrNoFeed) {
			t.Errorf("ChangeNotification to the deleted feed = %v, want ErrNoFeed", err)
		}
	}
}

// A deletion that dies at any of its transactions is finished by the request when it is sent again.
func TestDeleteFeed_Killed(t *testing.T) {
	for many, steps := range map[int]int{3: 1, feed.MaxNotifications: 2} {
		faulttest.EachStep(t, steps, func(t *testing.T, step *faulttest.Step) {
			w := worldtest.NewWorld(t)
			w.WithFeeds(t)
			for range many {
				_, err := w.Store.CreateNotification(t.Context(), w.Main.ID, worldtest.Notification("goes"), "")
				worldtest.Must(t, err)
			}
			remove := func() error { return w.Store.DeleteFeed(t.Context(), w.Main.ID, 1, "request") }
			_ = step.Die(t, w.Life, remove)
			if _, err := w.Store.Feed(t.Context(), w.Main.ID, 1); err != nil && len(notified(t, w)) > 0 {
				t.Errorf("the feed of %d notifications is gone before them", many)
			}
			if err := remove(); err != nil {
				t.Errorf("DeleteFeed of %d notifications, again = %v", many, err)
			}
			if left := notified(t, w); len(left) > 0 {
				t.Errorf("of %d notifications %v are left", many, left)
			}
			if _, err := w.Store.Feed(t.Context(), w.Main.ID, 1); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("Feed = %v, want ErrNotFound", err)
			}
		})
	}
}

// Who ties a notification to a feed meets who deletes the feed, each between what the other reads and writes: whichever
// is first, no notification is left without its feed.
func TestDeleteFeed_NotificationAtOnce(t *testing.T) {
	tyings := map[string]func(*allstores.Store, *testing.T, string) error{
		"create": func(s *allstores.Store, t *testing.T, org string) error {
			_, err := s.CreateNotification(t.Context(), org, worldtest.Notification("new"), "")
			return err
		},
		"move": func(s *allstores.Store, t *testing.T, org string) error {
			_, err := s.ChangeNotification(t.Context(), org, 1, "", toFirst)
			return err
		},
	}
	for name, tie := range tyings {
		for _, deletes := range []bool{true, false} {
			w := worldtest.NewWorld(t)
			w.WithFeeds(t, 1, 2)
			moves := feed.Notification{Name: "moves", FeedID: 2}
			if _, err := w.Store.CreateNotification(t.Context(), w.Main.ID, moves, ""); err != nil {
				t.Fatal(err)
			}
			remove := func(s *allstores.Store) error { return s.DeleteFeed(t.Context(), w.Main.ID, 1, "") }
			var tied, removed error
			if deletes { // and one is tied meanwhile
				meddle := func() { tied = tie(w.Store, t, w.Main.ID) }
				removed = remove(allstores.New(&fault.Hooked{Table: w.Table, Before: meddle}, w.Clock))
			} else {
				meddle := func() { removed = remove(w.Store) }
				tied = tie(allstores.New(&fault.Hooked{Table: w.Table, Before: meddle}, w.Clock), t, w.Main.ID)
			}
			if removed != nil || deletes && tied != nil || !deletes && !errors.Is(tied, listenstore.ErrNoFeed) {
				t.Errorf("%s: removed %v, tied %v", name, removed, tied)
			}
			want := "[2moves]"
			if name == "move" && deletes {
				want = "[]" // moved in time to go
			}
			if got := fmt.Sprint(notified(t, w)); got != want {
				t.Errorf("%s: %s are left, want %s", name, got, want)
			}
		}
	}
}

func TestDeleteFeed_NotificationsAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	w.WithFeeds(t, 1, 2, 3, 4)
	var group sync.WaitGroup
	for id := int64(1); id <= 3; id++ {
		for range 6 {
			group.Go(func() {
				n := feed.Notification{Name: "n", FeedID: id}
				_, err := w.Store.CreateNotification(t.Context(), w.Main.ID, n, "")
				if err != nil && !errors.Is(err, listenstore.ErrNoFeed) {
					t.Error(err)
				}
			})
		}
		group.Go(func() {
			if err := w.Store.DeleteFeed(t.Context(), w.Main.ID, id, ""); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if left := notified(t, w); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}
