package wizard

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A span is a time from start to before end. Zero is open.
type span struct{ start, end time.Time }

var months = []string{
	"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
	"december",
}

var weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// window reads a time at the reader's position: "since Monday", "last week", "from 3 to 10 November".
func (r *reader) window() (s span, used int, ok bool) {
	at := 0
	next := func(words ...string) bool {
		for i, w := range words {
			if r.word(at+i) != w {
				return false
			}
		}
		at += len(words)
		return true
	}
	if n, ok := r.sofar(); ok {
		return n.span, n.used, true
	}
	before := func(words ...string) bool { return next(words...) }
	switch {
	case before("since"), before("starting"), before("beginning"):
		next("from")
		if s, used, ok = r.period(at, true); ok {
			return span{start: s.start}, at + used, true
		}
	case before("after"), before("later", "than"):
		if s, used, ok = r.period(at, true); ok {
			return span{start: s.end}, at + used, true
		}
	case before("before"), before("earlier", "than"), before("older", "than"):
		if s, used, ok = r.period(at, false); ok {
			return span{end: s.start}, at + used, true
		}
	case before("up", "to", "and", "including"), before("until"), before("till"), before("by"), before("through"),
		before("up", "to"):
		if s, used, ok = r.period(at, false); ok {
			return span{end: s.end}, at + used, true
		}
	}
	at = 0
	bounded := next("between") || next("from")
	return r.stretch(at, bounded)
}

// stretch reads a period, or two with "to" or "and" between.
func (r *reader) stretch(at int, bounded bool) (s span, used int, ok bool) {
	rolling := false
	for _, w := range []string{"in", "over", "within", "during", "on", "for"} {
		if r.word(at) == w && !bounded {
			at++
			rolling = w != "on"
			break
		}
	}
	first, n, ok := r.period(at, false)
	if !ok { // "3 to 10 november"
		if day, is := r.number(at); is && day <= 31 && slices.Contains([]string{"to", "and", "-"}, r.word(at+1)) {
			last, m, found := r.period(at+2, false)
			if begun := last.start.AddDate(0, 0, int(day)-last.start.Day()); found && begun.Before(last.start) &&
				begun.Month() == last.start.Month() {
				return span{begun, last.end}, at + 2 + m, true
			}
		}
	}
	if !ok {
		return span{}, 0, false
	}
	if rolling && r.has(at, []string{"the", "last"}) && r.word(at+2) != "quarter" {
		if recent, m, is := r.recent(at + 2); is {
			first, n = recent, m+2
		}
	}
	at += n
	joint := r.word(at)
	if joint == "to" || joint == "until" || joint == "till" || joint == "through" || joint == "-" ||
		joint == "and" && bounded {
		if joint == "until" && r.word(at+1) == "now" || joint == "to" && r.word(at+1) == "now" {
			return span{start: first.start}, at + 2, true
		}
		last, m, found := r.period(at+1, false)
		if found && !last.end.IsZero() && last.end.After(first.start) {
			return span{first.start, last.end}, at + 1 + m + r.echo(at+1+m), true
		}
		return span{}, 0, false
	}
	if bounded && (joint == "on" || joint == "onwards" || joint == "onward") {
		return span{start: first.start}, at + 1, true
	}
	if bounded && r.word(at-n-1) == "between" {
		return span{}, 0, false
	}
	return first, at, true
}

// echo returns the number of words that repeat what a stretch of weekdays says: "this week".
func (r *reader) echo(at int) int {
	if r.word(at) == "this" && r.word(at+1) == "week" {
		return 2
	}
	return 0
}

type sofar struct {
	span
	used int
}

// sofar reads what began at the beginning of a period and goes on.
func (r *reader) sofar() (sofar, bool) {
	today := day(r.now)
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	month := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
	quarter := time.Date(today.Year(), (today.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
	year := time.Date(today.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	for text, start := range map[string]time.Time{
		"this week": monday, "week to date": monday, "this month": month, "month to date": month, "this quarter": quarter,
		"this year": year, "year to date": year, "ytd": year, "today": today, "todays": today,
	} {
		words := strings.Fields(text)
		for lead := range 2 { // "in this month", "from today"
			if lead == 1 && !slices.Contains([]string{"in", "from", "since", "during", "of"}, r.word(0)) {
				break
			}
			if r.words(lead, len(words)) == text && r.word(lead+len(words)) != "to" && r.word(lead+len(words)) != "until" {
				return sofar{span{start: start}, lead + len(words)}, true
			}
		}
	}
	return sofar{}, false
}

// recent reads "week", "3 days" or "24 hours" after a word such as past: the time until now.
func (r *reader) recent(at int) (s span, used int, ok bool) {
	n, counted := r.number(at)
	short := ""
	switch w := r.word(at); {
	case counted:
		used = 1
	case len(w) > 1 && w[0] >= '1' && w[0] <= '9' && strings.ContainsRune("hdw", rune(w[len(w)-1])): // "24h"
		value, err := strconv.Atoi(w[:len(w)-1])
		if err != nil {
			return span{}, 0, false
		}
		n, short = float64(value), map[byte]string{'h': "hour", 'd': "day", 'w': "week"}[w[len(w)-1]]
	default:
		n = 1
	}
	if n < 1 || n > 1000 || n != float64(int(n)) {
		return span{}, 0, false
	}
	count, today := int(n), day(r.now)
	unit := cmp.Or(short, strings.TrimSuffix(r.word(at+used), "s"))
	var start time.Time
	switch unit {
	case "minute", "min":
		start = r.now.Add(-time.Duration(count) * time.Minute)
	case "hour", "hr", "h":
		start = r.now.Add(-time.Duration(count) * time.Hour)
	case "day":
		start = today.AddDate(0, 0, -count)
	case "week":
		start = today.AddDate(0, 0, -7*count)
	case "fortnight":
		start = today.AddDate(0, 0, -14*count)
	case "month":
		start = monthsBefore(today, count)
	case "quarter":
		start = monthsBefore(today, 3*count)
	case "year":
		start = monthsBefore(today, 12*count)
	default:
		return span{}, 0, false
	}
	return span{start: start}, used + 1, true
}

// isShort reports whether a word is a number with its unit: "24h".
func isShort(w string) bool {
	return len(w) > 1 && w[0] >= '1' && w[0] <= '9' && strings.Trim(w[:len(w)-1], "0123456789") == ""
}

// period reads a day, a week, a month, a quarter or a year. past says that a weekday is before today.
func (r *reader) period(at int, past bool) (s span, used int, ok bool) {
	skipped := 0
	if r.word(at) == "the" {
		at, skipped = at+1, 1
	}
	for _, read := range []func(int, bool) (span, int, bool){r.relative, r.weekday, r.date} {
		if s, used, ok = read(at, past); ok {
			if !s.start.Before(r.now) { // nothing was posted yet
				return span{}, 0, false
			}
			return s, used + skipped, true
		}
	}
	return span{}, 0, false
}

// relative reads a period by its distance from now.
func (r *reader) relative(at int, _ bool) (s span, used int, ok bool) {
	today := day(r.now)
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	switch first := r.word(at); first {
	case "today":
		return span{today, today.AddDate(0, 0, 1)}, 1, true
	case "now":
		return span{r.now.Add(-time.Millisecond), r.now}, 1, true
	case "yesterday", "yesterdays":
		return span{today.AddDate(0, 0, -1), today}, 1, true
	case "weekend":
		return weekend(today), 1, true
	case "past":
		if s, used, ok = r.recent(at + 1); ok {
			return s, used + 1, true
		}
	case "last", "previous":
		if r.word(at+1) == "weekend" {
			return weekend(today), 2, true
		}
		if _, counted := r.number(at + 1); counted || isShort(r.word(at+1)) || r.word(at+1) == "hour" ||
			r.word(at+1) == "fortnight" {
			if s, used, ok = r.recent(at + 1); ok {
				return s, used + 1, true
			}
		}
		switch r.word(at + 1) {
		case "week", "weeks":
			return span{monday.AddDate(0, 0, -7), monday}, 2, true
		case "month", "months":
			month := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
			return span{month.AddDate(0, -1, 0), month}, 2, true
		case "quarter":
			quarter := time.Date(today.Year(), (today.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
			return span{quarter.AddDate(0, -3, 0), quarter}, 2, true
		case "year", "years":
			year := time.Date(today.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
			return span{year.AddDate(-1, 0, 0), year}, 2, true
		}
	}
	if s, used, ok = r.recent(at); ok && r.word(at+used) == "ago" { // "two weeks ago": that day
		start := day(s.start)
		return span{start, start.AddDate(0, 0, 1)}, used + 1, true
	}
	return span{}, 0, false
}

// weekday reads a weekday: the most recent one.
func (r *reader) weekday(at int, past bool) (s span, used int, ok bool) {
	if r.word(at) == "last" || r.word(at) == "past" {
		used, past = 1, true
	}
	name := r.word(at + used)
	i := slices.IndexFunc(weekdays, func(w string) bool {
		return name == w || past && name == w[:3] && name != "sat" && name != "sun"
	})
	if i < 0 {
		return span{}, 0, false
	}
	back := (int(r.now.Weekday()) - i + 7) % 7
	if back == 0 && past {
		back = 7
	}
	start := day(r.now).AddDate(0, 0, -back)
	return span{start, start.AddDate(0, 0, 1)}, used + 1, true
}

// date reads a day, a month, a quarter or a year of the calendar. Without a year it is the most recent one.
func (r *reader) date(at int, _ bool) (s span, used int, ok bool) {
	first := r.word(at)
	if d, err := time.Parse(time.DateOnly, first); err == nil {
		return span{d, d.AddDate(0, 0, 1)}, 1, true
	}
	if len(first) == 2 && first[0] == 'q' && first[1] >= '1' && first[1] <= '4' {
		year, n := r.year(at + 1)
		s = recentOf(r.now, year, time.Month(3*(first[1]-'1')+1), 1)
		return span{s.start, s.start.AddDate(0, 3, 0)}, 1 + n, true
	}
	if year, n := r.year(at); n > 0 {
		start := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		return span{start, start.AddDate(1, 0, 0)}, n, true
	}
	if dayOf := ordinal(first); dayOf > 0 { // "3rd of november"
		used = 1
		if r.word(at+used) == "of" {
			used++
		}
		if month := monthOf(r.word(at+used), true); month > 0 {
			used++
			year, n := r.year(at + used)
			s = recentOf(r.now, year, month, dayOf)
			return s, used + n, !s.start.IsZero()
		}
		return span{}, 0, false
	}
	month := monthOf(first, at > 0 &&
		slices.Contains([]string{"in", "since", "of", "until", "before", "during"}, r.word(at-1)))
	if month == 0 {
		if month = monthOf(first, true); month == 0 || ordinal(r.word(at+1)) == 0 {
			return span{}, 0, false
		}
	}
	if dayOf := ordinal(r.word(at + 1)); dayOf > 0 {
		year, n := r.year(at + 2)
		s = recentOf(r.now, year, month, dayOf)
		return s, 2 + n, !s.start.IsZero()
	}
	year, n := r.year(at + 1)
	s = recentOf(r.now, year, month, 1)
	return span{s.start, s.start.AddDate(0, 1, 0)}, 1 + n, true
}

// year reads a year from 2000 to this one; used is 0 if there is none.
func (r *reader) year(at int) (year, used int) {
	n, err := strconv.Atoi(r.word(at))
	if err != nil || n < 2000 || n > r.now.Year() {
		return 0, 0
	}
	return n, 1
}

// ordinal reads a day of a month: 3, 3rd.
func ordinal(w string) int {
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		w = strings.TrimSuffix(w, suffix)
	}
	n, err := strconv.Atoi(w)
	if err != nil || n < 1 || n > 31 {
		return 0
	}
	return n
}

// monthOf reads a month. sure allows the names and short names that are words too: may, mar, dec.
func monthOf(w string, sure bool) time.Month {
	for i, name := range months {
		if w == name && (sure || name != "may") || sure && (w == name[:3] || w == "sept" && name == "september") {
			return time.Month(i + 1)
		}
	}
	return 0
}

// recentOf returns the day of a month, of the year or else the most recent one; zero if the month has no such day.
func recentOf(now time.Time, year int, month time.Month, dayOf int) span {
	given := year != 0
	if !given {
		year = now.Year()
	}
	start := time.Date(year, month, dayOf, 0, 0, 0, 0, time.UTC)
	if !given && start.After(now) {
		start = time.Date(year-1, month, dayOf, 0, 0, 0, 0, time.UTC)
	}
	if start.Month() != month {
		return span{}
	}
	return span{start, start.AddDate(0, 0, 1)}
}

// weekend returns the most recent weekend that has begun.
func weekend(today time.Time) span {
	saturday := today.AddDate(0, 0, -(int(today.Weekday())+1)%7)
	return span{saturday, saturday.AddDate(0, 0, 2)}
}

func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// monthsBefore returns the same day of an earlier month, or its last day if it has no such day.
func monthsBefore(t time.Time, n int) time.Time {
	first := time.Date(t.Year(), t.Month()-time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1)
}

// inForm writes a moment as a filter has it.
func inForm(t time.Time) string {
	if t.Equal(day(t)) {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02T15:04:05.000Z")
}
