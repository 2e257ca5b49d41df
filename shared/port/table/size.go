package table

import "strconv"

// Size returns the bytes of an item as DynamoDB counts them for limits and capacity: names and values, without the 100
// bytes that storage bills. Source: "DynamoDB item sizes and formats" in its developer guide, which calls the size of a
// number approximate.
func Size(item Item) int {
	total := 0
	for name, value := range item {
		total += len(name) + sizeOf(value)
	}
	return total
}

func sizeOf(value any) int {
	const (
		container = 3 // a list or map, empty or not
		element   = 1 // each element of one
	)
	switch value := value.(type) {
	case string:
		return len(value)
	case []byte:
		return len(value)
	case int64:
		return sizeOfInteger(value)
	case float64:
		if whole, ok := Float(value).(int64); ok {
			return sizeOfInteger(whole)
		}
		return sizeOfFloat(value)
	case []any:
		total := container
		for _, inner := range value {
			total += element + sizeOf(inner)
		}
		return total
	case map[string]any:
		total := container
		for name, inner := range value {
			total += element + len(name) + sizeOf(inner)
		}
		return total
	}
	return 1 // nil and bool
}

func sizeOfInteger(value int64) int {
	for value != 0 && value%10 == 0 {
		value /= 10
	}
	digits := 0
	for ; value != 0; value /= 10 {
		digits++
	}
	return sizeOfDigits(digits)
}

func sizeOfFloat(value float64) int {
	var buffer [32]byte
	digits := 0
	for _, c := range strconv.AppendFloat(buffer[:0], value, 'e', -1, 64) {
		if c == 'e' {
			break
		}
		if c >= '0' && c <= '9' {
			digits++
		}
	}
	return sizeOfDigits(digits)
}

func sizeOfDigits(significant int) int { return 1 + (significant+1)/2 }
