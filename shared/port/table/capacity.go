package table

// Units of capacity, by "Read consistency" and "Capacity unit consumption" in DynamoDB's developer guide.
const (
	readUnitBytes  = 4 << 10
	writeUnitBytes = 1 << 10
)

// ReadUnits returns the cost of reading so many bytes: at least one unit, and half if not consistent. A Query rounds
// the sum of its rows, a BatchGet each item.
func ReadUnits(bytes int, consistent bool) float64 {
	units := float64(max(1, (bytes+readUnitBytes-1)/readUnitBytes))
	if !consistent {
		units /= 2
	}
	return units
}

// WriteUnits returns the cost of writing an item of so many bytes, the larger of before and after. A transaction costs
// twice that. A write whose condition fails costs by the size of the existing item.
func WriteUnits(bytes int) float64 {
	return float64(max(1, (bytes+writeUnitBytes-1)/writeUnitBytes))
}

// IndexWriteUnits returns the cost of an item's change in one index. before and after are the bytes of its row there; 0
// is no row. moved says that the row changes its place, same that no attribute of it changes.
func IndexWriteUnits(before, after int, moved, same bool) float64 {
	switch {
	case before == 0 && after == 0, same:
		return 0
	case before != 0 && after != 0 && moved:
		return WriteUnits(before) + WriteUnits(after) // removed here, put there
	}
	return WriteUnits(max(before, after))
}
