package mentionstore

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// The terms of a day are the words of all texts of its mentions, relevant or not. A list whose filter asks for a text
// passes over the days whose terms refuse it. Only of other days it reads the words by blocks, or the rows.
//
// Two writers store terms. GatherTerms reads a day that is over once, and its row is valid while the day's texts have
// the version that it read. Who puts mentions in by PutMentions keeps the terms in memory, and stores them now and then
// in a row of its own. Such a row says how many changes of the day's texts it covers. Together the rows are valid if
// they cover all. Each change is covered by one writer at most, after it is stored, so that nothing needs a
// transaction: what is lost when a writer dies is missing from the sum, and the day's rows are read.
//
// The terms are stored in parts (filter.TermParts), so that a list reads only those of its filter's words. Each part is
// valid by itself.
//
// A change of a verdict leaves terms valid (DayVersions.Texts).

const (
	// termsMost bounds a part of the terms of a day in bytes. A day that has more lacks it.
	termsMost = 300 << 10
	// loggedMost bounds the terms that a process keeps in memory: 40 MiB.
	loggedMost = 5 << 20
	// loggedFor is how long terms stay in memory alone while mentions are put in.
	loggedFor = 10 * time.Second
	// termWrites is how many rows of terms are stored at the same time.
	termWrites = 8
)

// A termLog holds the terms of mentions that this process has put in, by day. The zero value is empty.
type termLog struct {
	mu      sync.Mutex
	days    map[termDay]*loggedTerms
	held    int // terms of all days, as of their last change
	stored  map[string]time.Time
	writing sync.Mutex // held while rows are stored: the rows of a writer are stored in order
}

type termDay struct{ org, day string }

// loggedTerms is what one row of a writer holds.
type loggedTerms struct {
	writer string
	set    filter.TermSet
	terms  int
	covers int64
	dirty  bool // not stored yet
}

// add notes mentions that a transaction has stored, and the days whose texts it changed, as rows.DayForm has them.
func (l *termLog) add(orgID string, stored []*mention.Mention, days []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, day := range days {
		one := l.day(termDay{orgID, day})
		one.covers, one.dirty = one.covers+1, true
	}
	for _, m := range stored {
		l.day(termDay{orgID, m.PostedAt.UTC().Format(rows.DayForm)}).set.Add(m.Title, m.Body)
	}
	for _, day := range days {
		one := l.day(termDay{orgID, day})
		l.held += one.set.Size() - one.terms
		one.terms = one.set.Size()
	}
}

func (l *termLog) day(day termDay) *loggedTerms {
	if l.days == nil {
		l.days, l.stored = map[termDay]*loggedTerms{}, map[string]time.Time{}
	}
	one := l.days[day]
	if one == nil {
		var id [8]byte
		_, _ = rand.Read(id[:]) // it never fails
		one = &loggedTerms{writer: hex.EncodeToString(id[:])}
		l.days[day] = one
	}
	return one
}

// due reports whether the terms of a workspace should be stored.
func (l *termLog) due(orgID string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.days == nil {
		return false
	}
	at, known := l.stored[orgID]
	if !known {
		l.stored[orgID] = now
	}
	return l.held > loggedMost || known && (now.Sub(at) >= loggedFor || now.Before(at))
}

// storeTerms stores the terms of a workspace that are in memory alone. If there are too many, it stores those of all
// workspaces and forgets them. Later mentions begin other rows.
func (s *Store) storeTerms(ctx context.Context, orgID string) error {
	l := &s.terms
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	var puts []table.Update
	var of []*loggedTerms
	full := l.held > loggedMost
	for day, one := range l.days {
		if day.org != orgID && !full || !one.dirty {
			continue
		}
		one.dirty = false
		for part := range filter.TermParts {
			content := one.set.Append(nil, part)
			if len(content) > termsMost {
				continue
			}
			of = append(of, one)
			puts = append(puts, table.Update{
				Table: rows.CountersTable,
				Key:   table.Key{Partition: day.org, Sort: termsPrefix(part) + day.day + "#" + one.writer},
				Set: map[string]any{
					rows.AttrCovers:       one.covers,
					"content":             content,
					table.ExpiryAttribute: s.Clock.Now().Add(summariesKept).Unix(),
				},
			})
		}
	}
	if l.days != nil {
		l.stored[orgID] = s.Clock.Now()
	}
	if full {
		l.days, l.stored, l.held = nil, nil, 0
	}
	l.mu.Unlock()
	errs := make([]error, len(puts))
	parallel.Few(termWrites, len(puts), func(i int) {
		if _, errs[i] = s.Table.Update(ctx, puts[i]); errs[i] != nil {
			l.mu.Lock()
			of[i].dirty = true
			l.mu.Unlock()
		}
	})
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("store terms of days: %w", err)
	}
	return nil
}

// daysIn returns the days of versions, as rows.DayForm has them.
func daysIn(versions map[string]map[string]int64) (days []string) {
	for month, numbers := range versions {
		for name := range numbers {
			if day, ok := strings.CutPrefix(name, "v"); ok {
				days = append(days, month+"-"+day)
			}
		}
	}
	return days
}

// storedTerms are the rows of a part of the terms of one day.
type storedTerms struct {
	gathered []byte // of the row of GatherTerms
	version  int64  // of the day's texts in it
	logged   [][]byte
	covers   int64 // of all logged ones
}

// take adds the row of a writer, or of GatherTerms, which has none.
func (t *storedTerms) take(item table.Item, writer string) {
	if writer == "" {
		t.gathered, t.version = rows.Bytes(item, "content"), rows.Integer(item, "version")
		return
	}
	t.logged = append(t.logged, rows.Bytes(item, "content"))
	t.covers += rows.Integer(item, rows.AttrCovers)
}

// sets returns those that together hold the part of the terms of a day whose texts have a version; nil if they are not
// known.
func (t *storedTerms) sets(version int64) [][]byte {
	switch {
	case version <= 0:
		return nil
	case t.gathered != nil && t.version == version:
		return [][]byte{t.gathered}
	case t.logged != nil && t.covers == version:
		return t.logged
	}
	return nil
}

// termsPrefix returns what the sort keys of the rows of a part begin with.
func termsPrefix(part int) string { return rows.SortTerms + strconv.Itoa(part) + "#" }

// termsKey splits the sort key of a row of a part.
func termsKey(sort string, part int) (day, writer string) {
	day, writer, _ = strings.Cut(strings.TrimPrefix(sort, termsPrefix(part)), "#")
	return day, writer
}
