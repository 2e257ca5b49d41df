package alert_test

import (
	"slices"
	"testing"
	"time"

	"earshot/shared/alert"
)

var start = time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)

func hour(n int) time.Time { return start.Add(time.Duration(n) * time.Hour) }

// figure reads a value that may be missing, as -1.
func figure(value *float64) float64 {
	if value == nil {
		return -1
	}
	return *value
}

func TestEvaluate(t *testing.T) {
	day := slices.Repeat([]alert.Counts{{Mentions: 1, Judged: 1}}, 24)
	day[0] = alert.Counts{Mentions: 4, Negative: 1, Judged: 2, Reach: 900, Engagement: 7}
	day[1] = alert.Counts{Reach: 5, Engagement: -3}
	var weeks []alert.Counts // hour 0 of the days of week n has 10 (n+1) mentions, hour 1 none
	for n := range 5 {
		week := make([]alert.Counts, 168)
		for d := range 7 {
			week[24*d] = alert.Counts{Mentions: int64(10 * (n + 1)), Negative: int64(n), Judged: int64(10 * (n + 1))}
		}
		weeks = append(weeks, week...)
	}
	type condition = alert.Condition
	weekday := func(m alert.Metric, w alert.Window) condition {
		return condition{Metric: m, Comparison: alert.RisesBy, Window: w, Baseline: alert.Weekday}
	}
	for name, c := range map[string]struct {
		history   []alert.Counts
		condition condition
		end       time.Time
		value     float64
		baseline  float64
	}{
		"an hour":                 {day, condition{Metric: "mentions", Window: "1h"}, hour(1), 4, -1},
		"a day":                   {day, condition{Metric: "mentions", Window: "24h"}, hour(24), 26, -1},
		"reach":                   {day, condition{Metric: "reach", Window: "6h"}, hour(6), 905, -1},
		"engagement":              {day, condition{Metric: "engagement", Window: "6h"}, hour(6), 4, -1},
		"a share":                 {day, condition{Metric: "negative_share", Window: "1h"}, hour(1), 0.5, -1},
		"a share of none":         {day, condition{Metric: "negative_share", Window: "1h"}, hour(2), -1, -1},
		"half past":               {day, condition{Metric: "mentions", Window: "1h"}, hour(1).Add(59 * time.Minute), 4, -1},
		"another zone":            {day, condition{Metric: "mentions", Window: "1h"}, hour(1).In(time.FixedZone("", 5400)), 4, -1},
		"before the series":       {day, condition{Metric: "mentions", Window: "1h"}, hour(0), -1, -1},
		"partly before":           {day, condition{Metric: "mentions", Window: "6h"}, hour(5), -1, -1},
		"after the series":        {day, condition{Metric: "mentions", Window: "1h"}, hour(25), -1, -1},
		"previous":                {day, condition{Metric: "mentions", Comparison: "rises_by", Window: "6h"}, hour(12), 6, 8},
		"previous of none":        {day, condition{Metric: "negative_share", Comparison: "falls_by", Window: "1h"}, hour(3), 0, -1},
		"previous beyond":         {day, condition{Metric: "reach", Comparison: "falls_by", Window: "6h"}, hour(11), 0, -1},
		"four weeks":              {weeks, weekday("mentions", "1h"), hour(4*168 + 1), 50, 25},
		"three weeks":             {weeks, weekday("mentions", "6h"), hour(4*168 + 3), 50, 30},
		"no week":                 {weeks, weekday("mentions", "1h"), hour(168), 0, -1},
		"weeks of shares":         {weeks, weekday("negative_share", "1h"), hour(2*168 + 1), 2. / 30, 0.025},
		"weeks of empty shares":   {weeks, weekday("negative_share", "1h"), hour(2*168 + 2), -1, -1},
		"no baseline where above": {day, condition{Metric: "mentions", Comparison: "above", Window: "6h"}, hour(12), 6, -1},
	} {
		e := alert.NewSeries(start.Add(time.Minute), c.history).Evaluate(c.condition, c.end)
		if !e.At.Equal(c.end.Truncate(time.Hour)) || figure(e.Value) != c.value || figure(e.Baseline) != c.baseline {
			t.Errorf("%s: Evaluate is %v against %v at %v, want %v against %v",
				name, figure(e.Value), figure(e.Baseline), e.At, c.value, c.baseline)
		}
	}
	if e := (alert.Series{}).Evaluate(condition{Metric: "mentions", Window: "1h"}, start); e.Value != nil {
		t.Errorf("the zero Series has the value %v", *e.Value)
	}
}
