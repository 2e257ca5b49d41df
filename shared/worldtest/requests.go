package worldtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"earshot/shared/port/table"
)

// Requests is a table that lists what it is asked, each request by its kind and its rows. A row is named by its table and
// the beginning of its sort key, or of its partition if that is no workspace's: "get core workspace",
// "batchGet archive, mentions". It is safe for concurrent use.
type Requests struct {
	table.Table

	mu    sync.Mutex
	asked []string
}

// Take returns what was asked, in the order of the words, and forgets it.
func (r *Requests) Take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	asked := r.asked
	r.asked = nil
	slices.Sort(asked)
	return asked
}

func (r *Requests) add(kind string, rows ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	each := map[string]bool{}
	for _, row := range rows {
		each[row] = true
	}
	r.asked = append(r.asked, fmt.Sprint(kind, " ", strings.Join(slices.Sorted(maps.Keys(each)), ", ")))
}

// rowOf names a row.
func rowOf(in string, key table.Key) string {
	if in == "mentions" || in == "archive" && strings.HasPrefix(key.Partition, "org_") {
		return in
	}
	text := key.Sort
	if !strings.HasPrefix(key.Partition, "org_") {
		text = key.Partition
	}
	text, _, _ = strings.Cut(text, "#")
	return in + " " + text
}

// Get reads an item.
func (r *Requests) Get(ctx context.Context, get table.Get) (table.Item, error) {
	r.add("get", rowOf(get.Table, get.Key))
	return r.Table.Get(ctx, get)
}

// BatchGet reads items.
func (r *Requests) BatchGet(ctx context.Context, gets []table.Get) (table.Batch, error) {
	rows := make([]string, len(gets))
	for i, get := range gets {
		rows[i] = rowOf(get.Table, get.Key)
	}
	r.add("batchGet", rows...)
	return r.Table.BatchGet(ctx, gets)
}

// Query reads a range.
func (r *Requests) Query(ctx context.Context, query table.Query) (table.Page, error) {
	row := rowOf(query.Table, table.Key{Partition: query.Partition, Sort: query.Prefix + query.From})
	if query.Index != "" {
		row = query.Table + " " + query.Index
	}
	r.add("query", row)
	return r.Table.Query(ctx, query)
}

// Put writes an item.
func (r *Requests) Put(ctx context.Context, put table.Put) error {
	r.add("put", rowOf(put.Table, table.KeyOf(put.Item)))
	return r.Table.Put(ctx, put)
}

// Update changes an item.
func (r *Requests) Update(ctx context.Context, update table.Update) (table.Item, error) {
	r.add("update", rowOf(update.Table, update.Key))
	return r.Table.Update(ctx, update)
}

// Delete removes an item.
func (r *Requests) Delete(ctx context.Context, del table.Delete) error {
	r.add("delete", rowOf(del.Table, del.Key))
	return r.Table.Delete(ctx, del)
}

// Transact does all writes or none.
func (r *Requests) Transact(ctx context.Context, tx table.Transaction) error {
	rows := make([]string, len(tx.Writes))
	for i, write := range tx.Writes {
		in, key, _ := table.TargetOf(write)
		rows[i] = rowOf(in, key)
	}
	r.add("transact", rows...)
	return r.Table.Transact(ctx, tx)
}
