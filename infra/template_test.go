package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// A template is a synthesized stack.
type template struct {
	Resources map[string]resource
	Outputs   map[string]struct {
		Value  any
		Export struct{ Name any }
	}
	waits   map[string][]string // by logical id: which others are made before it
	imports *template           // the stack whose exports this one imports

	id         string               // its logical id in the stack that it is within
	nested     map[string]*template // the stacks within this one, by the logical ids of their resources
	parent     *template            // the stack that this one is within
	parameters map[string]any       // what that one hands it
}

// A resource is one of a template; id is its logical id.
type resource struct {
	id                  string
	Type                string
	Properties          map[string]any
	DependsOn           any
	DeletionPolicy      string
	UpdateReplacePolicy string
	UpdatePolicy        map[string]any
	Metadata            map[string]any
}

func readTemplate(file string) (template, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return template{}, err
	}
	var read template
	if err := json.Unmarshal(content, &read); err != nil {
		return template{}, err
	}
	read.waits, err = waitsOf(content)
	for id, resource := range read.Resources {
		resource.id = id
		read.Resources[id] = resource
	}
	return read, err
}

// of lists the resources of a type, in the order of their logical ids.
func (t template) of(kind string) []resource {
	var found []resource
	for _, id := range slices.Sorted(maps.Keys(t.Resources)) {
		if t.Resources[id].Type == kind {
			found = append(found, t.Resources[id])
		}
	}
	return found
}

// at is the resource at a place in the tree of constructs.
func (t template) at(of *testing.T, path string) resource {
	of.Helper()
	for _, resource := range t.Resources {
		if resource.path() == path {
			return resource
		}
	}
	of.Fatalf("there is nothing at %s", path)
	return resource{}
}

// path is where a resource stands in the tree of constructs, such as Service/mentions/Fn.
func (r resource) path() string {
	path, _ := r.Metadata["aws:cdk:path"].(string)
	return strings.TrimSuffix(path, "/Resource")
}

// text renders a value with its references readable: {path} for a Ref, {path.Attribute} for an attribute, and what
// another stack exports as what it is there.
func (t template) text(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	case map[string]any:
		if name, ok := value["Ref"].(string); ok {
			if resource, ok := t.Resources[name]; ok {
				return "{" + resource.path() + "}"
			}
			if given, ok := t.parameters[name]; ok {
				return t.parent.text(given)
			}
			return "{" + name + "}"
		}
		if of, ok := value["Fn::GetAtt"].([]any); ok {
			if within := t.nested[of[0].(string)]; within != nil {
				return within.text(within.Outputs[strings.TrimPrefix(of[1].(string), "Outputs.")].Value)
			}
			return fmt.Sprintf("{%s.%s}", t.Resources[of[0].(string)].path(), of[1])
		}
		if join, ok := value["Fn::Join"].([]any); ok {
			parts := []string{}
			for _, part := range join[1].([]any) {
				parts = append(parts, t.text(part))
			}
			return strings.Join(parts, join[0].(string))
		}
		if name, ok := value["Fn::ImportValue"].(string); ok && t.imports != nil {
			for _, output := range t.imports.Outputs {
				if t.imports.text(output.Export.Name) == name {
					return t.imports.text(output.Value)
				}
			}
		}
	}
	content, _ := json.Marshal(value)
	return string(content)
}

// list makes one value and several the same: CloudFormation's policies write either.
func list(value any) []any {
	if many, ok := value.([]any); ok {
		return many
	}
	if value == nil {
		return nil
	}
	return []any{value}
}

// onEachStage runs a test on every stage's deployment.
func onEachStage(t *testing.T, test func(t *testing.T, stage Stage, made deployment)) {
	for _, stage := range Stages() {
		t.Run(stage.Name, func(t *testing.T) { test(t, stage, deployments[stage.Name]) })
	}
}

// onEachDeployment runs a test on every stage's deployment, and on that of prod with every option.
func onEachDeployment(t *testing.T, test func(t *testing.T, stage Stage, made deployment)) {
	onEachStage(t, test)
	t.Run(withEveryOption, func(t *testing.T) { test(t, everyOption(), deployments[withEveryOption]) })
}

// property digs into nested properties; it is nil where one is missing.
func (r resource) property(names ...string) any {
	var value any = r.Properties
	for _, name := range names {
		value, _ = value.(map[string]any)[name]
		if value == nil {
			return nil
		}
	}
	return value
}
