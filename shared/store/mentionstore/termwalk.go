package mentionstore

import (
	"context"
	"fmt"
	"time"

	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// termWalk is what a walk knows of the terms of the days that it comes to.
type termWalk struct {
	from    time.Time // the terms of days from this one on are known; zero if none are
	ahead   int       // rows of the next read
	refused map[time.Time]bool
}

// termPage is what was read of a part.
type termPage struct {
	days   map[time.Time]*storedTerms
	from   time.Time // the rows of days from this one on were read
	logged bool      // some are of writers
	bytes  int
}

// loadTerms reads the terms of a day and of days before it. It leaps over the days that hold nothing the filter takes.
func (x *wordWalk) loadTerms(ctx context.Context, newest time.Time) (err error) {
	parts := x.filter.TermParts()
	pages, reads := make([]termPage, len(parts)), make([]func() error, len(parts))
	for i, part := range parts {
		reads[i] = func() (err error) {
			pages[i], err = x.readTerms(ctx, part, newest)
			return err
		}
	}
	if err := parallel.Together(reads...); err != nil {
		return fmt.Errorf("read terms of days: %w", err)
	}
	x.terms.ahead = min(4*x.terms.ahead, mostTerms)
	x.terms.from = x.bottom
	versions, logged := x.versions, false
	for _, page := range pages {
		x.unbilled += page.bytes
		logged = logged || page.logged
		if page.from.After(x.terms.from) {
			x.terms.from = page.from
		}
	}
	if logged {
		// The version is read after the rows of writers. So they cover no more changes than it has, and each of them all
		// that it covers.
		versions, err = x.s.DayVersions(ctx, x.org, x.terms.from, newest.AddDate(0, 0, 1))
		if err != nil {
			return err
		}
	}
	for day := x.terms.from; !day.After(newest); day = day.AddDate(0, 0, 1) {
		var sets [][]byte
		for _, page := range pages {
			if stored := page.days[day]; stored != nil {
				sets = append(sets, stored.sets(versions.Texts(day))...)
			}
		}
		if len(sets) > 0 && !x.filter.Terms(sets...) {
			x.terms.refused[day] = true
			x.leaps = append(x.leaps, wordBlock{above: endOf(day), down: day.Format(rows.DayForm)})
		}
	}
	x.sortLeaps()
	return nil
}

// readTerms reads a part of the terms of a day and of days before it.
func (x *wordWalk) readTerms(ctx context.Context, part int, newest time.Time) (found termPage, err error) {
	page, err := x.s.Table.Query(ctx, table.Query{
		Table:      rows.CountersTable,
		Partition:  x.org,
		From:       termsPrefix(part) + x.bottom.Format(rows.DayForm) + "#",
		To:         termsPrefix(part) + newest.Format(rows.DayForm) + "#" + top,
		Descending: true,
		Limit:      x.terms.ahead,
	})
	if err != nil {
		return found, err
	}
	found = termPage{days: map[time.Time]*storedTerms{}, from: x.bottom, bytes: page.Bytes}
	oldest := x.bottom
	for _, item := range page.Items {
		name, writer := termsKey(table.KeyOf(item).Sort, part)
		day, err := time.Parse(rows.DayForm, name)
		if err != nil {
			continue
		}
		if oldest = day; found.days[day] == nil {
			found.days[day] = &storedTerms{}
		}
		found.days[day].take(item, writer)
		found.logged = found.logged || writer != ""
	}
	if page.Next != nil {
		if found.from = oldest; len(found.days) > 1 {
			found.from = oldest.AddDate(0, 0, 1) // more of its rows may follow
		}
		delete(found.days, oldest)
	}
	return found, nil
}
