package receivers_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"earshot/functions/discovery"
	"earshot/functions/feeds"
	"earshot/functions/feeds/receivers"
	"earshot/shared/feed"
	"earshot/shared/outbound"
	"earshot/shared/outbound/webhook"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// secrets is a response with signing secrets.
type secrets struct {
	Secret                      string
	Previous, PreviousExpiresAt *string
}

func TestSigningSecrets(t *testing.T) {
	l := newLog(t)
	admin := l.Client.As(l.Admin)
	for name, at := range map[string]string{
		"notification": notificationPath(l.notification, "/signing-secret"),
		"feed":         fmt.Sprintf("/api/v2/feeds/%d/signing-secret", l.feed),
		"alert":        fmt.Sprintf("/api/v2/alerts/%d/signing-secret", l.alert),
	} {
		t.Run(name, func(t *testing.T) {
			l.Clock.Freeze(worldtest.Now)
			ask := func() (got secrets) {
				t.Helper()
				admin.Get(t, at).OK(t, &got)
				return got
			}
			rotate := func(header ...string) (got secrets) {
				t.Helper()
				admin.Post(t, at+"/rotate", "", header...).OK(t, &got)
				return got
			}
			first := ask()
			raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(first.Secret, "whsec_"))
			if err != nil || len(raw) != 32 || first.Previous != nil || first.PreviousExpiresAt != nil || ask() != first {
				t.Fatalf("%+v %v", first, err)
			}
			second := rotate("Idempotency-Key", name)
			if again := rotate("Idempotency-Key", name); again.Secret != second.Secret || *again.Previous != first.Secret {
				t.Errorf("a repeat rotates again: %+v", again)
			}
			if second.Secret == first.Secret || *second.Previous != first.Secret ||
				*second.PreviousExpiresAt != web.FormatTime(worldtest.Now.Add(24*time.Hour)) {
				t.Errorf("%+v", second)
			}
			if third := rotate(); *third.Previous != second.Secret || third.Secret == first.Secret {
				t.Errorf("%+v", third)
			}
			l.Clock.Freeze(worldtest.Now.Add(24 * time.Hour))
			if last := ask(); last.Previous != nil || last.PreviousExpiresAt != nil || last.Secret == second.Secret {
				t.Errorf("%+v", last)
			}
			l.Client.Get(t, at).Is(t, 403, "FORBIDDEN")
			l.Client.Post(t, at+"/rotate", "").Is(t, 403, "FORBIDDEN")
			everything := ""
			for _, row := range worldtest.Rows(t, l.World) {
				everything += fmt.Sprint(row)
			}
			if strings.Contains(everything, "whsec_") {
				t.Error("a row holds a secret")
			}
		})
	}
	admin.Get(t, notificationPath(999, "/signing-secret")).Is(t, 404, "NOTIFICATION_NOT_FOUND")
	admin.Post(t, notificationPath(999, "/signing-secret/rotate"), "").Is(t, 404, "NOTIFICATION_NOT_FOUND")
	admin.Get(t, "/api/v2/feeds/999/signing-secret").Is(t, 404, "FEED_NOT_FOUND")
	admin.Post(t, "/api/v2/feeds/999/signing-secret/rotate", "").Is(t, 404, "FEED_NOT_FOUND")
	admin.Get(t, "/api/v2/alerts/999/signing-secret").Is(t, 404, "ALERT_NOT_FOUND")
	admin.Post(t, "/api/v2/alerts/999/signing-secret/rotate", "").Is(t, 404, "ALERT_NOT_FOUND")
}

// A rotation that dies after it was stored, and comes again, rotates once.
func TestSigningSecret_RotatedOnce(t *testing.T) {
	l := newLog(t)
	admin := l.Client.As(l.Admin)
	for _, at := range []string{notificationPath(l.notification, "/signing-secret"),
		fmt.Sprintf("/api/v2/feeds/%d/signing-secret", l.feed),
		fmt.Sprintf("/api/v2/alerts/%d/signing-secret", l.alert)} {
		var first, second secrets
		admin.Get(t, at).OK(t, &first)
		l.CrashOnce("transact")
		admin.Post(t, at+"/rotate", "", "Idempotency-Key", at).Is(t, 500, "INTERNAL_ERROR")
		admin.Post(t, at+"/rotate", "", "Idempotency-Key", at).OK(t, &second)
		if second.Previous == nil || *second.Previous != first.Secret {
			t.Errorf("%s: %+v after %+v", at, second, first)
		}
	}
}

// A receiver with the library of Standard Webhooks takes a test by the secret of the API.
func TestTestIsSigned(t *testing.T) {
	w := worldtest.NewWorld(t)
	w.Clock.Freeze(time.Now())
	var header http.Header
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, in *http.Request) {
		header = in.Header
		body, _ = io.ReadAll(in.Body)
	}))
	defer server.Close()
	api := worldtest.Serve(t, w, discovery.OpenAPI(), func(api *web.API) {
		feeds.Register(api, feeds.Options{
			Store:   w.Store,
			Clock:   w.Clock,
			Webhook: webhook.New(outbound.New(outbound.Options{AnyHost: true}), w.Clock),
		})
		receivers.Register(api, receivers.Options{Store: w.Store, Clock: w.Clock})
	})
	w.Put(t, w.Main.ID, worldtest.Mention(42, "a", w.Clock.Now()))
	hook := feed.Destination{Type: feed.Webhook, Frequency: feed.Instant, DeliveryMode: feed.Individual, URL: server.URL}
	of, err := w.Store.CreateFeed(t.Context(), w.Main.ID,
		feed.Feed{Name: "Launch", Destinations: []feed.Destination{hook}}, "")
	worldtest.Must(t, err)
	own, err := w.Store.CreateNotification(t.Context(), w.Main.ID,
		feed.Notification{Name: "Own", FeedID: of.ID, Destinations: []feed.Destination{hook}}, "")
	worldtest.Must(t, err)
	byIndex, err := w.Store.CreateNotification(t.Context(), w.Main.ID,
		feed.Notification{Name: "By index", FeedID: of.ID, FeedIndex: new(int)}, "")
	worldtest.Must(t, err)
	for id, at := range map[int64]string{own.ID: notificationPath(own.ID, "/signing-secret"),
		byIndex.ID: fmt.Sprintf("/api/v2/feeds/%d/signing-secret", of.ID)} {
		var old, now secrets
		api.As(w.Admin).Get(t, at).OK(t, &old)
		api.As(w.Admin).Post(t, at+"/rotate", "").OK(t, &now)
		api.Post(t, notificationPath(id, "/test"), "").OK(t, nil)
		for name, secret := range map[string]string{"old": old.Secret, "new": now.Secret} {
			receiver, err := standardwebhooks.NewWebhook(secret)
			worldtest.Must(t, err)
			if err := receiver.Verify(body, header); err != nil {
				t.Errorf("notification %d, the %s secret: %v", id, name, err)
			}
			if receiver.Verify(append([]byte(" "), body...), header) == nil {
				t.Errorf("notification %d, the %s secret: another body is taken", id, name)
			}
		}
	}
}

// notificationPath is a path below a notification.
func notificationPath(id int64, rest string) string {
	return fmt.Sprintf("/api/v2/notifications/%d%s", id, rest)
}
