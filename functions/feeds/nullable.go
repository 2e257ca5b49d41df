package feeds

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/web"
)

// nullable is a property of bodies and responses that may be null. Fields in a body need omitzero.
type nullable[T any] struct {
	value     *T
	given     bool // also by null
	undecoded bool // the JSON has another type
}

func some[T any](value T) nullable[T] { return nullable[T]{value: &value, given: true} }

// nullIfEmpty returns null for the zero value. The property is present in a response in either case.
func nullIfEmpty[T comparable](value T) nullable[T] {
	var zero T
	if value == zero {
		return nullable[T]{given: true}
	}
	return some(value)
}

func (n nullable[T]) orZero() (value T) {
	if n.value != nil {
		value = *n.value
	}
	return value
}

// IsZero reports whether neither a value nor null is given.
func (n nullable[T]) IsZero() bool { return !n.given }

// MarshalJSON writes the value or null.
func (n nullable[T]) MarshalJSON() ([]byte, error) { return web.Null[T]{Value: n.value}.MarshalJSON() }

// UnmarshalJSON reads the value or null. JSON of another type gives no value and no error: an error here would hide the
// faults of everything that follows.
func (n *nullable[T]) UnmarshalJSON(data []byte) error {
	n.given = true
	value := new(T)
	switch {
	case string(data) == "null":
	case json.Unmarshal(data, value) == nil:
		n.value = value
	default:
		n.undecoded = true
	}
	return nil
}

// Schema describes the value or null.
func (nullable[T]) Schema(registry huma.Registry) *huma.Schema {
	inner := *registry.Schema(reflect.TypeFor[T](), true, "")
	inner.PatternDescription = "" // for huma's messages
	return web.NullOr(&inner)
}

// Resolve reports JSON of another type. The kit uses this fault only if it has found no finer one.
func (n *nullable[T]) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	if n.undecoded {
		return []error{fmt.Errorf("%s does not decode", at.String())}
	}
	return nil
}
