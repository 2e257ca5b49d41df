package table

import "math"

// The rule of numbers. A store has one type of number, decimal, while an Item has int64 and float64. The Go type of a
// number therefore follows from its value. A float64 that is whole and within int64 is written, compared and returned
// as that int64 (1.0 as 1, -0.0 as 0). Every other float64 stays one, bit for bit. Nothing is rounded. NaN, the
// infinities and magnitudes that DynamoDB lacks (MinFloat, MaxFloat) are ErrInvalid.

// The magnitudes of a nonzero float64 that a store holds: those of DynamoDB's numbers.
const (
	MinFloat = 1e-130
	MaxFloat = 9.9e125
)

// Float returns the value as adapters store and return it: an int64 if it is whole and fits, otherwise the value
// itself.
func Float(value float64) any {
	// 1<<63 is exact as a float64, the largest int64 is not.
	if value >= -1<<63 && value < 1<<63 && value == math.Trunc(value) {
		return int64(value)
	}
	return value
}

// Canonical returns the value with all its numbers in the types that adapters return. It shares the parts that need no
// change.
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

// altered reports whether Canonical would change the value.
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

// Clone returns a deep copy of a value in the types that adapters return.
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
