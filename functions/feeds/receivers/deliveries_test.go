package receivers_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"earshot/functions/discovery"
	"earshot/functions/feeds/receivers"
	"earshot/shared/alert"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/port/queue"
	"earshot/shared/store/deliverystore"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

type shownDelivery struct {
	ID, Type, Status, Destination, CreatedAt string
	FeedID                                   int64
	NotificationID                           *int64
	Sequence                                 int64
	SourceIDs                                []string
	NextAttemptAt                            *string
	Attempts                                 []struct {
		At              string
		Status          *int64
		DurationMS      int64
		Error, Response *string
	}
}

type shownDeliveries struct {
	Data       []shownDelivery
	Pagination struct{ NextCursor *string }
}

// A log is a room with deliveries to a feed's webhook and a notification's mail, one in each state.
type log struct {
	worldtest.Desk
	feed, notification, alert int64
	ids                       []string
}

func newLog(t *testing.T) *log {
	t.Helper()
	l := &log{}
	l.Desk = worldtest.NewDesk(t, discovery.OpenAPI(), func(api *web.API, w *worldtest.World) {
		receivers.Register(api, receivers.Options{Store: w.Store, Clock: w.Clock, Queue: w.Queue()})
	})
	hooks := []feed.Destination{{Type: feed.Webhook, Frequency: feed.Instant, URL: "https://hooks.example/"}}
	of, err := l.Store.CreateFeed(t.Context(), l.Main.ID, feed.Feed{Name: "Launch", Destinations: hooks}, "")
	worldtest.Must(t, err)
	n, err := l.Store.CreateNotification(t.Context(), l.Main.ID, feed.Notification{Name: "N", FeedID: of.ID, Enabled: true,
		Destinations: []feed.Destination{{Type: feed.Email, Frequency: feed.Instant, Emails: []string{"a@people.example"}}}},
		"")
	worldtest.Must(t, err)
	w, err := l.Store.CreateAlert(t.Context(), l.Main.ID,
		alert.Alert{Name: "A", FeedID: of.ID, Enabled: true, Destinations: hooks}, "")
	worldtest.Must(t, err)
	l.feed, l.notification, l.alert = of.ID, n.ID, w.ID
	hook, mail := delivery.Endpoint{Owner: delivery.OfFeed(of.ID), Kind: "WEBHOOK"},
		delivery.Endpoint{Owner: delivery.OfNotification(n.ID), Kind: "EMAIL"}
	for i, to := range []delivery.Endpoint{hook, mail, hook, mail} {
		at := l.Clock.Now().Add(time.Duration(i) * time.Second)
		one := deliverystore.Delivery{
			WorkspaceID: l.Main.ID,
			ID:          delivery.ID(at, l.Main.ID, to.String(), delivery.MentionCreated, fmt.Sprint(i)),
			Endpoint:    to,
			Type:        delivery.MentionCreated,
			FeedID:      of.ID,
			SourceIDs:   []string{fmt.Sprint("post", i)},
			Sequence:    int64(i + 1),
			CreatedAt:   at,
			State:       delivery.First(at),
		}
		l.ids = append(l.ids, one.ID)
		worldtest.Must(t, l.Store.AddDeliveries(t.Context(), []deliverystore.Delivery{one}))
		one, err := l.Store.Delivery(t.Context(), l.Main.ID, one.ID)
		worldtest.Must(t, err)
		switch i {
		case 0: // failed
			for range delivery.Attempts {
				one, err = l.Store.RecordAttempt(t.Context(), one,
					delivery.Outcome{
						At:       at,
						Took:     7 * time.Millisecond,
						Status:   500,
						Reason:   "The webhook answered 500.",
						Response: "<b>no</b>",
					}, 0)
				worldtest.Must(t, err)
			}
		case 1: // delivered
			_, err = l.Store.RecordAttempt(t.Context(), one, delivery.Outcome{At: at, Status: 200}, 0)
			worldtest.Must(t, err)
		case 2:
			_, err = l.Store.GiveUpDelivery(t.Context(), one)
			worldtest.Must(t, err)
		}
	}
	return l
}

func (l *log) list(t *testing.T, query string) (ids []string) {
	t.Helper()
	cursor := ""
	for {
		var page shownDeliveries
		l.Get(t, "/api/v2/deliveries?"+query+cursor).OK(t, &page)
		for _, one := range page.Data {
			ids = append(ids, one.ID)
		}
		if page.Pagination.NextCursor == nil {
			return ids
		}
		cursor = "&cursor=" + *page.Pagination.NextCursor
	}
}

func TestListDeliveries(t *testing.T) {
	l := newLog(t)
	newest := []string{l.ids[3], l.ids[2], l.ids[1], l.ids[0]}
	for query, want := range map[string][]string{
		"": newest, "limit=1": newest, fmt.Sprint("feedId=", l.feed): newest,
		fmt.Sprint("limit=1&notificationId=", l.notification): {l.ids[3], l.ids[1]},
		"status=pending": {l.ids[3]}, "status=failed": {l.ids[0]}, "status=disabled": {l.ids[2]},
		fmt.Sprint("status=delivered&feedId=", l.feed): {l.ids[1]},
	} {
		if got := l.list(t, query); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	var one shownDelivery
	l.Get(t, "/api/v2/deliveries/"+l.ids[0]).OK(t, &one)
	if one.Status != "failed" || one.Destination != "WEBHOOK" || one.FeedID != l.feed || one.NotificationID != nil ||
		one.NextAttemptAt != nil || one.Sequence != 1 ||
		len(one.Attempts) != 10 || *one.Attempts[9].Status != 500 || *one.Attempts[9].Response != "<b>no</b>" ||
		one.Attempts[9].DurationMS != 7 {
		t.Errorf("%+v", one)
	}
	l.Get(t, "/api/v2/deliveries/"+l.ids[1]).OK(t, &one)
	if *one.NotificationID != l.notification || one.Attempts[0].Status != nil || one.Attempts[0].Error != nil {
		t.Errorf("%+v", one)
	}
	l.Get(t, "/api/v2/deliveries/evt_nothing").Is(t, 404, "NOT_FOUND")
	l.Get(t, "/api/v2/deliveries?feedId=999").Is(t, 404, "FEED_NOT_FOUND")
	l.Get(t, "/api/v2/deliveries?notificationId=999").Is(t, 404, "NOTIFICATION_NOT_FOUND")
	l.Get(t, "/api/v2/deliveries?alertId=999").Is(t, 404, "ALERT_NOT_FOUND")
	both := fmt.Sprintf("/api/v2/deliveries?limit=0&alertId=%d&notificationId=%d", l.alert, l.notification)
	if found := l.Get(t, both).Is(t, 400, "VALIDATION_ERROR"); len(found.Details) != 2 {
		t.Errorf("two owners and limit 0 = %+v, want two faults", found.Details)
	}
	l.As(l.OtherKey).Get(t, "/api/v2/deliveries/"+l.ids[0]).Is(t, 404, "NOT_FOUND")
}

// What an alert told is of the alert, and of no feed if it watches filters.
func TestListDeliveries_Alert(t *testing.T) {
	l := newLog(t)
	worldtest.Must(t, l.Store.AddDeliveries(t.Context(), []deliverystore.Delivery{{
		WorkspaceID: l.Main.ID,
		ID:          "evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
		Endpoint:    delivery.Endpoint{Owner: delivery.OfAlert(l.alert), Kind: "WEBHOOK"},
		Type:        delivery.AlertFired,
		CreatedAt:   l.Clock.Now(),
		State:       delivery.State{Status: delivery.Failed},
	}}))
	var page struct {
		Data []struct {
			AlertID                int64
			FeedID, NotificationID *int64
			SourceIDs              []string
		}
	}
	l.Get(t, fmt.Sprint("/api/v2/deliveries?alertId=", l.alert)).OK(t, &page)
	if len(page.Data) != 1 || page.Data[0].AlertID != l.alert || page.Data[0].FeedID != nil ||
		page.Data[0].NotificationID != nil || page.Data[0].SourceIDs == nil {
		t.Errorf("%+v", page)
	}
	at := fmt.Sprintf("/api/v2/alerts/%d/", l.alert)
	var done receivers.Recovered
	l.Post(t, at+"recover", `{"since":"2026-01-01T00:00:00Z"}`).OK(t, &done)
	l.Post(t, at+"enable", "").OK(t, nil)
	if done.Recovered != 1 {
		t.Errorf("%+v", done)
	}
}

func TestResendDelivery(t *testing.T) {
	l := newLog(t)
	l.Clock.Freeze(worldtest.Now.Add(time.Hour))
	for _, id := range l.ids[:3] {
		l.CrashOnce("transact") // it dies after it was stored
		at := "/api/v2/deliveries/" + id + "/resend"
		l.Post(t, at, "", "Idempotency-Key", id).Is(t, 500, "INTERNAL_ERROR")
		var one shownDelivery
		l.Post(t, at, "", "Idempotency-Key", id).OK(t, &one)
		if one.Status != "pending" || one.ID != id || *one.NextAttemptAt != web.FormatTime(l.Clock.Now()) {
			t.Errorf("%+v", one)
		}
	}
	due, err := l.Store.DueEndpoints(t.Context(), 10)
	worldtest.Must(t, err)
	if len(due) != 2 || len(l.Sent.To(queue.Deliveries)) != 3 {
		t.Errorf("%d endpoints are due, %d messages", len(due), len(l.Sent.To(queue.Deliveries)))
	}
	for _, e := range due {
		waiting, err := l.Store.DueDeliveries(t.Context(), l.Main.ID, e.Name, 10)
		if err != nil || len(waiting) != 2 {
			t.Errorf("%d wait at %s (%v)", len(waiting), e.Name, err)
		}
	}
	l.Post(t, "/api/v2/deliveries/evt_nothing/resend", "").Is(t, 404, "NOT_FOUND")
	l.As(l.Read).Post(t, "/api/v2/deliveries/"+l.ids[0]+"/resend", "").Is(t, 403, "FORBIDDEN")
}

func TestRecover(t *testing.T) {
	l := newLog(t)
	at := fmt.Sprintf("/api/v2/feeds/%d/recover", l.feed)
	ask := func(since time.Time) (got struct {
		Recovered int
		Complete  bool
	}) {
		t.Helper()
		l.Post(t, at, fmt.Sprintf(`{"since":%q}`, since.Format(time.RFC3339))).OK(t, &got)
		return got
	}
	if got := ask(worldtest.Now.Add(2 * time.Second)); got.Recovered != 1 || !got.Complete {
		t.Errorf("%+v", got)
	}
	if got := ask(worldtest.Now); got.Recovered != 1 || !got.Complete {
		t.Errorf("the rest: %+v", got)
	}
	if got := ask(worldtest.Now); got.Recovered != 0 || !got.Complete {
		t.Errorf("again: %+v", got)
	}
	if got := l.list(t, "status=pending"); len(got) != 3 {
		t.Errorf("%v", got)
	}
	l.Post(t, at, `{}`).Is(t, 400, "VALIDATION_ERROR")
	l.Post(t, "/api/v2/feeds/999/recover", `{"since":"2026-11-20T00:00:00Z"}`).Is(t, 404, "FEED_NOT_FOUND")
	l.Post(t, "/api/v2/notifications/999/recover", `{"since":"2026-11-20T00:00:00Z"}`).Is(t, 404, "NOTIFICATION_NOT_FOUND")
	l.Post(t, fmt.Sprintf("/api/v2/notifications/%d/recover", l.notification), `{"since":"2026-11-20T00:00:00Z"}`).
		OK(t, nil)
}

// disable has an endpoint's receiver respond with 410.
func (l *log) disable(t *testing.T, to delivery.Endpoint) {
	t.Helper()
	worldtest.Must(t, l.Store.WakeEndpoint(t.Context(), l.Main.ID, to))
	e, mine, err := l.Store.ClaimEndpoint(t.Context(), l.Main.ID, to, time.Minute)
	e.Health = e.Health.After(delivery.Outcome{At: l.Clock.Now(), Status: 410})
	released, failed := l.Store.ReleaseEndpoint(t.Context(), e, time.Time{})
	if worldtest.Must(t, errors.Join(err, failed)); !mine || !released {
		t.Fatal("nothing is disabled")
	}
}

// Nothing is sent again to a destination that is disabled, switched off or gone. The error says what to do first.
func TestResendDelivery_Unusable(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(t *testing.T, l *log) error
		says  string
		owner string // of the delivery
	}{
		"disabled": {func(t *testing.T, l *log) error {
			l.disable(t, delivery.Endpoint{Owner: delivery.OfFeed(l.feed), Kind: "WEBHOOK"})
			return nil
		}, "POST /api/v2/feeds/1/enable", "feeds"},
		"no destination": {func(t *testing.T, l *log) error {
			_, err := l.Store.ChangeFeed(t.Context(), l.Main.ID, l.feed, "",
				func(f *feed.Feed) error { f.Destinations = nil; return nil })
			return err
		}, "no destination of the type WEBHOOK", "feeds"},
		"switched off": {func(t *testing.T, l *log) error {
			_, err := l.Store.ChangeNotification(t.Context(), l.Main.ID, l.notification, "",
				func(n *feed.Notification) error { n.Enabled = false; return nil })
			return err
		}, "switched off", "notifications"},
		"deleted": {func(t *testing.T, l *log) error {
			return l.Store.DeleteNotification(t.Context(), l.Main.ID, l.notification, "")
		}, "deleted", "notifications"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLog(t)
			id, status := l.ids[0], "failed"
			if c.owner == "notifications" {
				id, status = l.ids[1], "delivered"
			}
			worldtest.Must(t, c.spoil(t, l))
			refused := l.Post(t, "/api/v2/deliveries/"+id+"/resend", "").Is(t, 400, "INVALID_INPUT")
			if !strings.Contains(refused.Message, c.says) {
				t.Errorf("resend = %s, want it to say %q", refused.Message, c.says)
			}
			var one shownDelivery
			if l.Get(t, "/api/v2/deliveries/"+id).OK(t, &one); one.Status != status {
				t.Errorf("the delivery is %s, want %s as before", one.Status, status)
			}
		})
	}
}

// The last event of an alert can be sent again to where it goes, although the alert no longer has this destination.
func TestResendDelivery_LastOfAlert(t *testing.T) {
	change := func(l *log, how func(*alert.Alert)) error {
		_, err := l.Store.ChangeAlert(t.Context(), l.Main.ID, l.alert, "", func(a *alert.Alert) error { how(a); return nil })
		return err
	}
	for name, c := range map[string]struct {
		end  func(l *log) error
		code string // of recover; empty if it sends the event
	}{
		"deleted": {func(l *log) error { return l.Store.DeleteAlert(t.Context(), l.Main.ID, l.alert, "") },
			"ALERT_NOT_FOUND"},
		"disabled": {func(l *log) error { return change(l, func(a *alert.Alert) { a.Enabled = false }) }, ""},
		"removed":  {func(l *log) error { return change(l, func(a *alert.Alert) { a.Destinations = nil }) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLog(t)
			to := delivery.Endpoint{Owner: delivery.OfAlert(l.alert), Kind: "WEBHOOK"}
			add := func(id string, recipient *alert.Recipient) string {
				worldtest.Must(t, l.Store.AddDeliveries(t.Context(), []deliverystore.Delivery{{
					WorkspaceID: l.Main.ID, ID: delivery.ID(l.Clock.Now(), l.Main.ID, id, delivery.AlertResolved, id),
					Endpoint: to, Type: delivery.AlertResolved, CreatedAt: l.Clock.Now(),
					Report: &alert.Report{AlertID: l.alert, Event: alert.Resolved, Recipient: recipient},
					State:  delivery.State{Status: delivery.Failed},
				}}))
				return delivery.ID(l.Clock.Now(), l.Main.ID, id, delivery.AlertResolved, id)
			}
			last := add("last", &alert.Recipient{
				Name: "A", Destination: feed.Destination{Type: feed.Webhook, URL: "https://hooks.example/"},
			})
			earlier := add("earlier", nil)
			worldtest.Must(t, c.end(l))

			recovering := l.Post(t, fmt.Sprintf("/api/v2/alerts/%d/recover", l.alert), `{"since":"2026-01-01T00:00:00Z"}`)
			var done receivers.Recovered
			if c.code != "" {
				refused := recovering.Is(t, 404, c.code)
				if !strings.Contains(refused.Message, "/resend sends the last event") {
					t.Errorf("recover = %s, want it to name the remedy", refused.Message)
				}
			} else if recovering.OK(t, &done); done.Recovered != 1 {
				t.Errorf("recover = %+v, want the last event", done)
			}
			var one shownDelivery
			if l.Post(t, "/api/v2/deliveries/"+last+"/resend", "").OK(t, &one); one.Status != "pending" {
				t.Errorf("resend = %+v, want it pending", one)
			}
			l.Post(t, "/api/v2/deliveries/"+earlier+"/resend", "").Is(t, 400, "INVALID_INPUT")

			l.disable(t, to)
			says := "/enable brings it back"
			if name == "deleted" {
				says = "its alert is deleted"
			}
			refused := l.Post(t, "/api/v2/deliveries/"+last+"/resend", "").Is(t, 400, "INVALID_INPUT")
			if !strings.Contains(refused.Message, says) {
				t.Errorf("resend to a disabled endpoint = %s, want it to say %q", refused.Message, says)
			}
		})
	}
}

// A recovery leaves out what goes to a disabled destination, and says so if there is nothing else.
func TestRecover_Disabled(t *testing.T) {
	l := newLog(t)
	l.disable(t, delivery.Endpoint{Owner: delivery.OfFeed(l.feed), Kind: "WEBHOOK"})
	at := fmt.Sprintf("/api/v2/feeds/%d/", l.feed)
	const since = `{"since":"2026-01-01T00:00:00Z"}`
	l.Post(t, at+"recover", since).Is(t, 400, "INVALID_INPUT")
	if got := l.list(t, "status=pending"); len(got) != 1 {
		t.Errorf("%d deliveries are pending, want the one that was", len(got))
	}
	l.Post(t, at+"enable", "").OK(t, nil)
	var done receivers.Recovered
	if l.Post(t, at+"recover", since).OK(t, &done); done.Recovered != 2 {
		t.Errorf("after enabling, recover = %+v, want 2", done)
	}
}

func TestEnable(t *testing.T) {
	l := newLog(t)
	to := delivery.Endpoint{Owner: delivery.OfFeed(l.feed), Kind: "WEBHOOK"}
	l.disable(t, to)
	for range 2 {
		l.Do(t, worldtest.Request{Method: http.MethodPost, Target: fmt.Sprintf("/api/v2/feeds/%d/enable", l.feed)}).OK(t, nil)
	}
	if e, err := l.Store.Endpoint(t.Context(), l.Main.ID, to); err != nil || !e.Health.DisabledAt.IsZero() {
		t.Errorf("%+v %v", e, err)
	}
	l.Post(t, "/api/v2/feeds/999/enable", "").Is(t, 404, "FEED_NOT_FOUND")
	l.Post(t, "/api/v2/notifications/999/enable", "").Is(t, 404, "NOTIFICATION_NOT_FOUND")
}

// A failed delivery is found behind however many newer ones that are none of the owner's.
func TestRecover_BehindManyOthers(t *testing.T) {
	l := newLog(t)
	mail := delivery.Endpoint{Owner: delivery.OfNotification(l.notification), Kind: "EMAIL"}
	others := make([]deliverystore.Delivery, 1700)
	for i := range others {
		at := l.Clock.Now().Add(time.Minute + time.Duration(i)*time.Millisecond)
		others[i] = deliverystore.Delivery{
			WorkspaceID: l.Main.ID,
			ID:          delivery.ID(at, l.Main.ID, mail.String(), delivery.MentionCreated, fmt.Sprint(i)),
			Endpoint:    mail,
			Type:        delivery.MentionCreated,
			FeedID:      l.feed,
			CreatedAt:   at,
			State:       delivery.State{Status: delivery.Delivered},
		}
	}
	worldtest.Must(t, l.Store.AddDeliveries(t.Context(), others))
	var got receivers.Recovered
	l.Post(t, fmt.Sprintf("/api/v2/feeds/%d/recover", l.feed), `{"since":"2026-01-01T00:00:00Z"}`).OK(t, &got)
	if got.Recovered != 2 || !got.Complete {
		t.Errorf("%+v, want both, and that these are all", got)
	}
}
