package table

import "math"

// The rule of numbers. A store has one type of number, decimal, while an Item has int64 and float64; so the Go type of a
// number follows from its value: a float64 that is whole and within int64 is written, compared and answered as that
// int64 (1.0 as 1, -0.0 as 0), and every other float64 stays one, bit for bit. Nothing is rounded. NaN, the infinities
// and magnitudes that DynamoDB lacks (MinFloat, MaxFloat) are ErrInvalid.

// The magnitudes of a float64 other than zero that a store holds: those of DynamoDB's numbers.
const (
	MinFloat = 1e-130
	MaxFloat = 9.9e125
)

// Float is the value as adapters store and answer it: an int64 when it is whole and fits, else itself.
func Float(value float64) any {
	// 1<<63 is exact as a float64, the largest int64 is not.
	if value >= -1<<63 && value < 1<<63 && value == math.Trunc(value) {
		return int64(value)
	}
	return value
}

// Canonical is the value with every number of it in the type that adapters answer. It shares what needs no change.
func Canonical(value any) any {
	if !altered(value) {
		return value
	}
	switch value := value.(type) {
	case float64:
		return Float(value)
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = Canonical(value[i])
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for name, element := range value {
			object[name] = Canonical(element)
		}
		return object
	}
	return value
}

// altered says whether Canonical would change the value.
func altered(value any) bool {
	switch value := value.(type) {
	case float64:
		_, whole := Float(value).(int64)
		return whole
	case []any:
		for _, element := range value {
			if altered(element) {
				return true
			}
		}
	case map[string]any:
		for _, element := range value {
			if altered(element) {
				return true
			}
		}
	}
	return false
}

// Clone is a deep copy of a value in the types that adapters answer.
func Clone(value any) any {
	switch value := value.(type) {
	case float64:
		return Float(value)
	case []byte:
		return append(make([]byte, 0, len(value)), value...)
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = Clone(value[i])
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for name, element := range value {
			object[name] = Clone(element)
		}
		return object
	}
	return value
}
