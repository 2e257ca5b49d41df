package mentionstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Restored counts a workspace's mentions in a table that was restored from a backup.
type Restored struct {
	Rows int // that it has
	Lost int // of them, that are neither among the mentions nor in the archive
	Back int // of the lost mentions: those that were put back
}

const (
	restorePage  = table.MaxBatchGet / 2 // rows compared at once: what one batch reads in both tables
	restoreWidth = 16                    // rows put back at the same time
)

// RestoreMentions compares the mentions of a workspace in another table, from, with those that it has. If put is true,
// it puts lost ones back. of is MentionsTable or ArchiveTable: the table that from restores, and the one that lost
// mentions go back to. A mention that has moved to the archive or has changed since is not lost and stays as it is. It
// may run again, and at the same time as everything else.
//
// The counts of mentions stay, because they count what came in. Returns ErrNotFound if the workspace does not exist:
// its rows would belong to nobody.
func (s *Store) RestoreMentions(
	ctx context.Context, from table.Table, of, workspaceID string, put bool,
) (done Restored, err error) {
	if of != rows.MentionsTable && of != rows.ArchiveTable {
		return done, fmt.Errorf("store: no mentions are in the table %q", of)
	}
	if _, err := s.Row(ctx, rows.OwnerKey(workspaceID)); err != nil {
		return done, err
	}
	asked := table.Query{Table: of, Partition: workspaceID, Limit: restorePage}
	for {
		page, err := from.Query(ctx, asked)
		if err != nil {
			return done, fmt.Errorf("read a backup: %w", err)
		}
		if err := s.putBack(ctx, of, page.Items, put, &done); err != nil {
			return done, err
		}
		if page.Next == nil {
			return done, nil
		}
		asked.After = page.Next
	}
}

// putBack restores a page of mentions.
func (s *Store) putBack(ctx context.Context, of string, items []table.Item, put bool, done *Restored) error {
	var gets []table.Get
	for _, item := range items {
		for _, name := range []string{rows.MentionsTable, rows.ArchiveTable} {
			gets = append(gets, table.Get{Table: name, Key: table.KeyOf(item), Consistent: true})
		}
	}
	there, err := table.GetAll(ctx, s.Table, gets)
	if err != nil {
		return fmt.Errorf("look for lost mentions: %w", err)
	}
	var lost []table.Item
	for i, item := range items {
		if there[2*i] == nil && there[2*i+1] == nil {
			lost = append(lost, item)
		}
	}
	done.Rows += len(items)
	done.Lost += len(lost)
	if !put {
		return nil
	}
	var back atomic.Int64
	for some := range slices.Chunk(lost, restoreWidth) {
		puts := make([]func() error, len(some))
		for i, item := range some {
			puts[i] = func() error {
				err := s.Table.Put(ctx, table.Put{Table: of, Item: item, If: table.Absent()})
				if failed := (*table.ConditionFailed)(nil); errors.As(err, &failed) {
					return nil // it was ingested again meanwhile, or this very request was sent twice
				}
				if err == nil {
					back.Add(1)
				}
				return err
			}
		}
		if err := parallel.Together(puts...); err != nil {
			return fmt.Errorf("put mentions back: %w", err)
		}
	}
	done.Back += int(back.Load())
	return nil
}
