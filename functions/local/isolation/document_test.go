package isolation_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"earshot/functions/discovery"
)

// An operation is one of the served document, with every place in which a request can say something.
type operation struct {
	id, method, path string
	scope            string   // empty: it is public
	agency           bool     // it takes a master key alone, which names no workspace by the header
	places           []string // "path.id", "query.cursor", "header.If-Match", "body.destinations[].type"
}

// mutates says whether an Idempotency-Key means something to it.
func (o operation) mutates() bool { return slices.Contains(o.places, "header.Idempotency-Key") }

// document reads a JSON document with its references.
type document map[string]any

// at is what a value is, or what it refers to.
func (d document) at(value any) map[string]any {
	object, _ := value.(map[string]any)
	for {
		reference, refers := object["$ref"].(string)
		if !refers {
			return object
		}
		object = d
		for step := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
			object, _ = object[step].(map[string]any)
		}
	}
}

// leaves are the places of a schema.
func (d document) leaves(schema any, path string) (leaves []string) {
	s := d.at(schema)
	for _, forms := range []string{"oneOf", "anyOf", "allOf"} {
		all, _ := s[forms].([]any)
		for _, form := range all {
			leaves = append(leaves, d.leaves(form, path)...)
		}
	}
	properties, _ := s["properties"].(map[string]any)
	for name, property := range properties {
		leaves = append(leaves, d.leaves(property, path+"."+name)...)
	}
	if items, has := s["items"]; has {
		leaves = append(leaves, d.leaves(items, path+"[]")...)
	}
	if further, open := s["additionalProperties"].(map[string]any); open {
		leaves = append(leaves, d.leaves(further, path+".*")...)
	}
	if len(leaves) == 0 && s["type"] != "null" {
		leaves = append(leaves, path)
	}
	slices.Sort(leaves)
	return slices.Compact(leaves)
}

// operations are all of the document, in its order.
func operations(t testing.TB) (all []operation) {
	t.Helper()
	var d document
	must(t, json.Unmarshal(discovery.OpenAPI(), &d))
	paths := d.at(d["paths"])
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for method, described := range d.at(paths[path]) {
			o := d.at(described)
			id, named := o["operationId"].(string)
			if !named {
				continue // what all of the path have
			}
			scope, _ := o["x-required-scope"].(string)
			found := operation{id: id, method: strings.ToUpper(method), path: path, scope: scope, agency: scope != ""}
			parameters, _ := o["parameters"].([]any)
			for _, parameter := range parameters {
				p := d.at(parameter)
				name, _ := p["name"].(string)
				in, _ := p["in"].(string)
				found.places = append(found.places, in+"."+name)
				found.agency = found.agency && name != organizationHeader
			}
			content := d.at(d.at(o["requestBody"])["content"])
			for _, media := range slices.Sorted(maps.Keys(content)) {
				found.places = append(found.places, d.leaves(d.at(content[media])["schema"], "body")...)
			}
			all = append(all, found)
		}
	}
	slices.SortFunc(all, func(a, b operation) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.method, b.method)) })
	return all
}

const organizationHeader = "x-earshot-organization-id"
