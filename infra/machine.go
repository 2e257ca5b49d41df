package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsstepfunctions"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/port/flow"
	"earshot/shared/proposal"
)

// steps returns the functions of the pipeline's stages, in its order. A missing one panics: the manifest has a
// mistake.
func steps(lambdas map[string]lambda) []lambda {
	var found []lambda
	for _, stage := range proposal.Pipeline() {
		for _, each := range lambdas {
			if each.Trigger == (Step{stage.Name}) {
				found = append(found, each)
			}
		}
	}
	if len(found) != len(proposal.Pipeline()) {
		panic("infra: not every stage of the pipeline has one function")
	}
	return found
}

// newMachine makes the state machine of the setup pipeline, with a role that may call the stages' functions and
// nothing else of the deployment. It is of the standard kind: an execution takes minutes, and happens once for its
// name. It logs which executions failed, without what they carried. It has no fixed name, and goes with its stack.
func newMachine(stack awscdk.Stack, stage Stage, stages []lambda) awsstepfunctions.CfnStateMachine {
	scope := constructs.NewConstruct(stack, jsii.String("Setup"))
	logs := newLogGroup(scope, "Logs", stage)
	role := awsiam.NewRole(scope, jsii.String("Role"), &awsiam.RoleProps{
		Description: jsii.String("The state machine of the setup pipeline"),
		AssumedBy: awsiam.NewServicePrincipal(jsii.String("states.amazonaws.com"), &awsiam.ServicePrincipalOpts{
			// Without these, another account's machine could be given this role.
			Conditions: &map[string]any{
				"StringEquals": map[string]any{"aws:SourceAccount": awscdk.Aws_ACCOUNT_ID()},
				"ArnLike": map[string]any{
					"aws:SourceArn": stack.FormatArn(&awscdk.ArnComponents{
						Service:      jsii.String("states"),
						Resource:     jsii.String("stateMachine"),
						ResourceName: jsii.String("*"),
						ArnFormat:    awscdk.ArnFormat_COLON_RESOURCE_NAME,
					}),
				},
			},
		}),
	})
	arns := map[string]*string{}
	var called []*string
	for _, each := range stages {
		arn := each.live.FunctionArn()
		called = append(called, arn)
		arns[stateOf(each.Trigger.(Step).Stage)] = arn
	}
	allow(role, "lambda", []string{"InvokeFunction"}, called...)
	allow(
		role,
		"logs",
		[]string{"CreateLogDelivery", "GetLogDelivery", "UpdateLogDelivery", "DeleteLogDelivery", "ListLogDeliveries",
			"PutResourcePolicy", "DescribeResourcePolicies", "DescribeLogGroups"},
		jsii.String("*"),
	)
	allow(
		role, "xray", []string{"PutTraceSegments", "PutTelemetryRecords", "GetSamplingRules", "GetSamplingTargets"},
		jsii.String("*"),
	)

	machine := awsstepfunctions.NewCfnStateMachine(
		scope,
		jsii.String("Machine"),
		&awsstepfunctions.CfnStateMachineProps{
			StateMachineType:        jsii.String("STANDARD"),
			DefinitionString:        jsii.String(definition(proposal.Pipeline(), proposal.RunLimit)),
			DefinitionSubstitutions: &arns,
			RoleArn:                 role.RoleArn(),
			LoggingConfiguration: &awsstepfunctions.CfnStateMachine_LoggingConfigurationProperty{
				Level: jsii.String("ERROR"), IncludeExecutionData: jsii.Bool(false),
				Destinations: []any{&awsstepfunctions.CfnStateMachine_LogDestinationProperty{
					CloudWatchLogsLogGroup: &awsstepfunctions.CfnStateMachine_CloudWatchLogsLogGroupProperty{
						LogGroupArn: logs.LogGroupArn(),
					},
				}},
			},
			TracingConfiguration: &awsstepfunctions.CfnStateMachine_TracingConfigurationProperty{
				Enabled: jsii.Bool(true),
			},
		},
	)
	machine.ApplyRemovalPolicy(awscdk.RemovalPolicy_DESTROY, nil)
	machine.Node().AddDependency(role) // and on what it allows
	output(stack, "SetupMachine", "The state machine of the setup pipeline", machine.AttrArn())
	return machine
}

// alarmOnMachine watches executions that end without success. The sweep ends their drafts: people get a proposal made
// from what there was.
func alarmOnMachine(scope constructs.Construct, machine awsstepfunctions.CfnStateMachine, topic *alarmTopic) {
	dimensions := map[string]*string{"StateMachineArn": machine.AttrArn()}
	for _, alarm := range []alarm{
		{"Failed", "A setup run failed in its last stage.", metric("AWS/States", "ExecutionsFailed", "Sum", dimensions), 1, 1,
			1},
		{"TimedOut", "A setup run took longer than " + proposal.RunLimit.String() + ".",
			metric("AWS/States", "ExecutionsTimedOut", "Sum", dimensions), 1, 1, 1},
	} {
		alarm.add(scope, topic)
	}
}

// letStart lets a function start executions of the machine, and look up an execution whose name is taken. Names are
// made from drafts and runs.
func letStart(of lambda, machine awsstepfunctions.CfnStateMachine) {
	of.deployed.AddEnvironment(jsii.String("STATE_MACHINE_ARN"), machine.AttrArn(), nil)
	allow(of.role, "states", []string{"StartExecution"}, machine.AttrArn())
	allow(of.role, "states", []string{"DescribeExecution"}, awscdk.Stack_Of(of.scope).FormatArn(&awscdk.ArnComponents{
		Service:      jsii.String("states"),
		Resource:     jsii.String("execution"),
		ResourceName: jsii.String(*machine.AttrName() + ":*"),
		ArnFormat:    awscdk.ArnFormat_COLON_RESOURCE_NAME,
	}))
}

// tellEnds makes EventBridge call a function with the event of each execution that ended without success. It returns
// a queue that keeps events that could not be delivered, with the reason. The function's schedule finds their drafts.
func tellEnds(
	of lambda, trigger Schedule, machine awsstepfunctions.CfnStateMachine, watch constructs.Construct,
	topic *alarmTopic,
) awssqs.Queue {
	untold := newDeadLetters(
		of.scope, "EndedMissed", &awssqs.RedriveAllowPolicy{RedrivePermission: awssqs.RedrivePermission_DENY_ALL},
	)
	alarmOnDeadLetters(
		watch, "EndedMissed", untold, "functions/"+of.Name+" was not told of a setup run that did not succeed.", topic,
	)
	output(
		of.scope, "EndedMissedCalls", "Queue of the ends of setup runs that "+of.Name+" was not told of",
		untold.QueueUrl(),
	)
	rule := awsevents.NewCfnRule(of.scope, jsii.String("Ended"), &awsevents.CfnRuleProps{
		Description: jsii.String("Calls functions/" + of.Name + " with each setup run that did not succeed"),
		State:       jsii.String("ENABLED"),
		EventPattern: map[string]any{
			"source": []string{"aws.states"}, "detail-type": []string{"Step Functions Execution Status Change"},
			"detail": map[string]any{
				"stateMachineArn": []*string{machine.AttrArn()},
				"status":          []string{flow.Failed, flow.TimedOut, flow.Aborted},
			},
		},
		Targets: []any{&awsevents.CfnRule_TargetProperty{
			Id: jsii.String("Fn"), Arn: of.live.FunctionArn(),
			RetryPolicy: &awsevents.CfnRule_RetryPolicyProperty{
				MaximumRetryAttempts:     jsii.Number(trigger.Retries),
				MaximumEventAgeInSeconds: jsii.Number(trigger.Every.Seconds()),
			},
			DeadLetterConfig: &awsevents.CfnRule_DeadLetterConfigProperty{Arn: untold.QueueArn()},
		}},
	})
	untold.AddToResourcePolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Sid:        jsii.String("TheRuleAlone"),
		Principals: &[]awsiam.IPrincipal{awsiam.NewServicePrincipal(jsii.String("events.amazonaws.com"), nil)},
		Actions:    jsii.Strings("sqs:SendMessage"),
		Resources:  &[]*string{untold.QueueArn()},
		Conditions: &map[string]any{"ArnEquals": map[string]any{"aws:SourceArn": rule.AttrArn()}},
	}))
	awslambda.NewCfnPermission(of.scope, jsii.String("EndedMayCall"), &awslambda.CfnPermissionProps{
		Action: jsii.String("lambda:InvokeFunction"), FunctionName: of.live.FunctionArn(),
		Principal: jsii.String("events.amazonaws.com"), SourceArn: rule.AttrArn(),
	})
	return untold
}
