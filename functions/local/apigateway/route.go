package apigateway

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// table finds routes as a REST API does: segment by segment, a literal before a {variable} before a greedy
// {variable+}. It is sorted, so the first entry that matches wins.
type table []entry

type entry struct {
	route    Route
	segments []segment
}

// A segment of a route's path matches one segment of a request's path. A greedy one matches all that are left.
type segment struct {
	kind kind
	name string // the literal, or the variable's name
}

type kind int

// In the order in which they are tried.
const (
	literal kind = iota
	variable
	greedy
)

func newTable(routes []Route) table {
	var entries table
	paths := map[string]string{}     // by shape: two routes that match the same requests
	variables := map[string]string{} // by the shape before it: API Gateway takes one variable name at each place
	for _, route := range routes {
		if route.Handler == nil {
			panic(fmt.Sprintf("apigateway: route %s has no handler", route.Path))
		}
		segments, err := parse(route.Path)
		if err != nil {
			panic(fmt.Sprintf("apigateway: route %q: %v", route.Path, err))
		}
		shape := ""
		for _, part := range segments {
			if part.kind == literal {
				shape += "/" + part.name
				continue
			}
			shape += fmt.Sprintf("/{%d}", part.kind)
			if other, taken := variables[shape]; taken && other != part.name {
				panic(
					fmt.Sprintf(
						"apigateway: route %s: the variable at this place is {%s} in another route", route.Path, other,
					),
				)
			}
			variables[shape] = part.name
		}
		if other, taken := paths[shape]; taken {
			panic(fmt.Sprintf("apigateway: routes %s and %s are the same", other, route.Path))
		}
		paths[shape] = route.Path
		entries = append(entries, entry{route: route, segments: segments})
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		return slices.CompareFunc(a.segments, b.segments, func(a, b segment) int { return cmp.Compare(a.kind, b.kind) })
	})
	return entries
}

func parse(path string) ([]segment, error) {
	if !strings.HasPrefix(path, "/") {
		return nil, fmt.Errorf("a path begins with a slash")
	}
	if path == "/" {
		return nil, nil
	}
	var segments []segment
	for text := range strings.SplitSeq(path[1:], "/") {
		if len(segments) > 0 && segments[len(segments)-1].kind == greedy {
			return nil, fmt.Errorf("a greedy variable comes last")
		}
		part := segment{kind: literal, name: text}
		if name, isVariable := strings.CutPrefix(text, "{"); isVariable {
			name, closed := strings.CutSuffix(name, "}")
			part = segment{kind: variable, name: name}
			if name, isGreedy := strings.CutSuffix(name, "+"); isGreedy {
				part = segment{kind: greedy, name: name}
			}
			if !closed {
				return nil, fmt.Errorf("%q is no variable", text)
			}
		}
		if part.name == "" || strings.ContainsAny(part.name, "{}+") {
			return nil, fmt.Errorf("%q is no segment", text)
		}
		segments = append(segments, part)
	}
	return segments, nil
}

// find returns the route for a raw path and its path parameters, nil if it has none. They are as the client wrote
// them, because a REST API does not decode them.
func (t table) find(path string) (Route, map[string]string, bool) {
	segments, valid := split(path)
	if !valid {
		return Route{}, nil, false
	}
	for _, entry := range t {
		if parameters, matches := entry.match(segments); matches {
			return entry.route, parameters, true
		}
	}
	return Route{}, nil, false
}

// split cuts a raw path into its segments. One trailing slash does not count: API Gateway ignores it when it routes.
func split(path string) ([]string, bool) {
	rest, valid := strings.CutPrefix(path, "/")
	if !valid { // the "*" of OPTIONS
		return nil, false
	}
	rest = strings.TrimSuffix(rest, "/")
	if rest == "" {
		return nil, true
	}
	return strings.Split(rest, "/"), true
}

func (e entry) match(path []string) (map[string]string, bool) {
	if n := len(e.segments); n != len(path) && (n == 0 || e.segments[n-1].kind != greedy) {
		return nil, false
	}
	var parameters map[string]string
	for i, part := range e.segments {
		if i >= len(path) {
			return nil, false
		}
		value := path[i]
		if part.kind == literal {
			if value != part.name {
				return nil, false
			}
			continue
		}
		if part.kind == greedy {
			value = strings.Join(path[i:], "/")
		}
		if value == "" {
			return nil, false
		}
		if parameters == nil {
			parameters = map[string]string{}
		}
		parameters[part.name] = value
		if part.kind == greedy {
			return parameters, true
		}
	}
	return parameters, true
}
