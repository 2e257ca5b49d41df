package asks

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// An Operation is one of the OpenAPI document, with every place in which a request can say something.
type Operation struct {
	ID, Method, Path string
	Scope            string   // empty: the operation is public
	Agency           bool     // it takes a master key alone, which need name no workspace by the header
	Places           []string // "path.id", "query.cursor", "header.If-Match", "body.destinations[].type"
}

// Mutates reports whether the operation takes an Idempotency-Key.
func (o Operation) Mutates() bool { return slices.Contains(o.Places, "header.Idempotency-Key") }

// OrganizationHeader names the workspace that a master key acts in.
const OrganizationHeader = "x-earshot-organization-id"

// document reads a JSON document with its references.
type document map[string]any

// resolve returns a value, or the object that its $ref leads to.
func (d document) resolve(value any) map[string]any {
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

// leaves returns the places of a schema.
func (d document) leaves(schema any, path string) (leaves []string) {
	s := d.resolve(schema)
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

// Operations reads the operations of an OpenAPI document, by path and method.
func Operations(openAPI []byte) (all []Operation, err error) {
	var d document
	if err := json.Unmarshal(openAPI, &d); err != nil {
		return nil, fmt.Errorf("asks: read the OpenAPI document: %w", err)
	}
	paths := d.resolve(d["paths"])
	for path := range paths {
		for method, described := range d.resolve(paths[path]) {
			o := d.resolve(described)
			id, named := o["operationId"].(string)
			if !named {
				continue // what all of the path have
			}
			scope, _ := o["x-required-scope"].(string)
			found := Operation{ID: id, Method: strings.ToUpper(method), Path: path, Scope: scope, Agency: scope != ""}
			parameters, _ := o["parameters"].([]any)
			for _, parameter := range parameters {
				p := d.resolve(parameter)
				name, _ := p["name"].(string)
				in, _ := p["in"].(string)
				found.Places = append(found.Places, in+"."+name)
				found.Agency = found.Agency && name != OrganizationHeader
			}
			content := d.resolve(d.resolve(o["requestBody"])["content"])
			for _, media := range slices.Sorted(maps.Keys(content)) {
				found.Places = append(found.Places, d.leaves(d.resolve(content[media])["schema"], "body")...)
			}
			all = append(all, found)
		}
	}
	slices.SortFunc(all, func(a, b Operation) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method))
	})
	return all, nil
}
