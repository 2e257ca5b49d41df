package stage

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A template is a synthesized stack.
type template struct {
	Resources map[string]resource
	Outputs   map[string]struct {
		Value  any
		Export struct{ Name any }
	}
}

// A resource is one of a template.
type resource struct {
	id         string // logical
	group      bool   // whether it is in a nested stack of the service
	Type       string
	Properties map[string]any
	Metadata   map[string]any
}

func readTemplate(file string) (template, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return template{}, err
	}
	var read template
	err = json.Unmarshal(content, &read)
	for id, made := range read.Resources {
		made.id = id
		read.Resources[id] = made
	}
	return read, err
}

// readWithGroups reads the template of the service, with the resources of the nested stacks that hold functions as if
// they were its own. References between the stacks become references within it.
func readWithGroups(folder string) (template, error) {
	service, err := readTemplate(filepath.Join(folder, "Service.template.json"))
	if err != nil {
		return template{}, err
	}
	outputs := map[string]any{} // by what refers to them
	for _, within := range service.of("AWS::CloudFormation::Stack") {
		path, _ := within.Metadata["aws:cdk:path"].(string) // Service/Analytics.NestedStack/Analytics.NestedStackResource
		name := strings.TrimSuffix(strings.Split(path, "/")[1], ".NestedStack")
		files, err := filepath.Glob(filepath.Join(folder, "Service"+name+"????????.nested.template.json"))
		if err != nil || len(files) != 1 {
			return template{}, fmt.Errorf("templates of %s: %q, %v", path, files, err)
		}
		nested, err := readTemplate(files[0])
		if err != nil {
			return template{}, err
		}
		if len(nested.of("AWS::Lambda::Function")) == 0 {
			continue
		}
		given, _ := within.property("Parameters").(map[string]any)
		handed := func(reference map[string]any) (any, bool) {
			value, ok := given[fmt.Sprint(reference["Ref"])]
			return value, ok
		}
		for id, made := range nested.Resources {
			if _, twice := service.Resources[id]; twice {
				return template{}, fmt.Errorf("%s and the service both have %s", path, id)
			}
			made.group = true
			made.Properties, _ = replaced(made.Properties, handed).(map[string]any)
			service.Resources[id] = made
		}
		for output, put := range nested.Outputs {
			outputs[within.id+" Outputs."+output] = replaced(put.Value, handed)
		}
	}
	for id, made := range service.Resources {
		made.Properties, _ = replaced(made.Properties, func(reference map[string]any) (any, bool) {
			of, ok := reference["Fn::GetAtt"].([]any)
			if !ok || len(of) != 2 {
				return nil, false
			}
			value, ok := outputs[fmt.Sprint(of[0], " ", of[1])]
			return value, ok
		}).(map[string]any)
		service.Resources[id] = made
	}
	return service, nil
}

// replaced returns a value of a template in which by has replaced references.
func replaced(value any, by func(map[string]any) (any, bool)) any {
	switch value := value.(type) {
	case map[string]any:
		if other, ok := by(value); ok && len(value) == 1 {
			return other
		}
		made := map[string]any{}
		for name, member := range value {
			made[name] = replaced(member, by)
		}
		return made
	case []any:
		made := make([]any, len(value))
		for i, element := range value {
			made[i] = replaced(element, by)
		}
		return made
	}
	return value
}

// of lists the resources of a type, in the order of their logical ids.
func (t template) of(kind string) (found []resource) {
	for _, id := range slices.Sorted(maps.Keys(t.Resources)) {
		if t.Resources[id].Type == kind {
			found = append(found, t.Resources[id])
		}
	}
	return found
}

// property digs into nested properties; it is nil where one is missing.
func (r resource) property(names ...string) any {
	var value any = r.Properties
	for _, name := range names {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	return value
}

// function returns the id of the function that the resource is, or that has the same place in the tree of constructs:
// Service/<id>/…, Service/<group>/<id>/… in a nested stack, or Data/<id>/… for the one that the directory calls.
func (r resource) function() (id string, ours bool) {
	path, _ := r.Metadata["aws:cdk:path"].(string)
	parts := strings.Split(path, "/")
	if r.group {
		parts = slices.Delete(parts, 1, 2)
	}
	if len(parts) < 3 || parts[0] != "Service" && parts[0] != "Data" {
		return "", false
	}
	return parts[1], r.Type != "AWS::Lambda::Function" || parts[2] == "Fn"
}

// names are what CloudFormation would put in the places of references: of a stack's resources by their logical ids,
// what Ref and the attribute Arn are.
type names map[string]struct{ ref, arn string }

// text is a value as CloudFormation would hand it over. Other than what functions are told it does not know, and
// answers an error that says so.
func (s *stage) text(of template, value any) (string, error) {
	switch value := value.(type) {
	case string:
		return value, nil
	case map[string]any:
		if id, ok := value["Ref"].(string); ok {
			if known, ok := s.names[id]; ok {
				return known.ref, nil
			}
		}
		if attribute, ok := value["Fn::GetAtt"].([]any); ok {
			if known, ok := s.names[fmt.Sprint(attribute[0])]; ok && attribute[1] == "Arn" {
				return known.arn, nil
			}
			if domain, ok := s.domains[fmt.Sprint(attribute[0])]; ok && attribute[1] == "DomainName" {
				return domain, nil
			}
		}
		if join, ok := value["Fn::Join"].([]any); ok && len(join) == 2 {
			separator, _ := join[0].(string)
			values, _ := join[1].([]any)
			parts := make([]string, len(values))
			for i, part := range values {
				text, err := s.text(of, part)
				if err != nil {
					return "", err
				}
				parts[i] = text
			}
			return strings.Join(parts, separator), nil
		}
		if selected, ok := value["Fn::Select"].([]any); ok && len(selected) == 2 {
			return s.selected(of, selected[0], selected[1])
		}
		if export, ok := value["Fn::ImportValue"].(string); ok {
			for _, output := range deployed.data.Outputs {
				if output.Export.Name == export {
					return s.text(deployed.data, output.Value)
				}
			}
		}
	}
	return "", fmt.Errorf("nothing here stands for %v", value)
}

// selected is a part of a text that is split.
func (s *stage) selected(of template, index, from any) (string, error) {
	at, isNumber := index.(float64)
	list, _ := from.(map[string]any)
	split, _ := list["Fn::Split"].([]any)
	if !isNumber || len(split) != 2 {
		return "", fmt.Errorf("nothing here stands for the part %v of %v", index, from)
	}
	whole, err := s.text(of, split[1])
	if err != nil {
		return "", err
	}
	parts := strings.Split(whole, fmt.Sprint(split[0]))
	if int(at) >= len(parts) {
		return "", fmt.Errorf("%q has no part %v", whole, index)
	}
	return parts[int(at)], nil
}
