package table

import "slices"

// Projection returns the attributes, besides all keys, in the rows of the index: those of Project and ExpiryAttribute.
// A Query needs the latter to leave out expired rows. The names are sorted and unique.
func (x Index) Projection() []string {
	names := append([]string{ExpiryAttribute}, x.Project...)
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, func(name string) bool {
		return name == PartitionAttribute || name == SortAttribute || name == x.Partition || name == x.Sort
	})
}

// Row returns the index's row of an item; nil if the item is not in the index. The row shares the item's values.
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
