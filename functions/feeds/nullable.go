package feeds

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/web"
)

// nullable is a property of a body and of an answer that may be null. Huma's validator cannot look behind a null and would say of any
// fault within that no form fits: it is told nothing, and Resolve finds the faults, each with its path. Fields want omitzero in a body.
type nullable[T any] struct {
	value   *T
	given   bool // also by null
	written []byte
}

func some[T any](value T) nullable[T] { return nullable[T]{value: &value, given: true} }

// nullIfEmpty is null for the zero value, and present in an answer in either case.
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

// IsZero says whether neither a value nor null is given.
func (n nullable[T]) IsZero() bool { return !n.given }

// MarshalJSON writes the value or null.
func (n nullable[T]) MarshalJSON() ([]byte, error) { return web.Null[T]{Value: n.value}.MarshalJSON() }

// UnmarshalJSON keeps what is written. What does not fit has no value, and its faults in Resolve.
func (n *nullable[T]) UnmarshalJSON(data []byte) error {
	n.given, n.written = true, append([]byte(nil), data...)
	value := new(T)
	if string(data) != "null" && json.Unmarshal(data, value) == nil {
		n.value = value
	}
	return nil
}

// Schema describes the value or null.
func (nullable[T]) Schema(registry huma.Registry) *huma.Schema {
	inner := *registry.Schema(reflect.TypeFor[T](), true, "")
	inner.PatternDescription = "" // for huma's messages
	return &huma.Schema{Extensions: map[string]any{"anyOf": []*huma.Schema{&inner, {Type: "null"}}}}
}

// Resolve reports the faults to huma.
func (n *nullable[T]) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	var tree any
	if len(n.written) == 0 || json.Unmarshal(n.written, &tree) != nil || tree == nil {
		return nil
	}
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	result := &huma.ValidateResult{}
	huma.Validate(registry, registry.Schema(reflect.TypeFor[T](), true, ""), at, huma.ModeWriteToServer, withoutNil(tree), result)
	if len(result.Errors) == 0 && n.value == nil {
		return []error{fmt.Errorf("%s does not decode", at.String())}
	}
	return result.Errors
}

// withoutNil has a value of no type in place of each nil, which huma lets pass as any property that may be left out.
func withoutNil(tree any) any {
	switch tree := tree.(type) {
	case nil:
		return struct{}{}
	case []any:
		for i, element := range tree {
			tree[i] = withoutNil(element)
		}
	case map[string]any:
		for name, value := range tree {
			tree[name] = withoutNil(value)
		}
	}
	return tree
}
