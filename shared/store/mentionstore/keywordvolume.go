package mentionstore

import (
	"time"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// daysKept is how long a month's row is kept after the end of the month. Volumes look back a month at most.
const daysKept = 100 * 24 * time.Hour

// daysOf returns the rows that count a mention for the volumes of its keywords. A month whose rows have expired counts
// nothing.
func daysOf(m mention.Mention, now time.Time) []tally {
	posted := m.PostedAt.UTC()
	expiry := time.Date(posted.Year(), posted.Month()+1, 1, 0, 0, 0, 0, time.UTC).Add(daysKept)
	if !expiry.After(now) {
		return nil
	}
	month, set, in := posted.Format(rows.MonthForm), map[string]any{
		table.ExpiryAttribute: expiry.Unix(),
	}, []string{rows.DayAttribute(posted)}
	tallies := make([]tally, len(m.Keywords))
	for i, keyword := range m.Keywords {
		tallies[i] = tally{rows.DaysKey(month, keyword.ID), set, in, 0}
	}
	return tallies
}
