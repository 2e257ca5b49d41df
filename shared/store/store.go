// Package store is the kernel of the stores: it reads rows in batches, repeats a change that met another, does a thing
// once, draws ids, counts what is limited by the hour, and stores responses for repeated requests. It is written once,
// over port/table, so that a store behaves the same on every adapter.
//
// The stores are packages of their own below it: mentions, listening, people, workspaces, setup and purges. They embed
// the kernel. Functions import it for its errors, and mains make it.
package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Kernel holds what the stores share: the table, the clock, and ways to read, to change under contention, and to do a
// thing once. Each store embeds it.
type Kernel struct {
	Table table.Table
	Clock clock.Clock

	reserving sync.Mutex
	reserved  map[table.Key]int64 // sequences to the id up to which nothing more need be reserved
}

// New returns a Kernel over t, which should retry by itself (table.Retrying).
func New(t table.Table, c clock.Clock) *Kernel {
	return &Kernel{Table: t, Clock: c, reserved: map[table.Key]int64{}}
}

// ErrNotFound means that there is no such row.
var ErrNotFound = errors.New("store: not found")

// ErrConflict means that another writer changed the row after it was read: read it again.
var ErrConflict = errors.New("store: changed by another writer")

// Today returns the first moment of the day in UTC.
func (s *Kernel) Today() time.Time { return s.Clock.Now().UTC().Truncate(24 * time.Hour) }

// Instant returns now as rows keep it, to the millisecond.
func (s *Kernel) Instant() time.Time { return s.Clock.Now().UTC().Truncate(time.Millisecond) }

// Get reads one row. Returns nil if there is none.
func (s *Kernel) Get(ctx context.Context, from string, key table.Key) (table.Item, error) {
	item, err := s.Table.Get(ctx, table.Get{Table: from, Key: key, Consistent: true})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", from, err)
	}
	return item, nil
}

// Row reads a row of the core table. Returns ErrNotFound if there is none.
func (s *Kernel) Row(ctx context.Context, key table.Key) (table.Item, error) {
	item, err := s.Get(ctx, rows.CoreTable, key)
	if err == nil && item == nil {
		err = ErrNotFound
	}
	return item, err
}

// One reads a row of the core table and decodes it with to. Returns ErrNotFound if there is none.
func One[T any](ctx context.Context, s *Kernel, key table.Key, to func(table.Item) T) (found T, err error) {
	item, err := s.Row(ctx, key)
	if err != nil {
		return found, err
	}
	return to(item), nil
}

// Each calls do with every item of a range.
func (s *Kernel) Each(ctx context.Context, query table.Query, do func(table.Item)) error {
	for {
		page, err := s.Table.Query(ctx, query)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			do(item)
		}
		if page.Next == nil {
			return nil
		}
		query.After = page.Next
	}
}

// AllOf lists a range of the core table, each row decoded by to; never nil. what names the range in an error.
func AllOf[T any](ctx context.Context, s *Kernel, what string, query table.Query, to func(table.Item) T) ([]T, error) {
	query.Table = rows.CoreTable
	found := []T{}
	if err := s.Each(ctx, query, func(item table.Item) { found = append(found, to(item)) }); err != nil {
		return nil, fmt.Errorf("list %s: %w", what, err)
	}
	return found, nil
}

// SomeOf is AllOf for the first limit rows, or all rows with a limit of 0. more reports whether the range has further
// rows.
func SomeOf[T any](
	ctx context.Context, s *Kernel, what string, query table.Query, limit int, to func(table.Item) T,
) (found []T, more bool, err error) {
	if limit == 0 {
		found, err = AllOf(ctx, s, what, query, to)
		return found, false, err
	}
	query.Table = rows.CoreTable
	return first(ctx, s, what, query, limit, func(item table.Item) (T, error) { return to(item), nil })
}

// Newest lists rows of the counters table whose sort keys are a prefix and an id, those with the greatest ids first: at
// most limit of those below the id before, each decoded by to; never nil. An empty id lists from the greatest. more
// reports whether further ones follow. what names the rows in an error.
func Newest[T any](
	ctx context.Context, s *Kernel, what, orgID, prefix, before string, limit int, to func(table.Item) (T, error),
) (found []T, more bool, err error) {
	query := table.Query{
		Table: rows.CountersTable, Partition: orgID, Prefix: prefix, Descending: true, Consistent: true,
	}
	if before != "" {
		query.After = &table.Position{Key: table.Key{Partition: orgID, Sort: prefix + before}}
	}
	return first(ctx, s, what, query, limit, to)
}

// first lists the first limit rows of a range; never nil.
func first[T any](
	ctx context.Context, s *Kernel, what string, query table.Query, limit int, to func(table.Item) (T, error),
) (found []T, more bool, err error) {
	query.Limit, found = limit+1, []T{}
	for {
		page, err := s.Table.Query(ctx, query)
		if err != nil {
			return nil, false, fmt.Errorf("list %s: %w", what, err)
		}
		for _, item := range page.Items {
			if len(found) == limit {
				return found, true, nil
			}
			one, err := to(item)
			if err != nil {
				return nil, false, err
			}
			found = append(found, one)
		}
		if page.Next == nil {
			return found, false, nil
		}
		query.After = page.Next
	}
}

// All reads rows of the core table, in the order of the keys. An item is nil if there is no such row.
func (s *Kernel) All(ctx context.Context, keys []table.Key) ([]table.Item, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	gets := make([]table.Get, len(keys))
	for i, key := range keys {
		gets[i] = table.Get{Table: rows.CoreTable, Key: key, Consistent: true}
	}
	items, err := table.GetAll(ctx, s.Table, gets)
	if err != nil {
		return nil, fmt.Errorf("read rows: %w", err)
	}
	return items, nil
}
