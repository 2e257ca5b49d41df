package main

import (
	"fmt"
	"testing"
	"time"
)

// The user pool calls the function by its alias, and this pool alone may.
func TestTheDirectoryTellsAFunctionOfAccounts(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		function := toldOfAccounts(Manifest())
		own := "Data/" + function.ID()
		pool, permission := made.data.at(t, "Data/People"), made.data.at(t, own+"/AccountsMayCall")
		for what, check := range map[string]struct{ got, want any }{
			"triggers":       {len(pool.property("LambdaConfig").(map[string]any)), 1},
			"calls":          {made.data.text(pool.property("LambdaConfig", "PostConfirmation")), "{" + own + "/Live}"},
			"may":            {permission.Properties["Action"], "lambda:InvokeFunction"},
			"who":            {permission.Properties["Principal"], "cognito-idp.amazonaws.com"},
			"of":             {made.data.text(permission.Properties["SourceArn"]), "{Data/People.Arn}"},
			"of the account": {made.data.text(permission.Properties["SourceAccount"]), "{AWS::AccountId}"},
			"may call":       {made.data.text(permission.Properties["FunctionName"]), "{" + own + "/Live}"},
		} {
			if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
				t.Errorf("%s: %v, want %v", what, check.got, check.want)
			}
		}
		permissions := 0
		for _, in := range made.templates() {
			for _, each := range in.of("AWS::Lambda::Permission") {
				if each.Properties["Principal"] == "cognito-idp.amazonaws.com" {
					permissions++
				}
			}
		}
		if permissions != 1 {
			t.Errorf("%d permissions, want 1", permissions)
		}
		if function.Timeout > 5*time.Second {
			t.Errorf("%s may take %s; Cognito waits for 5 s", function.Name, function.Timeout)
		}
	})
}

// Cognito may check that a trigger is there, and the template does not rely on whether it does: CloudFormation makes
// the function first, in the same stack and by references alone. That neither waits for the other is
// TestNothingWaitsForItself.
func TestTrigger_IsThereBeforeThePool(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		function := toldOfAccounts(Manifest())
		first := made.data.earlier(made.data.at(t, "Data/People").id)
		for _, part := range []string{"Role", "Role/DefaultPolicy", "Logs", "Fn", "Live"} {
			if each := made.data.at(t, function.home()+"/"+part); !first[each.id] {
				t.Errorf("the pool may be there before %s", each.path())
			}
		}
		if name := made.data.at(t, function.home()+"/Fn").Properties["FunctionName"]; name != nil {
			t.Errorf("the function has the name %v, and need not", name)
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
