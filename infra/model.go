package main

import (
	"fmt"
	"regexp"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// profile matches the id of an inference profile, which sends a request to one of a geography's regions, and not that
// of a model.
var profile = regexp.MustCompile(`^(us|us-gov|eu|apac|jp|au|ca|global)\.(.+)$`)

// allowModel lets a role ask a model of Bedrock. Converse, which the adapter calls, needs the right to invoke. A
// profile needs that right on itself, and on the model in every region that it may choose, there through the profile
// alone.
func allowModel(role awsiam.Role, id string) {
	stack := awscdk.Stack_Of(role)
	arn := func(region, account, resource, name string) *string {
		return stack.FormatArn(&awscdk.ArnComponents{Service: jsii.String("bedrock"), Region: jsii.String(region),
			Account: jsii.String(account), Resource: jsii.String(resource), ResourceName: jsii.String(name)})
	}
	parts := profile.FindStringSubmatch(id)
	if parts == nil {
		allow(role, "bedrock", []string{"InvokeModel"}, arn(*stack.Region(), "", "foundation-model", id))
		return
	}
	through := arn(*stack.Region(), *stack.Account(), "inference-profile", id)
	allow(role, "bedrock", []string{"InvokeModel"}, through)
	role.AddToPolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Actions:    jsii.Strings("bedrock:InvokeModel"),
		Resources:  &[]*string{arn("*", "", "foundation-model", parts[2])},
		Conditions: &map[string]any{"StringEquals": map[string]any{"bedrock:InferenceProfileArn": through}},
	}))
}

// alarmOnModel watches a function that asks the stage's model. No client's request fails with the model, so nobody
// would notice: each proposal and each verdict is made without it. An hour without a request to the model raises no
// alarm.
func alarmOnModel(of lambda, stage Stage, watch constructs.Construct, topic *alarmTopic) {
	if !of.Model || stage.Model == "" {
		return
	}
	hour := seconds(time.Hour)
	own := func(name string) awscloudwatch.IMetric {
		return metric(ownMetrics, name, "Sum", map[string]*string{stageKey: &stage.Name, functionKey: &of.Name}).
			With(&awscloudwatch.MetricOptions{Period: hour})
	}
	share := awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
		Expression:   jsii.String("IF(FILL(requests, 0) > 0, FILL(failures, 0) / requests, 0)"),
		UsingMetrics: &map[string]awscloudwatch.IMetric{"requests": own(modelRequests), "failures": own(modelFailures)},
		Period:       hour,
	})
	says := fmt.Sprintf("functions/%s asked the model for an hour, and had no answer.", of.Name)
	alarm{"ModelFails", says, share, 1, 1, 1}.add(watch, topic)
}
