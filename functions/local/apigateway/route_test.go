package apigateway

import (
	"reflect"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	var routes []Route
	for _, path := range []string{
		"/", "/api/{any+}", "/api/v2/mentions", "/api/v2/mentions/{sourceId}", "/api/v2/mentions/by-id",
		"/api/v2/{group}/by-id", "/api/v2/mentions/{sourceId}/raw", "/api/v2/mentions/export/{id}",
	} {
		routes = append(routes, route(path, echo))
	}
	table := newTable(routes)
	for _, test := range []struct {
		path, want string // the route's path, or nothing
		parameters map[string]string
	}{
		{"/", "/", nil},
		{"/api/v2/mentions", "/api/v2/mentions", nil},
		{"/api/v2/mentions/", "/api/v2/mentions", nil},
		{"/api/v2/mentions/by-id", "/api/v2/mentions/by-id", nil},
		{"/api/v2/mentions/by-id/", "/api/v2/mentions/by-id", nil},
		{"/api/v2/feeds/by-id", "/api/v2/{group}/by-id", map[string]string{"group": "feeds"}},
		{"/api/v2/mentions/By-Id", "/api/v2/mentions/{sourceId}", map[string]string{"sourceId": "By-Id"}},
		{"/api/v2/mentions/by-id/raw", "/api/v2/mentions/{sourceId}/raw", map[string]string{"sourceId": "by-id"}},
		{"/api/v2/mentions/export/7", "/api/v2/mentions/export/{id}", map[string]string{"id": "7"}},
		{"/api/v2/mentions/export/raw", "/api/v2/mentions/export/{id}", map[string]string{"id": "raw"}},
		{"/api/v2/mentions/..", "/api/v2/mentions/{sourceId}", map[string]string{"sourceId": ".."}},
		{"/api/v2/mentions/%2e%2e", "/api/v2/mentions/{sourceId}", map[string]string{"sourceId": "%2e%2e"}},
		{"/api/v2/mentions/a%2Fb", "/api/v2/mentions/{sourceId}", map[string]string{"sourceId": "a%2Fb"}},
		{"/api/v2/mentions/%62y-id", "/api/v2/mentions/{sourceId}", map[string]string{"sourceId": "%62y-id"}},
		{"/api/v2/mentions//", "/api/{any+}", map[string]string{"any": "v2/mentions/"}}, // no variable is empty
		{"/api/v2/mentions//raw", "/api/{any+}", map[string]string{"any": "v2/mentions//raw"}},
		{"/api/v3", "/api/{any+}", map[string]string{"any": "v3"}},
		{"/api", "", nil},
		{"/api/", "", nil},
		{"/api//", "", nil},
		{"//api/v2/mentions", "", nil},
		{"/API/v2/mentions", "", nil},
		{"/other", "", nil},
		{"*", "", nil},
		{"", "", nil},
	} {
		found, parameters, ok := table.find(test.path)
		if ok != (test.want != "") || found.Path != test.want || !reflect.DeepEqual(parameters, test.parameters) {
			t.Errorf("%s: %q %v, want %q %v", test.path, found.Path, parameters, test.want, test.parameters)
		}
	}
}

func TestNewRefusesWhatCannotBeDeployed(t *testing.T) {
	for _, test := range []struct {
		paths []string
		want  string
	}{
		{[]string{"api"}, "begins with a slash"},
		{[]string{"/api//v2"}, `"" is no segment`},
		{[]string{"/api/"}, `"" is no segment`},
		{[]string{"/{}"}, `"{}" is no segment`},
		{[]string{"/{id"}, `"{id" is no variable`},
		{[]string{"/a{id}"}, `"a{id}" is no segment`},
		{[]string{"/{all+}/more"}, "comes last"},
		{[]string{"/a/{x}", "/a/{x}"}, "are the same"},
		{[]string{"/a/{x}", "/a/{y}/b"}, "{x} in another route"},
	} {
		t.Run(strings.Join(test.paths, " "), func(t *testing.T) {
			defer func() {
				if message, _ := recover().(string); !strings.Contains(message, test.want) {
					t.Errorf("panic %q, want %q", message, test.want)
				}
			}()
			var routes []Route
			for _, path := range test.paths {
				routes = append(routes, route(path, echo))
			}
			surroundings, _ := options()
			New(routes, surroundings)
		})
	}
}
