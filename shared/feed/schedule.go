package feed

import "time"

// days are the values of a weekly destination's DayOfWeek.
var days = map[string]time.Weekday{
	"sunday": time.Sunday, "monday": time.Monday, "tuesday": time.Tuesday, "wednesday": time.Wednesday,
	"thursday": time.Thursday, "friday": time.Friday, "saturday": time.Saturday,
}

// Digests reports whether a destination gets digests, each with the mentions of an interval.
func (d Destination) Digests() bool {
	return d.Frequency == Hourly || d.Frequency == Daily || d.Frequency == Weekly
}

// NextDigest returns the first moment after a moment at which a digest ends and is sent. Two of them that follow each
// other bound an interval, which holds its beginning and not its end, so that the intervals tile time. An hour begins as
// it does in UTC. A local time that a day does not have is sent at the next one that exists, and one that a day has twice
// is sent the first time. Returns the zero time for a destination that gets no digests.
func (d Destination) NextDigest(after time.Time) time.Time {
	return d.search(after, 1, func(at time.Time) bool { return at.After(after) })
}

// LastDigest returns the last moment before a moment at which a digest ends: see NextDigest.
func (d Destination) LastDigest(before time.Time) time.Time {
	return d.search(before, -1, func(at time.Time) bool { return at.Before(before) })
}

// farthest is how many days a moment is from the digest that is searched: a week, and what zones add to it.
const farthest = 10

// search goes from a moment through the local days in one direction, up to the first whose digest is wanted.
func (d Destination) search(from time.Time, step int, wanted func(at time.Time) bool) time.Time {
	if d.Frequency == Hourly {
		hour := from.UTC().Truncate(time.Hour)
		for !wanted(hour) {
			hour = hour.Add(time.Duration(step) * time.Hour)
		}
		return hour
	}
	if !d.Digests() {
		return time.Time{}
	}
	d = d.WithDefaults()
	zone, err := time.LoadLocation(d.Timezone)
	if err != nil {
		zone = time.UTC // no zone that was ever taken
	}
	clock, err := time.Parse("15:04", d.Time)
	if err != nil {
		clock = time.Date(0, 1, 1, 9, 0, 0, 0, time.UTC)
	}
	year, month, day := from.In(zone).Date()
	for n := -2; n <= farthest; n++ {
		wall := time.Date(year, month, day+n*step, clock.Hour(), clock.Minute(), 0, 0, time.UTC)
		if d.Frequency == Weekly && wall.Weekday() != days[d.DayOfWeek] {
			continue
		}
		if at := firstAt(wall, zone); wanted(at) {
			return at
		}
	}
	return time.Time{} // never: a week has each of its days
}

// firstAt returns the first moment at which a zone's clocks show a time, or a later one. wall is written as if it were UTC.
func firstAt(wall time.Time, zone *time.Location) time.Time {
	at := wall.Add(-28 * time.Hour).In(zone) // before it: no zone is more than a day from UTC
	for {
		began, ends := at.ZoneBounds()
		_, offset := at.Zone()
		shown := wall.Add(-time.Duration(offset) * time.Second)
		if shown.Before(began) {
			shown = began // the clocks went past it
		}
		if ends.IsZero() || shown.Before(ends) {
			return shown.UTC()
		}
		at = ends
	}
}
