package feeds_test

import (
	"strconv"
	"sync/atomic"
	"testing"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/feed"
)

func TestNotificationIfMatch(t *testing.T) {
	r := newRoom(t)
	created := r.create(t, "")
	var n seen
	created.OK(t, &n)
	first := created.Header.Get("ETag")
	second := r.Patch(t, path(n.ID), `{"name":"second"}`, "If-Match", first)
	second.OK(t, &n)
	r.Patch(t, path(n.ID), `{"name":"third"}`, "If-Match", first).Is(t, 409, "FEED_FILTER_WRITE_CONFLICT")
	r.Patch(t, path(n.ID), `{"name":"third"}`, "If-Match", second.Header.Get("ETag")).OK(t, &n)
	r.Patch(t, path(n.ID), `{"name":"fourth"}`, "If-Match", "*").OK(t, &n)
	if n.Name != "fourth" {
		t.Errorf("%+v", n)
	}
	// Of many who read the same, one wins; and who does not ask for it loses nothing.
	tag := r.Get(t, path(n.ID)).Header.Get("ETag")
	var winners atomic.Int64
	faulttest.AtOnce(6, func(int) {
		if r.Patch(t, path(n.ID), `{"enabled":false}`, "If-Match", tag).Status == 200 {
			winners.Add(1)
		}
	})
	if winners.Load() != 1 {
		t.Errorf("%d won, want 1", winners.Load())
	}
}

func TestNotificationsAreLimited(t *testing.T) {
	r := newRoom(t)
	for i := range feed.MaxNotifications - 2 {
		if _, err := r.Store.CreateNotification(t.Context(), r.Main.ID,
			feed.Notification{Name: strconv.Itoa(i), FeedID: r.feed}, ""); err != nil {
			t.Fatal(err)
		}
	}
	faulttest.AtOnce(6, func(int) {
		if answer := r.create(t, ""); answer.Status != 200 {
			answer.Is(t, 400, "INVALID_INPUT")
		}
	})
	var list struct{ Data []seen }
	r.Get(t, "/api/v2/notifications").OK(t, &list)
	if len(list.Data) != feed.MaxNotifications {
		t.Errorf("there are %d", len(list.Data))
	}
	r.Delete(t, path(list.Data[7].ID)).OK(t, &struct{}{})
	r.made(t, "")
}

// A create that died before it could answer, sent again, makes no second one.
func TestNotificationIsMadeOnce(t *testing.T) {
	r := newRoom(t)
	r.CrashOnce("transact")
	r.create(t, "", "Idempotency-Key", "k").Is(t, 500, "INTERNAL_ERROR")
	r.create(t, "", "Idempotency-Key", "k").OK(t, &struct{}{})
	r.create(t, "", "Idempotency-Key", "k").OK(t, &struct{}{})
	var list struct{ Data []seen }
	r.Get(t, "/api/v2/notifications").OK(t, &list)
	if len(list.Data) != 1 {
		t.Fatalf("there are %d", len(list.Data))
	}
	id := list.Data[0].ID
	tag := r.Get(t, path(id)).Header.Get("ETag")
	r.CrashOnce("transact")
	r.Patch(t, path(id), `{"name":"changed"}`, "If-Match", tag, "Idempotency-Key", "p").Is(t, 500, "INTERNAL_ERROR")
	var changed seen
	r.Patch(t, path(id), `{"name":"changed"}`, "If-Match", tag, "Idempotency-Key", "p").OK(t, &changed)
	if changed.Name != "changed" {
		t.Errorf("%+v", changed)
	}
	r.CrashOnce("transact")
	r.Delete(t, path(id), "Idempotency-Key", "d").Is(t, 500, "INTERNAL_ERROR")
	r.Delete(t, path(id), "Idempotency-Key", "d").OK(t, &struct{}{})
	r.Delete(t, path(id)).Is(t, 404, "NOTIFICATION_NOT_FOUND")
}

// A notification goes with its feed, also when the deletion died before it could answer, and no other's does.
func TestNotification_FeedDeleted(t *testing.T) {
	r := newRoom(t)
	stays := r.made(t, "")
	r.feed = r.newFeed(t, feed.Feed{Name: "goes"})
	goes := r.made(t, "")
	r.CrashOnce("transact")
	target := "/api/v2/feeds/" + strconv.FormatInt(r.feed, 10)
	r.Delete(t, target, "Idempotency-Key", "d").Is(t, 500, "INTERNAL_ERROR")
	r.Delete(t, target, "Idempotency-Key", "d").OK(t, &struct{}{})
	r.Get(t, path(goes.ID)).Is(t, 404, "NOTIFICATION_NOT_FOUND")
	r.Patch(t, path(goes.ID), `{"enabled":false}`).Is(t, 404, "NOTIFICATION_NOT_FOUND")
	r.Post(t, path(goes.ID, "/test"), "").Is(t, 404, "NOTIFICATION_NOT_FOUND")
	r.create(t, "").Is(t, 404, "FEED_NOT_FOUND")
	var list struct{ Data []seen }
	r.Get(t, "/api/v2/notifications").OK(t, &list)
	if len(list.Data) != 1 || list.Data[0].ID != stays.ID {
		t.Errorf("notifications = %+v, want the other feed's", list.Data)
	}
}
