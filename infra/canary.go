package main

import (
	"cmp"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscodedeploy"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// liveName is the alias by which everything calls a function.
const liveName = "live"

// newCanaries makes CodeDeploy move the aliases of a deployment: a tenth of the calls for five minutes, then all. It
// moves an alias back when the function fails, when the API fails with a function behind it (failing), and when the
// deployment is stopped. CloudFormation then takes back the rest. A new alias is not moved, so a stage's first
// deployment needs no CodeDeploy.
//
// Aliases move in waves: a wave waits for all waves before it.
//
// CodeDeploy itself tells the topic about a deployment that did not succeed.
func newCanaries(
	stack awscdk.Stack, stage Stage, topic *alarmTopic, lambdas []lambda, errors map[string]awscloudwatch.Alarm,
	failing awscloudwatch.Alarm,
) {
	scope := constructs.NewConstruct(stack, jsii.String("Canary"))
	application := awscodedeploy.NewCfnApplication(
		scope,
		jsii.String("Application"),
		&awscodedeploy.CfnApplicationProps{
			ComputePlatform: jsii.String("Lambda")},
	)
	role := newDeployer(scope, stage, application, topic)
	for _, each := range lambdas {
		alarms := []any{alarmNamed(errors[each.Name])}
		if each.Trigger == (API{}) {
			alarms = append(alarms, alarmNamed(failing))
		}
		group := awscodedeploy.NewCfnDeploymentGroup(
			each.scope,
			jsii.String("Canary"),
			&awscodedeploy.CfnDeploymentGroupProps{
				ApplicationName:      application.Ref(),
				ServiceRoleArn:       role.RoleArn(),
				DeploymentConfigName: jsii.String("CodeDeployDefault.LambdaCanary10Percent5Minutes"),
				DeploymentStyle: &awscodedeploy.CfnDeploymentGroup_DeploymentStyleProperty{
					DeploymentType: jsii.String("BLUE_GREEN"), DeploymentOption: jsii.String("WITH_TRAFFIC_CONTROL")},
				AlarmConfiguration: &awscodedeploy.CfnDeploymentGroup_AlarmConfigurationProperty{
					Enabled: jsii.Bool(true),
					Alarms:  alarms,
				},
				AutoRollbackConfiguration: &awscodedeploy.CfnDeploymentGroup_AutoRollbackConfigurationProperty{
					Enabled: jsii.Bool(true),
					Events: jsii.Strings(
						"DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM", "DEPLOYMENT_STOP_ON_REQUEST",
					),
				},
				TriggerConfigurations: []any{&awscodedeploy.CfnDeploymentGroup_TriggerConfigProperty{
					TriggerName: jsii.String("Alarms"), TriggerTargetArn: topic.TopicArn(),
					TriggerEvents: jsii.Strings("DeploymentFailure", "DeploymentStop", "DeploymentRollback")}},
			},
		)
		group.Node().AddDependency(role) // and on what it allows
		if stage.SkipCanary {
			continue
		}
		each.alias().CfnOptions().SetUpdatePolicy(&awscdk.CfnUpdatePolicy{
			CodeDeployLambdaAliasUpdate: &awscdk.CfnCodeDeployLambdaAliasUpdate{
				ApplicationName: application.Ref(), DeploymentGroupName: group.Ref()}})
	}
	if stage.SkipCanary {
		return
	}
	var before []lambda
	for _, wave := range waves(lambdas) {
		for _, each := range wave {
			for _, earlier := range before {
				each.alias().AddResourceDependency(earlier.alias(), nil)
			}
		}
		before = wave
	}
}

// movedAtOnce is how many aliases CodeDeploy moves at the same time, at most. Users of AWS SAM report that stacks with
// about 13 functions fail with "A conflicting deployment is in progress".
const movedAtOnce = 5

// waves divides functions into those that are moved at the same time, in the order in which the waves follow each
// other. Groups come one after the other, and last: a stack cannot wait for a nested stack that waits for it.
func waves(lambdas []lambda) [][]lambda {
	byTurn := func(a, b lambda) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.turn(), b.turn()))
	}
	return slices.Collect(slices.Chunk(slices.SortedStableFunc(slices.Values(lambdas), byTurn), movedAtOnce))
}

// turn orders functions by when a deployment moves them: those that take messages before those that send them, and
// stages of the setup pipeline before what starts it. The alias of the function that starts the pipeline waits for the
// stages' in any case.
func (f Function) turn() int {
	switch f.Trigger.(type) {
	case Queue, Account, Reports:
		return 0
	case Step:
		return 1
	case Schedule:
		return 2
	}
	if f.Starts {
		return 4
	}
	return 3
}

// alias returns the live alias as CloudFormation knows it.
func (l lambda) alias() awslambda.CfnAlias { return l.live.Node().DefaultChild().(awslambda.CfnAlias) }

func alarmNamed(of awscloudwatch.Alarm) *awscodedeploy.CfnDeploymentGroup_AlarmProperty {
	return &awscodedeploy.CfnDeploymentGroup_AlarmProperty{Name: of.AlarmName()}
}

// newDeployer makes CodeDeploy's role: it moves the aliases of the stage's functions, reads alarms and tells the
// topic. AWS's managed policy for it reaches the aliases of all functions of the account.
//
// The role names the functions by a prefix, which CloudFormation takes from their stack's name. With their ARNs it
// would wait for the function that waits for the state machine, which waits for aliases, which wait for this role.
func newDeployer(
	scope constructs.Construct, stage Stage, application awscodedeploy.CfnApplication, topic *alarmTopic,
) awsiam.Role {
	stack := awscdk.Stack_Of(scope)
	arn := func(service, resource, name string) *string {
		return stack.FormatArn(&awscdk.ArnComponents{Service: jsii.String(service), Resource: jsii.String(resource),
			ResourceName: jsii.String(name), ArnFormat: awscdk.ArnFormat_COLON_RESOURCE_NAME})
	}
	role := awsiam.NewRole(scope, jsii.String("Role"), &awsiam.RoleProps{
		Description: jsii.String("Canary deployments of the functions"),
		AssumedBy: awsiam.NewServicePrincipal(jsii.String("codedeploy.amazonaws.com"), &awsiam.ServicePrincipalOpts{
			// Without these, another account's deployments could be given this role.
			Conditions: &map[string]any{
				"StringEquals": map[string]any{"aws:SourceAccount": awscdk.Aws_ACCOUNT_ID()},
				"ArnLike": map[string]any{
					"aws:SourceArn": arn("codedeploy", "deploymentgroup", *application.Ref()+"/*"),
				},
			},
		}),
	})
	allow(role, "lambda", []string{"GetAlias", "UpdateAlias", "GetProvisionedConcurrencyConfig"},
		arn("lambda", "function", project+"-"+stage.Name+"-*"))
	allow(role, "cloudwatch", []string{"DescribeAlarms"}, arn("cloudwatch", "alarm", "*"))
	allow(role, "sns", []string{"Publish"}, topic.TopicArn())
	return role
}
