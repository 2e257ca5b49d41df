package main

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/web"
)

const (
	legacyPath = "/api/v1"
	otherPaths = "/{proxy+}"
)

// addUnknownPaths answers every path that no function has, by mock integrations, which call nothing: those of version 1
// with its own 404, which a gateway response cannot tell from the others by their path, and all others with the 404 of
// the gateway responses.
//
// Gateway responses alone would not do for the others either. With an Authorization header, which every client sends,
// API Gateway takes a request to a path that it does not know for one with a broken AWS signature, and answers 403. A
// path with a method that wants no authorization is never looked at in that way. The response
// MISSING_AUTHENTICATION_TOKEN stays, for what might still come by these paths.
func addUnknownPaths(p paths) {
	legacy := notFound(web.LegacyNotFound)
	for _, path := range []string{legacyPath, legacyPath + otherPaths} {
		legacy.at(p, path)
	}
	other := notFound(web.GatewayFor(web.UnknownRoute).Body())
	for _, path := range innerPaths(p.routes) {
		other.at(p, path)
	}
	other.at(p, otherPaths)
}

// innerPaths lists the paths above the routes that are no routes themselves. API Gateway has a resource for each.
func innerPaths(routes []route) []string {
	inner := map[string]bool{"/": true}
	for _, route := range routes {
		for i, char := range route.path {
			if char == '/' && i > 0 {
				inner[route.path[:i]] = true
			}
		}
	}
	for _, route := range routes {
		delete(inner, route.path)
	}
	maps.DeleteFunc(inner, func(path string, _ bool) bool {
		return path == legacyPath || strings.HasPrefix(path, legacyPath+"/")
	})
	return slices.Sorted(maps.Keys(inner))
}

// A mock is a response without a function.
type mock struct {
	integration awsapigateway.Integration
	responses   []*awsapigateway.MethodResponse
}

// notFound makes a mock that responds 404 with this body and the headers of gateway responses.
func notFound(body string) mock {
	answer := web.GatewayFor(web.UnknownRoute)
	status := strconv.Itoa(answer.Status)
	values, declared := map[string]*string{}, map[string]*bool{}
	for name, value := range answer.Headers() {
		values["method.response.header."+name] = jsii.String(value)
		declared["method.response.header."+name] = jsii.Bool(true)
	}
	// A mock takes its status from a template, chosen by the request's content type. Without one for its type the
	// request is turned away as UNSUPPORTED_MEDIA_TYPE; passed through instead, its body would be read as the template.
	templates := map[string]*string{}
	for _, contentType := range []string{"application/json", "application/octet-stream", "application/xml",
		"application/x-www-form-urlencoded", "multipart/form-data", "text/html", "text/plain", "text/xml"} {
		templates[contentType] = jsii.String(`{"statusCode": ` + status + `}`)
	}
	return mock{
		integration: awsapigateway.NewMockIntegration(&awsapigateway.IntegrationOptions{
			PassthroughBehavior: awsapigateway.PassthroughBehavior_NEVER,
			RequestTemplates:    &templates,
			IntegrationResponses: &[]*awsapigateway.IntegrationResponse{{
				StatusCode:         jsii.String(status),
				ResponseParameters: &values,
				ResponseTemplates:  &map[string]*string{"application/json": jsii.String(body)},
			}},
		}),
		responses: []*awsapigateway.MethodResponse{{StatusCode: jsii.String(status), ResponseParameters: &declared}},
	}
}

func (m mock) at(p paths, path string) {
	p.at(path).AddMethod(jsii.String("ANY"), m.integration,
		&awsapigateway.MethodOptions{MethodResponses: &m.responses})
}
