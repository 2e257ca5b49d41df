package main

import (
	"fmt"
	"testing"
	"time"
)

// The user pool calls the function by a name that is made in two stacks, and this pool alone may.
func TestTheDirectoryTellsAFunctionOfAccounts(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		function := toldOfAccounts(Manifest())
		own := "Service/" + function.ID()
		pool, called, permission := made.data.at(t, "Data/People"), made.service.at(t, own+"/Fn"), made.service.at(t, own+"/AccountsMayCall")
		name := "earshot-" + stage.Name + "-accountcreated"
		for what, check := range map[string]struct{ got, want any }{
			"name":     {called.Properties["FunctionName"], name},
			"triggers": {len(pool.property("LambdaConfig").(map[string]any)), 1},
			"calls": {made.data.text(pool.property("LambdaConfig", "PostConfirmation")),
				"arn:{AWS::Partition}:lambda:{AWS::Region}:{AWS::AccountId}:function:" + name + ":live"},
			"may":            {permission.Properties["Action"], "lambda:InvokeFunction"},
			"who":            {permission.Properties["Principal"], "cognito-idp.amazonaws.com"},
			"of":             {made.service.text(permission.Properties["SourceArn"]), "{Data/People.Arn}"},
			"of the account": {made.service.text(permission.Properties["SourceAccount"]), "{AWS::AccountId}"},
			"may call":       {made.service.text(permission.Properties["FunctionName"]), "{" + own + "/Live}"},
		} {
			if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
				t.Errorf("%s: %v, want %v", what, check.got, check.want)
			}
		}
		permissions := 0
		for _, each := range made.service.of("AWS::Lambda::Permission") {
			if each.Properties["Principal"] == "cognito-idp.amazonaws.com" {
				permissions++
			}
		}
		if in := len(made.data.of("AWS::Lambda::Permission")); permissions != 1 || in != 0 {
			t.Errorf("%d permissions beside the function, want 1, and %d beside the pool, where there is no function", permissions, in)
		}
		if function.Timeout > 5*time.Second {
			t.Errorf("%s may take %s; Cognito waits for 5 s", function.Name, function.Timeout)
		}
	})
}

func TestOneFunctionIsToldOfAccounts(t *testing.T) {
	told := Function{Trigger: Account{}}
	for _, functions := range [][]Function{nil, {{Trigger: API{}}}, {told, told}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v: one of them is told of accounts", functions)
				}
			}()
			toldOfAccounts(functions)
		}()
	}
}
