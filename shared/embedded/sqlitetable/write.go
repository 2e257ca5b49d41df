package sqlitetable

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"zombiezen.com/go/sqlite"

	"earshot/shared/port/table"
)

// Put writes a whole item.
func (t *Table) Put(ctx context.Context, put table.Put) error {
	if err := t.catalog.CheckPut(put); err != nil {
		return failed("put", put.Table, err)
	}
	_, err := t.write(ctx, "put", put.Table, put)
	return err
}

// Update changes attributes of an item.
func (t *Table) Update(ctx context.Context, update table.Update) (table.Item, error) {
	if err := t.catalog.CheckUpdate(update); err != nil {
		return nil, failed("update", update.Table, err)
	}
	return t.write(ctx, "update", update.Table, update)
}

// Delete removes an item.
func (t *Table) Delete(ctx context.Context, del table.Delete) error {
	if err := t.catalog.CheckDelete(del); err != nil {
		return failed("delete", del.Table, err)
	}
	_, err := t.write(ctx, "delete", del.Table, del)
	return err
}

func (t *Table) write(ctx context.Context, doing, tableName string, write table.Write) (table.Item, error) {
	var done outcome
	err := t.writer.do(ctx, func(w *writer) (err error) {
		done, err = t.apply(w, write)
		return err
	})
	if err == nil || !isContext(err) {
		table.Charge(ctx, table.Usage{Writes: 1, WriteUnits: done.units + done.indexUnits})
	}
	var condition *table.ConditionFailed
	if errors.As(err, &condition) {
		return nil, condition
	}
	if err != nil {
		return nil, failed(doing, tableName, err)
	}
	return done.item, nil
}

func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// An outcome is the result of one write.
type outcome struct {
	item       table.Item // as it is after the write; nil if it was removed or only checked
	units      float64
	indexUnits float64
}

// apply does one write within the writer's transaction. Returns *table.ConditionFailed and table.ErrTooLarge.
func (t *Table) apply(w *writer, write table.Write) (outcome, error) {
	name, key, condition := table.TargetOf(write)
	l := t.tables[name]
	size, old, err := t.load(w, l, key)
	if err != nil {
		return outcome{}, err
	}
	if !holds(condition, old, t.clock.Now()) {
		return outcome{units: table.WriteUnits(size)}, &table.ConditionFailed{Item: old}
	}
	var item table.Item
	switch write := write.(type) {
	case table.Check:
		return outcome{units: table.WriteUnits(size)}, nil
	case table.Put:
		item = write.Item
	case table.Update:
		if item, err = changed(old, write); err != nil {
			return outcome{}, err
		}
	}
	after := table.Size(item)
	if after > table.MaxItemBytes {
		return outcome{}, fmt.Errorf("%w: %d bytes", table.ErrTooLarge, after)
	}
	indexUnits, err := t.replace(w, l, key, old, item, after)
	return outcome{item, table.WriteUnits(max(size, after)), indexUnits}, err
}

// changed returns the item after an update. It shares nothing with the update and leaves old as it is.
func changed(old table.Item, update table.Update) (table.Item, error) {
	item := maps.Clone(old)
	if item == nil {
		item = make(table.Item, 2+len(update.Set)+len(update.Add))
		item[table.PartitionAttribute], item[table.SortAttribute] = update.Key.Partition, update.Key.Sort
	}
	for name, value := range update.Set {
		item[name] = table.Clone(value)
	}
	for name, amount := range update.Add {
		switch value := item[name].(type) {
		case int64:
			item[name] = sum(value, amount)
		case float64:
			item[name] = table.Float(value + float64(amount))
		default:
			if _, has := item[name]; has {
				return nil, fmt.Errorf("%w: add to attribute %q, which is no number", table.ErrInvalid, name)
			}
			item[name] = amount
		}
	}
	for _, name := range update.Remove {
		delete(item, name)
	}
	return item, nil
}

func sum(a, b int64) any {
	if total := a + b; (total > a) == (b > 0) {
		return total
	}
	return table.Float(float64(a) + float64(b))
}

// load reads an item for a write, expired or not, with its size.
func (t *Table) load(w *writer, l *layout, key table.Key) (size int, item table.Item, err error) {
	err = w.query(l.get, func(row *sqlite.Stmt) (more bool, err error) {
		size, item, err = t.one(row, key)
		return false, err
	}, key.Partition, key.Sort)
	return size, item, err
}

// expiryOf returns the expiry of an item as its column has it: an int64, or nil for NULL.
func expiryOf(item table.Item) any {
	if at, ok := table.Canonical(item[table.ExpiryAttribute]).(int64); ok {
		return at
	}
	return nil
}

// replace replaces old by item and returns the cost in indexes. old is nil for a new item, item is nil for a removed
// one.
func (t *Table) replace(w *writer, l *layout, key table.Key, old, item table.Item, size int) (float64, error) {
	switch {
	case item != nil:
		data, err := t.codec.encode(item, columns()...)
		if err != nil {
			return 0, err
		}
		expires := expiryOf(item)
		if old != nil && expires == expiryOf(old) {
			err = w.exec(l.change, size, data, key.Partition, key.Sort)
		} else {
			err = w.exec(l.put, key.Partition, key.Sort, size, expires, data)
		}
		if err != nil {
			return 0, err
		}
	case old != nil:
		if err := w.exec(l.remove, key.Partition, key.Sort); err != nil {
			return 0, err
		}
	}
	if len(l.indexes) == 0 {
		return 0, nil
	}
	if t.misbehave.Load().IndexLag {
		t.lag(l.schema.Name, key, old)
		return indexUnits(l, old, item), nil
	}
	if len(t.lagging) > 0 { // an item that lags goes on lagging until CatchUp
		if _, lags := t.lagging[address{l.schema.Name, key}]; lags {
			return indexUnits(l, old, item), nil
		}
	}
	return t.follow(w, l, old, item)
}
