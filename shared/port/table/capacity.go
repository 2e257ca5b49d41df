package table

// Units of capacity, by "Read consistency" and "Capacity unit consumption" in DynamoDB's developer guide.
const (
	readUnitBytes  = 4 << 10
	writeUnitBytes = 1 << 10
)

// ReadUnits is what reading so many bytes costs, at least one unit's worth; half of it unless consistent. A Query rounds
// the sum of its rows, a BatchGet each item.
func ReadUnits(bytes int, consistent bool) float64 {
	units := float64(max(1, (bytes+readUnitBytes-1)/readUnitBytes))
	if !consistent {
		units /= 2
	}
	return units
}

// WriteUnits is what writing an item of so many bytes costs: the larger of before and after. In a transaction it is
// twice that; a write whose condition failed costs by what stood in the way.
func WriteUnits(bytes int) float64 {
	return float64(max(1, (bytes+writeUnitBytes-1)/writeUnitBytes))
}

// IndexWriteUnits is what a change of an item costs in one index, given the bytes of its row there before and after (0:
// no row), whether the row stays in its place, and whether it is the same to the last attribute.
func IndexWriteUnits(before, after int, moved, same bool) float64 {
	switch {
	case before == 0 && after == 0, same:
		return 0
	case before != 0 && after != 0 && moved:
		return WriteUnits(before) + WriteUnits(after) // removed here, put there
	}
	return WriteUnits(max(before, after))
}
