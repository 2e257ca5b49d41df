package feeds_test

import (
	"fmt"
	"testing"
	"time"

	"earshot/functions/feeds"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// gathered adds a mention to the open interval of an owner's digests.
func (d desk) gathered(t *testing.T, of delivery.Owner, feedID int64, to feed.Destination) {
	t.Helper()
	d.Clock.Freeze(d.Clock.Now().Add(time.Millisecond))
	m := worldtest.Mention(0, fmt.Sprint("hackernews_comment_", d.Clock.Now().UnixNano()), d.Clock.Now())
	_, err := d.Store.IngestBilled(t.Context(), d.Main.ID, mentionstore.Bill{
		Limit: 1000, Shows: func(*mention.Mention) []int64 { return []int64{feedID} },
	}, []mention.Mention{m})
	worldtest.Must(t, err)
	all, err := d.Store.Announcements(t.Context(), d.Main.ID, 1)
	worldtest.Must(t, err)
	worldtest.Must(t, d.Store.Gather(t.Context(), deliverystore.Gathered{
		WorkspaceID: d.Main.ID, Endpoint: delivery.Endpoint{Owner: of, Kind: string(to.Type)}, FeedID: feedID,
		Destination: to, Announcement: all[0].ID, At: all[0].At, SourceIDs: []string{m.SourceID}, Sequence: 1,
	}))
	worldtest.Must(t, d.Store.EndAnnouncement(t.Context(), all[0]))
}

// The interval that has begun ends by the new schedule, also if no further mention is found.
func TestUpdateDestinations_RescheduleDigests(t *testing.T) {
	const (
		hour    = `"frequency":"hourly"`
		day     = `"frequency":"daily","time":"09:00","timezone":"Asia/Kolkata"`
		week    = `"frequency":"weekly","time":"09:00","dayOfWeek":"monday"`
		instant = `"frequency":"instant"`
	)
	sends := func(when string) string {
		return `{"destinations":[{"type":"EMAIL","emailDestination":{"emails":["a@northwind.example"]},` + when + `}]}`
	}
	now := time.Date(2026, 11, 18, 10, 20, 0, 0, time.UTC) // a Wednesday
	schedules := map[string]feed.Destination{
		hour: {Type: feed.Email, Frequency: feed.Hourly},
		week: {Type: feed.Email, Frequency: feed.Weekly, Time: "09:00", DayOfWeek: "monday"},
	}
	for name, change := range map[string]struct {
		old, body string
		want      time.Time
	}{
		"the same":          {week, sends(week), time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)},
		"another property":  {week, `{"name":"Other"}`, time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)},
		"from week to hour": {week, sends(hour), time.Date(2026, 11, 18, 11, 0, 0, 0, time.UTC)},
		"from week to day":  {week, sends(day), time.Date(2026, 11, 19, 3, 30, 0, 0, time.UTC)},
		"from hour to week": {hour, sends(week), time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)},
		"to instant":        {week, sends(instant), now.Add(2 * time.Millisecond)},
		"removed":           {hour, `{"destinations":[]}`, time.Date(2026, 11, 18, 11, 0, 0, 0, time.UTC)},
	} {
		for _, ofFeed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, of a feed %t", name, ofFeed), func(t *testing.T) {
				d := newDesk(t)
				d.Clock.Freeze(now)
				var f feeds.Feed
				d.Post(t, "/api/v2/feeds", `{"name":"All"}`).OK(t, &f)
				of, path := delivery.OfFeed(f.ID), feedPath(f.ID)
				if !ofFeed {
					var n feeds.Notification
					d.Post(t, "/api/v2/notifications", fmt.Sprintf(`{"name":"All","feedId":%d}`, f.ID)).OK(t, &n)
					of, path = delivery.OfNotification(n.ID), fmt.Sprint("/api/v2/notifications/", n.ID)
				}
				d.Patch(t, path, sends(change.old)).OK(t, nil)
				d.gathered(t, of, f.ID, schedules[change.old].WithDefaults())
				for range 2 {
					d.Patch(t, path, change.body).OK(t, nil)
				}
				for at, want := range map[time.Time]int{change.want.Add(-time.Millisecond): 0, change.want: 1} {
					d.Clock.Freeze(at)
					due, err := d.Store.DueDigests(t.Context(), 10)
					worldtest.Must(t, err)
					if len(due) != want {
						t.Errorf("%d digests are due at %s, want %d", len(due), at, want)
					}
				}
			})
		}
	}
}
