package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/port/table"
)

// Store is every repository over one Table.
type Store struct {
	table table.Table
	clock clock.Clock

	reserving sync.Mutex
	reserved  map[table.Key]int64 // sequences to the id up to which nothing more need be reserved
}

// New makes the repositories. The table should retry by itself (table.Retrying).
func New(t table.Table, c clock.Clock) *Store {
	return &Store{table: t, clock: c, reserved: map[table.Key]int64{}}
}

// ErrNotFound means that there is no such row.
var ErrNotFound = errors.New("store: not found")

// ErrConflict means that another writer changed the row after it was read: read it again.
var ErrConflict = errors.New("store: changed by another writer")

// textTime is how rows keep a time: sortable, to the millisecond, empty for the zero time.
const textTime = "2006-01-02T15:04:05.000Z"

func fromTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(textTime)
}

func toTime(text string) time.Time {
	t, _ := time.Parse(textTime, text) // what fromTime wrote, or empty
	return t
}

// instant is now as rows keep it.
func (s *Store) instant() time.Time { return s.clock.Now().UTC().Truncate(time.Millisecond) }

// str, integer, boolean and bytes read an attribute that this package wrote; a missing one is the zero value.
func str(item table.Item, name string) string    { v, _ := item[name].(string); return v }
func integer(item table.Item, name string) int64 { v, _ := item[name].(int64); return v }
func boolean(item table.Item, name string) bool  { v, _ := item[name].(bool); return v }
func bytes(item table.Item, name string) []byte  { v, _ := item[name].([]byte); return v }

func list(item table.Item, name string) []any { v, _ := item[name].([]any); return v }

func strs(item table.Item, name string) []string {
	elements := list(item, name)
	texts := make([]string, 0, len(elements))
	for _, element := range elements {
		if text, ok := element.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

func fromStrings[T ~string](texts []T) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = string(text)
	}
	return list
}

// set leaves an attribute out when it has nothing to say: rows are billed by the byte.
func set[T comparable](item table.Item, name string, value T) {
	var zero T
	if value != zero {
		item[name] = value
	}
}

// setIf leaves an attribute out when there is none, and keeps one that is empty.
func setIf[T any](item table.Item, name string, value *T) {
	if value != nil {
		item[name] = *value
	}
}

// pointer reads an attribute that may be missing.
func pointer[T any](item table.Item, name string) *T {
	value, ok := item[name].(T)
	if !ok {
		return nil
	}
	return &value
}

// get reads one row; nil when there is none.
func (s *Store) get(ctx context.Context, from string, key table.Key) (table.Item, error) {
	item, err := s.table.Get(ctx, table.Get{Table: from, Key: key, Consistent: true})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", from, err)
	}
	return item, nil
}

// row reads a row of the core table. Answers ErrNotFound.
func (s *Store) row(ctx context.Context, key table.Key) (table.Item, error) {
	item, err := s.get(ctx, CoreTable, key)
	if err == nil && item == nil {
		err = ErrNotFound
	}
	return item, err
}

// one is row, read by to.
func one[T any](ctx context.Context, s *Store, key table.Key, to func(table.Item) T) (found T, err error) {
	item, err := s.row(ctx, key)
	if err != nil {
		return found, err
	}
	return to(item), nil
}

// each calls do with every item of a range.
func (s *Store) each(ctx context.Context, query table.Query, do func(table.Item)) error {
	for {
		page, err := s.table.Query(ctx, query)
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

// allOf lists a range of the core table, each item read by to; never nil. what names it in an error.
func allOf[T any](ctx context.Context, s *Store, what string, query table.Query, to func(table.Item) T) ([]T, error) {
	query.Table = CoreTable
	found := []T{}
	if err := s.each(ctx, query, func(item table.Item) { found = append(found, to(item)) }); err != nil {
		return nil, fmt.Errorf("list %s: %w", what, err)
	}
	return found, nil
}

// room holds while n more leave a counter at most at its bound. One that is not there yet has counted nothing.
func room(counter string, n, most int64) table.Condition {
	return table.Any(table.Missing(counter), table.AtMost(counter, most-n))
}
