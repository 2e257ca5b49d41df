package main

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// output makes the stack show a value to the deployer. What is in a nested stack is shown by the stack around it.
func output(scope constructs.Construct, id, says string, value *string) {
	if around := awscdk.Stack_Of(scope).NestedStackParent(); around != nil {
		scope, id = around, *scope.Node().Id()+id
	}
	awscdk.NewCfnOutput(scope, jsii.String(id), &awscdk.CfnOutputProps{Description: jsii.String(says), Value: value})
}

// title writes a lowercase name as construct ids are written.
func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
