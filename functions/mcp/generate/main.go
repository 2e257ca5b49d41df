// Generate writes the list of the MCP server's tools, with their schemas, and the operations that they call from the
// OpenAPI document. With -check it writes nothing and fails when a file is not what it would write.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"earshot/functions/discovery"
	"earshot/functions/mcp"
	"earshot/shared/workspace"
)

func main() {
	check := flag.Bool("check", false, "fail when a file is stale instead of writing it")
	folder := flag.String("folder", "functions/mcp", "the folder to write to")
	flag.Parse()
	if err := run(*folder, *check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder string, check bool) error {
	files, err := write(discovery.OpenAPI(), mcp.Tools())
	if err != nil {
		return err
	}
	for name, content := range files {
		file := filepath.Join(folder, name)
		if !check {
			if err := os.WriteFile(file, content, 0o644); err != nil {
				return err
			}
		} else if found, err := os.ReadFile(file); err != nil || !bytes.Equal(found, content) {
			return fmt.Errorf("%s is stale: run make generate", file)
		}
	}
	return nil
}

type object = map[string]any

// written is an operation of the document.
type written struct {
	method, path string
	ID           string   `json:"operationId"`
	Scope        string   `json:"x-required-scope"`
	Parameters   []object `json:"parameters"`
	RequestBody  *content `json:"requestBody"`
	Responses    map[string]content
}

type content struct {
	Content map[string]struct {
		Schema object `json:"schema"`
	} `json:"content"`
}

// schema returns the schema of the JSON content; nil if there is none.
func (c *content) schema() object {
	if c == nil {
		return nil
	}
	return c.Content["application/json"].Schema
}

// write returns the content of the files by their names.
func write(openAPI []byte, tools []mcp.Tool) (map[string][]byte, error) {
	var document struct {
		Paths      map[string]map[string]written
		Components struct{ Schemas map[string]object }
	}
	if err := json.Unmarshal(openAPI, &document); err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	known := map[string]written{}
	for path, methods := range document.Paths {
		for method, op := range methods {
			op.method, op.path = strings.ToUpper(method), path
			known[op.ID] = op
		}
	}
	r := reducer{document.Components.Schemas}
	operations, schemas := object{}, map[string]mcp.Schemas{}
	for _, t := range tools {
		for _, id := range t.Operations {
			op, ok := known[id]
			if !ok {
				return nil, fmt.Errorf("%s calls %s, which is no operation", t.Name, id)
			}
			made, err := op.described()
			if err != nil {
				return nil, err
			}
			operations[id] = made
		}
		input, err := r.input(t, known)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		schemas[t.Name] = mcp.Schemas{Input: input, Output: r.output(t, known[t.Operations[0]])}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(operations); err != nil {
		return nil, err
	}
	list, err := mcp.List(schemas)
	return map[string][]byte{"operations.json": out.Bytes(), "tools.json": list}, err
}

// described returns what the server needs to call the operation.
func (op written) described() (object, error) {
	scope, err := workspace.ParseScope(op.Scope)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op.ID, err)
	}
	made := object{"method": op.method, "path": op.path, "scope": scope}
	if op.RequestBody != nil {
		made["body"] = true
	}
	var query []string
	for _, p := range op.Parameters {
		if p["in"] == "query" {
			query = append(query, p["name"].(string))
		}
	}
	if len(query) > 0 {
		made["query"] = query
	}
	return made, nil
}

// input returns the schema of a tool's arguments: the parameters and the body's properties of its operations, and its
// own properties.
func (r reducer) input(t mcp.Tool, known map[string]written) (object, error) {
	properties, required := object{}, []string{}
	add := func(name string, schema object, needed bool) {
		if slices.Contains(t.Leave, name) || properties[name] != nil {
			return
		}
		made := r.reduced(schema, offered, deepInput)
		if slices.Contains(t.Known, name) {
			delete(made, "description")
		}
		properties[name] = made
		if needed {
			required = append(required, name)
		}
	}
	for _, id := range t.Operations {
		op := known[id]
		for _, p := range op.Parameters {
			if name, ok := p["name"].(string); ok && p["in"] != "header" {
				schema, _ := p["schema"].(object)
				add(name, schema, p["required"] == true)
			}
		}
		body := r.resolved(op.RequestBody.schema())
		of, _ := body["properties"].(object)
		needed, _ := body["required"].([]any)
		for _, name := range slices.Sorted(maps.Keys(of)) {
			schema, _ := of[name].(object)
			add(name, schema, slices.Contains(needed, any(name)))
		}
	}
	if t.Own != "" {
		var own map[string]object
		if err := json.Unmarshal([]byte(t.Own), &own); err != nil {
			return nil, fmt.Errorf("its own properties: %w", err)
		}
		for _, name := range slices.Sorted(maps.Keys(own)) {
			add(name, own[name], false)
		}
	}
	if t.Required != nil {
		required = t.Required
	}
	made := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		made["required"] = required
	}
	var example object
	if err := json.Unmarshal([]byte(t.Example), &example); err != nil {
		return nil, fmt.Errorf("its example: %w", err)
	}
	made["examples"] = []any{example}
	return made, nil
}

// output returns the schema of a tool's result: that of its operation's response. A long result loses members, so none
// is required. A tool that writes returns what a tool that reads describes, so its schema only names the members.
func (r reducer) output(t mcp.Tool, op written) object {
	depth := deepOutput
	if !strings.HasPrefix(t.Name, "list_") {
		depth = 1
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		response := op.Responses[status]
		if schema := response.schema(); status[0] == '2' && schema != nil {
			made := r.reduced(schema, returned, depth)
			if members, ok := made["properties"].(object); ok && op.Scope != workspace.Read.String() {
				for name := range members {
					members[name] = object{}
				}
			}
			return made
		}
	}
	return object{"type": "object"}
}
