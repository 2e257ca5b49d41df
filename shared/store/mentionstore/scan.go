package mentionstore

import (
	"context"
	"errors"

	"earshot/shared/filter"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// ErrBudget means that a scan would read more than its budget.
var ErrBudget = errors.New("mentionstore: the scan would read more than its budget")

// Scan calls each for the row of every mention that a query selects, and all for every row in the query's window,
// selected or not. Both are called newest first, and must not keep the row. Scan returns how many bytes it read: 8 KiB
// are a read unit, because indexes are read eventually consistent. It does not read the query's Limit and After.
//
// Returns ErrBudget if the scan would read more than budget bytes. The functions were then called for some mentions.
func (s *Store) Scan(
	ctx context.Context, q MentionsQuery, budget int, all, each func(*filter.Row),
) (read int, err error) {
	q.Limit, q.After = mostFiltered, ""
	w := s.newWalk(q)
	w.budget = budget
	byText := q.Filter != nil && q.Filter.NeedsText()
	var undecided []place // rows whose texts decide
	decide := func() error {
		items, err := s.rowsAt(ctx, undecided, q.promises)
		if err != nil {
			return err
		}
		for _, item := range items {
			if item == nil {
				continue
			}
			w.spent += table.Size(item)
			if m := toMention(item); q.lists(&m) {
				w.row.Fill(&m)
				each(&w.row)
			}
		}
		undecided = undecided[:0]
		return nil
	}
	for {
		next, err := w.fill(ctx)
		if err != nil {
			return w.spent, err
		}
		if next == nil {
			break
		}
		row := next.rows[0]
		toRow(row, &w.row)
		all(&w.row)
		switch {
		case q.Filter != nil && !q.Filter.Row(&w.row):
		case byText:
			taken := place{from: next.query.Table, row: row, moment: rows.Text(row, rows.AttrMoment)}
			if undecided = append(undecided, taken); len(undecided) < MaxMentionsPage {
				break
			}
			if err := decide(); err != nil {
				return w.spent, err
			}
		default:
			each(&w.row)
		}
		w.pass(rows.Text(row, rows.AttrMoment))
	}
	if !w.over() {
		return w.spent, ErrBudget
	}
	return w.spent, decide()
}
