package site

import (
	"bytes"
	"encoding/json"
	"strings"
)

// data is what JSON-LD tells (schema.org's Organization, WebSite, Product and SoftwareApplication).
type data struct {
	name, siteName, description, audience string
	otherNames, products, terms, same     []string
}

// maxNested is how deep objects of JSON-LD are looked into.
const maxNested = 6

// structured reads a block of JSON-LD: one object, several, or a graph of them. A block that is no JSON says nothing.
func (r *reading) structured(block []byte) {
	decoder := json.NewDecoder(bytes.NewReader(block))
	var value any
	if decoder.Decode(&value) != nil {
		return
	}
	r.node(value, 0)
}

func (r *reading) node(value any, depth int) {
	if depth > maxNested {
		return
	}
	switch v := value.(type) {
	case []any:
		for _, each := range v {
			r.node(each, depth+1)
		}
	case map[string]any:
		r.object(v)
		for _, key := range []string{"@graph", "publisher", "mainEntity", "about", "manufacturer", "brand", "author"} {
			if key == "author" && depth > 0 {
				continue
			}
			r.node(v[key], depth+1)
		}
	}
}

// organizations are the types that are a company.
var organizations = []string{"organization", "corporation", "localbusiness", "onlinebusiness", "newsmediaorganization", "educationalorganization", "ngo"}

func (r *reading) object(v map[string]any) {
	name, description := said(v["name"]), said(v["description"])
	switch kind := kindOf(v); {
	case contains(organizations, kind):
		r.data.name = first(r.data.name, name)
		r.data.description = first(r.data.description, description, said(v["slogan"]))
		r.data.otherNames = append(r.data.otherNames, append(list(v["alternateName"]), list(v["legalName"])...)...)
		r.data.same = append(r.data.same, list(v["sameAs"])...)
		r.data.terms = append(r.data.terms, append(list(v["knowsAbout"]), list(v["keywords"])...)...)
		r.data.audience = first(r.data.audience, audience(v["audience"]))
		for _, key := range []string{"makesOffer", "owns", "hasOfferCatalog"} {
			r.data.products = append(r.data.products, list(v[key])...)
		}
		r.data.products = append(r.data.products, brands(v["brand"])...)
	case kind == "website":
		r.data.siteName = first(r.data.siteName, name)
		r.data.otherNames = append(r.data.otherNames, list(v["alternateName"])...)
		r.data.terms = append(r.data.terms, list(v["keywords"])...)
	case kind == "product", strings.HasSuffix(kind, "application"), kind == "service":
		if name != "" {
			r.data.products = append(r.data.products, name)
		}
		r.data.description = first(r.data.description, description)
		r.data.terms = append(r.data.terms, append(list(v["applicationCategory"]), append(list(v["category"]), list(v["keywords"])...)...)...)
		r.data.audience = first(r.data.audience, audience(v["audience"]))
	}
}

func kindOf(v map[string]any) string {
	kinds := list(v["@type"])
	if len(kinds) == 0 {
		return ""
	}
	return strings.ToLower(kinds[0])
}

func contains(all []string, one string) bool {
	for _, each := range all {
		if each == one {
			return true
		}
	}
	return false
}

// said is a text, or the name of an object.
func said(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case map[string]any:
		for _, key := range []string{"name", "@value"} {
			if s, ok := v[key].(string); ok {
				return s
			}
		}
		return said(v["itemOffered"])
	case []any:
		if len(v) > 0 {
			return said(v[0])
		}
	}
	return ""
}

// list is texts and names of objects; a text that holds commas is several.
func list(value any) []string {
	var all []string
	switch v := value.(type) {
	case []any:
		for _, each := range v[:min(len(v), 100)] {
			if t := said(each); t != "" {
				all = append(all, t)
			}
		}
	case string:
		if strings.Contains(v, "://") {
			return []string{v}
		}
		for _, part := range strings.Split(v, ",") {
			if part = strings.TrimSpace(part); part != "" {
				all = append(all, part)
			}
		}
	case map[string]any:
		if items, ok := v["itemListElement"]; ok {
			return list(items)
		}
		if t := said(v); t != "" {
			all = append(all, t)
		}
	}
	return all
}

func brands(value any) []string {
	if _, ok := value.(string); ok {
		return nil
	}
	return list(value)
}

func audience(value any) string {
	if v, ok := value.(map[string]any); ok {
		return first(said(v["audienceType"]), said(v["name"]))
	}
	return said(value)
}
