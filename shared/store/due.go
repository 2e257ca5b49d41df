package store

import (
	"context"
	"fmt"
	"iter"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// DuePages reads the rows of the core table for which a kind of work is due, the longest overdue first. Pages have at
// most size rows; some may be empty. The index byDue, which may lag, names the rows. Each row is then read from the
// table, and is left out if its work is no longer due. The caller may write the rows between pages. An error ends the
// sequence.
func (s *Kernel) DuePages(ctx context.Context, work string, size int) iter.Seq2[[]table.Item, error] {
	return func(yield func([]table.Item, error) bool) {
		now := rows.FromTime(s.Clock.Now())
		query := table.Query{Table: rows.CoreTable, Index: rows.CoreByDue, Partition: work, To: now, Limit: size}
		for {
			page, err := s.Table.Query(ctx, query)
			if err != nil {
				yield(nil, fmt.Errorf("list the %s that is due: %w", work, err))
				return
			}
			items, err := s.All(ctx, KeysOf(page.Items))
			if err != nil {
				yield(nil, fmt.Errorf("read the %s that is due: %w", work, err))
				return
			}
			due := []table.Item{}
			for _, item := range items {
				if item != nil && rows.Text(item, rows.AttrWork) == work && rows.Text(item, rows.AttrDueAt) <= now {
					due = append(due, item)
				}
			}
			if !yield(due, nil) || page.Next == nil {
				return
			}
			query.After = page.Next
		}
	}
}

// KeysOf returns the keys of items.
func KeysOf(items []table.Item) []table.Key {
	keys := make([]table.Key, len(items))
	for i, item := range items {
		keys[i] = table.KeyOf(item)
	}
	return keys
}

// DueRows returns the first rows of DuePages, at most limit.
func (s *Kernel) DueRows(ctx context.Context, work string, limit int) ([]table.Item, error) {
	due := []table.Item{}
	for page, err := range s.DuePages(ctx, work, limit) {
		if err != nil {
			return nil, err
		}
		if due = append(due, page...); len(due) >= limit {
			return due[:limit], nil
		}
	}
	return due, nil
}
