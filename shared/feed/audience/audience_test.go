package audience_test

import (
	"fmt"
	"testing"
	"time"

	"earshot/shared/feed"
	"earshot/shared/feed/audience"
	"earshot/shared/mention"
	"earshot/shared/worldtest"
)

func to(kind feed.DestinationType, often feed.Frequency) feed.Destination {
	return feed.Destination{Type: kind, Frequency: often}
}

func TestShows(t *testing.T) {
	hook := to(feed.Webhook, feed.Instant)
	german := []byte(`{"language":["german"]}`)
	a := audience.New(
		[]feed.Feed{
			{ID: 1, Destinations: []feed.Destination{hook}},
			{ID: 2, SimpleFilters: german, Destinations: []feed.Destination{hook}},
			{ID: 3}, {ID: 4, Destinations: []feed.Destination{to(feed.Email, feed.Daily)}}, {ID: 5}, {ID: 6},
			{ID: 7, SimpleFilters: []byte(`{"nonsense":1}`), Destinations: []feed.Destination{hook}},
			{ID: 8, Destinations: []feed.Destination{hook, to(feed.Email, feed.Instant)}},
		},
		[]feed.Notification{
			{ID: 1, FeedID: 5, Enabled: true, Destinations: []feed.Destination{hook}},
			{ID: 2, FeedID: 6, Destinations: []feed.Destination{hook}},
			{ID: 3, FeedID: 8, Enabled: true, FeedIndex: new(int)},
			{ID: 4, FeedID: 8, Enabled: true, Destinations: []feed.Destination{hook, to(feed.Slack, feed.Weekly)}},
		},
	)
	m := worldtest.Mention(1, "a", worldtest.Now)
	for language, want := range map[string]string{"english": "[1 4 5 8]", "german": "[1 2 4 5 8]"} {
		m.Language = language
		if got := fmt.Sprint(a.Shows(&m)); got != want {
			t.Errorf("%s: %s, want %s", language, got, want)
		}
	}
	m.Relevant = false
	if got := a.Shows(&m); got != nil {
		t.Errorf("one that is not relevant is shown by %v", got)
	}
	var said []string
	for _, place := range a.Places(8) {
		whose := int64(0)
		if place.Notification != nil {
			whose = place.Notification.ID
		}
		said = append(said, fmt.Sprint(whose, " ", place.Destination.Type))
	}
	if fmt.Sprint(said) != "[0 WEBHOOK 0 EMAIL 4 WEBHOOK 4 SLACK]" || a.Places(3) != nil || a.Empty() {
		t.Errorf("%v", said)
	}
	var nobody *audience.Audience
	if !nobody.Empty() || nobody.Shows(&m) != nil || !audience.New(nil, nil).Empty() {
		t.Error("nobody hears something")
	}
}

// An audience is kept for a while, and read again after it.
func TestAudiences(t *testing.T) {
	w := worldtest.NewWorld(t)
	all := audience.Audiences{Store: w.Store, Clock: w.Clock, Fresh: 15 * time.Second}
	hears := func() int {
		t.Helper()
		a, err := all.Of(t.Context(), w.Main.ID)
		worldtest.Must(t, err)
		return len(a.Shows(&mention.Mention{Relevant: true}))
	}
	if hears() != 0 {
		t.Error("there is a feed")
	}
	_, err := w.Store.CreateFeed(t.Context(), w.Main.ID,
		feed.Feed{Name: "All", Destinations: []feed.Destination{to(feed.Webhook, feed.Instant)}}, "")
	worldtest.Must(t, err)
	w.Clock.Freeze(worldtest.Now.Add(14 * time.Second))
	if hears() != 0 {
		t.Error("it was read again before its time")
	}
	w.Clock.Freeze(worldtest.Now.Add(15 * time.Second))
	if hears() != 1 {
		t.Error("it was not read again")
	}
}
