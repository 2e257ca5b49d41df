package mentionstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// archiveGrace is how long a mention stays in both tables. An index of the archive may lag behind its table. After this
// time it shows the mention, before the mentions' index drops it.
const archiveGrace = time.Hour

// Archived counts what a pass of Archive did.
type Archived struct {
	Copied int // now in both tables
	Moved  int // now in the archive alone
}

// Archive moves a workspace's mentions that are older than 180 days to the archive. It first copies a mention. Once the
// copy is archiveGrace old and still the same, it deletes the original, so that a reader finds the mention at every
// moment. It continues until all are moved or the context's deadline is closer than enough. It may stop anywhere and
// run again, and two passes at once do no harm.
func (s *Store) Archive(
	ctx context.Context, orgID string, enough time.Duration,
) (done Archived, finished bool, err error) {
	for _, stream := range []string{rows.StreamRelevant, rows.StreamOther} {
		query := table.Query{
			Table:     rows.MentionsTable,
			Index:     rows.MentionsByTime,
			Partition: orgID + stream,
			To:        s.archiveCutoff(),
			Limit:     50,
		}
		for {
			if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < enough {
				return done, false, nil
			}
			page, err := s.Table.Query(ctx, query)
			if err != nil {
				return done, false, fmt.Errorf("find old mentions: %w", err)
			}
			for _, row := range page.Items {
				if err := s.archive(ctx, table.KeyOf(row), &done); err != nil {
					return done, false, err
				}
			}
			if page.Next == nil {
				break
			}
			query.After = page.Next
		}
	}
	return done, true, nil
}

// archive takes one mention one step further.
func (s *Store) archive(ctx context.Context, key table.Key, done *Archived) error {
	batch, err := table.GetAll(ctx, s.Table, []table.Get{
		{
			Table:      rows.MentionsTable,
			Key:        key,
			Consistent: true,
		},
		{Table: rows.ArchiveTable, Key: key, Consistent: true},
	})
	if err != nil {
		return fmt.Errorf("read an old mention: %w", err)
	}
	row, copied := batch[0], batch[1]
	now := s.Clock.Now()
	switch {
	case row == nil || timestampIn(row) >= s.archiveCutoff():
		return nil // the index lags
	case copied == nil || rows.Integer(copied, "rev") != rows.Integer(row, "rev"):
		row["archivedAt"] = rows.FromTime(now)
		// The copy matches the row: a writer that changes the row meanwhile cancels this transaction. Another mention
		// under the same sourceId is not overwritten.
		err = s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Put{
				Table: rows.ArchiveTable,
				Item:  row,
				If: table.Any(
					table.Absent(), table.Equal(rows.AttrNumericID, rows.IDKey(idIn(row))), table.Equal("id", idIn(row)),
				),
			},
			table.Check{Table: rows.MentionsTable, Key: key, If: table.Equal("rev", rows.Integer(row, "rev"))},
		}})
		if err == nil {
			done.Copied++
		}
	case now.Sub(rows.ToTime(rows.Text(copied, "archivedAt"))) >= archiveGrace:
		err = s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Delete{Table: rows.MentionsTable, Key: key, If: table.Equal("rev", rows.Integer(row, "rev"))},
			table.Check{Table: rows.ArchiveTable, Key: key, If: table.Equal("rev", rows.Integer(row, "rev"))},
		}})
		if err == nil {
			done.Moved++
		}
	}
	var canceled *table.Canceled
	if errors.As(err, &canceled) {
		return nil // it was changed meanwhile, and the next pass reads it again
	}
	if err != nil {
		return fmt.Errorf("archive a mention: %w", err)
	}
	return nil
}
