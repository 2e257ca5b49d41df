package deployment_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"earshot/functions/discovery"
	"earshot/functions/local/apigateway"
	"earshot/functions/local/deployment"
	"earshot/shared/port/clock"
)

func nothing(context.Context, events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
	return events.APIGatewayProxyResponse{}, nil
}

// Every path of the document that is served has a function, and every function a path.
func TestEveryFunctionIsServed(t *testing.T) {
	functions := deployment.Functions(deployment.Parts{Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)})
	routes, err := deployment.Routes(discovery.OpenAPI(), functions)
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range routes {
		delete(functions, route.Function)
	}
	if len(functions) != 0 {
		t.Errorf("no path leads to %v", functions)
	}
}

func TestRoutes(t *testing.T) {
	functions := map[string]apigateway.Handler{"a": nothing, "b": nothing}
	routes, err := deployment.Routes([]byte(`{"paths":{"/y":{"summary":"x","parameters":[],"get":{"x-function":"a"},"post":{"x-function":"a"}},
		"/x/{id}":{"delete":{"x-function":"b"}},"/none":{"summary":"x"}}}`), functions)
	if err != nil || len(routes) != 2 || routes[0].Path != "/x/{id}" || routes[0].Function != "b" ||
		routes[1].Function != "a" {
		t.Fatalf("%+v %v", routes, err)
	}
	for _, c := range []struct{ document, want string }{
		{`{"paths":{"/x":{"get":{"x-function":"c"}}}}`,
			`GET /x to the function "c", which has no handler here; there are: a, b`},
		{`{"paths":{"/x":{"get":{}}}}`, `the function ""`},
		{`{"paths":{"/x":{"get":{"x-function":"a"},"put":{"x-function":"b"}}}}`, "two functions"},
		{`{"paths":[]}`, "read the OpenAPI document"},
		{`{"paths":{"/x":{"get":7}}}`, "get of /x"},
	} {
		if _, err := deployment.Routes([]byte(c.document), functions); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.document, err)
		}
	}
}
