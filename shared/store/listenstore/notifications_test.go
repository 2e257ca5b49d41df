package listenstore_test

import (
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/feed"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/worldtest"
)

func TestNotificationIsKept(t *testing.T) {
	w := worldtest.NewWorld(t)
	w.WithFeeds(t, 1, 9, 1<<52)
	third := 2
	for _, n := range []feed.Notification{
		worldtest.Notification("plain"),
		{Name: "of the feed", FeedID: 9, FeedIndex: &third},
		{Name: "own", FeedID: 1 << 52, Enabled: true, Destinations: []feed.Destination{
			{
				Type:         feed.Email,
				Frequency:    feed.Weekly,
				DeliveryMode: feed.Batch,
				Time:         "09:00",
				Timezone:     "Europe/Berlin",
				DayOfWeek:    "friday",
				Emails:       []string{"a@mail.example"},
			},
			{Type: feed.Slack, Frequency: feed.Instant, DeliveryMode: feed.Individual, Channels: []string{"C1", "C2"}},
			{Type: feed.Webhook, Frequency: feed.Hourly, DeliveryMode: feed.Batch, URL: "https://hooks.example/"},
		}},
	} {
		made, err := w.Store.CreateNotification(t.Context(), w.Main.ID, n, "")
		if err != nil {
			t.Fatal(err)
		}
		n.ID, n.CreatedAt, n.UpdatedAt, n.Revision = made.ID, worldtest.Now, worldtest.Now, 1
		kept, err := w.Store.Notification(t.Context(), w.Main.ID, made.ID)
		if err != nil || !reflect.DeepEqual(kept, n) || !reflect.DeepEqual(made, n) {
			t.Errorf("kept %+v, made %+v, want %+v: %v", kept, made, n, err)
		}
		if _, err := w.Store.Notification(t.Context(), w.Other.ID, made.ID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another workspace: %v", err)
		}
	}
	all, err := w.Store.Notifications(t.Context(), w.Main.ID)
	if err != nil || len(all) != 3 || all[0].ID != 1 || all[1].ID != 2 || all[2].ID != 3 {
		t.Errorf("%+v %v", all, err)
	}
	w.Clock.Freeze(worldtest.Now.Add(time.Hour))
	changed, err := w.Store.ChangeNotification(t.Context(), w.Main.ID, 2, "", func(n *feed.Notification) error {
		n.ID, n.FeedIndex, n.Enabled, n.CreatedAt = 77, nil, true, time.Time{}
		return nil
	})
	if err != nil || changed.ID != 2 || changed.FeedIndex != nil || !changed.Enabled || changed.Revision != 2 ||
		changed.CreatedAt != worldtest.Now ||
		changed.UpdatedAt != worldtest.Now.Add(time.Hour) {
		t.Errorf("%+v %v", changed, err)
	}
	if _, err := w.Store.ChangeNotification(t.Context(), w.Other.ID, 2, "", nil); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a change from another workspace: %v", err)
	}
	if err := w.Store.DeleteNotification(t.Context(), w.Other.ID, 2, ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a deletion from another workspace: %v", err)
	}
	if err := w.Store.DeleteNotification(t.Context(), w.Main.ID, 2, ""); err != nil {
		t.Error(err)
	}
	if err := w.Store.DeleteNotification(t.Context(), w.Main.ID, 2, ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a second deletion: %v", err)
	}
}

// However many create and delete at once, there are never more than there may be, and each deletion makes room for one.
func TestNotificationsAreCounted(t *testing.T) {
	w := worldtest.NewWorld(t)
	w.WithFeeds(t)
	for i := range feed.MaxNotifications - 3 {
		if _, err := w.Store.CreateNotification(t.Context(), w.Main.ID, worldtest.Notification(fmt.Sprint(i)), ""); err != nil {
			t.Fatal(err)
		}
	}
	crowd := func(n int) (made, refused int64) {
		faulttest.AtOnce(n, func(int) {
			_, err := w.Store.CreateNotification(t.Context(), w.Main.ID, worldtest.Notification("more"), "")
			switch {
			case err == nil:
				atomic.AddInt64(&made, 1)
			case errors.Is(err, listenstore.ErrNotificationLimit):
				atomic.AddInt64(&refused, 1)
			default:
				t.Error(err)
			}
		})
		return made, refused
	}
	if made, refused := crowd(10); made != 3 || refused != 7 {
		t.Errorf("made %d, refused %d", made, refused)
	}
	var gone int64
	faulttest.AtOnce(4, func(int) {
		if err := w.Store.DeleteNotification(t.Context(), w.Main.ID, 5, ""); err == nil {
			atomic.AddInt64(&gone, 1)
		} else if !errors.Is(err, store.ErrNotFound) {
			t.Error(err)
		}
	})
	if made, refused := crowd(4); gone != 1 || made != 1 || refused != 3 {
		t.Errorf("deleted %d times; made %d, refused %d", gone, made, refused)
	}
	all, err := w.Store.Notifications(t.Context(), w.Main.ID)
	if err != nil || len(all) != feed.MaxNotifications {
		t.Errorf("there are %d: %v", len(all), err)
	}
	if _, err := w.Store.CreateNotification(t.Context(), w.Other.ID, worldtest.Notification("elsewhere"), ""); err != nil {
		t.Errorf("another workspace: %v", err)
	}
}

// A request that is sent again makes nothing more, at whatever step the first died, and also when there is no room for another.
func TestNotificationIsMadeOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	w.WithFeeds(t)
	for i := range feed.MaxNotifications - 1 {
		if _, err := w.Store.CreateNotification(t.Context(), w.Main.ID, worldtest.Notification(fmt.Sprint(i)), ""); err != nil {
			t.Fatal(err)
		}
	}
	w.CrashOnce("transact")
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the first did not die")
			}
		}()
		w.Store.CreateNotification(t.Context(), w.Main.ID, worldtest.Notification("once"), "request")
	}()
	ids := make([]int64, 6)
	faulttest.AtOnce(len(ids), func(i int) {
		made, err := w.Store.CreateNotification(t.Context(), w.Main.ID, worldtest.Notification("once"), "request")
		if err != nil {
			t.Error(err)
		}
		ids[i] = made.ID
	})
	all, err := w.Store.Notifications(t.Context(), w.Main.ID)
	if err != nil || len(all) != feed.MaxNotifications {
		t.Errorf("there are %d: %v", len(all), err)
	}
	for _, id := range ids {
		if id != all[len(all)-1].ID {
			t.Errorf("made %v, the last is %d", ids, all[len(all)-1].ID)
		}
	}
	if err := w.Store.DeleteNotification(t.Context(), w.Main.ID, ids[0], ""); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Store.CreateNotification(t.Context(), w.Main.ID, worldtest.Notification("once"),
		"request"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("what was made and is gone: %v", err)
	}
}

// Changes at once are all made.
func TestNotificationChangesAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	w.WithFeeds(t)
	made, err := w.Store.CreateNotification(t.Context(), w.Main.ID, worldtest.Notification(""), "")
	if err != nil {
		t.Fatal(err)
	}
	faulttest.AtOnce(4, func(int) {
		if _, err := w.Store.ChangeNotification(t.Context(), w.Main.ID, made.ID, "", func(n *feed.Notification) error {
			n.Name += "x"
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
	if n, err := w.Store.Notification(t.Context(), w.Main.ID, made.ID); err != nil || n.Name != "xxxx" || n.Revision != 5 {
		t.Errorf("%+v %v", n, err)
	}
}
