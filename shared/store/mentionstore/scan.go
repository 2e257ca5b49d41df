package mentionstore

import (
	"context"
	"time"

	"earshot/shared/filter"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Scan calls each for the row of every mention of a workspace that f selects and that was posted from start on and
// before end, relevant or not. It calls all for every row of that time, selected or not. Both are called newest first,
// and must not keep the row.
//
// Scan reads at most budget bytes: 8 KiB are a read unit, because rows are read eventually consistent. A row whose text
// decides is read by itself, and counts as whole blocks of 4 KiB, as it is billed. It returns how many bytes it has
// read. complete is false if there is more to read. The functions were then called for some of the mentions.
func (s *Store) Scan(
	ctx context.Context, orgID string, f *filter.Predicate, start, end time.Time, budget int, all, each func(*filter.Row),
) (spent int, complete bool, err error) {
	q := MentionsQuery{WorkspaceID: orgID, All: true, Filter: f, Start: start, End: end, Limit: mostFiltered}
	w := s.newWalk(q)
	w.budget = budget
	byText := f.NeedsText()
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
			w.spent += (table.Size(item) + block - 1) / block * block
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
			return w.spent, false, err
		}
		if next == nil {
			break
		}
		row := next.rows[0]
		toRow(row, &w.row)
		all(&w.row)
		switch {
		case !f.Row(&w.row):
		case byText:
			taken := place{from: next.query.Table, row: row, moment: rows.Text(row, rows.AttrMoment)}
			if undecided = append(undecided, taken); len(undecided) < MaxMentionsPage {
				break
			}
			if err := decide(); err != nil || w.spent > w.budget {
				return w.spent, false, err
			}
		default:
			each(&w.row)
		}
		w.pass(rows.Text(row, rows.AttrMoment))
	}
	err = decide()
	return w.spent, w.over() && w.spent <= w.budget, err
}

// block is how many bytes of one row are half a read unit.
const block = 4 << 10
