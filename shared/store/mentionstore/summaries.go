package mentionstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Summaries of days.
const (
	// summariesKept is how long a summary is kept after it was written: longer than a period of a query, so that the
	// days of a year that somebody looks at daily do not expire together.
	summariesKept = 400 * 24 * time.Hour
	// summaryDays is how many days one read of summaries covers, and summaryReads how many reads run at the same time.
	summaryDays  = 32
	summaryReads = 8
)

// Summaries lists the stored summaries of a workspace from the day of start up to, but not including, the day of end,
// the oldest first. It reads them eventually consistent, because an old one has an old stamp.
func (s *Store) Summaries(ctx context.Context, orgID string, start, end time.Time) ([]mention.Summary, error) {
	var queries []table.Query
	for from := start; from.Before(end); from = from.AddDate(0, 0, summaryDays) {
		to := from.AddDate(0, 0, summaryDays)
		if to.After(end) {
			to = end
		}
		queries = append(queries, table.Query{
			Table:     rows.CountersTable,
			Partition: orgID,
			From:      rows.SortSummary + from.UTC().Format(rows.DayForm),
			To:        rows.SortSummary + to.UTC().AddDate(0, 0, -1).Format(rows.DayForm),
		})
	}
	found, errs := make([][]mention.Summary, len(queries)), make([]error, len(queries))
	parallel.Few(summaryReads, len(queries), func(i int) {
		errs[i] = s.Each(ctx, queries[i], func(item table.Item) {
			day, err := time.Parse(rows.DayForm, rows.Text(item, table.SortAttribute)[len(rows.SortSummary):])
			if err != nil {
				return // not a key that PutSummaries writes
			}
			found[i] = append(found[i], mention.Summary{
				Day:     day,
				Stamp:   rows.Bytes(item, "stamp"),
				Content: rows.Bytes(item, "content"),
			})
		})
	})
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("read summaries: %w", err)
	}
	return slices.Concat(found...), nil
}

// IsOver reports whether a day of UTC is over.
func (s *Store) IsOver(day time.Time) bool { return !day.Add(24 * time.Hour).After(s.Clock.Now()) }

// PutSummaries stores summaries in place of those of the same days. It leaves out days that are not over, because their
// summaries would soon be outdated. Several callers at once do no harm: the stamp says which cells a content is of.
func (s *Store) PutSummaries(ctx context.Context, orgID string, summaries []mention.Summary) (stored int, err error) {
	now := s.Clock.Now()
	over := slices.DeleteFunc(slices.Clone(summaries), func(one mention.Summary) bool { return !s.IsOver(one.Day) })
	errs := make([]error, len(over))
	parallel.Few(summaryReads, len(over), func(i int) {
		_, errs[i] = s.Table.Update(ctx, table.Update{
			Table: rows.CountersTable,
			Key:   table.Key{Partition: orgID, Sort: rows.SortSummary + over[i].Day.UTC().Format(rows.DayForm)},
			Set: map[string]any{
				"stamp":               over[i].Stamp,
				"content":             over[i].Content,
				table.ExpiryAttribute: now.Add(summariesKept).Unix(),
			},
		})
	})
	if err := errors.Join(errs...); err != nil {
		return 0, fmt.Errorf("store summaries: %w", err)
	}
	return len(over), nil
}
