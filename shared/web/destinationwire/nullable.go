package destinationwire

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/web"
)

// Nullable is a property of bodies and responses that may be null. Fields in a body need omitzero.
type Nullable[T any] struct {
	Value     *T
	Given     bool // also by null
	undecoded bool // the JSON has another type
}

// Some returns a property with a value.
func Some[T any](value T) Nullable[T] { return Nullable[T]{Value: &value, Given: true} }

// NullIfEmpty returns null for the zero value. The property is present in a response in either case.
func NullIfEmpty[T comparable](value T) Nullable[T] {
	var zero T
	if value == zero {
		return Nullable[T]{Given: true}
	}
	return Some(value)
}

// OrZero returns the value, or the zero value for null.
func (n Nullable[T]) OrZero() (value T) {
	if n.Value != nil {
		value = *n.Value
	}
	return value
}

// IsZero reports whether neither a value nor null is given.
func (n Nullable[T]) IsZero() bool { return !n.Given }

// MarshalJSON writes the value or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return web.Null[T]{Value: n.Value}.MarshalJSON() }

// UnmarshalJSON reads the value or null. JSON of another type gives no value and no error: an error here would hide the
// faults of everything that follows.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	n.Given = true
	value := new(T)
	switch {
	case string(data) == "null":
	case json.Unmarshal(data, value) == nil:
		n.Value = value
	default:
		n.undecoded = true
	}
	return nil
}

// Schema describes the value or null.
func (Nullable[T]) Schema(registry huma.Registry) *huma.Schema {
	inner := *registry.Schema(reflect.TypeFor[T](), true, "")
	inner.PatternDescription = "" // for huma's messages
	return web.NullOr(&inner)
}

// Resolve reports JSON of another type. The kit uses this fault only if it has found no finer one.
func (n *Nullable[T]) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	if n.undecoded {
		return []error{fmt.Errorf("%s does not decode", at.String())}
	}
	return nil
}
