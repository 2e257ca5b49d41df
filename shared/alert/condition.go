package alert

import (
	"math"
	"time"
)

// Metric is the figure that a condition watches.
type Metric string

// The metrics. Package analytics has the terms; Counts says where an alert's figures differ.
const (
	Mentions      Metric = "mentions"
	NegativeShare Metric = "negative_share" // negative mentions among those with a sentiment, 0 to 1; without those it has no value
	Reach         Metric = "reach"          // followers
	Engagement    Metric = "engagement"     // below 0 where the platform's scores are
)

// Values lists the metrics.
func (Metric) Values() []Metric { return []Metric{Mentions, NegativeShare, Reach, Engagement} }

// Comparison is how a condition compares a window's value.
type Comparison string

// The comparisons.
const (
	Above   Comparison = "above"    // more than Condition.Value
	Below   Comparison = "below"    // less than Condition.Value
	RisesBy Comparison = "rises_by" // at least Condition.Value per cent over the baseline
	FallsBy Comparison = "falls_by" // at least Condition.Value per cent under the baseline
)

// Values lists the comparisons.
func (Comparison) Values() []Comparison { return []Comparison{Above, Below, RisesBy, FallsBy} }

// relative reports whether the comparison needs a baseline.
func (c Comparison) relative() bool { return c == RisesBy || c == FallsBy }

// Window is the time that a value counts.
type Window string

// The windows.
const (
	Hour     Window = "1h"
	SixHours Window = "6h"
	Day      Window = "24h"
	Week     Window = "7d"
)

// Values lists the windows.
func (Window) Values() []Window { return []Window{Hour, SixHours, Day, Week} }

// Hours returns the window's length; 0 if there is no such window.
func (w Window) Hours() int {
	return map[Window]int{Hour: 1, SixHours: 6, Day: 24, Week: hoursOfWeek}[w]
}

// Baseline is what a rise or a fall is measured against.
type Baseline string

// The baselines.
const (
	Previous Baseline = "previous" // the window just before
	Weekday  Baseline = "weekday"  // the mean of the same hours of UTC, 1 to 4 weeks before
)

// Values lists the baselines.
func (Baseline) Values() []Baseline { return []Baseline{Previous, Weekday} }

const (
	hoursOfWeek = 7 * 24
	// baselineWeeks is how many weeks a Weekday baseline reaches back.
	baselineWeeks = 4
)

// A Condition says when an alert fires. Step has the rule by which it resolves.
type Condition struct {
	Metric     Metric
	Comparison Comparison
	// Value is the threshold, up to MaxValue: a count, a share from 0 to 1, or per cent of the baseline. WithDefaults rounds it
	// to nine decimals.
	Value    float64
	Window   Window
	Baseline Baseline // of RisesBy and FallsBy, where empty is Previous; otherwise empty
	Minimum  *int64   // mentions in the window below which nothing fires, 0 to MaxValue; nil for none
}

// MaxValue bounds the threshold and the minimum.
const MaxValue = 1_000_000_000_000

// decimals is one over the least difference of two thresholds.
const decimals = 1e9

// WithDefaults fills in the baseline where the comparison needs one, and rounds the threshold.
func (c Condition) WithDefaults() Condition {
	c.Value = math.Round(c.Value*decimals) / decimals // a table takes no number below 1e-130
	if c.Comparison.relative() && c.Baseline == "" {
		c.Baseline = Previous
	}
	return c
}

// Lookback returns how long before an evaluation the series must begin, so that it covers the window and its baseline.
func (c Condition) Lookback() time.Duration {
	hours := c.Window.Hours()
	switch {
	case !c.Comparison.relative():
	case c.Baseline == Weekday:
		hours += baselineWeeks * hoursOfWeek
	default:
		hours *= 2
	}
	return time.Duration(hours) * time.Hour
}

const (
	// hysteresis is the share of the threshold by which a value must return before the alert resolves.
	hysteresis = 0.1
	// slack is the relative error that a computed share, mean or percentage may have. Without it, a rise from 0.2 to 0.3
	// would be one by 49.99… per cent. Whole numbers below 10^8 are compared exactly in spite of it.
	slack = 1e-9
)

func atLeast(x, y float64) bool { return x >= y-slack*math.Abs(y) }

// measure returns what is compared with the threshold: the value, or by how many per cent of the baseline it rose or
// fell.
//
// Against a baseline of 0, a value above 0 is an infinite rise, because it exceeds every percentage. Condition.Minimum
// keeps a first mention from firing. A value that is still 0 is no change, so an alert that fires resolves. A baseline
// below 0 counts as 0, because no percentage of it makes sense. So does a missing one, which only a state of another
// condition has.
func (c Condition) measure(value float64, baseline *float64) float64 {
	if !c.Comparison.relative() {
		return value
	}
	change := 0.0
	switch {
	case baseline != nil && *baseline > 0:
		change = 100 * (value - *baseline) / *baseline // multiplied first, so that whole results are exact
	case value > 0:
		change = math.Inf(1)
	}
	if c.Comparison == FallsBy {
		return -change
	}
	return change
}

// holds reports whether a measure is beyond the threshold.
func (c Condition) holds(measure float64) bool {
	switch c.Comparison {
	case Above:
		return measure > c.Value
	case Below:
		return measure < c.Value
	case RisesBy, FallsBy:
		return atLeast(measure, c.Value)
	}
	return false
}

// returned reports whether a measure is back by a tenth of the threshold. No share is above 1, so a share that must
// rise further than 1 needs to rise to 1.
func (c Condition) returned(measure float64) bool {
	if c.Comparison != Below {
		return atLeast(c.Value*(1-hysteresis), measure)
	}
	release := c.Value * (1 + hysteresis)
	if c.Metric == NegativeShare {
		release = min(release, 1)
	}
	return atLeast(measure, release)
}

// exceeds reports whether a measure is more extreme than another one. Of two infinite rises, the one to the larger
// value is.
func (c Condition) exceeds(measure, value, thanMeasure, thanValue float64) bool {
	if c.Comparison == Below {
		return measure < thanMeasure
	}
	return measure > thanMeasure || math.IsInf(measure, 1) && math.IsInf(thanMeasure, 1) && value > thanValue
}
