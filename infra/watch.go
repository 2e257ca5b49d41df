package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsstepfunctions"
	"github.com/aws/jsii-runtime-go"
)

// newWatch makes what only looks at a stage: most alarms, the dashboard, the saved queries. It is a nested stack in
// the stack of the service, because CloudFormation takes 500 resources in one. As a separate stack it would import
// each function by an export, and CloudFormation would refuse to remove a function.
func newWatch(stack awscdk.Stack) awscdk.NestedStack {
	return awscdk.NewNestedStack(stack, jsii.String("Watch"), &awscdk.NestedStackProps{
		Description: jsii.String("Earshot: alarms, dashboard and saved queries."),
	})
}

// newFailures makes the nested stack of alarms on failures of functions that are in the stack of the service. A
// deployment waits for these alarms before it moves an alias, and Watch waits for aliases, so they are not in Watch.
func newFailures(stack awscdk.Stack) awscdk.NestedStack {
	return awscdk.NewNestedStack(stack, jsii.String("Failures"), &awscdk.NestedStackProps{
		Description: jsii.String("Earshot: alarms on failures of the functions."),
	})
}

// watching is what the dashboard shows.
type watching struct {
	stage   Stage
	data    data
	lambdas []lambda // in the manifest's order
	machine awsstepfunctions.CfnStateMachine
	access  awslogs.LogGroup
	missed  map[string]awssqs.Queue // by what was not called: the queue of the calls that were given up
}
