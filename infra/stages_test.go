package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earshot/shared/store/rows"
)

func TestAnUnknownStageIsAnErrorThatListsTheKnown(t *testing.T) {
	for _, name := range []string{"", "production", "Dev"} {
		_, err := stageNamed(name)
		if err == nil || !strings.Contains(err.Error(), "dev, staging, prod") {
			t.Errorf("%q: got %v", name, err)
		}
	}
}

func TestOnlyProdIsKept(t *testing.T) {
	for _, stage := range Stages() {
		if stage.Keep != (stage.Name == "prod") {
			t.Errorf("%s: Keep is %t", stage.Name, stage.Keep)
		}
	}
}

// artifact is what the CDK's command line reads of a stack.
type artifact struct {
	Type       string
	Properties struct {
		StackName             string
		TerminationProtection bool
	}
	Dependencies []string
}

func TestStacksAreTheStagesOwn(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		content, err := os.ReadFile(filepath.Join(made.folder, "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		var manifest struct{ Artifacts map[string]artifact }
		if err := json.Unmarshal(content, &manifest); err != nil {
			t.Fatal(err)
		}
		for id, name := range map[string]string{"Data": "data", "Service": "service"} {
			stack := manifest.Artifacts[id].Properties
			if stack.StackName != "earshot-"+stage.Name+"-"+name || stack.TerminationProtection != (stage.Name == "prod") {
				t.Errorf("%s: %+v", id, stack)
			}
		}
		if depends := manifest.Artifacts["Service"].Dependencies; len(depends) == 0 || depends[0] != "Data" {
			t.Errorf("Service depends on %q", depends)
		}
	})
}

func TestOutputsTellWhatADeployerNeeds(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		base := "https://{Service/Api}.execute-api.{AWS::Region}.{AWS::URLSuffix}/" + stage.Name
		for id, want := range map[string]string{"ApiUrl": base, "DocsUrl": base + "/api/v2/docs"} {
			if got := made.service.text(made.service.Outputs[id].Value); got != want {
				t.Errorf("%s is %s", id, got)
			}
		}
		for id, want := range map[string]string{
			"AlarmTopic": "{Data/Alarms}", "ExportsBucket": "{Data/Bucket}", "QueuePosts": "{Data/PostsQueue}",
			"DeadPosts": "{Data/PostsDead}", "QueueExports": "{Data/ExportsQueue}", "DeadExports": "{Data/ExportsDead}",
		} {
			if got := made.data.text(made.data.Outputs[id].Value); got != want {
				t.Errorf("%s is %s", id, got)
			}
		}
		for _, schema := range rows.Schemas() {
			id := title(schema.Name)
			if got := made.data.text(made.data.Outputs["Table"+id].Value); got != "{Data/"+id+"}" {
				t.Errorf("Table%s is %s", id, got)
			}
		}
	})
}

func TestEverythingThatCanBeIsTagged(t *testing.T) {
	taggable := []string{"AWS::DynamoDB::Table", "AWS::Lambda::Function", "AWS::Logs::LogGroup", "AWS::IAM::Role",
		"AWS::SNS::Topic", "AWS::SQS::Queue", "AWS::S3::Bucket", "AWS::Scheduler::ScheduleGroup", "AWS::CloudWatch::Alarm",
		"AWS::ApiGateway::RestApi", "AWS::ApiGateway::Stage"}
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		for _, in := range made.templates() {
			for _, kind := range taggable {
				for _, resource := range in.of(kind) {
					tags := in.text(resource.Properties["Tags"])
					if want := `[{"Key":"Project","Value":"earshot"},{"Key":"Stage","Value":"` + stage.Name + `"}]`; tags != want {
						t.Errorf("%s: tags %s", resource.path(), tags)
					}
				}
			}
		}
	})
}

// A physical name would keep a resource from being replaced, and two stages from living in one account.
func TestNothingHasAPhysicalName(t *testing.T) {
	required := map[string]bool{"AWS::IAM::Policy": true, "AWS::ApiGateway::Stage": true, "AWS::Lambda::Alias": true} // and unique within their owner
	// Their dead letters name them and they name their dead letters (newQueues); the stage is in the name.
	named := map[string]bool{}
	for _, each := range MessageQueues() {
		named["Data/"+title(each.Name)+"Queue"] = true
	}
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		for _, in := range made.templates() {
			for _, resource := range in.Resources {
				kind := resource.Type[strings.LastIndex(resource.Type, ":")+1:]
				name := resource.Properties[kind+"Name"]
				if name != nil && !required[resource.Type] && !named[resource.path()] {
					t.Errorf("%s is called %v", resource.path(), name)
				}
			}
		}
	})
}

// CloudFormation takes no more resources in a stack; the alarms are what could go to a stack of their own first.
func TestStacksStayBelowCloudFormationsLimit(t *testing.T) {
	const limit, reserve = 500, 50
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		for _, in := range made.templates() {
			if count := len(in.Resources); count > limit-reserve {
				t.Errorf("a stack with %d functions has %d resources of at most %d", len(in.of("AWS::Lambda::Function")), count, limit)
			}
		}
	})
}

func TestSynthesisIsTheSameTwice(t *testing.T) {
	stage, err := stageNamed("dev")
	if err != nil {
		t.Fatal(err)
	}
	again, err := synthesize(stage, t.TempDir(), servedDocument)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Data.template.json", "Service.template.json", "Data.assets.json", "Service.assets.json"} {
		first, err := os.ReadFile(filepath.Join(deployments["dev"].folder, name))
		if err != nil {
			t.Fatal(err)
		}
		second, err := os.ReadFile(filepath.Join(again.folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, second) {
			t.Errorf("%s differs between two syntheses", name)
		}
	}
}

// One deployment's options come from the environment, and a wrong one is refused before anything is made.
func TestOptionsOfOneDeployment(t *testing.T) {
	for _, given := range []struct {
		canary, rotated string
		skips           bool
		says            string
	}{
		{"", "", false, ""}, {"on", "", false, ""}, {"off", "2026-11-22", true, ""},
		{"no", "", false, `CANARY is "no"; it must be on or off`},
		{"", "today, and at noon", false, `ROTATED is "today, and at noon"; give the day`},
	} {
		stage := Stage{Name: "dev"}
		err := stage.readOptions(func(name string) string {
			return map[string]string{"CANARY": given.canary, "ROTATED": given.rotated}[name]
		})
		if given.says != "" {
			if err == nil || !strings.HasPrefix(err.Error(), given.says) {
				t.Errorf("%+v: %v", given, err)
			}
			continue
		}
		if err != nil || stage.SkipCanary != given.skips || stage.Rotated != given.rotated {
			t.Errorf("%+v: %v, %+v", given, err, stage)
		}
	}
}

// Whoever reads credentials at its start is a new version when they have changed, and nobody else is.
func TestRotatedCredentialsAreANewVersion(t *testing.T) {
	stage, rotated := Stage{Name: "dev"}, Stage{Name: "dev", Rotated: "2026-11-22"}
	changed := 0
	for _, function := range Manifest() {
		differs := *stage.describe(function) != *rotated.describe(function)
		if differs != (function.Sources || len(function.Slack) > 0) {
			t.Errorf("%s: a new version is %t", function.Name, differs)
		}
		if differs {
			changed++
		}
	}
	if changed == 0 {
		t.Error("nobody reads credentials")
	}
}
