package filter

import "time"

// The dates, which are no conditions.
const (
	startDate = "startDate"
	endDate   = "endDate"
)

// window reads the dates: both or neither, the first inclusive, the second exclusive.
func (p *parser) window(members map[string]any) (start, until time.Time) {
	from, starts := members[startDate]
	to, ends := members[endDate]
	switch {
	case !starts && !ends:
		return
	case !starts:
		p.fault(startDate, "required", "Give both dates or neither.")
	case !ends:
		p.fault(endDate, "required", "Give both dates or neither.")
	}
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

// date reads a day, at its first moment in UTC, or a moment, to the millisecond above: mentions have no finer times.
func (p *parser) date(path string, value any) time.Time {
	text, ok := value.(string)
	if !ok {
		p.fault(path, "type", "Expected string.")
		return time.Time{}
	}
	moment, err := time.Parse(time.DateOnly, text)
	if err != nil {
		moment, err = time.Parse(time.RFC3339Nano, text)
	}
	if err != nil {
		p.fault(path, "format", "Expected a date, YYYY-MM-DD, or RFC 3339 with a zone.")
		return time.Time{}
	}
	moment = moment.UTC()
	if cut := moment.Truncate(time.Millisecond); cut.Before(moment) {
		moment = cut.Add(time.Millisecond)
	}
	if moment.Year() < 1 || moment.Year() > 9999 {
		p.fault(path, "range", "Expected a year from 1 to 9999.")
		return time.Time{}
	}
	return moment
}
