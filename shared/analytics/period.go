package analytics

import (
	"slices"
	"time"
)

// A Granularity is the length of a bucket.
type Granularity string

// The granularities. Weeks begin on Monday.
const (
	Hour  Granularity = "hour"
	Day   Granularity = "day"
	Week  Granularity = "week"
	Month Granularity = "month"
)

// Granularities lists them.
func Granularities() []Granularity { return []Granularity{Hour, Day, Week, Month} }

// A Period is a time of a zone, with its start and without its end.
type Period struct {
	Start, End time.Time
	Zone       *time.Location
}

// TooLong reports whether the period has more than MaxDays days of its zone.
func (p Period) TooLong() bool {
	return p.End.After(p.Start.In(p.Zone).AddDate(0, 0, MaxDays))
}

// Before returns the period of the same length that ends where p starts. If p has whole days, it has as many days.
func (p Period) Before() Period {
	if startOfDay(p.Start, p.Zone).Equal(p.Start) && startOfDay(p.End, p.Zone).Equal(p.End) {
		days := 0
		for at := p.Start; at.Before(p.End); days++ {
			at = nextDay(at, p.Zone)
		}
		return Period{DaysBefore(p.Start, days, p.Zone), p.Start, p.Zone}
	}
	return Period{p.Start.Add(-p.End.Sub(p.Start)), p.Start, p.Zone}
}

// YearBefore returns the period with the same dates and times a year earlier. A year without a 29 February has the 28th
// in its place, so that the period never ends before it starts.
func (p Period) YearBefore() Period {
	earlier := func(t time.Time) time.Time {
		local := t.In(p.Zone)
		if local.Month() == time.February && local.Day() == 29 {
			local = local.AddDate(0, 0, -1)
		}
		if before := local.AddDate(-1, 0, 0); !startOfDay(t, p.Zone).Equal(t) {
			return before
		}
		year, month, day := local.Date()
		return FirstMoment(year-1, month, day, p.Zone) // which may not be midnight
	}
	return Period{earlier(p.Start), earlier(p.End), p.Zone}
}

// Tomorrow returns the first moment of the day after the one that now is in.
func Tomorrow(now time.Time, zone *time.Location) time.Time {
	return nextDay(startOfDay(now, zone), zone)
}

// DaysBefore returns the first moment of the day that is so many days before the day that t is in.
func DaysBefore(t time.Time, days int, zone *time.Location) time.Time {
	year, month, day := t.In(zone).Date()
	return FirstMoment(year, month, day-days, zone)
}

// A Bucket is a part of a period. Label is where the whole hour, day, week or month begins, which may be before the
// period does. Start and End are within the period.
type Bucket struct{ Label, Start, End time.Time }

// Buckets divides the period. Days have 23, 24 or 25 hours, as the zone has them.
func (p Period) Buckets(g Granularity) []Bucket {
	var buckets []Bucket
	for label := begin(p.Start, g, p.Zone); label.Before(p.End); {
		next := following(label, g, p.Zone)
		bucket := Bucket{Label: label, Start: label, End: next}
		if bucket.Start.Before(p.Start) {
			bucket.Start = p.Start
		}
		if bucket.End.After(p.End) {
			bucket.End = p.End
		}
		buckets, label = append(buckets, bucket), next
	}
	return buckets
}

// bucketAt returns the index of the bucket that holds a moment of the period.
func bucketAt(buckets []Bucket, t time.Time) int {
	at, found := slices.BinarySearchFunc(buckets, t, func(b Bucket, t time.Time) int { return b.Start.Compare(t) })
	if found {
		return at
	}
	return at - 1
}

// begin returns where the bucket begins that a moment is in.
func begin(t time.Time, g Granularity, zone *time.Location) time.Time {
	switch g {
	case Hour:
		return startOfHour(t, zone)
	case Week:
		return DaysBefore(t, (int(t.In(zone).Weekday())+6)%7, zone)
	case Month:
		year, month, _ := t.In(zone).Date()
		return FirstMoment(year, month, 1, zone)
	}
	return startOfDay(t, zone)
}

// following returns where the bucket after the one that begins at t begins.
func following(t time.Time, g Granularity, zone *time.Location) time.Time {
	switch g {
	case Hour:
		for after := t.Add(time.Hour); ; after = after.Add(quarter) {
			if next := startOfHour(after, zone); next.After(t) {
				return next
			}
		}
	case Week:
		year, month, day := t.In(zone).Date()
		return FirstMoment(year, month, day+7, zone)
	case Month:
		year, month, _ := t.In(zone).Date()
		return FirstMoment(year, month+1, 1, zone)
	}
	return nextDay(t, zone)
}

// quarter is the step in which the next full hour is looked for after a clock was turned back by less than an hour.
const quarter = 15 * time.Minute

// startOfHour returns the moment at which the zone's clock last showed a full hour. A clock that is turned by half an
// hour makes an hour of 90 minutes.
func startOfHour(t time.Time, zone *time.Location) time.Time {
	for {
		local := t.In(zone)
		past := time.Duration(local.Minute())*time.Minute + time.Duration(local.Second())*time.Second
		if past += time.Duration(local.Nanosecond()); past == 0 {
			return t
		}
		t = t.Add(-past)
	}
}

func startOfDay(t time.Time, zone *time.Location) time.Time {
	year, month, day := t.In(zone).Date()
	return FirstMoment(year, month, day, zone)
}

// nextDay returns the first moment of the day after the one that t is in. Zones have left out days.
func nextDay(t time.Time, zone *time.Location) time.Time {
	year, month, day := t.In(zone).Date()
	for n := 1; ; n++ {
		if next := FirstMoment(year, month, day+n, zone); next.After(t) {
			return next
		}
	}
}

// FirstMoment returns the first moment of a day in a zone: midnight, unless the zone's clock leaves midnight out or
// shows it twice. Months and days outside their range count on, as with time.Date. For a day that the zone left out it
// returns the first moment of the next day.
func FirstMoment(year int, month time.Month, day int, zone *time.Location) time.Time {
	wanted := time.Date(year, month, day, 0, 0, 0, 0, time.UTC) // the day, as a number
	reached := func(t time.Time) bool {
		y, m, d := t.In(zone).Date()
		return !time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Before(wanted)
	}
	first := time.Date(year, month, day, 0, 0, 0, 0, zone)
	if reached(first) && !reached(first.Add(-1)) {
		return first
	}
	// The clock changes about midnight. The first moment is a change of the zone's, on a whole minute.
	low := first.Add(-26 * time.Hour)
	minutes := 0
	for step := 1 << 12; step > 0; step /= 2 {
		if !reached(low.Add(time.Duration(minutes+step) * time.Minute)) {
			minutes += step
		}
	}
	return low.Add(time.Duration(minutes+1) * time.Minute)
}
