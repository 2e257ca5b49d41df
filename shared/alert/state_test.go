package alert_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"earshot/shared/alert"
)

// events steps through a text of evaluations, one an hour: "value", or "value/baseline", where "-" is missing. It
// returns a letter an hour: F fired, r reminded, R resolved, "." nothing.
func events(c alert.Condition, r alert.Remind, evaluations string) (letters string, s alert.State) {
	read := func(text string) *float64 {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil
		}
		return &value
	}
	names := map[alert.Event]string{alert.None: ".", alert.Fired: "F", alert.Reminded: "r", alert.Resolved: "R"}
	for n, text := range strings.Fields(evaluations) {
		value, baseline, _ := strings.Cut(text, "/")
		e := alert.Evaluation{At: hour(n), Value: read(value), Baseline: read(baseline)}
		if e.Value != nil {
			e.Mentions = int64(*e.Value)
		}
		var event alert.Event
		s, event = alert.Step(s, c, r, e)
		letters += names[event]
	}
	return letters, s
}

func TestStep(t *testing.T) {
	for name, c := range map[string]struct {
		comparison          alert.Comparison
		value               float64
		minimum             *int64
		evaluations, events string
	}{
		"above":                        {"above", 100, nil, "100 101 500 100 91 90 100 101", ".F...R.F"},
		"above zero":                   {"above", 0, nil, "0 1 0 0 2", ".FR.F"},
		"below":                        {"below", 10, nil, "10 9 0 10 10.9 11 10 9", ".F...R.F"},
		"rises":                        {"rises_by", 50, nil, "149/100 150/100 146/100 145/100 149/100 150/100", ".F.R.F"},
		"rises from 0":                 {"rises_by", 50, nil, "0/0 1/0 5/0 0/0 2/0", ".F.RF"},
		"rises from below 0":           {"rises_by", 50, nil, "-1/-2 1/-2 0/-9", ".FR"},
		"rises by an exact share":      {"rises_by", 50, nil, "0.3/0.2 0.29/0.2", "FR"},
		"falls":                        {"falls_by", 50, nil, "51/100 50/100 54/100 55/100 50/100", ".F.RF"},
		"falls to nothing":             {"falls_by", 100, nil, "1/100 0/100 9/100 10/100", ".F.R"},
		"falls, and the baseline with": {"falls_by", 50, nil, "0/100 0/0 5/0 0/5", "FR.F"},
		"minimum of mentions":          {"above", 0, minimum(10), "9 10 9 1 0", ".F..R"},
		"minimum of a rise from 0":     {"rises_by", 50, minimum(3), "2/0 3/0 2/0 0/0", ".F.R"},
		"without values":               {"above", 0.3, nil, "- 0.4 - - 0.28 0.27 -", ".F...R."},
		"without baselines":            {"rises_by", 50, nil, "9/- 9/1 1/- 1/1", ".F.R"},
		"unknown comparison":           {"near", 50, nil, "0 50 100", "..."},
	} {
		condition := alert.Condition{Metric: alert.Engagement, Comparison: c.comparison, Value: c.value, Minimum: c.minimum}
		if got, _ := events(condition, alert.Never, c.evaluations); got != c.events {
			t.Errorf("%s: %s makes %s, want %s", name, c.evaluations, got, c.events)
		}
	}
}

// No share is above 1, so an alert on a high one resolves there.
func TestStep_ShareBelow(t *testing.T) {
	condition := alert.Condition{Metric: alert.NegativeShare, Comparison: alert.Below, Value: 0.95}
	if got, _ := events(condition, alert.Never, "0.95 0.94 0.96 1"); got != ".F.R" {
		t.Errorf("below 0.95 makes %s, want .F.R", got)
	}
}

func TestStep_Remind(t *testing.T) {
	condition := alert.Condition{Metric: alert.Mentions, Comparison: alert.Above, Value: 10}
	day := strings.Repeat("10 ", 23)
	dots := strings.Repeat(".", 23)
	for remind, want := range map[alert.Remind]string{
		alert.Never:  "F" + dots + "..R" + "F.",
		alert.Hourly: "F" + strings.Repeat("r", 23) + "r.R" + "Fr",
		alert.Daily:  "F" + dots + "r.R" + "F.",
		"":           "F" + dots + "..R" + "F.",
	} {
		if got, _ := events(condition, remind, "11 "+day+"10 - 9 11 11"); got != want {
			t.Errorf("remind %q makes %s, want %s", remind, got, want)
		}
	}
}

// A state keeps the most extreme value of its episode, with its baseline, and the episode's beginning after its end.
func TestState_MostExtreme(t *testing.T) {
	for name, c := range map[string]struct {
		comparison      alert.Comparison
		evaluations     string
		value, baseline float64
	}{
		"above":        {"above", "1 51 70 60 1", 70, -1},
		"below":        {"below", "100 49 20 30 60", 20, -1},
		"rises":        {"rises_by", "1/1 90/50 40/20 200/120 1/1", 40, 20},
		"falls":        {"falls_by", "1/1 40/100 1/10 30/100 1/1", 1, 10},
		"rises from 0": {"rises_by", "0/0 2/0 3/0 2/0 90/10 0/0", 3, 0},
	} {
		condition := alert.Condition{Metric: alert.Mentions, Comparison: c.comparison, Value: 50}
		got, s := events(condition, alert.Never, c.evaluations)
		if s.Firing || s.Value != c.value || figure(s.Baseline) != c.baseline || !s.Since.Equal(hour(1)) {
			t.Errorf("%s: %s makes %s and leaves %+v, want %v against %v", name, c.evaluations, got, s, c.value, c.baseline)
		}
	}
}

// An evaluation of a moment that is past, or of the last one with other counts, changes nothing.
func TestStep_NotLater(t *testing.T) {
	condition := alert.Condition{Metric: alert.Mentions, Comparison: alert.Above, Value: 10}
	_, before := events(condition, alert.Hourly, "1 1 1 11")
	for n, value := range []float64{1, 1, 99, 1} {
		after, event := alert.Step(before, condition, alert.Hourly, alert.Evaluation{At: hour(n), Value: &value})
		if after != before || event != alert.None {
			t.Errorf("hour %d after hour 3 makes %q and %+v", n, event, after)
		}
	}
}

// A state of another condition is a mistake that must not stop the other alerts of a run.
func TestStep_StateOfAnotherCondition(t *testing.T) {
	value, baseline := 9.0, 3.0
	condition := alert.Condition{Metric: alert.Mentions, Comparison: alert.RisesBy, Value: 50}
	evaluation := alert.Evaluation{At: hour(0), Value: &value, Baseline: &baseline}
	if _, event := alert.Step(alert.State{Firing: true, Value: 5}, condition, alert.Never, evaluation); event != alert.None {
		t.Errorf("Step makes %q, want nothing", event)
	}
}

func TestEpisodeID(t *testing.T) {
	if got := alert.EpisodeID(hour(9).In(time.FixedZone("", 3600))); got != "2026-11-02T09:00:00Z" {
		t.Errorf("EpisodeID is %s", got)
	}
}
