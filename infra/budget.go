package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsbudgets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// newBudget tells the topic at 80 % of the account's budget for a month, and when the forecast reaches all of it. It
// counts the whole account. A budget by tag counts nothing until somebody activates the tag for billing, and would
// stay silent.
func newBudget(scope constructs.Construct, stage Stage, topic awssns.Topic) {
	topic.AddToResourcePolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Sid:        jsii.String("BudgetsOfThisAccount"),
		Principals: &[]awsiam.IPrincipal{awsiam.NewServicePrincipal(jsii.String("budgets.amazonaws.com"), nil)},
		Actions:    jsii.Strings("sns:Publish"),
		Resources:  &[]*string{topic.TopicArn()},
		Conditions: &map[string]any{
			"StringEquals": map[string]any{"aws:SourceAccount": awscdk.Aws_ACCOUNT_ID()},
			"ArnLike": map[string]any{
				"aws:SourceArn": jsii.String(
					"arn:" + *awscdk.Aws_PARTITION() + ":budgets::" + *awscdk.Aws_ACCOUNT_ID() + ":*",
				),
			},
		},
	}))
	told := func(kind string, percent float64) any {
		return &awsbudgets.CfnBudget_NotificationWithSubscribersProperty{
			Notification: &awsbudgets.CfnBudget_NotificationProperty{
				NotificationType:   jsii.String(kind),
				ComparisonOperator: jsii.String("GREATER_THAN"),
				Threshold:          jsii.Number(percent),
				ThresholdType:      jsii.String("PERCENTAGE"),
			},
			Subscribers: []any{
				&awsbudgets.CfnBudget_SubscriberProperty{
					SubscriptionType: jsii.String("SNS"),
					Address:          topic.TopicArn(),
				},
			},
		}
	}
	awsbudgets.NewCfnBudget(scope, jsii.String("Budget"), &awsbudgets.CfnBudgetProps{
		Budget: &awsbudgets.CfnBudget_BudgetDataProperty{
			BudgetType: jsii.String("COST"),
			TimeUnit:   jsii.String("MONTHLY"),
			BudgetLimit: &awsbudgets.CfnBudget_SpendProperty{
				Amount: jsii.Number(stage.MonthlyBudget),
				Unit:   jsii.String("USD"),
			},
		},
		NotificationsWithSubscribers: []any{told("ACTUAL", 80), told("FORECASTED", 100)},
	})
}
