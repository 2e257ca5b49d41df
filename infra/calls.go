package main

import (
	"fmt"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsscheduler"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// callByQueue makes a queue call a function.
func callByQueue(of lambda, trigger Queue, from queues) {
	props := awslambda.EventSourceMappingProps{
		Target:                  of.live,
		EventSourceArn:          from.live.QueueArn(),
		BatchSize:               jsii.Number(trigger.Batch),
		MaxConcurrency:          jsii.Number(trigger.AtOnce),
		ReportBatchItemFailures: jsii.Bool(true),
	}
	if trigger.Window > 0 {
		props.MaxBatchingWindow = seconds(trigger.Window)
	}
	awslambda.NewEventSourceMapping(of.scope, jsii.String("Messages"), &props)
}

// newSchedules makes the group of the stage's schedules. A role knows its caller by the group.
func newSchedules(scope constructs.Construct) awsscheduler.CfnScheduleGroup {
	return awsscheduler.NewCfnScheduleGroup(scope, jsii.String("Schedules"), nil)
}

// tick is the event of a scheduled call. EventBridge Scheduler puts the time in, the same for a repeated call.
const tick = `{"time":"<aws.scheduler.scheduled-time>"}`

// callBySchedule makes a schedule call a function. The schedule has a role with this right alone, and a queue for
// calls that Lambda did not take. callBySchedule returns the queue.
func callBySchedule(
	of lambda, trigger Schedule, group awsscheduler.CfnScheduleGroup, watch constructs.Construct, topic *alarmTopic,
) awssqs.Queue {
	missed := newDeadLetters(
		of.scope, "Missed", &awssqs.RedriveAllowPolicy{RedrivePermission: awssqs.RedrivePermission_DENY_ALL},
	)
	alarmOnDeadLetters(watch, "Missed", missed, "Scheduled calls of functions/"+of.Name+" were given up.", topic)
	output(of.scope, "MissedCalls", "Queue of the scheduled calls of "+of.Name+" that were given up", missed.QueueUrl())

	role := awsiam.NewRole(of.scope, jsii.String("Caller"), &awsiam.RoleProps{
		Description: jsii.String("The schedule of functions/" + of.Name),
		AssumedBy: awsiam.NewServicePrincipal(jsii.String("scheduler.amazonaws.com"), &awsiam.ServicePrincipalOpts{
			// Without these, another account's schedule could be given this role.
			Conditions: &map[string]any{"StringEquals": map[string]any{
				"aws:SourceAccount": awscdk.Aws_ACCOUNT_ID(), "aws:SourceArn": group.AttrArn(),
			}},
		}),
	})
	allow(role, "lambda", []string{"InvokeFunction"}, of.live.FunctionArn())
	allow(role, "sqs", []string{"SendMessage"}, missed.QueueArn())

	schedule := awsscheduler.NewCfnSchedule(of.scope, jsii.String("Schedule"), &awsscheduler.CfnScheduleProps{
		Description:        jsii.String("Calls functions/" + of.Name),
		GroupName:          group.Ref(),
		ScheduleExpression: jsii.String(rate(trigger.Every)),
		FlexibleTimeWindow: &awsscheduler.CfnSchedule_FlexibleTimeWindowProperty{Mode: jsii.String("OFF")},
		Target: &awsscheduler.CfnSchedule_TargetProperty{
			Arn:     of.live.FunctionArn(),
			RoleArn: role.RoleArn(),
			Input:   jsii.String(tick),
			RetryPolicy: &awsscheduler.CfnSchedule_RetryPolicyProperty{
				MaximumRetryAttempts:     jsii.Number(trigger.Retries),
				MaximumEventAgeInSeconds: jsii.Number(trigger.Every.Seconds()), // 60 are the least
			},
			DeadLetterConfig: &awsscheduler.CfnSchedule_DeadLetterConfigProperty{Arn: missed.QueueArn()},
		},
	})
	schedule.Node().AddDependency(role) // and on what it allows
	return missed
}

// rate writes a time between calls as EventBridge Scheduler wants it.
func rate(every time.Duration) string {
	for _, unit := range []struct {
		name string
		of   time.Duration
	}{{"hour", time.Hour}, {"minute", time.Minute}} {
		switch n := every / unit.of; {
		case every%unit.of != 0 || n == 0:
		case n == 1:
			return "rate(1 " + unit.name + ")"
		default:
			return fmt.Sprintf("rate(%d %ss)", n, unit.name)
		}
	}
	panic(fmt.Sprintf("infra: a schedule cannot call every %s", every))
}
