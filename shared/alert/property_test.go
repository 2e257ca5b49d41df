package alert_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/alert"
)

// A history is drawn as stretches of hours of one level: quiet ones, bursts, gaps, and weeks without a mention.
func drawHistory(t *rapid.T) (hours []alert.Counts) {
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	for range rapid.IntRange(1, 12).Draw(t, "stretches") {
		length := rapid.SampledFrom([]int{1, 3, 24, 100, 168}).Draw(t, "hours")
		level := rapid.SampledFrom([]int64{0, 0, 2, 5, 200}).Draw(t, "level")
		for range length {
			var c alert.Counts
			if level > 0 && random.IntN(4) > 0 {
				c.Mentions = random.Int64N(level)
				c.Judged = random.Int64N(c.Mentions + 1)
				c.Negative = random.Int64N(c.Judged + 1)
				c.Reach, c.Engagement = c.Mentions*random.Int64N(4), c.Mentions*(random.Int64N(5)-1)
			}
			hours = append(hours, c)
		}
	}
	return hours
}

// drawCondition draws one without faults, whose threshold is often hit exactly.
func drawCondition(t *rapid.T) alert.Condition {
	c := alert.Condition{
		Metric:     rapid.SampledFrom(alert.Metric("").Values()).Draw(t, "metric"),
		Comparison: rapid.SampledFrom(alert.Comparison("").Values()).Draw(t, "comparison"),
		Window:     rapid.SampledFrom(alert.Window("").Values()).Draw(t, "window"),
	}
	values := []float64{1, 2, 5, 10, 100, 1000}
	switch {
	case c.Comparison == alert.RisesBy || c.Comparison == alert.FallsBy:
		values = []float64{1, 10, 25, 50, 100}
		c.Baseline = rapid.SampledFrom([]alert.Baseline{"", alert.Previous, alert.Weekday}).Draw(t, "baseline")
	case c.Metric == alert.NegativeShare:
		values = []float64{0.1, 0.3, 0.5, 0.7, 0.95}
	}
	c.Value = rapid.SampledFrom(values).Draw(t, "value")
	if n := rapid.Int64Range(-3, 3).Draw(t, "minimum"); n >= 0 {
		c.Minimum = &n
	}
	if len(c.Faults()) > 0 {
		c.Minimum = nil // it was not below the value
	}
	return c
}

// A naive recounts by loops over the hours and exact fractions.
type naive struct {
	c     alert.Condition
	hours []alert.Counts
}

func (n naive) mentions(end, window int) (mentions int64) {
	for _, hour := range n.hours[end-window : end] {
		mentions += hour.Mentions
	}
	return mentions
}

// value is nil for a share of none, and outside the history.
func (n naive) value(end, window int) *big.Rat {
	if end-window < 0 || end > len(n.hours) {
		return nil
	}
	sum, judged, of := int64(0), int64(0), int64(1)
	for _, hour := range n.hours[end-window : end] {
		sum += map[alert.Metric]int64{"mentions": hour.Mentions, "negative_share": hour.Negative, "reach": hour.Reach,
			"engagement": hour.Engagement}[n.c.Metric]
		judged += hour.Judged
	}
	if n.c.Metric == alert.NegativeShare {
		of = judged
	}
	if of == 0 {
		return nil
	}
	return big.NewRat(sum, of)
}

func (n naive) baseline(end, window int) *big.Rat {
	if n.c.Baseline != alert.Weekday {
		return n.value(end-window, window)
	}
	sum, weeks := new(big.Rat), int64(0)
	for before := 168; before <= 4*168; before += 168 {
		if value := n.value(end-before, window); value != nil {
			sum.Add(sum, value)
			weeks++
		}
	}
	if weeks == 0 {
		return nil
	}
	return sum.Mul(sum, big.NewRat(1, weeks))
}

// infinite stands for a rise from nothing. No other rise in these tests is as large.
var infinite = big.NewRat(math.MaxInt64, 1)

// change returns by how many per cent a value is over a baseline.
func change(value, baseline *big.Rat) *big.Rat {
	if baseline.Sign() <= 0 {
		if value.Sign() > 0 {
			return infinite
		}
		return new(big.Rat)
	}
	change := new(big.Rat).Sub(value, baseline)
	return change.Mul(change.Quo(change, baseline), big.NewRat(100, 1))
}

// episodes recounts the episodes of the hours first to last.
func (n naive) episodes(first, last int) (episodes []alert.Episode) {
	threshold, _ := new(big.Rat).SetString(big.NewFloat(n.c.Value).Text('g', 12))
	up := n.c.Comparison != alert.Below
	release := new(big.Rat).Mul(threshold, big.NewRat(9, 10))
	if !up {
		release.Mul(threshold, big.NewRat(11, 10))
		if one := big.NewRat(1, 1); n.c.Metric == alert.NegativeShare && release.Cmp(one) > 0 {
			release = one
		}
	}
	window := map[alert.Window]int{"1h": 1, "6h": 6, "24h": 24, "7d": 168}[n.c.Window]
	firing, worst, worstValue := false, new(big.Rat), new(big.Rat)
	for end := first; end <= last; end++ {
		value := n.value(end, window)
		if value == nil {
			continue
		}
		measure, baseline := value, (*big.Rat)(nil)
		if n.c.Comparison == alert.RisesBy || n.c.Comparison == alert.FallsBy {
			if baseline = n.baseline(end, window); baseline == nil {
				continue
			}
			measure = change(value, baseline)
		}
		if n.c.Comparison == alert.FallsBy {
			measure = new(big.Rat).Neg(measure)
		}
		order, back := measure.Cmp(threshold), measure.Cmp(release)
		holds := n.c.Comparison == alert.Above && order > 0 || n.c.Comparison == alert.Below && order < 0 ||
			baseline != nil && order >= 0
		begins := !firing && holds && (n.c.Minimum == nil || n.mentions(end, window) >= *n.c.Minimum)
		ends := firing && (up && back <= 0 || !up && back >= 0)
		worse := firing && (up && measure.Cmp(worst) > 0 || !up && measure.Cmp(worst) < 0 ||
			measure == infinite && worst == infinite && value.Cmp(worstValue) > 0)
		switch {
		case begins:
			firing = true
			episodes = append(episodes, alert.Episode{From: hour(end)})
		case ends:
			firing = false
			episodes[len(episodes)-1].To = hour(end)
		}
		if begins || worse && !ends {
			worst, worstValue = measure, value
			e := &episodes[len(episodes)-1]
			e.Value, _ = value.Float64()
			if e.Baseline = nil; baseline != nil {
				f, _ := baseline.Float64()
				e.Baseline = &f
			}
		}
	}
	return episodes
}

// like reports whether two episodes are the same but for rounding. Of equal rises, rounding may choose another one, so
// that their percentages are what must be alike.
func like(x, y alert.Episode) bool {
	percentage := func(e alert.Episode) float64 {
		if e.Baseline == nil || *e.Baseline <= 0 {
			return e.Value
		}
		return e.Value / *e.Baseline
	}
	return x.From.Equal(y.From) && x.To.Equal(y.To) && (x.Baseline == nil) == (y.Baseline == nil) &&
		math.Abs(percentage(x)-percentage(y)) <= 1e-9*math.Abs(percentage(y))
}

// A thousand histories: ten in each of rapid's hundred checks.
func TestEpisodes_NaiveRecount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			n := naive{drawCondition(t), drawHistory(t)}
			first := rapid.IntRange(-3, len(n.hours)).Draw(t, "first")
			last := rapid.IntRange(first, min(first+720, len(n.hours)+3)).Draw(t, "last")
			inHour := time.Duration(rapid.IntRange(0, 59).Draw(t, "minutes")) * time.Minute
			got := alert.Episodes(alert.NewSeries(start, n.hours), n.c, hour(first).Add(-inHour), hour(last).Add(inHour))
			want := n.episodes(first, last)
			same := len(got) == len(want)
			for i := 0; same && i < len(want); i++ {
				same = like(got[i], want[i])
			}
			if !same {
				t.Fatalf("Episodes(%+v, %d to %d) = %+v, want %+v", n.c, first, last, got, want)
			}
		}
	})
}

// Stepping hour by hour makes the same episodes, whatever is evaluated twice or late. Fired and resolved alternate, and
// reminders keep their distance.
func TestStep_AsEpisodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, history := drawCondition(t), drawHistory(t)
		series := alert.NewSeries(start, history)
		remind := rapid.SampledFrom(alert.Remind("").Values()).Draw(t, "remind")
		apart := map[alert.Remind]time.Duration{alert.Hourly: time.Hour, alert.Daily: 24 * time.Hour}[remind]
		var (
			s        alert.State
			episodes []alert.Episode
			on       bool
			said     time.Time
		)
		for n := range len(history) + 1 {
			before, event := s, alert.None
			s, event = alert.Step(s, c, remind, series.Evaluate(c, hour(n)))
			if again, none := alert.Step(s, c, remind, series.Evaluate(c, hour(n-n%3))); again != s || none != alert.None {
				t.Fatalf("an evaluation that is not later makes %q and %+v of %+v", none, again, s)
			}
			switch event {
			case alert.Fired:
				if on {
					t.Fatalf("fired twice, from %+v", before)
				}
				on, said = true, hour(n)
				episodes = append(episodes, alert.Episode{From: s.Since})
			case alert.Resolved:
				if !on || s.Since != before.Since {
					t.Fatalf("resolved from %+v to %+v", before, s)
				}
				on = false
				episodes[len(episodes)-1].To = hour(n)
			case alert.Reminded:
				if !on || apart == 0 || hour(n).Sub(said) < apart {
					t.Fatalf("reminded at %v, after %v", hour(n), said)
				}
				said = hour(n)
			}
			if on {
				episodes[len(episodes)-1].Value, episodes[len(episodes)-1].Baseline = s.Value, s.Baseline
			}
		}
		if want := alert.Episodes(series, c, start, hour(len(history))); !reflect.DeepEqual(episodes, want) {
			t.Fatalf("steps make %+v, Episodes %+v", episodes, want)
		}
	})
}
