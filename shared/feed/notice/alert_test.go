package notice_test

import (
	"slices"
	"testing"
	"time"

	"earshot/shared/alert"
	"earshot/shared/feed/notice"
)

// Figures are for people: one mention is no plural, a mean has no 16 digits, and a threshold is as it was written.
func TestOfAlert_Figures(t *testing.T) {
	to := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	ten := 10.0
	for want, c := range map[string]struct {
		condition       alert.Condition
		value, baseline float64
	}{
		"Alert “A”: 1 mention in an hour, above 0": {
			alert.Condition{Metric: alert.Mentions, Comparison: alert.Above, Window: alert.Hour}, 1, 0,
		},
		"Alert “A”: 10 mentions in an hour against 3.33": {
			alert.Condition{Metric: alert.Mentions, Comparison: alert.RisesBy, Value: 50, Window: alert.Hour}, 10, ten / 3,
		},
		"Alert “A”: 25 % negative mentions in 24 hours, above 12.5 %": {
			alert.Condition{Metric: alert.NegativeShare, Comparison: alert.Above, Value: 0.125, Window: alert.Day}, 0.25, 0,
		},
		"Alert “A”: reach of 4 in 7 days, below 4.75": {
			alert.Condition{Metric: alert.Reach, Comparison: alert.Below, Value: 4.75, Window: alert.Week}, 4, 0,
		},
	} {
		report := alert.Report{Condition: c.condition, Event: alert.Fired, Since: to, From: to, To: to, Value: &c.value}
		if c.baseline != 0 {
			report.Baseline = &c.baseline
		}
		got := notice.OfAlert("A", report, nil)
		if got.Says != want {
			t.Errorf("it says %q, want %q", got.Says, want)
		}
		usual := slices.ContainsFunc(got.Figures,
			func(f notice.Figure) bool { return f.Name == "Usual" && f.Value == "3.33" })
		if usual != (c.baseline != 0) {
			t.Errorf("%s: the figures are %+v, want the usual 3.33", want, got.Figures)
		}
	}
}
