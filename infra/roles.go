package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/outbound/slack"
)

// newRole allows what the function's row grants, and writing to its own log group, by exact actions on exact
// resources. A managed policy's log grants would reach every log group of the account. Tracing adds its own grant
// later.
func newRole(scope constructs.Construct, function Function, stage Stage, data data, logs awslogs.LogGroup) awsiam.Role {
	role := awsiam.NewRole(scope, jsii.String("Role"), &awsiam.RoleProps{
		Description: jsii.String("functions/" + function.Name),
		AssumedBy:   awsiam.NewServicePrincipal(jsii.String("lambda.amazonaws.com"), nil),
	})
	// The group's ARN reaches its streams only. The group exists, so the function need not create it.
	allow(role, "logs", []string{"CreateLogStream", "PutLogEvents"}, logs.LogGroupArn())

	for _, grant := range function.Tables {
		table := data.table(grant.Table)
		if len(grant.Actions) > 0 {
			allow(role, "dynamodb", grant.Actions, table.TableArn())
		}
		for _, index := range grant.Indexes {
			allow(role, "dynamodb", []string{"Query"}, data.indexARN(grant.Table, index))
		}
	}
	if data.key != nil && len(function.Tables) > 0 {
		allowKey(role, data.key)
	}
	for _, name := range function.Sends {
		allow(role, "sqs", []string{"SendMessage"}, data.queue(name).live.QueueArn())
	}
	if trigger, ok := function.Trigger.(Queue); ok {
		// Lambda takes messages in the function's name. The rights to receive and delete also hide and return them.
		allow(
			role, "sqs", []string{"DeleteMessage", "GetQueueAttributes", "ReceiveMessage"},
			data.queue(trigger.Name).live.QueueArn(),
		)
	}
	if len(function.Files) > 0 {
		allow(role, "s3", function.Files, jsii.String(*data.files.BucketArn()+ofWorkspaces))
	}
	if len(function.Shards) > 0 {
		allow(role, "s3", function.Shards, jsii.String(*data.shards.BucketArn()+allShards))
	}
	if data.days != nil {
		data.days.allow(role, function, awscdk.Stack_Of(scope))
	}
	if function.Sources {
		// The parameters are encrypted with the account's key for Parameter Store. The key's policy lets every reader
		// of a parameter use it through Parameter Store, so the role needs no right on the key.
		allow(role, "ssm", []string{"GetParameters"}, parametersBelow(scope, stage.sourcesPath()))
	}
	if len(function.Slack) > 0 {
		// The key for Parameter Store ciphers for every writer too.
		allow(role, "ssm", function.Slack, parametersBelow(scope, stage.workspacesPath()))
	}
	if function.SlackApp {
		allow(
			role,
			"ssm",
			[]string{"GetParameters"},
			parameter(
				scope,
				stage.appsPath()+"/"+slack.ClientIDName,
			),
			parameter(scope, stage.appsPath()+"/"+slack.ClientSecretName),
		)
	}
	if function.Mail && stage.MailFrom != "" {
		allowMail(role, stage, function)
	}
	if len(function.People) > 0 && !function.hearsOfAccounts() { // newListener
		allow(role, "cognito-idp", function.People, data.people.UserPoolArn())
	}
	if function.Model && stage.Model != "" {
		allowModel(role, stage.Model)
	}
	return role
}

// parametersBelow names all parameters of a folder. People decide later which ones exist.
func parametersBelow(scope constructs.Construct, path string) *string {
	return parameter(scope, path+"/*")
}

// parameter names a parameter by its path.
func parameter(scope constructs.Construct, path string) *string {
	return awscdk.Stack_Of(scope).FormatArn(&awscdk.ArnComponents{
		Service: jsii.String("ssm"), Resource: jsii.String("parameter"), ResourceName: jsii.String(path[1:])})
}

func allow(role awsiam.Role, service string, actions []string, resources ...*string) {
	role.AddToPolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Actions:   namesOf(service, actions),
		Resources: &resources,
	}))
}

// namesOf returns the actions of a service as IAM names them.
func namesOf(service string, actions []string) *[]*string {
	names := make([]*string, len(actions))
	for i, action := range actions {
		names[i] = jsii.String(service + ":" + action)
	}
	return &names
}
