package deployment

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"earshot/functions/local/apigateway"
	"earshot/shared/web"
)

// Routes returns the paths of an OpenAPI document, each with the function that serves it. web.FunctionOf derives the
// function from the group that the operations name in x-function.
func Routes(document []byte, functions map[string]apigateway.Handler) ([]apigateway.Route, error) {
	var described struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(document, &described); err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	var routes []apigateway.Route
	for _, path := range slices.Sorted(maps.Keys(described.Paths)) {
		route := apigateway.Route{Path: path}
		for member, content := range described.Paths[path] {
			if !isMethod(member) {
				continue
			}
			var operation struct {
				Function string `json:"x-function"`
			}
			if err := json.Unmarshal(content, &operation); err != nil {
				return nil, fmt.Errorf("read the OpenAPI document: %s of %s: %w", member, path, err)
			}
			operation.Function = web.FunctionOf(operation.Function, path)
			// The local gateway, as the deployment's, sends a path to one function, whatever the method.
			if route.Function != "" && operation.Function != route.Function {
				return nil, fmt.Errorf(
					"the OpenAPI document gives %s to two functions, %q and %q", path, route.Function,
					operation.Function,
				)
			}
			route.Function, route.Handler = operation.Function, functions[operation.Function]
			if route.Handler == nil {
				return nil, fmt.Errorf(
					"the OpenAPI document gives %s %s to the function %q, which has no handler here; there are: %s",
					strings.ToUpper(member), path, operation.Function,
					strings.Join(slices.Sorted(maps.Keys(functions)), ", "),
				)
			}
		}
		if route.Function != "" {
			routes = append(routes, route)
		}
	}
	return routes, nil
}

// isMethod reports whether a member of a path item is an operation (OpenAPI 3.1, section 4.8.9). Other members
// describe all operations.
func isMethod(member string) bool {
	methods := []string{
		http.MethodGet, http.MethodPut, http.MethodPost, http.MethodDelete, http.MethodOptions, http.MethodHead,
		http.MethodPatch, http.MethodTrace,
	}
	return slices.Contains(methods, strings.ToUpper(member)) && member == strings.ToLower(member)
}
