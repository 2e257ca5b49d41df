package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// newKey makes the key of a stage with CustomerKey, which encrypts its tables. It lives as long as the data: without
// it a kept table is unreadable.
func newKey(scope constructs.Construct, stage Stage) awskms.Key {
	return awskms.NewKey(scope, jsii.String("Key"), &awskms.KeyProps{
		Description:       jsii.String("Earshot " + stage.Name + ": the tables"),
		EnableKeyRotation: jsii.Bool(true),
		RemovalPolicy:     stage.removal(),
	})
}

// allowKey lets a role use the key through DynamoDB and in no other way. The actions are those that DynamoDB's guide
// names for reading and writing an encrypted table ("Managing encrypted tables": authorizing use of a customer managed
// key).
func allowKey(role awsiam.Role, key awskms.Key) {
	role.AddToPolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Actions: jsii.Strings("kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey",
			"kms:GenerateDataKeyWithoutPlaintext", "kms:ReEncryptFrom", "kms:ReEncryptTo"),
		Resources: &[]*string{key.KeyArn()},
		Conditions: &map[string]any{"StringEquals": map[string]any{
			"kms:ViaService": "dynamodb." + *awscdk.Aws_REGION() + ".amazonaws.com",
		}},
	}))
}
