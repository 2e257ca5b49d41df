package deployment_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// schemas make bodies and queries of an OpenAPI document's own words.
type schemas struct{ components map[string]any }

func newSchemas(t *testing.T, openAPI []byte) schemas {
	t.Helper()
	var document struct {
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(openAPI, &document); err != nil {
		t.Fatal(err)
	}
	return schemas{document.Components.Schemas}
}

func (s schemas) resolved(schema any) map[string]any {
	found, _ := schema.(map[string]any)
	for found["$ref"] != nil {
		found, _ = s.components[strings.TrimPrefix(found["$ref"].(string), "#/components/schemas/")].(map[string]any)
	}
	return found
}

// body is the schema of an operation's body; nil for none.
func (s schemas) body(operation map[string]any) map[string]any {
	body, _ := operation["requestBody"].(map[string]any)
	content, _ := body["content"].(map[string]any)
	media, _ := content["application/json"].(map[string]any)
	if media == nil {
		return nil
	}
	return s.resolved(media["schema"])
}

// forms are what a schema may stand for: itself, or each of its alternatives but null.
func (s schemas) forms(schema map[string]any) (forms []map[string]any) {
	alternatives, _ := schema["oneOf"].([]any)
	if alternatives == nil {
		alternatives, _ = schema["anyOf"].([]any)
	}
	for _, one := range alternatives {
		if form := s.resolved(one); form["type"] != "null" {
			forms = append(forms, form)
		}
	}
	if forms == nil || schema["type"] == "string" {
		return []map[string]any{schema}
	}
	return forms
}

// each calls visit for a schema and for all below it, with the names that lead there.
func (s schemas) each(schema map[string]any, path []string, visit func([]string, map[string]any)) {
	for _, form := range s.forms(schema) {
		visit(path, form)
		properties, _ := form["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			s.each(s.resolved(properties[name]), append(path[:len(path):len(path)], name), visit)
		}
		if items := s.resolved(form["items"]); items != nil {
			s.each(items, append(path[:len(path):len(path)], "[]"), visit)
		}
	}
}

// A builder makes a value of a schema.
type builder struct {
	schemas
	wide, long bool
	choice     int      // of alternatives
	left       int      // bytes
	planted    string   // is put in the place of
	at         []string // this path, nil: nothing is
}

func (b *builder) value(schema map[string]any, path []string) string {
	if b.at != nil && slices.Equal(path, b.at) {
		return b.planted
	}
	forms := b.forms(schema)
	schema = forms[b.choice%len(forms)]
	written := ""
	switch {
	case schema["enum"] != nil:
		one, _ := json.Marshal(schema["enum"].([]any)[0])
		written = string(one)
	case schema["type"] == "array":
		return b.array(schema, path)
	case schema["type"] == "object":
		return b.object(schema, path)
	case schema["type"] == "string":
		one, _ := json.Marshal(b.text(schema))
		written = string(one)
	case schema["type"] == "boolean":
		written = "true"
	default:
		least, _ := schema["minimum"].(float64)
		written = strconv.Itoa(int(least))
	}
	b.left -= len(written) + 1
	return written
}

func (b *builder) text(schema map[string]any) string {
	if examples, _ := schema["examples"].([]any); len(examples) > 0 && schema["pattern"] != nil {
		text, _ := examples[0].(string)
		return text
	}
	switch schema["format"] {
	case "date-time":
		return "2026-11-20T10:15:00Z"
	case "date":
		return "2026-11-20"
	}
	length := 1
	if least, ok := schema["minLength"].(float64); ok {
		length = int(least)
	}
	if b.long {
		length = b.left
		if most, ok := schema["maxLength"].(float64); ok {
			length = min(length, int(most))
		}
	}
	return strings.Repeat("a", max(length, 1))
}

func (b *builder) array(schema map[string]any, path []string) string {
	count := 1
	if least, ok := schema["minItems"].(float64); ok {
		count = int(least)
	}
	if b.wide {
		count = b.left
		if most, ok := schema["maxItems"].(float64); ok {
			count = int(most)
		}
	}
	within := append(path[:len(path):len(path)], "[]")
	var items []string
	for len(items) < count && (b.left > 0 || len(items) == 0) {
		items = append(items, b.value(b.resolved(schema["items"]), within))
	}
	return "[" + strings.Join(items, ",") + "]"
}

func (b *builder) object(schema map[string]any, path []string) string {
	properties, _ := schema["properties"].(map[string]any)
	names := slices.Sorted(maps.Keys(properties))
	if most, ok := schema["maxProperties"].(float64); ok && most == 1 {
		chosen := names[b.choice%len(names)]
		if len(path) < len(b.at) && slices.Contains(names, b.at[len(path)]) {
			chosen = b.at[len(path)]
		}
		names = []string{chosen}
	}
	var members []string
	for _, name := range names {
		b.left -= len(name) + 4
		within := append(path[:len(path):len(path)], name)
		members = append(members, strconv.Quote(name)+":"+b.value(b.resolved(properties[name]), within))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// bodies are bodies for an operation: as wide and as long as its limits allow, and beyond them at each place.
func (s schemas) bodies(operation map[string]any, size int) map[string]func() string {
	schema := s.body(operation)
	if schema == nil {
		return nil
	}
	made := map[string]func() string{}
	for choice := range 3 {
		for _, b := range []builder{{wide: true}, {long: true}, {wide: true, long: true}} {
			b.schemas, b.choice, b.left = s, choice, size
			shape := fmt.Sprintf("wide %t, long %t, choice %d", b.wide, b.long, choice)
			made[shape] = func() string { return b.value(schema, nil) }
		}
	}
	hostile := map[string]string{
		"numbers":        "[" + filled("1,", size) + "1]",
		"large numbers":  "[" + filled("9e99,", size) + "1]",
		"texts":          "[" + filled(`"a",`, size) + `""]`,
		"objects":        "[" + filled("{},", size) + "{}]",
		"nulls":          "[" + filled("null,", size) + "null]",
		"a text":         `"` + strings.Repeat("a", size) + `"`,
		"marks":          `"` + strings.Repeat("\u0301", size/2) + `"`,
		"a number":       strings.Repeat("1", size),
		"names":          named(size),
		"one name":       "{" + filled(`"a":1,`, size) + `"a":1}`,
		"a long name":    `{"` + strings.Repeat("n", size/2) + `":[` + filled("9e99,", size/2) + "1]}",
		"depth":          strings.Repeat(`{"`+strings.Repeat("n", size/31)+`":`, 30) + "1" + strings.Repeat("}", 30),
		"nested arrays":  "[" + filled(strings.Repeat("[", 20)+strings.Repeat("]", 20)+",", size) + "1]",
		"escapes":        `"` + filled(`\u0001`, size) + `"`,
		"too much depth": strings.Repeat("[", size),
	}
	places := map[string][]string{}
	s.each(schema, []string{}, func(path []string, _ map[string]any) {
		if strings.Join(path, ".") == "" || len(path) <= 2 || !strings.Contains(strings.Join(path, "."), "ilters.") {
			places[strings.Join(path, ".")] = path
		}
	})
	for place, path := range places {
		for kind, planted := range hostile {
			b := &builder{schemas: s, left: 256, planted: planted, at: path}
			made[kind+" at "+place] = func() string { return b.value(schema, []string{}) }
		}
	}
	return made
}

// queries are queries for an operation.
func (s schemas) queries(operation map[string]any, size int) map[string]string {
	made := map[string]string{
		"unknown": named(size),
		"one":     filled("a=1&", size),
		"long":    "a=" + strings.Repeat("a", size),
		"escapes": filled("%01=%02&", size),
	}
	made["unknown"] = strings.NewReplacer(`{`, "", `}`, "", `"`, "", `:`, "=", ",", "&").Replace(made["unknown"])
	parameters, _ := operation["parameters"].([]any)
	for _, one := range parameters {
		parameter, _ := one.(map[string]any)
		if name, ok := parameter["name"].(string); ok && parameter["in"] == "query" {
			made[name+" often"] = filled(url.QueryEscape(name)+"=1&", size)
			made[name+" long"] = url.QueryEscape(name) + "=" + strings.Repeat("a", size)
			made[name+" of many"] = url.QueryEscape(name) + "=" + filled("a,", size)
		}
	}
	return made
}

// filled repeats a text to a size.
func filled(text string, size int) string { return strings.Repeat(text, size/len(text)) }

// named is an object of many names.
func named(size int) string {
	var b strings.Builder
	b.WriteString(`{"a":1`)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `,"%d":1`, i)
	}
	return b.String() + "}"
}
