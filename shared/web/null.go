package web

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// Null is a value that may be null: present on the wire in either case, and described as such.
type Null[T any] struct{ Value *T }

// Some is a value that is there.
func Some[T any](value T) Null[T] { return Null[T]{&value} }

// NullIfEmpty is null for the zero value.
func NullIfEmpty[T comparable](value T) Null[T] {
	var zero T
	if value == zero {
		return Null[T]{}
	}
	return Null[T]{&value}
}

// OrZero is the value, and the zero value for null.
func (n Null[T]) OrZero() T {
	var zero T
	if n.Value == nil {
		return zero
	}
	return *n.Value
}

// MarshalJSON writes the value or null. As in all answers, a text's angle brackets stay what they are: six bytes for one would make
// answers too large that need not be.
func (n Null[T]) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(n.Value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// UnmarshalJSON reads the value or null.
func (n *Null[T]) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &n.Value) }

// Schema describes it to huma, which has no word of its own for a null enum or struct. The enum makes null mean null to
// huma's validator, which knows no type "null".
func (n Null[T]) Schema(registry huma.Registry) *huma.Schema {
	inner := registry.Schema(reflect.TypeFor[T](), true, "")
	return &huma.Schema{AnyOf: []*huma.Schema{inner, {Type: "null", Enum: []any{jsonNull{}}}}}
}

// NullOr describes a value that may be null to the document, and to the validator, which finds the faults within with
// their paths.
func NullOr(value *huma.Schema) *huma.Schema {
	return &huma.Schema{Extensions: map[string]any{"anyOf": nullOr{value, {Type: "null"}}}}
}

// nullOr is the schema of a value, and that of null. In an extension, huma does not look at them.
type nullOr []*huma.Schema

// jsonNull stands for a null in a body while it is validated. Huma lets a Go nil pass as any optional property, which
// the document does not allow; this it does not.
type jsonNull struct{}

// MarshalJSON writes null.
func (jsonNull) MarshalJSON() ([]byte, error) { return []byte("null"), nil }
