package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRoutesAreThoseOfTheDocument(t *testing.T) {
	routes, err := parseRoutes([]byte(`{"paths": {
		"/api/v2/mentions/{sourceId}": {
			"summary": "not an operation",
			"parameters": [{"name": "sourceId", "in": "path"}],
			"patch": {"x-function": "mentions", "security": [{"key": []}]}, "get": {"x-function": "mentions"}},
		"/api/v2/mentions/by-id": {"get": {"x-function": "mentions", "security": [{"key": []}]}},
		"/.well-known/oauth-protected-resource": {"get": {"x-function": "discovery"}}
	}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []route{
		{"/.well-known/oauth-protected-resource", "discovery", true},
		{"/api/v2/mentions/by-id", "mentions", false},
		{"/api/v2/mentions/{sourceId}", "mentions", true},
	}
	if !slices.Equal(routes, want) {
		t.Errorf("got %v", routes)
	}
	inner := []string{"/", "/.well-known", "/api", "/api/v2", "/api/v2/mentions"}
	if got := innerPaths(routes); !slices.Equal(got, inner) {
		t.Errorf("inner paths %q", got)
	}
}

func TestADocumentThatCannotBeDeployedIsRefused(t *testing.T) {
	for name, test := range map[string]struct{ paths, says string }{
		"no paths":     {`{}`, "no paths"},
		"no function":  {`{"/a": {"get": {}}}`, "GET /a: no x-function"},
		"no operation": {`{"/a": {"summary": "a"}}`, "/a: has no operation"},
		"two functions": {`{"/a": {"get": {"x-function": "b"}, "post": {"x-function": "c"}}}`,
			"GET is of the function b and POST of c"},
		"two parameters": {`{"/a/{b}": {"get": {"x-function": "f"}}, "/a/{c}/d": {"get": {"x-function": "f"}}}`,
			"{c} stands where another path has {b}"},
		"a parameter at the top": {`{"/{b}": {"get": {"x-function": "f"}}}`, "{proxy+}"},
		"half a parameter":       {`{"/a/b{c}": {"get": {"x-function": "f"}}}`, `"b{c}"`},
		"a trailing slash":       {`{"/a/": {"get": {"x-function": "f"}}}`, "no such path"},
		"no slash":               {`{"a": {"get": {"x-function": "f"}}}`, "no such path"},
		"not an object":          {`[]`, "cannot unmarshal"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseRoutes([]byte(`{"paths": ` + test.paths + `}`))
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want %q", err, test.says)
			}
		})
	}
}

func TestEveryFaultOfADocumentIsNamed(t *testing.T) {
	_, err := parseRoutes([]byte(`{"paths": {"/a": {"get": {}}, "/b": {"get": {}}}}`))
	if err == nil || !strings.Contains(err.Error(), "/a") || !strings.Contains(err.Error(), "/b") {
		t.Errorf("got %v", err)
	}
}

func TestRoutesAndManifestAreHeldAgainstEachOther(t *testing.T) {
	functions := []Function{{Name: "mentions", Trigger: API{}}, {Name: "sweep", Trigger: Schedule{Every: time.Hour}}}
	for name, test := range map[string]struct {
		routes []route
		says   string
	}{
		"matching":       {[]route{{"/a", "mentions", false}}, ""},
		"unknown":        {[]route{{"/a", "mentions", false}, {"/b", "feeds", false}}, `/b is of "feeds"`},
		"no API":         {[]route{{"/a", "mentions", false}, {"/b", "sweep", false}}, `/b is of "sweep"`},
		"without a path": {nil, `"mentions" has no path`},
	} {
		t.Run(name, func(t *testing.T) {
			err := matchRoutes(test.routes, functions)
			if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want %q", err, test.says)
			}
		})
	}
}
