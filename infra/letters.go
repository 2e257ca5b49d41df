package main

import (
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsses"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/store/rows"
)

// reportReader returns the function that reads SES's reports on letters. Only a stage that sends mail has it.
func reportReader() Function {
	return Function{
		Name:      "bounces",
		Folder:    "feeds/bounces",
		Group:     "deliveries",
		Trigger:   Reports{},
		MemoryMiB: 256,
		Timeout:   30 * time.Second,
		Tables:    []Grant{{rows.CoreTable, []string{"GetItem", "PutItem"}, nil}},
	}
}

// lettersName returns the name of the configuration set of letters. It is known beforehand, so that the function that
// sends letters waits for nothing.
func (s Stage) lettersName() string { return project + "-" + s.Name + "-letters" }

// tellAPI tells a function that sends letters where the API is, on a stage that sends mail.
func tellAPI(of lambda, stage Stage, api awsapigateway.RestApi) {
	if of.Letters && stage.MailFrom != "" {
		of.deployed.AddEnvironment(jsii.String("API_URL"), jsii.String(apiURL(api, stage)), nil)
	}
}

// callByReports makes SES report bounces of letters and complaints to a function. Events of SES reach EventBridge's
// default bus at no cost, and a rule calls the function: a topic would be one part more.
//
// There is no queue for events that are given up. EventBridge tries for a day, Lambda repeats a call that failed twice,
// and an address whose report is lost bounces again with its next mail.
func callByReports(of lambda, stage Stage) {
	set := awsses.NewCfnConfigurationSet(of.scope, jsii.String("Letters"), &awsses.CfnConfigurationSetProps{
		Name: jsii.String(stage.lettersName()),
	})
	awsses.NewCfnConfigurationSetEventDestination(
		of.scope, jsii.String("Reports"), &awsses.CfnConfigurationSetEventDestinationProps{
			ConfigurationSetName: set.Ref(),
			EventDestination: &awsses.CfnConfigurationSetEventDestination_EventDestinationProperty{
				Enabled:            jsii.Bool(true),
				MatchingEventTypes: jsii.Strings("bounce", "complaint"),
				EventBridgeDestination: &awsses.CfnConfigurationSetEventDestination_EventBridgeDestinationProperty{
					EventBusArn: awscdk.Stack_Of(of.scope).FormatArn(&awscdk.ArnComponents{
						Service: jsii.String("events"), Resource: jsii.String("event-bus"), ResourceName: jsii.String("default"),
					}),
				},
			},
		})
	rule := awsevents.NewCfnRule(of.scope, jsii.String("Reported"), &awsevents.CfnRuleProps{
		Description: jsii.String("Calls functions/" + of.Name + " with each letter that bounced, and each complaint"),
		State:       jsii.String("ENABLED"),
		EventPattern: map[string]any{
			"source": []string{"aws.ses"}, "detail-type": []string{"Email Bounced", "Email Complaint Received"},
			"detail": map[string]any{"mail": map[string]any{"tags": map[string]any{
				"ses:configuration-set": []string{stage.lettersName()},
			}}},
		},
		Targets: []any{&awsevents.CfnRule_TargetProperty{Id: jsii.String("Fn"), Arn: of.live.FunctionArn()}},
	})
	awslambda.NewCfnPermission(of.scope, jsii.String("ReportsMayCall"), &awslambda.CfnPermissionProps{
		Action: jsii.String("lambda:InvokeFunction"), FunctionName: of.live.FunctionArn(),
		Principal: jsii.String("events.amazonaws.com"), SourceArn: rule.AttrArn(),
	})
}
