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
	name := cmp.Or(d.timezone, "UTC")
	if !feed.IsTimezone(name) {
		return analytics.Period{}, problem.New(
			problem.InvalidTimezone,
			"%stimezone is not the IANA name of a time zone. Give a name such as Europe/Berlin, in its exact spelling.",
			d.at,
		)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return analytics.Period{}, fmt.Errorf("load a time zone: %w", err)
	}
	p := analytics.Period{End: analytics.Tomorrow(now, zone), Zone: zone}
	var faults []problem.Detail
	read := func(name, text string, into *time.Time) {
		if text == "" {
			return
		}
		moment, ok := momentOf(text, zone)
		if !ok {
			faults = append(faults, problem.Detail{
				Path:    d.at + name,
				Code:    "format",
				Message: "Expected YYYY-MM-DD, YYYY-MM-DD HH:mm:ss.SSS, or RFC 3339 with a zone, in the years 1970 to 9999.",
			})
		}
		*into = moment
	}
	read("startDate", d.start, &p.Start)
	read("endDate", d.end, &p.End)
	if len(faults) > 0 {
		return p, problem.Invalid(faults...)
	}
	if d.start == "" {
		p.Start = analytics.DaysBefore(p.End, usualDays, zone)
	}
	switch {
	case !p.Start.Before(p.End) && d.end == "":
		return p, problem.Invalid(problem.Detail{
			Path: d.at + "startDate", Code: "range", Message: "Expected a date that is not in the future."})
	case !p.Start.Before(p.End):
		return p, problem.Invalid(problem.Detail{
			Path: d.at + "endDate", Code: "range", Message: "Expected a date after startDate. The end is not part of the period."})
	case p.TooLong():
		return p, problem.Invalid(problem.Detail{
			Path: d.at + "startDate", Code: "range",
			Message: fmt.Sprintf(
				"The period has more than %d days. Give a later startDate or an earlier endDate.",
				analytics.MaxDays,
			),
		})
	}
	return p, nil
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
