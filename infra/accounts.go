package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscognito"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"
)

// A listener is the function that the directory of people calls, with its alarm on failures.
type listener struct {
	lambda
	failing awscloudwatch.Alarm
}

// newListener makes the function that the directory of people calls when somebody has signed up and shown the address
// to be theirs (Cognito's post-confirmation trigger), and has the directory call it and wait for it.
//
// The function is in the stack of data, beside the directory, unlike all others. Whether Cognito checks that a trigger
// is there is not documented, so the function has to be there first. The stack of the service is deployed after the
// directory, and only a template sets a trigger without taking away the directory's other settings (UpdateUserPool
// resets what it is not given). CloudFormation makes role, function, version, alias and directory in this order.
// Nothing of the function refers to the directory but the permission to be called by it and the policy People, and for
// these nothing waits: each event names the directory that it is of.
func newListener(stack awscdk.Stack, stage Stage, data data, function Function, binaries string) *listener {
	made := newLambda(stack, stage, data, function, binaries)
	// The CDK's own way would have the permission wait for the directory, and the version for the permission.
	pool := data.people.Node().DefaultChild().(awscognito.CfnUserPool)
	pool.AddPropertyOverride(jsii.String("LambdaConfig.PostConfirmation"), made.live.FunctionArn())
	awslambda.NewCfnPermission(made.scope, jsii.String("AccountsMayCall"), &awslambda.CfnPermissionProps{
		Action:        jsii.String("lambda:InvokeFunction"),
		FunctionName:  made.live.FunctionArn(),
		Principal:     jsii.String("cognito-idp.amazonaws.com"),
		SourceArn:     data.people.UserPoolArn(),
		SourceAccount: awscdk.Aws_ACCOUNT_ID(),
	})
	awsiam.NewPolicy(made.scope, jsii.String("People"), &awsiam.PolicyProps{
		Roles: &[]awsiam.IRole{made.role},
		Statements: &[]awsiam.PolicyStatement{awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
			Actions: namesOf("cognito-idp", function.People), Resources: &[]*string{data.people.UserPoolArn()}})},
	})
	return &listener{made, alarmOnFailures(made, made.scope, stage, data.alarms)}
}

// hearsOfAccounts reports whether the directory of people calls the function.
func (f Function) hearsOfAccounts() bool { return f.Trigger == (Account{}) }

// toldOfAccounts returns the function that the directory of people calls. It panics unless there is exactly one: the
// manifest has a mistake.
func toldOfAccounts(functions []Function) Function {
	var found []Function
	for _, function := range functions {
		if function.hearsOfAccounts() {
			found = append(found, function)
		}
	}
	if len(found) != 1 {
		panic("infra: not one function is told of accounts")
	}
	return found[0]
}
