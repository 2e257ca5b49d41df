package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	composed "earshot/functions/local/deployment"
	"earshot/functions/mcp"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// API Gateway renames the challenge of a function. So it sends the challenge itself to a message without a credential,
// and to no other request.
func TestChallenge_SentByGateway(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		found := 0
		for _, in := range made.stacks() {
			for _, method := range in.of("AWS::ApiGateway::Method") {
				path, parameters := made.pathAt(in, method.Properties["ResourceId"]), method.Properties["RequestParameters"]
				if method.Properties["HttpMethod"] != "POST" {
					if parameters != nil || method.Properties["RequestValidatorId"] != nil {
						t.Errorf("%s wants the parameters %v", path, parameters)
					}
					continue
				}
				found++
				if got := fmt.Sprint(parameters); path != mcp.Path || got != "map[method.request.header.Authorization:true]" {
					t.Errorf("POST %s wants %s", path, got)
				}
				uri := in.text(method.property("Integration", "Uri"))
				if !strings.Contains(uri, "{Service/Mcp/mcp/Live}") || method.Properties["RequestValidatorId"] == nil ||
					method.Properties["AuthorizationType"] != "NONE" {
					t.Errorf("POST %s goes to %s: %v", path, uri, method.Properties)
				}
			}
		}
		validators := made.all("AWS::ApiGateway::RequestValidator")
		if found != 1 || len(validators) != 1 || validators[0].Properties["ValidateRequestParameters"] != true ||
			validators[0].Properties["ValidateRequestBody"] == true {
			t.Errorf("%d methods have a validator: %+v", found, validators)
		}
		for _, response := range made.service.of("AWS::ApiGateway::GatewayResponse") {
			if response.Properties["ResponseType"] != web.NoCredential {
				continue
			}
			headers := response.Properties["ResponseParameters"].(map[string]any)
			got := made.service.text(headers["gatewayresponse.header.WWW-Authenticate"])
			root := "https://{Service/Api}.execute-api.{AWS::Region}.{AWS::URLSuffix}/" + stage.Name
			if stage.Domain.Name != "" {
				root = "https://" + stage.Domain.Name
			}
			if want := "'" + challengeOf(root) + "'"; got != want || response.Properties["StatusCode"] != "401" {
				t.Errorf("a %v with %s, want %s", response.Properties["StatusCode"], got, want)
			}
		}
	})
}

// What API Gateway sends is what the function sends.
func TestChallenge_AsOfFunction(t *testing.T) {
	w := worldtest.NewWorld(t)
	handler := composed.Functions(composed.Parts{Store: w.Store, Clock: w.Clock})[mcp.Group]
	answer := worldtest.Client{Handler: web.LambdaHandler(handler)}.Do(t, worldtest.Request{
		Method: http.MethodPost, Target: mcp.Path, Body: `{}`, Header: []string{"Content-Type", "application/json"},
	})
	want := challengeOf("https://" + worldtest.Domain + "/dev")
	if got := answer.Header.Get("WWW-Authenticate"); answer.Status != http.StatusUnauthorized || got != want {
		t.Errorf("the function sends %d %s, want %s", answer.Status, got, want)
	}
	own := checkEnvelope(t, "the function", string(answer.Body), "401")
	if gateway := checkEnvelope(t, "API Gateway", web.GatewayFor(web.NoCredential).Body(), "401"); gateway != own {
		t.Errorf("the function sends %+v, API Gateway %+v", own, gateway)
	}
}
