package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"earshot/shared/web"
)

// envelope is the contract's error body.
type envelope struct {
	Error struct {
		Code    string
		Message string
		Status  int
	}
}

// wantedHeaders are on every answer, whoever gives it.
var wantedHeaders = []string{"X-Request-Id", "Server-Timing", "Strict-Transport-Security", "X-Content-Type-Options",
	"Cache-Control", "Access-Control-Allow-Origin"}

var contextVariable = regexp.MustCompile(`\$context\.[a-zA-Z.]+`)

func checkEnvelope(t *testing.T, where, body, status string) envelope {
	t.Helper()
	var read envelope
	if err := json.Unmarshal([]byte(contextVariable.ReplaceAllString(body, "value")), &read); err != nil {
		t.Errorf("%s: the body is no JSON: %v", where, err)
	}
	if read.Error.Code == "" || read.Error.Message == "" || fmt.Sprint(read.Error.Status) != status {
		t.Errorf("%s: status %s with the body %s", where, status, body)
	}
	return read
}

func checkHeaders(t *testing.T, where, prefix string, headers map[string]any) {
	t.Helper()
	for _, name := range wantedHeaders {
		if headers[prefix+name] == nil {
			t.Errorf("%s: no %s", where, name)
		}
	}
	if id := headers[prefix+"X-Request-Id"]; id != "context.requestId" {
		t.Errorf("%s: X-Request-Id is %v", where, id)
	}
}

func TestGatewayResponsesAreTheEnvelope(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		seen := map[string]bool{}
		for _, response := range made.service.of("AWS::ApiGateway::GatewayResponse") {
			occasion := response.Properties["ResponseType"].(string)
			seen[occasion] = true
			templates := response.Properties["ResponseTemplates"].(map[string]any)
			if len(templates) != 1 {
				t.Errorf("%s: templates %v", occasion, templates)
			}
			checkEnvelope(t, occasion, templates["application/json"].(string), response.Properties["StatusCode"].(string))
			checkHeaders(t, occasion, "gatewayresponse.header.", response.Properties["ResponseParameters"].(map[string]any))
		}
		for _, response := range web.GatewayResponses() {
			if !seen[response.Type] {
				t.Errorf("no response to %s", response.Type)
			}
		}
		for _, class := range []string{"DEFAULT_4XX", "DEFAULT_5XX"} {
			if !seen[class] {
				t.Errorf("no response to %s: API Gateway's own body would be seen", class)
			}
		}
	})
}

// A served path is a method with the template that it is in.
type served struct {
	resource
	in template
}

// methods maps each path of the API to what answers it, and fails on a path with anything but one ANY method, besides
// that of addChallenge.
func methods(t *testing.T, made deployment) map[string]served {
	t.Helper()
	found := map[string]served{}
	for _, in := range made.stacks() {
		for _, method := range in.of("AWS::ApiGateway::Method") {
			path := made.pathAt(in, method.Properties["ResourceId"])
			if path == challenged && method.Properties["HttpMethod"] == "POST" {
				continue // see challenge_test.go
			}
			if _, twice := found[path]; twice || method.Properties["HttpMethod"] != "ANY" {
				t.Errorf("%s has the method %v", path, method.Properties["HttpMethod"])
			}
			if method.Properties["AuthorizationType"] != "NONE" {
				t.Errorf("%s wants authorization %v", path, method.Properties["AuthorizationType"])
			}
			found[path] = served{method, in}
		}
	}
	return found
}

// pathAt returns the path of the API's resource that a template refers to.
func (d deployment) pathAt(in template, reference any) string {
	at := strings.TrimSuffix(strings.TrimPrefix(in.text(reference), "{"), "}")
	for _, each := range d.stacks() {
		for _, resource := range each.of("AWS::ApiGateway::Resource") {
			if resource.path() == at {
				above := d.pathAt(each, resource.Properties["ParentId"])
				return strings.TrimSuffix(above, "/") + "/" + resource.Properties["PathPart"].(string)
			}
		}
	}
	return "/"
}

func TestEveryDocumentedPathGoesToItsFunctionAndNoOtherDoes(t *testing.T) {
	routes, err := readRoutes(servedDocument)
	if err != nil {
		t.Fatal(err)
	}
	homes := map[string]string{}
	for _, function := range Manifest() {
		homes[function.Name] = function.home()
	}
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		found := methods(t, made)
		for _, route := range routes {
			method := found[route.path]
			uri := method.in.text(method.property("Integration", "Uri"))
			if method.property("Integration", "Type") != "AWS_PROXY" ||
				!strings.Contains(uri, "{"+homes[route.function]+"/Live}") {
				t.Errorf("%s goes to %q", route.path, uri)
			}
			delete(found, route.path)
		}
		for path, method := range found {
			if method.property("Integration", "Type") != "MOCK" {
				t.Errorf("%s is not documented and goes to %v", path, method.property("Integration", "Type"))
			}
		}
	})
}

func TestUnknownPathsAnswerNotFoundWithoutAFunction(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		found := methods(t, made)
		for path, code := range map[string]string{
			"/api/v1": "not_found", "/api/v1/{proxy+}": "not_found",
			"/": "NOT_FOUND", "/api": "NOT_FOUND", "/api/v2": "NOT_FOUND", "/{proxy+}": "NOT_FOUND",
		} {
			method, ok := found[path]
			if !ok || method.property("Integration", "Type") != "MOCK" {
				t.Errorf("%s is no mock", path)
				continue
			}
			response := list(method.property("Integration", "IntegrationResponses"))[0].(map[string]any)
			body := response["ResponseTemplates"].(map[string]any)["application/json"].(string)
			if got := checkEnvelope(t, path, body, "404"); got.Error.Code != code {
				t.Errorf("%s answers the code %s", path, got.Error.Code)
			}
			if strings.ContainsAny(body, "$#") {
				t.Errorf("%s: a mock's body is a Velocity template, in which $ and # mean something: %s", path, body)
			}
			checkHeaders(t, path, "method.response.header.", response["ResponseParameters"].(map[string]any))
			declared := list(method.Properties["MethodResponses"])[0].(map[string]any)["ResponseParameters"].(map[string]any)
			for name := range response["ResponseParameters"].(map[string]any) {
				if declared[name] != true {
					t.Errorf("%s: %s is set and not declared", path, name)
				}
			}
			if response["StatusCode"] != "404" {
				t.Errorf("%s: status %v", path, response["StatusCode"])
			}
			for contentType, request := range method.property("Integration", "RequestTemplates").(map[string]any) {
				if request != `{"statusCode": 404}` {
					t.Errorf("%s: a request of %s is made %v", path, contentType, request)
				}
			}
		}
	})
}

func TestOneResourceAboveAnotherIsNeverWithoutAMethod(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		found := methods(t, made)
		if resources := made.all("AWS::ApiGateway::Resource"); len(found) != len(resources)+1 {
			t.Errorf("%d paths have a method, of %d and the root", len(found), len(resources))
		}
	})
}

func TestOnlyThisAPICallsAFunctionAndByOnePermission(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		permissions := map[string]int{}
		for _, in := range made.stacks() {
			for _, permission := range in.of("AWS::Lambda::Permission") {
				switch permission.Properties["Principal"] {
				case "events.amazonaws.com", "cognito-idp.amazonaws.com":
					continue // those of the rule, in machine_test.go, and of the directory of people, in accounts_test.go
				}
				permissions[in.text(permission.Properties["FunctionName"])]++
				source := in.text(permission.Properties["SourceArn"])
				// The stars are stage, method and path: what may call is this API and no other.
				const want = "arn:{AWS::Partition}:execute-api:{AWS::Region}:{AWS::AccountId}:{Service/Api}/*/*/*"
				if permission.Properties["Principal"] != "apigateway.amazonaws.com" || source != want {
					t.Errorf("%v from %s may call a function", permission.Properties["Principal"], source)
				}
			}
		}
		for _, function := range Manifest() {
			want := 0
			if function.Trigger == (API{}) {
				want = 1
			}
			if got := permissions["{"+function.home()+"/Live}"]; got != want {
				t.Errorf("%s has %d permissions, want %d", function.Name, got, want)
			}
		}
	})
}

func TestTheAPIStageIsTheDeploymentsOwn(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		stages := made.service.of("AWS::ApiGateway::Stage")
		if len(stages) != 1 {
			t.Fatalf("%d stages", len(stages))
		}
		settings := settingsOf(stages[0])["/* *"]
		got := fmt.Sprint(stages[0].Properties["StageName"], stages[0].Properties["TracingEnabled"],
			settings["HttpMethod"], settings["ResourcePath"], settings["MetricsEnabled"], settings["DataTraceEnabled"],
			settings["ThrottlingRateLimit"], settings["ThrottlingBurstLimit"])
		want := fmt.Sprint(stage.Name, true, "*", "/*", false, false, stage.RequestsPerSecond, stage.Burst)
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		api := made.service.of("AWS::ApiGateway::RestApi")[0]
		if types := fmt.Sprint(api.property("EndpointConfiguration", "Types")); types != "[REGIONAL]" {
			t.Errorf("the endpoint is %s", types)
		}
		if size := fmt.Sprint(api.Properties["MinimumCompressionSize"]); size != "1024" {
			t.Errorf("compresses from %s bytes on", size)
		}
	})
}

func TestAccessLogsAreJSONAndSayNothingOfWhoAsked(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		stage := made.service.of("AWS::ApiGateway::Stage")[0]
		if to := made.service.text(stage.property("AccessLogSetting", "DestinationArn")); to != "{Service/AccessLogs.Arn}" {
			t.Errorf("access logs go to %s", to)
		}
		format := stage.property("AccessLogSetting", "Format").(string)
		var line map[string]string
		if err := json.Unmarshal([]byte(format), &line); err != nil {
			t.Fatalf("not an object of strings: %v", err)
		}
		for _, name := range []string{"requestId", "method", "resourcePath", "status", "latency", "integrationLatency",
			"responseLength", "integrationError"} {
			if !strings.HasPrefix(line[name], "$context.") {
				t.Errorf("%s is %q", name, line[name])
			}
		}
		for name, value := range line {
			// $context.path has ids in it, and the others name or place a person.
			if value == "$context.path" || strings.Contains(value, "identity") || strings.Contains(value, "authorizer") {
				t.Errorf("%s is %s", name, value)
			}
		}
	})
}

// API Gateway serves a deployment, which is a copy: one that stayed the same would leave a change unserved.
func TestAChangedRouteIsDeployed(t *testing.T) {
	content, err := os.ReadFile(servedDocument)
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(content, &document); err != nil {
		t.Fatal(err)
	}
	document["paths"].(map[string]any)["/api/v2/another"] = map[string]any{
		"get": map[string]any{"x-function": Manifest()[0].Name},
	}
	changed, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(file, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	stage, err := stageNamed("dev")
	if err != nil {
		t.Fatal(err)
	}
	made, err := synthesize(stage, t.TempDir(), file)
	if err != nil {
		t.Fatal(err)
	}
	before := deployments["dev"].service.of("AWS::ApiGateway::Deployment")
	after := made.service.of("AWS::ApiGateway::Deployment")
	if len(before) != 1 || len(after) != 1 || before[0].id == after[0].id {
		t.Errorf("before %v, after %v", before, after)
	}
}
