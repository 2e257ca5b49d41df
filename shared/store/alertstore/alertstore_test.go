package alertstore_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"earshot/shared/alert"
	"earshot/shared/feed"
	"earshot/shared/store"
	"earshot/shared/store/alertstore"
	"earshot/shared/worldtest"
)

func minimum(n int64) *int64 { return &n }

// sample is an alert with every property.
func sample() alert.Alert {
	return alert.Alert{
		Name:    "Complaints",
		Filters: []byte(`{"source":["reddit"]}`),
		Condition: alert.Condition{
			Metric: alert.NegativeShare, Comparison: alert.RisesBy, Value: 12.5, Window: alert.Day, Baseline: alert.Weekday,
			Minimum: minimum(0),
		},
		Destinations: []feed.Destination{{
			Type: feed.Webhook, Frequency: feed.Instant, DeliveryMode: feed.Batch, URL: "https://hooks.northwind.example/",
		}},
		Remind:  alert.Daily,
		Enabled: true,
		Signing: feed.Signing{Rotations: 2, RotatedAt: worldtest.Now},
	}
}

func create(t *testing.T, w *worldtest.World, a alert.Alert) alertstore.Watched {
	t.Helper()
	made, err := w.Store.CreateAlert(t.Context(), w.Main.ID, a, "")
	worldtest.Must(t, err)
	return made
}

func read(t *testing.T, w *worldtest.World, id int64) alertstore.Watched {
	t.Helper()
	found, err := w.Store.Alert(t.Context(), w.Main.ID, id)
	worldtest.Must(t, err)
	return found
}

// evaluated returns a state after so many hours.
func evaluated(hours int) alert.State {
	at, baseline := worldtest.Now.Add(time.Duration(hours)*time.Hour), 0.25
	return alert.State{Firing: true, Since: at, LastSaid: at, EvaluatedAt: at, Value: 3, Baseline: &baseline}
}

func TestAlert_ReadAsStored(t *testing.T) {
	w := worldtest.NewWorld(t)
	want := sample()
	made := create(t, w, want)
	want.ID, want.Revision = 1, 1
	want.CreatedAt, want.UpdatedAt, want.WatchesSince = worldtest.Now, worldtest.Now, worldtest.Now
	if !reflect.DeepEqual(made.Alert, want) {
		t.Errorf("CreateAlert = %+v, want %+v", made.Alert, want)
	}
	worldtest.Must(t, w.Store.Evaluated(t.Context(), w.Main.ID, 1, 1, evaluated(1)))
	want2 := alertstore.Watched{Alert: want, State: evaluated(1)}
	if got := read(t, w, 1); !reflect.DeepEqual(got, want2) {
		t.Errorf("Alert = %+v, want %+v", got, want2)
	}
	create(t, w, alert.Alert{
		Name:      "Feed",
		FeedID:    7,
		Condition: alert.Condition{Metric: "mentions", Comparison: "above", Window: "1h"},
	})
	all, err := w.Store.Alerts(t.Context(), w.Main.ID)
	if err != nil || len(all) != 2 || !reflect.DeepEqual(all[0], want2) || all[1].FeedID != 7 || all[1].State.Firing {
		t.Errorf("Alerts = %+v, %v", all, err)
	}
	if others, err := w.Store.Alerts(t.Context(), w.Other.ID); err != nil || others == nil || len(others) != 0 {
		t.Errorf("Alerts of another workspace = %+v, %v, want an empty list", others, err)
	}
}

// An evaluation counts once, and for the alert that was evaluated alone.
func TestEvaluated_Conflicts(t *testing.T) {
	w := worldtest.NewWorld(t)
	create(t, w, sample())
	put := func(hours int, revision int64) error {
		return w.Store.Evaluated(t.Context(), w.Main.ID, 1, revision, evaluated(hours))
	}
	worldtest.Must(t, put(2, 1))
	for name, err := range map[string]error{"again": put(2, 1), "earlier": put(1, 1), "of another revision": put(3, 2)} {
		if !errors.Is(err, store.ErrConflict) {
			t.Errorf("Evaluated %s = %v, want ErrConflict", name, err)
		}
	}
	if got := read(t, w, 1).State.EvaluatedAt; !got.Equal(evaluated(2).EvaluatedAt) {
		t.Errorf("EvaluatedAt = %v, want %v", got, evaluated(2).EvaluatedAt)
	}
	worldtest.Must(t, w.Store.DeleteAlert(t.Context(), w.Main.ID, 1, ""))
	if err := put(3, 1); !errors.Is(err, store.ErrConflict) {
		t.Errorf("Evaluated after the deletion = %v, want ErrConflict", err)
	}
}

// What is watched begins anew after a change of it, and after no other change.
func TestChangeAlert_State(t *testing.T) {
	later := worldtest.Now.Add(time.Hour + time.Minute)
	for name, c := range map[string]struct {
		change func(*alert.Alert)
		kept   bool
	}{
		"nothing":      {func(*alert.Alert) {}, true},
		"name":         {func(a *alert.Alert) { a.Name = "Other" }, true},
		"destinations": {func(a *alert.Alert) { a.Destinations = nil }, true},
		"enabled":      {func(a *alert.Alert) { a.Enabled = false }, false},
		"same minimum": {func(a *alert.Alert) { a.Condition.Minimum = minimum(0) }, true},
		"minimum":      {func(a *alert.Alert) { a.Condition.Minimum = minimum(1) }, false},
		"value":        {func(a *alert.Alert) { a.Condition.Value = 13 }, false},
		"filters":      {func(a *alert.Alert) { a.Filters = []byte(`{"source":["news"]}`) }, false},
		"feed":         {func(a *alert.Alert) { a.Filters, a.FeedID = nil, 3 }, false},
	} {
		w := worldtest.NewWorld(t)
		create(t, w, sample())
		worldtest.Must(t, w.Store.Evaluated(t.Context(), w.Main.ID, 1, 1, evaluated(1)))
		w.Clock.Freeze(later)
		changed, err := w.Store.ChangeAlert(t.Context(), w.Main.ID, 1, "", func(a *alert.Alert) error {
			c.change(a)
			return nil
		})
		worldtest.Must(t, err)
		revision := int64(2)
		if name == "nothing" || name == "same minimum" {
			revision = 1
		}
		if changed.State.Firing != c.kept || changed.Revision != revision {
			t.Errorf("%s: ChangeAlert = %+v, want revision %d and firing %v", name, changed, revision, c.kept)
		}
		since := later
		if c.kept || name == "enabled" { // it is not evaluated
			since = worldtest.Now
		}
		if !changed.WatchesSince.Equal(since) {
			t.Errorf("%s: WatchesSince = %v, want %v", name, changed.WatchesSince, since)
		}
		if got := read(t, w, 1); !reflect.DeepEqual(got, changed) {
			t.Errorf("%s: Alert = %+v, want %+v", name, got, changed)
		}
	}
}

// An alert that is enabled again ignores the time before.
func TestChangeAlert_EnabledAgain(t *testing.T) {
	w := worldtest.NewWorld(t)
	create(t, w, sample())
	later := worldtest.Now.Add(time.Hour)
	for _, enabled := range []bool{false, true} {
		w.Clock.Freeze(later)
		_, err := w.Store.ChangeAlert(t.Context(), w.Main.ID, 1, "", func(a *alert.Alert) error {
			a.Enabled = enabled
			return nil
		})
		worldtest.Must(t, err)
	}
	if got := read(t, w, 1).WatchesSince; !got.Equal(later) {
		t.Errorf("WatchesSince = %v, want %v", got, later)
	}
}

func TestAlerts_Limit(t *testing.T) {
	w := worldtest.NewWorld(t)
	var group sync.WaitGroup
	results := make([]error, alert.MaxAlerts+5)
	for i := range results {
		group.Go(func() { _, results[i] = w.Store.CreateAlert(context.Background(), w.Main.ID, sample(), "") })
	}
	group.Wait()
	refused := 0
	for _, err := range results {
		if errors.Is(err, alertstore.ErrAlertLimit) {
			refused++
		} else {
			worldtest.Must(t, err)
		}
	}
	all, err := w.Store.Alerts(t.Context(), w.Main.ID)
	if err != nil || len(all) != alert.MaxAlerts || refused != 5 {
		t.Errorf("%d alerts are stored and %d are refused, want %d and 5 (%v)", len(all), refused, alert.MaxAlerts, err)
	}
	worldtest.Must(t, w.Store.DeleteAlert(t.Context(), w.Main.ID, all[0].ID, ""))
	create(t, w, sample())
}

// A request that is repeated happens once.
func TestAlerts_Repeated(t *testing.T) {
	w := worldtest.NewWorld(t)
	ctx, org := t.Context(), w.Main.ID
	for range 2 {
		made, err := w.Store.CreateAlert(ctx, org, sample(), "made")
		if err != nil || made.ID != 1 {
			t.Fatalf("CreateAlert = %+v, %v, want alert 1", made, err)
		}
	}
	for range 2 {
		changed, err := w.Store.ChangeAlert(ctx, org, 1, "changed", func(a *alert.Alert) error {
			a.Name += "!"
			return nil
		})
		if err != nil || changed.Name != "Complaints!" {
			t.Fatalf("ChangeAlert = %+v, %v, want one change", changed, err)
		}
	}
	for range 2 {
		worldtest.Must(t, w.Store.DeleteAlert(ctx, org, 1, "deleted"))
	}
	none := fmt.Errorf("no error")
	_, created := w.Store.CreateAlert(ctx, org, sample(), "made")
	_, changed := w.Store.ChangeAlert(ctx, org, 1, "", func(*alert.Alert) error { return none })
	for name, err := range map[string]error{"CreateAlert": created, "ChangeAlert": changed,
		"DeleteAlert": w.Store.DeleteAlert(ctx, org, 1, "")} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s of a deleted alert = %v, want ErrNotFound", name, err)
		}
	}
}
