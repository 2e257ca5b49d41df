package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"

	"earshot/shared/web"
)

// A route is one path of the API and its function, which answers every method: a wrong method and a CORS preflight
// too.
type route struct {
	path, function string
	public         bool // one of its operations at least needs no key
}

// readRoutes reads the routes from the served OpenAPI document, ordered by path. So the documented paths and the
// reachable paths cannot differ.
func readRoutes(file string) ([]route, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the OpenAPI document: %w", err)
	}
	routes, err := parseRoutes(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return routes, nil
}

func parseRoutes(document []byte) ([]route, error) {
	var parsed struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(document, &parsed); err != nil {
		return nil, err
	}
	var routes []route
	var faults []error
	for _, path := range slices.Sorted(maps.Keys(parsed.Paths)) {
		function, public, err := functionOf(path, parsed.Paths[path])
		if err != nil {
			faults = append(faults, err)
			continue
		}
		routes = append(routes, route{path, function, public})
	}
	if len(parsed.Paths) == 0 {
		faults = append(faults, errors.New("has no paths"))
	}
	faults = append(faults, checkPaths(routes)...)
	return routes, errors.Join(faults...)
}

// functionOf returns the one function that all operations of a path name, and whether one of them needs no key.
func functionOf(path string, item map[string]json.RawMessage) (function string, public bool, err error) {
	methods := []string{http.MethodGet, http.MethodPut, http.MethodPost, http.MethodDelete, http.MethodOptions,
		http.MethodHead, http.MethodPatch, http.MethodTrace}
	found, first := "", ""
	for _, method := range methods {
		content, ok := item[strings.ToLower(method)]
		if !ok {
			continue
		}
		var operation struct {
			Function string            `json:"x-function"`
			Security []json.RawMessage `json:"security"`
		}
		if err := json.Unmarshal(content, &operation); err != nil {
			return "", false, fmt.Errorf("%s %s: %w", method, path, err)
		}
		public = public || len(operation.Security) == 0
		switch {
		case operation.Function == "":
			return "", false, fmt.Errorf("%s %s: no x-function says which function answers it", method, path)
		case found == "":
			found, first = operation.Function, method
		case found != operation.Function:
			return "", false, fmt.Errorf("%s: %s is of the function %s and %s of %s; a path has one function",
				path, first, found, method, operation.Function)
		}
	}
	if found == "" {
		return "", false, fmt.Errorf("%s: has no operation", path)
	}
	return web.FunctionOf(found, path), public, nil
}

// pathPart matches what API Gateway takes between two slashes. A parameter fills its part whole.
var pathPart = regexp.MustCompile(`^([a-zA-Z0-9._:-]+|\{[a-zA-Z0-9._-]+\})$`)

// checkPaths returns what API Gateway would refuse only while deploying: invalid parts, and two parameters with
// different names at one place.
func checkPaths(routes []route) []error {
	var faults []error
	parameters := map[string]string{
		"": strings.TrimPrefix(otherPaths, "/"),
	} // path before a parameter → the parameter's part
	for _, route := range routes {
		parts, ok := strings.CutPrefix(route.path, "/")
		before := ""
		for part := range strings.SplitSeq(parts, "/") {
			if !ok || !pathPart.MatchString(part) {
				faults = append(faults, fmt.Errorf("%s: API Gateway has no such path: %q", route.path, part))
				break
			}
			if strings.HasPrefix(part, "{") {
				if other, ok := parameters[before]; ok && other != part {
					faults = append(
						faults,
						fmt.Errorf("%s: %s stands where another path has %s; API Gateway wants one name there",
							route.path, part, other),
					)
				}
				parameters[before] = part
			}
			before += "/" + part
		}
	}
	return faults
}

// matchRoutes compares the routes with the manifest. Every route's function is an API function of the manifest, and
// every API function has a route.
func matchRoutes(routes []route, functions []Function) error {
	unreached := map[string]bool{}
	for _, function := range functions {
		if function.Trigger == (API{}) {
			unreached[function.Name] = true
		}
	}
	var faults []error
	for _, route := range routes {
		if _, ok := unreached[route.function]; !ok {
			faults = append(
				faults, fmt.Errorf("%s is of %q, which is no API function of the manifest", route.path, route.function),
			)
			continue
		}
		unreached[route.function] = false
	}
	for _, name := range slices.Sorted(maps.Keys(unreached)) {
		if unreached[name] {
			faults = append(faults, fmt.Errorf("the API function %q has no path in the OpenAPI document", name))
		}
	}
	return errors.Join(faults...)
}
