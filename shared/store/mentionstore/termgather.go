package mentionstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// gatheredAgain is how many mentions of a workspace one call of GatherTerms reads, about, of days that it has read
// before: late mentions of many days must not cost a reading of all.
const gatheredAgain = 10_000

// GatheredTerms counts what a call of GatherTerms did.
type GatheredTerms struct {
	Days     int // whose terms it stored
	Mentions int // that it read
}

// GatherTerms stores the terms of a workspace's days that are over and whose texts have changed since it read them
// last, the newest first. It reads each mention once, consistently, and the months' versions. It leaves out days with
// fewer than 100 mentions, which lists read as fast, and those of more than 400 days ago. It continues until the
// context's deadline is closer than enough. It may stop anywhere and run again, and two calls at once do no harm.
func (s *Store) GatherTerms(
	ctx context.Context, orgID string, enough time.Duration,
) (done GatheredTerms, finished bool, err error) {
	now := s.Clock.Now()
	start := now.Add(-summariesKept).UTC().Truncate(24 * time.Hour)
	versions, err := s.DayVersions(ctx, orgID, start, now)
	if err != nil || versions.Settled.IsZero() {
		return done, true, err
	}
	gathered, err := s.gatheredDays(ctx, orgID, start, now)
	if err != nil {
		return done, false, err
	}
	again := gatheredAgain
	days := slices.SortedFunc(maps.Keys(versions.Of), func(a, b time.Time) int { return b.Compare(a) })
	for _, day := range days {
		last, before := gathered[day]
		if day.Before(start) || !day.Before(versions.Settled) || before && (last == versions.Texts(day) || again <= 0) {
			continue
		}
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < enough {
			return done, false, nil
		}
		stored, read, err := s.gatherDay(ctx, orgID, day, versions.Texts(day))
		if err != nil {
			return done, false, fmt.Errorf("gather the terms of %s: %w", day.Format(rows.DayForm), err)
		}
		if done.Mentions += read; before {
			again -= read
		}
		if stored {
			done.Days++
		}
	}
	return done, true, nil
}

// gatheredDays returns the versions of days' texts that were gathered last.
func (s *Store) gatheredDays(ctx context.Context, orgID string, start, end time.Time) (map[time.Time]int64, error) {
	found := map[time.Time]int64{}
	query := table.Query{
		Table:     rows.CountersTable,
		Partition: orgID,
		From:      rows.SortTermed + start.UTC().Format(rows.MonthForm),
		To:        rows.SortTermed + end.UTC().Format(rows.MonthForm),
	}
	err := s.Each(ctx, query, func(item table.Item) {
		month, err := time.Parse(rows.MonthForm, strings.TrimPrefix(table.KeyOf(item).Sort, rows.SortTermed))
		if err != nil {
			return // not a key of a month
		}
		for day := month; day.Month() == month.Month(); day = day.AddDate(0, 0, 1) {
			if version, ok := item[rows.DayAttribute(day)].(int64); ok {
				found[day] = version
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read which days have terms: %w", err)
	}
	return found, nil
}

// gatherDay stores the terms of a day whose texts had a version, unless they are known, and notes it. A change since
// then makes them outdated. read is how many mentions it read.
func (s *Store) gatherDay(
	ctx context.Context, orgID string, day time.Time, version int64,
) (stored bool, read int, err error) {
	end := day.AddDate(0, 0, 1)
	cells, err := s.Volumes(ctx, orgID, 0, day, end)
	if err != nil {
		return false, 0, err
	}
	var count int64
	for _, cell := range cells {
		count += cell.Mentions
	}
	if count < fewRows {
		return false, 0, s.noteGathered(ctx, orgID, day, version)
	}
	known, err := s.hasTerms(ctx, orgID, day, version)
	if err != nil {
		return false, 0, err
	}
	if known {
		return false, 0, s.noteGathered(ctx, orgID, day, version)
	}
	var set filter.TermSet
	err = s.EachMention(ctx, orgID, day, end, func(m *mention.Mention) error {
		read++
		set.Add(m.Title, m.Body)
		return nil
	})
	if err != nil && !errors.Is(err, ErrIndexLags) {
		return false, read, err
	}
	if err != nil || int64(read) != count { // the index lags, or the day is changing
		return false, read, s.noteGathered(ctx, orgID, day, -1) // a later call tries again
	}
	if err := s.putGathered(ctx, orgID, day, version, &set); err != nil {
		return false, read, err
	}
	return true, read, s.noteGathered(ctx, orgID, day, version)
}

// putGathered stores the terms of a day whose texts had a version, unless there are those of a later one.
func (s *Store) putGathered(
	ctx context.Context, orgID string, day time.Time, version int64, set *filter.TermSet,
) error {
	var puts []func() error
	for part := range filter.TermParts {
		content := set.Append(nil, part)
		if len(content) > termsMost {
			continue
		}
		put := table.Put{
			Table: rows.CountersTable,
			Item: table.Item{
				table.PartitionAttribute: orgID,
				table.SortAttribute:      termsPrefix(part) + day.Format(rows.DayForm) + "#",
				"version":                version,
				"content":                content,
				table.ExpiryAttribute:    s.Clock.Now().Add(summariesKept).Unix(),
			},
			If: table.Any(table.Absent(), table.AtMost("version", version)),
		}
		puts = append(puts, func() error {
			err := s.Table.Put(ctx, put)
			if newer := (*table.ConditionFailed)(nil); errors.As(err, &newer) {
				return nil
			}
			return err
		})
	}
	if err := parallel.Together(puts...); err != nil {
		return fmt.Errorf("store terms: %w", err)
	}
	return nil
}

// hasTerms reports whether all parts of the terms of a day are stored, whose texts have a version.
func (s *Store) hasTerms(ctx context.Context, orgID string, day time.Time, version int64) (bool, error) {
	var known [filter.TermParts]storedTerms
	var reads []func() error
	for part := range filter.TermParts {
		prefix := termsPrefix(part) + day.Format(rows.DayForm) + "#"
		query := table.Query{
			Table:      rows.CountersTable,
			Partition:  orgID,
			From:       prefix,
			To:         prefix + top,
			Consistent: true,
		}
		reads = append(reads, func() error {
			return s.Each(ctx, query, func(item table.Item) {
				_, writer := termsKey(table.KeyOf(item).Sort, part)
				known[part].take(item, writer)
			})
		})
	}
	if err := parallel.Together(reads...); err != nil {
		return false, fmt.Errorf("read terms of a day: %w", err)
	}
	for part := range known {
		if known[part].sets(version) == nil {
			return false, nil
		}
	}
	return true, nil
}

func (s *Store) noteGathered(ctx context.Context, orgID string, day time.Time, version int64) error {
	_, err := s.Table.Update(ctx, table.Update{
		Table: rows.CountersTable,
		Key:   table.Key{Partition: orgID, Sort: rows.SortTermed + day.Format(rows.MonthForm)},
		Set:   map[string]any{rows.DayAttribute(day): version},
	})
	if err != nil {
		return fmt.Errorf("note that terms are gathered: %w", err)
	}
	return nil
}
