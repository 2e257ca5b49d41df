package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// CloudFormation refuses a stack in which resources wait for each other in a circle, by whatever they say of each
// other: a property, a policy of updates, or that they depend. It would say so only when the stage is deployed.
func TestNothingWaitsForItself(t *testing.T) {
	onEachDeployment(t, func(t *testing.T, _ Stage, made deployment) {
		for _, in := range made.templates() {
			if found := circle(in.waits); found != nil {
				t.Errorf("%s", strings.Join(found, " waits for "))
			}
		}
	})
	if circle(map[string][]string{"a": {"b", "c"}, "b": {"c"}, "c": nil}) != nil ||
		circle(map[string][]string{"a": {"b"}, "b": {"c"}, "c": {"b"}}) == nil {
		t.Error("circles are not told from what is none")
	}
}

// waitsOf returns, by the logical ids of a template's resources, which others CloudFormation makes before each.
func waitsOf(content []byte) (map[string][]string, error) {
	var read struct{ Resources map[string]any }
	if err := json.Unmarshal(content, &read); err != nil {
		return nil, err
	}
	waits := map[string][]string{}
	for id, resource := range read.Resources {
		waits[id] = slices.DeleteFunc(mentioned(resource), func(other string) bool { return read.Resources[other] == nil })
	}
	return waits, nil
}

// substitution is a reference in a text of Fn::Sub.
var substitution = regexp.MustCompile(`\$\{([A-Za-z0-9]+)[.}]`)

// mentioned are the logical ids that a part of a template names.
func mentioned(value any) (ids []string) {
	switch value := value.(type) {
	case []any:
		for _, each := range value {
			ids = append(ids, mentioned(each)...)
		}
	case map[string]any:
		for name, each := range value {
			switch name {
			case "Ref", "DependsOn", "Fn::GetAtt", "Fn::Sub":
				for _, part := range list(each) {
					text, _ := part.(string)
					ids = append(ids, text)
					for _, found := range substitution.FindAllStringSubmatch(text, -1) {
						ids = append(ids, found[1])
					}
				}
			}
			ids = append(ids, mentioned(each)...)
		}
	}
	return ids
}

// circle is a way back to where it begins, if there is one.
func circle(waits map[string][]string) []string {
	done := map[string]bool{}
	var on []string
	var from func(id string) []string
	from = func(id string) []string {
		if at := slices.Index(on, id); at >= 0 {
			return append(slices.Clone(on[at:]), id)
		}
		if done[id] {
			return nil
		}
		on = append(on, id)
		for _, other := range waits[id] {
			if found := from(other); found != nil {
				return found
			}
		}
		on, done[id] = on[:len(on)-1], true
		return nil
	}
	for id := range waits {
		if found := from(id); found != nil {
			return found
		}
	}
	return nil
}
