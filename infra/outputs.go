package main

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// output makes the stack show a value to the deployer.
func output(scope constructs.Construct, id, says string, value *string) {
	awscdk.NewCfnOutput(scope, jsii.String(id), &awscdk.CfnOutputProps{Description: jsii.String(says), Value: value})
}

// title writes a lowercase name as construct ids are written.
func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
