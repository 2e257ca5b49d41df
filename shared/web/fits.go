package web

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"earshot/shared/web/problem"
)

// A validator checks a body against its operation's schema. Huma validates texts and numbers. The validator itself
// walks objects and arrays, because huma's walk has no bounds: it validates elements beyond maxItems and notes every
// fault with its path. The validator stops after more than problem.MaxCounted faults.
type validator struct {
	ctx      context.Context
	registry huma.Registry

	at     place
	values int
	faults []problem.Detail
	err    error // of the context
	cut    bool  // an array lost the elements beyond its maxItems
}

// value validates a value. It returns the value without array elements beyond maxItems, because no later step needs
// them.
func (v *validator) value(schema *huma.Schema, value any) any {
	v.values++
	if v.values%deadlineEvery == 0 && v.err == nil {
		v.err = v.ctx.Err()
	}
	if v.stopped() {
		return value
	}
	for schema.Ref != "" {
		schema = v.registry.SchemaFromRef(schema.Ref)
	}
	if forms, ok := schema.Extensions["anyOf"].(nullOr); ok {
		if _, null := value.(jsonNull); null {
			return value
		}
		return v.value(forms[0], value)
	}
	items, isArray := value.([]any)
	members, isObject := value.(map[string]any)
	switch {
	case isArray && schema.Type == huma.TypeArray:
		return v.array(schema, items)
	case isObject && schema.Type == huma.TypeObject:
		if union, ok := schema.Extensions["discriminator"].(discriminator); ok {
			if schema = v.form(union, members); schema == nil {
				return value
			}
		}
		v.object(schema, members)
	default:
		v.scalar(schema, value)
	}
	return value
}

func (v *validator) stopped() bool { return v.err != nil || len(v.faults) > problem.MaxCounted }

func (v *validator) array(schema *huma.Schema, items []any) []any {
	if schema.MinItems != nil && len(items) < *schema.MinItems {
		v.fault(fmt.Sprintf(validation.MsgExpectedMinItems, *schema.MinItems))
	}
	if schema.MaxItems != nil && len(items) > *schema.MaxItems {
		v.fault(fmt.Sprintf(validation.MsgExpectedMaxItems, *schema.MaxItems))
		items, v.cut = items[:*schema.MaxItems], true
	}
	for i, item := range items {
		if v.stopped() {
			break
		}
		v.at.index(i)
		items[i] = v.value(schema.Items, item)
		v.at.leave()
	}
	return items
}

func (v *validator) object(schema *huma.Schema, members map[string]any) {
	for _, name := range schema.Required {
		if _, given := members[name]; !given {
			missing := problem.Detail{Path: v.at.member(name), Code: "required", Message: "The property is required."}
			v.faults = append(v.faults, missing)
		}
	}
	further, _ := schema.AdditionalProperties.(*huma.Schema)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if v.stopped() {
			return
		}
		property, known := schema.Properties[name]
		if !known {
			property = further
		}
		v.at.name(name)
		switch {
		case property != nil:
			members[name] = v.value(property, members[name])
		case schema.AdditionalProperties == false:
			v.fault(validation.MsgUnexpectedProperty)
		}
		v.at.leave()
	}
}

// form returns the schema of the form that a union's object names. Returns nil, and notes a fault, if the object names
// none.
func (v *validator) form(union discriminator, members map[string]any) *huma.Schema {
	value, given := members[union.PropertyName]
	name, text := value.(string)
	fault := func(code, message string) {
		v.faults = append(v.faults, problem.Detail{Path: v.at.member(union.PropertyName), Code: code, Message: message})
	}
	switch {
	case !given:
		fault("required", "The property is required.")
	case !text:
		fault("type", "Expected string.")
	case union.Mapping[name] == "":
		fault("enum", fmt.Sprintf("Expected one of %s.", strings.Join(union.names, ", ")))
	default:
		return v.registry.SchemaFromRef(union.Mapping[name])
	}
	return nil
}

// scalar validates a text, number, boolean or null, and an object or array in the place of one. It checks a text that
// is too long no further.
func (v *validator) scalar(schema *huma.Schema, value any) {
	if text, ok := value.(string); ok && schema.MaxLength != nil && utf8.RuneCountInString(text) > *schema.MaxLength {
		v.fault(fmt.Sprintf(validation.MsgExpectedMaxLength, *schema.MaxLength))
		return
	}
	var found huma.ValidateResult
	huma.Validate(v.registry, schema, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, value, &found)
	for _, err := range found.Errors {
		if located, ok := err.(huma.ErrorDetailer); ok {
			v.fault(located.ErrorDetail().Message)
		}
	}
}

// fault notes a fault of the value at v.at, by huma's text with our code before it.
func (v *validator) fault(coded string) {
	v.faults = append(v.faults, detailAt(v.at.String(), coded))
}

// beyond returns the name of a keyword in a body's schema that the validator does not check; empty if there is none.
func beyond(registry huma.Registry, schema *huma.Schema, seen map[string]bool) string {
	if schema.Ref != "" {
		if seen[schema.Ref] {
			return ""
		}
		seen[schema.Ref] = true
		return beyond(registry, registry.SchemaFromRef(schema.Ref), seen)
	}
	switch {
	case schema.UniqueItems:
		return "uniqueItems"
	case schema.MinProperties != nil || schema.MaxProperties != nil:
		return "minProperties or maxProperties"
	case len(schema.DependentRequired) > 0:
		return "dependentRequired"
	case schema.AllOf != nil || schema.OneOf != nil || schema.Not != nil || schema.Discriminator != nil:
		return "allOf, oneOf, not or a discriminator"
	case schema.ReadOnly || schema.WriteOnly:
		return "readOnly or writeOnly"
	case schema.Type == huma.TypeArray && schema.Items == nil:
		return "an array without items"
	}
	within := slices.Collect(maps.Values(schema.Properties))
	if further, ok := schema.AdditionalProperties.(*huma.Schema); ok {
		within = append(within, further)
	}
	if schema.Items != nil {
		within = append(within, schema.Items)
	}
	if forms, ok := schema.Extensions["anyOf"].(nullOr); ok {
		within = append(within, forms[0])
	}
	if forms, ok := schema.Extensions["oneOf"].(unionForms); ok {
		within = append(within, forms...)
	}
	for _, one := range within {
		if found := beyond(registry, one, seen); found != "" {
			return found
		}
	}
	return ""
}
