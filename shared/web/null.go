package web

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// Null is a value that may be null. It is always present on the wire, and its schema says so.
type Null[T any] struct{ Value *T }

// Some returns a Null that holds value.
func Some[T any](value T) Null[T] { return Null[T]{&value} }

// NullIfEmpty returns null for the zero value, and otherwise a Null that holds value.
func NullIfEmpty[T comparable](value T) Null[T] {
	var zero T
	if value == zero {
		return Null[T]{}
	}
	return Null[T]{&value}
}

// OrZero returns the value, or the zero value for null.
func (n Null[T]) OrZero() T {
	var zero T
	if n.Value == nil {
		return zero
	}
	return *n.Value
}

// MarshalJSON writes the value or null. It does not escape angle brackets: six bytes for each would make responses
// needlessly large.
func (n Null[T]) MarshalJSON() ([]byte, error) {
	switch value := any(n.Value).(type) {
	case *string:
		if value != nil && stays(*value) {
			return append(append(append(make([]byte, 0, len(*value)+2), '"'), *value...), '"'), nil
		}
	case *int64:
		if value != nil {
			return strconv.AppendInt(nil, *value, 10), nil
		}
	}
	if n.Value == nil {
		return []byte("null"), nil
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(n.Value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// stays reports whether JSON has a text as it is: printable ASCII without quotation marks and backslashes. Most authors,
// addresses and titles are.
func stays(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// UnmarshalJSON reads the value or null.
func (n *Null[T]) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &n.Value) }

// Schema describes the type to huma, which cannot describe a null enum or struct itself. The enum lets huma's validator
// accept null, since it does not know the type "null".
func (n Null[T]) Schema(registry huma.Registry) *huma.Schema {
	inner := registry.Schema(reflect.TypeFor[T](), true, "")
	return &huma.Schema{AnyOf: []*huma.Schema{inner, {Type: "null", Enum: []any{jsonNull{}}}}}
}

// OrNull makes a property of a struct's schema a T or null.
func OrNull[T any](registry huma.Registry, s *huma.Schema, property string) {
	nullable := registry.Schema(reflect.TypeFor[Null[T]](), true, "")
	nullable.Description = s.Properties[property].Description
	s.Properties[property] = nullable
}

// NullOr returns the schema of a value that may be null, for the document and for the kit's validator. The validator
// finds the faults inside the value, with their paths.
func NullOr(value *huma.Schema) *huma.Schema {
	return &huma.Schema{Extensions: map[string]any{"anyOf": nullOr{value, {Type: "null"}}}}
}

// nullOr holds a value's schema and null's. Huma does not look into extensions.
type nullOr []*huma.Schema

// jsonNull stands for a null in a body during validation. Huma accepts a Go nil for any optional property, which the
// document does not allow. It rejects jsonNull there.
type jsonNull struct{}

// MarshalJSON writes null.
func (jsonNull) MarshalJSON() ([]byte, error) { return []byte("null"), nil }
