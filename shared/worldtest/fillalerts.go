package worldtest

import (
	"fmt"
	"time"

	"earshot/shared/alert"
	"earshot/shared/feed"
)

// alerts makes three alerts. One has a state. The other two are deleted while they fire. The end of one episode is still
// to be told.
func (f filling) alerts() {
	ctx := f.t.Context()
	watched := alert.Alert{Name: "Peak", FeedID: 1, Condition: alert.Condition{
		Metric: alert.Mentions, Comparison: alert.Above, Value: 100, Window: alert.Day,
	}, Destinations: []feed.Destination{{Type: feed.Email, Emails: []string{f.address("alerts")}}}}
	for _, request := range []string{"alert", "other alert", "third alert"} {
		_, err := f.s.CreateAlert(ctx, f.orgID, watched, f.request+request)
		f.must(err)
	}
	all, err := f.s.Alerts(ctx, f.orgID)
	f.must(err)
	changed, err := f.s.ChangeAlert(
		ctx, f.orgID, all[0].ID, f.request+"alert changed", func(a *alert.Alert) error { a.Enabled = true; return nil },
	)
	f.must(err, f.s.Evaluated(ctx, f.orgID, changed.ID, changed.Revision, alert.State{EvaluatedAt: Now.Add(time.Hour)}),
		f.s.Unevaluated(ctx, f.orgID, changed.ID, changed.Revision))
	for _, one := range all[1:] {
		state := alert.State{Firing: true, Since: Now.Add(time.Hour), EvaluatedAt: Now.Add(time.Hour)}
		f.must(f.s.Evaluated(ctx, f.orgID, one.ID, one.Revision, state),
			f.s.DeleteAlert(ctx, f.orgID, one.ID, f.request+fmt.Sprint("alert deleted", one.ID)))
	}
	ended, err := f.s.Endings(ctx, f.orgID, all[1].ID)
	f.must(err)
	f.must(f.s.EndEpisode(ctx, f.orgID, ended[0]))
}
