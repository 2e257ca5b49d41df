package feeds_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"earshot/functions/feeds"
	"earshot/shared/delivery"
	"earshot/shared/worldtest"
)

// What a person sends elsewhere is sent, though the receiver before was given up.
func TestUpdateDestinations_Disabled(t *testing.T) {
	sends := func(url, more string) string {
		return `{"destinations":[{"type":"WEBHOOK","webhookDestination":{"url":"` + url + `"}` + more + `}]}`
	}
	const first, second = "https://first.example/", "https://second.example/"
	for name, c := range map[string]struct {
		bodies   []string
		disabled bool
	}{
		"the same address":        {[]string{sends(first, `,"deliveryMode":"individual"`)}, true},
		"another property":        {[]string{`{"name":"Other"}`}, true},
		"another address":         {[]string{sends(second, "")}, false},
		"removed":                 {[]string{`{"destinations":[]}`}, true},
		"removed and added again": {[]string{`{"destinations":[]}`, sends(second, "")}, false},
	} {
		for _, ofFeed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, of a feed %t", name, ofFeed), func(t *testing.T) {
				d := newDesk(t)
				var f feeds.Feed
				d.Post(t, "/api/v2/feeds", `{"name":"All"}`).OK(t, &f)
				of, path := delivery.OfFeed(f.ID), feedPath(f.ID)
				if !ofFeed {
					var n feeds.Notification
					d.Post(t, "/api/v2/notifications", fmt.Sprintf(`{"name":"All","feedId":%d}`, f.ID)).OK(t, &n)
					of, path = delivery.OfNotification(n.ID), fmt.Sprint("/api/v2/notifications/", n.ID)
				}
				d.Patch(t, path, sends(first, "")).OK(t, nil)
				to := delivery.Endpoint{Owner: of, Kind: "WEBHOOK"}
				d.disable(t, to)
				for _, body := range c.bodies {
					d.Patch(t, path, body).OK(t, nil)
				}
				e, err := d.Store.Endpoint(t.Context(), d.Main.ID, to)
				if got := !e.Health.DisabledAt.IsZero(); err != nil || got != c.disabled {
					t.Errorf("the destination is disabled: %t, %v, want %t", got, err, c.disabled)
				}
			})
		}
	}
}

// disable gives an endpoint up, as a 410 does.
func (d desk) disable(t *testing.T, to delivery.Endpoint) {
	t.Helper()
	worldtest.Must(t, d.Store.WakeEndpoint(t.Context(), d.Main.ID, to))
	e, mine, err := d.Store.ClaimEndpoint(t.Context(), d.Main.ID, to, time.Minute)
	e.Health = e.Health.After(delivery.Outcome{At: d.Clock.Now(), Status: 410})
	released, failed := d.Store.ReleaseEndpoint(t.Context(), e, time.Time{})
	if worldtest.Must(t, errors.Join(err, failed)); !mine || !released {
		t.Fatal("nothing is disabled")
	}
}
