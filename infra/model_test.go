package main

import (
	"slices"
	"strings"
	"testing"
)

// A function may ask a model where its row says so and its stage has one, and that one alone. So it is with who asks.
func TestAModelIsAskedWhereTheStageHasOne(t *testing.T) {
	const profile = "arn:{AWS::Partition}:bedrock:{AWS::Region}:{AWS::AccountId}:inference-profile/eu.amazon.nova-micro-v1:0"
	for id, want := range map[string][]string{
		"amazon.nova-micro-v1:0": {
			"bedrock:InvokeModel on arn:{AWS::Partition}:bedrock:{AWS::Region}::foundation-model/amazon.nova-micro-v1:0"},
		"eu.amazon.nova-micro-v1:0": {
			"bedrock:InvokeModel on " + profile,
			"bedrock:InvokeModel on arn:{AWS::Partition}:bedrock:*::foundation-model/amazon.nova-micro-v1:0 if " +
				`{"StringEquals":{"bedrock:InferenceProfileArn":` + profileInJSON + `}}`,
		},
	} {
		stage, err := stageNamed("dev")
		if err != nil {
			t.Fatal(err)
		}
		stage.Model, stage.ModelTokens, stage.Contact = id, 5000, "operator@earshot.example"
		stage.Watched = true // for its dashboard
		made, err := synthesize(stage, t.TempDir(), servedDocument)
		if err != nil {
			t.Fatal(err)
		}
		allowed := map[string][]string{}
		for _, grant := range made.grants(t) {
			line := grant.action + " on " + grant.resource
			if grant.condition != "" {
				line += " if " + grant.condition
			}
			if len(line) > 8 && line[:8] == "bedrock:" {
				allowed[grant.holder] = append(allowed[grant.holder], line)
			}
		}
		for _, function := range Manifest() {
			variables, _ := made.in(function).at(t, function.home()+"/Fn").property("Environment", "Variables").(map[string]any)
			if contact := variables["SOURCES_CONTACT"]; function.Sources != (contact == stage.Contact) ||
				!function.Sources && contact != nil {
				t.Errorf("%s says that %v asks", function.Name, contact)
			}
			if !function.Model {
				if len(allowed["{"+function.home()+"/Role}"]) > 0 || !function.ModelName && variables["MODEL_DAILY_TOKENS"] != nil {
					t.Errorf("%s may ask the model", function.Name)
				}
				for _, alarm := range made.watch.of("AWS::CloudWatch::Alarm") {
					if alarm.path() == "Service/Watch/"+function.ID()+"/ModelFails" {
						t.Errorf("%s does not ask the model, and has the alarm %s", function.Name, alarm.path())
					}
				}
				if shown := variables["MODEL_ID"]; function.ModelName != (shown == id) || !function.ModelName && shown != nil {
					t.Errorf("%s says that the model is %v", function.Name, shown)
				}
				continue
			}
			alarm := made.watch.at(t, "Service/Watch/"+function.ID()+"/ModelFails")
			own := " Function=" + function.Name + " Stage=dev"
			looks := watched(made.watch, alarm)
			if slices.Sort(looks); !slices.Equal(looks, []string{"Earshot modelFailures" + own, "Earshot modelRequests" + own}) {
				t.Errorf("%s's alarm on the model looks at %q", function.Name, looks)
			}
			share := made.watch.text(alarm.Properties["Metrics"])
			if !strings.Contains(share, `IF(FILL(requests, 0) \u003e 0, FILL(failures, 0) / requests, 0)`) {
				t.Errorf("%s's alarm on the model looks at %s, want the share of failures", function.Name, share)
			}
			if strings.Count(share, `"Period":3600`) != 2 {
				t.Errorf("%s's alarm on the model looks at %s, want an hour", function.Name, share)
			}
			if alarm.Properties["Threshold"] != 1.0 || alarm.Properties["DatapointsToAlarm"] != 1.0 {
				t.Errorf("%s's alarm on the model goes off at %v, want the whole of one hour", function.Name, alarm.Properties)
			}
			shown := made.watch.text(made.watch.of("AWS::CloudWatch::Dashboard")[0].Properties["DashboardBody"])
			for _, name := range []string{"modelRequests", "modelFailures"} {
				if !strings.Contains(shown, function.Name+" "+name) {
					t.Errorf("the dashboard does not show %s of %s", name, function.Name)
				}
			}
			got := allowed["{"+function.home()+"/Role}"]
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s may %q, want %q", id, function.Name, got, want)
			}
			if variables["MODEL_ID"] != id || variables["MODEL_DAILY_TOKENS"] != "5000" {
				t.Errorf("%s: %v", function.Name, variables)
			}
		}
	}
	onEachStage(t, func(t *testing.T, stage Stage, _ deployment) {
		if stage.Model != "" {
			t.Error("a model is paid by the token: whoever deploys turns it on")
		}
	})
}

// profileInJSON is the profile's ARN as a template writes it.
const profileInJSON = `{"Fn::Join":["",["arn:",{"Ref":"AWS::Partition"},":bedrock:",{"Ref":"AWS::Region"},":",{"Ref":"AWS::AccountId"},` +
	`":inference-profile/eu.amazon.nova-micro-v1:0"]]}`
