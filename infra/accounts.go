package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscognito"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"
)

// tellAccounts has the directory of people call a function when somebody has signed up and shown the address to be theirs, and wait for
// it (Cognito's post-confirmation trigger).
//
// The directory names the function by an ARN that is made of a physical name, against the rule of this deployment: the function is in the
// stack of the service, which refers to this one, and a reference back would be a cycle of stacks. The name has the stage in it, and
// nothing that would replace the function is ever changed: only its name and its kind of package do. Cognito takes an ARN of what is not
// there yet. So it is in a stage's first deployment, and in the first one with the function, until the stack of the service is deployed,
// some minutes later: whoever signs up in between has an account, and is told of a failure all the same. Their invitations are
// granted by the schedule that looks after them.
func tellAccounts(people awscognito.UserPool, stage Stage, function Function) {
	arn := awscdk.Stack_Of(people).FormatArn(&awscdk.ArnComponents{Service: jsii.String("lambda"), Resource: jsii.String("function"),
		ResourceName: jsii.String(*stage.functionName(function) + ":" + liveName), ArnFormat: awscdk.ArnFormat_COLON_RESOURCE_NAME})
	// The CDK's own way would give the permission too, in this stack, in which there is no function.
	people.Node().DefaultChild().(awscognito.CfnUserPool).AddPropertyOverride(jsii.String("LambdaConfig.PostConfirmation"), arn)
}

// functionName is the physical name of a function that another stack names; nil for all others, which CloudFormation names.
func (s Stage) functionName(of Function) *string {
	if of.Trigger != (Account{}) {
		return nil
	}
	return jsii.String(project + "-" + s.Name + "-" + of.ID())
}

// callByAccounts lets the directory of people call a function, and no other directory, of whoever's account.
func callByAccounts(of lambda, people awscognito.UserPool) {
	awslambda.NewCfnPermission(of.scope, jsii.String("AccountsMayCall"), &awslambda.CfnPermissionProps{
		Action: jsii.String("lambda:InvokeFunction"), FunctionName: of.live.FunctionArn(),
		Principal: jsii.String("cognito-idp.amazonaws.com"), SourceArn: people.UserPoolArn(), SourceAccount: awscdk.Aws_ACCOUNT_ID(),
	})
}

// toldOfAccounts is the function that the directory of people calls. It panics when there is not one: a mistake in the manifest.
func toldOfAccounts(functions []Function) Function {
	var found []Function
	for _, function := range functions {
		if function.Trigger == (Account{}) {
			found = append(found, function)
		}
	}
	if len(found) != 1 {
		panic("infra: not one function is told of accounts")
	}
	return found[0]
}
