package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"earshot/shared/proposal"
)

// The machine is the golden file's, of the standard kind, calls the deployed functions, and logs nothing that its
// executions carry.
func TestTheMachineIsDeployedAsItIsWritten(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		machines := made.service.of("AWS::StepFunctions::StateMachine")
		if len(machines) != 1 || machines[0].path() != "Service/Setup/Machine" {
			t.Fatalf("machines: %v", machines)
		}
		m := machines[0]
		if m.Properties["DefinitionString"] != definition(proposal.Pipeline(), proposal.RunLimit) {
			t.Errorf("it is %v", m.Properties["DefinitionString"])
		}
		arns := m.Properties["DefinitionSubstitutions"].(map[string]any)
		if len(arns) != len(proposal.Pipeline()) {
			t.Errorf("it calls %v", arns)
		}
		for _, stage := range proposal.Pipeline() {
			if got, want := made.service.text(arns[stateOf(stage.Name)]),
				"{Service/setupstages-"+string(stage.Name)+"/Live}"; got != want {
				t.Errorf("%s is %s, want %s", stage.Name, got, want)
			}
			if !strings.Contains(m.Properties["DefinitionString"].(string), `"${`+stateOf(stage.Name)+`}"`) {
				t.Errorf("%s is never called", stage.Name)
			}
		}
		for what, check := range map[string]struct{ got, want any }{
			"kind":     {m.Properties["StateMachineType"], "STANDARD"},
			"name":     {m.Properties["StateMachineName"], nil},
			"role":     {made.service.text(m.Properties["RoleArn"]), "{Service/Setup/Role.Arn}"},
			"level":    {m.property("LoggingConfiguration", "Level"), "ERROR"},
			"contents": {m.property("LoggingConfiguration", "IncludeExecutionData"), false},
			"logs": {strings.Contains(made.service.text(m.property("LoggingConfiguration", "Destinations")),
				`{"Fn::GetAtt":["SetupLogs`), true},
			"traces":   {m.property("TracingConfiguration", "Enabled"), true},
			"deletion": {m.DeletionPolicy + m.UpdateReplacePolicy, "DeleteDelete"},
		} {
			if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
				t.Errorf("%s: %v, want %v", what, check.got, check.want)
			}
		}
	})
}

// Of the deployment's things, the machine's role reaches the five functions, and only machines of this account can have it.
func TestTheMachineMayCallItsStagesAlone(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		var calls, want []string
		for _, stage := range proposal.Pipeline() {
			want = append(want, "{Service/setupstages-"+string(stage.Name)+"/Live}")
		}
		for _, grant := range grants(t, made.service) {
			switch {
			case grant.holder != "{Service/Setup/Role}":
			case grant.action == "lambda:InvokeFunction":
				calls = append(calls, grant.resource)
			case !strings.HasPrefix(grant.action, "logs:") && !strings.HasPrefix(grant.action, "xray:"):
				t.Errorf("it may %s on %s", grant.action, grant.resource)
			}
		}
		slices.Sort(calls)
		slices.Sort(want)
		if !slices.Equal(calls, want) {
			t.Errorf("it calls %q, want %q", calls, want)
		}
		trust := made.service.text(made.service.at(t, "Service/Setup/Role").property("AssumeRolePolicyDocument", "Statement"))
		for _, part := range []string{`"Service":"states.amazonaws.com"`, `"aws:SourceAccount":{"Ref":"AWS::AccountId"}`,
			`:stateMachine:*"`} {
			if !strings.Contains(trust, part) {
				t.Errorf("no %s in %s", part, trust)
			}
		}
	})
}

// Who starts executions starts those of this machine.
func TestWhoStartsExecutions(t *testing.T) {
	want := map[string]string{}
	for _, function := range Manifest() {
		if function.Starts {
			want["{"+function.home()+
				"/Role}"] = "states:StartExecution on {Service/Setup/Machine.Arn}, states:DescribeExecution on " +
				"arn:{AWS::Partition}:states:{AWS::Region}:{AWS::AccountId}:execution:{Service/Setup/Machine.Name}:*"
		}
	}
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		got := map[string]string{}
		for _, grant := range made.grants(t) {
			if strings.HasPrefix(grant.action, "states:") {
				if got[grant.holder] != "" {
					got[grant.holder] += ", "
				}
				got[grant.holder] += grant.action + " on " + grant.resource
			}
		}
		if !maps.Equal(got, want) || len(want) != 2 {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// EventBridge tells of this machine's executions that did not succeed, and of no others.
func TestEndsAreTold(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		told := 0
		for _, function := range Manifest() {
			trigger, ok := function.Trigger.(Schedule)
			if !ok || !trigger.Ended {
				continue
			}
			told++
			own := function.home()
			rule, permission := made.service.at(t, own+"/Ended"), made.service.at(t, own+"/EndedMayCall")
			target := list(rule.Properties["Targets"])[0].(map[string]any)
			machine := made.service.at(t, "Service/Setup/Machine").id
			for what, check := range map[string]struct{ got, want any }{
				"pattern": {made.service.text(rule.Properties["EventPattern"]),
					`{"detail":{"stateMachineArn":[{"Fn::GetAtt":["` + machine + `","Arn"]}],` +
						`"status":["FAILED","TIMED_OUT","ABORTED"]},"detail-type":["Step Functions Execution Status Change"],"source":["aws.states"]}`},
				"state":          {rule.Properties["State"], "ENABLED"},
				"targets":        {len(list(rule.Properties["Targets"])), 1},
				"target":         {made.service.text(target["Arn"]), "{" + own + "/Live}"},
				"as it is":       {[]any{target["Input"], target["InputPath"], target["InputTransformer"]}, []any{nil, nil, nil}},
				"retries within": {target["RetryPolicy"].(map[string]any)["MaximumEventAgeInSeconds"], trigger.Every.Seconds()},
				"given up to": {made.service.text(target["DeadLetterConfig"].(map[string]any)["Arn"]),
					"{" + own + "/EndedMissed.Arn}"},
				"who":   {permission.Properties["Principal"], "events.amazonaws.com"},
				"of":    {made.service.text(permission.Properties["SourceArn"]), "{" + own + "/Ended.Arn}"},
				"calls": {made.service.text(permission.Properties["FunctionName"]), "{" + own + "/Live}"},
			} {
				if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
					t.Errorf("%s: %v, want %v", what, check.got, check.want)
				}
			}
		}
		policy := ""
		for _, each := range made.service.of("AWS::SQS::QueuePolicy") {
			policy += made.service.text(each.Properties["PolicyDocument"])
		}
		if want := `"Condition":{"ArnEquals":{"aws:SourceArn":{"Fn::GetAtt":["` +
			made.service.at(t, "Service/sweep/Ended").id + `","Arn"]}}},"Effect":"Allow",` +
			`"Principal":{"Service":"events.amazonaws.com"}`; !strings.Contains(policy, want) {
			t.Errorf("the rule may not give up to its queue: no %s in %s", want, policy)
		}
		if rules := len(made.service.of("AWS::Events::Rule")); told != 1 || rules != 1 {
			t.Errorf("%d functions are told, by %d rules", told, rules)
		}
	})
}

// A stage's function is stopped at the stage's limit, before the machine gives its task up.
func TestStagesAreStoppedAtTheirLimits(t *testing.T) {
	for _, stage := range proposal.Pipeline() {
		found := 0
		for _, function := range Manifest() {
			if function.Trigger == (Step{stage.Name}) {
				found++
				if function.Timeout != stage.Limit || function.Name != "setupstages/"+string(stage.Name) {
					t.Errorf("%s may take %v, want %v", function.Name, function.Timeout, stage.Limit)
				}
			}
		}
		if found != 1 {
			t.Errorf("%s has %d functions", stage.Name, found)
		}
	}
}
