package worldtest

import (
	"time"

	"earshot/shared/alert"
)

// alerts makes two alerts, of which one has a state, and deletes the other.
func (f filling) alerts() {
	ctx := f.t.Context()
	watched := alert.Alert{Name: "Peak", FeedID: 1, Condition: alert.Condition{
		Metric: alert.Mentions, Comparison: alert.Above, Value: 100, Window: alert.Day,
	}}
	for _, request := range []string{"alert", "other alert"} {
		_, err := f.s.CreateAlert(ctx, f.orgID, watched, f.request+request)
		f.must(err)
	}
	all, err := f.s.Alerts(ctx, f.orgID)
	f.must(err)
	changed, err := f.s.ChangeAlert(
		ctx, f.orgID, all[0].ID, f.request+"alert changed", func(a *alert.Alert) error { a.Enabled = true; return nil },
	)
	f.must(err, f.s.Evaluated(ctx, f.orgID, changed.ID, changed.Revision, alert.State{EvaluatedAt: Now.Add(time.Hour)}),
		f.s.Unevaluated(ctx, f.orgID, changed.ID, changed.Revision),
		f.s.DeleteAlert(ctx, f.orgID, all[1].ID, f.request+"alert deleted"))
}
