package stage

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
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
// Service/<id>/…, or Data/<id>/… for the one that the directory calls.
func (r resource) function() (id string, ours bool) {
	path, _ := r.Metadata["aws:cdk:path"].(string)
	parts := strings.Split(path, "/")
	if len(parts) < 3 || parts[0] != "Service" && parts[0] != "Data" {
		return "", false
	}
	return parts[1], r.Type != "AWS::Lambda::Function" || parts[2] == "Fn"
}

// names are what CloudFormation would put in the places of references: of a stack's resources by their logical ids, what Ref and the
// attribute Arn are.
type names map[string]struct{ ref, arn string }

// text is a value as CloudFormation would hand it over. Other than what functions are told it does not know, and answers an error that
// says so.
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
