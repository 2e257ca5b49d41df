package filter

import (
	"time"

	"earshot/shared/mention"
)

// The dates, which are no conditions.
const (
	startDate = "startDate"
	endDate   = "endDate"
)

// window reads the dates: the first inclusive, the second exclusive. A missing date leaves its end unbounded, which is
// zero.
func (p *parser) window(members map[string]any) (start, until time.Time) {
	from, starts := members[startDate]
	to, ends := members[endDate]
	before := len(p.faults)
	if starts {
		start = p.date(startDate, from)
	}
	if ends {
		until = p.date(endDate, to)
	}
	if starts && ends && len(p.faults) == before && !until.After(start) {
		p.fault(endDate, "range", "Expected a date after startDate.")
	}
	return start, until
}

// date reads a day, at its first moment in UTC, or a moment in any form of mention.ParseMoment. A moment is rounded up
// to the millisecond: mentions have no finer times.
func (p *parser) date(path string, value any) time.Time {
	text, ok := value.(string)
	if !ok {
		p.fault(path, "type", "Expected string.")
		return time.Time{}
	}
	moment, err := time.Parse(time.DateOnly, text)
	if err != nil {
		moment, err = mention.ParseMoment(text)
	}
	if err != nil {
		p.fault(path, "format", "Expected YYYY-MM-DD, YYYY-MM-DD HH:mm:ss.SSS, or RFC 3339 with a zone.")
		return time.Time{}
	}
	if cut := moment.Truncate(time.Millisecond); cut.Before(moment) {
		moment = cut.Add(time.Millisecond)
	}
	if moment.Year() < 1 || moment.Year() > 9999 {
		p.fault(path, "range", "Expected a year from 1 to 9999.")
		return time.Time{}
	}
	return moment
}
