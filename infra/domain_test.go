package main

import (
	"fmt"
	"testing"
)

func TestAnAPIHasTheNameThatItsStageGivesIt(t *testing.T) {
	onEachDeployment(t, func(t *testing.T, stage Stage, made deployment) {
		names, mappings := made.service.of("AWS::ApiGateway::DomainName"), made.service.of("AWS::ApiGateway::BasePathMapping")
		closed := made.service.at(t, "Service/Api").Properties["DisableExecuteApiEndpoint"]
		if closed != stage.Domain.Only {
			t.Errorf("the API's first address is closed: %v", closed)
		}
		if stage.Domain.Name == "" {
			if len(names)+len(mappings) > 0 || made.service.Outputs["DomainTarget"].Value != nil {
				t.Errorf("a name that nobody gave: %v, %v", names, mappings)
			}
			return
		}
		if len(names) != 1 || len(mappings) != 1 {
			t.Fatalf("%d names, %d mappings", len(names), len(mappings))
		}
		for what, check := range map[string]struct{ got, want any }{
			"name":        {names[0].Properties["DomainName"], stage.Domain.Name},
			"certificate": {names[0].Properties["RegionalCertificateArn"], stage.Domain.Certificate},
			"kind":        {names[0].property("EndpointConfiguration", "Types"), []any{"REGIONAL"}},
			"TLS":         {names[0].Properties["SecurityPolicy"], "TLS_1_2"},
			"of the name": {made.service.text(mappings[0].Properties["DomainName"]), "{Service/Domain}"},
			"of the API":  {made.service.text(mappings[0].Properties["RestApiId"]), "{Service/Api}"},
			"of stage": {made.service.text(mappings[0].Properties["Stage"]),
				"{Service/Api/DeploymentStage." + stage.Name + "}"},
			"at the root": {mappings[0].Properties["BasePath"], nil},
			"target": {made.service.text(made.service.Outputs["DomainTarget"].Value),
				"{Service/Domain.RegionalDomainName}"},
			"zone": {made.service.text(made.service.Outputs["DomainZone"].Value),
				"{Service/Domain.RegionalHostedZoneId}"},
			"ApiUrl":  {made.service.Outputs["ApiUrl"].Value, "https://" + stage.Domain.Name},
			"DocsUrl": {made.service.Outputs["DocsUrl"].Value, "https://" + stage.Domain.Name + "/api/v2/docs"},
		} {
			if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
				t.Errorf("%s: %v, want %v", what, check.got, check.want)
			}
		}
	})
}

// People who have signed in come back to the API's own name, where it has one.
func TestTheSignInReturnsToTheAPIsOwnName(t *testing.T) {
	stage := Stages()[0]
	stage.Domain = everyOption().Domain
	stage.Domain.Only = false
	made, err := synthesize(stage, t.TempDir(), servedDocument)
	if err != nil {
		t.Fatal(err)
	}
	if back := fmt.Sprint(made.service.at(t,
		"Service/SignIn").Properties["CallbackURLs"]); back != "[https://api.earshot.example/api/v2/docs]" {
		t.Errorf("people come back to %s", back)
	}
	if closed := made.service.at(t, "Service/Api").Properties["DisableExecuteApiEndpoint"]; closed != false {
		t.Errorf("the API's first address is closed before the name works: %v", closed)
	}
}
