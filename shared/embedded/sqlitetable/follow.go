package sqlitetable

import "earshot/shared/port/table"

// follow updates the indexes after a change of an item, and returns the cost.
func (t *Table) follow(w *writer, l *layout, old, item table.Item) (float64, error) {
	units := 0.0
	for _, x := range l.indexes {
		before, after := x.index.Row(old), x.index.Row(item)
		cost, moved, same := differ(x.index, before, after)
		units += cost
		if before != nil && moved {
			key := table.KeyOf(before)
			if err := w.exec(
				x.remove, before[x.index.Partition], before[x.index.Sort], key.Partition, key.Sort,
			); err != nil {
				return 0, err
			}
		}
		if !same {
			if err := t.putRow(w, x, after); err != nil {
				return 0, err
			}
		}
	}
	return units, nil
}

// indexUnits returns the cost of follow.
func indexUnits(l *layout, old, item table.Item) float64 {
	units := 0.0
	for _, x := range l.indexes {
		cost, _, _ := differ(x.index, x.index.Row(old), x.index.Row(item))
		units += cost
	}
	return units
}

// differ compares the rows of an item in an index. It returns the cost of the change, whether the old row has to go
// from its place, and whether nothing changes.
func differ(index table.Index, before, after table.Item) (units float64, moved, same bool) {
	sizeOf := func(row table.Item) int {
		if row == nil {
			return 0
		}
		return table.Size(row)
	}
	moved = before[index.Partition] != after[index.Partition] || before[index.Sort] != after[index.Sort]
	same = equal(map[string]any(before), table.Canonical(map[string]any(after)))
	return table.IndexWriteUnits(sizeOf(before), sizeOf(after), moved, same), moved, same
}

func (t *Table) putRow(w *writer, x indexLayout, row table.Item) error {
	if row == nil {
		return nil
	}
	data, err := t.codec.encode(row, x.columns()...)
	if err != nil {
		return err
	}
	key := table.KeyOf(row)
	return w.exec(x.put, row[x.index.Partition], row[x.index.Sort], key.Partition, key.Sort, table.Size(row), data)
}
