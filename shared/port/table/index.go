package table

import "slices"

// Projection names the attributes, beyond all keys, that the rows of the index hold: Project and ExpiryAttribute, without
// which a Query could not tell the expired. Sorted, each once.
func (x Index) Projection() []string {
	names := append([]string{ExpiryAttribute}, x.Project...)
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, func(name string) bool {
		return name == PartitionAttribute || name == SortAttribute || name == x.Partition || name == x.Sort
	})
}

// Row is what the index holds of an item, nil when the item is not in it. Values are shared with the item.
func (x Index) Row(item Item) Item {
	partition, ok := item[x.Partition].(string)
	if !ok {
		return nil
	}
	sort, ok := item[x.Sort].(string)
	if !ok {
		return nil
	}
	row := make(Item, 5+len(x.Project))
	row[PartitionAttribute], row[SortAttribute] = item[PartitionAttribute], item[SortAttribute]
	row[x.Partition], row[x.Sort] = partition, sort
	if value, ok := item[ExpiryAttribute]; ok {
		row[ExpiryAttribute] = value
	}
	for _, name := range x.Project {
		if value, ok := item[name]; ok {
			row[name] = value
		}
	}
	return row
}
