package analytics

import (
	"cmp"
	"fmt"
	"time"

	"earshot/shared/analytics"
	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/web/problem"
)

// usualDays is how many days a period has if the request gives no start.
const usualDays = 30

// A dated is the part of a request that says which period is meant.
type dated struct {
	start, end, timezone string
	at                   string // what comes before the fields' names in faults: "query." or nothing
}

// period returns the period of a request: up to the end of today, or 30 days, unless both dates are given.
func (d dated) period(now time.Time) (analytics.Period, error) {
	zone, err := d.zone()
	if err != nil {
		return analytics.Period{}, err
	}
	p, faults := d.read(zone)
	if len(faults) > 0 {
		return p, problem.Invalid(faults...)
	}
	if d.end == "" {
		p.End = analytics.Tomorrow(now, zone)
	}
	if d.start == "" {
		p.Start = analytics.DaysBefore(p.End, usualDays, zone)
	}
	if faults := d.rangeFaults(p); len(faults) > 0 {
		return p, problem.Invalid(faults...)
	}
	return p, nil
}

// faults returns the faults of the dates that do not depend on the present moment.
func (d dated) faults() []problem.Detail {
	zone, err := d.zone()
	if err != nil {
		zone = time.UTC // period refuses the time zone, with another code
	}
	_, faults := d.read(zone)
	return faults
}

func (d dated) zone() (*time.Location, error) {
	name := cmp.Or(d.timezone, "UTC")
	if !feed.IsTimezone(name) {
		return nil, problem.New(
			problem.InvalidTimezone,
			"%stimezone is not the IANA name of a time zone. Give a name such as Europe/Berlin, in its exact spelling.",
			d.at,
		)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("load a time zone: %w", err)
	}
	return zone, nil
}

// read returns the dates of a request and their faults. A date that is not given is zero.
func (d dated) read(zone *time.Location) (p analytics.Period, faults []problem.Detail) {
	read := func(name, text string) (moment time.Time) {
		if text == "" {
			return moment
		}
		moment, ok := momentOf(text, zone)
		if !ok {
			faults = append(faults, problem.Detail{
				Path:    d.at + name,
				Code:    "format",
				Message: "Expected YYYY-MM-DD, YYYY-MM-DD HH:mm:ss.SSS, or RFC 3339 with a zone, in the years 1970 to 9999.",
			})
		}
		return moment
	}
	p = analytics.Period{Start: read("startDate", d.start), End: read("endDate", d.end), Zone: zone}
	if len(faults) == 0 && d.start != "" && d.end != "" {
		faults = d.rangeFaults(p)
	}
	return p, faults
}

// rangeFaults returns what is wrong with a period of two moments.
func (d dated) rangeFaults(p analytics.Period) []problem.Detail {
	switch {
	case !p.Start.Before(p.End) && d.end == "":
		return []problem.Detail{{
			Path: d.at + "startDate", Code: "range", Message: "Expected a date that is not in the future."}}
	case !p.Start.Before(p.End):
		return []problem.Detail{{
			Path: d.at + "endDate", Code: "range",
			Message: "Expected a date after startDate. The end is not part of the period."}}
	case p.TooLong():
		return []problem.Detail{{
			Path: d.at + "startDate", Code: "range",
			Message: fmt.Sprintf(
				"The period has more than %d days. Give a later startDate or an earlier endDate.",
				analytics.MaxDays,
			),
		}}
	}
	return nil
}

// momentOf reads a day of a zone, at its first moment, or a moment, rounded up to the millisecond.
func momentOf(text string, zone *time.Location) (time.Time, bool) {
	moment, err := time.Parse(time.DateOnly, text)
	if err == nil {
		year, month, day := moment.Date()
		moment = analytics.FirstMoment(year, month, day, zone)
	} else if moment, err = mention.ParseMoment(text); err != nil {
		return time.Time{}, false
	}
	if cut := moment.Truncate(time.Millisecond); cut.Before(moment) {
		moment = cut.Add(time.Millisecond)
	}
	return moment, moment.Year() >= 1970 && moment.Year() <= 9999
}
