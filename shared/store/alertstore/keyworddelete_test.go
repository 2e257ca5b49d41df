package alertstore_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"earshot/shared/alert"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/store"
	"earshot/shared/store/alertstore"
	"earshot/shared/worldtest"
)

func deletable(t *testing.T, w *worldtest.World) keyword.Keyword {
	t.Helper()
	k, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, keyword.Keyword{Text: "northwind"}, 10)
	worldtest.Must(t, err)
	return k
}

func watching(t *testing.T, w *worldtest.World, filters string) alertstore.Watched {
	t.Helper()
	a := sample()
	a.Filters = []byte(filters)
	return create(t, w, a)
}

// dueAlerts are the alerts that the schedule would evaluate.
func dueAlerts(t *testing.T, w *worldtest.World) (ids []int64) {
	t.Helper()
	w.Clock.Freeze(w.Clock.Now().Add(24 * 3600e9))
	due, err := w.Store.DueAlerts(t.Context(), 1000)
	worldtest.Must(t, err)
	for _, one := range due {
		ids = append(ids, one.ID)
	}
	slices.Sort(ids)
	return ids
}

// A deleted keyword leaves the filters of alerts. An alert that watched only the keyword is disabled as it is.
func TestAlert_KeywordDeleted(t *testing.T) {
	w := worldtest.NewWorld(t)
	k := deletable(t, w)
	id := func(format string) string { return fmt.Sprintf(format, k.ID) }
	others, alone := watching(t, w, id(`{"keyword":[%d,99]}`)), watching(t, w, id(`{"keyword":[%d]}`))
	excluding, unnamed := watching(t, w, id(`{"!keyword":[%d]}`)), watching(t, w, `{"keyword":[99]}`)
	onFeed := sample()
	onFeed.Filters, onFeed.FeedID = nil, 1
	of := create(t, w, onFeed)
	off := sample()
	off.Filters, off.Enabled = alone.Filters, false
	disabled := create(t, w, off)
	for _, one := range []alertstore.Watched{others, alone, excluding, unnamed} {
		worldtest.Must(t, w.Store.Evaluated(t.Context(), w.Main.ID, one.ID, 1, evaluated(1)))
	}
	w.Clock.Freeze(worldtest.Now.Add(time.Minute))
	mended, err := w.Store.DeleteKeywordOnce(t.Context(), w.Main.ID, k.ID, "request")
	worldtest.Must(t, err)
	deleted := worldtest.Now.Add(time.Minute)
	for one, since := range map[int64]time.Time{others.ID: deleted, alone.ID: deleted, unnamed.ID: worldtest.Now} {
		if got := read(t, w, one).WatchesSince; !got.Equal(since) {
			t.Errorf("alert %d: WatchesSince = %v, want %v", one, got, since)
		}
	}
	want := []feed.Mended{
		{ID: others.ID, Name: "Complaints", Change: feed.KeywordRemoved},
		{ID: alone.ID, Name: "Complaints", Change: feed.Paused},
		{ID: excluding.ID, Name: "Complaints", Change: feed.TextInstead},
		{ID: disabled.ID, Name: "Complaints", Change: feed.Paused},
	}
	if !slices.Equal(mended.Alerts, want) || len(mended.Feeds) != 0 {
		t.Errorf("the deletion tells %+v, want %+v", mended, want)
	}
	for _, c := range []struct {
		before   alertstore.Watched
		filters  string
		enabled  bool
		paused   alert.Pause
		revision int64
		firing   bool
	}{
		{others, `{"keyword":[99]}`, true, "", 2, false},
		{alone, string(alone.Filters), false, alert.KeywordDeleted, 2, false},
		{excluding, `{"!text":["northwind"]}`, true, "", 2, false},
		{unnamed, string(unnamed.Filters), true, "", 1, true},
		{of, "", true, "", 1, false},
		{disabled, string(alone.Filters), false, alert.KeywordDeleted, 2, false},
	} {
		got := read(t, w, c.before.ID)
		if string(got.Filters) != c.filters || got.Enabled != c.enabled || got.Paused != c.paused ||
			got.Revision != c.revision ||
			got.State.Firing != c.firing {
			t.Errorf("the alert on %s is %+v, want %+v", c.before.Filters, got, c)
		}
	}
	for _, one := range []alertstore.Watched{others, alone, excluding} {
		ended, err := w.Store.Endings(t.Context(), w.Main.ID, one.ID)
		if err != nil || len(ended) != 1 || ended[0].Because != alert.Because(alert.KeywordDeleted) ||
			!ended[0].At.Equal(deleted) || !reflect.DeepEqual(ended[0].State, evaluated(1)) ||
			!reflect.DeepEqual(ended[0].Alert.Destinations, one.Destinations) {
			t.Fatalf("the episodes of alert %d that ended are %+v, %v, want one", one.ID, ended, err)
		}
		worldtest.Must(t, w.Store.EndEpisode(t.Context(), w.Main.ID, ended[0]))
		if err := w.Store.EndEpisode(t.Context(), w.Main.ID, ended[0]); !errors.Is(err, store.ErrConflict) {
			t.Errorf("EndEpisode of an ended episode = %v, want ErrConflict", err)
		}
	}
	if got := dueAlerts(t, w); !slices.Equal(got, []int64{others.ID, excluding.ID, unnamed.ID, of.ID}) {
		t.Errorf("the alerts %v are evaluated, want all but the paused", got)
	}
	// A pause ends with other filters, and with enabling.
	change := func(change func(*alert.Alert) error) alertstore.Watched {
		t.Helper()
		_, err := w.Store.ChangeAlert(t.Context(), w.Main.ID, alone.ID, "", change)
		worldtest.Must(t, err)
		return read(t, w, alone.ID)
	}
	if got := change(func(a *alert.Alert) error { a.Name = "x"; return nil }); got.Paused != alert.KeywordDeleted {
		t.Errorf("a new name ends the pause: %+v", got)
	}
	if got := change(func(a *alert.Alert) error {
		a.Filters = []byte(
			`{"keyword":[99]}`)
		return nil
	}); got.Paused != "" || got.Enabled {
		t.Errorf("an alert with other filters is %+v, want no pause", got)
	}
	if got := change(func(a *alert.Alert) error { a.Enabled = true; return nil }); got.Paused != "" || !got.Enabled {
		t.Errorf("an enabled alert is %+v, want no pause", got)
	}
	if got := dueAlerts(t, w); !slices.Contains(got, alone.ID) {
		t.Errorf("the alerts %v are evaluated, want the enabled one too", got)
	}
}

// A deletion that is killed at any of its writes, and sent again, mends each alert once and tells of all of them.
func TestAlert_KeywordDeletedAndKilled(t *testing.T) {
	// Some fit in the transaction that deletes the keyword, and many do not.
	for alerts, steps := range map[int]int{5: 1, 90: 4} {
		faulttest.EachStep(t, steps, func(t *testing.T, step *faulttest.Step) {
			w := worldtest.NewWorld(t)
			k := deletable(t, w)
			for n := range alerts {
				watching(t, w, fmt.Sprintf([]string{`{"keyword":[%d,99]}`, `{"keyword":[%d]}`}[n%2], k.ID))
			}
			f := feed.Feed{Name: "All", SimpleFilters: fmt.Appendf(nil, `{"keyword":[%d,99]}`, k.ID)}
			_, err := w.Store.CreateFeed(t.Context(), w.Main.ID, f, "")
			worldtest.Must(t, err)
			_ = step.Die(t, w.Life, func() error {
				_, err := w.Store.DeleteKeywordOnce(t.Context(), w.Main.ID, k.ID, "request")
				return err
			})
			for range 2 {
				told, err := w.Store.DeleteKeywordOnce(t.Context(), w.Main.ID, k.ID, "request")
				if err != nil || len(told.Alerts) != alerts || told.Alerts[1].Change != feed.Paused || len(told.Feeds) != 1 {
					t.Errorf("DeleteKeywordOnce tells %d alerts, %d feeds, %v, want %d and 1", len(told.Alerts), len(told.Feeds), err, alerts)
				}
			}
			all, err := w.Store.Alerts(t.Context(), w.Main.ID)
			worldtest.Must(t, err)
			for i, a := range all {
				paused := i%2 == 1
				if a.Revision != 2 || a.Enabled == paused || (a.Paused == alert.KeywordDeleted) != paused ||
					!paused && string(a.Filters) != `{"keyword":[99]}` {
					t.Fatalf("alert %d is %+v, want it mended once", i, a)
				}
			}
			if _, err := w.Store.DeleteKeywordOnce(t.Context(), w.Main.ID, k.ID, "another"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("DeleteKeywordOnce by another request = %v, want ErrNotFound", err)
			}
		})
	}
}

// Changes of alerts while their keyword is deleted are kept, and the keyword leaves them all the same.
func TestAlert_KeywordDeletedAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	k := deletable(t, w)
	for range 10 {
		watching(t, w, fmt.Sprintf(`{"keyword":[%d,99]}`, k.ID))
	}
	done := make(chan error, 1)
	go func() {
		_, err := w.Store.DeleteKeywordOnce(context.Background(), w.Main.ID, k.ID, "")
		done <- err
	}()
	for id := range int64(10) {
		_, err := w.Store.ChangeAlert(t.Context(), w.Main.ID, id+1, "",
			func(a *alert.Alert) error { a.Name = "renamed"; return nil })
		worldtest.Must(t, err)
	}
	worldtest.Must(t, <-done)
	all, err := w.Store.Alerts(t.Context(), w.Main.ID)
	worldtest.Must(t, err)
	for _, a := range all {
		if a.Name != "renamed" || string(a.Filters) != `{"keyword":[99]}` || a.Revision != 3 {
			t.Errorf("%+v, want both changes", a)
		}
	}
}
