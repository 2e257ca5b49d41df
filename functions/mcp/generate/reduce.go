package main

import (
	"maps"
	"slices"
	"strings"
)

// How many levels of objects a schema keeps. The operations check what is below.
const (
	deepInput  = 3
	deepOutput = 2
)

// Keywords of schemas that tools keep. The operations check the others.
var (
	offered  = []string{"type", "description", "enum", "default", "minimum", "maximum", "required"}
	returned = []string{"type"}
)

// beyondIntegers is the largest integer of ids, which tells a model nothing.
const beyondIntegers = 1<<53 - 1

// reducer makes schemas that stand alone and are short.
type reducer struct{ schemas map[string]object }

// resolved follows references.
func (r reducer) resolved(schema object) object {
	for {
		name, isReference := schema["$ref"].(string)
		if !isReference {
			return schema
		}
		schema = r.schemas[strings.TrimPrefix(name, "#/components/schemas/")]
	}
}

// reduced returns a schema with some of its keywords, to a depth.
func (r reducer) reduced(schema object, keep []string, depth int) object {
	if shared, ok := r.filter(schema); ok {
		return shared
	}
	description, described := schema["description"]
	schema = r.resolved(schema)
	if one, nullable := r.alternative(schema); one != nil {
		made := r.reduced(one, keep, depth)
		if described && slices.Contains(keep, "description") {
			made["description"] = description
		}
		if kind, ok := made["type"].(string); ok && nullable {
			made["type"] = []string{kind, "null"}
		}
		if values, ok := made["enum"].([]any); ok && nullable {
			made["enum"] = append(slices.Clone(values), nil)
		}
		return made
	}
	made := object{}
	for _, name := range keep {
		if value, ok := schema[name]; ok && value != float64(beyondIntegers) {
			made[name] = value
		}
	}
	if _, open := schema["oneOf"]; open && !slices.Contains(keep, "description") {
		delete(made, "type")
	}
	if items, ok := schema["items"].(object); ok {
		made["items"] = r.reduced(items, keep, depth)
	}
	properties, isObject := schema["properties"].(object)
	if !isObject || depth == 0 {
		delete(made, "required")
		return made
	}
	inner := object{}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property, _ := properties[name].(object)
		inner[name] = r.reduced(property, keep, depth-1)
	}
	made["properties"] = inner
	return made
}

// alternative returns the one schema of a choice between it and null, and whether null is one of them. It returns nil
// for no choice or a wider one.
func (r reducer) alternative(schema object) (one object, nullable bool) {
	choices, _ := schema["anyOf"].([]any)
	for _, choice := range choices {
		form, _ := choice.(object)
		switch {
		case r.resolved(form)["type"] == "null":
			nullable = true
		case one != nil:
			return nil, false
		default:
			one = form
		}
	}
	if schema["type"] != nil {
		return nil, false
	}
	return one, nullable
}

// filter returns a short schema for the filters of mentions, whose own has 30,000 characters.
func (r reducer) filter(schema object) (object, bool) {
	named, kind := map[string]bool{}, any("object")
	var look func(object)
	look = func(in object) {
		if in["type"] == "null" {
			kind = []string{"object", "null"}
		}
		if name, ok := in["$ref"].(string); ok {
			named[strings.TrimPrefix(name, "#/components/schemas/")] = true
		}
		for _, keyword := range []string{"anyOf", "oneOf"} {
			choices, _ := in[keyword].([]any)
			for _, choice := range choices {
				if form, ok := choice.(object); ok {
					look(form)
				}
			}
		}
	}
	look(schema)
	simple, advanced := named["SimpleFilters"], named["AdvancedFilters"]
	if !simple && !advanced {
		return nil, false
	}
	var meaning []string
	if simple {
		keys := []string{}
		properties, _ := r.schemas["SimpleFilters"]["properties"].(object)
		for _, key := range slices.Sorted(maps.Keys(properties)) {
			if !strings.HasPrefix(key, "!") {
				keys = append(keys, key)
			}
		}
		meaning = append(meaning, "{key: values}, all must hold; ! before a key negates. Keys: "+strings.Join(keys, ", ")+".")
	}
	if advanced {
		meaning = append(meaning, "{operator: AND|OR, groups: [{operator, conditions: [{key: values}]}]}.")
	}
	return object{"type": kind, "description": strings.Join(meaning, " Or ")}, true
}
