package alert

import "time"

// Counts are the figures of one hour, or of several. Reach and Engagement are sums over hours: an author who writes in
// two hours of a window counts twice, whereas analytics counts an author once in a period.
type Counts struct {
	Mentions   int64
	Negative   int64 // negative ones among Mentions
	Judged     int64 // those among Mentions that have a sentiment
	Reach      int64 // followers of the hour's authors
	Engagement int64 // the mentions' counters, except views
}

func (c Counts) plus(o Counts) Counts {
	return Counts{
		c.Mentions + o.Mentions, c.Negative + o.Negative, c.Judged + o.Judged, c.Reach + o.Reach, c.Engagement + o.Engagement,
	}
}

func (c Counts) minus(o Counts) Counts {
	return Counts{
		c.Mentions - o.Mentions, c.Negative - o.Negative, c.Judged - o.Judged, c.Reach - o.Reach, c.Engagement - o.Engagement,
	}
}

// value returns the counts' value of a metric. ok is false for a share if no mention has a sentiment.
func (c Counts) value(m Metric) (value float64, ok bool) {
	switch m {
	case Mentions:
		return float64(c.Mentions), true
	case NegativeShare:
		return float64(c.Negative) / float64(c.Judged), c.Judged > 0
	case Reach:
		return float64(c.Reach), true
	case Engagement:
		return float64(c.Engagement), true
	}
	return 0, false
}

// A Series holds the counts of consecutive hours of UTC. A window's sum takes constant time, however long it is. The
// zero Series covers no hour.
type Series struct {
	from time.Time
	sums []Counts // sums[n] adds up the first n hours
}

// NewSeries returns the series of consecutive hours. The first one contains the moment from. An hour without mentions
// has zero counts.
func NewSeries(from time.Time, hours []Counts) Series {
	s := Series{from.UTC().Truncate(time.Hour), make([]Counts, len(hours)+1)}
	for n, hour := range hours {
		s.sums[n+1] = s.sums[n].plus(hour)
	}
	return s
}

// Window returns the counts of the hours in [end-w, end), where end is cut to its whole hour. ok is false if the series
// does not cover all of them.
func (s Series) Window(end time.Time, w Window) (c Counts, ok bool) {
	return s.window(s.index(end), w.Hours())
}

// index returns how many hours of the series lie before a moment. It may be negative, or beyond the series.
func (s Series) index(end time.Time) int { return int(end.Truncate(time.Hour).Sub(s.from) / time.Hour) }

func (s Series) window(end, hours int) (c Counts, ok bool) {
	if hours <= 0 || end-hours < 0 || end >= len(s.sums) {
		return Counts{}, false
	}
	return s.sums[end].minus(s.sums[end-hours]), true
}

// An Evaluation is what a condition needs to know of one moment.
type Evaluation struct {
	At       time.Time // the window's end, a whole hour of UTC
	Mentions int64     // in the window
	Value    *float64  // nil if the series does not cover the window, or for a share if no mention has a sentiment
	Baseline *float64  // nil if the comparison needs none, or none of its windows has a value
}

// Evaluate returns the evaluation of a condition at a moment, which is cut to its whole hour.
func (s Series) Evaluate(c Condition, at time.Time) Evaluation {
	e := Evaluation{At: at.UTC().Truncate(time.Hour)}
	end, hours := s.index(at), c.Window.Hours()
	counts, ok := s.window(end, hours)
	if !ok {
		return e
	}
	e.Mentions = counts.Mentions
	if value, ok := counts.value(c.Metric); ok {
		e.Value = &value
	}
	switch {
	case !c.Comparison.relative():
	case c.Baseline == Weekday:
		ends := make([]int, baselineWeeks)
		for n := range ends {
			ends[n] = end - (n+1)*hoursOfWeek
		}
		e.Baseline = s.mean(c, ends...)
	default:
		e.Baseline = s.mean(c, end-hours)
	}
	return e
}

// mean returns the mean value of the windows that end there. It leaves out windows without a value. Returns nil if none
// has one.
func (s Series) mean(c Condition, ends ...int) *float64 {
	sum, n := 0.0, 0
	for _, end := range ends {
		counts, ok := s.window(end, c.Window.Hours())
		if value, valued := counts.value(c.Metric); ok && valued {
			sum += value
			n++
		}
	}
	if n == 0 {
		return nil
	}
	sum /= float64(n)
	return &sum
}
