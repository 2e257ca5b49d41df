package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// newRole allows what the function's row grants and writing to its own log group, by exact actions on exact resources: no
// managed policy, whose log grants would reach every log group of the account. Tracing adds its own grant later.
func newRole(scope constructs.Construct, function Function, data data, logs awslogs.LogGroup) awsiam.Role {
	role := awsiam.NewRole(scope, jsii.String("Role"), &awsiam.RoleProps{
		Description: jsii.String("functions/" + function.Name),
		AssumedBy:   awsiam.NewServicePrincipal(jsii.String("lambda.amazonaws.com"), nil),
	})
	// The group's ARN reaches its streams and nothing beside them; the group itself exists, so it need not be created.
	allow(role, "logs", []string{"CreateLogStream", "PutLogEvents"}, logs.LogGroupArn())

	for _, grant := range function.Tables {
		table := data.table(grant.Table)
		var onTable []string
		for _, action := range grant.Actions {
			if action == "Query" {
				allow(role, "dynamodb", []string{action}, append(data.indexARNs(grant.Table), table.TableArn())...)
				continue
			}
			onTable = append(onTable, action)
		}
		if len(onTable) > 0 {
			allow(role, "dynamodb", onTable, table.TableArn())
		}
	}
	if data.key != nil && len(function.Tables) > 0 {
		allowKey(role, data.key)
	}
	return role
}

func allow(role awsiam.Role, service string, actions []string, resources ...*string) {
	names := make([]*string, len(actions))
	for i, action := range actions {
		names[i] = jsii.String(service + ":" + action)
	}
	role.AddToPolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Actions:   &names,
		Resources: &resources,
	}))
}
