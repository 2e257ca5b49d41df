package alert_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"earshot/shared/alert"
)

func minimum(n int64) *int64 { return &n }

func TestFaults(t *testing.T) {
	type condition = alert.Condition
	nan := math.NaN()
	for name, c := range map[string]struct {
		condition condition
		paths     string
	}{
		"nothing":           {condition{}, "metric comparison window"},
		"unknown":           {condition{"views", "near", 1, "2h", "median", nil}, "metric comparison window baseline"},
		"a count":           {condition{"mentions", "above", 100, "24h", "", minimum(0)}, ""},
		"above nothing":     {condition{"mentions", "above", 0, "24h", "", nil}, ""},
		"below nothing":     {condition{"mentions", "below", 0, "24h", "", nil}, "value"},
		"negative":          {condition{"engagement", "above", -1, "24h", "", nil}, "value"},
		"no number":         {condition{"mentions", "above", nan, "24h", "", nil}, "value"},
		"infinite":          {condition{"reach", "rises_by", math.Inf(1), "24h", "", nil}, "value"},
		"largest":           {condition{"reach", "below", alert.MaxValue, "24h", "", nil}, ""},
		"too large":         {condition{"reach", "above", alert.MaxValue + 1, "24h", "", nil}, "value"},
		"a share":           {condition{"negative_share", "above", 0.4, "1h", "", nil}, ""},
		"share in per cent": {condition{"negative_share", "above", 40, "1h", "", nil}, "value"},
		"share above 1":     {condition{"negative_share", "above", 1, "1h", "", nil}, "value"},
		"share below 1":     {condition{"negative_share", "below", 1, "1h", "", nil}, ""},
		"share below 1.1":   {condition{"negative_share", "below", 1.1, "1h", "", nil}, "value"},
		"a rise":            {condition{"negative_share", "rises_by", 300, "6h", "weekday", minimum(5)}, ""},
		"no rise":           {condition{"mentions", "rises_by", 0, "6h", "previous", nil}, "value"},
		"a fall to nothing": {condition{"mentions", "falls_by", 100, "7d", "previous", nil}, ""},
		"a fall further":    {condition{"mentions", "falls_by", 101, "7d", "", nil}, "value"},
		"needless baseline": {condition{"mentions", "below", 5, "1h", "previous", nil}, "baseline"},
		"negative minimum":  {condition{"mentions", "above", 5, "1h", "", minimum(-1)}, "minimum"},
		"too many":          {condition{"mentions", "above", 5, "1h", "", minimum(alert.MaxValue + 1)}, "minimum"},
		"minimum prevents":  {condition{"mentions", "below", 5, "1h", "", minimum(5)}, "minimum"},
		"minimum allows":    {condition{"mentions", "below", 5, "1h", "", minimum(4)}, ""},
	} {
		var paths []string
		for _, f := range c.condition.Faults() {
			paths = append(paths, strings.TrimPrefix(f.Path, "condition."))
			if f.Code == "" || strings.Count(f.Message, ". ") != 1 || !strings.HasSuffix(f.Message, ".") {
				t.Errorf("%s: %+v, want a code, a fact and a remedy", name, f)
			}
		}
		if got := strings.Join(paths, " "); got != c.paths {
			t.Errorf("%s: faults of %q, want %q", name, got, c.paths)
		}
	}
}

func TestWithDefaults(t *testing.T) {
	for comparison, want := range map[alert.Comparison]alert.Baseline{
		alert.Above: "", alert.Below: "", alert.RisesBy: alert.Previous, alert.FallsBy: alert.Previous,
	} {
		if got := (alert.Condition{Comparison: comparison}).WithDefaults().Baseline; got != want {
			t.Errorf("%s has the baseline %q, want %q", comparison, got, want)
		}
	}
	if got := (alert.Condition{Comparison: alert.FallsBy, Baseline: alert.Weekday}).WithDefaults().Baseline; got != alert.Weekday {
		t.Errorf("WithDefaults replaced a baseline by %q", got)
	}
}

// The first hour of a series that begins Lookback before an evaluation counts in its oldest window.
func TestLookback(t *testing.T) {
	for c, hours := range map[alert.Condition]int{
		{Comparison: "above", Window: "1h"}:                          1,
		{Comparison: "below", Window: "7d"}:                          168,
		{Comparison: "falls_by", Window: "6h"}:                       12,
		{Comparison: "rises_by", Window: "7d", Baseline: "previous"}: 336,
		{Comparison: "rises_by", Window: "24h", Baseline: "weekday"}: 24 + 4*168,
		{Comparison: "falls_by", Window: "7d", Baseline: "weekday"}:  5 * 168,
	} {
		c.Metric = alert.Mentions
		if got := c.Lookback(); got != time.Duration(hours)*time.Hour {
			t.Errorf("%+v looks back %v, want %d hours", c, got, hours)
		}
		history := make([]alert.Counts, hours)
		history[0].Mentions = 4
		e := alert.NewSeries(start, history).Evaluate(c, start.Add(c.Lookback()))
		oldest := e.Baseline
		if c.Comparison == alert.Above || c.Comparison == alert.Below {
			oldest = e.Value
		}
		if oldest == nil || *oldest == 0 {
			t.Errorf("%+v does not count the first of %d hours: %+v", c, hours, e)
		}
	}
}
