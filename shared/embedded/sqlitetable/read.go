package sqlitetable

import (
	"context"
	"math/bits"
	"strings"

	"zombiezen.com/go/sqlite"

	"earshot/shared/port/table"
)

// Get reads an item. Every read is consistent. The flag only affects the cost.
func (t *Table) Get(ctx context.Context, get table.Get) (table.Item, error) {
	if err := t.catalog.CheckGet(get); err != nil {
		return nil, failed("get", get.Table, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, failed("get", get.Table, err)
	}
	item, size, err := t.read(get)
	if err != nil {
		return nil, failed("get", get.Table, err)
	}
	table.Charge(ctx, table.Usage{Reads: 1, ReadUnits: table.ReadUnits(size, get.Consistent)})
	return item, nil
}

// read returns the item and its stored size, which an expired item keeps.
func (t *Table) read(get table.Get) (table.Item, int, error) {
	var item table.Item
	size := 0
	err := t.query(t.tables[get.Table].get, func(row *sqlite.Stmt) (more bool, err error) {
		size, item, err = t.one(row, get.Key)
		return false, err
	}, get.Key.Partition, get.Key.Sort)
	if err != nil || item == nil || table.Expired(item, t.clock.Now()) {
		return nil, size, err
	}
	return item, size, nil
}

// query runs a statement as conn.query does: on the writer's connection while nobody writes, otherwise on a reader. The
// writer keeps its pages in memory when this process writes. A reader drops all of its pages once another connection has
// written, and every request writes its count.
func (t *Table) query(text string, each func(row *sqlite.Stmt) (more bool, err error), values ...any) error {
	if done, err := t.writer.read(text, each, values...); done {
		return err
	}
	return t.readers.query(text, each, values...)
}

// A found row has its stored size, which an expired item keeps, and its item, nil if it is expired. The zero value is
// of a row that does not exist.
type found struct {
	item table.Item
	size int
}

// readAll reads rows: those of one table and partition with one statement. The result is aligned with the reads.
func (t *Table) readAll(gets []table.Get) ([]found, error) {
	type partition struct{ table, key string }
	together := map[partition][]int{}
	for i, get := range gets {
		of := partition{get.Table, get.Key.Partition}
		together[of] = append(together[of], i)
	}
	all, decoder := make([]found, len(gets)), t.codec.page()
	for of, places := range together {
		at := make(map[string]int, len(places)) // by the sort key
		for _, i := range places {
			at[gets[i].Key.Sort] = i
		}
		if err := t.readSeveral(of.table, of.key, at, all, decoder); err != nil {
			return nil, failed("batch get", of.table, err)
		}
	}
	return all, nil
}

// readSeveral reads the rows of a partition with the sort keys in at, and stores each in all where at says.
func (t *Table) readSeveral(tableName, partition string, at map[string]int, all []found, decoder *decoder) error {
	// The next power of two of places or multiple of ten, so that there are few statements. A key that is given twice is
	// read once.
	places := min(1<<bits.Len(uint(len(at)-1)), (len(at)+9)/10*10)
	text := "SELECT sk, size, item FROM " + t.tables[tableName].name +
		" WHERE pk = ? AND sk IN (?" + strings.Repeat(", ?", places-1) + ")"
	args := make([]any, 1, 1+places)
	args[0] = partition
	for key := range at {
		args = append(args, key)
	}
	for len(args) <= places {
		args = append(args, args[1])
	}
	now, names := t.clock.Now(), columns()[1:]
	return t.query(text, func(row *sqlite.Stmt) (more bool, err error) {
		size, item, err := decoder.row(row, names)
		if err != nil {
			return false, err
		}
		item[table.PartitionAttribute] = args[0]
		place := at[table.KeyOf(item).Sort]
		if table.Expired(item, now) {
			item = nil
		}
		all[place] = found{item, size}
		return true, nil
	}, args...)
}

// one reads a row of size and item with a key.
func (t *Table) one(row *sqlite.Stmt, key table.Key) (int, table.Item, error) {
	size, item, err := (&decoder{codec: t.codec}).row(row, nil)
	if err != nil {
		return 0, nil, err
	}
	item[table.PartitionAttribute], item[table.SortAttribute] = key.Partition, key.Sort
	return size, item, nil
}

// maxBatchBytes bounds one response of BatchGet. Further reads are unprocessed.
const maxBatchBytes = 16 << 20

// BatchGet reads items. If one read of a table is consistent, all of its table are.
func (t *Table) BatchGet(ctx context.Context, gets []table.Get) (table.Batch, error) {
	if err := t.catalog.CheckBatch(gets); err != nil {
		return table.Batch{}, failed("batch get", "", err)
	}
	if err := ctx.Err(); err != nil {
		return table.Batch{}, failed("batch get", "", err)
	}
	consistent := map[string]bool{}
	for _, get := range gets {
		consistent[get.Table] = consistent[get.Table] || get.Consistent
	}
	bound := t.misbehave.Load().BatchReads
	batch := table.Batch{Items: make([]table.Item, len(gets))}
	usage := table.Usage{Reads: 1}
	bytes := 0
	read := gets
	if bound > 0 {
		read = gets[:min(bound, len(gets))]
	}
	all, err := t.readAll(read)
	if err != nil {
		return table.Batch{}, err
	}
	for i, get := range gets {
		if i >= len(all) || bytes > maxBatchBytes {
			batch.Unprocessed = append(batch.Unprocessed, i)
			continue
		}
		batch.Items[i] = all[i].item
		bytes += all[i].size
		usage.ReadUnits += table.ReadUnits(all[i].size, consistent[get.Table])
	}
	table.Charge(ctx, usage)
	return batch, nil
}
