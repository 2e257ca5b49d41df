package sqlitetable

import (
	"context"
	"database/sql"

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
	statement, err := t.statement(t.tables[get.Table].get)
	if err != nil {
		return nil, 0, err
	}
	rows, err := statement.QueryContext(background(), get.Key.Partition, get.Key.Sort)
	if err != nil {
		return nil, 0, err
	}
	size, item, err := t.one(rows)
	if err != nil || item == nil || table.Expired(item, t.clock.Now()) {
		return nil, size, err
	}
	return item, size, nil
}

// one reads a row of size and item, if there is one, and closes the rows.
func (t *Table) one(rows *sql.Rows) (int, table.Item, error) {
	defer rows.Close()
	if !rows.Next() {
		return 0, nil, rows.Err()
	}
	var size int
	var data sql.RawBytes
	if err := rows.Scan(&size, &data); err != nil {
		return 0, nil, err
	}
	item, err := t.codec.decode(data)
	return size, item, err
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
	for i, get := range gets {
		if (bound > 0 && i >= bound) || bytes > maxBatchBytes {
			batch.Unprocessed = append(batch.Unprocessed, i)
			continue
		}
		item, size, err := t.read(get)
		if err != nil {
			return table.Batch{}, failed("batch get", get.Table, err)
		}
		batch.Items[i] = item
		bytes += size
		usage.ReadUnits += table.ReadUnits(size, consistent[get.Table])
	}
	table.Charge(ctx, usage)
	return batch, nil
}
