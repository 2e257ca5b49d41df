package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Everything calls a function by the alias of the version that is in use; what is a function's own stays with it.
func TestEveryFunctionIsCalledByItsAlias(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		if aliases, versions := len(made.all("AWS::Lambda::Alias")),
			len(made.all("AWS::Lambda::Version")); aliases != len(Manifest()) ||
			versions != aliases {
			t.Fatalf("%d aliases, %d versions", aliases, versions)
		}
		kept := "Delete"
		if stage.Canary {
			kept = "RetainExceptOnCreate"
		}
		versions := map[string]resource{}
		for _, in := range made.stacks() {
			for _, version := range in.of("AWS::Lambda::Version") {
				versions[in.text(version.Properties["FunctionName"])] = version
			}
		}
		for _, function := range Manifest() {
			own, in := function.home(), made.in(function)
			alias, version := in.at(t, own+"/Live"), versions["{"+own+"/Fn}"]
			for what, check := range map[string]struct{ got, want any }{
				"name":    {alias.Properties["Name"], "live"},
				"of":      {in.text(alias.Properties["FunctionName"]), "{" + own + "/Fn}"},
				"version": {in.text(alias.Properties["FunctionVersion"]), "{" + version.path() + ".Version}"},
				"kept":    {version.DeletionPolicy, kept},
			} {
				if check.got != check.want {
					t.Errorf("%s: %s is %v, want %v", function.Name, what, check.got, check.want)
				}
			}
		}
		for _, each := range made.service.of("AWS::Lambda::EventInvokeConfig") {
			live := made.service.at(t, strings.TrimSuffix(each.path(), "/EventInvokeConfig")).id
			// The last part of the alias' ARN.
			if got := made.service.text(each.Properties["Qualifier"]); got != `{"Fn::Select":[7,{"Fn::Split":[":",{"Ref":"`+live+
				`"}]}]}` {
				t.Errorf("%s is of %s", each.path(), got)
			}
		}
		// Nothing else knows the functions but to count what they do, and to move their aliases.
		for _, in := range made.stacks() {
			for _, each := range in.Resources {
				switch each.Type {
				case "AWS::Lambda::Alias", "AWS::Lambda::Version", "AWS::Lambda::EventInvokeConfig", "AWS::CloudWatch::Alarm",
					"AWS::CloudFormation::Stack":
					continue
				}
				text := in.text(each.Properties)
				for _, function := range Manifest() {
					if id := made.in(function).at(t, function.home()+"/Fn").id; strings.Contains(text, `"`+id+`"`) {
						t.Errorf("%s calls %s past its alias", each.path(), function.Name)
					}
				}
			}
		}
	})
}

func TestProdMovesATenthFirstAndBackByItself(t *testing.T) {
	for _, stage := range Stages() {
		if stage.Canary != (stage.Name == "prod") {
			t.Errorf("%s: Canary is %t", stage.Name, stage.Canary)
		}
	}
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		if !stage.Canary {
			if found := len(made.all("AWS::CodeDeploy::DeploymentGroup")); found > 0 {
				t.Errorf("%d groups", found)
			}
			for _, alias := range made.all("AWS::Lambda::Alias") {
				if alias.UpdatePolicy != nil {
					t.Errorf("%s is moved by %v", alias.path(), alias.UpdatePolicy)
				}
			}
			return
		}
		for _, function := range Manifest() {
			own := function.home()
			in := made.in(function)
			stack, _, _ := strings.Cut(own, "/")
			group, alias := in.at(t, own+"/Canary"), in.at(t, own+"/Live")
			moved, _ := alias.UpdatePolicy["CodeDeployLambdaAliasUpdate"].(map[string]any)
			alarms := []string{"{" + own + "/Errors}"}
			if function.failuresApart() {
				alarms[0] = "{Service/Failures/" + function.ID() + "/Errors}"
			}
			if function.Trigger == (API{}) {
				alarms = append(alarms, "{Service/Api/Failing}")
			}
			var heard []string
			for _, each := range list(group.property("AlarmConfiguration", "Alarms")) {
				heard = append(heard, in.text(each.(map[string]any)["Name"]))
			}
			trigger := list(group.Properties["TriggerConfigurations"])[0].(map[string]any)
			for what, check := range map[string]struct{ got, want any }{
				"by":       {in.text(moved["DeploymentGroupName"]), "{" + own + "/Canary}"},
				"of":       {in.text(moved["ApplicationName"]), "{" + stack + "/Canary/Application}"},
				"group of": {in.text(group.Properties["ApplicationName"]), "{" + stack + "/Canary/Application}"},
				"role":     {in.text(group.Properties["ServiceRoleArn"]), "{" + stack + "/Canary/Role.Arn}"},
				"how":      {group.Properties["DeploymentConfigName"], "CodeDeployDefault.LambdaCanary10Percent5Minutes"},
				"style": {in.text(group.Properties["DeploymentStyle"]),
					`{"DeploymentOption":"WITH_TRAFFIC_CONTROL","DeploymentType":"BLUE_GREEN"}`},
				"alarms on": {group.property("AlarmConfiguration", "Enabled"), true},
				"alarms":    {heard, alarms},
				"back": {in.text(group.Properties["AutoRollbackConfiguration"]),
					`{"Enabled":true,"Events":["DEPLOYMENT_FAILURE","DEPLOYMENT_STOP_ON_ALARM","DEPLOYMENT_STOP_ON_REQUEST"]}`},
				"tells":   {in.text(trigger["TriggerTargetArn"]), "{Data/Alarms}"},
				"of what": {trigger["TriggerEvents"], []any{"DeploymentFailure", "DeploymentStop", "DeploymentRollback"}},
			} {
				if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
					t.Errorf("%s: %s is %v, want %v", function.Name, what, check.got, check.want)
				}
			}
		}
		if failing := made.service.at(t, "Service/Api/Failing"); failing.Properties["Period"] != 60.0 ||
			failing.Properties["EvaluationPeriods"] != 3.0 {
			t.Errorf("a canary of five minutes is over before %v", failing.Properties)
		}
	})
}

// CodeDeploy moves the aliases of this stage's functions and no others, and nobody else's deployments have its role.
func TestCodeDeployMayMoveTheseAliasesAlone(t *testing.T) {
	for _, stack := range stackIDs() {
		t.Run(stack, func(t *testing.T) { checkDeployer(t, stack) })
	}
}

func checkDeployer(t *testing.T, stack string) {
	t.Helper()
	made := map[string]template{dataStack: deployments["prod"].data, serviceStack: deployments["prod"].service}[stack]
	var got, want []string
	for _, grant := range grants(t, made) {
		if grant.holder == "{"+stack+"/Canary/Role}" {
			got = append(got, grant.action+" on "+grant.resource)
		}
	}
	// All functions' names begin with their stack's, or with the stage's own.
	for _, action := range []string{"GetAlias", "UpdateAlias", "GetProvisionedConcurrencyConfig"} {
		want = append(want, "lambda:"+action+
			" on arn:{AWS::Partition}:lambda:{AWS::Region}:{AWS::AccountId}:function:earshot-prod-*")
	}
	want = append(want, "cloudwatch:DescribeAlarms on arn:{AWS::Partition}:cloudwatch:{AWS::Region}:{AWS::AccountId}:alarm:*", "sns:Publish on {Data/Alarms}")
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("it may %q, want %q", got, want)
	}
	trust := made.text(made.at(t, stack+"/Canary/Role").property("AssumeRolePolicyDocument", "Statement"))
	for _, part := range []string{`"Service":"codedeploy.amazonaws.com"`, `"aws:SourceAccount":{"Ref":"AWS::AccountId"}`,
		`:deploymentgroup:`} {
		if !strings.Contains(trust, part) {
			t.Errorf("no %s in %s", part, trust)
		}
	}
	// IAM takes 10,240 characters of a role's own policies; an ARN of a function has up to 150.
	if size := len(got) / 3 * 150; size > 10_240 {
		t.Errorf("its policy has some %d characters", size)
	}
}
