package web

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// Describe makes the document and the validator describe T as they describe As. Types of the domain stand in bodies
// that way: As gives T its name in the document, and what T cannot say of itself without the kit. Call it before the
// operations are registered.
func Describe[T, As any](api *API) {
	describe := func(registry huma.Registry) {
		registry.RegisterTypeAlias(reflect.TypeFor[T](), reflect.TypeFor[As]())
	}
	api.described = append(api.described, describe)
	if api.document {
		describe(api.all.huma.OpenAPI().Components.Schemas)
	}
}

// DescribeEnum makes the document and the validator allow for T nothing but its values.
func DescribeEnum[T vocabulary[T]](api *API) { Describe[T, enum[T]](api) }

// A vocabulary is a type of strings that lists its values.
type vocabulary[T any] interface {
	~string
	Values() []T
}

// enum has the schema of a vocabulary.
type enum[T vocabulary[T]] string

// Schema lists the values.
func (enum[T]) Schema(huma.Registry) *huma.Schema {
	var one T
	return OneOf("", one.Values()...)
}

// OneOf returns the schema of a string that is one of some values.
func OneOf[T ~string](meaning string, values ...T) *huma.Schema {
	names := make([]any, len(values))
	for i, value := range values {
		names[i] = string(value)
	}
	return &huma.Schema{Type: huma.TypeString, Enum: names, Description: meaning}
}
